"""What the commands of visual checks have in common: words on the terminal, and on GitHub."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import click

from artifact_kit.errors import Failure, Refusal
from artifact_kit.hosts.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from artifact_kit.visual import Report


class NoStorage(click.ClickException):
    """Ends the command because a storage did not do its part."""

    exit_code = Exit.NO_BROWSER


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Ends the command, where something is raised: 2 for what its user can mend, 3 for others."""
    try:
        yield
    except Refusal as refusal:
        raise click.UsageError(_sentence(refusal.message)) from refusal
    except Failure as failure:
        raise NoStorage(_sentence(failure.message)) from failure


def _sentence(message: str) -> str:
    """With a full stop, unless it ends in the name of the folder here or above."""
    return message if message.endswith((" .", " ..")) else f"{message}."


def tell(report: Report, place: str, say: Callable[[str], None] = click.echo) -> None:
    """Say what a report says: a line for each check to look at, then the sum; `place` is its own.

    On GitHub the change is annotated too, and the job has a summary.
    """
    from artifact_kit.visual import error_lines, summary, terminal_lines

    for line in terminal_lines(report, place):
        say(line)
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    for line in error_lines(report):
        say(line)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        with contextlib.suppress(OSError), open(path, "a", encoding="utf-8") as file:
            file.write(summary(report, place))
