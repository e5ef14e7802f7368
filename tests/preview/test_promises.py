"""What the README promises of the preview's errors, sandbox and processes, on a whole toolkit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import anyio
import psutil
import pytest

from tests.preview.desk import Desk, until

pytestmark = pytest.mark.anyio

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
HOST = """
import asyncio, sys
from artifact_kit import Toolkit, Workspace

async def main():
    async with Toolkit(Workspace("memory://host")) as kit:
        await kit.call("write_file", {"path": "a.html", "content": "<p>x</p>"})
        outcome = await kit.call("preview", {"op": "open", "path": "a.html"})
        print(outcome.status, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_syntax_error_is_told_with_its_line_and_column(desk: Desk) -> None:
    desk.put("page.html", "<title>Page</title>\n<script>\nlet x = ;\n</script>\n")
    outcome = await desk.call("open", path="page.html")
    assert "page.html:3:9  SyntaxError: Unexpected token ';'" in outcome.text
    assert "3 | let x = ;" in outcome.text
    assert outcome.data["verdict"] == "broken"


async def test_an_external_script_is_named_as_blocked(desk: Desk) -> None:
    outcome = await desk.show("<p>x</p>\n<script src=https://cdn.example/three.js></script>")
    assert "blocked (1): the preview has no network" in outcome.text
    assert "script https://cdn.example/three.js (page" in outcome.text
    assert outcome.data["verdict"] == "degraded"


@ON_LINUX
async def test_a_renderer_is_unprivileged_and_behind_a_seccomp_filter(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    renderers = [
        process
        for process in psutil.Process().children(recursive=True)
        if any("--type=renderer" in word for word in process.cmdline())
    ]
    assert renderers
    for process in renderers:
        status = await anyio.Path(f"/proc/{process.pid}/status").read_text()
        assert "Seccomp:\t2" in status
        assert "NoNewPrivs:\t1" in status
        assert process.uids().effective != 0


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
async def test_nothing_is_left_of_a_host_that_was_killed() -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE)  # noqa: ASYNC220
    assert host.stdout is not None
    opened = await anyio.to_thread.run_sync(host.stdout.readline)
    children = psutil.Process(host.pid).children(recursive=True)
    try:
        assert opened == b"ok\n"
        assert len(children) > 3
    finally:
        os.kill(host.pid, signal.SIGKILL)
        host.wait()
        host.stdout.close()
    await until(lambda: not any(is_left(process) for process in children), 5.0)


def is_left(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
