"""Several shards' reports and pictures joined into what one run would have given."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from artifact_kit.errors import Refusal
from artifact_kit.text import clip
from artifact_kit.visual.folders import each
from artifact_kit.visual.keys import fold
from artifact_kit.visual.report import Report, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.visual.folders import Folder
    from artifact_kit.visual.report import Check

_SAME = {"platform": "platforms", "baselines": "baselines", "settings": "settings"}
"""What the shards of one run have in common."""


def merge(reports: Sequence[Report]) -> Report:
    """The report of one run in the plan's order, whatever the order of the shards.

    A shard that nobody handed in is named in `missing_shards`.

    Raises:
        Refusal: `not_shards` when they are not the shards of one run, in one sentence.
    """
    if not reports:
        raise Refusal("there is no report to merge", code="not_shards")
    first = reports[0]
    missing = _missing(reports)
    checks = sorted((c for report in reports for c in report.checks), key=_place)
    _check_unique(checks)
    for field, shown in _SAME.items():
        if any(getattr(report, field) != getattr(first, field) for report in reports):
            raise Refusal(f"they are of different runs: their {shown} differ", code="not_shards")
    obsolete = reduce(frozenset.intersection, (frozenset(r.obsolete) for r in reports))
    return first.model_copy(
        update={
            "tool": _joined([report.tool for report in reports]),
            "browser": _joined([report.browser for report in reports]),
            "shard": None,
            "missing_shards": missing,
            "filtered": any(report.filtered for report in reports),
            "interrupted": any(report.interrupted for report in reports),
            "planned": sum(report.planned for report in reports),
            "seconds": sum(report.seconds for report in reports),
            "checks": tuple(checks),
            "obsolete": tuple(sorted(obsolete)),
        }
    )


async def merge_pictures(parts: Sequence[tuple[Folder, Report]], target: Folder) -> tuple[str, ...]:
    """Copy the pictures of every part to where the joined report looks for them.

    What comes back are the paths of those that a part names and does not have.

    Raises:
        Failure: What a storage met.
    """
    pictures = [
        (folder, path)
        for folder, report in parts
        for check in report.checks
        for path in check.pictures.model_dump(exclude_none=True).values()
    ]

    async def copy(picture: tuple[Folder, str]) -> str:
        folder, path = picture
        data = await folder.read(path)
        if data is None:
            return path
        await target.write(path, data)
        return ""

    return tuple(filter(None, await each(copy, pictures)))


def _missing(reports: Sequence[Report]) -> tuple[Shard, ...]:
    shards = [report.shard for report in reports if report.shard]
    if len(shards) < len(reports):
        raise Refusal("one of them is of a whole run, not of a shard", code="not_shards")
    counts = {shard.count for shard in shards}
    if len(counts) > 1:
        told = " and ".join(f"x/{count}" for count in sorted(counts))
        raise Refusal(f"they are of different runs: shards {told}", code="not_shards")
    indices = [shard.index for shard in shards]
    for index in indices:
        if indices.count(index) > 1:
            raise Refusal(f"shard {index} was handed in twice", code="not_shards")
    (count,) = counts
    there = range(1, count + 1)
    return tuple(Shard(index=index, count=count) for index in there if index not in indices)


def _joined(builds: Sequence[str]) -> str:
    return " and ".join(dict.fromkeys(filter(None, builds)))


def _place(check: Check) -> tuple[int, str]:
    return check.position, check.name


def _check_unique(checks: Sequence[Check]) -> None:
    seen: dict[str, str] = {}
    for check in checks:
        if fold(check.name) in seen:
            name = clip(check.name, 120)
            raise Refusal(f"'{name}' is in two of the reports", code="not_shards")
        seen[fold(check.name)] = check.name
