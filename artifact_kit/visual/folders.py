"""A folder on any storage: of a run's output, or of baselines."""

from __future__ import annotations

import os
import posixpath
import tarfile
import zipfile
from typing import TYPE_CHECKING, TypeVar

import anyio

from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.visual.report import REPORT, Report, dumps, loads
from artifact_kit.workspace import Workspace, WorkspacePath

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

_PATH_CHARS = 1_000
_AT_ONCE = 8
_LOCAL = ("file://", "local://")


class Folder:
    """Files below one root: a local folder, an fsspec URL, or a workspace of the host.

    Reading never makes the root; a root that isn't there is empty. Writes replace a file in one
    step, where the storage has such a step.
    """

    def __init__(self, place: str | Workspace) -> None:
        self.shown = place if isinstance(place, str) else "the workspace"
        self._place = place
        self._workspace: Workspace | None = None

    def make(self) -> None:
        """Have the root, before there is anything to lose.

        Raises:
            Refusal, Failure: It can't be made.
        """
        self._made()

    async def read(self, path: str) -> bytes | None:
        """The bytes of a file; None when there certainly is none.

        Raises:
            Refusal: The path leads out of the folder.
            Failure: The storage can't tell, or it is not a file.
        """
        workspace = self._present()
        if workspace is None:
            return None
        try:
            return (await workspace.read(_inside(workspace, path))).data
        except Failure as failure:
            if failure.code in ("not_found", "not_folder"):
                return None
            raise

    async def write(self, path: str, data: bytes) -> None:
        """Save a file with its parents.

        Raises:
            Refusal: The path leads out of the folder, or the storage is read-only.
            Failure: What the storage met.
        """
        workspace = self._made()
        await workspace.write(_inside(workspace, path), data)

    async def delete(self, path: str) -> None:
        """Remove a file, and the folders that it leaves empty; nothing when there is none."""
        workspace = self._present()
        if workspace is None:
            return
        target = _inside(workspace, path)
        if await workspace.info(target):
            await workspace.delete(target)
        await _tidy(workspace, target.parent)

    async def names(self, path: str = "") -> list[str]:
        """What is in a folder, sorted; folders end in `/`. Nothing when there is no such folder."""
        workspace = self._present()
        if workspace is None:
            return []
        folder = _inside(workspace, path) if path else WorkspacePath(())
        try:
            entries = await workspace.list(folder)
        except Failure as failure:
            if failure.code in ("not_found", "not_folder"):
                return []
            raise
        return [e.path.name + "/" * (e.kind == "folder") for e in entries if not e.is_link]

    def _present(self) -> Workspace | None:
        if self._workspace is None and isinstance(self._place, str) and is_absent(self._place):
            return None
        return self._made()

    def _made(self) -> Workspace:
        if self._workspace is None:
            place = self._place
            self._workspace = place if isinstance(place, Workspace) else _connected(place)
        return self._workspace


def is_local(place: str) -> bool:
    """Whether a place is a folder of this machine."""
    return place.startswith(_LOCAL) or ("://" not in place and "::" not in place)


def same_place(one: str, other: str) -> bool:
    """Whether two places are the same folder, as far as their names tell."""
    return _named(one) == _named(other)


def _named(place: str) -> str:
    return os.path.realpath(_bare(place)) if is_local(place) else place.rstrip("/")


def _bare(place: str) -> str:
    return place.removeprefix(_LOCAL[0]).removeprefix(_LOCAL[1])


def is_absent(place: str) -> bool:
    """Whether a place is a folder of this machine that isn't there."""
    return is_local(place) and not os.path.isdir(_bare(place))


async def load_report(place: str | Folder) -> tuple[Folder, Report]:
    """A report and the folder of its pictures: from the file, its folder, or a ZIP of that.

    Raises:
        Refusal: `no_report` or `bad_report`, in one sentence.
        Failure: The storage can't be read.
    """
    root, name = _report_place(place) if isinstance(place, str) else (place, REPORT)
    folder = root if isinstance(root, Folder) else Folder(root)
    data = await folder.read(name)
    if data is None:
        raise Refusal(f"there is no {name} of a run in {folder.shown}", code="no_report")
    return folder, loads(data, name if isinstance(place, Folder) else place)


async def save_report(folder: Folder, report: Report) -> None:
    """Write `report.json`."""
    await folder.write(REPORT, dumps(report))


def _report_place(place: str) -> tuple[str, str]:
    if place.lower().endswith(".zip") and "::" not in place:
        return f"zip://{place}", REPORT
    if place.lower().endswith(".json"):
        head, name = posixpath.split(place.replace(os.sep, "/"))
        return head or ".", name
    return place, REPORT


def _inside(workspace: Workspace, path: str) -> WorkspacePath:
    return workspace.path(path, most_chars=_PATH_CHARS)


def _connected(place: str) -> Workspace:
    try:
        return Workspace(place)
    except (ValueError, ImportError, OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise Failure(f"{place} can't be opened: {error}", code="unavailable") from error


async def _tidy(workspace: Workspace, folder: WorkspacePath) -> None:
    while folder.parts and await workspace.info(folder) and not await workspace.list(folder):
        await workspace.delete(folder)
        folder = folder.parent


async def each(work: Callable[[Item], Awaitable[Result]], items: Sequence[Item]) -> list[Result]:
    """The results of `work` in the items' order, some at a time: storages answer slowly."""
    results: dict[int, Result] = {}
    room = anyio.CapacityLimiter(_AT_ONCE)

    async def one(at: int, item: Item) -> None:
        async with room:
            results[at] = await work(item)

    try:
        async with anyio.create_task_group() as tasks:
            for at, item in enumerate(items):
                tasks.start_soon(one, at, item)
    except* ToolError as group:
        raise _first(group) from None
    return [results[at] for at in range(len(items))]


def _first(group: BaseExceptionGroup[ToolError]) -> ToolError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
