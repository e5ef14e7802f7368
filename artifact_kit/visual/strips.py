"""The rows in which two pictures differ, decoded with as much around them as a judgement needs."""

from __future__ import annotations

import io
import struct
import zlib
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

from artifact_kit.visual.scanlines import BadPicture, Png

if TYPE_CHECKING:
    from collections.abc import Iterator

AROUND = 2
"""Rows above and below that a judgement looks at."""
LEAST_ROWS = 16

_PIECE_BYTES = 1 << 16
_STRIP_BYTES = 1 << 18
_HEAD_BYTES = 1 << 22
_HEAD_ROWS = 2 * AROUND
_ALONE = (b"\0", b"\1")
_NOT_DECODED = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)


@dataclass(frozen=True)
class Strip:
    """Some rows of two pictures, alike in size and mode (RGB or RGBA)."""

    top: int
    """The first row that is to be judged, in the picture."""
    rows: int
    """How many are."""
    above: int
    """How many rows stand above these, for the judgement; further ones below."""
    before: Image.Image
    after: Image.Image


def differing(before: Png, after: Png) -> Iterator[Strip]:
    """Strips from top to bottom; no row that differs is outside of them.

    They are as wide as the picture, at least `LEAST_ROWS` high but for the first and the last, and
    bounded in memory. Pictures must have one size.

    Raises:
        BadPicture: One can't be decoded.
    """
    if before.plain and after.plain and before.header == after.header:
        return _streamed(before, after)
    return sliced(decoded(before).convert("RGBA"), decoded(after).convert("RGBA"))


def decoded(png: Png) -> Image.Image:
    """The whole picture as RGB or RGBA.

    Raises:
        BadPicture: It can't be decoded.
    """
    if png.plain:
        # Pillow would make rows that are missing black.
        deque(png.rows(LEAST_ROWS), maxlen=0)
    try:
        with Image.open(io.BytesIO(png.data), formats=("PNG",)) as image:
            return image.convert("RGB" if png.plain and png.header.channels == 3 else "RGBA")
    except _NOT_DECODED:
        raise BadPicture(png.side, "is damaged") from None


def sliced(before: Image.Image, after: Image.Image) -> Iterator[Strip]:
    """Strips of pictures that are decoded already."""
    width, height = before.size
    count = max(LEAST_ROWS, _STRIP_BYTES // (4 * width))
    for top in range(0, height, count):
        start, end = max(0, top - AROUND), min(height, top + count)
        box = (0, start, width, min(height, end + AROUND))
        yield Strip(top, end - top, top - start, before.crop(box), after.crop(box))


def _streamed(before: Png, after: Png) -> Iterator[Strip]:
    """Decodes rows only where the filtered ones differ, or the pixels above them do."""
    first = before.header
    count = max(LEAST_ROWS, _PIECE_BYTES // first.stride)
    one, other, judged, end = b"", b"", 0, 0
    for piece, counterpart in zip(before.rows(count), after.rows(count), strict=True):
        end += len(piece) // first.stride
        alike = piece == counterpart
        ready = end if end == first.height else end - AROUND
        if alike and one == other:
            one = other = _head(before, one, piece)
            judged = ready
            continue
        one, other = one + piece, other + counterpart
        if alike or len(one) > _STRIP_BYTES or end == first.height:
            images = _unfiltered(before, one), _unfiltered(after, other)
            one, other = map(_last_rows, images)
            start = max(0, judged - AROUND)
            box = (0, start - end + images[0].height, first.width, images[0].height)
            before_rows, after_rows = (image.crop(box) for image in images)
            yield Strip(judged, ready - judged, judged - start, before_rows, after_rows)
            judged = ready


def _head(png: Png, head: bytes, piece: bytes) -> bytes:
    """The last rows so far, from one on that needs none above it."""
    stride = png.header.stride
    filters = piece[::stride]
    last = max(filters.rfind(kind, 0, max(0, len(filters) - _HEAD_ROWS + 1)) for kind in _ALONE)
    if last >= 0:
        return piece[last * stride :]
    longer = head + piece
    return longer if len(longer) < _HEAD_BYTES else _last_rows(_unfiltered(png, longer))


def _last_rows(image: Image.Image) -> bytes:
    """As filtered rows that need none above them."""
    top = max(0, image.height - _HEAD_ROWS)
    rows = image.crop((0, top, image.width, image.height))
    data = rows.tobytes()
    size = len(data) // rows.height
    return b"".join(b"\0" + data[place : place + size] for place in range(0, len(data), size))


def _unfiltered(png: Png, rows: bytes) -> Image.Image:
    size = (png.header.width, len(rows) // png.header.stride)
    mode = "RGB" if png.header.channels == 3 else "RGBA"
    try:
        return Image.frombytes(mode, size, zlib.compress(rows, 0), "zip", mode)
    except _NOT_DECODED:
        raise BadPicture(png.side, "is damaged") from None
