"""By hand: `python -m tests.soak.clock [RUNS] [--load N] [KIND ...]`; do runs repeat themselves?

The same script of acts on every page that moves, RUNS times, while N processes keep the cores
busy. Prints how many different runs there were of each kind, which should be one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from artifact_kit import Limits
from tests.preview import moving_pages
from tests.preview.desk import desk_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BUSY = "while True: pass"
FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGES = {
    **moving_pages.PAGES,
    **{
        name: (FIXTURES / name / "index.html").read_text(encoding="utf-8")
        for name in ("meteors", "motion", "snake")
    },
}


@contextlib.contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the cores busy meanwhile."""
    with contextlib.ExitStack() as stack:
        for _ in range(processes):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", BUSY]))
            stack.callback(busy.kill)
        yield


async def variants(kind: str, runs: int) -> Counter[tuple[str, ...]]:
    """How often each different run came."""
    seen: Counter[tuple[str, ...]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        async with desk_at(Path(folder), Limits(call_s=120.0, shot_s=60.0, busy_s=30.0)) as desk:
            moving_pages.put_files(desk)
            path = desk.put(f"{kind}.html", PAGES[kind])
            for _ in range(runs):
                seen[tuple(await moving_pages.run(desk, path))] += 1
    return seen


def tell(kind: str, seen: Counter[tuple[str, ...]], took: float) -> None:
    times = " + ".join(str(count) for count in seen.values())
    print(f"{kind:10} {len(seen)} of {times}   {took:.1f} s a run", flush=True)  # noqa: T201
    first, *others = seen
    for other in others:
        for one, two in zip(first, other, strict=True):
            if one != two:
                print(f"    {one[:300]!r}\n    {two[:300]!r}", flush=True)  # noqa: T201


async def main(runs: int, kinds: Sequence[str]) -> int:
    different = 0
    for kind in kinds:
        started = time.monotonic()
        seen = await variants(kind, runs)
        tell(kind, seen, (time.monotonic() - started) / runs)
        different += len(seen) > 1
    return 1 if different else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=int, nargs="?", default=20)
    parser.add_argument("kinds", nargs="*", choices=[[], *PAGES], default=[])
    parser.add_argument("--load", type=int, default=2)
    chosen = parser.parse_args()
    with load(chosen.load):
        sys.exit(asyncio.run(main(chosen.runs, chosen.kinds or list(PAGES))))
