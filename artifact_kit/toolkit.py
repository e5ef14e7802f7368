"""The tools of one workspace, put together for a host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from artifact_kit.contract import Outcome, Tool
from artifact_kit.contract.exports import TEXT_EDITOR_NAMES, text_editor
from artifact_kit.contract.values import shown
from artifact_kit.file_tools import file_tools
from artifact_kit.limits import Limits
from artifact_kit.preview import Preview
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from types import TracebackType


class Toolkit:
    """Tools over a workspace, for as long as the block lasts.

        async with Toolkit(Workspace("memory://")) as kit:
            outcome = await kit.call("write_file", {"path": "a.html", "content": "<p>"})

    `browser` is the path of a Chromium or the CDP address of a remote one; without it one is
    found, or with `install_browser` provided at the first preview. `strict` turns the repairs of
    given text (a code fence around it, stray tool-call tags, an object for a .json file) into
    refusals.
    """

    def __init__(
        self,
        workspace: Workspace | str,
        *,
        limits: Limits | None = None,
        strict: bool = False,
        browser: str | None = None,
        install_browser: bool = True,
    ) -> None:
        self.workspace = Workspace(workspace) if isinstance(workspace, str) else workspace
        self.limits = limits or Limits()
        self._preview = Preview(
            self.workspace, self.limits, browser=browser, install=install_browser
        )
        tools = [*file_tools(self.workspace, self.limits, strict=strict), self._preview.tool]
        self.tools: dict[str, Tool] = {tool.name: tool for tool in tools}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every page and the browser."""
        await self._preview.close()

    async def call(self, name: str, args: object, *, conversation: str = "default") -> Outcome:
        """Answer one call with arguments as the model sent them: a dict, or its JSON text.

        Never raises for anything a model, a page or a storage does. Anthropic's text editor tool
        is answered too, under its own name.
        """
        tool = self.tools.get(name)
        if tool is not None:
            return await tool.call(args, conversation=conversation)
        if name in TEXT_EDITOR_NAMES:
            return await text_editor(self.tools, args, conversation=conversation)
        text = f"there is no tool {shown(str(name))}. Tools: {', '.join(self.tools)}."
        return Outcome("refused", f"Refused: {text}", data={"code": "unknown_tool"})
