"""read_file: the exact text of a file, or what is in a folder."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

import anyio.to_thread

from artifact_kit.contract import Field, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered, listing, refuse_binary
from artifact_kit.file_tools.images import picture, refuse_picture
from artifact_kit.file_tools.marks import REMARKABLE
from artifact_kit.file_tools.textfile import TextFile, digest, is_picture
from artifact_kit.text import plural

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifact_kit.contract import Outcome
    from artifact_kit.workspace import WorkspacePath

_LISTED = 8
_SMALL = 64 * 1024
"""Files below so many bytes are cut up at once; larger ones would hold up other calls."""
_TABBED = re.compile(r"^ *\t", re.M)
_SPACED = re.compile(r"^ {2,}\S", re.M)
_ESCAPED = re.compile("[\udc80-\udcff]")
_MIXED = re.compile(r"^ +\t|^\t+ {2,}", re.M)


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
    try:
        content = await desk.file(path)
    except ToolError as error:
        if error.code != "is_folder":
            raise
        return await _folder(desk, path, notes)
    data = content.data
    if is_picture(data):
        if desk.limits.images:
            return await picture(path, data, desk.limits)
        await refuse_picture(path, data)
    refuse_binary(path, data, "read_file shows UTF-8 text only.")
    file = TextFile(data)
    if len(data) < _SMALL:
        part = _part(file, path, args, desk.limits.read_chars)
    else:
        part = await anyio.to_thread.run_sync(_part, file, path, args, desk.limits.read_chars)
    seen = digest(data)
    desk.seen.note(conversation, path, seen, content.version)
    text = part.header + "".join(f"note: {note}\n" for note in notes) + part.body
    return answered(
        text,
        path=str(path),
        bytes=len(data),
        hash=seen,
        lines=[part.first, part.last],
        total_lines=file.lines,
    )


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
    """What is shown: header line, text with its notice, first and last line."""

    header: str
    body: str
    first: int
    last: int


@dataclass(frozen=True)
class _Range:
    """Lines asked for, from 1, both included; `to_end` when no end was asked for."""

    first: int
    last: int
    to_end: bool


def _part(file: TextFile, path: WorkspacePath, args: Mapping[str, Any], most: int) -> _Part:
    text, total = file.text, file.lines
    asked = _asked(args, total, path)
    before = text.split("\n", asked.first - 1) if asked.first > 1 else [text]
    char = _start_char(args, len(text), path)
    start = max(len(text) - len(before[-1]), char - 1)
    # What lies beyond the most that can be shown need not be taken apart.
    ends = _ends(text, start + most + 1 if asked.to_end else len(text))
    stop = len(text) if asked.to_end else ends[asked.last - 1] if asked.last else 0
    first = min(bisect_right(ends, start) + 1, max(total, 1))
    numbered = bool(args.get("lineNumbers"))
    cut = _cut(ends, start, stop, most, numbered)
    last = max(first, bisect_right(ends, cut - 1) + 1) if cut > start else first
    body = text[start:cut]
    in_chars = char > 1 or (cut < stop and cut not in (*ends[last - 1 : last], start))
    notice = _notice(asked, cut, stop, first, last, total, start, len(text), in_chars)
    if numbered:
        body = _numbered(body, first)
    if notice and not body.endswith("\n"):
        body += "\n"
    whole = start == 0 and stop == len(text)
    if whole and not notice:
        shown = f"{len(text)} chars, {plural(total, 'line')}"
    elif in_chars:
        shown = f"characters {start + 1}-{cut} of {len(text)}, from line {first} of {total}"
    else:
        shown = f"lines {first}-{last} of {total}; {len(text)} chars in all"
    flags = "; ".join(_flags(file))
    header = f"{path} ({shown})" + (f" [{flags}]" if flags else "")
    if notice:
        header += " …[truncated]"
    return _Part(header + "\n", body + notice, first, last)


def _ends(text: str, reach: int) -> list[int]:
    """Where each line ends, its line break included, as far as `reach`."""
    lines = text[:reach].split("\n")
    # Each end is followed by its line break, which the running sum leaves out.
    ends = [end + index + 1 for index, end in enumerate(accumulate(map(len, lines)))]
    if reach < len(text):
        return ends[:-1]
    ends[-1] = len(text)
    return ends


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


def _cut(ends: list[int], start: int, stop: int, most: int, numbered: bool) -> int:
    """Where to stop: at the last line end within the bound, or inside a line that is longer."""
    if numbered:
        most -= min(most // 2, 6 * (bisect_right(ends, stop) - bisect_right(ends, start) + 1))
    if stop - start <= most:
        return stop
    index = bisect_right(ends, start + most) - 1
    return ends[index] if index >= 0 and ends[index] > start else start + most


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


def _flags(file: TextFile) -> list[str]:
    """What a model can't see in the text and would stumble over in an edit."""
    flags = ["UTF-8 BOM"] if file.bom else []
    if file.has_crlf:
        crlf, plain = file.endings
        kinds = f"mixed line endings: {crlf} CRLF, {plain} LF"
        flags.append(kinds if plain else "CRLF line endings")
    flags += _indentation(file)
    if not file.view.isascii():
        flags += _characters(file)
    if not file.is_utf8:
        raw = file.view.decode("utf-8", "surrogateescape")
        bad = [hit.start() for hit in _ESCAPED.finditer(raw)]
        line = raw.count("\n", 0, bad[0]) + 1
        flags.append(
            f"not valid UTF-8: {plural(len(bad), 'byte')} shown as \ufffd, first at line {line}"
        )
    if file.view and not file.view.endswith(b"\n"):
        flags.append("no newline at end")
    return flags


def _indentation(file: TextFile) -> list[str]:
    if b"\t" not in file.view or not _TABBED.search(file.text):
        return []
    if _MIXED.search(file.text) or _SPACED.search(file.text):
        return ["mixes tabs and spaces"]
    return ["tab-indented"]


def _characters(file: TextFile) -> list[str]:
    lines: list[int] = []
    line, counted = 1, 0
    for hit in REMARKABLE.finditer(file.text):
        line += file.text.count("\n", counted, hit.start())
        counted = hit.start()
        if line not in lines[-1:]:
            lines.append(line)
        if len(lines) > _LISTED:
            break
    if not lines:
        return []
    more = " …" if len(lines) > _LISTED else ""
    listed = ", ".join(map(str, lines[:_LISTED]))
    return [f"invisible or non-breaking characters on lines {listed}{more}"]
