"""From what a host names or hands over to a storage."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import fsspec
from fsspec.core import url_to_fs
from fsspec.implementations.arrow import ArrowFSWrapper
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.cached import CachingFileSystem
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.workspace import local
from artifact_kit.workspace.adapter import FsspecStorage
from artifact_kit.workspace.traits import traits_of

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

    from artifact_kit.workspace.storage import Storage


_ARCHIVES = ("zip", "tar", "libarchive")


def opened(source: str | AbstractFileSystem, root: str = "", *, read_only: bool = False) -> Storage:
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
    if type(fs) is LocalFileSystem and local.supported():
        return _local(root or os.getcwd(), make=not read_only)
    dircache = getattr(fs, "dircache", None)
    if dircache is not None and hasattr(dircache, "use_listings_cache"):
        dircache.use_listings_cache = False
    return FsspecStorage(fs, root, traits_of(fs))


def _local(root: str, *, make: bool) -> Storage:
    if not make and not os.path.isdir(root):
        raise ValueError(f"{root} is not a folder")
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"{root} is not a folder and can't be made one: {error.strerror}"
        ) from error
    return local.LocalStorage(os.path.realpath(root), known_as=os.path.abspath(root))


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
    scheme, _, archive = source.partition("://")
    if scheme in _ARCHIVES and archive and "::" not in source:
        return fsspec.filesystem(scheme, fo=archive), root
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
