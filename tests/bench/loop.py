"""What the loop of an agent costs through this kit's MCP server and through Playwright's.

    python -m tests.bench.loop [--reps 7]

Write a page, open it, click and press keys, read, run code, take a picture, look at the console,
edit, open again: through each server's own tools, in one run in which they take turns, with the
same Chromium. Prints the text that a model has to read, in tokens, and the median and the least
time of a loop, with their ratios and what these should be at most. Playwright's server writes no
files: the filesystem server stands beside it. npm installs both into a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from artifact_kit.browser import provide

PACKAGE = "@playwright/mcp"
FILES = "@modelcontextprotocol/server-filesystem"
MOST = 0.3
OLD, NEW = "const EDITION = 1", "const EDITION = 2"
PARTS = ("#edition", "#state", "#count")
KEYS = 3
_TOKEN = re.compile(r"[^\W\d_]{1,6}|\d{1,3}|[^\w\s]+|\n|_")

_SHELL = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 15px/1.4 sans-serif; margin: 1rem }} td {{ padding: 2px 8px }}</style>
<h1>{title}</h1><button id="start">Start</button>
<p>Edition <b id="edition"></b>, <b id="state">resting</b>, <b id="count">0</b> steps</p>
{body}
<script>
const EDITION = 1;
const world = {{ running: false, steps: 0 }};
document.querySelector("#edition").textContent = EDITION;
document.querySelector("#start").onclick = () => {{
  world.running = true;
  document.querySelector("#state").textContent = "running";
  console.log("begun in edition", EDITION);
}};
addEventListener("keydown", (event) => {{
  if (event.key === "ArrowRight") document.querySelector("#count").textContent = ++world.steps;
}});
{script}
</script></html>
"""
_GAME = """
const brush = document.querySelector("canvas").getContext("2d");
let tick = 0;
(function draw() {
  tick += 1;
  brush.fillStyle = "#123"; brush.fillRect(0, 0, 800, 450);
  for (let i = 0; i < 60; i++) {
    brush.fillStyle = `hsl(${i * 6} 70% 60%)`;
    brush.fillRect((i * 97 + tick) % 800, (i * 53) % 450, 12, 12);
  }
  requestAnimationFrame(draw);
})();
"""


def pages() -> dict[str, str]:
    """Three kinds of page."""
    rows = "\n".join(
        f"<tr><td>{number}<td>Customer {number * 37 % 91}<td>{number * 7919 % 4000 / 100:.2f}"
        for number in range(300)
    )
    return {
        "note": _SHELL.format(title="Steps", body="<ul><li>One<li>Two</ul>", script=""),
        "game": _SHELL.format(
            title="Stars", body="<canvas width=800 height=450></canvas>", script=_GAME
        ),
        "table": _SHELL.format(title="Invoices", body=f"<table>{rows}</table>", script=""),
    }


@dataclass
class Server:
    """A server, and what a model has read of it in one loop."""

    sessions: dict[str, ClientSession]
    """By the first word of the names of their tools; "" for all others."""
    folder: Path
    said: list[str] = field(default_factory=list)
    pictures: int = 0
    calls: int = 0

    async def call(self, name: str, **arguments: Any) -> str:
        """The text of one call's answer."""
        self.calls += 1
        session = self.sessions.get(name.partition("_")[0], self.sessions[""])
        result = await session.call_tool(name, arguments)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        self.pictures += sum(part.type == "image" for part in result.content)
        if result.is_error:
            raise RuntimeError(f"{name}: {text[:300]}")
        self.said.append(text)
        return text


async def ours(server: Server, name: str, page: str) -> None:
    """The loop through this kit."""
    await server.call("write_file", path=name, content=page)
    await server.call("preview", op="open", path=name)
    keys = [{"type": "key", "key": "ArrowRight"}] * KEYS
    acts = [{"type": "click", "css": "#start"}, *keys]
    acted = await server.call("preview", op="act", actions=acts)
    _require("begun in edition" in acted, acted)
    queries = [{"css": css} for css in PARTS]
    read = await server.call("preview", op="read", queries=queries)
    _require("running" in read and str(KEYS) in read, read)
    value = await server.call("preview", op="eval", code="return world")
    _require(f'"steps":{KEYS}' in value, value)
    await server.call("preview", op="shot")
    await server.call("edit_file", path=name, oldText=OLD, newText=NEW)
    await server.call("preview", op="open", path=name)


async def theirs(server: Server, name: str, page: str) -> None:
    """The loop through Playwright's server."""
    file = server.folder / name
    await server.call("write_file", path=str(file), content=page)
    await server.call("browser_navigate", url=file.as_uri())
    await server.call("browser_click", target="#start", element="Start")
    for _ in range(KEYS):
        await server.call("browser_press_key", key="ArrowRight")
    texts = f"() => {list(PARTS)}.map((css) => document.querySelector(css).textContent)"
    read = await server.call("browser_evaluate", function=texts)
    _require("running" in read and str(KEYS) in read, read)
    value = await server.call("browser_evaluate", function="() => JSON.stringify(world)")
    _require("steps" in value, value)
    await server.call("browser_take_screenshot", type="png")
    console = await server.call("browser_console_messages")
    _require("begun in edition" in console, console)
    edits = [{"oldText": OLD, "newText": NEW}]
    await server.call("edit_file", path=str(file), edits=edits)
    await server.call("browser_navigate", url=file.as_uri())


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RuntimeError(otherwise[:500])


def tokens(text: str) -> int:
    """About as many as a model's tokenizer makes of it."""
    return len(_TOKEN.findall(text))


async def started(stack: AsyncExitStack, folder: Path, *command: str) -> ClientSession:
    """A server in a process of its own."""
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), cwd=folder)
    streams = await stack.enter_async_context(stdio_client(parameters))
    session = await stack.enter_async_context(ClientSession(*streams))
    await session.initialize()
    return session


def installed(folder: Path, browser: str | None) -> dict[str, list[str]]:
    """How each server is started, in a folder of its name; those of npm are installed."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None or browser is None:
        raise SystemExit("npm, node and a local Chromium are needed")
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*install, PACKAGE, FILES], check=True, cwd=folder)
    for name in ("ours", "theirs"):
        (folder / name).mkdir()
    modules = folder / "node_modules"
    switches = ("--headless", "--isolated", "--no-sandbox", "--allow-unrestricted-file-access")
    cli, options = str(modules / PACKAGE / "cli.js"), ("--viewport-size", "1280,720", *switches)
    return {
        "ours": [sys.executable, "-m", "artifact_kit", "mcp", "--browser", browser],
        "browser": [node, cli, "--executable-path", browser, *options],
        "files": [node, str(modules / FILES / "dist" / "index.js"), str(folder / "theirs")],
    }


async def servers(stack: AsyncExitStack, folder: Path) -> dict[str, tuple[Any, Server]]:
    """Both sides, with their loops."""
    chromium = await provide()
    commands = installed(folder, chromium.executable)
    mine, other = folder / "ours", folder / "theirs"
    kit = {"": await started(stack, mine, *commands["ours"])}
    peers = {
        "": await started(stack, other, *commands["files"]),
        "browser": await started(stack, other, *commands["browser"]),
    }
    return {"artifact-kit": (ours, Server(kit, mine)), PACKAGE: (theirs, Server(peers, other))}


async def measure(reps: int) -> None:
    """Run all loops and print what they cost."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    read: dict[tuple[str, str], tuple[int, int]] = {}
    with tempfile.TemporaryDirectory() as place:
        async with AsyncExitStack() as stack:
            loops = await servers(stack, Path(place))
            for rep in range(-1, reps):
                for kind, page in pages().items():
                    for name, (loop, server) in loops.items():
                        server.said, server.calls, server.pictures = [], 0, 0
                        begun = time.perf_counter()
                        await loop(server, f"{kind}.html", page)
                        passed = time.perf_counter() - begun
                        _require(server.pictures == 1, "no picture")
                        read[name, kind] = tokens("\n".join(server.said)), server.calls
                        if rep >= 0:
                            times[name, kind].append(passed * 1000)
    report(times, read)


def report(
    times: dict[tuple[str, str], list[float]], read: dict[tuple[str, str], tuple[int, int]]
) -> None:
    """Print both, and the ratios."""
    print("page   server           calls  tokens  median  least (ms)")  # noqa: T201
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for (name, kind), samples in times.items():
        count, calls = read[name, kind]
        found = (count, statistics.median(samples), min(samples))
        sums[name] = [each + more for each, more in zip(sums[name], found, strict=True)]
        print(f"{kind:6} {name:16} {calls:5} {count:7} {found[1]:7.0f} {found[2]:6.0f}")  # noqa: T201
    whats = ("text tokens", "median time", "least time")
    for what, mine, other in zip(whats, *sums.values(), strict=True):
        print(f"{what}: {mine / other:.2f} (at most {MOST})")  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reps", type=int, default=7)
    asyncio.run(measure(parser.parse_args().reps))
