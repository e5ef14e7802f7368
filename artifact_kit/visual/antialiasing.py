"""Which pixels are the smoothed edge of a shape, so that a change of them is one of rendering.

A pixel is flat when three or more of its eight neighbours are as bright. An edge is smoothed where
a pixel that is not flat lies between a darker and a brighter neighbour, and the darkest or the
brightest one is flat in both pictures. One flat side is enough, for a thin ring has no other. Such
an edge in either picture explains a change of at most half the step in brightness that both have
there: what moved by a pixel, came or went is more than rendering. Beyond the border of a picture
its outermost pixels go on.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

from artifact_kit.visual.arithmetic import halves, moved, stacked

if TYPE_CHECKING:
    from collections.abc import Callable

FLAT = 3
FRAME = 2
"""How many pixels stand around those that are judged."""

_HALF_AROUND = ((1, 0), (0, 1), (1, 1), (-1, 1))
_IS_ZERO = [255] + [0] * 255
_NOT_ZERO = [0] + [255] * 255


def framed(image: Image.Image, region: tuple[int, int, int, int]) -> Image.Image:
    """A region and what stands around it, where need be by repeating the outermost pixels."""
    left, top, right, bottom = region
    part = image.crop((left - FRAME, top - FRAME, right + FRAME, bottom + FRAME))
    for x, source in _beyond(left, right, image.width):
        part.paste(part.crop((source, 0, source + 1, part.height)), (x, 0))
    for y, source in _beyond(top, bottom, image.height):
        part.paste(part.crop((0, source, part.width, source + 1)), (0, y))
    return part


def _beyond(start: int, stop: int, size: int) -> list[tuple[int, int]]:
    """Which lines of a framed part are beyond the image, each with the one that it repeats."""
    end = stop - start + 2 * FRAME
    before = [(line, line + 1) for line in reversed(range(FRAME - start))]
    return before + [(line, line - 1) for line in range(end - (stop + FRAME - size), end)]


def antialiased(before: Image.Image, after: Image.Image) -> Image.Image:
    """A mask of what is within the frame of two RGB pictures: 255 where it is, else 0."""
    grey = stacked(before.convert("L"), after.convert("L"))
    low, high = _extreme(grey, ImageChops.darker), _extreme(grey, ImageChops.lighter)
    smooth = ImageChops.lighter(*halves(_smooth(grey, low, high)))
    step = ImageChops.darker(*halves(ImageChops.difference(high, low)))
    beyond = ImageChops.subtract(
        ImageChops.difference(*halves(grey)), step.point([level // 2 for level in range(256)])
    )
    mask = ImageChops.darker(smooth, beyond.point(_IS_ZERO))
    return mask.crop((FRAME, FRAME, mask.width - FRAME, mask.height - FRAME))


def _smooth(grey: Image.Image, low: Image.Image, high: Image.Image) -> Image.Image:
    """255 where one picture of a stack has a smoothed edge."""
    flat = _as_bright(grey).point([255 * (count >= FLAT) for count in range(256)])
    in_both = ImageChops.darker(*halves(flat))
    in_both = stacked(in_both, in_both)
    flat_low = _extreme(ImageChops.lighter(grey, ImageChops.invert(in_both)), ImageChops.darker)
    flat_high = _extreme(ImageChops.darker(grey, in_both), ImageChops.lighter)
    apart = ImageChops.darker(
        ImageChops.difference(low, flat_low), ImageChops.difference(high, flat_high)
    )
    between = ImageChops.darker(ImageChops.difference(grey, low), ImageChops.difference(high, grey))
    masks = ImageChops.invert(flat), between.point(_NOT_ZERO), apart.point(_IS_ZERO)
    return reduce(ImageChops.darker, masks)


def _as_bright(grey: Image.Image) -> Image.Image:
    """How many of its eight neighbours each pixel is equal to."""
    # Sums without a limit are ten times as fast as those with one.
    count = Image.new("L", grey.size)
    for x, y in _HALF_AROUND:
        equal = ImageChops.difference(grey, moved(grey, x, y)).point([1] + [0] * 255)
        # To be equal is mutual: this neighbour's pixel is the opposite neighbour of another.
        count = reduce(ImageChops.add_modulo, (count, equal, moved(equal, -x, -y)))
    return count


def _extreme(
    image: Image.Image, pick: Callable[[Image.Image, Image.Image], Image.Image]
) -> Image.Image:
    """What `pick` leaves of each pixel and its eight neighbours."""
    for x, y in ((1, 0), (0, 1)):
        image = reduce(pick, (image, moved(image, x, y), moved(image, -x, -y)))
    return image
