"""The files of a folder tree in the order of their paths, without those that are ignored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from artifact_kit.errors import Failure, Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from artifact_kit.workspace import Entry, Workspace, WorkspacePath

IGNORED = GitIgnoreSpec.from_lines(
    [".git/", ".hg/", ".svn/", "node_modules/", "__pycache__/", ".venv/", ".DS_Store"]
)
"""What is left out without any .gitignore; a .gitignore may bring it back with `!`."""
_IGNORE_FILE = ".gitignore"
_IGNORE_BYTES = 256 * 1024

Rules = tuple[tuple[int, GitIgnoreSpec], ...]


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
        rules: Rules = ()
        if not self.everything:
            rules = ((0, IGNORED),)
            for depth in range(len(self.root.parts)):
                folder = type(self.root)(self.root.parts[:depth])
                rules = await self._with_rules(rules, folder, await self.workspace.list(folder))
        async for entry in self._below(self.root, rules):
            yield entry

    async def _below(self, folder: WorkspacePath, rules: Rules) -> AsyncIterator[Entry]:
        try:
            entries = await self.workspace.list(folder)
        except (Failure, Refusal):
            if folder == self.root:
                raise
            self.unreadable.append(str(folder))
            return
        if not self.everything:
            rules = await self._with_rules(rules, folder, entries)
        for entry in entries:
            parts = entry.path.parts
            is_folder = entry.kind == "folder"
            if self._is_done(parts, is_folder=is_folder):
                continue
            self.visited += 1
            if is_ignored(rules, parts, is_folder=is_folder):
                self.left_out.append(f"{entry.path}/" if is_folder else str(entry.path))
                continue
            if not is_folder or entry.is_link:
                yield entry
                continue
            empty = True
            async for inner in self._below(entry.path, rules):
                empty = False
                yield inner
            if empty and parts > self.after and not await self.workspace.list(entry.path):
                yield entry

    def _is_done(self, parts: tuple[str, ...], *, is_folder: bool) -> bool:
        """Whether an entry, with all in it, was shown by an earlier answer."""
        if is_folder:
            return parts < self.after[: len(parts)]
        return parts < self.after or (parts == self.after and not self.inclusive)

    async def _with_rules(self, rules: Rules, folder: WorkspacePath, entries: list[Entry]) -> Rules:
        if not any(entry.path.name == _IGNORE_FILE and entry.kind == "file" for entry in entries):
            return rules
        try:
            content = await self.workspace.read(folder / _IGNORE_FILE, most=_IGNORE_BYTES)
        except (Failure, Refusal):
            return rules
        lines = content.data.decode("utf-8", "replace").splitlines()
        return (*rules, (len(folder.parts), _spec(lines)))


def _spec(lines: list[str]) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def is_ignored(rules: Rules, parts: tuple[str, ...], *, is_folder: bool) -> bool:
    """What the innermost rule says that has a say."""
    for depth, spec in reversed(rules):
        name = "/".join(parts[depth:]) + ("/" if is_folder else "")
        included = spec.check_file(name).include
        if included is not None:
            return included
    return False


def globbed(pattern: str) -> GitIgnoreSpec:
    """Paths that a glob means: `*.html` at any depth, `src/**/*.js`, `*.{html,css}`.

    Raises:
        ValueError: The pattern is none.
    """
    plain = pattern.strip().removeprefix("./")
    return GitIgnoreSpec.from_lines(_braces(plain)[:64])


def _braces(pattern: str) -> list[str]:
    start = pattern.find("{")
    end = pattern.find("}", start)
    if start < 0 or end < 0 or "," not in pattern[start:end]:
        return [pattern]
    choices = pattern[start + 1 : end].split(",")
    rest = _braces(pattern[end + 1 :])
    return [f"{pattern[:start]}{choice}{tail}" for choice in choices[:16] for tail in rest[:16]]
