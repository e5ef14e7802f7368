"""One whole file in a folder that is held by its descriptor: its bytes, and new ones for them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat as modes
import threading
from typing import TYPE_CHECKING

from artifact_kit.workspace.paths import TEMP_PREFIX
from artifact_kit.workspace.storage import Problem
from artifact_kit.workspace.values import Content, Version

if TYPE_CHECKING:
    from artifact_kit.workspace.storage import Gate

READ = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_PROBE = READ | os.O_WRONLY
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | READ
_COMPARE_AND_REPLACE = threading.Lock()
_TRIES = 8


class Swapped(Problem):
    """A link stands where a moment ago there was none."""

    def __init__(self) -> None:
        super().__init__("changed")


def open_file(fd: int, name: str) -> int:
    """A descriptor of the file itself.

    Raises:
        Swapped: It is a link.
    """
    try:
        return os.open(name, READ, dir_fd=fd)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise Swapped from error
        if error.errno == errno.ENXIO:
            raise Problem("not_file") from error
        raise


def content(fd: int, most: int | None) -> Content:
    """What is in a file whose descriptor is given over."""
    try:
        for _ in range(_TRIES):
            before = os.fstat(fd)
            _regular(before)
            data = _read(fd, before.st_size, most)
            if version_of(os.fstat(fd)) == version_of(before):
                break
        return Content(data, before.st_size, version_of(before))
    finally:
        os.close(fd)


def replace(fd: int, name: str, data: bytes, expect: Version | None, gate: Gate) -> Version:
    """A temporary name in the same folder, made durable, then renamed over the old one."""
    old = _writable(fd, name)
    temp = f"{TEMP_PREFIX}{os.urandom(8).hex()}.tmp"
    try:
        version = _stage(fd, temp, data, old)
        with _COMPARE_AND_REPLACE if expect else contextlib.nullcontext():
            if expect and _current(fd, name) != expect:
                raise Problem("changed")
            gate.commit()
            os.replace(temp, name, src_dir_fd=fd, dst_dir_fd=fd)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temp, dir_fd=fd)
        raise
    return version


def version_of(found: os.stat_result) -> Version:
    """The version that a file has by its place and times."""
    return Version(f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}")


def _read(fd: int, size: int, most: int | None) -> bytes:
    wanted = size if most is None else min(size, most)
    os.lseek(fd, 0, os.SEEK_SET)
    data = os.read(fd, wanted)
    while len(data) < wanted and (more := os.read(fd, wanted - len(data))):
        data += more
    return data


def _regular(found: os.stat_result) -> None:
    if modes.S_ISDIR(found.st_mode):
        raise Problem("is_folder")
    if not modes.S_ISREG(found.st_mode):
        raise Problem("not_file")


def _writable(fd: int, name: str) -> os.stat_result | None:
    """What is there, whose mode and owner are kept; None for a new file."""
    try:
        found = os.stat(name, dir_fd=fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _regular(found)
    if not found.st_mode & 0o222:
        raise Problem("denied")
    os.close(os.open(name, _PROBE, dir_fd=fd))
    return found


def _stage(fd: int, temp: str, data: bytes, old: os.stat_result | None) -> Version:
    out = os.open(temp, _CREATE, 0o666 if old is None else 0o600, dir_fd=fd)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(out, view) :]
        if old is not None:
            with contextlib.suppress(PermissionError):  # an owner is root's to keep
                os.fchown(out, old.st_uid, old.st_gid)
            os.fchmod(out, modes.S_IMODE(old.st_mode))
        os.fsync(out)
        return version_of(os.fstat(out))
    finally:
        os.close(out)


def _current(fd: int, name: str) -> Version | None:
    try:
        return version_of(os.stat(name, dir_fd=fd, follow_symlinks=False))
    except FileNotFoundError:
        return None
