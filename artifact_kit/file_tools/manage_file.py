"""manage_file: move or delete a file or folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from artifact_kit.contract import Field, Signature, Tool, input_schema, intake
from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.desk import OUTPUT_SCHEMA, Desk, answered
from artifact_kit.text import plural, size

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from artifact_kit.contract import Outcome
    from artifact_kit.workspace import Entry, WorkspacePath

_STATE = "Nothing was changed."
_MEANINGS = {
    **dict.fromkeys(("rename", "mv", "move_file", "rename_file"), "move"),
    **dict.fromkeys(("rm", "remove", "del", "unlink", "delete_file", "rmdir"), "delete"),
}
_NAMES_SHOWN = 5


def manage_file(desk: Desk) -> Tool:
    """The tool that moves and deletes."""
    signature = Signature(
        "manage_file",
        (
            Field(
                "op",
                "enum",
                "What to do.",
                required=True,
                names=("operation", "action", "command"),
                values=("move", "delete"),
                meanings=_MEANINGS,
            ),
            Field(
                "path",
                "path",
                "File or folder to move or delete.",
                required=True,
                names=(
                    "file", "file_path", "filename", "source", "src", "from", "old_path",
                    "source_path", "target_file",
                ),
            ),
            Field(
                "to",
                "path",
                "Only for move: the new path. Ending in / means into that folder.",
                names=(
                    "destination", "dest", "dst", "target", "new_path", "destination_path",
                    "new_name", "target_path",
                ),
                only_for=("move",),
                missing="to is missing: send the new path in to",
            ),
            Field(
                "recursive",
                "boolean",
                "Only for delete: true also deletes what is inside a folder.",
                names=("force",),
            ),
            Field("overwrite", "boolean", names=("replace",)),
        ),
        by="op",
        needs={"move": (("to",),)},
        hints={"paths": "One path a call."},
        state=_STATE,
    )  # fmt: skip
    return Tool(
        name="manage_file",
        title="Move or delete",
        description=(
            "Move (rename) or delete a file or folder of the workspace. move replaces an existing "
            "file at the target. delete of a folder that is not empty needs recursive true."
        ),
        input_schema=input_schema(signature),
        output_schema=OUTPUT_SCHEMA,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": False,
        },
        tags=frozenset({"files", "write"}),
        verb="Move",
        intake=partial(intake, signature),
        signature=signature,
        handler=partial(_manage, desk),
    )


async def _manage(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    try:
        return await _done(desk, args, conversation)
    except Failure as failure:
        if args["op"] == "delete":
            failure.verb = "Delete"
        raise


async def _done(desk: Desk, args: Mapping[str, Any], conversation: str) -> Outcome:
    path, notes = await desk.find(args["path"], folder=True)
    if not path.parts:
        verb = "moved" if args["op"] == "move" else "deleted"
        raise Refusal(
            f"the root of the workspace can't be {verb}. {_STATE} Name a file or folder in it.",
            code="is_root",
            facts={"path": "."},
        )
    if args["op"] == "delete":
        return await _delete(desk, path, bool(args.get("recursive")), conversation, notes)
    return await _move(desk, path, args, conversation, notes)


async def _delete(
    desk: Desk, path: WorkspacePath, recursive: bool, conversation: str, notes: list[str]
) -> Outcome:
    async with desk.workspace.locked(path):
        entry = await desk.workspace.info(path)
        if entry is None:
            raise await desk.missing(path, "Delete")
        inside = await _inside(desk, entry)
        if inside and not recursive:
            raise _not_empty(path, inside)
        await desk.workspace.delete(path, recursive=recursive)
        desk.seen.dropped(conversation, path)
    what = path if entry.kind != "folder" else f"{path} (folder, {_entries(inside)})"
    count = len(inside) if entry.kind == "folder" else None
    return answered(f"deleted {what}", notes, path=str(path), entries=count)


def _entries(inside: list[Entry]) -> str:
    return plural(len(inside), "entry", "entries") if inside else "empty"


async def _inside(desk: Desk, entry: Entry) -> list[Entry]:
    """What is in a real folder; a link to one is deleted alone."""
    if entry.kind != "folder" or entry.is_link:
        return []
    return await desk.workspace.list(entry.path)


def _not_empty(path: WorkspacePath, inside: list[Entry]) -> Failure:
    names = ", ".join(entry.path.name for entry in inside[:_NAMES_SHOWN])
    more = ", …" if len(inside) > _NAMES_SHOWN else ""
    return Failure(
        f"{path} is not empty ({_entries(inside)}: {names}{more}). Nothing was deleted; pass "
        "recursive: true to delete all of it.",
        code="not_empty",
        facts={"path": str(path), "entries": len(inside)},
    )


async def _move(
    desk: Desk, path: WorkspacePath, args: Mapping[str, Any], conversation: str, notes: list[str]
) -> Outcome:
    raw = str(args["to"])
    chars = desk.limits.path_chars
    to = desk.workspace.path(raw, most_chars=chars, trailing_slash=True)
    target = _final(path, to)
    _check_apart(path, target)
    async with desk.workspace.locked(path, target):
        entry = await desk.workspace.info(path)
        if entry is None:
            raise await desk.missing(path, "Move")
        old = await _target(desk, entry, target, overwrite=args.get("overwrite") is not False)
        await desk.workspace.move(path, target)
        desk.seen.moved(conversation, path, target)
    replaced = f" (replaced a file of {size(old.size or 0)})" if old else ""
    return answered(
        f"moved {path} to {target}{replaced}", notes, path=str(path), to=str(target),
        bytes=entry.size,
    )  # fmt: skip


def _final(path: WorkspacePath, to: WorkspacePath) -> WorkspacePath:
    """Where the move ends: a path that is written like a folder means into it.

    One that only happens to name a folder may have been meant as the new name, and storages
    disagree on whether that nests, merges or replaces: `_target` refuses it.
    """
    into = (to.as_folder or not to.parts) and to.parts != path.parts
    return to / path.name if into else to


def _check_apart(path: WorkspacePath, target: WorkspacePath) -> None:
    if path.parts == target.parts:
        raise Refusal(
            f"path and to are the same ({path}). {_STATE} Send another path in to.",
            code="same_path",
            facts={"path": str(path)},
        )
    if path.holds(target):
        raise Refusal(
            f"{path} can't be moved into itself ({target}). {_STATE}",
            code="into_itself",
            facts={"path": str(path)},
        )


async def _target(
    desk: Desk, source: Entry, target: WorkspacePath, *, overwrite: bool
) -> Entry | None:
    """The file that the move replaces; refuses a target that it must not replace."""
    await _check_parents(desk, target)
    old = await desk.workspace.info(target)
    if old is None:
        return None
    if old.kind == "folder":
        full = await desk.workspace.list(target)
        if full or source.kind != "folder":
            problem = f"{target} is a folder{' that is not empty' if full else ''}"
            way = f"To move {source.path} into it end to with a slash: {target}/"
            raise _in_the_way(problem, target, way)
        return None
    if await _is_the_same(desk, source, old):
        return None
    if source.kind == "folder":
        raise _in_the_way(f"{target} is a file; a folder can't replace it", target)
    if not overwrite:
        raise _in_the_way(f"{target} is there already and overwrite is false", target)
    return old


async def _is_the_same(desk: Desk, source: Entry, old: Entry) -> bool:
    """Whether a name that differs in case only is the same file on this storage."""
    one, other = source.path, old.path
    if one.parent != other.parent or one.name.casefold() != other.name.casefold():
        return False
    names = {entry.path.name for entry in await desk.workspace.list(one.parent)}
    return other.name not in names


async def _check_parents(desk: Desk, target: WorkspacePath) -> None:
    folder = target.parent
    while folder.parts:
        entry = await desk.workspace.info(folder)
        if entry is not None:
            if entry.kind != "folder":
                raise _in_the_way(f"{folder} is a file, not a folder", target)
            return
        folder = folder.parent


def _in_the_way(
    problem: str,
    target: WorkspacePath,
    way: str = "Choose another path in to, or delete it first.",
) -> Refusal:
    return Refusal(
        f"{problem}. {_STATE} {way}",
        code="in_the_way",
        facts={"path": str(target)},
    )
