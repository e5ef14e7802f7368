"""The processes of a browser: which there are, what they use, how they end.

Playwright starts each browser as the leader of a session of its own, and nothing in Chromium
leaves it, so the session is the tree, also for a process whose parent died first.
"""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

_PROC = Path("/proc")


def pids() -> list[int]:
    """Every process of this machine; none where there is no /proc."""
    if sys.platform != "linux":
        return []
    return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]


def session(pid: int) -> int | None:
    """The session that a living process belongs to; None when it is gone or a zombie."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    state, _, _, leader = stat[stat.rindex(b")") + 2 :].split()[:4]
    return None if state in (b"Z", b"X") else int(leader)


def members(leader: int) -> list[int]:
    """The living processes of the session that `leader` began."""
    return [pid for pid in pids() if session(pid) == leader]


def resident_bytes(pid: int) -> int:
    """Memory that the process alone accounts for, in bytes: its own pages and its shared memory,
    not the program text that all of Chromium's processes map."""
    try:
        status = (_PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    kib = (
        line.split()[1] for line in status.splitlines() if line.startswith(("RssAnon", "RssShmem"))
    )
    return sum(map(int, kib)) * 1024


def is_alive(pid: int) -> bool:
    """Whether the process still runs; a zombie does not. On Windows, where asking would signal
    it, nobody knows and the answer is no."""
    if sys.platform == "linux":
        return session(pid) is not None
    if sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def is_left(leader: int) -> bool:
    """Whether anything of the browser still runs."""
    return is_alive(leader) or bool(members(leader))


def kill(pid: int) -> None:
    """SIGKILL one process."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def kill_tree(leader: int) -> None:
    """SIGKILL the browser and every process of its session."""
    if sys.platform == "win32":
        taskkill = ["taskkill", "/PID", str(leader), "/T", "/F"]
        subprocess.run(taskkill, check=False, capture_output=True)  # noqa: S603 -- a number
        return
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    for pid in members(leader):
        kill(pid)
