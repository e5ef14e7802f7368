"""`artifact-kit open`: what a model would read about a page."""

from pathlib import Path
from typing import Any

import click

from artifact_kit.hosts import exits
from artifact_kit.hosts.looks import ask, look_at, takes_look


@click.command("open", short_help="Print what a model would read about a page.")
@takes_look
def open_page(file: Path, root: Path | None, **view: Any) -> None:
    """Open FILE and print what a model would read about it.

    Ends 1 when the page has errors or is blank, 2 when it cannot be opened as asked, 3 when there
    is no browser.
    """
    (outcome,) = ask(look_at(file, root, **view))
    click.echo(outcome.text)
    raise SystemExit(exits.of(outcome))
