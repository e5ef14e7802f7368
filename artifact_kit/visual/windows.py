"""How densely marks stand: scattered noise stays low, a change of something stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import ImageChops

from artifact_kit.visual.arithmetic import evaluate, largest, moved

if TYPE_CHECKING:
    from PIL import Image

WINDOW = 16
"""Width and height of a window, in pixels."""


def densest(mask: Image.Image) -> int:
    """Most pixels in any window of 16 × 16 that are 1 and not 0."""
    for x, y in ((1, 0), (2, 0), (4, 0), (8, 0), (0, 1), (0, 2), (0, 4)):
        mask = ImageChops.add(mask, moved(mask, x, y))
    # A full window has 256, one more than a byte holds.
    total = evaluate(lambda of: of["x"] + of["y"], x=mask, y=moved(mask, 0, 8))
    return int(largest(total))
