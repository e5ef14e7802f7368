"""Storage calls off the event loop, with a deadline, and with an answer to cancellation."""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

from artifact_kit.errors import Aborted
from artifact_kit.workspace.storage import Gate, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_IDLE_S = 5.0
GRACE_S = 2.0
"""How long a cancelled call waits to learn what became of a change that had begun."""


class Workers:
    """Daemon threads for one mount: a storage that hangs delays neither others nor the exit."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._free = 0

    async def run(self, work: Callable[[Gate], T], gate: Gate, deadline_s: float, path: str) -> T:
        """The result of `work`, run in a thread.

        Raises:
            Problem: `unavailable` when nothing moved for `deadline_s`.
            Aborted: In place of a cancellation, when something was or may have been changed.
        """
        job = _Job(work, gate)
        self._start(job.run)
        try:
            if not await job.finished(deadline_s):
                gate.close()
                raise Problem("unavailable", detail=f" within {deadline_s:g} s")
        except anyio.get_cancelled_exc_class():
            if gate.close():
                raise
            with anyio.CancelScope(shield=True):
                await job.finished(GRACE_S)
            raise job.aborted(path) from None
        return job.result()

    def _start(self, run: Callable[[], None]) -> None:
        with self._lock:
            grow = self._free <= self._jobs.qsize() and self._threads < self._most
            self._threads += grow
            self._jobs.put(run)
        if grow:
            threading.Thread(target=self._serve, name="artifact-kit storage", daemon=True).start()

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._free += 1
            try:
                run = self._jobs.get(timeout=_IDLE_S)
            except queue.Empty:
                run = None
            with self._lock:
                self._free -= 1
                if run is None and self._jobs.empty():
                    self._threads -= 1
                    return
            if run is not None:
                run()


class _Job(Generic[T]):
    def __init__(self, work: Callable[[Gate], T], gate: Gate) -> None:
        self.gate = gate
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._waiter = self._loop.create_future()
        self._value: T
        self._error: BaseException | None = None
        self._ended = False

    def run(self) -> None:
        try:
            self.gate.beat()
            self._value = self._work(self.gate)
        except BaseException as error:  # noqa: BLE001  # carried to the caller, whatever it is
            self._error = error
        self._ended = True
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            return  # the caller's loop has ended; nobody waits any more

    async def finished(self, deadline_s: float) -> bool:
        """Wait for the end of the work, or until nothing has moved for so long."""
        while not self._ended and (left := deadline_s - self.gate.idle_s()) > 0:
            self._waiter = self._loop.create_future()
            timer = self._loop.call_later(left, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
        return self._ended

    def _wake(self) -> None:
        if not self._waiter.done():
            self._waiter.set_result(None)

    def result(self) -> T:
        if self._error is not None:
            raise self._error
        return self._value

    def aborted(self, path: str) -> Aborted:
        if self._ended and self._error is None:
            said = f"the change to {path} was already done"
        elif self._ended and self.gate.unchanged:
            said = f"{path} was not changed"
        else:
            said = f"{path} may have been changed; look before you retry"
        return Aborted(said, code="aborted", facts={"path": path})
