"""What the file tools share: finding a file, naming what is missing, answering."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import anyio

from artifact_kit.contract import Outcome
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.marks import REMARKABLE
from artifact_kit.file_tools.seen import Seen
from artifact_kit.file_tools.shelf import Shelf
from artifact_kit.file_tools.textfile import binary_kind
from artifact_kit.file_tools.walking import Walk
from artifact_kit.text import plural, size
from artifact_kit.workspace import WorkspacePath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifact_kit.errors import Verb
    from artifact_kit.limits import Limits
    from artifact_kit.workspace import Content, Entry, Workspace

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "ok, unchanged, or the kind of problem."},
        "path": {"type": "string", "description": "The file or folder that the answer is about."},
        "to": {"type": "string", "description": "Where it was moved."},
        "bytes": {"type": "integer", "description": "Size of the file now."},
        "hash": {"type": "string", "description": "First 8 hex digits of its SHA-256."},
        "replacements": {"type": "integer", "description": "How many places were replaced."},
        "lines": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "Lines that the answer is about: shown (first, last), changed, matched.",
        },
        "total_lines": {"type": "integer", "description": "How many lines the file has."},
        "entries": {"type": "integer", "description": "How many entries or matches there are."},
        "argument": {"type": "string", "description": "The argument that was not understood."},
    },
    "required": ["code"],
    "additionalProperties": False,
}
_NAMES_SHOWN = 20
_ELSEWHERE_ENTRIES = 500
_ELSEWHERE_S = 2.0


@dataclass(frozen=True)
class Desk:
    """What every file tool works on."""

    workspace: Workspace
    limits: Limits
    strict: bool = False
    seen: Seen = field(default_factory=Seen)
    shelf: Shelf = field(default_factory=Shelf)

    async def find(
        self, raw: str, *, folder: bool = False, seen_by: str = ""
    ) -> tuple[WorkspacePath, list[str]]:
        """The path that is meant, and a note when its stored name only looks like the one sent.

        A name that the conversation `seen_by` has used before is not looked up again.
        """
        chars = self.limits.path_chars
        if seen_by and (known := self.seen.path(seen_by, raw)):
            return known, []
        path = await self.workspace.locate(raw, most_chars=chars, trailing_slash=folder)
        if str(path) in raw.replace("\\", "/") or path.name in raw:
            return path, []
        try:
            literal = self.workspace.path(raw, most_chars=chars, trailing_slash=folder)
        except Refusal:
            return path, []
        note = f"the stored name {str(path)!a} differs in invisible or look-alike characters"
        return path, [] if literal == path else [note]

    async def missing(self, path: WorkspacePath, verb: Verb) -> Refusal:
        """The refusal for a path at which there is nothing: near names, and what is there.

        `verb` is what could not be done.
        """
        folder, entries = await self._nearest(path)
        names = {str(entry.path): _shown(entry) for entry in entries}
        message = f"{path} not found."
        near = names.get(_near(path, list(names))) or await self._elsewhere(path.name)
        if near:
            message = f"{message} Did you mean {near}?"
        if not names:
            where = "The workspace" if not folder.parts else f"The folder {folder}"
            message = f"{message} {where} is empty."
        else:
            where = "here" if folder.parts == path.parent.parts else f"in {folder}"
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            listed = ", ".join(list(names.values())[:_NAMES_SHOWN])
            message = f"{message} Files {where}: {listed}{more}."
        message = f"{message} {verb} failed, nothing was done."
        return Refusal(message, code="not_found", facts={"path": str(path)})

    async def _elsewhere(self, name: str) -> str:
        """The first file of that name in another folder; empty when a short look finds none."""
        walk = Walk(self.workspace, WorkspacePath(()), everything=False)
        with suppress(Failure, Refusal), anyio.move_on_after(_ELSEWHERE_S):
            async for entry in walk.entries():
                if walk.visited > _ELSEWHERE_ENTRIES:
                    break
                if entry.kind == "file" and entry.path.name.casefold() == name.casefold():
                    return shown_path(str(entry.path))
        return ""

    async def _nearest(self, path: WorkspacePath) -> tuple[WorkspacePath, list[Entry]]:
        """The closest folder above that is there, and what is in it."""
        folder = path.parent
        while True:
            try:
                return folder, await self.workspace.list(folder)
            except (Failure, Refusal):
                if not folder.parts:
                    return folder, []
                folder = folder.parent

    async def explained(
        self, path: WorkspacePath, failure: Failure, verb: Verb
    ) -> Failure | Refusal:
        """The failure, or the refusal in its place where the path is what is wrong."""
        match failure.code:
            case "not_found":
                return await self.missing(path, verb)
            case "is_folder":
                return self.is_folder(path)
            case _:
                return failure

    def check_size(self, path: WorkspacePath, content: Content) -> None:
        """Refuse a file that is longer than the file tools read."""
        most = self.limits.file_bytes
        if len(content.data) > most:
            raise Refusal(
                f"{path} is too large ({size(content.size)}; the limit is {size(most)}). "
                "Nothing was done.",
                code="too_large",
                facts={"path": str(path), "bytes": content.size},
            )

    def is_folder(self, path: WorkspacePath) -> Refusal:
        """The refusal for a folder where a file is needed."""
        return Refusal(
            f"{path} is a folder, not a file. Nothing was done. Name a file in it; read_file "
            f"{path} lists them.",
            code="is_folder",
            facts={"path": str(path)},
        )


def refuse_binary(path: WorkspacePath, data: bytes, remedy: str) -> None:
    """Refuse what is no UTF-8 text, with its type and size."""
    if kind := binary_kind(data):
        if kind.endswith("text"):
            kind = f"in {kind.removesuffix(' text')}, not in UTF-8"
        raise Refusal(
            f"{path} is {kind} ({size(len(data))}). {remedy}",
            code="binary",
            facts={"path": str(path), "bytes": len(data)},
        )


def answered(
    text: str, notes: Iterable[str] = (), body: str = "", *, code: str = "ok", **facts: Any
) -> Outcome:
    """A success: its text, a line for each note, the body, and the facts that are known."""
    lines = [text, *(f"note: {note}" for note in notes), *([body] if body else [])]
    data = {"code": code, **{name: fact for name, fact in facts.items() if fact is not None}}
    return Outcome("ok", "\n".join(lines), data=data)


def shown_path(path: str) -> str:
    """A path as a message names it; invisible characters are written as escapes."""
    return ascii(path) if REMARKABLE.search(path) else path


def listing(entries: list[Entry], most: int) -> list[str]:
    """One line an entry, folders with a slash; the line after the last says what was left out."""
    lines = []
    for entry in entries[:most]:
        if entry.kind == "folder":
            lines.append(f"{shown_path(entry.path.name)}/")
        else:
            count = "" if entry.size is None else f"  {size(entry.size)}"
            lines.append(f"{shown_path(entry.path.name)}{count}")
    if len(entries) > most:
        lines.append(
            f"…[truncated: {most} of {plural(len(entries), 'entry', 'entries')} shown. "
            "Use find_files with a glob to narrow.]"
        )
    return lines


def _shown(entry: Entry) -> str:
    return shown_path(str(entry.path)) + ("/" if entry.kind == "folder" else "")


def _near(path: WorkspacePath, names: list[str]) -> str:
    """The most similar name; the same last name in another folder counts as similar."""
    folds = {name.casefold(): name for name in reversed(names)}
    close = get_close_matches(str(path).casefold(), folds, 1, 0.7)
    if not close:
        close = get_close_matches(path.name.casefold(), folds, 1, 0.8)
    return folds[close[0]] if close else ""
