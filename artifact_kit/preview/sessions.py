"""Which conversation has which page, how long, and why it has none any more."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from artifact_kit.limits import Limits
    from artifact_kit.preview.session import Session

_REMEMBERED = 1000
"""Conversations whose last page's end is remembered."""


@dataclass
class Slot:
    """One conversation's place: its page, its order of calls, and the end of its last page."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    session: Session | None = None
    ended: str = ""
    used: float = 0.0
    waiting: int = 0
    idle: asyncio.TimerHandle | None = None


class Sessions:
    """At most so many pages; the one unused for longest makes room."""

    def __init__(self, limits: Limits, dispose: Callable[[Session], object]) -> None:
        self._limits = limits
        self._dispose = dispose
        self._slots: dict[str, Slot] = {}

    @contextlib.asynccontextmanager
    async def turn(self, conversation: str) -> AsyncIterator[Slot]:
        """The conversation's slot, once the calls before this one are done."""
        slot = self._slots.setdefault(conversation, Slot())
        slot.waiting += 1
        self._stop_idle(slot)
        try:
            async with slot.turn:
                self._note_end(slot)
                yield slot
        finally:
            slot.waiting -= 1
            self._rest(slot)
            self._forget_oldest()

    def _note_end(self, slot: Slot) -> None:
        if slot.session is not None and slot.session.over:
            self.end(slot, f"{slot.session.path}: {slot.session.over}")

    def _rest(self, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        slot.used = loop.time()
        if slot.session is not None and not slot.waiting:
            why = f"the page was closed after {self._limits.idle_s:g} s without a call"
            slot.idle = loop.call_later(self._limits.idle_s, self.end, slot, why)

    def _stop_idle(self, slot: Slot) -> None:
        if slot.idle is not None:
            slot.idle.cancel()
            slot.idle = None

    def end(self, slot: Slot, why: str) -> None:
        """Close the slot's page in the background and remember why."""
        session = self.release(slot)
        if session is not None:
            slot.ended = why
            self._dispose(session)

    def release(self, slot: Slot) -> Session | None:
        """Take the slot's page out without closing it."""
        self._stop_idle(slot)
        session, slot.session = slot.session, None
        return session

    def make_room(self, slot: Slot) -> None:
        """Close the page unused for longest when one more would be too many.

        Raises:
            Refusal: `too_many` when every page is in use at this moment.
        """
        others = [each for each in self._slots.values() if each.session and each is not slot]
        if len(others) < self._limits.sessions:
            return
        free = [each for each in others if not each.waiting]
        if not free:
            raise Refusal(
                f"{self._limits.sessions} pages are open and all are busy; call again when one has "
                "answered, or close one.",
                code="too_many",
            )
        oldest = min(free, key=lambda each: each.used)
        self.end(
            oldest, f"the page was closed to make room (at most {self._limits.sessions} pages)"
        )

    def _forget_oldest(self) -> None:
        if len(self._slots) <= _REMEMBERED:
            return
        idle = {
            name: slot
            for name, slot in self._slots.items()
            if slot.session is None and not slot.waiting
        }
        for name in sorted(idle, key=lambda each: idle[each].used)[: len(idle) // 2]:
            del self._slots[name]

    def close(self) -> None:
        """Close every page."""
        for slot in self._slots.values():
            self.end(slot, "the tools were closed")
