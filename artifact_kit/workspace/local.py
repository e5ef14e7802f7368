"""A folder of a local disk, held by descriptors. Needs an operating system that has `openat`."""

from __future__ import annotations

import contextlib
import errno
import os
import stat as modes
import time
from typing import TYPE_CHECKING

from artifact_kit.workspace.beneath import open_beneath
from artifact_kit.workspace.descent import Descent, open_folder
from artifact_kit.workspace.paths import TEMP_PREFIX
from artifact_kit.workspace.storage import Gate, Parts, Problem, Stat, examples
from artifact_kit.workspace.whole import READ, Swapped, content, open_file, replace, version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from artifact_kit.workspace.values import Content, Kind, Version

_STALE_S = 3600
_TRIES = 8


def supported() -> bool:
    """Whether this operating system can walk by descriptors."""
    needed = (os.open, os.stat, os.mkdir, os.rename, os.unlink, os.rmdir, os.readlink)
    return all(call in os.supports_dir_fd for call in needed) and hasattr(os, "O_NOFOLLOW")


class LocalStorage:
    """A folder on a disk. `inside` is a folder below `root` that nothing may leave."""

    read_only = False

    def __init__(self, root: str, inside: Parts = (), *, known_as: str = "") -> None:
        self._root = root
        self._known_as = known_as or root
        self._inside = inside
        self._swept: set[tuple[int, int]] = set()

    @property
    def host_roots(self) -> tuple[str, ...]:
        """The folder itself, as the host wrote it and with links resolved."""
        roots = dict.fromkeys((self._known_as, self._root))
        return tuple(os.path.join(root, *self._inside) for root in roots)

    def below(self, parts: Parts) -> LocalStorage:
        """The same disk, confined to a folder, which the first write makes."""
        return LocalStorage(self._root, (*self._inside, *parts), known_as=self._known_as)

    def info(self, parts: Parts) -> Stat | None:
        """What stands there; a link is told as what it leads to."""
        with self._descent() as descent:
            try:
                name = descent.walk(parts, follow_last=False)
            except Problem as problem:
                if problem.code in ("not_found", "not_folder"):
                    return None
                raise
            return self._look(descent.fd, name, parts)

    def read(self, parts: Parts, most: int | None) -> Content:
        """The bytes as they were at one moment, with the version of that moment."""
        return content(self._open(parts), most)

    def write(self, parts: Parts, data: bytes, expect: Version | None, gate: Gate) -> Version:
        """A temporary name in the same folder, made durable, then renamed over the old one."""
        with self._descent(make=True) as descent:
            name = self._go(descent, parts, follow_last=True, make=True)
            if name is None:
                raise Problem("is_folder")
            return self._save(descent, name, data, expect, gate)

    def rewrite(
        self, parts: Parts, most: int | None, change: Callable[[Content], bytes], gate: Gate
    ) -> Version | None:
        """All of it from one walk, under the lock of the folder that the walk has come to."""
        from artifact_kit.workspace.flocks import lock_folder

        with self._descent() as descent:
            name = self._go(descent, parts, follow_last=True)
            if name is None:
                raise Problem("is_folder")
            with contextlib.suppress(PermissionError):  # a folder that is not to be listed
                if not lock_folder(descent.readable()):
                    return None
            before = content(open_file(descent.fd, name), most)
            data = change(before)
            return self._save(descent, name, data, before.version, gate)

    def entries(self, parts: Parts) -> list[tuple[str, Stat]]:
        """One level, our own temporary files left out."""
        with self._descent() as descent:
            self._go(descent, (*parts, "."), follow_last=True)
            stats = ((n, self._look(descent.fd, n, (*parts, n))) for n in _listed(descent.fd, None))
            return [(name, stat) for name, stat in stats if stat is not None]

    def make_folder(self, parts: Parts) -> None:
        """Make a folder and its parents."""
        with self._descent(make=True) as descent:
            self._go(descent, (*parts, "."), follow_last=True, make=True)

    def rename(self, source: Parts, target: Parts, gate: Gate) -> bool:
        """One step of the kernel; False between disks."""
        with self._descent() as old, self._descent() as new:
            name = self._go(old, source, follow_last=False)
            into = self._go(new, target, follow_last=False, make=True)
            if name is None or into is None:
                raise Problem("is_folder")
            if _same_file(old.fd, name, new.fd, into):
                if _same_folder(old.fd, new.fd) and name == into:
                    raise Problem("same_path")
                if name.casefold() != into.casefold():
                    gate.commit()
                    os.unlink(name, dir_fd=old.fd)
                    return True
            gate.commit()
            try:
                os.rename(name, into, src_dir_fd=old.fd, dst_dir_fd=new.fd)
            except OSError as error:
                if error.errno == errno.EXDEV:
                    return False
                if error.errno == errno.EINVAL:
                    raise Problem("into_itself") from error
                raise
            old.flush()
            new.flush()
            return True

    def copy(self, source: Parts, target: Parts) -> bool:
        """Never needed: what can't be renamed is on another disk."""
        return False

    def delete(self, parts: Parts, recursive: bool, gate: Gate) -> None:
        """A link goes as a link; a folder with everything in it, no link followed."""
        with self._descent() as descent:
            name = self._go(descent, parts, follow_last=False)
            if name is None:
                raise Problem("is_folder")
            if not modes.S_ISDIR(os.stat(name, dir_fd=descent.fd, follow_symlinks=False).st_mode):
                gate.commit()
                os.unlink(name, dir_fd=descent.fd)
            else:
                names = list(_listed(descent.fd, name))
                if names and not recursive:
                    raise Problem("not_empty", detail=examples(names))
                gate.commit()
                _empty(descent.fd, name, gate)
                os.rmdir(name, dir_fd=descent.fd)
            descent.flush()

    def hold(self, paths: list[Parts]) -> Callable[[], None] | None:
        """Lock the folders that the paths stand in, and no file beside them."""
        from artifact_kit.workspace.flocks import hold_folders

        return hold_folders(fd for parts in paths for fd in self._near(parts))

    def _save(
        self, descent: Descent, name: str, data: bytes, expect: Version | None, gate: Gate
    ) -> Version:
        self._sweep(descent.fd)
        version = replace(descent.fd, name, data, expect, gate)
        descent.flush()
        return version

    def _go(
        self, descent: Descent, parts: Parts, *, follow_last: bool, make: bool = False
    ) -> str | None:
        """Walk, and when a file stands where a folder should, say which one."""
        try:
            return descent.walk(parts, follow_last=follow_last, make=make)
        except Problem as problem:
            if problem.code == "not_folder":
                heads = (parts[:depth] for depth in range(1, len(parts)))
                stats = ((head, self.info(head)) for head in heads)
                files = (head for head, stat in stats if stat and stat.kind != "folder")
                problem.parts = next(files, None)
            raise

    def _descent(self, *, make: bool = False) -> Descent:
        descent = Descent(self._root)
        if self._inside:
            try:
                descent.confine(self._inside, make=make)
            except BaseException as error:
                descent.__exit__(type(error), error, None)
                raise
        return descent

    def _look(self, fd: int, name: str | None, parts: Parts) -> Stat | None:
        try:
            found = os.stat("." if name is None else name, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if not modes.S_ISLNK(found.st_mode):
            return _stat(found)
        try:
            with self._descent() as descent:
                name = descent.walk(parts, follow_last=True)
                end = os.stat(
                    "." if name is None else name, dir_fd=descent.fd, follow_symlinks=False
                )
        except (Problem, OSError):
            return Stat("other", None, version_of(found), is_link=True)
        stat = _stat(end)
        return Stat(stat.kind, stat.size, stat.version, is_link=True)

    def _open(self, parts: Parts) -> int:
        for _ in range(_TRIES):
            with self._descent() as descent:
                fd = _opened_beneath(descent.fd, parts)
                if fd is not None:
                    return fd
                name = self._go(descent, parts, follow_last=True)
                if name is None:
                    raise Problem("is_folder")
                with contextlib.suppress(Swapped):
                    return open_file(descent.fd, name)
        raise Problem("loop")

    def _near(self, parts: Parts) -> Iterator[int]:
        """Descriptors of the folder that holds, or will hold, the path, and of the path's own."""
        with self._descent() as descent:
            name: str | None = None
            with contextlib.suppress(Problem, OSError):
                name = self._go(descent, parts, follow_last=True)
            for folder in dict.fromkeys((None, name)):
                with contextlib.suppress(OSError):
                    yield open_folder(descent.fd, folder)

    def _sweep(self, fd: int) -> None:
        """Once for each folder, take away what a process that died left in it an hour ago."""
        found = os.stat(".", dir_fd=fd)
        here = (found.st_dev, found.st_ino)
        if here in self._swept:
            return
        self._swept.add(here)
        for name in _names(fd, None):
            if name.startswith(TEMP_PREFIX):
                with contextlib.suppress(OSError):
                    age = time.time() - os.stat(name, dir_fd=fd, follow_symlinks=False).st_mtime
                    if age > _STALE_S:
                        os.unlink(name, dir_fd=fd)


def _opened_beneath(fd: int, parts: Parts) -> int | None:
    try:
        return open_beneath(fd, "/".join(parts) or ".", READ & ~os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise Problem("outside") from error
        if error.errno == errno.ENOTDIR:
            return None  # the walk finds out which part of the path is no folder
        if error.errno == errno.ENXIO:
            raise Problem("not_file") from error
        raise


def _names(fd: int, name: str | None) -> list[str]:
    folder = open_folder(fd, name)
    try:
        return os.listdir(folder)
    finally:
        os.close(folder)


def _listed(fd: int, name: str | None) -> list[str]:
    return [n for n in _names(fd, name) if not n.startswith(TEMP_PREFIX)]


def _empty(fd: int, name: str, gate: Gate) -> None:
    for _, folders, files, at in os.fwalk(name, topdown=False, dir_fd=fd):
        for file in files:
            gate.beat()
            os.unlink(file, dir_fd=at)
        for folder in folders:
            try:
                os.rmdir(folder, dir_fd=at)
            except NotADirectoryError:
                os.unlink(folder, dir_fd=at)


def _same_file(fd: int, name: str, other_fd: int, other: str) -> bool:
    try:
        return os.path.samestat(
            os.stat(name, dir_fd=fd, follow_symlinks=False),
            os.stat(other, dir_fd=other_fd, follow_symlinks=False),
        )
    except FileNotFoundError:
        return False


def _same_folder(fd: int, other_fd: int) -> bool:
    return os.path.samestat(os.fstat(fd), os.fstat(other_fd))


def _stat(found: os.stat_result) -> Stat:
    kind: Kind = "other"
    if modes.S_ISDIR(found.st_mode):
        kind = "folder"
    elif modes.S_ISREG(found.st_mode):
        kind = "file"
    return Stat(kind, found.st_size if kind == "file" else None, version_of(found))
