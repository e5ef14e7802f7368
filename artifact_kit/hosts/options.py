"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from artifact_kit.browser import provide
from artifact_kit.errors import Failure
from artifact_kit.hosts.exits import NoBrowser

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = TypeVar("Command", bound=Callable[..., Any])

which_browser = click.option(
    "--browser",
    "setting",
    metavar="PATH|URL",
    help="A Chromium, or the CDP address of a remote one. [default: ARTIFACT_KIT_BROWSER, else "
    "the first one found]",
)


def needs_browser(command: Command) -> Command:
    """The options of a command that looks at pages."""
    no_install = click.option(
        "--no-browser-install",
        "install",
        is_flag=True,
        flag_value=False,
        default=True,
        help="Never install a browser where there is none.",
    )
    return which_browser(no_install(command))


async def provided(setting: str | None, *, install: bool) -> str:
    """The browser as a toolkit takes it. An installation is told of on standard error, and takes
    its minutes here, before the deadline of any tool call runs."""
    try:
        chromium = await provide(setting, install=install)
    except Failure as failure:
        raise NoBrowser(failure.message) from failure
    return chromium.executable or chromium.endpoint or ""
