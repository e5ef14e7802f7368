"""How long files take: edits beside plain calls and the MCP filesystem server, reads beside fsspec.

    python -m tests.bench.files [--reps 15] [--server PATH/dist/index.js]

Prints medians in milliseconds, the ratios and what they should be, all from one run in which the
variants take turns. Without `--server` the npm package is installed into a temporary folder.
`server` is called as a host calls it, through the `mcp` client library where that is installed;
`raw` through a few lines of our own, which leaves the server's time alone. The server never
waits for the disk; each variant begins with a quiet one, or it would pay for the server's writes.
A plain read is fsspec's `cat_file` in a thread, as a host with an event loop must call it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit import Limits, Toolkit, Workspace

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")
SIZES = {"40 KB": 40_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
OLD, NEW = "const MARKER = 'one';", "const MARKER = 'two';"
MISS = "function draw99999(ctx) { ctx.fillRekt(99999, 1, 10, 10); return state.item[9]; }"
READS = ("first", "again", "on")
WARM_UP = 2
PACKAGE = "@modelcontextprotocol/server-filesystem"
LINE = "  function draw{0}(ctx) {{ ctx.fillRect({0}, {1}, 10, 10); return state.items[{0}]; }}\n"


def text_of(size: int) -> str:
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(LINE.format(len(lines), len(lines) % 97))
        length += len(lines[-1])
    lines.insert(len(lines) * 2 // 3, OLD + "\n")
    return "".join(lines)


def plain_edit(path: Path, old: str, new: str) -> None:
    text = path.read_bytes().decode()
    if text.count(old) != 1:
        raise ValueError("not one match")
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(text.replace(old, new).encode())
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


async def library_client(stack: AsyncExitStack, script: str, folder: Path) -> Any:
    """A session of the `mcp` library; None where it is not installed."""
    try:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
    except ImportError:
        return None
    command = StdioServerParameters(command="node", args=[script, str(folder)])
    read, write = await stack.enter_async_context(stdio_client(command))
    session = await stack.enter_async_context(ClientSession(read, write))
    await session.initialize()
    return session


class Server:
    """The MCP filesystem server behind a small client of our own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.count = 0

    @classmethod
    async def start(cls, script: str, folder: Path) -> Server:
        process = await asyncio.create_subprocess_exec(
            "node",
            script,
            str(folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=1 << 28,
        )
        server = cls(process)
        about = {"name": "bench", "version": "1"}
        await server.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about},
        )
        server.send({"method": "notifications/initialized"})
        return server

    def send(self, message: dict[str, Any]) -> None:
        if self.process.stdin is None:
            raise RuntimeError("no pipe")
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        if self.process.stdout is None:
            raise RuntimeError("no pipe")
        while True:
            answer = json.loads(await self.process.stdout.readline())
            if answer.get("id") == self.count:
                return answer["result"]

    async def edit(self, path: Path, old: str, new: str) -> None:
        args = {"path": str(path), "edits": [{"oldText": old, "newText": new}]}
        answer = await self.ask("tools/call", {"name": "edit_file", "arguments": args})
        if answer.get("isError"):
            raise RuntimeError(str(answer)[:200])

    async def stop(self) -> None:
        self.process.kill()
        await self.process.wait()


class Clock:
    """Milliseconds by variant and size; each variant begins with a quiet disk."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, str], list[float]] = defaultdict(list)

    async def time(self, name: str, size: str, call: Awaitable[T]) -> T:
        os.sync()
        begin = time.perf_counter()
        answer = await call
        self.times[name, size].append((time.perf_counter() - begin) * 1000)
        return answer

    def medians(self) -> dict[tuple[str, str], float]:
        return {key: statistics.median(times[WARM_UP:]) for key, times in self.times.items()}


async def measure(folder: Path, script: str, reps: int) -> dict[tuple[str, str], float]:
    """Median milliseconds of edits by variant and size."""
    clock = Clock()
    server = await Server.start(script, folder)
    limits = Limits(content_chars=20_000_000)
    async with AsyncExitStack() as stack:
        kit = await stack.enter_async_context(Toolkit(Workspace(str(folder)), limits=limits))
        session = await library_client(stack, script, folder)
        for count in SIZES.values():
            for name in ("plain", "ours", "raw", "server"):
                (folder / f"{name}{count}.js").write_text(text_of(count), encoding="utf-8")
        for rep in range(WARM_UP + reps):
            old, new = (OLD, NEW) if rep % 2 == 0 else (NEW, OLD)
            for size, count in SIZES.items():
                await clock.time("plain", size, plainly(folder / f"plain{count}.js", old, new))
                await clock.time("raw", size, server.edit(folder / f"raw{count}.js", old, new))
                if session is not None:
                    edits = [{"oldText": old, "newText": new}]
                    target = {"path": str(folder / f"server{count}.js"), "edits": edits}
                    call = session.call_tool("edit_file", target)
                    answer = await clock.time("server", size, call)
                    if answer.is_error:
                        raise RuntimeError(str(answer)[:200])
                args = {"path": f"ours{count}.js", "oldText": old, "newText": new}
                done = await clock.time("ours", size, kit.call("edit_file", args))
                args |= {"oldText": MISS, "newText": "x"}
                missed = await clock.time("refusal", size, kit.call("edit_file", args))
                if done.status != "ok" or "Closest text" not in missed.text:
                    raise RuntimeError(done.text + missed.text)
    await server.stop()
    medians = clock.medians()
    return {("server", size): medians["raw", size] for size in SIZES} | medians


async def plainly(path: Path, old: str, new: str) -> None:
    plain_edit(path, old, new)


async def measure_reads(folder: Path, reps: int) -> dict[tuple[str, str], float]:
    """Median milliseconds of reads of 1 MB by variant and storage."""
    clock = Clock()
    memory = MemoryFileSystem(skip_instance_cache=True)
    for kind, fs, base in (("local", LocalFileSystem(), str(folder)), ("memory", memory, "/reads")):
        kit = Toolkit(Workspace(fs, root=base))
        for rep in range(WARM_UP + reps):
            path = f"{base}/{rep}.js"
            fs.pipe_file(path, text_of(1_000_000).encode())
            fs.cat_file(path)
            await clock.time("plain", kind, asyncio.to_thread(fs.cat_file, path))
            args: dict[str, Any] = {"path": f"{rep}.js"}
            first = await clock.time("first", kind, kit.call("read_file", args))
            again = await clock.time("again", kind, kit.call("read_file", args))
            args["startLine"] = first.data["lines"][1] + 1
            await clock.time("on", kind, kit.call("read_file", args))
            if first != again or first.status != "ok":
                raise RuntimeError(first.text[:200])
    return clock.medians()


def report_reads(times: dict[tuple[str, str], float]) -> bool:
    """Print the figures; whether every ratio is what it should be."""
    good = True
    for kind in ("local", "memory"):
        plain = times["plain", kind]
        figures = [f"{name} {times[name, kind]:.2f} ms" for name in ("plain", *READS)]
        ratios = [f"{name} / plain {times[name, kind] / plain:.2f} (≤ 1.5)" for name in READS]
        print(f"read, {kind}: {'  '.join(figures)}  |  {'  '.join(ratios)}")  # noqa: T201
        good = good and all(times[name, kind] <= 1.5 * plain for name in READS)
    return good


def report(times: dict[tuple[str, str], float]) -> bool:
    """Print the figures; whether every ratio is what it should be."""
    good = True
    for size in SIZES:
        ours = times["ours", size]
        rows = [
            ("edit / plain", ours / times["plain", size], 2.0),
            ("edit / server", ours / times["server", size], 0.3),
        ]
        if size == "1 MB":
            rows.append(("refusal / edit", times["refusal", size] / ours, 5.0))
        figures = "  ".join(f"{name} {times[name, size]:.1f} ms" for name in
                            ("plain", "ours", "refusal", "raw", "server"))  # fmt: skip
        ratios = "  ".join(f"{name} {ratio:.2f} (≤ {most:g})" for name, ratio, most in rows)
        print(f"{size}: {figures}  |  {ratios}")  # noqa: T201  # the script's output
        good = good and all(ratio <= most for _, ratio, most in rows)
    return good


def installed(folder: Path) -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not there: give the server's dist/index.js with --server")
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return str(folder / "node_modules" / PACKAGE / "dist" / "index.js")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reps", type=int, default=15)
    parser.add_argument("--server", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        script = options.server or installed(folder / "npm")
        work = folder / "work"
        work.mkdir()
        edits = report(asyncio.run(measure(work, script, options.reps)))
        reads = report_reads(asyncio.run(measure_reads(work, options.reps)))
        return 0 if edits and reads else 1


if __name__ == "__main__":
    sys.exit(main())
