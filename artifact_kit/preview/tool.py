"""The `preview` tool as a model sees it; the browser's side is imported with the first call."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from artifact_kit.contract import Outcome, Tool
from artifact_kit.contract.intake import intake
from artifact_kit.contract.schemas import input_schema
from artifact_kit.preview.arguments import DESCRIPTION, TITLE, signature

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifact_kit.browser import Confinement
    from artifact_kit.limits import Limits
    from artifact_kit.preview.pages import Pages
    from artifact_kit.workspace import Workspace

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "ok, or why it is not."},
        "path": {"type": "string", "description": "The page that is open."},
        "verdict": {"type": "string", "enum": ["ok", "degraded", "broken"]},
        "errors": {"type": "integer", "description": "Errors since the page was opened."},
        "new_errors": {"type": "integer", "description": "Errors listed in this reply."},
        "blocked": {"type": "integer", "description": "Blocked requests listed in this reply."},
        "values": {"type": "array", "description": "read: the value of each query, or null."},
        "result": {"type": "string", "description": "eval: what the code returned, as shown."},
        "blank": {"type": "boolean", "description": "shot: whether it is one colour."},
        "saved": {"type": "string", "description": "shot: the workspace file it was saved as."},
    },
}


class Preview:
    """The tool and its lifetime.

    `browser` is a path, or the CDP address of a remote browser; without one it is found, and with
    `install` provided when there is none. `confinement` switches single layers off, for tests.
    """

    def __init__(
        self,
        workspace: Workspace,
        limits: Limits,
        *,
        browser: str | None = None,
        install: bool = True,
        confinement: Confinement | None = None,
    ) -> None:
        self._make = functools.partial(
            _pages, workspace, limits, browser=browser, install=install, confinement=confinement
        )
        self._pages: Pages | None = None
        self.tool = self._describe(limits)

    def _describe(self, limits: Limits) -> Tool:
        accepted = signature(limits)
        return Tool(
            name="preview",
            title=TITLE,
            description=DESCRIPTION,
            input_schema=input_schema(accepted),
            output_schema=OUTPUT_SCHEMA,
            annotations={
                "readOnlyHint": False,
                "destructiveHint": False,
                "idempotentHint": False,
                "openWorldHint": False,
            },
            tags=frozenset({"preview"}),
            verb="Preview",
            intake=functools.partial(intake, accepted),
            handler=self._handle,
            signature=accepted,
        )

    async def _handle(self, arguments: Mapping[str, Any], conversation: str) -> Outcome:
        if self._pages is None:
            self._pages = self._make()
        return await self._pages.answer(arguments, conversation)

    async def close(self) -> None:
        """Close every page and the browser."""
        pages, self._pages = self._pages, None
        if pages is not None:
            await pages.close()


def _pages(*arguments: Any, **options: Any) -> Pages:
    # Playwright takes longer to import than everything else together, and the file tools do not
    # need it.
    from artifact_kit.preview.pages import Pages

    return Pages(*arguments, **options)
