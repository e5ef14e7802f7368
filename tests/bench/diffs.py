"""How long comparing two pictures takes, beside pixelmatch and odiff.

    python -m tests.bench.diffs [--reps 9]

Chromium takes pictures of a page in two heights, and of the page with a change. All compare the
same pairs in one run in which they take turns: pixelmatch within a warm node process with pngjs;
odiff as its npm package runs it, which writes a picture, alone and as a server; odiff's program
without a picture; and this kit within this process. Each reads its files and decodes them. Prints
medians in milliseconds, of the clock and, where it is known, of CPU time, the ratios, what they
should be at most where little differs, and by how much the memory of a process grows. npm installs
the peers into a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.async_api import async_playwright

from artifact_kit.browser import provide
from artifact_kit.visual.comparison import compare
from artifact_kit.visual.diffpicture import diff_picture

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("pixelmatch@8", "pngjs@7", "odiff-bin@4")
HEIGHTS = {720: 4, 10_000: 45}
"""With how many panels."""
MOST = {"same": 0.05, "box": 0.5, "word": 0.5}
PEERS = ("pixelmatch", "odiff", "odiff server")
BARE = "odiff, bare"
TIMED = ("pixelmatch", BARE)
"""Peers whose CPU time is known."""
KIT, DRAWN = "artifact-kit", "and drawn"

PAGE = """<!doctype html><meta charset="utf-8"><title>Panels</title>
<style>* { box-sizing: border-box } body { margin: 0; font: 15px/1.5 sans-serif }
body { background: #f5f6fa } section { background: #fff; border-radius: 12px; margin: 16px }
section { padding: 14px; box-shadow: 0 1px 4px #0002 }
h2 { margin: 0 0 6px; font-size: 17px } p { margin: 4px 0 }
i { display: inline-block; width: 14px; height: 14px; background: #18a572 }</style><main></main>
<script>
  const panels = [];
  for (let panel = 0; panel < %d; panel++) {
    const curve = [];
    for (let x = 0; x < 1180; x += 4) {
      curve.push(`${x},${(60 + 40 * Math.sin(x / 40 + panel) + 10 * Math.cos(x / 9)).toFixed(2)}`);
    }
    panels.push(`<section><h2>Panel ${panel}</h2><p>Revenue grew by <b>${(panel * 37) %% 100}%%</b>
      in region ${panel}; the forecast stays within its band.</p><svg width="1180" height="120">
      <polyline points="${curve.join(" ")}" fill="none" stroke="hsl(${panel * 40} 70%% 45%%)"
      stroke-width="2.5"/></svg><i></i></section>`);
  }
  document.querySelector("main").innerHTML = panels.join("");
  document.documentElement.style.overflow = "hidden";
</script>"""

CHANGES = {
    "base": "0",
    "same": "0",
    "box": "document.querySelectorAll('i')[1].style.background = '#e0762c'",
    "word": "document.querySelectorAll('b')[1].textContent = '99%'",
    "text": "document.querySelectorAll('p').forEach((e) => e.style.paddingLeft = '0.3px')",
    "curves": "document.querySelectorAll('polyline').forEach("
    "(e) => e.setAttribute('transform', 'translate(0.3, 0)'))",
    "shift": "document.body.style.paddingTop = '1px'",
}

NODE = """
import { createRequire } from "node:module";
import fs from "node:fs";
import readline from "node:readline";
const require = createRequire(import.meta.url);
const { PNG } = require("pngjs");
const odiff = require("odiff-bin");
const pixelmatch = (await import("pixelmatch")).default;
const server = new odiff.ODiffServer();
const counted = (found) => (found.match ? 0 : found.diffCount);
const read = (path) => PNG.sync.read(fs.readFileSync(path));
const peers = {
  pixelmatch(a, b) {
    const [before, after] = [read(a), read(b)];
    return pixelmatch(before.data, after.data, null, before.width, before.height);
  },
  async odiff(a, b) {
    return counted(await odiff.compare(a, b, "drawn.png", { antialiasing: true }));
  },
  async "odiff server"(a, b) {
    return counted(await server.compare(a, b, "drawn.png", { antialiasing: true }));
  },
};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { peer, a, b } = JSON.parse(line);
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const pixels = await peers[peer](a, b);
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ pixels, wall, cpu: (user + system) / 1000 }));
}
server.stop();
"""

MEMORY = """
import sys
from pathlib import Path
from artifact_kit.visual.comparison import compare
files = [Path(name).read_bytes() for name in sys.argv[1:]]
def largest():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])
before = largest()
compare(*files)
print((largest() - before) // 1024)
"""

Sample = tuple[float, float, int]
"""Milliseconds of the clock and of CPU time, counted pixels."""


async def take(folder: Path) -> None:
    """Make the pictures."""
    chromium = await provide()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.executable, args=["--no-sandbox"]
        )
        for height, panels in HEIGHTS.items():
            for name, script in CHANGES.items():
                page = await browser.new_page(viewport={"width": 1280, "height": height})
                await page.set_content(PAGE % panels)
                await page.evaluate(script)
                await page.screenshot(path=folder / f"{height}-{name}.png")
                await page.close()
        await browser.close()


def installed(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A node process that compares, and the path of odiff's program."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise SystemExit("npm and node are needed")
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*install, *PACKAGES], check=True, cwd=folder)
    script = folder / "peers.mjs"
    script.write_text(NODE, encoding="utf-8")
    find = "console.log(require('odiff-bin/binary.js').findBinary())"
    found = subprocess.run([node, "-e", find], check=True, cwd=folder, capture_output=True)
    peers = subprocess.Popen(
        [node, str(script)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    return peers, found.stdout.decode().strip()


def by_node(peers: subprocess.Popen[str], peer: str) -> Callable[[Path, Path], Sample]:
    def run(before: Path, after: Path) -> Sample:
        if peers.stdin is None or peers.stdout is None:
            raise RuntimeError("no pipes")
        line = json.dumps({"peer": peer, "a": str(before), "b": str(after)})
        print(line, file=peers.stdin, flush=True)
        found: dict[str, Any] = json.loads(peers.stdout.readline())
        return found["wall"], found["cpu"], found["pixels"]

    return run


def by_odiff(program: str) -> Callable[[Path, Path], Sample]:
    def run(before: Path, after: Path) -> Sample:
        used, begun = _cpu(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [program, str(before), str(after), "--antialiasing", "--parsable-stdout"]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        wall = (time.perf_counter() - begun) * 1000
        pixels = int(done.stdout.partition(";")[0] or 0) if done.returncode else 0
        return wall, _cpu(resource.RUSAGE_CHILDREN) - used, pixels

    return run


def by_the_kit(before: Path, after: Path) -> Sample:
    used, begun = _cpu(resource.RUSAGE_SELF), time.perf_counter()
    pixels = compare(before.read_bytes(), after.read_bytes()).difference.pixels
    wall = (time.perf_counter() - begun) * 1000
    return wall, _cpu(resource.RUSAGE_SELF) - used, pixels


def by_the_kit_with_a_picture(before: Path, after: Path) -> Sample:
    used, begun = _cpu(resource.RUSAGE_SELF), time.perf_counter()
    pair = before.read_bytes(), after.read_bytes()
    found = compare(*pair)
    if found.outcome != "match":
        diff_picture(*pair)
    wall = (time.perf_counter() - begun) * 1000
    return wall, _cpu(resource.RUSAGE_SELF) - used, found.difference.pixels


def _cpu(whose: int) -> float:
    used = resource.getrusage(whose)
    return (used.ru_utime + used.ru_stime) * 1000


def memory(before: Path, after: Path) -> int:
    """By how many MiB the largest size of a process grows."""
    command = [sys.executable, "-c", MEMORY, str(before), str(after)]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def measure(reps: int, folder: Path) -> None:
    """Compare each pair with each tool, and print what that took."""
    node, odiff = installed(folder)
    tools = {
        "pixelmatch": by_node(node, "pixelmatch"),
        "odiff": by_node(node, "odiff"),
        BARE: by_odiff(odiff),
        "odiff server": by_node(node, "odiff server"),
        KIT: by_the_kit,
        DRAWN: by_the_kit_with_a_picture,
    }
    samples: dict[tuple[int, str], dict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for rep in range(-1, reps):
        for height in HEIGHTS:
            for kind in list(CHANGES)[1:]:
                for name, tool in tools.items():
                    pair = folder / f"{height}-base.png", folder / f"{height}-{kind}.png"
                    sample = tool(*pair)
                    if rep >= 0:
                        samples[height, kind][name].append(sample)
    if node.stdin is not None:
        node.stdin.close()
    node.wait()
    report(samples, folder)


def report(samples: dict[tuple[int, str], dict[str, list[Sample]]], folder: Path) -> None:
    """Print medians, ratios and memory."""
    for (height, kind), by_tool in samples.items():
        print(f"\n1280×{height} {kind}")  # noqa: T201
        middle: dict[str, list[float]] = {}
        for name, taken in by_tool.items():
            middle[name] = [statistics.median(sample[part] for sample in taken) for part in (0, 1)]
            wall, cpu = middle[name]
            cpus = f"{cpu:8.2f}" if name in (*TIMED, KIT, DRAWN) else "       -"
            print(f"  {name:13} {wall:8.2f} cpu {cpus} {taken[0][2]:8} pixels")  # noqa: T201
        for peer in (*PEERS, BARE):
            wall, cpu = (own / its for own, its in zip(middle[KIT], middle[peer], strict=True))
            cpus = f", cpu {cpu:.3f}" if peer in TIMED else ""
            most = f" (at most {MOST[kind]})" if kind in MOST and peer in PEERS else ""
            print(f"  to {peer}: {wall:.3f}{cpus}{most}")  # noqa: T201
        base, other = (folder / f"{height}-{name}.png" for name in ("base", kind))
        print(f"  memory: {memory(base, other)} MiB")  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reps", type=int, default=9)
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(take(Path(place)))
        measure(parser.parse_args().reps, Path(place))
