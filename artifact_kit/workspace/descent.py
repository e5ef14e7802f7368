"""Walking down from a folder by descriptors, so that no link and no swap leads out of it."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from artifact_kit.workspace.storage import Parts, Problem

if TYPE_CHECKING:
    from types import TracebackType

_FOLDER = (
    os.O_RDONLY
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_PASS = _FOLDER | getattr(os, "O_PATH", 0)
_LINKS = 40
_SWAPS = 8
_SWAPPED = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class Descent:
    """The folders from a root down to where a walk stands; closes them at the end.

    Links are expanded by hand: `..` in one goes back up this stack, never through the kernel, and
    going above the root or to an absolute place is a `Problem`.
    """

    def __init__(self, root: str) -> None:
        self._stack: list[int] = []
        self._made: list[tuple[int, str]] = []
        self._readable: int | None = None
        try:
            self._stack.append(os.open(root, _PASS))
        except OSError as error:
            raise Problem("gone") from error

    def __enter__(self) -> Descent:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for parent, name in reversed(self._made):
            if kind is not None:
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=parent)
            os.close(parent)
        for fd in self._stack:
            os.close(fd)
        if self._readable is not None:
            os.close(self._readable)

    @property
    def fd(self) -> int:
        """The folder where the walk stands."""
        return self._stack[-1]

    def readable(self) -> int:
        """The folder where the walk has come to an end, to be locked or flushed."""
        if self._readable is None:
            self._readable = open_folder(self.fd, None)
        return self._readable

    def confine(self, parts: Parts, *, make: bool) -> None:
        """Go into a folder and take it for the root from here on."""
        self.walk((*parts, "."), follow_last=True, make=make)
        for fd in self._stack[:-1]:
            os.close(fd)
        del self._stack[:-1]

    def walk(self, parts: Parts, *, follow_last: bool, make: bool = False) -> str | None:
        """Go to the folder that holds the last part, and give that part's name in it.

        None when the path is a folder that the walk stands in already (the root, or a link to a
        folder above). `make` creates folders on the way; they go away again when the block ends
        in an error.

        Raises:
            Problem: `outside`, `not_found`, `not_folder` or `loop`.
        """
        ahead = list(reversed(parts))
        links = 0
        while ahead:
            name = ahead.pop()
            if name in ("", "."):
                continue
            if name == "..":
                self._up()
                continue
            if not ahead and not follow_last:
                return name
            target = self._link(name) if not ahead else self._enter(name, make=make)
            if target is None:
                if not ahead:
                    return name
                continue
            links += 1
            if links > _LINKS:
                raise Problem("loop")
            if target.startswith("/"):
                raise Problem("outside")
            ahead.extend(reversed(target.split("/")))
        return None

    def flush(self) -> None:
        """Make what was created and renamed here survive a power cut."""
        with contextlib.suppress(OSError):
            os.fsync(self.readable())
        for parent, _ in self._made:
            with contextlib.suppress(OSError):
                readable = open_folder(parent, None)
                try:
                    os.fsync(readable)
                finally:
                    os.close(readable)

    def _up(self) -> None:
        if len(self._stack) == 1:
            raise Problem("outside")
        os.close(self._stack.pop())

    def _enter(self, name: str, *, make: bool) -> str | None:
        """Go into a folder; give the target when the name is a link instead."""
        for _ in range(_SWAPS):
            try:
                self._stack.append(os.open(name, _PASS, dir_fd=self.fd))
            except FileNotFoundError:
                if not make:
                    raise Problem("not_found") from None
                self._make(name)
            except OSError as error:
                if error.errno not in _SWAPPED:
                    raise
                target = self._link(name)
                if target is not None:
                    return target
                if _is_plain(name, self.fd):
                    raise Problem("not_folder") from None
            else:
                return None
        raise Problem("loop")

    def _make(self, name: str) -> None:
        try:
            os.mkdir(name, dir_fd=self.fd)
        except FileExistsError:
            return
        self._made.append((os.dup(self.fd), name))

    def _link(self, name: str) -> str | None:
        """Where a link points; None when the name is no link, or nothing."""
        try:
            return os.readlink(name, dir_fd=self.fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOENT):
                raise
            return None


def open_folder(fd: int, name: str | None) -> int:
    """A readable descriptor of a folder, for listing it or locking it; never through a link."""
    return os.open("." if name is None else name, _FOLDER, dir_fd=fd)


def _is_plain(name: str, fd: int) -> bool:
    """Still something else than a folder or a link: the walk was not just overtaken by a swap."""
    try:
        mode = os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return False
    return (mode & 0o170000) not in (0o040000, 0o120000)
