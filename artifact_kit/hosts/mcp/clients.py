"""Who is connected: each client's conversation, workspace and last pictures."""

from __future__ import annotations

from collections import OrderedDict, deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from artifact_kit.hosts.mcp.roots import asked_scope
from artifact_kit.hosts.mcp.tools import offered
from artifact_kit.toolkit import Toolkit

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from artifact_kit.contract import Image, Tool
    from artifact_kit.hosts.mcp.settings import Settings
    from artifact_kit.workspace import Workspace

    Context = ServerRequestContext[Any, Any]

SESSION_HEADER = "mcp-session-id"
_MOST_CLIENTS = 256
"""Clients whose roots and pictures are remembered; one more is asked anew when it calls again."""
_MOST_SCOPES = 8
"""Toolkits of narrowed workspaces; the one unused for longest makes room."""
_SHOTS = 4
"""Pictures that are kept for each client."""


@dataclass
class Kit:
    """A toolkit and those of its tools that are offered."""

    toolkit: Toolkit
    tools: dict[str, Tool]
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    calls: int = 0

    @property
    def workspace(self) -> Workspace:
        """What its tools work on."""
        return self.toolkit.workspace


@dataclass
class Client:
    """One connection."""

    conversation: str
    kit: Kit | None = None
    """None until the client has said which folders it works in."""
    turn: anyio.Lock = field(default_factory=anyio.Lock)
    shots: deque[tuple[str, Image]] = field(default_factory=lambda: deque(maxlen=_SHOTS))
    taken: int = 0

    def keep(self, image: Image) -> str:
        """Keep a picture for a while; gives its URI."""
        self.taken += 1
        uri = f"shots://{self.taken}"
        self.shots.append((uri, image))
        return uri


class Clients:
    """All connections, and the toolkits that they share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workspace = settings.workspace()
        self._clients: OrderedDict[str, Client] = OrderedDict()
        self._kits: OrderedDict[str, Kit] = OrderedDict()

    @property
    def tools(self) -> dict[str, Tool]:
        """What every client is offered."""
        return self._kit("").tools

    async def of(self, context: Context) -> tuple[Client, Kit]:
        """The client that sent a request, and the toolkit over its part of the workspace."""
        client = self._client(conversation_of(context))
        async with client.turn:
            if client.kit is None or client.kit not in self._kits.values():
                scope = await asked_scope(context, self._settings.folder)
                client.kit = self._kit(scope)
                await self._make_room()
            return client, client.kit

    def changed_roots(self, context: Context) -> None:
        """Ask this client for its roots again at its next request."""
        self._client(conversation_of(context)).kit = None

    async def leave(self, conversation: str) -> None:
        """End what a client that has gone had open."""
        client = self._clients.pop(conversation, None)
        if client is not None and client.kit is not None:
            preview = client.kit.toolkit
            await preview.call("preview", {"op": "close"}, conversation=conversation)

    async def close(self) -> None:
        """Close every page and browser."""
        kits, self._kits = self._kits, OrderedDict()
        for kit in kits.values():
            await kit.stack.aclose()

    def _client(self, conversation: str) -> Client:
        client = self._clients.setdefault(conversation, Client(conversation))
        self._clients.move_to_end(conversation)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return client

    def _kit(self, scope: str) -> Kit:
        kit = self._kits.get(scope)
        if kit is None:
            kit = self._kits[scope] = self._made(scope)
        self._kits.move_to_end(scope)
        return kit

    def _made(self, scope: str) -> Kit:
        settings = self._settings
        toolkit = Toolkit(
            self._workspace.scope(scope) if scope else self._workspace,
            limits=settings.limits,
            browser=settings.browser,
            install_browser=False,
        )
        tools = offered(
            toolkit.tools.values(),
            settings.groups,
            read_only=settings.read_only,
            split=settings.split,
        )
        kit = Kit(toolkit, tools)
        kit.stack.push_async_exit(toolkit)
        return kit

    async def _make_room(self) -> None:
        scopes = [scope for scope, kit in self._kits.items() if scope and not kit.calls]
        for scope in scopes[: max(0, len(self._kits) - 1 - _MOST_SCOPES)]:
            await self._kits.pop(scope).stack.aclose()


def conversation_of(context: Context) -> str:
    """The connection a request came by: its HTTP session, or the one of standard input."""
    headers = getattr(context.request, "headers", None) or {}
    return str(headers.get(SESSION_HEADER) or "stdio")
