"""A process that keeps swapping a folder and a link that leads out, and calls that run into it."""

from __future__ import annotations

import collections
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

from artifact_kit.errors import ToolError
from artifact_kit.workspace import Workspace
from tests.workspace.storages import names_in, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifact_kit.workspace import Content

SWAPPER = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
os.chdir(sys.argv[1])
print("ready", flush=True)
while True:
    libc.renameat2(-100, b"d", -100, b"link", 2)
"""
Outcomes = collections.Counter[str]


async def race(base: Path, seconds: float) -> Outcomes:
    """Run every operation through the swapped name; raises when anything leaked or got out.

    Counts answers by operation and kind, so that a caller can see that both sides were met.
    """
    root = base / "ws"
    outside = {"f.html": b"SECRET", "sub/keep.html": b"KEEP"}
    (base / "out" / "sub").mkdir(parents=True)
    for name, data in outside.items():
        (base / "out" / name).write_bytes(data)
    (root / "d").mkdir(parents=True)
    (root / "d" / "f.html").write_bytes(b"INSIDE")
    os.symlink("../out", root / "link")
    counts: Outcomes = collections.Counter()
    with _swapping(root), anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(_work, Workspace(str(root)), number, counts)
    assert tree(base / "out") == outside, f"something was written outside: {tree(base / 'out')}"
    assert names_in(base) == ["out", "ws"]
    return counts


@contextmanager
def _swapping(root: Path) -> Iterator[None]:
    command = [sys.executable, "-c", SWAPPER, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        try:
            yield
        finally:
            swapper.kill()


async def _work(workspace: Workspace, number: int, counts: Outcomes) -> None:
    name, moved = f"n{number}.html", f"m{number}.html"
    tree_name = f"sub{number}"
    while True:
        for operation in ("read", "write", "edit", "move", "delete", "list", "tree", "make"):
            try:
                await _one(workspace, operation, name, moved, tree_name)
                answer = "ok"
            except ToolError as error:
                answer = error.code
            counts[f"{operation} {answer}"] += 1


async def _one(workspace: Workspace, operation: str, name: str, moved: str, sub: str) -> None:
    at = workspace.path
    match operation:
        case "read":
            data = (await workspace.read(at("d/f.html"))).data
            assert b"SECRET" not in data, "a read leaked a file from outside"
        case "write":
            await workspace.write(at(f"d/{name}"), b"x")
        case "edit":
            await workspace.rewrite(at("d/f.html"), _edited)
        case "move":
            await workspace.move(at(f"d/{name}"), at(f"d/{moved}"))
        case "delete":
            await workspace.delete(at(f"d/{moved}"))
        case "list":
            names = {entry.path.name for entry in await workspace.list(at("d"))}
            assert "sub" not in names, "a listing leaked a name from outside"
        case "tree":
            await workspace.delete(at("d/sub"), recursive=True)
        case "make":
            await workspace.write(at(f"d/{sub}/deep/f.html"), b"x")
            await workspace.delete(at(f"d/{sub}"), recursive=True)


def _edited(content: Content) -> bytes:
    assert b"SECRET" not in content.data, "an edit leaked a file from outside"
    return content.data
