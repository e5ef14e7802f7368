"""How a page comes: its document, what that asks for, and the first frames."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from artifact_kit.preview.clock import VirtualClock
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.views import DESKTOP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifact_kit.limits import Limits
    from artifact_kit.preview.reply import Reply
    from artifact_kit.preview.stage import Stage
    from artifact_kit.preview.views import View
    from artifact_kit.workspace import WorkspacePath

_SLICE_S = 1.0
"""How long the driver waits for loading before it is asked anew, in seconds."""
_DATA_S = 1.0
"""How long `open` waits after load for requests that are under way, in seconds."""
_STILL_S = 2.0
"""A page that has not loaded after so long may wait for its own timers, in seconds."""
DEFAULT_SEED = 1


@dataclass(frozen=True)
class Loader:
    """Loads documents of one page."""

    stage: Stage
    limits: Limits

    async def load(
        self, path: WorkspacePath, options: Mapping[str, Any], reply: Reply, deadline: Deadline
    ) -> None:
        """Go to a file of the workspace; raises as `Bridge.race` does."""
        bridge, clock = self.stage.bridge, self.stage.clock
        view: View = options["view"]
        if view != DESKTOP:
            await bridge.show_as(view, deadline.left())
        if options.get("dark"):
            await bridge.page.emulate_media(color_scheme="dark")
        if isinstance(clock, VirtualClock):
            await clock.begin(self.stage.token, options.get("seed", DEFAULT_SEED), deadline.left())
        address = f"{self.stage.origin}/{quote(str(path))}"
        going = bridge.page.goto(address, wait_until="commit", timeout=deadline.left() * 1000)
        await self._arrive(going, deadline)
        waiting = await self.settle(deadline)
        if waiting:
            waited = min(self.limits.load_s, self.limits.call_s)
            reply.result.append(f"still loading after {waited:.0f} s: {', '.join(waiting)}")

    async def reload(self, deadline: Deadline) -> None:
        """Load the document again; raises as `Bridge.race` does."""
        timeout = deadline.left() * 1000
        going = self.stage.bridge.page.reload(wait_until="commit", timeout=timeout)
        await self._arrive(going, deadline)
        await self.settle(deadline)

    async def _arrive(self, going: Any, deadline: Deadline) -> None:
        self.stage.bridge.forget_world()
        self.stage.router.expecting = True
        await self.stage.bridge.race(going, deadline.left())
        if isinstance(self.stage.clock, VirtualClock):
            await self.stage.clock.arrive(deadline)

    async def settle(self, deadline: Deadline) -> list[str]:
        """Wait for the document, its fonts and two frames; gives what is still loading."""
        load = Deadline.after(deadline.left(self.limits.load_s))
        clock = self.stage.clock
        if isinstance(clock, VirtualClock):
            waiting = await self._standing(clock, load, deadline)
        else:
            waiting = await self._running(load, deadline)
        await self._await_data(deadline)
        return waiting

    async def _running(self, load: Deadline, deadline: Deadline) -> list[str]:
        """In slices, so that a stuck page is found out as soon as any other."""
        waiting = ["the document"]
        while waiting and load.left():
            slice_s = max(load.left(_SLICE_S), 0.05)
            seconds = deadline.left(slice_s + self.limits.busy_s)
            waiting = await self.stage.bridge.ask("settle", slice_s * 1000, seconds=seconds)
        return waiting

    async def _standing(self, clock: VirtualClock, load: Deadline, deadline: Deadline) -> list[str]:
        """What loads takes no time of the page's own."""
        still = Deadline.after(_STILL_S)
        while (waiting := await self._ask("loading", deadline=deadline)) and load.left():
            if still.left():
                await clock.run_due(load)
            else:  # it may wait for timers of its own
                await clock.frame(load)
        await clock.prime(deadline)
        for _ in range(2):
            await clock.frame(deadline)
        return list(waiting)

    async def _await_data(self, deadline: Deadline) -> None:
        """A page that has loaded and still asks for its data is given a moment to show it."""
        if self.stage.clock.virtual:
            return  # time does not move before it has its data
        router, end = self.stage.router, Deadline.after(deadline.left(_DATA_S))
        # A request that the last script made may still be on its way here.
        await self._ask("frames", 1, 100, deadline=deadline)
        while not router.idle.is_set() and end.left():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(router.idle.wait(), end.left())
            for _ in range(2):
                await self.stage.clock.frame(deadline)

    async def _ask(self, function: str, *arguments: Any, deadline: Deadline) -> Any:
        seconds = deadline.left(self.limits.busy_s)
        return await self.stage.bridge.ask(function, *arguments, seconds=seconds)
