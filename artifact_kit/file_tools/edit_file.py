"""edit_file: replace exact text in a file."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from artifact_kit.contract import Field, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools import content as texts
from artifact_kit.file_tools import matching
from artifact_kit.file_tools.changes import change_report
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered, refuse_binary
from artifact_kit.file_tools.diagnosis import Miss, explain
from artifact_kit.file_tools.matching import Span
from artifact_kit.file_tools.textfile import TextFile, digest
from artifact_kit.file_tools.write_file import changed, stale_hash
from artifact_kit.text import plural, size

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifact_kit.contract import Outcome
    from artifact_kit.file_tools.seen import Sight
    from artifact_kit.workspace import Content, WorkspacePath

_STATE = "Nothing was changed."
_LINES_LISTED = 10
_MOST_PLACES = 100_000
_REMEDY = "Write out what you mean; to keep text, leave it out of oldText and newText."
_OLD = ("old_string", "old_str", "old", "old_text", "search", "find", "original", "target")
_NEW = ("new_string", "new_str", "new", "new_text", "replace", "replacement", "replace_with")
_EVERY = ("replace_all", "all", "replace_all_occurrences", "global", "allow_multiple")


def edit_file(desk: Desk) -> Tool:
    """The tool that replaces text that occurs in a file, and nothing else of it."""
    signature = Signature(
        "edit_file",
        (
            Field(
                "path",
                "path",
                "File path inside the workspace.",
                required=True,
                names=("file", "file_path", "filename", "file_name", "target_file"),
            ),
            *_pair_fields(required=False),
            Field("edits", "objects", names=("changes", "replacements"), item=_entry_signature()),
            Field("insertLine", "integer", names=("insert_line", "insert_after_line")),
            Field("expectedHash", "text"),
        ),
        hints={
            "content": "edit_file takes oldText and newText; write_file replaces the whole file.",
            "line": "Lines are not addressed by number; send the text to replace as oldText.",
        },
        state=_STATE,
    )
    schema = input_schema(signature)
    schema["required"] = ["path", "oldText", "newText"]
    return Tool(
        name="edit_file",
        title="Edit a file",
        description=(
            "Replace text in a file. oldText must be copied exactly from the file (spaces, tabs "
            "and quotes count; line endings do not) and must occur exactly once, unless "
            "replaceAll is true. A short unique piece is enough. newText takes its place as sent; "
            "an empty newText deletes. If the call is refused the file is unchanged and the "
            "message says what differs."
        ),
        input_schema=schema,
        output_schema=OUTPUT_SCHEMA,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": False,
        },
        tags=frozenset({"files", "write"}),
        verb="Edit",
        intake=partial(intake, signature),
        signature=signature,
        handler=partial(_edit, desk),
    )


def _pair_fields(*, required: bool) -> tuple[Field, Field, Field]:
    return (
        Field(
            "oldText",
            "text",
            "Text to replace, copied exactly from the file, without line numbers.",
            names=_OLD,
            required=required,
            keep_blank=True,
        ),
        Field(
            "newText",
            "text",
            "Replacement text. Empty string deletes oldText.",
            names=_NEW,
            required=required,
            keep_blank=True,
        ),
        Field(
            "replaceAll",
            "boolean",
            "true replaces every occurrence. Leave out to require exactly one.",
            names=_EVERY,
        ),
    )


def _entry_signature() -> Signature:
    return Signature("edits", _pair_fields(required=False), state=_STATE)


@dataclass(frozen=True)
class Pair:
    """One replacement as it was asked for; `name` is how messages call its old text."""

    old: str
    new: str
    every: bool
    name: str = "oldText"
    new_name: str = "newText"

    @property
    def where(self) -> str:
        """`edits[2]`, or empty for the only pair."""
        return self.name.rpartition(".")[0]


@dataclass
class _Change:
    """One edit of one file, computed beside the storage; `made` tells what came of it."""

    desk: Desk
    path: WorkspacePath
    args: Mapping[str, Any]
    pairs: list[Pair]
    known: Sight | None
    foreign: bool = False
    made: tuple[str, dict[str, Any]] = ("", {})

    def __call__(self, before: Content) -> bytes:
        path = self.path
        self.desk.check_size(path, before)
        refuse_binary(path, before.data, "edit_file changes UTF-8 text only. Nothing was changed.")
        file = TextFile(before.data)
        self.foreign = _is_foreign(path, before, self.known, str(self.args.get("expectedHash", "")))
        if self.pairs:
            spans = _spans(file, self.pairs, path, self.foreign)
        else:
            spans = [_insertion(file, self.args, path)]
        data, where = matching.replaced(file, spans)
        _check_size(self.desk, path, before.data, data)
        report, lines = change_report(data, where, deleted=_deletes_a_line(file, spans))
        facts = {"bytes": len(data), "hash": digest(data), "replacements": len(spans)}
        self.made = report, {"path": str(path), **facts, "lines": lines}
        return data


async def _edit(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    pairs, skipped = ([], []) if "insertLine" in args else _pairs(args)
    path, notes = await desk.find(args["path"], seen_by=conversation)
    change = _Change(desk, path, args, pairs, desk.seen.last(conversation, path))
    most = desk.limits.file_bytes + 1
    try:
        version = await desk.workspace.rewrite(path, change, most=most)
    except Failure as failure:
        if failure.code == "changed":
            raise changed(path, _STATE) from None
        raise await desk.explained(path, failure, "Edit") from None
    report, facts = change.made
    desk.seen.note(conversation, path, facts["hash"], version)
    if change.foreign:
        notes.append(f"{path} changed since you last read it; the edit was applied to what is now")
    count = plural(facts["replacements"], "replacement")
    head = f"edited {path} ({count}, {size(facts['bytes'])})"
    return answered(head, [*notes, *skipped], report, **facts)


def _pairs(args: Mapping[str, Any]) -> tuple[list[Pair], list[str]]:
    """The replacements asked for, and a note for each that changes nothing."""
    pairs = []
    if "oldText" in args or "newText" in args or "edits" not in args:
        pairs.append(_pair(args, ""))
    pairs += [_pair(each, f"edits[{index}].") for index, each in enumerate(args.get("edits", ()))]
    useful = [pair for pair in pairs if pair.old != pair.new]
    if not useful:
        names = f"{pairs[0].name} and {pairs[0].new_name}"
        raise Refusal(
            f"{names} are the same. {_STATE} Send the text as it should become in newText.",
            code="no_change",
        )
    for pair in useful:
        if matching.unified(pair.old) == matching.unified(pair.new):
            raise Refusal(
                f"{pair.name} and {pair.new_name} differ only in line endings. {_STATE} edit_file "
                "keeps a file's line endings; use write_file to change them.",
                code="no_change",
            )
    skipped = [pair.where for pair in pairs if pair.old == pair.new]
    return useful, [f"{name} changes nothing (old and new are the same)" for name in skipped]


def _pair(args: Mapping[str, Any], where: str) -> Pair:
    name, new_name = f"{where}oldText", f"{where}newText"
    if "oldText" not in args:
        raise Refusal(
            f"{name} is missing. {_STATE} Send the text to replace, copied from the file.",
            code="missing_argument",
            facts={"argument": name},
        )
    old: str = args["oldText"].removeprefix("\ufeff")
    if not old:
        raise Refusal(
            f"{name} is empty. {_STATE} Send the text to replace, copied from the file; to create "
            "or replace a whole file use write_file.",
            code="empty",
            facts={"argument": name},
        )
    if "newText" not in args:
        raise Refusal(
            f'{name} came without newText. {_STATE} To delete the text send {new_name}: ""; if '
            "your reply hit its output limit, send a smaller edit.",
            code="missing_argument",
            facts={"argument": new_name},
        )
    return Pair(old, args["newText"], bool(args.get("replaceAll")), name, new_name)


def _is_foreign(path: WorkspacePath, before: Content, known: Sight | None, expected: str) -> bool:
    """Whether somebody else changed the file since this conversation saw it."""
    if not expected and (known is None or known.version == before.version):
        return False
    now = digest(before.data)
    if expected and not expected.lower().startswith(now):
        raise stale_hash(path, expected, now, _STATE)
    return known is not None and now != known.hash


def _spans(
    file: TextFile, pairs: list[Pair], path: WorkspacePath, foreign: bool
) -> list[Span]:  # fmt: skip
    """Where each pair matches the file as it is, in order; all of them or none."""
    spans: list[Span] = []
    for index, pair in enumerate(pairs):
        _check_new(file, pair, path)
        needle = matching.unified(pair.old)
        found = matching.places(file.view, needle)
        if not found:
            raise _not_found(file, pair, path, foreign)
        if len(found) > 1 and not pair.every:
            raise _ambiguous(file, pair, path, needle, found)
        if (
            len(found) == matching.LISTED
            and matching.total(found, file.view, needle) > _MOST_PLACES
        ):
            raise _too_many(file, pair, path, needle, found)
        new = pair.new.encode()
        chosen = matching.apart(found, file.view, needle) if pair.every else found
        spans += [Span(place, place + len(needle), new, index) for place in chosen]
    spans.sort()
    for one, other in itertools.pairwise(spans):
        if other.start < one.end:
            names = [pairs[span.entry].where or "oldText" for span in (one, other)]
            raise Refusal(
                f"{' and '.join(sorted(names))} overlap at line {file.line(other.start)} of "
                f"{path}. {_STATE} Join them into one edit.",
                code="overlap",
                facts={"path": str(path), "lines": [file.line(other.start)]},
            )
    return spans


def _insertion(file: TextFile, args: Mapping[str, Any], path: WorkspacePath) -> Span:
    """The text as lines of its own after line number `insertLine`; 0 is the top of the file."""
    line, new = args["insertLine"], args.get("newText", "")
    if args.get("oldText") or not new:
        raise Refusal(
            f"insertLine takes newText with the lines to insert, and no oldText. {_STATE}",
            code="bad_argument",
            facts={"argument": "insertLine"},
        )
    if not 0 <= line <= file.lines:
        raise Refusal(
            f"insertLine {line} is outside: {path} has {plural(file.lines, 'line')}. {_STATE}",
            code="bad_range",
            facts={"path": str(path), "total_lines": file.lines},
        )
    _check_new(file, Pair("", new, every=False), path)
    place = 0
    for _ in range(line):
        place = file.view.find(b"\n", place) + 1 or len(file.view)
    data = matching.unified(new).removesuffix(b"\n")
    opens = bool(place) and file.view[place - 1 : place] != b"\n"
    return Span(place, place, b"\n" + data if opens else data + b"\n")


def _check_new(file: TextFile, pair: Pair, path: WorkspacePath) -> None:
    # Our own notice may be text of a file that was written about it.
    known = pair.old
    if texts.MARKER in pair.new and texts.MARKER.encode() in file.view:
        known += texts.MARKER
    texts.check(pair.new, name=pair.new_name, suffix=path.suffix, known=known, remedy=_REMEDY)
    if not pair.new.isascii() and not file.is_utf8:
        raise Refusal(
            f"{path} is not valid UTF-8, and {pair.new_name} has characters beyond ASCII. {_STATE} "
            "Use ASCII only here (escapes such as \\u00e9 or &eacute; where the language has "
            "them), or write_file the whole file as UTF-8.",
            code="encoding",
            facts={"path": str(path)},
        )


def _not_found(file: TextFile, pair: Pair, path: WorkspacePath, foreign: bool) -> Refusal:
    old = pair.old.replace("\r\n", "\n")
    cause = explain(Miss(file, old, pair.new.replace("\r\n", "\n"), pair.name, str(path)))
    since = f" {path} changed since you last read it." if foreign else ""
    return Refusal(
        f"{pair.name} was not found in {path}. {_STATE}{since} {cause.text}",
        code="no_match",
        facts={"path": str(path), "lines": cause.lines},
    )


def _too_many(
    file: TextFile, pair: Pair, path: WorkspacePath, needle: bytes, found: list[int]
) -> Refusal:
    count = matching.total(found, file.view, needle)
    return Refusal(
        f"{pair.name} matches {count} places in {path}; at most {_MOST_PLACES} are replaced in one "
        f"call. {_STATE} Use a longer {pair.name}, or write_file the whole file.",
        code="too_large",
        facts={"path": str(path)},
    )


def _ambiguous(
    file: TextFile, pair: Pair, path: WorkspacePath, needle: bytes, found: list[int]
) -> Refusal:
    count = matching.total(found, file.view, needle)
    lines = sorted({file.line(place) for place in found[: _LINES_LISTED + 1]})
    shown = lines[:_LINES_LISTED]
    more = f" and {count - _LINES_LISTED} more" if count > _LINES_LISTED else ""
    noun = "line" if len(shown) == 1 else "lines"
    return Refusal(
        f"{pair.name} matches {count} places in {path} ({noun} {', '.join(map(str, shown))}{more})."
        f" {_STATE} Add neighbouring lines to {pair.name} so it matches once, or pass replaceAll: "
        "true to change every one.",
        code="ambiguous",
        facts={"path": str(path), "lines": shown},
    )


def _check_size(desk: Desk, path: WorkspacePath, old: bytes, new: bytes) -> None:
    most = desk.limits.content_chars
    if len(new) <= len(old) or len(new) <= most:
        return
    chars = len(new.decode("utf-8", "replace"))
    if chars > most:
        raise Refusal(
            f"the edit would make {path} {chars} characters long; the limit is {most}. {_STATE}",
            code="too_large",
            facts={"path": str(path)},
        )


def _deletes_a_line(file: TextFile, spans: list[Span]) -> bool:
    """Whether the only replacement took the text of a line and left its line break."""
    if len(spans) != 1 or spans[0].new:
        return False
    span, view = spans[0], file.view
    starts = span.start == 0 or view[span.start - 1 : span.start] == b"\n"
    return starts and view[span.end : span.end + 1] == b"\n" and view[span.end - 1] != 10
