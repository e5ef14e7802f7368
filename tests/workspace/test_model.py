"""Random calls do on every storage what they do to a plain dictionary of files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from artifact_kit.errors import ToolError
from artifact_kit.workspace import Workspace
from tests.workspace.storages import DictStore, Files, own_memory, stored, tree

NAMES = ("a", "b", "a/x", "a/y", "b/x", "a/x/z", "b/x/z")
Call = tuple[str, str, str, bool]
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "move", "delete"]),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.booleans(),
    ),
    max_size=12,
)


def _under(files: Files, name: str) -> list[str]:
    return [key for key in files if key.startswith(f"{name}/")]


def _blocked(files: Files, name: str) -> bool:
    parts = name.split("/")
    return any("/".join(parts[:depth]) in files for depth in range(1, len(parts)))


def _expected(files: Files, call: Call, number: int) -> str:
    """What the call answers; changes the dictionary when it is done."""
    operation, name, other, recursive = call
    if operation == "write":
        if _blocked(files, name):
            return "not_folder"
        if _under(files, name):
            return "is_folder"
        files[name] = str(number).encode()
        return "ok"
    inside = _under(files, name)
    if operation == "delete":
        if _blocked(files, name):
            return "not_folder"
        if name not in files and not inside:
            return "not_found"
        if inside and not recursive:
            return "not_empty"
        for key in [*inside, name]:
            files.pop(key, None)
        return "ok"
    return _moved(files, name, other, inside)


def _moved(files: Files, name: str, other: str, inside: list[str]) -> str:
    if name == other:
        return "same_path"
    if other.startswith(f"{name}/"):
        return "into_itself"
    if name not in files and not inside:
        return "not_found"
    if _under(files, other):
        return "is_folder"
    if inside and other in files:
        return "not_folder"
    if _blocked(files, other):
        return "not_folder"
    for key in inside or [name]:
        files[other + key.removeprefix(name)] = files.pop(key)
    return "ok"


async def _call(workspace: Workspace, call: Call, number: int) -> str:
    operation, name, other, recursive = call
    path = workspace.path(name)
    try:
        if operation == "write":
            await workspace.write(path, str(number).encode())
        elif operation == "delete":
            await workspace.delete(path, recursive=recursive)
        else:
            await workspace.move(path, workspace.path(other))
    except ToolError as error:
        return error.code
    return "ok"


async def _prune(workspace: Workspace) -> None:
    """Remove folders without files, which only some storages have."""
    for name in sorted(NAMES, reverse=True):
        path = workspace.path(name)
        entry = await workspace.info(path)
        if entry is not None and entry.kind == "folder" and not await workspace.list(path):
            await workspace.delete(path)


@given(calls=CALLS)
@settings(max_examples=60, deadline=None)
def test_every_storage_agrees_with_a_dictionary(calls: list[Call]) -> None:
    async def run(root: str) -> None:
        memory, host = own_memory(), own_memory(DictStore)
        disk = Workspace(root)
        kits = (disk, Workspace(memory, root="ws"), Workspace(host, root="ws"))
        files: Files = {}
        for number, call in enumerate(calls):
            wanted = _expected(files, call, number)
            answers = [await _call(workspace, call, number) for workspace in kits]
            assert answers == [wanted] * 3, (call, answers, wanted)
            for workspace in kits:
                await _prune(workspace)
            assert tree(Path(root)) == stored(memory, "ws") == stored(host, "ws") == files

    with tempfile.TemporaryDirectory() as root:
        anyio.run(run, root)
