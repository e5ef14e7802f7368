"""What a difference is: a change that counts, an antialiased edge, or too little to be seen."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

from artifact_kit.visual.antialiasing import antialiased, framed
from artifact_kit.visual.arithmetic import evaluate, largest, ones, stacked
from artifact_kit.visual.oklab import distances, over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifact_kit.visual.strips import Strip

FEW = 0.15
"""When less of an area differs, only what does is weighed."""

_SOME = [0] + [1] * 255

Region = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(frozen=True)
class Marks:
    """Masks of a part of the picture: 1 where a pixel is meant, else 0."""

    left: int
    top: int
    counted: Image.Image
    antialiased: Image.Image
    """Pixels that were not counted because they are."""
    largest: float
    """The largest distance of two colours in this part."""


def judge(strip: Strip, distance: float, edges: tuple[int, int]) -> Marks | None:
    """What differs by more than the distance; None when no pixel differs at all.

    Antialiased edges are told apart in an upper left part of the picture, so wide and high.
    """
    rows = (0, strip.above, strip.before.width, strip.above + strip.rows)
    pair = strip.before.crop(rows), strip.after.crop(rows)
    differs = reduce(ImageChops.lighter, ImageChops.difference(*pair).split()).point(_SOME)
    box = differs.getbbox()
    if box is None:
        return None
    far, most = _far(pair[0].crop(box), pair[1].crop(box), differs.crop(box), distance)
    smooth = _smooth(strip, box, far)
    left, top = box[0], strip.top + box[1]
    smooth = smooth.crop((0, 0, max(0, edges[0] - left), max(0, edges[1] - top)))
    smooth = smooth.crop((0, 0, *far.size))
    return Marks(left, top, ImageChops.difference(far, smooth), smooth, most)


def _far(
    before: Image.Image, after: Image.Image, differs: Image.Image, distance: float
) -> tuple[Image.Image, float]:
    """A mask of the pixels that are too far apart, and the largest distance of any."""
    if ones(differs) > FEW * differs.width * differs.height:
        delta = distances(stacked(before, after))
        return _beyond(delta, distance), largest(delta)
    places = [match.start() for match in re.finditer(b"\1", differs.tobytes())]
    delta = distances(_gathered(before, after, places))
    mask = bytearray(differs.width * differs.height)
    for place, far in zip(places, _beyond(delta, distance).tobytes(), strict=True):
        mask[place] = far
    return Image.frombytes("L", differs.size, bytes(mask)), largest(delta)


def _beyond(delta: Image.Image, distance: float) -> Image.Image:
    return evaluate(lambda of: of["delta"] > distance, delta=delta).convert("L")


def _gathered(before: Image.Image, after: Image.Image, places: list[int]) -> Image.Image:
    """Only those pixels, in a row for each picture."""
    rows = array("I")
    for image in (before, after):
        colours = array("I", image.convert("RGBA").tobytes())
        rows.extend(map(colours.__getitem__, places))
    return Image.frombytes("RGBA", (len(places), 2), rows.tobytes()).convert(before.mode)


def _smooth(strip: Strip, box: Region, far: Image.Image) -> Image.Image:
    """Which of those far apart are antialiased."""
    smooth = Image.new("L", far.size)
    x, y = box[0], box[1] + strip.above
    for left, top, right, bottom in _clusters(far):
        region = (x + left, y + top, x + right, y + bottom)
        before, after = (
            over(framed(image, region), "white") for image in (strip.before, strip.after)
        )
        smooth.paste(antialiased(before, after), (left, top))
    return ImageChops.darker(far, smooth)


def _clusters(mask: Image.Image) -> Iterator[Region]:
    """Boxes side by side that hold all that is marked, and not much else."""
    row = mask
    while row.height > 1:
        half = (row.height + 1) // 2
        upper = row.crop((0, 0, row.width, half))
        row = ImageChops.lighter(upper, row.crop((0, row.height - half, row.width, row.height)))
    for match in re.finditer(rb"\x01(?:\0{0,31}\x01)*", row.tobytes()):
        left, right = match.span()
        if (box := mask.crop((left, 0, right, mask.height)).getbbox()) is not None:
            yield left, box[1], right, box[3]
