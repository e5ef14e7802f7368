"""Real storages for tests: a disk, memory, an S3 server, archives, a host's own filesystem."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import s3fs
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from fsspec import AbstractFileSystem

Files = dict[str, bytes]
ROOT = "ws"


def own_memory(kind: type[MemoryFileSystem] = MemoryFileSystem) -> MemoryFileSystem:
    """A memory filesystem that shares its store with nobody."""
    fs = kind(skip_instance_cache=True)
    fs.store, fs.pseudo_dirs = {}, [""]
    return fs


def s3(endpoint: str, **options: Any) -> AbstractFileSystem:
    """A client of the S3 server, with a listing cache of its own, as hosts make it."""
    return s3fs.S3FileSystem(
        anon=False,
        endpoint_url=endpoint,
        skip_instance_cache=True,
        **dict.fromkeys(("key", "secret"), "test"),
        **options,
    )


class FullStore(MemoryFileSystem):
    """Takes `room` bytes of each upload, keeps that part, and says that the disk is full."""

    protocol = "full"
    room = 65536

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        super().pipe_file(path, value[: self.room], mode, **kwargs)
        if len(value) > self.room:
            raise OSError(errno.ENOSPC, "No space left on device", path)


class OddError(Exception):
    """What nobody expects a storage to raise."""


class OddStore(MemoryFileSystem):
    """Raises what nobody expects."""

    protocol = "odd"

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        raise OddError(f"<Widget at 0x7f00> broke at /srv/secret/{path}")


class LyingStore(MemoryFileSystem):
    """Says that it saved, and did not."""

    protocol = "lying"

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        return


class DictStore(MemoryFileSystem):
    """A host's own filesystem, known to nobody."""

    protocol = "dictstore"


@dataclass(frozen=True)
class Disk:
    """A folder with neighbours that no call may read or change."""

    root: Path

    def workspace(self, **options: Any) -> Workspace:
        return Workspace(str(self.root), **options)

    def files(self) -> Files:
        return tree(self.root)


def tree(root: Path) -> Files:
    """Every file below a folder, hidden and temporary ones too; links are not followed."""
    found: Files = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
    return found


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted."""
    return sorted(os.listdir(folder))


def stored(fs: AbstractFileSystem, root: str) -> Files:
    """Every file below a root of a filesystem."""
    fs.invalidate_cache()
    prefix = f"{root.strip('/')}/"
    keys = [str(key).strip("/") for key in fs.find(root)]
    return {key.removeprefix(prefix): fs.cat_file(key) for key in keys if key.startswith(prefix)}
