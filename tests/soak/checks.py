"""By hand: `python -m tests.soak.checks [RUNS]`; do pages that move match their baselines?

Every page that moves or throws dice, and the repository's own that do, checked RUNS times against
one baseline, two at a time. Prints each difference; there should be none.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from artifact_kit import Limits
from artifact_kit.visual import Browsers
from tests.preview import moving_pages
from tests.preview.desk import desk_at
from tests.visual.stand import Stand

FIXTURES = Path(__file__).parents[2] / "fixtures"
OWN = ("meteors", "motion", "snake", "planets", "rainfall", "webgl")


async def run(runs: int) -> int:
    """How many checks did not match."""
    strange = 0
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site"
        for own in OWN:
            shutil.copytree(FIXTURES / own, site / own)
        async with desk_at(site) as desk:
            moving_pages.put_files(desk)
        for kind, page in moving_pages.PAGES.items():
            (site / f"{kind}.html").write_text(page, encoding="utf-8")
        async with Browsers(Limits()) as browsers:
            stand = Stand(Path(name), browsers)
            await stand.run(accept="new", force=True, fail_on=("none",))
            for number in range(runs):
                report = await stand.run(fail_on=("none",))
                for check in report.checks:
                    if check.outcome != "match" or check.difference is not None:
                        strange += 1
                        told = f"run {number}: {check.name} {check.outcome} {check.difference}"
                        sys.stdout.write(f"{told} {check.message}\n")
    sys.stdout.write(f"{runs} runs of {len(report.checks)} checks, {strange} not the same\n")
    return strange


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="?", type=int, default=100)
    raise SystemExit(bool(asyncio.run(run(parser.parse_args().runs))))
