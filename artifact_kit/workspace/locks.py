"""Who may touch which paths: one at a time, first come first served."""

from __future__ import annotations

import itertools
import random
import time
import unicodedata
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from artifact_kit.workspace.storage import Parts


class PathLocks:
    """Exclusive use of paths inside one process. A folder's lock covers everything in it.

    A call takes all its paths at once and waits for earlier calls only, so no two can wait for
    each other.
    """

    def __init__(self) -> None:
        self._queue: list[_Ticket] = []

    def hold(self, paths: Iterable[Parts]) -> _Ticket:
        """Wait for the paths, then keep them to the end of the block."""
        return _Ticket(self._queue, [_folded(parts) for parts in paths])


def pauses(most_s: float) -> Iterator[float]:
    """Seconds to wait between tries, growing, until they add up to `most_s`."""
    end = time.monotonic() + most_s
    pause = 0.001
    while time.monotonic() < end:
        yield pause * random.uniform(0.5, 1.0)  # noqa: S311  # spreads the tries, no secret
        pause = min(pause * 1.5, 0.05)


class _Ticket:
    def __init__(self, queue: list[_Ticket], keys: list[Parts]) -> None:
        self._queue = queue
        self._keys = keys
        self._turn: anyio.Event | None = None

    async def __aenter__(self) -> None:
        self._queue.append(self)
        if not self._is_first():
            self._turn = anyio.Event()
            try:
                await self._turn.wait()
            except BaseException:
                self._leave()
                raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        self._queue.remove(self)
        for ticket in self._queue:
            if ticket._turn and ticket._is_first():
                ticket._turn.set()

    def _is_first(self) -> bool:
        """Whether nobody who came earlier holds, or waits for, any of these paths."""
        earlier = itertools.takewhile(lambda ticket: ticket is not self, self._queue)
        return not any(self._meets(ticket) for ticket in earlier)

    def _meets(self, other: _Ticket) -> bool:
        return any(a[: len(b)] == b[: len(a)] for a in self._keys for b in other._keys)


def _folded(parts: Parts) -> Parts:
    return tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
