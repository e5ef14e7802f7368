"""What the README promises of the preview's errors and sandbox, on a whole toolkit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import anyio
import psutil
import pytest

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


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
