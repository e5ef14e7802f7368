"""A server from its start to its end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING

import anyio

from artifact_kit.hosts.mcp.host import Host
from artifact_kit.hosts.mcp.stdio import serve_stdio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from artifact_kit.hosts.mcp.settings import Settings

_END_S = 2.5
"""How long closing pages and browsers may take; what is left then dies with the process."""


def serve(settings: Settings) -> int:
    """Serve until the client has gone or a signal comes; gives the code to exit with."""
    host = Host(settings)
    connect = partial(_over_stdio, host, settings)
    if settings.http is not None:
        # A web server, which standard input and output do not need.
        from artifact_kit.hosts.mcp.http import listening, serve_http

        listener = listening(settings.http)
        connect = partial(serve_http, host.server(), settings, listener, host.clients.leave)
    return anyio.run(_serve, host, connect)


async def _serve(host: Host, connect: Callable[[], Awaitable[None]]) -> int:
    stopped_by = 0
    try:
        async with anyio.create_task_group() as tasks:

            async def stop_at_a_signal() -> None:
                nonlocal stopped_by
                with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                    stopped_by = await anext(signals)
                tasks.cancel_scope.cancel()

            if sys.platform != "win32":
                tasks.start_soon(stop_at_a_signal)
            await connect()
            tasks.cancel_scope.cancel()
    finally:
        code = 128 + stopped_by if stopped_by else 0
        _end_soon(code)
        with anyio.CancelScope(shield=True):
            await host.close()
    return code


async def _over_stdio(host: Host, settings: Settings) -> None:
    await serve_stdio(host.server(), most_bytes=settings.limits.line_bytes)


def _end_soon(code: int) -> None:
    """End the process when its end takes too long: a storage or a page may not let go."""
    timer = threading.Timer(_END_S, partial(os._exit, code))
    timer.daemon = True
    timer.start()
