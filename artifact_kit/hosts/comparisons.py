"""What the tests of a run compared: told of in each test, reported and approved at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit import visual
from artifact_kit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifact_kit.hosts.places import Places
    from artifact_kit.visual import Accept, Check, Report

ACCEPTED: dict[Accept | None, tuple[str, ...]] = {
    None: ("match",),
    "new": ("match", "new"),
    "changed": ("match", "new", "different", "resized", "bad-baseline"),
}
"""How a comparison may end in a run that was told to make baselines."""


@dataclass
class Conclusion:
    """What came of a run."""

    report: Report | None = None
    said: list[str] = field(default_factory=list)
    failed: bool = False
    """Something went wrong that no test has failed for."""


def message(check: Check, places: Places) -> str:
    """Why a comparison fails, the files to look at, and how to accept what is meant."""
    lies = check.pictures.model_dump(exclude_none=True)
    files = [(kind, places.shown(places.out, path)) for kind, path in lies.items()]
    files += [("report", places.shown(places.out, visual.PAGE))]
    if check.outcome in visual.ACCEPTABLE:
        report, baselines = places.shown(places.out, visual.REPORT), places.shown(places.baselines)
        files += [("accept", visual.approve_command(report, [check], baselines))]
    lines = [f"  {f'{name}:':<10}{said}" for name, said in files]
    return "\n".join([f"{check.name}: {visual.sentence(check)}", *lines])


async def conclude(
    found: Iterable[Check],
    places: Places,
    accept: Accept | None,
    *,
    seconds: float,
    stopped: bool,
) -> Conclusion:
    """Write the report of all comparisons; make baselines when that is wished for and the run
    came to its end."""
    checks = sorted(found, key=lambda check: check.name)
    end = Conclusion()
    try:
        visual.check_names(check.name for check in checks)
        report = visual.report_of(
            [check.model_copy(update={"position": at}) for at, check in enumerate(checks)],
            platform=visual.platform_key(),
            baselines=places.shown(places.baselines),
            interrupted=stopped,
            planned=len(checks),
            seconds=round(seconds, 3),
        )
        await _write(report, places, None if stopped else accept, end)
    except ToolError as error:
        end.said.append(visual.flat(error.message))
        end.failed = True
    return end


async def _write(report: Report, places: Places, accept: Accept | None, end: Conclusion) -> None:
    output, store = visual.Folder(places.out), visual.BaselineStore(places.baselines)

    def tell(path: str) -> None:
        end.said.append(f"saved {places.shown(places.baselines, path)}")

    await visual.clear(output, report.checks)
    if accept:
        done = await visual.promote(report, output, store, accept, tell=tell)
        report = done.report
        end.said += [visual.flat(f"refused {name}: {why}") for name, why in done.refused]
        end.failed = bool(done.refused)
    await visual.publish(output, report)
    end.report = report
