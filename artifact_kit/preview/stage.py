"""A page that is ready before anybody asks for it: its own browser, context, router and scripts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.async_api import Error

from artifact_kit.errors import Failure
from artifact_kit.preview.bridge import Bridge
from artifact_kit.preview.policy import DEFAULT_VIEW, context_options
from artifact_kit.preview.router import Backlog, Router

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifact_kit.browser import Launcher, RunningBrowser

log = logging.getLogger("artifact_kit")

_MOST_PAGES = 25
"""Pages of one conversation that its browser shows, one after the other, before it is replaced."""
_RENEW_S = 1.0
_QUIET_S = 1.0
"""A spare that is built while calls run slows them; so long must nobody have called."""


@dataclass(frozen=True)
class Stage:
    """A blank page of an origin that nobody can guess."""

    running: RunningBrowser
    bridge: Bridge
    router: Router
    token: str
    pages: int = 1
    """How many pages its browser has shown, this one included."""

    @property
    def origin(self) -> str:
        """The invented https origin of this page alone."""
        return self.router.origin

    async def close(self) -> None:
        """End the browser and everything in it."""
        self.router.over = True
        await self.running.close()

    async def kill(self) -> None:
        """End a browser that no longer answers."""
        self.router.over = True
        await self.running.kill()


async def build(launcher: Launcher, most_requests: int, backlog: Backlog) -> Stage:
    """A new browser with one blank page.

    Raises:
        Failure: `no_browser` when it does not start.
    """
    running = await launcher.launch()
    try:
        return await _furnish(running, most_requests, backlog)
    except Error as error:
        await running.close()
        raise Failure("the browser started but gave no page.", code="no_browser") from error
    except BaseException:
        await running.close()
        raise


async def _furnish(
    running: RunningBrowser, most_requests: int, backlog: Backlog, pages: int = 1
) -> Stage:
    token = secrets.token_hex(12)
    router = Router(f"https://{secrets.token_hex(8)}.artifact.invalid", most_requests, backlog)
    context = await running.browser.new_context(**context_options(*DEFAULT_VIEW))
    await context.grant_permissions(["clipboard-write"])
    await context.route("**/*", router.handle)
    bridge = await Bridge.build(running, context, token, backlog)
    return Stage(running, bridge, router, token, pages)


class Stages:
    """Hands out stages and keeps one spare ready, built while nobody calls."""

    def __init__(self, launcher: Launcher, most_requests: int) -> None:
        self._launcher = launcher
        self._most_requests = most_requests
        self._backlog = Backlog()
        self._spare: Stage | None = None
        self._building: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._quiet = asyncio.Event()

    async def take(self, old: Stage | None = None) -> Stage:
        """A new page: in the browser of `old`, which ends, else the spare, else one made now."""
        renewed = await self._renewed(old) if old is not None else None
        if renewed is not None:
            return renewed
        spare, self._spare = self._spare, None
        if spare is not None and not spare.bridge.over:
            return spare
        if spare is not None:
            self.dispose(spare)
        return await build(self._launcher, self._most_requests, self._backlog)

    async def _renewed(self, old: Stage) -> Stage | None:
        """A context of its own, with nothing of the last one's, in a browser that is in order."""
        if old.pages < _MOST_PAGES and not old.bridge.over:
            try:
                async with asyncio.timeout(_RENEW_S):
                    old.router.over = True
                    await old.bridge.page.context.close()
                    return await _furnish(
                        old.running, self._most_requests, self._backlog, old.pages + 1
                    )
            except (Error, TimeoutError):
                log.debug("a browser did not give another page")
            except BaseException:
                self.dispose(old, at_once=True)
                raise
        self.dispose(old)
        return None

    def dispose(self, stage: Stage, *, at_once: bool = False) -> asyncio.Task[None]:
        """Close a stage in the background; `at_once` kills it."""
        task = asyncio.create_task(stage.kill() if at_once else stage.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        return task

    @contextlib.contextmanager
    def call(self) -> Iterator[None]:
        """While a call runs, no spare is built."""
        self._busy += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                self._quiet.set()

    def prepare(self) -> None:
        """Have a spare built once nobody has called for a moment."""
        if self._spare is None and (self._building is None or self._building.done()):
            self._building = asyncio.create_task(self._prepare())

    async def _prepare(self) -> None:
        while True:
            await self._quiet.wait()
            await asyncio.sleep(_QUIET_S)
            if self._quiet.is_set():
                break
        try:
            self._spare = await build(self._launcher, self._most_requests, self._backlog)
        except Failure:
            log.warning("no spare page could be prepared")

    async def close(self) -> None:
        """Close the spare and wait for everything that is being closed."""
        if self._building is not None:
            self._building.cancel()
            await asyncio.gather(self._building, return_exceptions=True)
        if self._spare is not None:
            self.dispose(self._spare)
            self._spare = None
        await asyncio.gather(*self._closing, return_exceptions=True)
