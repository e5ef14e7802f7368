"""What may differ between two pictures that are still the same."""

from __future__ import annotations

import math
from dataclasses import dataclass

MOST_SHARE = 0.2
SHARE_PIXELS = 5_000
"""Most pixels that a share alone allows: a small part of a long page is a whole paragraph."""


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """Nothing may, unless pixels are granted; of `max_pixels` and `max_share` the stricter wins.

    Raises:
        ValueError: A value under which nearly anything would pass, or that means nothing.
    """

    color_distance: float = 0.01
    """So far apart colours are the same; black and white are at 1, two levels of grey at 0.008."""
    max_pixels: int | None = None
    max_share: float | None = None
    """Of all pixels, from 0 to 0.2; without `max_pixels` it allows 5,000 at most."""
    max_density: int = 4
    """Most counted pixels in any window of 16 × 16, when any are granted."""
    ignore_antialiasing: bool = True
    size_slack: int = 0
    """By how many pixels a side may grow or shrink; then what both pictures have is compared."""

    def __post_init__(self) -> None:
        if self.max_share is not None and not 0 <= self.max_share <= MOST_SHARE:
            raise ValueError(
                f"max_share is a part of all pixels, from 0 to {MOST_SHARE} (got"
                f" {self.max_share!r}): with more, nearly anything passes; max_pixels is a count"
            )
        if not 0 <= self.color_distance < 1:
            raise ValueError(f"color_distance is from 0 to below 1 (got {self.color_distance!r})")
        for name in ("max_pixels", "max_density", "size_slack"):
            if (getattr(self, name) or 0) < 0:
                raise ValueError(f"{name} can't be negative (got {getattr(self, name)!r})")

    def allows(self, area: int) -> int:
        """How many pixels may be counted, of so many."""
        if self.max_share is None:
            return self.max_pixels or 0
        most = SHARE_PIXELS if self.max_pixels is None else self.max_pixels
        return min(math.floor(self.max_share * area), most)
