"""How much time is left for one call."""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """A moment on the event loop's clock."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """The moment so many seconds from now."""
        return cls(asyncio.get_running_loop().time() + seconds)

    def left(self, most: float | None = None) -> float:
        """Seconds left, never less than nothing, at most `most`."""
        left = max(self.at - asyncio.get_running_loop().time(), 0.0)
        return left if most is None else min(left, most)
