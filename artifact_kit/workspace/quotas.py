"""How much a workspace holds, against how much it may hold."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from artifact_kit.errors import Refusal
from artifact_kit.text import plural, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from artifact_kit.workspace.storage import Parts
    from artifact_kit.workspace.values import Quota

_FRESH_S = 5.0


class Ledger:
    """Counts what a tree holds, trusts the count for seconds, recounts before a refusal."""

    def __init__(self, quota: Quota, sizes: Callable[[], Iterable[int]]) -> None:
        self._quota = quota
        self._sizes = sizes
        self._lock = threading.Lock()
        self._files = 0
        self._bytes = 0
        self._counted: float | None = None

    def admit(self, parts: Parts, new: int, old: int | None) -> None:
        """Book a file of `new` bytes in place of one of `old` (None: there was none).

        Raises:
            Refusal: `quota`, with the numbers.
        """
        self.check_depth(parts)
        with self._lock:
            if self._counted is None or time.monotonic() - self._counted > _FRESH_S:
                self._count()
            if self._excess(new, old):
                self._count()
                if said := self._excess(new, old):
                    raise _refusal("/".join(parts), said)
            self._files += old is None
            self._bytes += new - (old or 0)

    def check_depth(self, parts: Parts) -> None:
        """Raises `Refusal` when the path has more parts than the quota allows."""
        most = self._quota.depth
        if most is not None and len(parts) > most:
            raise _refusal("/".join(parts), f"is {len(parts)} levels deep; the limit is {most}")

    def recount(self) -> None:
        """Something was removed: count again next time."""
        self._counted = None

    def _count(self) -> None:
        sizes = list(self._sizes())
        self._files, self._bytes = len(sizes), sum(sizes)
        self._counted = time.monotonic()

    def _excess(self, new: int, old: int | None) -> str:
        """What is wrong with the new file; nothing when it fits, or makes things no worse."""
        quota, total = self._quota, self._bytes + new - (old or 0)
        if quota.files is not None and old is None and self._files + 1 > quota.files:
            return f"would be one file too many: there are {self._files} of {quota.files}"
        if quota.bytes is not None and total > quota.bytes and new > (old or 0):
            now = f"{size(self._bytes)} in {plural(self._files, 'file')}"
            return f"of {size(new)} does not fit: the limit is {size(quota.bytes)}, now used {now}"
        return ""


def _refusal(path: str, said: str) -> Refusal:
    words = f"{path} {said}. Delete files that are no longer needed, or save less"
    return Refusal(words, code="quota", facts={"path": path})
