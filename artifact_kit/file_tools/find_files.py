"""find_files: list a folder tree, and search for names and text."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread
import regex

from artifact_kit.contract import Field, Outcome, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered, shown_path
from artifact_kit.file_tools.globs import Rules, globbed
from artifact_kit.file_tools.searching import Match, block, matches, pattern_of
from artifact_kit.file_tools.textfile import TextFile, binary_kind
from artifact_kit.file_tools.walking import Walk
from artifact_kit.text import plural, size

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Any

    from artifact_kit.workspace import Entry, WorkspacePath

_MOST_CONTEXT = 10
_PATTERN_CHARS = 1_000
_LEFT_OUT_SHOWN = 3


def find_files(desk: Desk) -> Tool:
    """The tool that lists and searches."""
    signature = Signature(
        "find_files",
        (
            Field(
                "path",
                "path",
                "Folder to look in. Leave out for the whole workspace.",
                names=("folder", "directory", "dir", "root", "file", "file_path"),
            ),
            Field(
                "glob",
                "text",
                "Only files whose path matches, for example *.html or src/**/*.js.",
                names=("include", "file_pattern", "name", "file_glob", "glob_pattern"),
            ),
            Field(
                "text",
                "text",
                "Show the lines that contain exactly this text. Leave out to list the files.",
                names=("query", "search", "literal", "search_text", "string", "contains"),
            ),
            Field(
                "regex",
                "text",
                "Show the lines that match this regular expression, instead of text.",
                names=("pattern", "regexp", "regular_expression", "expression"),
            ),
            Field(
                "ignoreCase",
                "boolean",
                "true lets upper and lower case letters match each other.",
                names=("ignore_case", "case_insensitive", "i"),
            ),
            Field(
                "context",
                "integer",
                f"Lines to show around each match, 0 to {_MOST_CONTEXT}.",
                names=("context_lines", "lines_of_context", "c"),
            ),
            Field(
                "ignored",
                "boolean",
                "true also looks at what .gitignore files leave out, and into node_modules.",
                names=("include_ignored", "no_ignore", "hidden"),
            ),
            Field(
                "after",
                "text",
                "Continue after this place, as named by a truncation notice.",
                names=("cursor", "continue_after", "start_after"),
            ),
            Field("limit", "integer", names=("max_results", "head_limit", "max_matches", "max")),
        ),
        hints={"recursive": "All folders below are looked at.", "depth": "Use a glob."},
    )
    return Tool(
        name="find_files",
        title="Find files and text",
        description=(
            "List the files of the workspace as paths, and search them: by name with glob, for "
            "lines with text or regex. Sorted by path; long answers are cut, and the notice at "
            "the end gives the argument for the next call."
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
        verb="Find",
        intake=partial(intake, signature),
        signature=signature,
        handler=partial(_find, desk),
    )


@dataclass
class _Query:
    """What one call looks for, and what it met on the way."""

    desk: Desk
    walk: Walk
    glob: Rules | None
    pattern: regex.Pattern[str] | None
    literal: bytes
    context: int
    most: int
    after: tuple[str, ...]
    after_line: int
    ends: float
    searched: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    last: tuple[str, ...] = ()
    stopped: bool = False

    async def files(self) -> AsyncIterator[Entry]:
        """The entries that the glob means, until a bound of the walk is reached."""
        depth = len(self.walk.root.parts)
        async for entry in self.walk.entries():
            if self.walk.visited > self.desk.limits.find_entries or time.monotonic() > self.ends:
                self.stopped = True
                return
            if self.glob is None or (
                entry.kind != "folder" and self.glob.decide("/".join(entry.path.parts[depth:]))
            ):
                yield entry
            self.last = entry.path.parts


async def _find(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    path, notes = await desk.find(args.get("path", "."), folder=True)
    entry = await desk.workspace.info(path)
    if entry is None:
        raise await desk.missing(path, "Find")
    query = _query(desk, path, args)
    if query.pattern is None:
        return await _list(query, path, notes)
    return await _search(query, query.pattern, path, entry, notes)


def _query(desk: Desk, path: WorkspacePath, args: Mapping[str, Any]) -> _Query:
    after, line = _after(desk, args)
    pattern = _pattern(args)
    cap = desk.limits.find_matches if pattern else desk.limits.listing_entries
    limit, context = args.get("limit", cap), args.get("context", 0)
    if limit < 1 or not 0 <= context <= _MOST_CONTEXT:
        raise Refusal(
            f"limit must be at least 1 and context 0 to {_MOST_CONTEXT} (got {limit} and "
            f"{context}). Nothing was done.",
            code="bad_argument",
        )
    plain = "text" in args and not args.get("ignoreCase")
    return _Query(
        desk=desk,
        walk=Walk(desk.workspace, path, bool(args.get("ignored")), after, inclusive=bool(line)),
        glob=_glob(args),
        pattern=pattern,
        literal=args["text"].encode() if plain else b"",
        context=context,
        most=min(limit, cap),
        after=after,
        after_line=line,
        ends=time.monotonic() + desk.limits.find_s,
    )


def _after(desk: Desk, args: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
    """Path and line after which to continue; line 0 stands for all of the file."""
    raw = str(args.get("after", ""))
    name, colon, line = raw.rpartition(":")
    if not colon or not line.isdecimal():
        name, line = raw, "0"
    if not name:
        return (), 0
    chars = desk.limits.path_chars
    path = desk.workspace.path(name, most_chars=chars, trailing_slash=True)
    return path.parts, int(line[:9])


def _glob(args: Mapping[str, Any]) -> Rules | None:
    if "glob" not in args:
        return None
    found = globbed(args["glob"])
    if not found.patterns:
        raise Refusal(
            f"glob {args['glob'][:60]!r} is no pattern; use one such as *.html or src/**/*.js. "
            "Nothing was done.",
            code="bad_argument",
            facts={"argument": "glob"},
        )
    return found


def _pattern(args: Mapping[str, Any]) -> regex.Pattern[str] | None:
    text, expression = args.get("text", ""), args.get("regex", "")
    if text and expression:
        raise Refusal(
            "both text and regex were given; send one of them. Nothing was done.",
            code="conflicting_arguments",
        )
    if not text and not expression:
        return None
    if len(text or expression) > _PATTERN_CHARS:
        raise Refusal(
            f"{'text' if text else 'regex'} has {len(text or expression)} characters; the limit "
            f"is {_PATTERN_CHARS}. Nothing was done.",
            code="too_large",
        )
    try:
        ignore_case = bool(args.get("ignoreCase"))
        return pattern_of(text or expression, literal=bool(text), ignore_case=ignore_case)
    except regex.error as error:
        hint = " For file names use glob." if expression.startswith("*") else ""
        raise Refusal(
            f"regex is not a regular expression: {error}. Nothing was done.{hint} To search for "
            "the characters themselves use text.",
            code="bad_pattern",
            facts={"argument": "regex"},
        ) from None


async def _list(query: _Query, path: WorkspacePath, notes: list[str]) -> Outcome:
    rows: list[str] = []
    last, count = "", 0
    async for entry in query.files():
        count += 1
        if len(rows) < query.most:
            last = str(entry.path)
            rows.append(_row(entry))
    more = "more than " if query.stopped else ""
    head = f"{path}: {more}{plural(count, 'file')}{_remarks(query)}"
    if query.after:
        head = f"{head}, after {'/'.join(query.after)}"
    if count > len(rows):
        rows.append(_notice(f"{len(rows)} of {more}{count} files shown", last))
    elif query.stopped:
        rows.append(_notice("the walk took too long", "/".join(query.last)))
    return answered(head, notes, "\n".join(rows), path=str(path), entries=count)


def _row(entry: Entry) -> str:
    name = shown_path(str(entry.path))
    if entry.kind == "folder":
        return f"{name}/"
    return name if entry.size is None else f"{name}  {size(entry.size)}"


def _notice(what: str, after: str) -> str:
    return (
        f'…[truncated: {what}. Continue with find_files after="{after}" and the same other '
        "arguments]"
    )


def _remarks(query: _Query) -> str:
    """What was left out, in brackets."""
    parts = [f"{plural(query.searched, 'file')} searched"] if query.pattern else []
    parts += [f"{count} {what}" for what, count in sorted(query.skipped.items())]
    if unreadable := len(query.walk.unreadable):
        parts.append(plural(unreadable, "unreadable folder"))
    if left_out := query.walk.left_out:
        names = ", ".join(left_out[:_LEFT_OUT_SHOWN])
        more = ", …" if len(left_out) > _LEFT_OUT_SHOWN else ""
        parts.append(f"{len(left_out)} ignored: {names}{more}")
    return f" ({'; '.join(parts)})" if parts else ""


async def _search(
    query: _Query, pattern: regex.Pattern[str], path: WorkspacePath, entry: Entry, notes: list[str]
) -> Outcome:
    rows: list[str] = []
    count = files = chars = 0
    last, full = "", False
    candidates = query.files() if entry.kind == "folder" else _only(entry)
    async for each in candidates:
        if each.kind != "file":
            continue
        data = await _data(query, each)
        if data is None:
            continue
        text, found = await _matches(query, pattern, each, data, query.most - count + 1)
        if not found:
            continue
        room = max(query.desk.limits.read_chars - chars, 0)
        kept, shown = _fitting(text, found[: query.most - count], query.context, room)
        full = len(kept) < len(found)
        if kept:
            files += 1
            count += len(kept)
            chars += sum(map(len, shown))
            rows += [shown_path(str(each.path)), *shown]
            last = f"{each.path}:{kept[-1].line}"
        if full:
            break
    noun = plural(count, "match", "matches")
    head = f"{path}: {noun} in {plural(files, 'file')}{_remarks(query)}"
    if full:
        rows.append(_notice(f"the first {noun} shown", last))
    elif query.stopped:
        rows.append(_notice("the search took too long", "/".join(query.last)))
    return answered(head, notes, "\n".join(rows), path=str(path), entries=count)


async def _only(entry: Entry) -> AsyncIterator[Entry]:
    yield entry


async def _data(query: _Query, entry: Entry) -> bytes | None:
    """The bytes of a text file; None when it is skipped, which is counted."""
    most = query.desk.limits.file_bytes
    try:
        content = await query.desk.workspace.read(entry.path, most=most + 1)
    except (Failure, Refusal):
        query.skipped["unreadable skipped"] += 1
        return None
    if len(content.data) > most:
        query.skipped["too large skipped"] += 1
    elif binary_kind(content.data):
        query.skipped["binary skipped"] += 1
    else:
        query.searched += 1
        return content.data
    return None


async def _matches(
    query: _Query, pattern: regex.Pattern[str], entry: Entry, data: bytes, most: int
) -> tuple[str, list[Match]]:
    """The text of a file and the lines that match, found beside the event loop."""
    after = query.after_line if entry.path.parts == query.after else 0
    seconds = query.desk.limits.find_s

    def work() -> tuple[str, list[Match]]:
        file = TextFile(data)
        if query.literal not in file.view:
            return "", []
        return file.text, matches(file.text, pattern, after=after, most=most, seconds=seconds)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except TimeoutError:
        raise Refusal(
            f"the regex ran longer than {seconds:g} s in {entry.path} and was stopped. Nothing was "
            "done. Repeats inside repeats such as (a+)+ can run forever: write it without them, or "
            "search with text.",
            code="runaway",
            facts={"path": str(entry.path), "argument": "regex"},
        ) from None


def _fitting(
    text: str, found: list[Match], context: int, room: int
) -> tuple[list[Match], list[str]]:
    """As many matches as fit into the characters left; the very first always does."""
    lines = text.split("\n")
    shown = block(lines, found, context)
    while sum(map(len, shown)) > room and len(found) > 1:
        found = found[: len(found) // 2]
        shown = block(lines, found, context)
    return found, shown
