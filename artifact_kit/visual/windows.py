"""How densely marks stand: scattered noise stays low, a change of something stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import ImageChops

from artifact_kit.visual.arithmetic import evaluate, largest, moved

if TYPE_CHECKING:
    from PIL import Image

WINDOW = 16
"""Width and height of a window, in pixels."""


class Densest(NamedTuple):
    """A window, by its upper left corner, and how many pixels in it are marked."""

    pixels: int
    x: int
    y: int


def densest(mask: Image.Image) -> Densest:
    """The first window of 16 × 16 in which most pixels are 1 and not 0."""
    for x, y in ((1, 0), (2, 0), (4, 0), (8, 0), (0, 1), (0, 2), (0, 4)):
        mask = ImageChops.add_modulo(mask, moved(mask, x, y))
    # A full window has 256, one more than a byte holds.
    total = evaluate(lambda of: of["x"] + of["y"], x=mask, y=moved(mask, 0, 8))
    most = largest(total)
    windows = evaluate(lambda of: of["total"] == most, total=total).convert("L")
    _, top, _, _ = windows.getbbox() or (0, 0, 0, 0)
    left, _, _, _ = windows.crop((0, top, mask.width, top + 1)).getbbox() or (0, 0, 0, 0)
    return Densest(int(most), left, top)
