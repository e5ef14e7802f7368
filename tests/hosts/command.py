"""The command line as a user starts it, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO

END_S = 5
PAUSE_S = 0.02
KIT = (sys.executable, "-m", "artifact_kit")


def kit(
    *arguments: str | Path,
    cwd: Path | None = None,
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; a traceback is never right."""
    done = subprocess.run(
        [*KIT, *map(str, arguments)],
        cwd=cwd,
        input=given,
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=80,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def line(tool: str, **args: Any) -> bytes:
    """One line of a script."""
    return json.dumps({"tool": tool, "args": args}).encode() + b"\n"


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The outcomes that `run` wrote."""
    return [json.loads(each) for each in done.stdout.split("\n") if each]


def picture(source: Path | IO[bytes]) -> Image.Image:
    """A whole picture, its file closed."""
    with Image.open(source) as opened:
        return opened.convert("RGB")


def all_end(processes: list[psutil.Process]) -> bool:
    """Whether all of them end in time; one that nobody has buried yet has ended."""
    for _ in range(round(END_S / PAUSE_S)):
        if not any(map(lives, processes)):
            return True
        time.sleep(PAUSE_S)  # an end has no event for who is no parent
    return False


def lives(process: psutil.Process) -> bool:
    """Whether it runs."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
