"""A stored text as bytes: its line endings, its lines, and what it is when it is no text (pure)."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

BOM = b"\xef\xbb\xbf"
_SNIFF = 8 * 1024
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x00asm", "a WebAssembly module"),
    (b"\x7fELF", "an ELF program"),
    (b"wOFF", "a WOFF font"),
    (b"wOF2", "a WOFF2 font"),
    (b"\x00\x01\x00\x00", "a TrueType font"),
    (b"OTTO", "an OpenType font"),
    (b"OggS", "an Ogg sound or video"),
    (b"ID3", "an MP3 sound"),
    (b"fLaC", "a FLAC sound"),
    (b"\x1aE\xdf\xa3", "a WebM or Matroska video"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00\x00\x01\x00", "an icon (ICO)"),
    (b"\xff\xfe\x00\x00", "UTF-32 text"),
    (b"\x00\x00\xfe\xff", "UTF-32 text"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a WAV sound", b"AVI ": "an AVI video"}
_PRINTED = frozenset({b"BZh", b"ID3", b"GIF87a", b"GIF89a", b"wOFF", b"wOF2", b"OTTO", b"OggS"})


def digest(data: bytes) -> str:
    """The first eight hexadecimal digits of the SHA-256 of the stored bytes."""
    return hashlib.sha256(data).hexdigest()[:8]


def is_picture(data: bytes) -> bool:
    """Whether the bytes are a picture that can be shown, by their signature."""
    return binary_kind(data).removesuffix(" (ICO)").endswith(("image", "icon"))


def binary_kind(data: bytes) -> str:
    """What the bytes are when they are no text that can be edited: `a PNG image`; else empty."""
    head = data[:_SNIFF]
    has_nul = b"\x00" in head
    for magic, kind in _MAGIC:
        # Signatures of letters alone also begin honest texts ("ID3 is a tag format").
        if head.startswith(magic) and (has_nul or magic not in _PRINTED or not _is_utf8(data)):
            return kind
    if head[:4] == b"RIFF" and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return "an MP4 or AVIF file"
    if not has_nul:
        return ""
    return "UTF-16 text" if _looks_utf16(head) else "a binary file"


def _looks_utf16(head: bytes) -> bool:
    for zeros, letters in ((head[1::2], head[::2]), (head[::2], head[1::2])):
        few = zeros.count(0) * 10 >= len(zeros) * 7
        if len(head) >= 8 and few and letters.count(0) == 0 and not letters.translate(None, _TEXTS):
            return True
    return False


_TEXTS = bytes(range(32, 256)) + b"\t\n\r"


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True)
class TextFile:
    """Stored bytes, and their view: without BOM, every CRLF as LF."""

    data: bytes

    @cached_property
    def bom(self) -> int:
        """Length of the byte order mark: 3 or 0."""
        return len(BOM) if self.data.startswith(BOM) else 0

    @cached_property
    def has_crlf(self) -> bool:
        # One byte is looked for at memory speed, two are not.
        return b"\r" in self.data and b"\r\n" in self.data

    @cached_property
    def view(self) -> bytes:
        """What is matched and shown."""
        body = self.data[self.bom :] if self.bom else self.data
        return body.replace(b"\r\n", b"\n") if self.has_crlf else body

    @cached_property
    def is_utf8(self) -> bool:
        return self.data.isascii() or _is_utf8(self.data)

    @cached_property
    def text(self) -> str:
        """The view as characters; bytes that are not UTF-8 are shown as U+FFFD."""
        return self.view.decode("utf-8", "replace")

    @cached_property
    def endings(self) -> tuple[int, int]:
        """How many lines end in CRLF, and how many in LF alone."""
        crlf = self.data.count(b"\r\n")
        return crlf, self.data.count(b"\n") - crlf

    @cached_property
    def lines(self) -> int:
        """Number of lines; a last line without a line break counts."""
        return self.view.count(b"\n") + bool(self.view and not self.view.endswith(b"\n"))

    @cached_property
    def _breaks(self) -> list[int]:
        """The places, in the view, of the line breaks that are stored as CRLF."""
        parts = self.data[self.bom :].split(b"\r\n")
        return [end + index for index, end in enumerate(accumulate(map(len, parts[:-1])))]

    def stored(self, place: int) -> int:
        """The place in the stored bytes of a place in the view."""
        shift = bisect_left(self._breaks, place) if self.has_crlf else 0
        return self.bom + place + shift

    def line(self, place: int) -> int:
        """The line, counted from 1, on which a place of the view stands."""
        return self.view.count(b"\n", 0, place) + 1
