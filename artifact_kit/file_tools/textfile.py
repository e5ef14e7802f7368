"""A stored text as bytes: its line endings, its lines, and what it is when it is no text (pure)."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from artifact_kit.file_tools.marks import REMARKABLE
from artifact_kit.text import plural
from artifact_kit.workspace import Content

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_SIGNATURES = tuple(magic for magic, _ in _MAGIC)
_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a WAV sound", b"AVI ": "an AVI video"}
_LISTED = 8
_TABBED = re.compile(r"^ *\t", re.M)
_SPACED = re.compile(r"^ {2,}\S", re.M)
_MIXED = re.compile(r"^ +\t|^\t+ {2,}", re.M)
_ESCAPED = re.compile("[\udc80-\udcff]")
_PRINTED = frozenset({b"BZh", b"ID3", b"GIF87a", b"GIF89a", b"wOFF", b"wOF2", b"OTTO", b"OggS"})


def digest(data: bytes) -> str:
    """The first eight hexadecimal digits of the SHA-256 of the stored bytes."""
    return Content(data, len(data)).hash


def is_picture(data: bytes) -> bool:
    """Whether the bytes are a picture that can be shown, by their signature."""
    return binary_kind(data).removesuffix(" (ICO)").endswith(("image", "icon"))


def binary_kind(data: bytes) -> str:
    """What the bytes are when they are no text that can be edited: `a PNG image`; else empty."""
    head = data[:_SNIFF]
    has_nul = b"\x00" in head
    for magic, kind in _MAGIC if head.startswith(_SIGNATURES) else ():
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
        """What is matched."""
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
    def shown(self) -> str:
        """The text with its line endings as they are stored, so that a copy of it is exact."""
        if not self.has_crlf:
            return self.text
        return self.data[self.bom :].decode("utf-8", "replace")

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
    def mark(self) -> tuple[int, int]:
        """The line that was looked for last, and where it begins."""
        return 1, 0

    def begin(self, line: int) -> int:
        """Where a line of `shown` begins. Readers go on: it is looked for from the mark."""
        known, place = self.mark if self.mark[0] <= line else (1, 0)
        for _ in range(line - known):
            place = self.shown.find("\n", place) + 1 or len(self.shown)
        self.put_mark(line, place)
        return place

    def put_mark(self, line: int, place: int) -> None:
        """Tell where a line begins."""
        self.__dict__["mark"] = line, place

    @cached_property
    def flags(self) -> list[str]:
        """What a model can't see in the text and would stumble over in an edit."""
        flags = ["UTF-8 BOM"] if self.bom else []
        if self.has_crlf:
            crlf, plain = self.endings
            kinds = f"mixed line endings: {crlf} CRLF, {plain} LF"
            flags.append(kinds if plain else "CRLF line endings")
        flags += _indentation(self.text)
        if not self.text.isascii():
            flags += _characters(self.text)
            flags += [] if self.is_utf8 else [_strays(self.view)]
        if self.view and not self.view.endswith(b"\n"):
            flags.append("no newline at end")
        return flags

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


def _indentation(text: str) -> Iterator[str]:
    if "\t" in text and _TABBED.search(text):
        mixed = _MIXED.search(text) or _SPACED.search(text)
        yield "mixes tabs and spaces" if mixed else "tab-indented"


def _characters(text: str) -> Iterator[str]:
    lines: list[int] = []
    line, counted = 1, 0
    for hit in REMARKABLE.finditer(text):
        line += text.count("\n", counted, hit.start())
        counted = hit.start()
        if line not in lines[-1:]:
            lines.append(line)
        if len(lines) > _LISTED:
            break
    if lines:
        more = " …" if len(lines) > _LISTED else ""
        listed = ", ".join(map(str, lines[:_LISTED]))
        yield f"invisible or non-breaking characters on lines {listed}{more}"


def _strays(view: bytes) -> str:
    raw = view.decode("utf-8", "surrogateescape")
    bad = [hit.start() for hit in _ESCAPED.finditer(raw)]
    line = raw.count("\n", 0, bad[0]) + 1
    return f"not valid UTF-8: {plural(len(bad), 'byte')} shown as \ufffd, first at line {line}"
