"""The command line as a user starts it, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO

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
