"""`artifact-kit approve`: pictures of a run become the baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import click

from artifact_kit.hosts.reports import told
from artifact_kit.text import plural

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
@click.option(
    "--prune",
    is_flag=True,
    help="In place of that, delete the baselines whose page or shot is gone.",
)
def approve(
    report: str, names: tuple[str, ...], baselines: str | None, force: bool, prune: bool
) -> None:
    """Make the pictures of REPORT the baselines: of the checks NAMES, or of all that differ.

    REPORT is a run's report.json, its folder, or a ZIP of that, on this machine or at any fsspec
    URL. In a name, * stands for anything. Doing it again changes nothing.

    Ends 1 when a picture was refused, 2 when it can't be done as asked, 3 when a storage failed.
    """
    if prune and (names or force):
        raise click.UsageError("--prune is for a whole run, and needs no --force: leave both out.")
    with told():
        if prune:
            raise SystemExit(anyio.run(_prune, report, baselines))
        raise SystemExit(anyio.run(_approve, report, names, baselines, force))


async def _prune(place: str, baselines: str | None) -> int:
    from artifact_kit import visual

    _, report = await visual.load_report(place)
    root = visual.store_place(report, baselines)
    gone = await visual.prune(report, visual.BaselineStore(root), tell=_says("deleted", root))
    click.echo(f"{plural(len(gone), 'baseline')} deleted")
    return 0


async def _approve(place: str, names: Sequence[str], baselines: str | None, force: bool) -> int:
    from artifact_kit import visual

    output, report = await visual.load_report(place)
    root = visual.store_place(report, baselines)
    store = visual.BaselineStore(root)
    done = await visual.promote(
        report, output, store, "changed", names=names, force=force, tell=_says("saved", root)
    )
    for name, why in done.refused:
        click.echo(visual.flat(f"refused {name}: {why}"), err=True)
    click.echo(visual.promoted(done))
    return 1 if done.refused else 0


def _says(verb: str, root: str) -> Tell:
    return lambda path: click.echo(f"{verb} {root.rstrip('/')}/{path}")
