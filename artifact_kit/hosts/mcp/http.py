"""Streamable HTTP: who may come in, and who has gone."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import click
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from artifact_kit.hosts.mcp.clients import SESSION_HEADER
from artifact_kit.hosts.mcp.settings import is_loopback

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from anyio.abc import TaskGroup
    from mcp.server.lowlevel import Server
    from starlette.types import Message, Receive, Scope, Send

    from artifact_kit.hosts.mcp.settings import Address, Settings

PATH = "/mcp"
_AWAY_S = 5.0
"""A client whose connections have all been closed for so long has gone."""
_MOST_SESSIONS = 1000


class _Listener(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the command."""
        yield


async def serve_http(
    server: Server[Any],
    settings: Settings,
    listener: socket.socket,
    leave: Callable[[str], Awaitable[None]],
) -> None:
    """Serve until cancelled."""
    host, port, *_ = listener.getsockname()
    manager = StreamableHTTPSessionManager(
        server,
        max_request_body_size=settings.limits.line_bytes,
        max_sessions=_MOST_SESSIONS,
    )
    async with anyio.create_task_group() as tasks, manager.run():
        door = Door(settings, host, manager, tasks, leave)
        config = uvicorn.Config(
            door, log_config=None, access_log=False, lifespan="off", ws="none",
            timeout_graceful_shutdown=1, timeout_keep_alive=60,
        )  # fmt: skip
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"artifact-kit: MCP at http://{shown}:{port}{PATH}", err=True)
        await _Listener(config).serve(sockets=[listener])


def listening(address: Address) -> socket.socket:
    """A socket that clients may connect to.

    Raises:
        click.ClickException: The address can't be listened at.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        listener.listen()
    except OSError as error:
        listener.close()
        where = f"{address.host}:{address.port}"
        raise click.ClickException(f"{where} cannot be listened at: {error.strerror}.") from error
    return listener


class Door:
    """An ASGI application that lets in whom it should, and notices who has gone."""

    def __init__(
        self,
        settings: Settings,
        host: str,
        manager: StreamableHTTPSessionManager,
        tasks: TaskGroup,
        leave: Callable[[str], Awaitable[None]],
    ) -> None:
        self._token = settings.token
        self._hosts = settings.hosts
        self._host = host
        self._manager = manager
        self._tasks = tasks
        self._leave = leave
        self._present: Counter[str] = Counter()
        self._arrivals: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        if refusal := self._refusal(scope["path"], headers):
            await refusal(scope, receive, send)
            return
        session = headers.get(SESSION_HEADER, "")
        with self._presence(session, is_stream=scope["method"] == "GET"):
            status = await self._passed_on(scope, receive, send)
        if session and scope["method"] == "DELETE" and status < 400:
            await self._leave(session)

    async def _passed_on(self, scope: Scope, receive: Receive, send: Send) -> int:
        status = 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        await self._manager.handle_request(scope, receive, noted)
        return status

    def _refusal(self, path: str, headers: Headers) -> PlainTextResponse | None:
        host = _name(headers.get("host", ""))
        if not self._is_ours(host):
            return PlainTextResponse("Host not allowed\n", 421)
        if "origin" in headers and not self._is_near(headers["origin"], host):
            return PlainTextResponse("Origin not allowed\n", 403)
        if self._token and not self._has_token(headers):
            return PlainTextResponse("Bearer token needed\n", 401, {"WWW-Authenticate": "Bearer"})
        return None if path.rstrip("/") == PATH else PlainTextResponse("Not found\n", 404)

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(token.strip().encode(), self._token.encode())
        return scheme.casefold() == "bearer" and right

    def _is_ours(self, host: str) -> bool:
        """Whether a name is one of this server's. A page elsewhere can make its own name lead
        here, but not an address."""
        if is_loopback(host) or host in self._hosts:
            return True
        return not is_loopback(self._host) and _is_address(host)

    def _is_near(self, origin: str, host: str) -> bool:
        name = (urlsplit(origin).hostname or "").casefold()
        return bool(name) and (is_loopback(name) or name in self._hosts or name == host)

    @contextmanager
    def _presence(self, session: str, *, is_stream: bool) -> Iterator[None]:
        """Count this exchange; when a client's stream was the last one, it may have gone."""
        self._present[session] += 1
        self._arrivals[session] += 1
        try:
            yield
        finally:
            self._present[session] -= 1
            if not self._present[session]:
                del self._present[session]
                if session and is_stream:
                    self._tasks.start_soon(self._leave_later, session, self._arrivals[session])
                else:
                    self._forget(session)

    async def _leave_later(self, session: str, arrivals: int) -> None:
        await anyio.sleep(_AWAY_S)
        if self._arrivals[session] == arrivals:
            self._forget(session)
            await self._leave(session)

    def _forget(self, session: str) -> None:
        if session not in self._present:
            self._arrivals.pop(session, None)


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    return (urlsplit(f"//{host}").hostname or "").casefold()


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
