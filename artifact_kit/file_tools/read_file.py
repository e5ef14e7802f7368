"""read_file: the exact text of a file, or what is in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from artifact_kit.contract import Field, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered, listing, refuse_binary
from artifact_kit.file_tools.images import picture, refuse_picture
from artifact_kit.file_tools.shelf import Kept
from artifact_kit.file_tools.textfile import TextFile, is_picture
from artifact_kit.text import plural

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifact_kit.contract import Outcome
    from artifact_kit.workspace import Content, WorkspacePath


def read_file(desk: Desk) -> Tool:
    """The tool that shows a file or lists a folder."""
    signature = Signature(
        "read_file",
        (
            Field(
                "path",
                "path",
                "File or folder path inside the workspace.",
                required=True,
                names=(
                    "file", "file_path", "filename", "file_name", "target_file", "folder",
                    "directory", "dir",
                ),
            ),
            Field(
                "startLine",
                "integer",
                "First line to show, counted from 1. Leave out to start at the beginning.",
                names=(
                    "start_line", "offset", "from_line", "line_start", "first_line", "start",
                    "start_line_one_indexed",
                ),
            ),
            Field(
                "endLine",
                "integer",
                "Last line to show (inclusive). Leave out to read to the end.",
                names=(
                    "end_line", "to_line", "line_end", "last_line", "end",
                    "end_line_one_indexed_inclusive",
                ),
            ),
            Field(
                "startChar",
                "integer",
                "Only for files with very long lines: first character to show, as named by a "
                "truncation notice.",
                names=("start_char", "char_offset"),
            ),
            Field("lineNumbers", "boolean", names=("line_numbers", "show_line_numbers")),
            Field("limit", "integer", names=("max_lines", "num_lines", "line_count")),
            Field("viewRange", "integers", names=("view_range", "line_range", "range", "lines")),
        ),
        hints={
            "tail": "Send startLine; the header of a read tells how many lines there are.",
            "head": "Send endLine.",
            "shouldreadentirefile": "Leave it out: the whole file is read.",
        },
    )  # fmt: skip
    return Tool(
        name="read_file",
        title="Read a file",
        description=(
            'Read a text file of the workspace, or list a folder (path "." lists the workspace). '
            "The first line of the result is a header; the text after it is exact and can be "
            "copied into edit_file. Long files are cut; the notice at the end gives the arguments "
            "for the next call."
        ),
        input_schema=input_schema(signature),
        output_schema=OUTPUT_SCHEMA,
        annotations={
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        tags=frozenset({"files", "read"}),
        verb="Read",
        intake=partial(intake, signature),
        signature=signature,
        handler=partial(_read, desk),
    )


async def _read(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    path, notes = await desk.find(args["path"], folder=True, seen_by=conversation)
    known = desk.shelf.get(path)
    try:
        outcome, kept = await desk.workspace.inspect(
            path,
            partial(_shown, desk, path, args, notes, known),
            most=desk.limits.file_bytes + 1,
            known=known.content if known else None,
        )
    except Failure as failure:
        if failure.code == "is_folder":
            return await _folder(desk, path, notes)
        raise await desk.explained(path, failure, "Read") from None
    if kept:
        desk.shelf.put(path, kept)
        desk.seen.note(conversation, path, kept.content.hash, kept.content.version)
    return outcome


def _shown(
    desk: Desk,
    path: WorkspacePath,
    args: Mapping[str, Any],
    notes: list[str],
    known: Kept | None,
    content: Content,
) -> tuple[Outcome, Kept | None]:
    """The answer, and the text that it was taken from."""
    desk.check_size(path, content)
    kept = known
    if kept is None or kept.content is not content:
        if is_picture(content.data):
            if not desk.limits.images:
                refuse_picture(path, content.data)
            return picture(path, content.data, desk.limits), None
        refuse_binary(path, content.data, "read_file shows UTF-8 text only.")
        kept = Kept(content, TextFile(content.data))
    part = _part(kept.file, path, args, desk.limits.read_chars)
    outcome = answered(
        "".join((part.header, *(f"note: {note}\n" for note in notes), part.body, part.notice)),
        path=str(path),
        bytes=len(content.data),
        hash=content.hash,
        lines=[part.first, part.last],
        total_lines=kept.file.lines,
    )
    return outcome, kept


async def _folder(desk: Desk, path: WorkspacePath, notes: list[str]) -> Outcome:
    try:
        entries = await desk.workspace.list(path)
    except Failure as failure:
        if failure.code == "not_found":
            raise await desk.missing(path, "Read") from None
        raise
    count = plural(len(entries), "entry", "entries") if entries else "empty"
    head = [f"folder {path} ({count})", *(f"note: {note}" for note in notes)]
    rows = listing(entries, desk.limits.listing_entries)
    return answered("\n".join([*head, *rows]), path=str(path), entries=len(entries))


@dataclass(frozen=True)
class _Part:
    """What is shown: header line, text, the notice of what was cut, first and last line."""

    header: str
    body: str
    notice: str
    first: int
    last: int


@dataclass(frozen=True)
class _Range:
    """Lines asked for, from 1, both included; `to_end` when no end was asked for."""

    first: int
    last: int
    to_end: bool


def _part(file: TextFile, path: WorkspacePath, args: Mapping[str, Any], most: int) -> _Part:
    text, total = file.shown, file.lines
    asked = _asked(args, total, path)
    char = _start_char(args, len(text), path)
    begin = file.begin(asked.first)
    start = max(begin, char - 1)
    stop = len(text) if asked.to_end else file.begin(asked.last + 1)
    numbered = bool(args.get("lineNumbers"))
    cut = _cut(text, start, stop, most, numbered)
    first = asked.first + text.count("\n", begin, start)
    last = first + text.count("\n", start, cut - 1) if cut > start else first
    body = text[start:cut]
    in_chars = char > 1 or (cut < stop and not body.endswith("\n"))
    if not in_chars:
        file.put_mark(last + 1, cut)
    notice = _notice(asked, cut, stop, first, last, total, start, len(text), in_chars)
    if numbered:
        body = _numbered(body, first)
    if notice and not body.endswith("\n"):
        notice = f"\n{notice}"
    whole = start == 0 and stop == len(text)
    if whole and not notice:
        shown = f"{len(text)} chars, {plural(total, 'line')}"
    elif in_chars:
        shown = f"characters {start + 1}-{cut} of {len(text)}, from line {first} of {total}"
    else:
        shown = f"lines {first}-{last} of {total}; {len(text)} chars in all"
    flags = f" [{'; '.join(file.flags)}]" if file.flags else ""
    mark = " …[truncated]" if notice else ""
    return _Part(f"{path} ({shown}){flags}{mark}\n", body, notice, first, last)


def _asked(args: Mapping[str, Any], total: int, path: WorkspacePath) -> _Range:
    """The range of lines that is meant, checked against the file."""
    first, last = args.get("startLine"), args.get("endLine")
    if view := args.get("viewRange"):
        first, last = _view_range(view, first, last)
    if (limit := args.get("limit")) is not None:
        if limit < 1:
            raise _wrong(f"limit must be at least 1 (got {limit})", total, path)
        if last is None:
            last = max(first or 1, 1) + limit - 1
    for name, value in (("startLine", first), ("endLine", last)):
        if value is not None and value < 0:
            raise _wrong(f"{name} {value} is negative; lines count from 1", total, path)
    start = max(first or 1, 1)
    if start > max(total, 1):
        raise _wrong(f"startLine {start} is past the end", total, path)
    if last is not None and last < start:
        raise _wrong(f"endLine {last} is before startLine {start}", total, path)
    stop = total if last is None else min(last, total)
    return _Range(start, stop, to_end=last is None or last >= total)


def _view_range(
    view: list[int], first: int | None, last: int | None
) -> tuple[int | None, int | None]:
    if len(view) > 2:
        raise Refusal(
            f"viewRange must be [first line, last line] (got {len(view)} numbers). Nothing was "
            "done.",
            code="bad_argument",
            facts={"argument": "viewRange"},
        )
    end = view[1] if len(view) == 2 and view[1] != -1 else None
    return (view[0] if first is None else first), (end if last is None else last)


def _start_char(args: Mapping[str, Any], chars: int, path: WorkspacePath) -> int:
    char: int = args.get("startChar") or 1
    if char < 0 or char > max(chars, 1):
        raise Refusal(
            f"startChar {char} is outside: {path} has {plural(chars, 'character')}. "
            "Nothing was done.",
            code="bad_range",
            facts={"path": str(path), "argument": "startChar"},
        )
    return char


def _wrong(problem: str, total: int, path: WorkspacePath) -> Refusal:
    return Refusal(
        f"{problem}; {path} has {plural(total, 'line')}. Send a range within them.",
        code="bad_range",
        facts={"path": str(path), "total_lines": total},
    )


def _cut(text: str, start: int, stop: int, most: int, numbered: bool) -> int:
    """Where to stop: at the last line end within the bound, or inside a line that is longer."""
    if numbered:
        most -= min(most // 2, 6 * (text.count("\n", start, min(stop, start + most)) + 1))
    if stop - start <= most:
        return stop
    return text.rfind("\n", start, start + most) + 1 or start + most


def _notice(
    asked: _Range, cut: int, stop: int, first: int, last: int, total: int, start: int,
    chars: int, in_chars: bool,
) -> str:  # fmt: skip
    """What was left out, and the arguments that continue exactly there."""
    if cut >= stop:
        return ""
    end = "" if asked.to_end else f", endLine={asked.last}"
    if in_chars:
        return (
            f"…[truncated: characters {start + 1}-{cut} of {chars} shown. "
            f"Continue with read_file startChar={cut + 1}{end}]"
        )
    return (
        f"…[truncated: lines {first}-{last} of {total} shown. "
        f"Continue with read_file startLine={last + 1}{end}]"
    )


def _numbered(body: str, first: int) -> str:
    lines = body.split("\n")
    tail = "\n" if lines[-1] == "" and len(lines) > 1 else ""
    lines = lines[:-1] if tail else lines
    return "\n".join(f"{number:5d}│{line}" for number, line in enumerate(lines, first)) + tail
