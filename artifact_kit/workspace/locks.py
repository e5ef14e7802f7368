"""Who may touch which paths: one at a time, first come first served."""

from __future__ import annotations

import random
import time
import unicodedata
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from artifact_kit.workspace.storage import Parts


class PathLocks:
    """Exclusive use of paths inside one process. A folder's lock covers everything in it.

    A call takes all its paths at once and waits for earlier calls only, so no two can wait for
    each other.
    """

    def __init__(self) -> None:
        self._queue: list[_Ticket] = []

    @asynccontextmanager
    async def hold(self, paths: Iterable[Parts]) -> AsyncIterator[None]:
        """Wait for the paths, then keep them to the end of the block."""
        ticket = _Ticket([_folded(parts) for parts in paths])
        self._queue.append(ticket)
        try:
            self._admit()
            await ticket.turn.wait()
            yield
        finally:
            self._queue.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        for index, ticket in enumerate(self._queue):
            if not any(ticket.meets(earlier) for earlier in self._queue[:index]):
                ticket.turn.set()


def pauses(most_s: float) -> Iterator[float]:
    """Seconds to wait between tries, growing, until they add up to `most_s`."""
    end = time.monotonic() + most_s
    pause = 0.001
    while time.monotonic() < end:
        yield pause * random.uniform(0.5, 1.0)  # noqa: S311  # spreads the tries, no secret
        pause = min(pause * 1.5, 0.05)


class _Ticket:
    def __init__(self, keys: list[Parts]) -> None:
        self.keys = keys
        self.turn = anyio.Event()

    def meets(self, other: _Ticket) -> bool:
        return any(a[: len(b)] == b[: len(a)] for a in self.keys for b in other.keys)


def _folded(parts: Parts) -> Parts:
    return tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
