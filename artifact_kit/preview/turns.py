"""Requests of a page whose time is virtual: each waits until it is its turn to be answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

_HELD_UP_S = 8.0
"""When nobody has come for so long, in seconds, the clock itself is held up."""


class Turns:
    """Those that wait, in the order in which they came."""

    def __init__(self, came: Callable[[], None]) -> None:
        self._came = came
        self._waiting: deque[asyncio.Event] = deque()
        self._given = 0
        self._at_once = 0
        """How many may go without waiting."""
        self.ended = False
        """Nobody waits any more."""

    def __len__(self) -> int:
        return len(self._waiting)

    def give(self) -> None:
        """Have the next one answered."""
        self._given += 1
        self._waiting.popleft().set()

    def give_at_once(self) -> None:
        """Have the one answered that came last, or comes next: the page stands still for it."""
        if self._waiting:
            self._waiting.pop().set()
        else:
            self._at_once += 1

    def end(self) -> None:
        """Have all of them answered, and those that come as well."""
        self.ended = True
        while self._waiting:
            self.give()

    @contextlib.asynccontextmanager
    async def wait(self) -> AsyncIterator[None]:
        """Around an answer."""
        turn = asyncio.Event()
        if self._at_once:
            self._at_once -= 1
            turn.set()
        else:
            self._waiting.append(turn)
        self._came()
        while not (turn.is_set() or self.ended):
            given = self._given
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(turn.wait(), _HELD_UP_S)
            if given == self._given:
                break
        with contextlib.suppress(ValueError):
            self._waiting.remove(turn)
        yield
