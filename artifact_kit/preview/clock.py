"""The two clocks of a page: the real one, and one that moves when it is told to.

On the virtual clock timers, `Date`, `performance.now`, animation frames, CSS animations, SVG's own
and GIFs advance together, a frame at a time (Chromium's begin-frame control and virtual time).
Input is delivered, and pictures are taken, in frames of their own in which no time passes.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from artifact_kit.preview.bridge import Late, drop
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.scripts import prelude
from artifact_kit.preview.turns import Turns
from artifact_kit.preview.virtualtime import EPOCH_S, TENTH_MS, VirtualTime

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.router import Router

T = TypeVar("T")

FRAME_MS = 1000 / 60
_MOST_HELD_MS = 5.0
_AGAIN_MS = 0.001
"""Frames in which no time passes come a tenth of a millisecond after one another, since each must
have a moment of its own; very many of them, and those that came too early, a microsecond."""
_MISSED_S = 0.2
_MOST_PRIMES = 10
_MOST_STOPS = 100
"""Requests at which time stops within one frame; a page that asks without end goes on."""
_ENDLESS = "the page asks without end"
_UNANSWERED = "a request of the page got no answer"
_ON_ITS_WAY_S = 0.002


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

    async def drawn(self, work: Awaitable[T], seconds: float, *, again: bool = False) -> T:
        """The result of work that needs the page to be drawn, `again` as it was drawn last; raises
        as `Bridge.race` does."""

    async def finished(self, expression: str, seconds: float, deadline: Deadline) -> dict[str, Any]:
        """The raw result of code in the page, which may await for so long of the page's time;
        raises as `Bridge.run` does."""


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

    async def drawn(self, work: Awaitable[T], seconds: float, *, again: bool = False) -> T:
        return await self._bridge.race(work, seconds)

    async def finished(self, expression: str, seconds: float, deadline: Deadline) -> dict[str, Any]:
        return await self._bridge.run(expression, deadline.left(seconds), self._most_busy_s)


class VirtualClock:
    """Time that stands still unless `frame` or `wait` moves it."""

    virtual = True

    def __init__(self, bridge: Bridge, router: Router, most_busy_s: float) -> None:
        self._bridge = bridge
        self._router = router
        self._most_busy_s = most_busy_s
        self._time = VirtualTime(bridge, most_busy_s)
        self._frames = 0
        self._held_ms = 0.0
        """How long after the last frame the last one came in which no time passed."""
        self._awaits = False
        """Whether the page has begun to wait for what takes no time of its own."""
        self._lost = 0
        """How many of those answers did not come."""
        self._notes: list[str] = []
        self._turns = Turns(self._time.interrupt)
        router.around = self._turns.wait
        bridge.on("Page.frameNavigated", self._go_elsewhere)

    @property
    def now_ms(self) -> float:
        return self._time.now_ms

    def page_ms(self) -> float:
        # A little less: what a request caused comes after it.
        return EPOCH_S * 1000 + math.floor(self.now_ms) - 0.5

    def notes(self) -> list[str]:
        taken, self._notes = self._notes, []
        return taken

    async def begin(self, token: str, seed: int, seconds: float) -> None:
        """Stop the time of a blank page, and have its next documents repeat themselves."""
        await self._bridge.prepare(prelude(token, seed), seconds)
        await self._bridge.bind("awaits", self._await, seconds)
        await self._time.stop(seconds)
        await self._time.draw(0.0, seconds)

    async def arrive(self, deadline: Deadline) -> None:
        """The document is there: from now on its time is counted."""
        if await self._time.count(deadline):
            self._frames, self._held_ms = 0, 0.0
            await self._time.draw(0.0, self._time.limit(deadline))

    async def prime(self, deadline: Deadline) -> None:
        """Frames without time, until a document that has just loaded sees one: about one in a
        thousand is not yet ready for its first."""
        for _ in range(_MOST_PRIMES):
            await self._hold(self._time.limit(deadline), seen=False)
            if await self._bridge.ask("isDrawn", seconds=self._time.limit(deadline)):
                return

    async def frame(self, deadline: Deadline) -> None:
        await self._time.heard(self._time.limit(deadline))  # what the page awaits has been told
        await self._frame(deadline, seen=True)

    async def _frame(self, deadline: Deadline, *, seen: bool) -> None:
        await self._time.find(deadline)
        await self._answers_taken(deadline)
        await self._pass_until(_moment_of(self._frames + 1), deadline)
        self._frames += 1
        self._held_ms = 0.0
        limit = self._time.limit(deadline)
        await self._time.draw(_moment_of(self._frames), limit, seen=seen)

    async def wait(self, ms: float, deadline: Deadline) -> None:
        """Raises as `Bridge.race` does, and
        Late: The deadline came first; `now_ms` tells how much has passed.
        """
        await self._time.find(deadline)
        end = round(self.now_ms + ms, 1)
        while _moment_of(self._frames + 1) <= end:
            if not deadline.left():
                raise Late
            await self._frame(deadline, seen=_moment_of(self._frames + 2) > end)
        await self._pass_until(end, deadline)

    async def drawn(self, work: Awaitable[T], seconds: float, *, again: bool = False) -> T:
        end = Deadline.after(seconds)
        task = asyncio.ensure_future(work)
        try:
            await self._time.ping(end.left())
            await self._hold(end.left(), again=again)
            while not await _is_done(task) and end.left():
                self._held_ms += _AGAIN_MS  # the frame came before what it was for
                await self._draw_held(end.left())
            return await self._bridge.race(task, end.left())
        finally:
            drop(task)

    async def finished(self, expression: str, seconds: float, deadline: Deadline) -> dict[str, Any]:
        await self._time.find(deadline)
        end_ms = self.now_ms + seconds * 1000
        task = asyncio.ensure_future(self._bridge.in_page(expression, deadline.left()))
        try:
            for step in itertools.chain([self.run_due], itertools.repeat(self.frame)):
                await self._time.ping(self._time.limit(deadline))
                if task.done():
                    return task.result()
                if not deadline.left() or self.now_ms >= end_ms:
                    break
                await step(deadline)
        finally:
            drop(task)
        raise Late

    async def run_due(self, deadline: Deadline) -> None:
        """Let the page do what it can do now: while time is stopped, not even that is done."""
        await self._answers_taken(deadline)
        await self._passed(0.0, deadline)

    async def _answers_taken(self, deadline: Deadline) -> None:
        """What the page asked for comes before time moves on, and what it makes of it: one answer
        after the other, so that they have their effects in the order of the questions."""
        if self._turns.ended or not (self._awaits or self._router.loading):
            return
        # After input, Chromium has a page wait for a frame.
        await self._hold(self._time.limit(deadline))
        given, calm, end = 0, 0, Deadline.after(self._most_busy_s)
        while end.left() and deadline.left():
            await self._passed(0.0, deadline)
            calm = 0 if len(self._router.loading) > len(self._turns) else calm + 1
            if calm > 1 and self._turns:
                given, calm, end = given + 1, 0, Deadline.after(self._most_busy_s)
                self._turns.give()
            elif calm > 1 and await self._awaited(deadline) <= self._lost and not self._turns:
                return
            if given > _MOST_STOPS:
                self._hurry(_ENDLESS)
                return
            await asyncio.sleep(_ON_ITS_WAY_S)
        self._router.loading.clear()
        self._lost = await self._awaited(deadline)

    async def _awaited(self, deadline: Deadline) -> int:
        """How many answers of other kinds the page waits for."""
        self._awaits = False
        awaited: int = await self._bridge.ask("awaited", seconds=self._time.limit(deadline))
        return awaited

    async def _pass_until(self, moment: float, deadline: Deadline) -> None:
        """Let time pass, with the timers that come due in it; it stops at each request."""
        for _ in range(_MOST_STOPS):
            if moment <= self.now_ms or not deadline.left():
                return
            if self._turns or not await self._passed(moment - self.now_ms, deadline):
                await self._answers_taken(deadline)
        self._hurry(_ENDLESS)
        while moment > self.now_ms and deadline.left():
            await self._passed(moment - self.now_ms, deadline)

    async def _passed(self, ms: float, deadline: Deadline) -> bool:
        """Whether so much time has passed; else something came before, and `now_ms` tells when."""
        if not self._turns.ended:
            try:
                return await self._time.move(ms, deadline)
            except TimeoutError:
                self._hurry(_UNANSWERED)
        return await self._time.force(ms, deadline)

    def _hurry(self, why: str) -> None:
        if not self._turns.ended:
            self._notes.append(f"{why}, so the virtual clock no longer waits for its requests")
        self._turns.end()

    def _go_elsewhere(self, event: dict[str, Any]) -> None:
        """What was told of the time to a document that goes is not heard by the one that comes."""
        if "parentId" not in event["frame"]:
            self._turns.end()
            self._turns = Turns(self._time.interrupt)
            self._router.around = self._turns.wait
            self._lost = 0
            self._time.interrupt()

    def _await(self, event: dict[str, Any]) -> None:
        if event["payload"] == "still":
            self._turns.give_at_once()
        else:
            self._awaits = True

    async def _hold(self, seconds: float, *, again: bool = False, seen: bool = True) -> None:
        """A frame in which no time passes; what spins shows a tenth of a millisecond, though."""
        step = _AGAIN_MS if again or self._held_ms >= _MOST_HELD_MS else TENTH_MS
        self._held_ms = round(self._held_ms + step, 3)
        await self._draw_held(seconds, seen=seen)

    async def _draw_held(self, seconds: float, *, seen: bool = True) -> None:
        await self._time.draw(_moment_of(self._frames) + self._held_ms, seconds, seen=seen)


def _moment_of(frame: int) -> float:
    return round(frame * FRAME_MS, 1)


async def _is_done(task: asyncio.Future[Any]) -> bool:
    """Whether it ends about now."""
    return bool((await asyncio.wait({task}, timeout=_MISSED_S))[0])
