"""Programs that save in processes of their own: one to be killed, one to compete with others."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SIZES = (300_000, 500_000)

SAVER = """
import sys, anyio
from artifact_kit.workspace import Workspace
async def main():
    workspace = Workspace(sys.argv[1])
    path = workspace.path("d/a.html")
    print("ready", flush=True)
    while True:
        for fill, size in ((b"a", 300_000), (b"b", 500_000)):
            await workspace.write(path, fill * size)
anyio.run(main)
"""

EDITOR = """
import sys, json, anyio
from artifact_kit.workspace import Workspace
async def main():
    workspace = Workspace(sys.argv[1])
    path = workspace.path("counts.json")
    def counted(content):
        counts = json.loads(content.data)
        counts[sys.argv[2]] = counts.get(sys.argv[2], 0) + 1
        return json.dumps(counts).encode()
    for edit in range(int(sys.argv[3])):
        if edit % 2:
            await workspace.rewrite(path, counted)
            continue
        async with workspace.locked(path):
            content = await workspace.read(path)
            await workspace.write(path, counted(content), expect=content.version)
anyio.run(main)
"""


def kill_while_saving(root: Path, times: int) -> None:
    """Kill a saving process at random moments; the file has its old bytes or its new ones."""
    whole = (b"a" * SIZES[0], b"b" * SIZES[1])
    (root / "d").mkdir(parents=True)
    file = root / "d" / "a.html"
    file.write_bytes(whole[0])
    for _ in range(times):
        saver = subprocess.Popen([sys.executable, "-c", SAVER, str(root)], stdout=subprocess.PIPE)
        with saver:
            assert saver.stdout is not None
            saver.stdout.readline()
            time.sleep(random.uniform(0.0, 0.05))  # noqa: S311  # the moment of the kill is the test
            saver.send_signal(signal.SIGKILL)
        assert file.read_bytes() in whole


def edit_in_processes(root: Path, processes: int, edits: int) -> dict[str, int]:
    """What is counted after each process has added its edits to one file."""
    file = root / "counts.json"
    file.write_text("{}")
    command = [sys.executable, "-c", EDITOR, str(root)]
    running = [
        subprocess.Popen([*command, f"p{number}", str(edits)]) for number in range(processes)
    ]
    codes = [process.wait() for process in running]
    assert codes == [0] * processes
    counts: dict[str, int] = json.loads(file.read_text())
    return counts
