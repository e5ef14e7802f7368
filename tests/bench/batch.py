"""What checking many small pages costs, beside a bare script and shot-scraper.

    python -m tests.bench.batch [--pages 200] [--reps 3] [--jobs N]

Small pages of two kinds are checked against their baselines, in turns with a script that only
loads each in a context of its own over the raw protocol, clicks and takes a PNG, in two browsers;
shot-scraper, which pip installs into a temporary folder, takes one page a process. Prints pages
per second and processor time a page, their ratios with what these should be, and how much memory
the check's processes hold after a quarter of the pages and at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from artifact_kit import Limits
from artifact_kit.browser import provide
from artifact_kit.visual import Browsers, Run, Wishes, promote, suite_of
from tests.bench.loop import pages

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_OF_BARE = 0.6
LEAST_OF_SCRAPER = 5.0
SWITCHES = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-extensions",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--window-size=1280,720",
)
SCRAPED = 6
KEPT = 12
"""Pages of each browser whose processor time is counted: a browser that has ended tells none."""


@dataclass
class Figures:
    """What one way of going through the pages has cost."""

    seconds: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)


class Bare:
    """Chromium over a pipe, with as little between as there can be."""

    def __init__(self, executable: str, folder: Path) -> None:
        self._executable = executable
        self._folder = folder
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loads: dict[str, asyncio.Future[None]] = {}

    async def start(self) -> None:
        """Start the browser."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        command = [self._executable, *SWITCHES, f"--user-data-dir={self._folder}", "about:blank"]
        self._process = await asyncio.create_subprocess_exec(
            "/bin/bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *command,
            pass_fds=(theirs_in, theirs_out), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(limit=2**26)
        protocol = asyncio.StreamReaderProtocol(self._reader)
        await loop.connect_read_pipe(lambda: protocol, os.fdopen(ours_in, "rb", 0))
        self._out, _ = await loop.connect_write_pipe(
            asyncio.BaseProtocol, os.fdopen(ours_out, "wb", 0)
        )
        self._listening = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """End the browser."""
        self._process.kill()
        await self._process.wait()
        self._listening.cancel()
        self._out.close()

    async def _listen(self) -> None:
        while message := json.loads((await self._reader.readuntil(b"\0"))[:-1]):
            if message.get("method") == "Page.loadEventFired":
                self._loads.pop(message["sessionId"]).set_result(None)
            elif "id" in message:
                self._answers.pop(message["id"]).set_result(message["result"])

    def _send(
        self, method: str, session: str = "", **params: Any
    ) -> asyncio.Future[dict[str, Any]]:
        number = next(self._numbers)
        where = {"sessionId": session} if session else {}
        text = json.dumps({"id": number, "method": method, "params": params, **where})
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._out.write(text.encode() + b"\0")
        return self._answers[number]

    async def page(self, url: str) -> int:
        """Load, click, and take a picture; gives its size in bytes."""
        context = (await self._send("Target.createBrowserContext"))["browserContextId"]
        place: dict[str, Any] = {"browserContextId": context, "width": 1280, "height": 720}
        made = await self._send("Target.createTarget", url="about:blank", **place)
        session = (
            await self._send("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        )["sessionId"]
        loaded = self._loads[session] = asyncio.get_running_loop().create_future()
        await asyncio.gather(
            *(self._send(f"{each}.enable", session) for each in ("Page", "Runtime"))
        )
        await asyncio.gather(self._send("Page.navigate", session, url=url), loaded)
        click = "document.querySelector('#start').click()"
        await self._send("Runtime.evaluate", session, expression=click)
        shot = await self._send(
            "Page.captureScreenshot", session, format="png", optimizeForSpeed=True
        )
        await self._send("Target.disposeBrowserContext", browserContextId=context)
        return len(base64.b64decode(shot["data"]))


async def bare(executable: str, urls: list[str], folder: Path, figures: Figures) -> None:
    """Every page, four at a time in two browsers."""
    browsers = [Bare(executable, folder / f"bare{number}") for number in range(2)]
    for browser in browsers:
        await browser.start()
    waiting = list(urls)

    async def work(browser: Bare) -> None:
        while waiting:
            await browser.page(waiting.pop())

    await timed(figures, len(urls), lambda: asyncio.gather(*map(work, browsers * 2)))
    for browser in browsers:
        await browser.stop()


async def checked(
    folder: Path, figures: Figures, jobs: int, memory: list[float], *, first: bool = False
) -> None:
    """The same pages against their baselines."""
    suite = await suite_of(
        [str(folder / "site")],
        out=str(folder / "out"),
        baselines=str(folder / "baselines"),
        wishes=Wishes(),
    )
    async with Browsers(Limits()) as browsers:
        run = Run(suite.judge(browsers), Limits())
        count = len(suite.views)
        if not first:
            few = suite.views[: KEPT * jobs]
            await timed(figures, len(few), lambda: run.check(few, jobs=jobs))
            figures.seconds.pop()
            run.checks.clear()
        run.tell = lambda _: remember(run, count, memory)
        begun = time.monotonic()
        await run.check(suite.views, jobs=jobs)
        figures.seconds.append((time.monotonic() - begun) / count)
    report = await suite.report(run.judge, run.checks, 1, stopped=False)
    if first:
        await promote(report, suite.output, suite.store, "new")
    elif any(check.outcome != "match" for check in report.checks):
        raise SystemExit(f"not all match: {[check.name for check in report.checks]}")


def remember(run: Run, count: int, memory: list[float]) -> None:
    """How much memory is held, at a quarter and at the end."""
    if len(run.checks) in (count // 4, count - 1):
        memory.append(held())


def held() -> float:
    """Of this process and its children, in MB; what they share is counted once."""
    sizes = []
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        try:
            sizes.append(process.memory_full_info().pss)
        except psutil.Error:
            continue
    return sum(sizes) / 2**20


async def timed(figures: Figures, count: int, work: Callable[[], Any]) -> None:
    """Note how long work took, and how much of the processors."""
    begun, spent = time.monotonic(), cpu()
    await work()
    figures.seconds.append((time.monotonic() - begun) / count)
    figures.cpu_ms.append((cpu() - spent) / count * 1000)


def cpu() -> float:
    """Seconds that this process and its children have used, the ended ones too."""
    used = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        try:
            used += sum(process.cpu_times())
        except psutil.Error:
            continue
    return used


def scraper(folder: Path, executable: str) -> Callable[[Path], None]:
    """Install shot-scraper, and give what takes a picture of a page with it."""
    venv.create(folder / "scraper", with_pip=True)
    python = folder / "scraper" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", "shot-scraper"]
    subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
    find = "import json, pathlib, playwright; print(next(each['revision'] for each in json.loads((\
        pathlib.Path(playwright.__file__).parent / 'driver/package/browsers.json').read_text()\
        )['browsers'] if each['name'] == 'chromium-headless-shell'))"
    revision = subprocess.check_output([python, "-c", find], text=True).strip()
    place = folder / "browsers" / f"chromium_headless_shell-{revision}"
    starter = place / "chrome-headless-shell-linux64" / "chrome-headless-shell"
    starter.parent.mkdir(parents=True)
    starter.write_text(f'#!/bin/sh\nexec {executable} --no-sandbox "$@"\n')
    starter.chmod(0o755)
    (place / "INSTALLATION_COMPLETE").touch()
    env = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(place.parent), "HOME": str(folder)}
    command = str(python.with_name("shot-scraper"))

    def take(page: Path) -> None:
        view = ["--width", "1280", "--height", "720", "-o", str(folder / "scraped.png")]
        subprocess.run([command, str(page), *view], check=True, env=env, capture_output=True)

    return take


async def main(count: int, reps: int, jobs: int) -> None:
    """Take turns and print what came out."""
    executable = (await provide()).executable
    if executable is None:
        raise SystemExit("a local Chromium is needed")
    figures: defaultdict[str, Figures] = defaultdict(Figures)
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "site").mkdir()
        kinds = [page for kind, page in pages().items() if kind != "table"]  # it is not small
        for number in range(count):
            page = kinds[number % len(kinds)].replace("<h1>", f"<h1>{number} ")
            (folder / "site" / f"p{number}.html").write_text(page)
        files = sorted((folder / "site").iterdir())
        take = scraper(folder, executable)
        await checked(folder, Figures(), jobs, [], first=True)
        for _ in range(reps):
            await checked(folder, figures["check"], jobs, memory)
            await bare(executable, [file.as_uri() for file in files], folder, figures["bare"])

            async def scraped() -> None:
                for file in files[:SCRAPED]:
                    await asyncio.to_thread(take, file)

            await timed(figures["shot-scraper"], SCRAPED, scraped)
    sys.stdout.write(f"{told(figures, memory)}\n")


def told(figures: dict[str, Figures], memory: list[float]) -> str:
    """The figures, and how they should be at least."""
    rate = {name: 1 / statistics.median(each.seconds) for name, each in figures.items()}
    spent = {name: statistics.median(each.cpu_ms) for name, each in figures.items()}
    lines = [
        f"{name:14} {rate[name]:6.2f} pages/s  {spent[name]:5.0f} ms of processor a page"
        for name in figures
    ]
    share, less = rate["check"] / rate["bare"], spent["bare"] / spent["check"]
    lines.append(
        f"beside bare          {share:.2f}, by processor {less:.2f} (least {LEAST_OF_BARE})"
    )
    times = rate["check"] / rate["shot-scraper"]
    lines.append(f"beside shot-scraper  {times:.1f} (least {LEAST_OF_SCRAPER:g})")
    held = zip(memory[::2], memory[1::2], strict=True)
    lines.append("memory, MB: " + ", ".join(f"{early:.0f} → {late:.0f}" for early, late in held))
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 2)
    given = parser.parse_args()
    asyncio.run(main(given.pages, given.reps, given.jobs))
