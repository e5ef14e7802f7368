"""Exact matches and exact replacement over bytes (pure).

Line endings are the one freedom: CRLF and LF match each other, and a new text takes the ending of
the place that it comes to. Every byte outside a match stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from artifact_kit.file_tools.textfile import TextFile

LISTED = 10_000
"""Most places that are listed; their total may be larger."""


@dataclass(frozen=True, order=True)
class Span:
    """One replacement: a part of the view, its new bytes, and the entry that asked for it."""

    start: int
    end: int
    new: bytes
    entry: int = 0


def unified(text: str) -> bytes:
    """An argument as the view is written: UTF-8 with LF line endings."""
    return text.replace("\r\n", "\n").encode()


def places(view: bytes, needle: bytes) -> list[int]:
    """Where the needle stands, overlapping places included; the first 10,000 of them."""
    found: list[int] = []
    place = view.find(needle)
    while place >= 0 and len(found) < LISTED:
        found.append(place)
        place = view.find(needle, place + 1)
    return found


def apart(found: list[int], view: bytes, needle: bytes) -> list[int]:
    """The places from left to right that do not overlap: those that replace-all replaces."""
    if len(found) == LISTED:
        found, place = [], view.find(needle)
        while place >= 0:
            found.append(place)
            place = view.find(needle, place + len(needle))
        return found
    kept: list[int] = []
    for place in found:
        if not kept or place >= kept[-1] + len(needle):
            kept.append(place)
    return kept


def total(found: list[int], view: bytes, needle: bytes) -> int:
    """How many places there are, also when the list was cut."""
    return len(found) if len(found) < LISTED else max(len(found), view.count(needle))


def replaced(file: TextFile, spans: list[Span]) -> tuple[bytes, list[tuple[int, int]]]:
    """The new stored bytes, and where in them each replacement stands (start, end).

    The spans are in order and do not overlap.
    """
    pieces: list[bytes] = []
    where: list[tuple[int, int]] = []
    done = length = 0
    for span in spans:
        start, end = file.stored(span.start), file.stored(span.end)
        new = _with_endings(file, start, end, span.new)
        pieces += (file.data[done:start], new)
        length += start - done
        where.append((length, length + len(new)))
        length += len(new)
        done = end
    pieces.append(file.data[done:])
    return b"".join(pieces), where


def _with_endings(file: TextFile, start: int, end: int, new: bytes) -> bytes:
    """The new text with the line ending of the match, of its line, or of most of the file."""
    if b"\n" not in new or (not file.has_crlf and b"\n" not in file.data):
        return new
    new = new.replace(b"\r\n", b"\n")
    if not file.has_crlf:
        return new
    crlf = file.data.count(b"\r\n", start, end)
    plain = file.data.count(b"\n", start, end) - crlf
    if not crlf and not plain:
        after = file.data.find(b"\n", end)
        if after >= 0:
            crlf = int(file.data[after - 1 : after] == b"\r" and after > end)
            plain = 1 - crlf
        else:
            crlf, plain = file.endings
    return new.replace(b"\n", b"\r\n") if crlf >= plain else new
