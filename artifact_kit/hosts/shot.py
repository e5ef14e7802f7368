"""`artifact-kit shot`: a picture of a page."""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any

import click

from artifact_kit.hosts import exits
from artifact_kit.hosts.looks import ask, look_at, takes_look


@click.command(short_help="Write a picture of a page.")
@takes_look
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PNG file to write.",
)
@click.option("--full", is_flag=True, help="The whole page, not only the view.")
@click.option("--selector", metavar="CSS", help="Only the first element that it matches.")
def shot(
    file: Path, root: Path | None, output: Path, full: bool, selector: str | None, **view: Any
) -> None:
    """Write a picture of FILE, and print what a model would read about the page.

    Ends as `open` does; the picture of a page with errors is written too.
    """
    if full and selector:
        raise click.UsageError("--full and --selector exclude each other.")
    call = {"op": "shot", "target": "page" if full else selector or "view"}
    outcomes = ask(look_at(file, root, **view), [call])
    for outcome in outcomes:
        click.echo(outcome.text)
    for image in outcomes[-1].images:
        _save(output, image.data)
    raise SystemExit(max(map(exits.of, outcomes)))


def _save(target: Path, data: bytes) -> None:
    """Write all of it or leave the old file."""
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        draft.write_bytes(data)
        os.replace(draft, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise click.BadParameter(f"{target}: {error.strerror}.", param_hint="-o") from error
    click.echo(f"saved {target}")
