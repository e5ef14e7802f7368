"""Drags: a press, moves on the way, a release; and what the page makes a drag and drop of its own.

Chromium hands a drag and drop over as data (`Input.setInterceptDrags`), as there is no desktop to
carry it; it is given back as the page's drag events.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.clock import Clock

_MOVES = 12
"""Moves on the way: libraries take fewer for a click (browser-use PR 1208)."""
_HANDED_OVER_S = 1.0


class Dragging:
    """A held left button; the context ends with its release."""

    def __init__(self, bridge: Bridge, clock: Clock, seconds: float) -> None:
        self._bridge = bridge
        self._clock = clock
        self._seconds = seconds
        self._at = (0.0, 0.0)
        self._began = False
        self._data: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        bridge.on("Input.dragIntercepted", self._take)

    def _take(self, event: dict[str, Any]) -> None:
        if not self._data.done():
            self._data.set_result(event["data"])

    async def __aenter__(self) -> Self:
        await self._send("Input.setInterceptDrags", {"enabled": True})
        return self

    async def press(self, x: float, y: float) -> None:
        """Press the button there."""
        await self._move(x, y, "none")
        await self._bridge.ask("takeDrag", seconds=self._seconds)
        pressed = {"type": "mousePressed", "button": "left", "buttons": 1, "clickCount": 1}
        await self._send("Input.dispatchMouseEvent", {**pressed, "x": x, "y": y})

    async def go(self, to_x: float, to_y: float) -> None:
        """Move there, in steps."""
        from_x, from_y = self._at
        for step in range(1, _MOVES + 1):
            share = step / _MOVES
            await self._step(from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share)
        await self._step(to_x, to_y)

    async def _step(self, x: float, y: float) -> None:
        if self._began:
            self._at = (x, y)
            await self._carry("dragOver")
            return
        await self._move(x, y, "left")
        if await self._bridge.ask("takeDrag", seconds=self._seconds) or self._data.done():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._data), _HANDED_OVER_S)
                self._began = True
                await self._carry("dragEnter")

    async def _move(self, x: float, y: float, button: str) -> None:
        self._at = (x, y)
        move = {"type": "mouseMoved", "x": x, "y": y, "button": button}
        move |= {"buttons": int(button == "left")}
        moving = self._bridge.send("Input.dispatchMouseEvent", move, self._seconds)
        await self._clock.drawn(moving, self._seconds)

    async def _carry(self, kind: str) -> None:
        x, y = self._at
        event = {"type": kind, "x": x, "y": y, "data": self._data.result()}
        carrying = self._bridge.send("Input.dispatchDragEvent", event, self._seconds)
        await self._clock.drawn(carrying, self._seconds)

    async def _send(self, method: str, params: dict[str, Any]) -> None:
        await self._bridge.send(method, params, self._seconds)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bridge.off("Input.dragIntercepted", self._take)
        x, y = self._at
        if self._began:
            await self._carry("drop" if error is None else "dragCancel")
        else:
            released = {"type": "mouseReleased", "button": "left", "buttons": 0, "clickCount": 1}
            await self._send("Input.dispatchMouseEvent", {**released, "x": x, "y": y})
        await self._send("Input.setInterceptDrags", {"enabled": False})
