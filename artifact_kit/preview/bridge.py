"""The one way to a page: the driver in its isolated world, the page's own world, raw input.

Every call has its own time limit, outside the page's protocol queue: a page that is stuck is found
out, interrupted, and the place of the script that ran is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from playwright.async_api import Error

from artifact_kit.errors import Failure
from artifact_kit.preview.browserlog import BrowserLog
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.profile import Running, last_running
from artifact_kit.preview.scripts import driver
from artifact_kit.preview.thrown import Relayed, Thrown, thrown
from artifact_kit.preview.views import DESKTOP, View
from artifact_kit.preview.workers import Workers, hear_shared
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from playwright.async_api import CDPSession, Page

    from artifact_kit.browser import RunningBrowser
    from artifact_kit.preview.router import Backlog

T = TypeVar("T")

_WORLD = "artifact-kit"
_SAMPLE_US = 20_000
"""How often the running script is noted, in microseconds: often enough to name a loop's line, and
seldom enough to cost nothing that can be measured on a page."""
_INTERRUPT_S = 0.5
_MOST_THROWN = 100
_MOST_FRAMES = 150
"""Frames that a page may have at once: each costs the host about as much as the page."""
_MOVED = (
    "Cannot find context",
    "context was destroyed",
    "navigated or closed",
    "Cannot find default",
)


class Stuck(Exception):
    """The page's main thread did not answer in time."""


class Gone(Exception):
    """The page or its browser is no longer there."""


class Late(Exception):
    """What code awaits did not settle in time, while the page itself answers."""


class Moved(Exception):
    """The page went to another document while it was asked."""


class DriverFailed(Failure):
    """The page is in a state of which the driver does not know what to tell."""

    def __init__(self, thrown: str) -> None:
        said = clip(thrown.partition("\n")[0], 200)
        super().__init__(f"the page can't be looked at as it is now: {said}", code="page_state")


class Bridge:
    """The protocol session of one page."""

    def __init__(
        self,
        running: RunningBrowser,
        page: Page,
        cdp: CDPSession,
        frame: str,
        backlog: Backlog,
        token: str,
    ) -> None:
        self._browser = running
        self._backlog = backlog
        self.page = page
        self.view = DESKTOP
        self._cdp = cdp
        self._frame = frame
        self._world: int | None = None
        self.asked = 0
        """How many questions the page's main thread has answered."""
        cdp.on("Runtime.executionContextCreated", self._enter_world)
        cdp.on("Runtime.executionContextsCleared", lambda _: self.forget_world())
        self.profiled = True
        self.log = BrowserLog(cdp)
        self._thrown: deque[Thrown] = deque(maxlen=_MOST_THROWN)
        cdp.on("Runtime.exceptionThrown", self._note_thrown)
        self._token = token
        self._relayed: deque[Relayed] = deque(maxlen=_MOST_THROWN)
        cdp.on("Runtime.consoleAPICalled", self._note_relayed)
        self._over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._frames = 0
        cdp.on("Page.frameAttached", self._count_frame)
        cdp.on("Page.frameDetached", self._forget_frame)
        page.on("crash", lambda _: self._end("crashed"))
        page.on("close", lambda _: self._end("closed"))
        running.browser.on("disconnected", lambda _: self._end("gone"))

    @classmethod
    async def build(
        cls,
        running: RunningBrowser,
        page: Page,
        token: str,
        backlog: Backlog,
        *,
        lean: bool = False,
        frame: str = "",
    ) -> Bridge:
        """A blank page whose every later document carries the driver.

        `frame` is the id of its top frame, where that is known. One that is `lean` costs less: it
        tells no looks, hears no shared workers, and a script that is stopped has no place.
        """
        cdp = await page.context.new_cdp_session(page)
        await asyncio.gather(
            cdp.send("Page.enable"),
            cdp.send(
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": driver(token, lean=lean), "worldName": _WORLD},
            ),
        )
        if not lean:
            await asyncio.gather(
                cdp.send("Profiler.enable"),
                cdp.send("Profiler.setSamplingInterval", {"interval": _SAMPLE_US}),
                cdp.send("Profiler.start"),
            )
        if not frame:
            frame = (await cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        bridge = cls(running, page, cdp, frame, backlog, token)
        bridge.profiled = not lean
        starting = [cdp.send("Runtime.enable"), Workers(cdp, bridge.log).start()]
        if not lean:
            starting.append(await hear_shared(running, page, cdp, bridge.log))
        await asyncio.gather(*starting)
        return bridge

    async def prepare(self, script: str, seconds: float) -> None:
        """Have every later document run this in its own world before its first script.

        Playwright's own init scripts are functions; this may leave a lexical global.
        """
        wanted = {"source": script}
        await self.send("Page.addScriptToEvaluateOnNewDocument", wanted, seconds)

    async def bind(self, name: str, hear: Callable[[dict[str, Any]], None], seconds: float) -> None:
        """Call `hear` when the driver of a later document calls this global function."""
        heard = partial(_if_called, name, hear)
        self.on("Runtime.bindingCalled", heard)
        wanted = {"name": name, "executionContextName": _WORLD}
        await self.send("Runtime.addBinding", wanted, seconds)

    def on(self, event: str, hear: Callable[[dict[str, Any]], None]) -> None:
        """Call `hear` at each such event of the protocol."""
        self._cdp.on(event, hear)

    def off(self, event: str, hear: Callable[[dict[str, Any]], None]) -> None:
        """Call `hear` no more."""
        self._cdp.remove_listener(event, hear)

    def _note_thrown(self, event: dict[str, Any]) -> None:
        self._thrown.append(thrown(event["exceptionDetails"]))

    def _note_relayed(self, event: dict[str, Any]) -> None:
        values = [each.get("value") for each in event["args"]]
        if len(values) == 3 and values[0] == self._token:
            self._relayed.append(Relayed(bool(values[1]), str(values[2])))

    def take_relayed(self) -> list[Relayed]:
        """What frames of foreign origins noted since the last time."""
        taken = list(self._relayed)
        self._relayed.clear()
        return taken

    def take_thrown(self) -> list[Thrown]:
        """The rejections that Chromium placed since the last time."""
        taken = list(self._thrown)
        self._thrown.clear()
        return taken

    def _count_frame(self, _: dict[str, Any]) -> None:
        self._frames += 1
        if self._frames == _MOST_FRAMES:
            self._end("frames")
            self._browser.end("killed")

    def _forget_frame(self, event: dict[str, Any]) -> None:
        self._frames -= event.get("reason") == "remove"

    def _end(self, why: str) -> None:
        if not self._over.done():
            self._over.set_result(why)

    @property
    def over(self) -> str:
        """How the page ended: `crashed`, `closed`, `gone`, `frames`, or the browser's word; else
        empty."""
        if not self._over.done():
            return ""
        why = self._over.result()
        return why if why == "frames" else self._browser.gone.why or why

    async def race(self, work: Awaitable[T], seconds: float) -> T:
        """The result of `work`, unless the time is up or the page ends first.

        While requests wait for the host, answers of a page come late and it is no fault of its own.

        Raises:
            Stuck: The time is up.
            Gone: The page or its browser has ended.
            Moved: The page went to another document meanwhile.
        """
        task = asyncio.ensure_future(work)
        try:
            either: set[asyncio.Future[Any]] = {task, self._over}
            done: set[Any] = set()
            while not done:
                behind = self._backlog.is_long
                done, _ = await asyncio.wait(
                    either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
                )
                if not (behind or self._backlog.is_long):
                    break
        except BaseException:
            drop(task)
            raise
        if task.done():
            return self._result(task)
        drop(task)
        if self._over.done():
            raise Gone(self.over)
        raise Stuck

    def _result(self, task: asyncio.Future[T]) -> T:
        try:
            return task.result()
        except Error as error:
            if (
                self._over.done()
                or "has been closed" in error.message
                or "crashed" in error.message
            ):
                raise Gone(self.over or "closed") from error
            if any(words in error.message for words in _MOVED):
                raise Moved from error
            raise

    async def send(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One protocol call; raises as `race` does."""
        answer: dict[str, Any] = await self.race(self.command(method, params), seconds)
        return answer

    def command(self, method: str, params: dict[str, Any]) -> Coroutine[Any, Any, dict[str, Any]]:
        """The same as a part of what is raced as a whole."""
        return self._cdp.send(method, params)

    async def ask(self, function: str, *arguments: Any, seconds: float) -> Any:
        """What `kit.<function>(…)` of the driver returns; raises as `race` does.

        A document that went away is asked again, as the one that took its place.
        """
        spelled = ", ".join(json.dumps(argument) for argument in arguments)
        end = Deadline.after(seconds)
        while True:
            try:
                return await self._in_world(f"kit.{function}({spelled})", end.left())
            except Moved:
                self._world = None
                if not end.left():
                    raise

    async def report(self, *, looks: bool, seconds: float) -> dict[str, Any]:
        """What the page and Chromium have to say since the last time; raises as `race` does."""
        end = Deadline.after(seconds)
        await self.race(self.log.collect(), seconds)
        facts: dict[str, Any] = await self.ask("report", {"looks": looks}, seconds=end.left())
        return facts

    async def _in_world(self, expression: str, seconds: float) -> Any:
        if self._world is None:
            world = {"frameId": self._frame, "worldName": _WORLD}
            made = await self.send("Page.createIsolatedWorld", world, seconds)
            self._world = made["executionContextId"]
        where = {"contextId": self._world}
        return _value(await self._evaluate(expression, where, seconds))

    async def in_page(self, expression: str, seconds: float) -> dict[str, Any]:
        """The raw protocol result of an expression in the page's own world."""
        return await self._evaluate(expression, {}, seconds)

    async def run(self, expression: str, seconds: float, most_busy_s: float) -> dict[str, Any]:
        """As `in_page`, for code that may take its time; a loop in it is found out sooner.

        Raises as `race` does, and
            Late: The time is up and the page is not stuck.
        """
        end = Deadline.after(seconds)
        task = asyncio.ensure_future(self.in_page(expression, seconds + _INTERRUPT_S))
        try:
            while end.left():
                await asyncio.wait({task}, timeout=end.left(most_busy_s))
                if task.done():
                    return task.result()
                with contextlib.suppress(Moved):
                    await self.ask("view", seconds=max(end.left(most_busy_s), _INTERRUPT_S))
        finally:
            drop(task)
        raise Late

    async def _evaluate(
        self, expression: str, where: dict[str, Any], seconds: float
    ) -> dict[str, Any]:
        how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await self.send("Runtime.evaluate", {**how, **where}, seconds)
        self.asked += 1
        return answer

    async def show_as(self, view: View, seconds: float) -> None:
        """Have the page shown at a size and on a kind of device."""
        self.view = view
        await self.send("Emulation.setDeviceMetricsOverride", view.metrics(), seconds)
        if view.mobile:
            touch = {"enabled": True, "maxTouchPoints": 5}
            await self.send("Emulation.setTouchEmulationEnabled", touch, seconds)

    def forget_world(self) -> None:
        """The document is about to change: the isolated world has to be found again."""
        self._world = None

    def _enter_world(self, event: dict[str, Any]) -> None:
        """A document of the top frame has come, and with it the world that carries the driver."""
        context = event["context"]
        if context["name"] == _WORLD and context["auxData"].get("frameId") == self._frame:
            self._world = context["id"]

    async def interrupt(self) -> tuple[Running, ...]:
        """Stop the script that runs, and say which functions it was in, innermost first.

        Raises:
            Stuck: The page cannot be freed.
            Gone: The page ended.
        """
        for _ in range(3):
            with contextlib.suppress(Moved):
                await self.send("Runtime.terminateExecution", {}, _INTERRUPT_S)
            if not self.profiled:
                return ()
            with contextlib.suppress(Stuck, Moved):
                profile = await self.send("Profiler.stop", {}, _INTERRUPT_S)
                await self.send("Profiler.start", {}, _INTERRUPT_S)
                return last_running(profile["profile"])
        raise Stuck


def _if_called(name: str, hear: Callable[[dict[str, Any]], None], event: dict[str, Any]) -> None:
    if event["name"] == name:
        hear(event)


def drop(task: asyncio.Future[Any]) -> None:
    """Nobody waits for it any more; what it still raises is no news."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _value(answer: dict[str, Any]) -> Any:
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        thrown = details.get("exception", {}).get("description") or details.get("text", "")
        raise DriverFailed(thrown)
    return answer["result"].get("value")
