"""Several storages as one tree: which of them answers for a path, and what stands there."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from artifact_kit.errors import Refusal
from artifact_kit.workspace.faults import answer
from artifact_kit.workspace.storage import Problem, Stat
from artifact_kit.workspace.values import Version
from artifact_kit.workspace.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from artifact_kit.workspace.paths import WorkspacePath
    from artifact_kit.workspace.storage import Parts, Storage


_SAME_LOOK = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})


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

    def sizes(self, parts: Parts = ()) -> Iterator[int]:
        """The sizes of all files below a folder, in bytes; what is read-only does not count."""
        if self.find(parts)[0].read_only:
            return
        for name, stat in self.names(parts).items():
            if stat.kind == "folder" and not stat.is_link:
                yield from self.sizes((*parts, name))
            else:
                yield stat.size or 0

    def stat(self, parts: Parts) -> Stat | None:
        """What stands at a path; mounts and the folders that hold them always do."""
        mount, inside = self.find(parts)
        stat = mount.storage.info(inside)
        if self.names_under(parts) and (stat is None or stat.kind != "folder"):
            return Stat("folder", None, Version("mounts"))
        return stat

    def names(self, parts: Parts) -> dict[str, Stat]:
        """The entries of a folder, those that are mounts among them."""
        mount, inside = self.find(parts)
        mounts = self.names_under(parts)
        try:
            names = dict(mount.storage.entries(inside))
        except Problem:
            if not mounts:
                raise
            names = {}
        return names | {name: Stat("folder", None, Version("mounts")) for name in mounts}

    def stored_spelling(self, parts: Parts) -> Parts:
        """The path as it is stored: exact, else by names that are the only ones to look alike."""
        if self._present(parts):
            return parts
        for depth in range(1, len(parts) + 1):
            if self._present(parts[:depth]):
                continue
            try:
                names = self.names(parts[: depth - 1])
            except (Problem, OSError):
                return parts
            alike = [name for name in names if _look(name) == _look(parts[depth - 1])]
            if len(alike) != 1:
                return parts
            parts = (*parts[: depth - 1], alike[0], *parts[depth:])
        return parts

    def _present(self, parts: Parts) -> bool:
        try:
            return self.stat(parts) is not None
        except (Problem, OSError):
            return False

    def check_slash(self, path: WorkspacePath) -> None:
        """What was written like a folder must be one."""
        stat = self.stat(path.parts) if path.as_folder else None
        if stat is not None and stat.kind != "folder":
            raise Problem("not_folder")

    def check_writable(self, path: WorkspacePath) -> None:
        """Refuse what lies in a read-only mount."""
        if self.find(path.parts)[0].read_only:
            raise answer(Problem("read_only"), str(path))

    def check_movable(self, path: WorkspacePath) -> None:
        """Refuse the root, mounts, what holds a mount, and what is read-only."""
        if not path.parts:
            raise Refusal("the workspace itself can't be moved or deleted", code="is_root")
        mount, inside = self.find(path.parts)
        if not inside:
            raise Refusal(f"{path} is a mount; it can't be moved or deleted", code="is_mount")
        if self.names_under(path.parts):
            raise Refusal(f"{path} holds a mount; it can't be moved or deleted", code="is_mount")
        if mount.read_only:
            raise answer(Problem("read_only"), str(path))

    def check_target(self, source: Parts, target: Parts) -> None:
        """Never a folder under a file, never into or over a folder that has something in it."""
        old, new = self.stat(target), self.stat(source)
        if new is None:
            raise Problem("not_found")
        _, inside = self.find(target)
        if old is None:
            return
        if old.kind == "folder" and (new.kind != "folder" or self.names(target)):
            raise Problem("is_folder", inside)
        if old.kind != "folder" and new.kind == "folder":
            raise Problem("not_folder", inside)


def _look(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).translate(_SAME_LOOK)
    return "".join(" " if c.isspace() else c for c in folded)
