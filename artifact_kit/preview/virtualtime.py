"""Chromium's own time of one page, stopped, moved and drawn by protocol, to the microsecond."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from artifact_kit.preview.bridge import Moved, Stuck
from artifact_kit.preview.deadline import Deadline

if TYPE_CHECKING:
    from artifact_kit.preview.bridge import Bridge

SWITCHES = (
    "--enable-begin-frame-control",
    "--run-all-compositor-stages-before-draw",
    # The compositor animates in the frames that it draws; the page's own thread, in all.
    "--disable-threaded-animation",
)
EPOCH_S = 1_767_225_600
"""What `Date` begins with: 2026-01-01 00:00 UTC, in seconds."""
TENTH_MS = 0.1
"""Chromium rounds what it tells of the time to tenths of a millisecond, to either side of it by
chance; a moment that is a multiple of one is told as it is."""
_LAG_MS = 8.0
_INTERVAL_MS = 1.0
"""Frames are so much earlier than their moments, and so short, that each ends before its moment:
the compositor may wait for the end of one, and while time stands still it would not come."""
_WHOLE_MS = 0.0003
"""Chromium cuts moments to whole microseconds; so much keeps a float from falling short of one.
Alone it is no time at all, in which what is due is done."""
_MOST_TASKS = 20_000
"""Tasks without any delay that may run before time moves on all the same."""
_STUCK_S = 1.0
_PING = {"expression": "0"}


class VirtualTime:
    """Stands still unless it is moved."""

    def __init__(self, bridge: Bridge, most_busy_s: float) -> None:
        self._bridge = bridge
        self._most_busy_s = most_busy_s
        self.now_ms = 0.0
        """How much has passed since the page began."""
        self._uptime_ms = -1.0
        """Chromium's uptime when time was stopped, in milliseconds."""
        self._base_ms = 0.0
        """The same at the beginning of the page: a multiple of a tenth of a millisecond."""
        self._cut_off_ms = 0.0
        """Until when a call that was cut off may have let time pass."""
        self._acted_at = 0
        """How much the page had answered when time or a frame came to it last."""
        self._expired = False
        self._stopped = asyncio.Event()
        """Set when the time has passed, or something came before."""
        bridge.on("Emulation.virtualTimeBudgetExpired", self._expire)

    async def stop(self, seconds: float) -> None:
        """Stop the time of a blank page."""
        how = {"policy": "pause", "initialVirtualTime": EPOCH_S}
        await self._align(await self._policy(how, seconds), Deadline.after(seconds))

    async def count(self, deadline: Deadline) -> bool:
        """From now on the time of the document is counted, unless it is already."""
        stopped = await self._policy({"policy": "pause"}, self.limit(deadline))
        return await self._align(stopped, deadline)

    async def _align(self, stopped: dict[str, Any], deadline: Deadline) -> bool:
        """Begin at a moment that is told as it is; a new process of Chromium's begins anew."""
        uptime = stopped["virtualTimeTicksBase"]
        if uptime == self._uptime_ms:
            return False
        rest = round(-uptime % TENTH_MS, 3)
        if rest:
            await self.move(rest, deadline)
        self._uptime_ms, self._base_ms, self.now_ms = uptime, round(uptime + rest, 1), 0.0
        return True

    def interrupt(self) -> None:
        """Have a move end before its time."""
        self._stopped.set()

    async def move(self, ms: float, deadline: Deadline) -> bool:
        """Let time pass, with what comes due in it, but none while the page loads anything.

        Gives whether so much has passed; else it was interrupted, and `now_ms` tells when. Raises
        TimeoutError when it does not pass though the page itself responds, and as `Bridge.race`.
        """
        try:
            return await self._move("pauseIfNetworkFetchesPending", ms, deadline, exact=True)
        except Stuck:
            await self.ping(min(self.limit(deadline), _STUCK_S))  # else the page is
            raise TimeoutError from None

    async def force(self, ms: float, deadline: Deadline) -> bool:
        """The same while the page loads something, and no more than about so much."""
        return await self._move("advance", ms, deadline, exact=False)

    async def _move(self, policy: str, ms: float, deadline: Deadline, *, exact: bool) -> bool:
        end, cut_off_ms = round(self.now_ms + ms, 3), self._cut_off_ms
        # What a call that was cut off had granted is told of when it is spent, in another's midst.
        exact = exact and self.now_ms >= cut_off_ms
        self._cut_off_ms = max(end, cut_off_ms)
        self._expired = False
        self._acted_at = self._bridge.asked
        self._stopped.clear()
        with contextlib.suppress(Moved):
            await self._bridge.race(self._grant(policy, ms), self.limit(deadline))
        if not self._expired:
            await self._policy({"policy": "pause"}, self.limit(deadline))
        self.now_ms = end if exact and self._expired else await self._moment(deadline)
        self._cut_off_ms = cut_off_ms
        return self._expired

    async def _grant(self, policy: str, ms: float) -> None:
        """Until so much time has passed, or something has come."""
        tasks = {"maxVirtualTimeTaskStarvationCount": _MOST_TASKS}
        await self._bridge.command(
            "Emulation.setVirtualTimePolicy", {"policy": policy, "budget": ms + _WHOLE_MS, **tasks}
        )
        await self._stopped.wait()

    def _expire(self, _: dict[str, Any]) -> None:
        self._expired = True
        self._stopped.set()

    async def find(self, deadline: Deadline) -> None:
        """After a call that was cut off, the time is what Chromium says."""
        if self._cut_off_ms > self.now_ms:
            await self._policy({"policy": "pause"}, self.limit(deadline))
            self.now_ms = await self._moment(deadline)

    async def _moment(self, deadline: Deadline) -> float:
        await self._send("Performance.enable", {"timeDomain": "timeTicks"}, self.limit(deadline))
        told = await self._send("Performance.getMetrics", {}, self.limit(deadline))
        uptime_s: float = {each["name"]: each["value"] for each in told["metrics"]}["Timestamp"]
        return round(uptime_s * 1000 - self._base_ms, 3)

    async def draw(self, moment_ms: float, seconds: float, *, seen: bool = True) -> None:
        """A frame, each at a later moment than the last; one that nobody sees costs the half."""
        frame = {
            "frameTimeTicks": round(self._base_ms + moment_ms - _LAG_MS, 3) + _WHOLE_MS,
            "interval": _INTERVAL_MS,
            "noDisplayUpdates": not seen,
        }
        end = Deadline.after(seconds)
        self._acted_at = self._bridge.asked
        while True:
            try:
                await self._send("HeadlessExperimental.beginFrame", frame, end.left())
            except Error as error:  # a call that was cut off may have left one
                if "Another frame is pending" not in error.message:
                    raise
                await self.ping(end.left())
            else:
                return

    async def heard(self, seconds: float) -> None:
        """What the page said of its own accord has arrived."""
        if self._bridge.asked <= self._acted_at:
            await self.ping(seconds)

    async def ping(self, seconds: float) -> None:
        """What was sent before has arrived."""
        await self._send("Runtime.evaluate", _PING, seconds)

    async def _policy(self, policy: dict[str, Any], seconds: float) -> dict[str, Any]:
        return await self._send("Emulation.setVirtualTimePolicy", policy, seconds)

    async def _send(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One protocol call; what a document took along that went is sent to the next."""
        end = Deadline.after(seconds)
        while True:
            with contextlib.suppress(Moved):
                return await self._bridge.send(method, params, end.left())

    def limit(self, deadline: Deadline) -> float:
        """How long one protocol call may take, in seconds."""
        return max(deadline.left(self._most_busy_s), 0.5)
