"""One thread that watches the memory and the life of all browsers of a launcher."""

import threading
from collections.abc import Callable
from typing import Literal

from artifact_kit.browser import processes

Why = Literal["crashed", "memory", "killed", "closed"]

_EVERY_S = 0.15


class Watch:
    """Kills a browser whose processes together use more than `memory_bytes`, and tells when one
    is gone. A thread, since a page can keep the event loop busy and then take the memory."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._told: dict[int, Callable[[Why], object]] = {}
        self._sessions: dict[int, int | None] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, leader: int, gone: Callable[[Why], object]) -> None:
        """Watch the browser whose main process is `leader`; `gone` is called in the thread."""
        with self._lock:
            self._told[leader] = gone
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="browser watch", daemon=True)
            self._thread.start()

    def discard(self, leader: int) -> None:
        """Watch it no longer."""
        with self._lock:
            self._told.pop(leader, None)

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_EVERY_S):
            with self._lock:
                told = dict(self._told)
            if told:
                self._look(told)

    def _look(self, told: dict[int, Callable[[Why], object]]) -> None:
        used = self._used(told)
        for leader, gone in told.items():
            if not processes.is_alive(leader):
                why: Why = "crashed"
            elif used.get(leader, 0) > self._memory_bytes:
                why = "memory"
            else:
                continue
            self.discard(leader)
            gone(why)
            processes.kill_tree(leader)

    def _used(self, told: dict[int, Callable[[Why], object]]) -> dict[int, int]:
        known = self._sessions
        # A process's session is read once: most of a machine's processes are not a browser's. The
        # leaders count whatever was read, as each begins its session a moment after its birth.
        self._sessions = {
            pid: known[pid] if pid in known else processes.session(pid) for pid in processes.pids()
        }
        used = {leader: processes.resident_bytes(leader) for leader in told}
        for pid, leader in self._sessions.items():
            if leader in used and pid != leader:
                used[leader] += processes.resident_bytes(pid)
        return used
