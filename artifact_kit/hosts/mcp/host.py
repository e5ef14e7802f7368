"""What the server answers to each request of a client."""

from __future__ import annotations

import logging
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from artifact_kit.contract import Outcome
from artifact_kit.hosts.mcp import resources
from artifact_kit.hosts.mcp.clients import Clients
from artifact_kit.hosts.mcp.content import listed, result
from artifact_kit.hosts.mcp.provision import Provision
from artifact_kit.hosts.mcp.tools import unknown

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult

    from artifact_kit.contract import Tool
    from artifact_kit.hosts.mcp.clients import Client, Context, Kit
    from artifact_kit.hosts.mcp.settings import Settings

log = logging.getLogger("artifact_kit.mcp")
_INSTRUCTIONS = (
    "A workspace for web pages, games and charts, and eyes on them: write_file, preview (open), "
    "then act, read, eval or shot; fix with edit_file and open again. Errors of the page come with "
    "every preview result."
)
_SHOWS_STRUCTURED = ("claude-code",)
"""Clients whose model is shown the structured part in place of the text, and of the pictures
(github.com/anthropics/claude-code/issues/79944)."""
_NEWER = "io.modelcontextprotocol/protocolVersion"
"""Stands in `_meta` of clients that do not shake hands; without a connection there is no page that
stays open between two calls."""
_BEAT_S = 1.0


class Host:
    """The tools of one server process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.clients = Clients(settings)
        self._provision = Provision(settings.browser, install=settings.install)

    async def close(self) -> None:
        """Close every page and browser."""
        self._provision.close()
        await self.clients.close()

    def server(self) -> Server[Any]:
        """The protocol's side of it."""
        server: Server[Any] = Server(
            "artifact-kit",
            title="Artifact kit",
            version=version("artifact-kit"),
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=_list_templates,
            on_read_resource=self._read_resource,
        )
        server.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, self._roots_changed
        )
        server.middleware[:] = [_understood]
        return server

    async def _list_tools(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        structured = self._is_structured(context)
        tools = [listed(tool, structured=structured) for tool in self.clients.tools.values()]
        return types.ListToolsResult(tools=tools)

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        client, kit = await self.clients.of(context)
        tool = kit.tools.get(params.name)
        if tool is None:
            outcome = unknown(params.name, kit.tools)
        else:
            outcome = await self._watched(context, tool, params.arguments, client, kit)
        return result(
            outcome,
            structured=self._is_structured(context),
            images=self._settings.images == "include",
            uris=[client.keep(image) for image in outcome.images],
        )

    async def _watched(
        self, context: Context, tool: Tool, arguments: Any, client: Client, kit: Kit
    ) -> Outcome:
        """Call a tool, and beside it tell of progress and notice a client that goes away."""
        outcome: Outcome | None = None
        kit.calls += 1
        try:
            async with anyio.create_task_group() as beside:
                beside.start_soon(self._tell_progress, context, tool)
                if context.request is not None:
                    beside.start_soon(_end_without_client, context.request, beside.cancel_scope)
                seconds = self._settings.limits.call_s
                outcome = await self._provision.before(tool, arguments, seconds=seconds)
                if outcome is None:
                    outcome = await tool.call(arguments, conversation=client.conversation)
                beside.cancel_scope.cancel()
        finally:
            kit.calls -= 1
        return outcome or Outcome("aborted", "(aborted)", data={"code": "aborted"})

    async def _tell_progress(self, context: Context, tool: Tool) -> None:
        if not context.meta or "progress_token" not in context.meta:
            return
        passed = 0.0
        while True:
            await anyio.sleep(_BEAT_S)
            passed += _BEAT_S
            message = self._provision.line or f"{tool.title}: {passed:.0f} s"
            await context.session.report_progress(passed, message=message)

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        client, kit = await self.clients.of(context)
        cursor = params.cursor if params else None
        return await resources.listing(client, kit.workspace, cursor)

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        client, kit = await self.clients.of(context)
        return await resources.content(client, kit.workspace, str(params.uri))

    async def _roots_changed(self, context: Context, _: types.NotificationParams) -> None:
        self.clients.changed_roots(context)

    def _is_structured(self, context: Context) -> bool:
        if self._settings.structured != "auto":
            return self._settings.structured == "always"
        client = context.session.client_params
        return client is None or not client.client_info.name.startswith(_SHOWS_STRUCTURED)


async def _list_templates(
    _: Context, __: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    return resources.TEMPLATES


async def _end_without_client(request: Any, scope: anyio.CancelScope) -> None:
    """End the call when the client has hung up; nobody would get its answer."""
    while not await request.is_disconnected():  # noqa: ASYNC110 -- it has no event to wait for
        await anyio.sleep(_BEAT_S)
    scope.cancel()


async def _understood(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Let a tool see arguments of any shape, and send newer clients back to the handshake."""
    params = dict(ctx.params or {})
    meta = params.get("_meta")
    newer = meta.get(_NEWER) if isinstance(meta, dict) else None
    if newer is not None:
        raise MCPError(
            types.UNSUPPORTED_PROTOCOL_VERSION,
            "this server keeps a page open for each connection: use the initialize handshake",
            data={"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": str(newer)},
        )
    if ctx.method == "tools/call" and not isinstance(params.get("arguments"), dict | None):
        params["arguments"] = {"arguments": params["arguments"]}
        ctx = replace(ctx, params=params)
    return await call_next(ctx)
