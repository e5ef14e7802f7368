"""The browser of a server, looked for, and installed, beside the calls that need one."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from artifact_kit.browser import Chromium, provide
from artifact_kit.contract import Outcome
from artifact_kit.errors import Refusal, ToolError
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifact_kit.contract import Tool

log = logging.getLogger("artifact_kit.mcp")


class Provision:
    """Makes sure, once, that there is a browser; an installation goes on when a call gives up."""

    def __init__(self, setting: str | None, *, install: bool) -> None:
        self._setting = setting
        self._install = install
        self._finding: asyncio.Task[Chromium] | None = None
        self.line = ""
        """The last line of an installation that is going on."""

    async def before(self, tool: Tool, arguments: object, *, seconds: float) -> Outcome | None:
        """Wait for the browser when this call opens a page; the answer when there is none yet."""
        if "preview" not in tool.tags or not _opens(tool, arguments):
            return None
        if self._finding is None or _has_failed(self._finding):
            self._finding = asyncio.create_task(self._find())
        await asyncio.wait({self._finding}, timeout=seconds)
        if not self._finding.done():
            return _failed(
                f"the browser is still being installed ({clip(self.line, 120) or 'a moment'}). "
                "Nothing was opened; call again.",
                "starting",
            )
        error = self._finding.exception()
        return _failed(error.message, error.code) if isinstance(error, ToolError) else None

    def close(self) -> None:
        """Stop waiting."""
        if self._finding is not None:
            self._finding.cancel()

    async def _find(self) -> Chromium:
        try:
            return await provide(self._setting, install=self._install, progress=self._tell)
        finally:
            self.line = ""

    def _tell(self, line: str) -> None:
        self.line = line
        log.warning("%s", line)


def _failed(message: str, code: str) -> Outcome:
    return Outcome("failed", f"Preview failed: {message}", data={"code": code})


def _has_failed(task: asyncio.Task[Chromium]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _opens(tool: Tool, arguments: object) -> bool:
    try:
        found: Mapping[str, object] = tool.intake(arguments)
    except Refusal:  # which the call itself will tell
        return False
    return found.get("op") == "open"
