"""`artifact-kit demo`: the story, told on a terminal."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import click

from artifact_kit.hosts.demo.story import Ending, Unexpected, play
from artifact_kit.hosts.options import needs_browser, provided
from artifact_kit.toolkit import Toolkit
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from artifact_kit.contract import Outcome

_SHOWN = 60


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-out"),
    show_default=True,
    help="Where the game and its pictures go.",
)
@needs_browser
def demo(out: Path, setting: str | None, install: bool) -> None:
    """Write a game with a bug, see the error, fix it, and play it.

    Ends 0 only when all of it really happened.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        anyio.run(_tell, out, setting, install)
    except Unexpected as unexpected:
        raise click.ClickException(f"the demo did not work: {unexpected}") from unexpected
    except OSError as error:
        raise click.BadParameter(f"{out}: {error.strerror}.", param_hint="--out") from error


async def _tell(out: Path, setting: str | None, install: bool) -> None:
    browser = await provided(setting, install=install)
    started = time.monotonic()
    workspace = Workspace(str(out / "workspace"))
    async with Toolkit(workspace, browser=browser, install_browser=False) as kit:

        async def ask(why: str, tool: str, **args: Any) -> Outcome:
            click.secho(why, bold=True)
            click.secho(f"→ {tool} {_arguments(args)}", fg="cyan")
            outcome = await kit.call(tool, args)
            click.echo(f"{outcome.text.rstrip()}\n")
            return outcome

        ending = await play(ask)
    _keep(out, ending)
    seconds = time.monotonic() - started
    click.secho(f"Score {ending.score}, no errors, {seconds:.1f} s.", fg="green", bold=True)
    click.echo(f"The game: {out / 'workspace' / 'game.html'}")
    click.echo(f"Pictures: {out / 'before.png'}, {out / 'after.png'}")


def _arguments(args: dict[str, Any]) -> str:
    """The arguments as JSON, long texts shortened."""
    return json.dumps({name: _short(value) for name, value in args.items()}, ensure_ascii=False)


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > 2 * _SHOWN:
        return f"{value[:_SHOWN]}… ({len(value)} characters)"
    return value


def _keep(out: Path, ending: Ending) -> None:
    (out / "before.png").write_bytes(ending.before.data)
    (out / "after.png").write_bytes(ending.after.data)
