"""From what a user writes on a command line to a folder that pages are served from."""

from __future__ import annotations

import os
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from artifact_kit.errors import Failure
from artifact_kit.workspace import Workspace

_GLOB = re.compile(r"[*?\[{]")
_ARCHIVE = re.compile(r"^(zip|tar|libarchive)://[^:]*$")


@dataclass(frozen=True)
class Asked:
    """What a path on the command line turned out to be."""

    kind: Literal["file", "folder", "glob", "missing"]
    folder: str
    """The folder itself or the one that it is in: an absolute path, or a URL."""
    name: str = ""
    """The file's name, or the pattern below the folder."""

    @property
    def where(self) -> str:
        """All of it."""
        return posixpath.join(self.folder, self.name) if self.name else self.folder


@dataclass(frozen=True)
class Place:
    """A folder whose pages may load the files in it."""

    workspace: Workspace
    where: str
    """An absolute path with `/` between its parts, or a URL."""
    shown: str
    """What a report calls it; empty for the folder where the run began."""
    prefix: str
    """How the names of its checks begin; empty, or ending in `/`."""


def is_local(path: str) -> bool:
    """Whether it is no URL."""
    return "://" not in path and "::" not in path


async def asked_for(path: str) -> Asked:
    """What a path, a glob or a URL means.

    Raises:
        Failure: `unavailable`: the storage can't be looked at.
    """
    path = path.removeprefix("file://").removeprefix("local://")
    return _local(Path(path)) if is_local(path) else await _remote(path)


def _local(path: Path) -> Asked:
    full = Path(os.path.abspath(path))
    if full.is_dir():
        return Asked("folder", full.as_posix())
    if full.is_file():
        return Asked("file", full.parent.as_posix(), full.name)
    if not _GLOB.search(full.as_posix()):
        return Asked("missing", full.parent.as_posix(), full.name)
    return _glob("", full.as_posix())


async def _remote(url: str) -> Asked:
    url = url.rstrip("/") if not url.endswith("://") else url
    scheme, separator, path = url.rpartition("://")
    if _GLOB.search(path):
        return _glob(scheme + separator, path)
    if "/" not in path or "::" in url or _ARCHIVE.match(url):
        return Asked("folder", url)
    folder, _, name = url.rpartition("/")
    workspace = connected(folder)
    entry = await workspace.info(workspace.path(name))
    if entry is None:
        return Asked("missing", folder, name)
    return Asked("folder", url) if entry.kind == "folder" else Asked("file", folder, name)


def _glob(scheme: str, path: str) -> Asked:
    """The folder that no wildcard is in, and the rest."""
    parts = path.split("/")
    first = next(index for index, part in enumerate(parts) if _GLOB.search(part))
    folder = "/".join(parts[:first]) or ("/" if path.startswith("/") else "")
    return Asked("glob", scheme + folder, "/".join(parts[first:]))


def place_of(asked: Asked, root: str = "") -> tuple[Place, str]:
    """Where the pages are served from, and the way from there to the folder that was asked for.

    Names are relative to `root`, else to the folder where the run began, when they lie in it.
    """
    top = os.path.abspath(root) if root and is_local(root) else root.rstrip("/")
    inside = _below(asked.folder, Path(top).as_posix() if is_local(top) else top) if top else None
    if inside is not None:
        where = Path(top).as_posix() if is_local(top) else top
        return Place(connected(where), where, _shown(where), ""), inside
    here = _below(asked.folder, Path.cwd().as_posix())
    prefix = f"{here}/" if here else ""
    return Place(connected(asked.folder), asked.folder, _shown(asked.folder), prefix), ""


def connected(where: str) -> Workspace:
    """The files of a folder, only to be read; none where there is no such folder.

    Raises:
        Failure: `unavailable`.
    """
    if is_local(where) and not os.path.isdir(where):
        return Workspace("memory://", read_only=True)
    try:
        return Workspace(where, read_only=True)
    except (ValueError, ImportError, OSError) as error:
        raise Failure(f"{where} can't be opened: {error}", code="unavailable") from error


def _shown(where: str) -> str:
    here = _below(where, Path.cwd().as_posix())
    return where if here is None else here


def _below(folder: str, top: str) -> str | None:
    """The way from one folder to another below it; None when it is not."""
    if folder == top:
        return ""
    start = top if top.endswith("/") else f"{top}/"
    return folder.removeprefix(start) if folder.startswith(start) else None
