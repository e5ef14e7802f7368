"""By hand: `python -m tests.bench.clock`; a minute of a game's time beside a minute of ours."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from artifact_kit import Toolkit, Workspace

FIXTURES = Path(__file__).parents[2] / "fixtures"
MINUTE_MS = 60_000
MOST = 1 / 5


async def main() -> None:
    """Print what share of the real time a `wait` of one minute takes on the virtual clock."""
    async with Toolkit(Workspace(FIXTURES.as_uri())) as kit:
        opening = {"op": "open", "path": "snake/index.html", "clock": "virtual"}
        assert not (await kit.call("preview", opening)).is_error
        started = time.perf_counter()
        waiting = {"op": "act", "actions": [{"type": "wait", "ms": MINUTE_MS}]}
        outcome = await kit.call("preview", waiting)
        took = time.perf_counter() - started
        assert not outcome.is_error, outcome.text
    share = took * 1000 / MINUTE_MS
    sys.stdout.write(f"{took:.1f} s for a minute of 3,600 frames: {share:.2f} (most {MOST})\n")


if __name__ == "__main__":
    asyncio.run(main())
