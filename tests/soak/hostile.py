"""By hand: `python -m tests.soak.hostile [REGEX]`; every hostile page with a good neighbour.

Each page is opened with default limits, clicked and read; then the next page is opened in the same
conversation. Beside it another conversation asks `read` again and again.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from artifact_kit import Limits
from tests.preview.desk import Desk, desk_at
from tests.sandbox.hostile_pages import PAGES

SHARED = Path(__file__).parents[3] / "shared" / "cases" / "hostile.json"
PAUSE_S = 0.05
NEXT_S = 2.0
SLOWER = 3.0
MEASURED_S = 2.0


@dataclass
class Measured:
    """One hostile page: seconds of each call, and what the neighbour's reads took."""

    calls: dict[str, float]
    quiet: list[float]
    beside: list[float]
    words: str
    next_ok: bool

    @property
    def slower(self) -> float:
        return median(self.beside) / median(self.quiet) if self.beside else 0.0

    def faults(self) -> list[str]:
        late = [name for name, took in self.calls.items() if took > Limits().call_s + 1]
        found = [f"{name} late" for name in late]
        if self.calls["next"] > NEXT_S:
            found.append("next open late")
        if not self.next_ok:
            found.append("next open failed")
        if self.slower > SLOWER:
            found.append("neighbour slow")
        return found


def pages() -> dict[str, tuple[str, str]]:
    """Every page by name: what calls for its worst, and its source."""
    found: dict[str, tuple[str, str]] = {
        name: (page.trigger, page.html) for name, page in PAGES.items()
    }
    if SHARED.exists():
        cases = json.loads(SHARED.read_text(encoding="utf-8"))
        found |= {case["id"]: (case["trigger"], case["html"]) for case in cases}
    return found


async def neighbour_reads(desk: Desk) -> float:
    started = time.perf_counter()
    outcome = await desk.call("read", conversation="good", queries=[{"css": "#p"}])
    assert outcome.data.get("values") == ["good"], outcome.text
    return time.perf_counter() - started


async def keep_reading(desk: Desk, taken: list[float]) -> None:
    while True:
        taken.append(await neighbour_reads(desk))
        await asyncio.sleep(PAUSE_S)


async def measure(desk: Desk, trigger: str, html: str) -> Measured:
    quiet = []
    for _ in range(10):
        quiet.append(await neighbour_reads(desk))
        await asyncio.sleep(PAUSE_S)
    beside: list[float] = []
    reading = asyncio.create_task(keep_reading(desk, beside))
    name = desk.put("hostile.html", html)
    steps: list[tuple[str, dict[str, Any]]] = [("open", {"path": name}), ("read", {}), ("shot", {})]
    if trigger == "click":
        steps.insert(1, ("act", {"actions": [{"type": "click", "css": "#b"}]}))
    calls, words = {}, ""
    try:
        for op, arguments in steps:
            started = time.perf_counter()
            outcome = await desk.call(op, conversation="bad", **arguments)
            calls[op] = time.perf_counter() - started
            words += f"{op} [{outcome.status}] {outcome.text}\n"
            if outcome.status != "ok":
                break
        # Long enough for a median, also for a page that ends at once.
        await asyncio.sleep(max(0.0, MEASURED_S - sum(calls.values())))
        started = time.perf_counter()
        outcome = await desk.show("<p id=p>next</p>", conversation="bad")
        calls["next"] = time.perf_counter() - started
        next_ok = (outcome.status, outcome.data.get("verdict")) == ("ok", "ok")
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    return Measured(calls, quiet, beside, words, next_ok)


async def run(only: str, verbose: bool) -> int:
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        async with desk_at(Path(folder)) as desk:
            await desk.show("<p id=p>good</p>", conversation="good")
            for name, (trigger, html) in pages().items():
                if not re.search(only, name):
                    continue
                measured = await measure(desk, trigger, html)
                found = measured.faults()
                faults += bool(found)
                report(name, measured, found, verbose)
    print(f"{faults} pages with faults")  # noqa: T201
    return 1 if faults else 0


def report(name: str, measured: Measured, found: list[str], verbose: bool) -> None:
    calls = " ".join(f"{op} {took:.1f}" for op, took in measured.calls.items())
    beside = measured.beside
    reads = (
        f"reads beside: {len(beside)}, median {median(beside) * 1000:.0f} ms "
        f"({measured.slower:.1f}x quiet), worst {max(beside):.2f} s"
        if beside
        else "no read beside ended"
    )
    print(f"{name:26} {calls}; {reads} {'; '.join(found).upper()}", flush=True)  # noqa: T201
    if verbose or found:
        print("    " + measured.words[:1500].replace("\n", "\n    "), flush=True)  # noqa: T201


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "-v"]
    sys.exit(asyncio.run(run(words[0] if words else "", "-v" in sys.argv)))
