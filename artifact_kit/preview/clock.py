"""The two clocks of a page: the real one, and one that moves when it is told to.

On the virtual clock timers, `Date`, `performance.now`, animation frames, CSS animations, SVG's own
and GIFs advance together, a frame at a time (Chromium's begin-frame control and virtual time).
Input is delivered, and pictures are taken, in frames of their own in which no time passes.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import time
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from playwright.async_api import Error

from artifact_kit.preview.bridge import Late, Moved, Stuck
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.scripts import prelude
from artifact_kit.preview.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.router import Router

T = TypeVar("T")

SWITCHES = (
    "--enable-begin-frame-control",
    "--run-all-compositor-stages-before-draw",
    # The compositor animates in the frames that it draws; the page's own thread, in all.
    "--disable-threaded-animation",
)
EPOCH_S = 1_767_225_600
"""What `Date` begins with: 2026-01-01 00:00 UTC, in seconds."""
FRAME_MS = 1000 / 60
_TENTH_MS = 0.1
"""Chromium rounds what it tells of the time to tenths of a millisecond, to either side of it by
chance; a moment that is a multiple of one is told as it is. Frames in which no time passes come a
tenth after one another, since each must have a moment of its own."""
_LAG_MS = 8.0
_INTERVAL_MS = 1.0
"""Frames are so much earlier than their moments, and so short, that each ends before its moment:
the compositor may wait for the end of one, and while time stands still it would not come."""
_AGAIN_MS = 0.001
_MISSED_S = 0.2
_WHOLE_MS = 0.0003
"""Chromium cuts moments to whole microseconds; so much keeps a float from falling short of one.
Alone it is no time at all, in which what is due is done."""
_MOST_TASKS = 20_000
"""Tasks without any delay that may run before time moves on all the same."""
_MOST_STOPS = 100
"""Requests at which time stops within one frame; a page that asks without end goes on."""
_ANSWER_S = 5.0
_STUCK_S = 1.0
_ON_ITS_WAY_S = 0.002
_PING = {"expression": "0"}


class Clock(Protocol):
    """How a page's time passes."""

    virtual: bool

    @property
    def now_ms(self) -> float:
        """The time, in milliseconds since a moment of its own."""

    def page_ms(self) -> float:
        """What `Date.now()` of the page gives."""

    def notes(self) -> list[str]:
        """What is to be said of the time since the last time."""

    async def frame(self, deadline: Deadline) -> None:
        """Let the next frame come."""

    async def wait(self, ms: float, deadline: Deadline) -> None:
        """Let so much time pass."""

    async def drawn(self, work: Awaitable[T], seconds: float) -> T:
        """The result of work that needs the page to be drawn; raises as `Bridge.race` does."""

    async def finished(self, expression: str, seconds: float) -> dict[str, Any]:
        """The raw result of code in the page, which may await; raises as `Bridge.run` does."""


class RealClock:
    """Time as it is."""

    virtual = False

    def __init__(self, bridge: Bridge, most_busy_s: float) -> None:
        self._bridge = bridge
        self._most_busy_s = most_busy_s

    @property
    def now_ms(self) -> float:
        return asyncio.get_running_loop().time() * 1000

    def page_ms(self) -> float:
        return time.time() * 1000

    def notes(self) -> list[str]:
        return []

    async def frame(self, deadline: Deadline) -> None:
        seconds = deadline.left(self._most_busy_s)
        await self._bridge.ask("frames", 1, 250, seconds=seconds)

    async def wait(self, ms: float, deadline: Deadline) -> None:
        await self._bridge.race(asyncio.sleep(ms / 1000), deadline.left())

    async def drawn(self, work: Awaitable[T], seconds: float) -> T:
        return await self._bridge.race(work, seconds)

    async def finished(self, expression: str, seconds: float) -> dict[str, Any]:
        return await self._bridge.run(expression, seconds, self._most_busy_s)


class VirtualClock:
    """Time that stands still unless `frame` or `wait` moves it."""

    virtual = True

    def __init__(self, bridge: Bridge, router: Router, most_busy_s: float) -> None:
        self._bridge = bridge
        self._router = router
        self._most_busy_s = most_busy_s
        self._uptime_ms = -1.0
        """Chromium's uptime when time was stopped, in milliseconds."""
        self._base_ms = 0.0
        """The same at the beginning of the page: a multiple of a tenth of a millisecond."""
        self._now_ms = 0.0
        self._frames = 0
        self._held_ms = 0.0
        """How long after the last frame the next one comes in which no time passes."""
        self._awaits = False
        """Whether the page has begun to wait for what takes no time of its own."""
        self._lost = 0
        """How many of those answers did not come."""
        self._notes: list[str] = []
        self._expired = False
        self._stopped = asyncio.Event()
        """Set when the time has passed, or something came before: a request, a document."""
        self._turns = Turns(self._stopped.set)
        router.around = self._turns.wait
        bridge.on("Emulation.virtualTimeBudgetExpired", self._expire)
        bridge.on("Page.frameNavigated", self._go_elsewhere)

    @property
    def now_ms(self) -> float:
        return self._now_ms

    def page_ms(self) -> float:
        # A little less: what a request caused comes after it.
        return EPOCH_S * 1000 + math.floor(self._now_ms) - 0.5

    def notes(self) -> list[str]:
        taken, self._notes = self._notes, []
        return taken

    async def begin(self, token: str, seed: int, seconds: float) -> None:
        """Stop the time of a blank page, and have its next documents repeat themselves."""
        await self._bridge.prepare(prelude(token, seed), seconds)
        await self._bridge.bind("awaits", self._await, seconds)
        await self._send("Performance.enable", {"timeDomain": "timeTicks"}, seconds)
        stop = {"policy": "pause", "initialVirtualTime": EPOCH_S}
        await self._align(await self._policy(stop, seconds), Deadline.after(seconds))

    async def arrive(self, deadline: Deadline) -> None:
        """The document is there: from now on its time is counted."""
        await self._align(await self._policy({"policy": "pause"}, self._limit(deadline)), deadline)

    async def _align(self, stopped: dict[str, Any], deadline: Deadline) -> None:
        """Begin at a moment that is told as it is; a new process of Chromium's begins anew."""
        uptime = stopped["virtualTimeTicksBase"]
        if uptime == self._uptime_ms:
            return
        rest = round(-uptime % _TENTH_MS, 3)
        if rest:
            await self._passed(rest, deadline)
        self._uptime_ms, self._base_ms, self._now_ms = uptime, round(uptime + rest, 1), 0.0
        self._frames, self._held_ms = 0, 0.0
        await self._draw(self._limit(deadline))

    async def frame(self, deadline: Deadline) -> None:
        await self._frame(deadline, seen=True)

    async def _frame(self, deadline: Deadline, *, seen: bool) -> None:
        await self._answers_taken(deadline)
        await self._pass_until(self._moment_of(self._frames + 1), deadline)
        self._frames += 1
        self._held_ms = 0.0
        await self._draw(self._limit(deadline), seen=seen)

    def _moment_of(self, frame: int) -> float:
        return round(frame * FRAME_MS, 1)

    async def wait(self, ms: float, deadline: Deadline) -> None:
        """Raises as `Bridge.race` does, and
        Late: The deadline came first; `now_ms` tells how much has passed.
        """
        end = round(self._now_ms + ms, 1)
        while self._moment_of(self._frames + 1) <= end:
            if not deadline.left():
                raise Late
            await self._frame(deadline, seen=self._moment_of(self._frames + 2) > end)
        await self._pass_until(end, deadline)

    async def drawn(self, work: Awaitable[T], seconds: float) -> T:
        end = Deadline.after(seconds)
        task = asyncio.ensure_future(work)
        try:
            await self._ping(end.left())
            await self._hold(end.left())
            while not await _is_done(task) and end.left():
                self._held_ms += _AGAIN_MS  # the frame came before what it was for
                await self._draw(end.left())
            return await self._bridge.race(task, end.left())
        finally:
            _drop(task)

    async def finished(self, expression: str, seconds: float) -> dict[str, Any]:
        end = Deadline.after(seconds)
        task = asyncio.ensure_future(self._bridge.in_page(expression, seconds))
        try:
            for step in itertools.chain([self.run_due], itertools.repeat(self._unseen)):
                await self._ping(end.left(self._most_busy_s))
                if task.done():
                    return task.result()
                if not end.left():
                    break
                await step(end)
        except Stuck:
            if end.left():
                raise
        finally:
            _drop(task)
        raise Late

    async def _unseen(self, deadline: Deadline) -> None:
        await self._frame(deadline, seen=False)

    async def run_due(self, deadline: Deadline) -> None:
        """Let the page do what it can do now: while time is stopped, not even that is done."""
        await self._answers_taken(deadline)
        await self._passed(0.0, deadline)

    async def _answers_taken(self, deadline: Deadline) -> None:
        """What the page asked for comes before time moves on, and what it makes of it: one answer
        after the other, so that they have their effects in the order of the questions."""
        if self._turns.ended or not (self._awaits or self._router.loading):
            return
        await self._hold(self._limit(deadline))  # after input, Chromium has a page wait for a frame
        given, calm, end = 0, 0, Deadline.after(_ANSWER_S)
        while end.left() and deadline.left():
            await self._passed(0.0, deadline)
            calm = 0 if len(self._router.loading) > len(self._turns) else calm + 1
            if calm > 1 and self._turns:
                given, calm, end = given + 1, 0, Deadline.after(_ANSWER_S)
                self._turns.give()
            elif calm > 1 and await self._awaited(deadline) <= self._lost:
                return
            if given > _MOST_STOPS:
                self._hurry()
                return
            await asyncio.sleep(_ON_ITS_WAY_S)
        self._router.loading.clear()
        self._lost = await self._awaited(deadline)

    async def _awaited(self, deadline: Deadline) -> int:
        """How many answers of other kinds the page waits for."""
        self._awaits = False
        awaited: int = await self._bridge.ask("awaited", seconds=self._limit(deadline))
        return awaited

    async def _pass_until(self, moment: float, deadline: Deadline) -> None:
        """Let time pass, with the timers that come due in it; it stops at each request."""
        for _ in range(_MOST_STOPS):
            if moment <= self._now_ms or not deadline.left():
                return
            if not await self._passed(moment - self._now_ms, deadline):
                await self._answers_taken(deadline)
        self._hurry()
        while moment > self._now_ms and deadline.left():
            await self._passed(moment - self._now_ms, deadline)

    async def _passed(self, ms: float, deadline: Deadline) -> bool:
        """Whether so much time has passed; else something came before, and `now_ms` tells when."""
        if not self._turns.ended:
            try:
                return await self._move("pauseIfNetworkFetchesPending", ms, deadline)
            except Stuck:
                await self._ping(min(self._limit(deadline), _STUCK_S))  # else the page is
                self._hurry()
        return await self._move("advance", ms, deadline)

    def _hurry(self) -> None:
        self._turns.end()
        self._notes.append("the page asks without end, so the virtual clock no longer waits for it")

    async def _move(self, policy: str, ms: float, deadline: Deadline) -> bool:
        end = round(self._now_ms + ms, 3)
        self._expired = False
        self._stopped.clear()
        with contextlib.suppress(Moved):
            await self._bridge.race(self._moved(policy, ms), self._limit(deadline))
        if not self._expired:
            await self._policy({"policy": "pause"}, self._limit(deadline))
        exact = self._expired and not self._turns.ended
        self._now_ms = end if exact else await self._moment(deadline)
        return self._expired

    async def _moved(self, policy: str, ms: float) -> None:
        """Until so much time has passed, or something has come."""
        tasks = {"maxVirtualTimeTaskStarvationCount": _MOST_TASKS}
        await self._bridge.command(
            "Emulation.setVirtualTimePolicy", {"policy": policy, "budget": ms + _WHOLE_MS, **tasks}
        )
        await self._stopped.wait()

    async def _moment(self, deadline: Deadline) -> float:
        """How much time has passed, by Chromium."""
        told = await self._send("Performance.getMetrics", {}, self._limit(deadline))
        uptime_s: float = {each["name"]: each["value"] for each in told["metrics"]}["Timestamp"]
        return round(uptime_s * 1000 - self._base_ms, 3)

    def _expire(self, _: dict[str, Any]) -> None:
        self._expired = True
        self._stopped.set()

    def _go_elsewhere(self, event: dict[str, Any]) -> None:
        """What was told of the time to a document that goes is not heard by the one that comes."""
        if "parentId" not in event["frame"]:
            self._turns.end()
            self._turns = Turns(self._stopped.set)
            self._router.around = self._turns.wait
            self._lost = 0
            self._stopped.set()

    def _await(self, event: dict[str, Any]) -> None:
        if event["payload"] == "still":
            self._turns.give_at_once()
        else:
            self._awaits = True

    async def _hold(self, seconds: float) -> None:
        """A frame in which no time passes."""
        few = self._held_ms < _INTERVAL_MS * 5
        self._held_ms = round(self._held_ms + (_TENTH_MS if few else _AGAIN_MS), 3)
        await self._draw(seconds)

    async def _draw(self, seconds: float, *, seen: bool = True) -> None:
        """A frame; one that nobody sees costs the half."""
        moment = self._base_ms + self._moment_of(self._frames) - _LAG_MS + self._held_ms
        frame = {
            "frameTimeTicks": round(moment, 3) + _WHOLE_MS,
            "interval": _INTERVAL_MS,
            "noDisplayUpdates": not seen,
        }
        try:
            await self._send("HeadlessExperimental.beginFrame", frame, seconds)
        except Error as error:
            if "Another frame is pending" not in error.message:
                raise
            raise Stuck from error

    async def _policy(self, policy: dict[str, Any], seconds: float) -> dict[str, Any]:
        return await self._send("Emulation.setVirtualTimePolicy", policy, seconds)

    async def _ping(self, seconds: float) -> None:
        """What was sent before has arrived, and every task that was due has run."""
        await self._send("Runtime.evaluate", _PING, seconds)

    async def _send(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One protocol call; what a document took along that went is sent to the next."""
        end = Deadline.after(seconds)
        while True:
            with contextlib.suppress(Moved):
                return await self._bridge.send(method, params, end.left())

    def _limit(self, deadline: Deadline) -> float:
        return max(deadline.left(self._most_busy_s), 0.5)


async def _is_done(task: asyncio.Future[Any]) -> bool:
    """Whether it ends about now."""
    return bool((await asyncio.wait({task}, timeout=_MISSED_S))[0])


def _drop(task: asyncio.Future[Any]) -> None:
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
