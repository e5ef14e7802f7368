"""write_file: save a whole text file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from artifact_kit.contract import Field, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools import content as texts
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered
from artifact_kit.file_tools.textfile import BOM, TextFile, binary_kind, digest
from artifact_kit.text import size

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifact_kit.contract import Outcome
    from artifact_kit.workspace import Content, Version, WorkspacePath

MISSING = (
    "content is missing, nothing was written. If your reply hit its output limit, save a smaller "
    "first version and add the rest with edit_file."
)
_REMEDY = "Send the complete text, or change a part of the file with edit_file."
_SHRINK_FROM = 2048


def write_file(desk: Desk) -> Tool:
    """The tool that creates a file or replaces all of it."""
    limits = desk.limits
    signature = Signature(
        "write_file",
        (
            Field(
                "path",
                "path",
                "File path inside the workspace, for example snake.html or games/snake.html. "
                f"At most {limits.path_chars} characters.",
                required=True,
                names=("file", "file_path", "filename", "file_name", "target_file", "target"),
            ),
            Field(
                "content",
                "document",
                "The complete text of the file. Not empty; at most "
                f"{limits.content_chars} characters.",
                required=True,
                names=(
                    "contents", "text", "file_text", "file_content", "data", "code", "body",
                    "new_content",
                ),
                missing=MISSING,
            ),
            Field("expectedHash", "text"),
        ),
        hints={
            "mode": "write_file replaces the whole file; to add to one use edit_file.",
            "append": "write_file replaces the whole file; to add to one use edit_file.",
            "overwrite": "write_file always replaces an existing file.",
        },
        state="Nothing was written.",
    )  # fmt: skip
    return Tool(
        name="write_file",
        title="Write a file",
        description=(
            "Save a text file in the workspace: creates it (with its folders) or replaces the "
            "whole file. content must be the complete text, exactly as it should be stored: no "
            "code fence around it, no placeholders. To change part of an existing file use "
            "edit_file. If a file is very long, save a smaller first version and add the rest "
            "with edit_file."
        ),
        input_schema=input_schema(signature),
        output_schema=OUTPUT_SCHEMA,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        tags=frozenset({"files", "write"}),
        verb="Save",
        intake=partial(intake, signature),
        signature=signature,
        handler=partial(_write, desk),
    )


async def _write(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    path, notes = await desk.find(args["path"], seen_by=conversation)
    text, repairs = _text(desk, args["content"], path.suffix)
    async with desk.workspace.locked(path):
        before = await _before(desk, path)
        old = before.data if before else b""
        _check_text(text, path, old)
        _check_seen(desk, conversation, path, before, str(args.get("expectedHash", "")))
        data, kept = _as_stored(text, old)
        facts: dict[str, Any] = {"path": str(path), "bytes": len(data), "hash": digest(data)}
        if before and before.data == data:
            desk.seen.note(conversation, path, facts["hash"], before.version)
            unchanged = (
                f"unchanged {path} ({size(len(data))}): the file already has exactly this "
                "content, nothing was written"
            )
            return answered(unchanged, [*notes, *repairs], code="unchanged", **facts)
        version = await save(desk, path, data, before)
        desk.seen.note(conversation, path, facts["hash"], version)
    remarks = [*notes, *repairs, *kept, *texts.notes(text, suffix=path.suffix)]
    if before and before.size >= _SHRINK_FROM and len(data) * 2 < before.size:
        remarks.append(
            f"much smaller than before ({size(before.size)} → {size(len(data))}); if parts were "
            "left out by mistake, write the complete text again"
        )
    was = f"was {size(before.size)}" if before else "new file"
    return answered(f"saved {path} ({size(len(data))}, {was})", remarks, **facts)


def _text(desk: Desk, content: Any, suffix: str) -> tuple[str, tuple[str, ...]]:
    """The text to store, repaired, and the words about the repairs."""
    notes: tuple[str, ...] = ()
    if not isinstance(content, str):
        content = texts.as_json(content, suffix)
        notes = ("content was sent as an object and saved as JSON text with 2-space indentation",)
        if desk.strict:
            raise Refusal(
                "content must be one string (got an object). Nothing was written.",
                code="needs_repair",
            )
    if not content:
        raise Refusal(
            "content is empty. Nothing was written. Send the complete text of the file; to remove "
            "a file use manage_file with op delete.",
            code="empty",
        )
    most = desk.limits.content_chars
    if len(content) > most:
        raise Refusal(
            f"content has {len(content)} characters; the limit is {most}. Nothing was written. "
            "Save a smaller file, or split it into several.",
            code="too_large",
        )
    repaired = texts.repaired(content, suffix=suffix, strict=desk.strict)
    return repaired.text, notes + repaired.notes


async def _before(desk: Desk, path: WorkspacePath) -> Content | None:
    """The file as it is; None when there is none yet."""
    if not path.parts:
        raise desk.is_folder(path)
    try:
        return await desk.workspace.read(path, most=desk.limits.file_bytes)
    except Failure as failure:
        if failure.code == "not_found":
            return None
        refusal = _as_refusal(desk, path, failure)
        if refusal is failure:
            failure.message = f"{failure.message}; nothing was written."
        raise refusal from None


def _check_text(text: str, path: WorkspacePath, old: bytes) -> None:
    known = old.decode("utf-8", "replace")
    texts.check(text, name="content", suffix=path.suffix, known=known, remedy=_REMEDY)


def _check_seen(
    desk: Desk, conversation: str, path: WorkspacePath, before: Content | None, expected: str
) -> None:
    """Refuse to replace a file that somebody else changed since this conversation saw it."""
    known = desk.seen.last(conversation, path)
    if before is None or not (known or expected):
        if expected and before is None:
            raise Refusal(
                f"{path} is not there, expectedHash is {expected}. Nothing was written. Leave "
                "expectedHash out to create the file.",
                code="stale",
                facts={"path": str(path)},
            )
        return
    now = digest(before.data)
    if expected and not expected.lower().startswith(now):
        raise stale_hash(path, expected, now, "Nothing was written")
    if known and now != known.hash:
        raise changed(path)


def changed(path: WorkspacePath, state: str = "Nothing was written") -> Refusal:
    """The refusal for a change on top of somebody else's."""
    return Refusal(
        f"{path} changed since you last read or wrote it. {state.rstrip('.')}. "
        "merge your changes into what is there now.",
        code="stale",
        facts={"path": str(path)},
    )


def stale_hash(path: WorkspacePath, expected: str, now: str, state: str) -> Refusal:
    """The refusal for a caller's own precondition."""
    return Refusal(
        f"the hash of {path} is {now}, expectedHash is {expected}. {state.rstrip('.')}. "
        "read_file it and decide again.",
        code="stale",
        facts={"path": str(path)},
    )


def _as_stored(text: str, old: bytes) -> tuple[bytes, list[str]]:
    """The bytes to store: those of the text, in the old file's pure CRLF and with its BOM."""
    notes = []
    file = TextFile(old)
    if file.has_crlf and "\n" in text and "\r\n" not in text and not binary_kind(old):
        crlf, plain = file.endings
        if crlf and not plain:
            text = text.replace("\n", "\r\n")
            notes.append("kept the CRLF line endings of the file")
    data = text.encode()
    if file.bom and not data.startswith(BOM):
        data = BOM + data
        notes.append("kept the UTF-8 BOM of the file")
    return data, notes


async def save(desk: Desk, path: WorkspacePath, data: bytes, before: Content | None) -> Version:
    """Store the bytes; gives their version.

    Raises:
        Refusal: The file was changed since `before` was read.
        Failure: What the storage met, and what became of the file.
    """
    try:
        return await desk.workspace.write(path, data, expect=before.version if before else None)
    except Failure as failure:
        raise _as_refusal(desk, path, failure) from None


def _as_refusal(desk: Desk, path: WorkspacePath, failure: Failure) -> Failure | Refusal:
    """What the storage met, as a refusal where another call would do."""
    match failure.code:
        case "changed":
            return changed(path)
        case "is_folder":
            return desk.is_folder(path)
        case "not_folder":
            where = failure.message.partition(";")[0]
            return Refusal(
                f"{where}: {path} can't be under it. Nothing was written. Choose another folder.",
                code="not_folder",
                facts={"path": str(path)},
            )
        case _:
            return failure
