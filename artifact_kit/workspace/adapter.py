"""Any fsspec filesystem as a storage, through its single-file primitives only.

Never used here: `rm`, `mv`, `copy`, `cat`, `expand_path` and `glob` (they expand `[ab]*?` in
names), `exists` (it hides errors), `open` for writing (an exception in it commits half a file)
and `transaction` (its state is shared by every user of the instance).
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from artifact_kit.workspace.paths import TEMP_PREFIX
from artifact_kit.workspace.storage import Gate, Parts, Problem, Stat, examples
from artifact_kit.workspace.values import BY_CONTENT, Content, Kind, Version

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsspec import AbstractFileSystem

    from artifact_kit.workspace.traits import Traits

_KINDS: dict[str, Kind] = {"file": "file", "directory": "folder"}
_STRONG = ("ETag", "etag", "VersionId", "version_id", "hex", "generation", "md5Hash", "content_md5")
_TIMES = ("ino", "mtime", "created", "LastModified", "last_modified", "updated", "CRC")
_OUTWARD = "a link that leads out"
_LOCKS: WeakKeyDictionary[AbstractFileSystem, threading.Lock] = WeakKeyDictionary()


class FsspecStorage:
    """One folder of a filesystem, as the root of a mount."""

    def __init__(
        self, fs: AbstractFileSystem, root: str, traits: Traits, *, fence: str | None = None
    ) -> None:
        self._fs = fs
        self._root = root
        self._fence = root if fence is None else fence
        self._traits = traits

    @property
    def read_only(self) -> bool:
        """Archives, web servers and the like."""
        return self._traits.read_only

    @property
    def host_roots(self) -> tuple[str, ...]:
        """The folder of a disk; nothing elsewhere."""
        return (self._root,) if self._traits.guarded else ()

    def below(self, parts: Parts) -> FsspecStorage:
        """The same storage, confined to one of its folders."""
        return FsspecStorage(self._fs, self._key(parts), self._traits, fence=self._fence)

    def info(self, parts: Parts) -> Stat | None:
        """What stands there; a name the storage answers for by another name is nothing."""
        found = self._look(parts)
        if found is None:
            return Stat("folder", None, Version("root")) if not parts else None
        return _stat(found)

    def read(self, parts: Parts, most: int | None) -> Content:
        """The bytes of a file, with its version taken before them."""
        found = _file(self._look(parts) or self._missing(parts))
        size = None if found.get("linkname") else found.get("size")
        data = self._bytes(self._key(parts), size, most)
        cut = most is not None and len(data) >= most and len(data) != size
        stated = _strong(found) or (_weak(found) if cut else None)
        return Content(data, max(size or 0, len(data)) if cut else len(data), stated)

    def write(self, parts: Parts, data: bytes, expect: Version | None, gate: Gate) -> Version:
        """One upload where that replaces in one step; else a temporary name, then a move."""
        self._check_ancestors(parts)
        found = self._look(parts)
        if found is not None:
            _file(found)
        conditional = expect is not None and self._traits.conditional_puts
        with _compare_and_put(self._fs) if expect and not conditional else nullcontext():
            if expect is not None and not self._holds(parts, expect):
                raise Problem("changed")
            self._make_parents(parts)
            if self._traits.atomic_puts:
                gate.commit()
                self._put(self._key(parts), data, expect if conditional else None)
            else:
                self._stage(parts, data, gate)
        self._fresh(parts)
        return self._kept(parts, data)

    def rewrite(
        self, parts: Parts, most: int | None, change: Callable[[Content], bytes], gate: Gate
    ) -> Version | None:
        """No storage of this kind has locks; the version tells of others."""
        before = self.read(parts, most)
        return self.write(parts, change(before), before.version, gate)

    def entries(self, parts: Parts) -> list[tuple[str, Stat]]:
        """One level; markers of the folder itself and our own temporary files left out."""
        found = self._look(parts)
        if found is None and parts:
            self._missing(parts)
        plain = found is not None and _inward(found) != "folder"
        if plain and not self._traits.quoted:
            raise Problem("not_folder")
        names: dict[str, Stat] = {}
        for entry in self._ls(parts):
            name = self._name_in(parts, str(entry["name"]))
            if name and not name.startswith(TEMP_PREFIX) and name not in names:
                names[name] = _stat(entry)
        if plain and parts and not names:
            raise Problem("not_folder")
        return list(names.items())

    def make_folder(self, parts: Parts) -> None:
        """Where folders exist on their own; elsewhere nothing is needed."""
        if not self._traits.flat:
            self._fs.makedirs(self._key(parts), exist_ok=True)
            self._fresh(parts)

    def rename(self, source: Parts, target: Parts, gate: Gate) -> bool:
        """Never: `mv` of a folder destroys it on some filesystems."""
        return False

    def copy(self, source: Parts, target: Parts) -> bool:
        """Inside the storage, where it can."""
        self._check_ancestors(target)
        self._make_parents(target)
        try:
            self._fs.cp_file(self._key(source), self._key(target))
        except NotImplementedError:
            return False
        finally:
            self._fresh(target)
        return True

    def delete(self, parts: Parts, recursive: bool, gate: Gate) -> None:
        """A file by its exact name; a folder file by file, then its folders from the bottom."""
        stat = self.info(parts)
        if stat is None:
            self._missing(parts)
        if stat.kind != "folder" or stat.is_link:
            gate.commit()
            self._remove(parts)
        else:
            names = self.entries(parts)
            if names and not recursive:
                raise Problem("not_empty", detail=examples([name for name, _ in names]))
            gate.commit()
            self._delete_folder(parts, gate)
        if self.info(parts) is not None:
            raise Problem("kept")

    def hold(self, paths: list[Parts]) -> Callable[[], None] | None:
        """No storage of this kind has locks; conditional uploads stand in where there are any."""
        return lambda: None

    def _key(self, parts: Parts) -> str:
        names = [quote(part, safe="") for part in parts] if self._traits.quoted else parts
        inside = "/".join(names)
        if not inside:
            return self._root
        return f"{self._root.rstrip('/')}/{inside}" if self._root else inside

    def _fresh(self, parts: Parts) -> None:
        self._fs.invalidate_cache(self._key(parts))
        if parts:
            self._fs.invalidate_cache(self._key(parts[:-1]))

    def _look(self, parts: Parts) -> dict[str, Any] | None:
        self._fresh(parts)
        if self._traits.guarded and not self._is_inside(parts):
            if parts and self._is_inside(parts[:-1]) and os.path.islink(self._key(parts)):
                return {"name": self._key(parts), "type": _OUTWARD, "islink": True}
            raise Problem("outside")
        try:
            found: dict[str, Any] = self._fs.info(self._key(parts))
        except (FileNotFoundError, NotADirectoryError):
            return None
        if parts and str(found.get("name", "")).rstrip("/").rpartition("/")[2] not in (
            parts[-1],
            self._key(parts).rpartition("/")[2],
        ):
            return None
        return found

    def _is_inside(self, parts: Parts) -> bool:
        """By the names of the moment; somebody who swaps folders on this machine can win a race."""
        places = [os.path.realpath(p) for p in (self._fence, self._root, self._key(parts))]
        return all(
            inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)
            for outer, inner in itertools.pairwise(places)
        )

    def _bytes(self, key: str, size: int | None, most: int | None) -> bytes:
        if size == 0:
            return b""
        if most is None or (size is not None and size <= most):
            return bytes(self._fs.cat_file(key))
        try:
            return bytes(self._fs.cat_file(key, start=0, end=most))[:most]
        except (NotImplementedError, ValueError):
            return bytes(self._fs.cat_file(key))[:most]

    def _missing(self, parts: Parts) -> NoReturn:
        if not self._traits.quoted:  # a web server's folders look like files
            self._check_ancestors(parts)
        raise Problem("not_found")

    def _check_ancestors(self, parts: Parts) -> None:
        for depth in range(len(parts) - 1, 0, -1):
            found = self._look(parts[:depth])
            if found is not None:
                if _inward(found) != "folder":
                    raise Problem("not_folder", parts[:depth])
                return

    def _make_parents(self, parts: Parts) -> None:
        if not self._traits.flat:
            self._fs.makedirs(self._key(parts[:-1]), exist_ok=True)

    def _holds(self, parts: Parts, expect: Version) -> bool:
        found = self._look(parts)
        if found is None or _kind(found) != "file":
            return False
        if expect.tag.startswith(BY_CONTENT):
            return _hashed(self._bytes(self._key(parts), found.get("size"), None)) == expect
        return expect in (_strong(found), _weak(found))

    def _put(self, key: str, data: bytes, expect: Version | None) -> None:
        if expect is None:
            self._fs.pipe_file(key, data)
            return
        try:
            self._fs.pipe_file(key, data, IfMatch=expect.tag.removeprefix("ETag:"))
        except OSError as error:
            if "NotImplemented" in repr(error):
                self._fs.pipe_file(key, data)
                return
            if error.errno == errno.EINVAL or "PreconditionFailed" in repr(error):
                raise Problem("changed") from error
            raise

    def _stage(self, parts: Parts, data: bytes, gate: Gate) -> None:
        temp = (*parts[:-1], f"{TEMP_PREFIX}{os.urandom(8).hex()}.tmp")
        key, there = self._key(temp), self._key(parts)
        try:
            self._fs.pipe_file(key, data)
            self._fs.invalidate_cache(key)
            self._check_staged(key, data)
            gate.commit()
            self._replace(key, there, data)
        except BaseException:
            with contextlib.suppress(Exception):
                self._fs.rm_file(key)
            raise

    def _check_staged(self, key: str, data: bytes) -> None:
        try:
            kept = bytes(self._fs.cat_file(key)) if data else b""
        except FileNotFoundError:
            raise Problem("mismatch") from None
        if kept != data:
            raise Problem("mismatch")

    def _replace(self, temp: str, there: str, data: bytes) -> None:
        if self._traits.guarded:
            with contextlib.suppress(OSError):
                os.replace(temp, os.path.realpath(there))
                return
        if self._traits.moves:
            with contextlib.suppress(Exception):
                self._fs.mv(temp, there)
                return
        try:
            self._fs.cp_file(temp, there)
        except NotImplementedError:
            self._fs.pipe_file(there, data)
        with contextlib.suppress(Exception):
            self._fs.rm_file(temp)

    def _kept(self, parts: Parts, data: bytes) -> Version:
        found = self._look(parts)
        same = found is not None and found.get("size") in (len(data), None)
        if not same and not self._traits.atomic_puts:
            raise Problem("mismatch")
        return (_strong(found) if found and same else None) or _hashed(data)

    def _ls(self, parts: Parts) -> list[dict[str, Any]]:
        try:
            return list(self._fs.ls(self._key(parts), detail=True))
        except FileNotFoundError:
            return []  # the root of a store that has no files yet, or a folder without any

    def _name_in(self, parts: Parts, full: str) -> str:
        """The last part of a listed name; empty for the folder itself and for other places."""
        head, _, name = full.rstrip("/").rpartition("/")
        if head.strip("/") != self._key(parts).strip("/"):
            return ""
        return unquote(name) if self._traits.quoted else name

    def _remove(self, parts: Parts) -> None:
        self._fs.rm_file(self._key(parts))
        self._fresh(parts)

    def _delete_folder(self, parts: Parts, gate: Gate) -> None:
        for name, stat in self.entries(parts):
            gate.beat()
            inner = (*parts, name)
            if stat.kind == "folder" and not stat.is_link:
                self._delete_folder(inner, gate)
            else:
                self._remove(inner)
        if self._look(parts) is None:
            return
        if not self._traits.flat:
            self._fs.rmdir(self._key(parts))
        elif callable(call := getattr(self._fs, "call_s3", None)):
            bucket, _, key = self._key(parts).partition("/")
            call("delete_object", Bucket=bucket, Key=f"{key}/")  # a marker: rm_file drops its slash
        self._fresh(parts)


def _compare_and_put(fs: AbstractFileSystem) -> threading.Lock:
    """One for all workspaces over a filesystem."""
    return _LOCKS.setdefault(fs, threading.Lock())


def _stat(found: dict[str, Any]) -> Stat:
    kind = _kind(found)
    size = found.get("size") if kind == "file" else None
    return Stat(kind, size, _strong(found) or _weak(found), bool(found.get("islink")))


def _weak(found: dict[str, Any]) -> Version:
    """From sizes and times, which miss a change within one tick of the storage's clock."""
    return Version(f"{found.get('size')}:{[str(found[f]) for f in _TIMES if found.get(f)]}")


def _strong(found: dict[str, Any]) -> Version | None:
    """From what the storage says of the content; None when it says nothing."""
    for field in _STRONG:
        if found.get(field):
            return Version(f"{field}:{found[field]}")
    return None


def _hashed(data: bytes) -> Version:
    return Content(data, len(data)).version


def _inward(found: dict[str, Any]) -> Kind:
    if found["type"] == _OUTWARD:
        raise Problem("outside")
    return _kind(found)


def _kind(found: dict[str, Any]) -> Kind:
    return _KINDS.get(str(found.get("type")), "other")


def _file(found: dict[str, Any]) -> dict[str, Any]:
    kind = _inward(found)
    if kind != "file":
        raise Problem("is_folder" if kind == "folder" else "not_file")
    return found
