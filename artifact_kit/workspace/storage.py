"""What a storage must do for the workspace, and the words it has for what went wrong."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from artifact_kit.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifact_kit.workspace.values import Content, Kind, Version

Parts = tuple[str, ...]
"""A path below a storage's own root."""

Code = Literal[
    "not_found",
    "is_folder",
    "not_folder",
    "not_file",
    "not_empty",
    "outside",
    "changed",
    "read_only",
    "denied",
    "full",
    "loop",
    "too_long",
    "gone",
    "busy",
    "unavailable",
    "mismatch",
    "kept",
    "same_path",
    "into_itself",
    "storage",
]


class Problem(Exception):
    """What a storage met, in the storage's own terms; `faults.answer` gives it words.

    `parts` is the path that is in the way when it is not the one asked for.
    """

    def __init__(self, code: Code, parts: Parts | None = None, *, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.parts = parts
        self.detail = detail


class Stopped(Exception):
    """The call behind this work was cancelled or is past its deadline: undo and leave."""


@dataclass(frozen=True)
class Stat:
    """What stands at a path."""

    kind: Kind
    size: int | None
    version: Version
    is_link: bool = False


class Gate:
    """Between a call and its worker: whether the worker may still change something.

    The worker passes `commit` before its first visible change; once the caller has closed the
    gate before that, nothing will change, and the caller can say so.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._committed = False
        self._settled = False
        self._beat = time.monotonic()
        self.undone = False
        """The worker met trouble after its first change and took everything back."""

    def commit(self) -> None:
        """Worker: from here on things change. Raises `Stopped` when the caller is gone."""
        with self._lock:
            if self._closed and not self._settled:
                raise Stopped
            self._committed = True
        self._beat = time.monotonic()

    def beat(self) -> None:
        """Worker: still making progress. Raises `Stopped` when the caller is gone."""
        self._beat = time.monotonic()
        if self._closed and not self._settled:
            raise Stopped

    def settle(self) -> None:
        """Worker: the rest is finished even when the caller leaves."""
        self._settled = True

    def close(self) -> bool:
        """Caller: leave. True when nothing was changed and nothing will be."""
        with self._lock:
            self._closed = True
            return not self._committed

    @property
    def unchanged(self) -> bool:
        """Nothing was changed so far, or all of it was taken back."""
        return not self._committed or self.undone

    def idle_s(self) -> float:
        """Seconds since the worker last made progress."""
        return time.monotonic() - self._beat


class Storage(Protocol):
    """A tree of files behind one mount. Every method blocks and runs in a worker thread.

    Methods raise `Problem`, an `OSError`, or whatever the host's filesystem raises.
    """

    @property
    def read_only(self) -> bool:
        """Whether the storage itself can't be written, whatever the mount says."""

    @property
    def host_roots(self) -> tuple[str, ...]:
        """Absolute paths by which a model may know the root."""

    def below(self, parts: Parts) -> Storage:
        """The same storage, confined to one of its folders."""

    def info(self, parts: Parts) -> Stat | None:
        """What stands there; None when certainly nothing does."""

    def read(self, parts: Parts, most: int | None) -> Content:
        """The bytes of a file, cut to `most`."""

    def write(self, parts: Parts, data: bytes, expect: Version | None, gate: Gate) -> Version:
        """Replace or create a file in one step, with its parents."""

    def rewrite(
        self, parts: Parts, most: int | None, change: Callable[[Content], bytes], gate: Gate
    ) -> Version | None:
        """Write what `change` makes of the bytes; None, at once, when others keep us away."""

    def entries(self, parts: Parts) -> list[tuple[str, Stat]]:
        """The names in a folder, in no order."""

    def make_folder(self, parts: Parts) -> None:
        """Make a folder and its parents where folders exist on their own."""

    def rename(self, source: Parts, target: Parts, gate: Gate) -> bool:
        """Move within the storage in one step; False when it has no such step."""

    def copy(self, source: Parts, target: Parts) -> bool:
        """Copy a file within the storage without reading it; False when it can't."""

    def delete(self, parts: Parts, recursive: bool, gate: Gate) -> None:
        """Remove a file, a link or a folder."""

    def hold(self, paths: list[Parts]) -> Callable[[], None] | None:
        """Try once to keep other processes away; gives what lets go, None when one is there."""


def examples(names: list[str]) -> str:
    """How many entries there are, and the first of them: ` (2 entries: a, b)`."""
    first = ", ".join(sorted(names)[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f" ({plural(len(names), 'entry', 'entries')}: {first}{more})"
