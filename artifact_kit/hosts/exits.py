"""How a command ends."""

from enum import IntEnum

import click

from artifact_kit.contract import Outcome


class Exit(IntEnum):
    """The codes of every command."""

    OK = 0
    ERRORS = 1
    """The page has errors, or what was asked did not happen."""
    USAGE = 2
    NO_BROWSER = 3


def of(outcome: Outcome) -> Exit:
    """The code for what a page answered."""
    if outcome.status == "refused":
        return Exit.USAGE
    if outcome.data.get("code") == "no_browser":
        return Exit.NO_BROWSER
    broken = outcome.is_error or outcome.data.get("verdict") == "broken"
    return Exit.ERRORS if broken or outcome.data.get("new_errors") else Exit.OK


class NoBrowser(click.ClickException):
    """Ends the command because there is no browser, or none that starts."""

    exit_code = Exit.NO_BROWSER
