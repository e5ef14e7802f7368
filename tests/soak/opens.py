"""By hand: `python -m tests.soak.opens [OPENS]`; memory after many opens.

One process opens pages over and over, in conversations that change now and then, and prints the
resident memory of the host, of Playwright's driver and of the browsers as it goes.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from artifact_kit import Limits
from tests.preview.desk import Desk, desk_at

WARM = 200
EVERY = 50
AGAIN = 20
"""Opens in one conversation before the next begins."""
PAGE = "<h1>Page {n}</h1><button id=b>go</button><p id=p>{n}</p><script>console.log({n})</script>"


@dataclass(frozen=True)
class Sizes:
    """Resident memory in MiB."""

    host: float
    driver: float
    browsers: float
    processes: int

    @property
    def total(self) -> float:
        return self.host + self.driver + self.browsers


def sizes() -> Sizes:
    """What each part uses now, without what Chromium's processes share."""
    host = psutil.Process()
    driver = browsers = 0
    children = host.children(recursive=True)
    for each in children:
        try:
            used, command = each.memory_info(), " ".join(each.cmdline())
        except psutil.Error:
            continue
        if "--type=" in command or "--remote-debugging" in command:
            browsers += used.rss - used.shared
        elif "playwright" in command:
            driver += used.rss
    mib = 2**20
    return Sizes(host.memory_info().rss / mib, driver / mib, browsers / mib, len(children))


async def one(desk: Desk, n: int, conversation: str) -> None:
    """A page as a model looks at it: open, click, picture."""
    outcome = await desk.show(PAGE.format(n=n), conversation=conversation)
    assert outcome.status == "ok", outcome.text
    assert f"{n} " in outcome.text
    click = [{"type": "click", "css": "#b"}]
    assert (await desk.call("act", actions=click, conversation=conversation)).status == "ok"
    if n % 10 == 0:
        assert (await desk.call("shot", conversation=conversation)).images


async def main(opens: int) -> int:
    started, first, last = time.monotonic(), None, None
    with tempfile.TemporaryDirectory() as folder:
        async with desk_at(Path(folder), Limits(sessions=2)) as desk:
            for n in range(1, opens + 1):
                await one(desk, n, f"talk {n // AGAIN}")
                if n % EVERY == 0:
                    gc.collect()
                    last = sizes()
                    first = last if n == WARM else first
                    tell(n, last, time.monotonic() - started)
    if first is None or last is None:
        return 0
    growth = last.total / first.total - 1
    print(f"growth of all since open {WARM}: {growth:+.1%}")  # noqa: T201
    return 1 if growth > 0.2 else 0


def tell(n: int, now: Sizes, took: float) -> None:
    parts = f"host {now.host:6.1f}  driver {now.driver:6.1f}  browsers {now.browsers:7.1f} MiB"
    print(f"{n:5} opens  {took:6.0f} s  {parts}  {now.processes} processes", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)))
