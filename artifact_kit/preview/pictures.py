"""What is done with pictures once taken: packed, measured, compared, put side by side (pure)."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from PIL import Image as Picture
from PIL import ImageChops, ImageDraw

from artifact_kit.contract import Image

_UNIFORM = 0.9995
"""From this share of one colour on a picture is called blank (5 % of generated pages are)."""
_LARGE = 256 * 1024
"""A PNG beyond so many bytes is tried as WebP, which is sent when it is far smaller."""
_FAR_SMALLER = 3
_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
_GAP = 6
_LABEL = 14
_MARK = (255, 0, 96)


@dataclass(frozen=True)
class Change:
    """What differs between two pictures of one size."""

    share: float
    """Of the pixels, 0 to 1."""
    box: tuple[int, int, int, int]
    """Left, top, right, bottom of all that differs, in pixels."""


def opened(data: bytes) -> Picture.Image:
    """A picture from its bytes, without transparency."""
    with Picture.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB")


def packed(picture: Picture.Image) -> Image:
    """PNG, or WebP where that is far smaller."""
    png = encoded(picture, ".png")
    if len(png) > _LARGE:
        webp = encoded(picture, ".webp")
        if len(webp) * _FAR_SMALLER < len(png):
            return Image(webp, "image/webp", *picture.size)
    return Image(png, "image/png", *picture.size)


def can_save(suffix: str) -> bool:
    """Whether a file name's ending names a format that is written."""
    return suffix in _FORMATS


def formats() -> str:
    """The endings that `can_save` takes, in words."""
    *first, last = _FORMATS
    return f"{', '.join(first)} or {last}"


def encoded(picture: Picture.Image, suffix: str) -> bytes:
    """The picture's bytes in the format of a file name's ending."""
    out = io.BytesIO()
    how = {"compress_level": 6} if suffix == ".png" else {"quality": 90}
    picture.save(out, _FORMATS[suffix], **how)
    return out.getvalue()


def only_colour(picture: Picture.Image) -> str:
    """The colour of nearly every pixel as `#rrggbb`; empty when there is more than one."""
    colours = picture.getcolors(maxcolors=256)
    if not colours:
        return ""
    count, colour = max(colours, key=lambda each: each[0])
    if not isinstance(colour, tuple) or count < _UNIFORM * picture.width * picture.height:
        return ""
    red, green, blue = colour[:3]
    return f"#{red:02x}{green:02x}{blue:02x}"


def change(before: Picture.Image, after: Picture.Image) -> Change | None:
    """What differs, or None when nothing does; the pictures have one size."""
    differs = ImageChops.difference(before, after)
    box = differs.getbbox()
    if box is None:
        return None
    red, green, blue = differs.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    equal = most.histogram()[0]
    return Change(1 - equal / (after.width * after.height), box)


def marked(picture: Picture.Image, box: tuple[int, int, int, int]) -> Picture.Image:
    """A copy with a frame around a part."""
    copy = picture.copy()
    left, top, right, bottom = box
    ImageDraw.Draw(copy).rectangle((left - 2, top - 2, right + 1, bottom + 1), None, _MARK, 2)
    return copy


def strip(pictures: list[Picture.Image], labels: list[str], most_side: int) -> Picture.Image:
    """The pictures in order, line by line, each under its label, within `most_side` pixels."""
    columns = math.ceil(math.sqrt(len(pictures)))
    rows = math.ceil(len(pictures) / columns)
    width, height = pictures[0].size
    room_x = (most_side - _GAP * (columns + 1)) / (columns * width)
    room_y = (most_side - (_GAP + _LABEL) * rows - _GAP) / (rows * height)
    scale = min(1.0, room_x, room_y)
    cell = max(int(width * scale), 1), max(int(height * scale), 1)
    size = (
        columns * (cell[0] + _GAP) + _GAP,
        rows * (cell[1] + _GAP + _LABEL) + _GAP,
    )
    sheet = Picture.new("RGB", size, (24, 24, 27))
    pen = ImageDraw.Draw(sheet)
    for index, (picture, label) in enumerate(zip(pictures, labels, strict=True)):
        row, column = divmod(index, columns)
        x = _GAP + column * (cell[0] + _GAP)
        y = _GAP + row * (cell[1] + _GAP + _LABEL)
        pen.text((x, y), label, (228, 228, 231))
        sheet.paste(picture.resize(cell), (x, y + _LABEL))
    return sheet
