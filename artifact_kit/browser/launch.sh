#!/bin/sh
# Playwright starts this in the browser's place. It must end in `exec`: its pid is then the
# browser's, the two descriptors of the pipe stay open, and a signal reaches Chromium itself.
set -eu

if [ -z "${KIT_INSIDE:-}" ]; then
    echo "$$ $PPID" >"$KIT_RUN/pid"
    for argument; do
        # Playwright's own profile folder is never used; gone now, it cannot be left behind.
        case $argument in --user-data-dir=*) rmdir "${argument#*=}" 2>/dev/null || : ;; esac
    done
    export KIT_INSIDE=1
    if [ -n "$KIT_ENTER" ]; then exec $KIT_ENTER "$0" "$@"; fi
fi

home=$KIT_RUN/home
if [ -n "$KIT_FILES" ]; then
    # A file system of its own: the system's programs, the fonts and the browser, read-only.
    # `pivot_root`, not `chroot`: Chromium's sandbox cannot be set up inside a chroot.
    root=$KIT_RUN/root
    mkdir -p "$root"
    mount -t tmpfs -o "nosuid,nodev,mode=755,size=$KIT_FILES" tmpfs "$root"
    cd "$root"
    mkdir -p etc proc dev tmp old var/cache/fontconfig
    chmod 1777 tmp
    for folder in /usr /nix/store /var/cache/fontconfig "$KIT_FOLDER"; do
        if [ ! -d "$folder" ]; then continue; fi
        mkdir -p ".$folder"
        mount --bind -o ro "$folder" ".$folder"
    done
    for folder in /bin /lib /lib32 /lib64; do
        if [ -L "$folder" ]; then
            ln -s "$(readlink "$folder")" ".$folder"
        elif [ -d "$folder" ]; then
            mkdir ".$folder"
            mount --bind -o ro "$folder" ".$folder"
        fi
    done
    cp -a /etc/fonts /etc/ld.so.cache /etc/localtime etc/ 2>/dev/null || :
    for device in null zero urandom; do
        : >"dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    mount --rbind /proc proc
    pivot_root . old
    cd /
    # With `-c` and `-n`, as umount otherwise looks for a mount table and, not root, gives up.
    umount -l -c -n old
    rmdir old
    home=/tmp/home
fi

mkdir -p "$home/tmp"
if [ -n "$KIT_OWNER" ]; then chown -R "$KIT_OWNER" "$home"; fi
export HOME="$home" TMPDIR="$home/tmp"
drop=$KIT_DROP browser=$KIT_BROWSER
unset KIT_INSIDE KIT_RUN KIT_ENTER KIT_FILES KIT_FOLDER KIT_OWNER KIT_DROP KIT_BROWSER
exec $drop "$browser" "$@" --user-data-dir="$home/profile"
