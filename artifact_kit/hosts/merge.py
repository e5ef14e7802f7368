"""`artifact-kit merge`: the reports of shards become the report of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import click

from artifact_kit.errors import Refusal
from artifact_kit.hosts.reports import tell, told

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LOST = 20


@click.command(short_help="Join the reports of shards.")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...")
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="URL",
    help="The folder for the joined report and its pictures.",
)
def merge(reports: tuple[str, ...], out: str) -> None:
    """Join each REPORT of a shard, and the pictures beside it, into what one run had given.

    REPORT and the folder are on this machine or at any fsspec URL.

    Ends as the one run had: 0 when all match, 1 when something does not or a shard is missing; 2
    when they are not the shards of one run, 3 when a storage failed.
    """
    with told():
        raise SystemExit(anyio.run(_merge, reports, out))


async def _merge(places: Sequence[str], out: str) -> int:
    from artifact_kit import visual

    parts = [await visual.load_report(place) for place in places]
    report = visual.merge([report for _, report in parts])
    target = visual.Folder(out)
    if any(visual.same_place(folder.shown, out) for folder, _ in parts):
        raise Refusal(f"{out} holds one of the reports; name another folder", code="same_place")
    lost = await visual.merge_pictures(parts, target)
    await visual.publish(target, report)
    for path in lost[:_MOST_LOST]:
        click.echo(visual.flat(f"no picture {path} in any of the reports"), err=True)
    if len(lost) > _MOST_LOST:
        click.echo(f"… and {len(lost) - _MOST_LOST} more", err=True)
    tell(report, f"{out.rstrip('/')}/{visual.REPORT}")
    return visual.exit_code(report) or int(bool(lost))
