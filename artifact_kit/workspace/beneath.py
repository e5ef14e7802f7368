"""Opening a path below a folder in one step of the kernel: `openat2` of Linux."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from functools import cache

_OPENAT2 = 437
_NO_MAGICLINKS = 0x02
_BENEATH = 0x08
_TRIES = 4


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


def open_beneath(root_fd: int, path: str, flags: int) -> int | None:
    """A descriptor for `path`, which the kernel kept below `root_fd` on every step.

    None when this system can't do it, or something kept moving: walk instead.

    Raises:
        OSError: EXDEV when the path leads out; else as `open`.
    """
    if not supported():
        return None
    for _ in range(_TRIES):
        try:
            return _openat2(root_fd, path, flags)
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
    return None


@cache
def supported() -> bool:
    """Whether the kernel has the call and no filter forbids it."""
    if not sys.platform.startswith("linux") or platform.machine() == "alpha":
        return False
    try:
        fd = os.open("/", os.O_PATH | os.O_CLOEXEC)
        try:
            os.close(_openat2(fd, ".", os.O_PATH | os.O_CLOEXEC))
        finally:
            os.close(fd)
    except OSError:
        return False
    return True


def _openat2(root_fd: int, path: str, flags: int) -> int:
    how = _OpenHow(flags, 0, _BENEATH | _NO_MAGICLINKS)
    fd: int = _libc().syscall(
        ctypes.c_long(_OPENAT2),
        ctypes.c_long(root_fd),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    if fd < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return fd


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
