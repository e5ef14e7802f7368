"""Locks between processes on the folders themselves: no lock file anywhere, none left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def hold_folders(fds: Iterable[int]) -> Callable[[], None] | None:
    """Lock every folder or none. Takes the descriptors over; the result lets go.

    Where the disk knows no such locks the folders count as locked.
    """
    with contextlib.ExitStack() as stack:
        open_fds = []
        for fd in fds:
            stack.callback(os.close, fd)
            open_fds.append(fd)
        if all(lock_folder(fd) for fd in _distinct(open_fds)):
            return stack.pop_all().close
        return None


def lock_folder(fd: int) -> bool:
    """Lock a folder for as long as its descriptor is open; False when somebody else has."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _distinct(fds: list[int]) -> list[int]:
    found = {(stat.st_dev, stat.st_ino): fd for fd in fds for stat in [os.fstat(fd)]}
    return [found[key] for key in sorted(found)]
