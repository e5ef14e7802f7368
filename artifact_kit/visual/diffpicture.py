"""A picture of what differs between two pictures, for a person to look at."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

from artifact_kit.visual.comparison import STRICT, marks, paired
from artifact_kit.visual.oklab import over
from artifact_kit.visual.strips import decoded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.visual.comparison import Pair
    from artifact_kit.visual.report import Box
    from artifact_kit.visual.tolerance import Tolerance

COUNTED = (220, 0, 78)
ANTIALIASED = (240, 165, 0)
MASKED = (150, 185, 225)

_SHADES = 120
_FADED = 0.3
_COUNTED, _ANTIALIASED, _MASKED = (2 * _SHADES + place for place in range(3))
_ALL = [0] + [255] * 255


def diff_picture(
    before: bytes, after: bytes, tolerance: Tolerance = STRICT, masks: Sequence[Box] = ()
) -> bytes:
    """A PNG of the picture after, faded, in which counted pixels are red, antialiased ones yellow.

    What only one of the pictures has is tinted red; masks are blue.

    Raises:
        BadPicture: One is no PNG, damaged, cut off or too large; `side` says which.
    """
    pair = paired(before, after, tolerance)
    grey = _both(pair)
    picture = grey.point([level * (_SHADES - 1) // 255 for level in range(256)])
    tinted = picture.point([min(_SHADES + shade, 255) for shade in range(256)])
    for part in marks(pair, tolerance, masks):
        place = (part.left, part.top)
        picture.paste(_COUNTED, place, part.counted.point(_ALL))
        picture.paste(_ANTIALIASED, place, part.antialiased.point(_ALL))
    for x, y in ((pair.common[0], 0), (0, pair.common[1])):
        picture.paste(tinted.crop((x, y, pair.width, pair.height)), (x, y))
    for box in masks:
        picture.paste(_MASKED, (box.x, box.y, box.x + box.width, box.y + box.height))
    picture.putpalette(_palette())
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=3)
    return file.getvalue()


def _both(pair: Pair) -> Image.Image:
    """The picture after in grey, and what only the one before has."""
    grey = Image.new("L", (pair.width, pair.height), "white")
    for png in (pair.before, pair.after) if pair.resized else (pair.after,):
        grey.paste(over(decoded(png), "white").convert("L"))
    return grey


def _palette() -> list[int]:
    shades = [round(255 - _FADED * (255 - 255 * shade / (_SHADES - 1))) for shade in range(_SHADES)]
    grey = [part for shade in shades for part in (shade, shade, shade)]
    red = [part for shade in shades for part in (shade, shade * 3 // 4, shade * 4 // 5)]
    return [*grey, *red, *COUNTED, *ANTIALIASED, *MASKED]
