"""One look at a local page: what `open` and `shot` have in common."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import click

from artifact_kit.hosts.options import needs_browser, provided
from artifact_kit.toolkit import Toolkit
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifact_kit.contract import Outcome

    Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Look:
    """A page of a workspace, the view it is given, and the browser."""

    root: Path
    path: str
    width: int | None
    height: int | None
    setting: str | None
    install: bool


def takes_look(command: Command) -> Command:
    """The file and the options that make a look."""
    for option in (
        click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        click.option(
            "--root",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="The folder whose files the page may load. [default: the folder of FILE]",
        ),
        click.option("--width", type=int, help="In CSS pixels; 1280 by default."),
        click.option("--height", type=int, help="In CSS pixels; 720 by default."),
    ):
        command = option(command)
    return needs_browser(command)


def look_at(
    file: Path,
    root: Path | None,
    *,
    width: int | None,
    height: int | None,
    setting: str | None,
    install: bool,
) -> Look:
    """The look that the options of `takes_look` mean."""
    file = file.resolve()
    root = root.resolve() if root else file.parent
    if not file.is_relative_to(root):
        raise click.BadParameter(f"{file.name} is not in it.", param_hint="--root")
    return Look(root, file.relative_to(root).as_posix(), width, height, setting, install)


def ask(look: Look, further: Sequence[dict[str, Any]] = ()) -> list[Outcome]:
    """The answers to `open` and to the further calls, up to the first that is not ok."""
    outcomes: list[Outcome] = anyio.run(_ask, look, further)
    if outcomes[-1].status == "aborted":
        raise click.Abort
    return outcomes


async def _ask(look: Look, further: Sequence[dict[str, Any]]) -> list[Outcome]:
    browser = await provided(look.setting, install=look.install)
    size = {"width": look.width, "height": look.height}
    asked = {name: value for name, value in size.items() if value is not None}
    first = {"op": "open", "path": look.path, **asked}
    outcomes: list[Outcome] = []
    workspace = Workspace(str(look.root), read_only=True)
    async with Toolkit(workspace, browser=browser, install_browser=False) as kit:
        for call in (first, *further):
            outcomes.append(await kit.call("preview", call))
            if outcomes[-1].is_error:
                break
    return outcomes
