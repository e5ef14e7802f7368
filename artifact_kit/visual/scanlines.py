"""PNG files as filtered rows of bytes: rows that are alike in two files need no decoding."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from artifact_kit.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_PIXELS = 80_000_000
"""Most pixels of a picture that is compared; 1280 wide that is 62,500 high."""

Side = Literal["before", "after"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}
_DECODER_ONLY = {b"tRNS", b"acTL"}
_INPUT = 1 << 14


class BadPicture(Failure):
    """Bytes that are not a whole PNG picture, or one that is too large to compare.

    `side` is which of the two, `reason` what is said of it: `is cut off`.
    """

    def __init__(self, side: Side, reason: str) -> None:
        super().__init__(f"the picture {side} {reason}", code="bad_picture", facts={"side": side})
        self.side: Side = side
        self.reason = reason


@dataclass(frozen=True)
class Header:
    """What the first part of a PNG file says."""

    width: int
    height: int
    channels: int
    """3 or 4, when a row is 8-bit RGB or RGBA from left to right; else 0."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def stride(self) -> int:
        """Bytes of a filtered row."""
        return 1 + self.width * self.channels


def header(data: bytes, side: Side) -> Header:
    """What a file's first part says of the others.

    Raises:
        BadPicture: It is not a PNG, or too large.
    """
    if data[:8] != _SIGNATURE or data[12:16] != b"IHDR" or len(data) < 33:
        raise BadPicture(side, "is not a PNG")
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    if not width or not height or zlib.crc32(data[12:29]) != int.from_bytes(data[29:33]):
        raise BadPicture(side, "is damaged")
    if width * height > LARGEST_PIXELS:
        size = f"{width:,} × {height:,} pixels"
        raise BadPicture(side, f"has {size}; at most {LARGEST_PIXELS:,} are compared")
    simple = depth == 8 and not interlaced
    return Header(width, height, _CHANNELS.get(kind, 0) if simple else 0)


@dataclass(frozen=True)
class Png:
    """A PNG file in which every part is whole; what they inflate to is not known yet."""

    side: Side
    data: bytes
    header: Header
    body: tuple[memoryview, ...]
    plain: bool
    """Whether filtered rows are all that its pixels need."""

    def rows(self, count: int) -> Iterator[bytes]:
        """The filtered rows of a plain picture, `count` in each piece but the last.

        Raises:
            BadPicture: It has not as many rows as its header says.
        """
        left = self.header.stride * self.header.height
        size = min(self.header.stride * count, left)
        piece = b""
        # Raw, for zlib's own sum takes as long as the rest, and the sums of the file were checked.
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for source in self._sources():
                while block := inflater.decompress(source, size - len(piece)):
                    source = inflater.unconsumed_tail
                    piece = piece + block if piece else block
                    if len(piece) == size:
                        yield piece
                        left -= size
                        size, piece = min(size, left), b""
                    if not left:
                        return
        except zlib.error:
            raise BadPicture(self.side, "is damaged") from None
        raise BadPicture(self.side, "is cut off")

    def _sources(self) -> Iterator[bytes]:
        body = b"".join(self.body)
        if len(body) < 2 or body[0] & 15 != zlib.DEFLATED or body[1] & 32:
            raise BadPicture(self.side, "is damaged")
        for start in range(2, len(body), _INPUT):
            yield body[start : start + _INPUT]


def read(data: bytes, side: Side) -> Png:
    """The parts of a PNG file.

    Raises:
        BadPicture: A part is damaged or missing.
    """
    first = header(data, side)
    view, place, kind = memoryview(data), 8, b""
    body: list[memoryview] = []
    kinds: set[bytes] = set()
    while kind != b"IEND":
        length = int.from_bytes(view[place : place + 4])
        end = place + 8 + length
        if end + 4 > len(data):
            raise BadPicture(side, "is cut off")
        kind = bytes(view[place + 4 : place + 8])
        if zlib.crc32(view[place + 4 : end]) != int.from_bytes(view[end : end + 4]):
            raise BadPicture(side, "is damaged")
        if kind == b"IDAT":
            body.append(view[place + 8 : end])
        kinds.add(kind)
        place = end + 4
    plain = first.channels > 0 and not kinds & _DECODER_ONLY
    return Png(side, data, first, tuple(body), plain)
