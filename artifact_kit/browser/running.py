"""One browser that runs, and its end."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio

from artifact_kit.browser import processes
from artifact_kit.browser.watch import Why

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession

_GRACE_S = 0.5
_END_S = 3.0
_POLL_S = 0.01


class Gone(asyncio.Event):
    """Set once the browser is gone; then `why` says how: it `crashed` (or was killed from
    outside), went beyond its `memory`, was `killed` on request, or was `closed`."""

    why: Why | None = None

    def tell(self, why: Why) -> None:
        """Set it, for this reason."""
        self.why = why
        self.set()


class RunningBrowser:
    """One browser: local and confined, or a connection to a remote one (`pid` is None then)."""

    def __init__(
        self, browser: "Browser", pid: int | None, dispose: Callable[["RunningBrowser"], None]
    ) -> None:
        self.browser = browser
        self.pid = pid
        self.gone = Gone()
        self._dispose = dispose
        self._ending: asyncio.Task[None] | None = None
        self._session: CDPSession | None = None
        browser.on("disconnected", lambda _: self.end("crashed"))

    async def session(self) -> "CDPSession":
        """One protocol session of the browser itself, for what Playwright cannot ask for."""
        if self._session is None:
            self._session = await self.browser.new_browser_cdp_session()
        return self._session

    def end(self, why: Why, grace_s: float = 0) -> asyncio.Task[None]:
        """Begin the end, once: the task is done when no process and no folder is left."""
        if self._ending is None:
            self.gone.tell(why)
            self._ending = asyncio.create_task(self._finish(grace_s))
        return self._ending

    async def close(self) -> None:
        """End it: asked for half a second, then killed. Never raises; a second call waits for
        the first. Afterwards no process and no profile folder is left."""
        await asyncio.shield(self.end("closed", _GRACE_S))

    async def kill(self) -> None:
        """End it at once, for a browser that no longer answers. Never raises."""
        ending = self.end("killed")
        if not ending.done():
            self._kill()
        await asyncio.shield(ending)

    async def _finish(self, grace_s: float) -> None:
        if grace_s or self.pid is None:
            with contextlib.suppress(Exception):  # gone already, or its driver is
                await asyncio.wait_for(self.browser.close(), grace_s or _GRACE_S)
        self._kill()
        with anyio.move_on_after(_END_S):
            while self.pid is not None and processes.is_left(self.pid):  # noqa: ASYNC110 -- no event
                await anyio.sleep(_POLL_S)
        self._dispose(self)

    def _kill(self) -> None:
        if self.pid is not None:
            processes.kill_tree(self.pid)
