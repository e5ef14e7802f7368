"""`artifact-kit approve`: pictures of a run become the baselines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import anyio
import click

from artifact_kit.hosts.reports import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.visual import Tell


@click.command(short_help="Make pictures of a run the baselines.")
@click.argument("report")
@click.argument("names", nargs=-1)
@click.option(
    "--baselines",
    metavar="URL",
    help="Where the baselines are. [default: where the report says, seen from here]",
)
@click.option(
    "--force",
    is_flag=True,
    help="Take pictures of pages with errors or without content too, and overwrite baselines that"
    " were changed since.",
)
@click.option("--prune", is_flag=True, help="Delete the baselines that no check uses any more.")
def approve(
    report: str, names: tuple[str, ...], baselines: str | None, force: bool, prune: bool
) -> None:
    """Make the pictures of REPORT the baselines: of the checks NAMES, or of all that differ.

    REPORT is a run's report.json, its folder, or a ZIP of that, on this machine or at any fsspec
    URL. In a name, * stands for anything. Doing it again changes nothing.

    Ends 1 when a picture was refused, 2 when it can't be done as asked, 3 when a storage failed.
    """
    if prune and names:
        raise click.UsageError("--prune is for a whole run: leave the names out.")
    with told():
        raise SystemExit(anyio.run(partial(_approve, report, names, baselines, force, prune)))


async def _approve(
    place: str, names: Sequence[str], baselines: str | None, force: bool, prune: bool
) -> int:
    from artifact_kit import visual

    output, report = await visual.load_report(place)
    root = visual.store_place(report, baselines)
    store = visual.BaselineStore(root)
    gone = await visual.prune(report, store, tell=_says("deleted", root)) if prune else ()
    done = await visual.promote(
        report, output, store, "changed", names=names, force=force, tell=_says("saved", root)
    )
    for name, why in done.refused:
        click.echo(visual.flat(f"refused {name}: {why}"), err=True)
    click.echo(visual.promoted(done, gone))
    return 1 if done.refused else 0


def _says(verb: str, root: str) -> Tell:
    return lambda path: click.echo(f"{verb} {root.rstrip('/')}/{path}")
