"""Whatever ends the host, no browser and no file of it is left within five seconds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.hosts.command import lives
from tests.preview.desk import until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(60),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals"),
]

WITHIN_S = 5.0
PAGES = {
    "quiet": "<!doctype html><title>x</title><p>x</p>",
    "busy": "<!doctype html><title>x</title><script>setTimeout(() => { for (;;); }, 300)</script>",
}
HOST = """
import asyncio, sys
from artifact_kit import Toolkit

async def work(kit):
    for name in ("quiet", "busy"):
        await kit.call("preview", {"op": "open", "path": f"{name}.html"}, conversation=name)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    if sys.argv[2] == "raise":
        raise RuntimeError("the host's own mistake")
    never = {"op": "eval", "code": "await new Promise(() => {})"}
    await kit.call("preview", never, conversation="quiet")

async def main():
    async with Toolkit(sys.argv[1]) as kit:
        await work(kit)

asyncio.run(main())
"""
CANCELLED = """
import asyncio, sys
from artifact_kit import Toolkit

async def main():
    kit = Toolkit(sys.argv[1])
    for name in ("one", "two"):
        await kit.call("preview", {"op": "open", "path": "quiet.html"}, conversation=name)
    print("open", flush=True)
    never = {"op": "eval", "code": "await new Promise(() => {})"}
    opening = {"op": "open", "path": "quiet.html"}
    asked = {"one": never, "two": never, "three": opening}
    calls = [
        asyncio.create_task(kit.call("preview", arguments, conversation=name))
        for name, arguments in asked.items()
    ]
    await asyncio.to_thread(sys.stdin.readline)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await kit.__aexit__(None, None, None)
    print("closed", flush=True)
    await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


class Host:
    """A process that uses the kit, with a temporary folder of its own."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.files = folder / "files"
        self.temporary = folder / "temporary"
        self.files.mkdir()
        self.temporary.mkdir()
        folder.chmod(0o755)
        for name, page in PAGES.items():
            (self.files / f"{name}.html").write_text(page)
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def family(self) -> list[psutil.Process]:
        """Every process that belongs to it now, the guard in its own session among them."""
        found = psutil.Process(self.process.pid).children(recursive=True)
        assert any("--type=renderer" in word for each in found for word in each.cmdline())
        return found

    async def leaves_nothing(self, family: list[psutil.Process]) -> None:
        await until(lambda: not any(map(lives, family)), WITHIN_S)
        await until(lambda: not any(self.temporary.iterdir()), WITHIN_S)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, "raise"])
async def test_a_host_that_ends_leaves_nothing(tmp_path: Path, how: signal.Signals | str) -> None:
    host = Host(tmp_path, "-c", HOST, str(tmp_path / "files"), str(how))
    with host.process:
        assert host.hear() == "open\n"
        family = host.family()
        if isinstance(how, signal.Signals):
            host.process.send_signal(how)
        else:
            host.tell("")
        await host.leaves_nothing(family)
        host.process.kill()


async def test_calls_that_are_cancelled_leave_nothing_once_the_kit_is_closed(
    tmp_path: Path,
) -> None:
    host = Host(tmp_path, "-c", CANCELLED, str(tmp_path / "files"))
    with host.process:
        assert host.hear() == "open\n"
        family = host.family()
        host.tell("")
        assert host.hear() == "closed\n"
        await host.leaves_nothing(family)
        host.process.kill()


async def test_a_closed_stdin_leaves_nothing(tmp_path: Path) -> None:
    host = Host(tmp_path, "-m", "artifact_kit", "run", "--root", str(tmp_path / "files"))
    with host.process:
        host.tell(json.dumps({"tool": "preview", "args": {"op": "open", "path": "busy.html"}}))
        assert json.loads(host.hear())["status"] == "ok"
        family = host.family()
        assert host.process.stdin is not None
        host.process.stdin.close()
        await host.leaves_nothing(family)
        assert host.process.wait(WITHIN_S) == 0
