"""The one place where exceptions become text."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from artifact_kit.contract.outcome import Outcome, Status
from artifact_kit.errors import Aborted, Failure, Refusal, ToolError
from artifact_kit.text import well_formed

if TYPE_CHECKING:
    from artifact_kit.contract.tool import Tool

log = logging.getLogger("artifact_kit")


async def run(tool: Tool, arguments: object, conversation: str) -> Outcome:
    """Check the arguments, run the handler, and render whatever comes of it.

    A cancelled call answers `aborted` instead of raising. Cancel scopes of anyio deliver their
    cancellation again at the caller's next await; `asyncio.Task.cancelling()` still tells of it.
    """
    try:
        outcome = await tool.handler(tool.intake(arguments), conversation)
    except ToolError as error:
        outcome = _answer(error, tool)
    except anyio.get_cancelled_exc_class():
        outcome = Outcome("aborted", "(aborted)", data={"code": "aborted"})
    except Exception:  # the last line of defence: a bug of ours must not end the host's run
        log.exception("unexpected error in %s", tool.name)
        text = f"{tool.verb} failed: unexpected error; nothing more is known. Try again."
        outcome = Outcome("failed", text, data={"code": "unexpected"})
    text = well_formed(outcome.text)
    return outcome if text is outcome.text else replace(outcome, text=text)


def _answer(error: ToolError, tool: Tool) -> Outcome:
    status: Status
    match error:
        case Refusal():
            status, text = "refused", f"Refused: {error.message}"
        case Failure():
            status, text = "failed", f"{error.verb or tool.verb} failed: {error.message}"
        case Aborted():
            status, text = "aborted", f"(aborted) {error.message}"
        case _:
            raise AssertionError(f"unknown kind of error: {error!r}")
    return Outcome(status, text, data={"code": error.code, **error.facts})
