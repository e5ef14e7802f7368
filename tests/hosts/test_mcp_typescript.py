"""The MCP server in the hands of another implementation: the TypeScript SDK's client."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hosts.command import KIT
from tests.hosts.mcp_peer import MEMORY, served

if TYPE_CHECKING:
    from collections.abc import Iterator

SDK = "@modelcontextprotocol/sdk@1"
SCRIPT = Path(__file__).with_name("mcp_typescript.mjs")


@pytest.fixture(scope="module")
def program() -> Iterator[tuple[str, Path]]:
    """Node, and the script in a folder where it finds the SDK, which is installed once."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm is missing")
    folder = Path(tempfile.gettempdir()) / f"artifact-kit-typescript-{os.getuid()}"
    if not folder.exists():
        install(npm, folder)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        yield node, Path(shutil.copy(SCRIPT, own))


def install(npm: str, folder: Path) -> None:
    """Install the SDK beside the folder and move it there, as others may do at the same time."""
    fresh = tempfile.mkdtemp(dir=folder.parent)
    options = ("install", "--silent", "--no-audit", "--no-fund", "--prefix", fresh, SDK)
    subprocess.run([npm, *options], check=True, cwd=fresh)
    with suppress(OSError):
        os.rename(fresh, folder)
    shutil.rmtree(fresh, ignore_errors=True)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_it_lists_calls_gets_a_picture_and_cancels(
    transport: str, program: tuple[str, Path]
) -> None:
    here = served(*MEMORY) if transport == "http" else nullcontext()
    with here as found:
        server = [found[0]] if found else [*KIT, "mcp", *MEMORY]
        done = subprocess.run(
            [*map(str, program), *server], capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["server"] == "artifact-kit"
    assert seen["tools"][-1] == "preview"
    assert seen["written"].startswith("saved ts.html")
    assert "ok" in seen["opened"]
    assert seen["shot"] == [["text", ""], ["image", "image/png"]]
    assert (seen["png"], seen["structured"]) == ("PNG", "ok")
    assert seen["beats"] == [1]
    assert seen["cancelled"]
    assert seen["inTime"]
    assert 'text "Hello"' in seen["read"]
    assert seen["refused"]
    assert seen["resources"] == ["shots://1", "workspace:///ts.html"]
    assert seen["resource"] == "<title>TS</title><p>Hello"
