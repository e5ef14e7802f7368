"""From what a host names or hands over to a storage, and from a path to its mount."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fsspec.core import url_to_fs
from fsspec.implementations.arrow import ArrowFSWrapper
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.cached import CachingFileSystem
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.workspace.adapter import FsspecStorage
from artifact_kit.workspace.traits import traits_of
from artifact_kit.workspace.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fsspec import AbstractFileSystem

    from artifact_kit.workspace.storage import Parts, Storage


@dataclass(frozen=True)
class Mount:
    """A storage at its place in the workspace."""

    at: Parts
    storage: Storage
    read_only: bool
    workers: Workers = field(default_factory=Workers, compare=False)


class MountTable:
    """Which storage answers for a path: the longest mount wins, whole names compared."""

    def __init__(self, mounts: Iterable[Mount]) -> None:
        self.mounts = sorted(mounts, key=lambda mount: -len(mount.at))

    def find(self, parts: Parts) -> tuple[Mount, Parts]:
        """The mount for a path, and the path below it."""
        for mount in self.mounts:
            if parts[: len(mount.at)] == mount.at:
                return mount, parts[len(mount.at) :]
        raise AssertionError("the root is always mounted")

    def names_under(self, parts: Parts) -> list[str]:
        """Next names on the way from this folder to mounts deeper down."""
        depth = len(parts)
        return sorted({m.at[depth] for m in self.mounts if m.at[:depth] == parts != m.at})

    def below(self, parts: Parts) -> MountTable:
        """The table as seen from one folder, whose storage is confined to that folder."""
        base, inside = self.find(parts)
        deeper = (m for m in self.mounts if m.at[: len(parts)] == parts != m.at)
        return MountTable(
            [
                replace(base, at=(), storage=base.storage.below(inside)),
                *(replace(m, at=m.at[len(parts) :]) for m in deeper),
            ]
        )


def opened(source: str | AbstractFileSystem, root: str = "") -> Storage:
    """The storage for a URL, a local folder's path, or a filesystem object of the host.

    Raises:
        ValueError: The filesystem can't be used, with the way to make one that can.
    """
    fs, root = _connected(source, root)
    fs, root = unwrapped(fs, root)
    if getattr(fs, "asynchronous", False):
        raise ValueError(
            "the filesystem was made with asynchronous=True; make it without, the workspace"
            " calls it from threads of its own"
        )
    if type(fs) is LocalFileSystem:
        root = os.path.realpath(root or os.getcwd())
    dircache = getattr(fs, "dircache", None)
    if dircache is not None and hasattr(dircache, "use_listings_cache"):
        dircache.use_listings_cache = False
    return FsspecStorage(fs, root, traits_of(fs))


def unwrapped(fs: AbstractFileSystem, root: str) -> tuple[AbstractFileSystem, str]:
    """The filesystem behind `dir`, cache, async and arrow wrappers, and the root in it."""
    while True:
        if isinstance(fs, DirFileSystem):
            inner = _stripped(fs, root).strip("/")
            root = f"{str(fs.path).rstrip('/')}/{inner}" if inner else str(fs.path)
            fs = fs.fs
        elif isinstance(fs, CachingFileSystem):
            fs, root = fs.fs, fs.fs._strip_protocol(root) if root else ""
        elif isinstance(fs, AsyncFileSystemWrapper):
            fs = fs.sync_fs
        elif isinstance(fs, ArrowFSWrapper) and getattr(fs.fs, "type_name", "") == "local":
            fs = LocalFileSystem()
        else:
            return fs, _stripped(fs, root)


def _connected(source: str | AbstractFileSystem, root: str) -> tuple[AbstractFileSystem, str]:
    if not isinstance(source, str):
        return source, root
    if source.startswith("memory:"):
        return private_memory(), source.removeprefix("memory:").strip("/") + root
    fs, path = url_to_fs(source)
    return fs, f"{path.rstrip('/')}/{root.strip('/')}" if root else path


def private_memory() -> AbstractFileSystem:
    """A memory filesystem with a store of its own; plain ones share one for the process."""
    fs = MemoryFileSystem(skip_instance_cache=True)
    fs.store, fs.pseudo_dirs = {}, [""]
    return fs


def _stripped(fs: AbstractFileSystem, root: str) -> str:
    if not root:
        return ""
    path: Any = fs._strip_protocol(root)
    return str(path).rstrip("/")
