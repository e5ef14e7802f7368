"""A page that is ready before anybody asks for it: its own browser, context, router and scripts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.async_api import Error

from artifact_kit.errors import Failure
from artifact_kit.preview.bridge import Bridge
from artifact_kit.preview.clock import Clock, RealClock, VirtualClock
from artifact_kit.preview.policy import DEFAULT_VIEW, context_options
from artifact_kit.preview.router import Backlog, Router
from artifact_kit.preview.scripts import prelude
from artifact_kit.preview.virtualtime import SWITCHES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.async_api import BrowserContext, Page

    from artifact_kit.browser import Launcher, RunningBrowser
    from artifact_kit.limits import Limits

log = logging.getLogger("artifact_kit")

_RENEW_S = 1.0
_PREPARE_S = 10.0
_QUIET_S = 1.0
"""A spare that is built while calls run slows them; so long must nobody have called."""


@dataclass(frozen=True)
class Stage:
    """A blank page of an origin that nobody can guess."""

    running: RunningBrowser
    bridge: Bridge
    router: Router
    clock: Clock
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


@dataclass(frozen=True)
class Builder:
    """Makes stages, whose time is real or virtual."""

    launcher: Launcher
    limits: Limits
    backlog: Backlog = field(default_factory=Backlog)
    lean: bool = False
    """Pages cost a tenth less, tell no looks and hear no shared workers, and a script that is
    stopped has no place."""
    most_pages: int = 25
    """Pages that a browser shows, one after the other, before it is replaced."""

    async def build(self, *, virtual: bool) -> Stage:
        """A new browser with one blank page.

        Raises:
            Failure: `no_browser` when it does not start.
        """
        running = await self.launcher.launch(extra_args=SWITCHES if virtual else ())
        try:
            return await self.furnish(running, virtual=virtual)
        except Error as error:
            await running.close()
            raise Failure("the browser started but gave no page.", code="no_browser") from error
        except BaseException:
            await running.close()
            raise

    async def furnish(
        self, running: RunningBrowser, *, virtual: bool, after: Stage | None = None
    ) -> Stage:
        """A context of its own in a browser, with one blank page; that of `after` ends."""
        token = secrets.token_hex(12)
        origin = f"https://{secrets.token_hex(8)}.artifact.invalid"
        router = Router(origin, self.limits.requests, self.backlog)
        context = await self._context(running, router, after)
        frame = ""
        if virtual:
            page, frame = await _drawn_on_demand(running, context)
            router.follow(context)
        else:
            page = await context.new_page()
        build = Bridge.build(running, page, token, self.backlog, lean=self.lean, frame=frame)
        bridge = await build
        if virtual:
            clock: Clock = VirtualClock(bridge, router, self.limits.busy_s)
        else:
            await bridge.prepare(prelude(token), _PREPARE_S)
            clock = RealClock(bridge, self.limits.busy_s)
        return Stage(running, bridge, router, clock, token, after.pages + 1 if after else 1)

    async def _context(
        self, running: RunningBrowser, router: Router, after: Stage | None
    ) -> BrowserContext:
        """A new context without a page; a page that comes while another goes may not be drawn."""

        async def make() -> BrowserContext:
            context = await running.browser.new_context(**context_options(*DEFAULT_VIEW))
            allowing = context.grant_permissions(["clipboard-write"])
            await asyncio.gather(allowing, context.route("**/*", router.handle))
            return context

        if after is None:
            return await make()
        return (await asyncio.gather(make(), after.bridge.page.context.close()))[0]


async def _drawn_on_demand(running: RunningBrowser, context: BrowserContext) -> tuple[Page, str]:
    """A page that draws a frame only when it is told to, which Playwright cannot ask for, and the
    id of its top frame, which is the target's own."""
    session = await running.session()
    contexts = await session.send("Target.getBrowserContexts")
    width, height = DEFAULT_VIEW
    wanted = {"url": "about:blank", "enableBeginFrameControl": True}
    size = {"width": width, "height": height}
    place = {"browserContextId": contexts["browserContextIds"][0]}
    async with context.expect_page(timeout=_PREPARE_S * 1000) as coming:
        target = await session.send("Target.createTarget", {**wanted, **size, **place})
    return await coming.value, target["targetId"]


class Stages:
    """Hands out stages and keeps one spare ready, built while nobody calls."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._spare: Stage | None = None
        self._building: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._quiet = asyncio.Event()

    async def take(self, old: Stage | None = None, *, virtual: bool = False) -> Stage:
        """A new page: in the browser of `old`, which ends, else the spare, else one made now."""
        renewed = await self._renewed(old, virtual) if old is not None else None
        if renewed is not None:
            return renewed
        spare, self._spare = self._spare, None
        if spare is not None and not spare.bridge.over and spare.clock.virtual == virtual:
            return spare
        if spare is not None:
            self.dispose(spare)
        return await self._builder.build(virtual=virtual)

    async def _renewed(self, old: Stage, virtual: bool) -> Stage | None:
        """A context of its own, with nothing of the last one's, in a browser that is in order."""
        alike = old.clock.virtual == virtual
        if alike and old.pages < self._builder.most_pages and not old.bridge.over:
            try:
                async with asyncio.timeout(_RENEW_S):
                    old.router.over = True
                    return await self._builder.furnish(old.running, virtual=virtual, after=old)
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

    def prepare(self, *, virtual: bool = False) -> None:
        """Have a spare built once nobody has called for a moment."""
        if self._spare is None and (self._building is None or self._building.done()):
            self._building = asyncio.create_task(self._prepare(virtual))

    async def _prepare(self, virtual: bool) -> None:
        while True:
            await self._quiet.wait()
            await asyncio.sleep(_QUIET_S)
            if self._quiet.is_set():
                break
        try:
            self._spare = await self._builder.build(virtual=virtual)
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
