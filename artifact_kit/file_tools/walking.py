"""The files of a folder tree in the order of their paths, without those that are ignored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.globs import Rules, rules_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from artifact_kit.workspace import Entry, Workspace, WorkspacePath

IGNORED = rules_of(
    [".git/", ".hg/", ".svn/", "node_modules/", "__pycache__/", ".venv/", ".DS_Store"]
)
"""What is left out without any .gitignore; a .gitignore may bring it back with `!`."""
_IGNORE_FILE = ".gitignore"
_IGNORE_BYTES = 256 * 1024

Layers = tuple[tuple[int, Rules], ...]


@dataclass
class Walk:
    """One walk: where it begins, and what it met. Links to folders are named, never entered."""

    workspace: Workspace
    root: WorkspacePath
    everything: bool
    after: tuple[str, ...] = ()
    inclusive: bool = False
    """Whether the file at `after` itself is still to be looked at."""
    visited: int = 0
    left_out: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    async def entries(self) -> AsyncIterator[Entry]:
        """Files, and folders with nothing in them, whose paths come after `after`."""
        layers: Layers = ()
        if not self.everything:
            layers = ((0, IGNORED),)
            for depth in range(len(self.root.parts)):
                folder = type(self.root)(self.root.parts[:depth])
                layers = await self._with_rules(layers, folder, await self.workspace.list(folder))
        async for entry in self._below(self.root, layers):
            yield entry

    async def _below(self, folder: WorkspacePath, layers: Layers) -> AsyncIterator[Entry]:
        try:
            entries = await self.workspace.list(folder)
        except (Failure, Refusal):
            if folder == self.root:
                raise
            self.unreadable.append(str(folder))
            return
        if not self.everything:
            layers = await self._with_rules(layers, folder, entries)
        for entry in entries:
            parts = entry.path.parts
            is_folder = entry.kind == "folder"
            if self._is_done(parts, is_folder=is_folder):
                continue
            self.visited += 1
            if is_ignored(layers, parts, is_folder=is_folder):
                self.left_out.append(f"{entry.path}/" if is_folder else str(entry.path))
                continue
            if not is_folder or entry.is_link:
                yield entry
                continue
            empty = True
            async for inner in self._below(entry.path, layers):
                empty = False
                yield inner
            if empty and parts > self.after and not await self.workspace.list(entry.path):
                yield entry

    def _is_done(self, parts: tuple[str, ...], *, is_folder: bool) -> bool:
        """Whether an entry, with all in it, was shown by an earlier answer."""
        if is_folder:
            return parts < self.after[: len(parts)]
        return parts < self.after or (parts == self.after and not self.inclusive)

    async def _with_rules(
        self, layers: Layers, folder: WorkspacePath, entries: list[Entry]
    ) -> Layers:
        if not any(entry.path.name == _IGNORE_FILE and entry.kind == "file" for entry in entries):
            return layers
        try:
            content = await self.workspace.read(folder / _IGNORE_FILE, most=_IGNORE_BYTES)
        except (Failure, Refusal):
            return layers
        lines = content.data.decode("utf-8", "replace").splitlines()
        return (*layers, (len(folder.parts), rules_of(lines)))


def is_ignored(layers: Layers, parts: tuple[str, ...], *, is_folder: bool) -> bool:
    """What the innermost rules say that have a say."""
    for depth, rules in reversed(layers):
        included = rules.decide("/".join(parts[depth:]) + ("/" if is_folder else ""))
        if included is not None:
            return included
    return False
