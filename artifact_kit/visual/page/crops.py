"""The part of a picture in which something differs, cut out to be shown large (pure)."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

from PIL import Image as Pillow

from artifact_kit.visual.report import Box, Size

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DECODED_PIXELS = 80_000_000
_SMALLEST = (160, 100)
_LARGEST = (1280, 800)
_MARGIN = 12
_MAGNIFIED = 200


@dataclass(frozen=True)
class View:
    """Which part of the pictures to show, and the box in it, in pixels of the part."""

    part: Box
    box: Box

    @property
    def magnified(self) -> bool:
        """Whether a pixel is shown larger than it is, and should keep its edges."""
        return self.part.width <= _MAGNIFIED


def size_of(png: bytes) -> Size | None:
    """The size that a PNG says it has; None for anything else."""
    if not png.startswith(_SIGNATURE) or len(png) < 33 or png[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", png[16:24])
    return Size(width=width, height=height) if width and height else None


def view_of(box: Box, whole: Size) -> View | None:
    """The part around a box, never so small that it loses its place.

    None when the box is so large that the whole picture shows it as well.
    """
    wide, high = box.width + 2 * _MARGIN, box.height + 2 * _MARGIN
    ratio = _SMALLEST[0] / _SMALLEST[1]
    width, height = max(wide, _SMALLEST[0]), max(high, _SMALLEST[1])
    width, height = max(width, round(height * ratio)), max(height, round(width / ratio))
    width, height = min(width, whole.width), min(height, whole.height)
    if wide > _LARGEST[0] or high > _LARGEST[1] or 2 * width * height > whole.width * whole.height:
        return None
    x = max(0, min(box.x - (width - box.width) // 2, whole.width - width))
    y = max(0, min(box.y - (height - box.height) // 2, whole.height - height))
    inside = Box(x=max(0, box.x - x), y=max(0, box.y - y), width=box.width, height=box.height)
    return View(Box(x=x, y=y, width=width, height=height), inside)


def crop(png: bytes, part: Box) -> bytes | None:
    """That part of a picture as PNG, blank where the picture ends; None when it can't be read."""
    size = size_of(png)
    if size is None or size.width * size.height > _DECODED_PIXELS:
        return None
    out = io.BytesIO()
    try:
        with Pillow.open(io.BytesIO(png), formats=["PNG"]) as picture:
            corner = (part.x, part.y, part.x + part.width, part.y + part.height)
            picture.convert("RGBA").crop(corner).save(out, "PNG")
    except (OSError, ValueError, SyntaxError):
        return None
    return out.getvalue()
