"""The place in a file that is most like a text that is not in it (pure, bounded).

Lines and words of the text are looked up in the file by byte search, so that the cost grows with
the number of hits and not with the number of lines; only where most of them agree is compared.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

ENOUGH = 0.55
_ANCHORS = 8
_HITS = 200
_CANDIDATES = 24
_DETAILED = 4
_FEW = 4
_COMPARED_LINES = 60
_COMPARED_CHARS = 300
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True)
class Likeness:
    """A window of the file: its first line (from 1), and the lines there beside those sought."""

    first: int
    found: tuple[str, ...]
    sought: tuple[str, ...]
    score: float

    @property
    def equal(self) -> int:
        """How many lines are equal."""
        return sum(one == other for one, other in zip(self.found, self.sought, strict=True))

    @property
    def difference(self) -> int:
        """The index of the first line that differs."""
        pairs = zip(self.found, self.sought, strict=True)
        return next((i for i, (one, other) in enumerate(pairs) if one != other), 0)


@dataclass(frozen=True)
class _Anchor:
    index: int
    column: int
    text: bytes
    weight: int


def closest(view: bytes, sought: str) -> Likeness | None:
    """The most similar window of the file, if it is similar enough to be worth naming."""
    lines = sought.strip("\n").split("\n")[:_COMPARED_LINES]
    votes: Counter[int] = Counter()
    for anchor in _anchors(lines):
        for place in _hits(view, anchor.text):
            start = view.rfind(b"\n", 0, place) + 1
            if len(lines) == 1:
                votes[max(start, place - anchor.column)] += anchor.weight
            else:
                votes[_lines_up(view, start, anchor.index)] += anchor.weight
    windows = [_window(view, start, lines) for start, _ in votes.most_common(_CANDIDATES)]
    if len(lines) > 1:
        windows.sort(key=lambda window: -_equal(window[1], lines))
    else:
        size = len(lines[0])
        windows.sort(key=lambda window: -_ratio(window[1][0][:size], lines[0]))
        windows = [(start, [_fitted(found[0], lines[0])]) for start, found in windows[:_DETAILED]]
    windows = windows[:_DETAILED]
    scored = [(_score(found, lines), start, found) for start, found in windows]
    if not scored:
        return None
    score, start, found = max(scored, key=lambda each: each[0])
    if score < ENOUGH:
        return None
    return Likeness(view.count(b"\n", 0, start) + 1, tuple(found), tuple(lines), score)


def _anchors(lines: list[str]) -> list[_Anchor]:
    """The longest lines, and the longest words in pieces, that are worth looking up."""
    whole = [
        _Anchor(index, 0, line.strip().encode(), 8)
        for index, line in enumerate(lines)
        if len(lines) > 1 and len(line.strip()) > 3
    ]
    words: dict[bytes, _Anchor] = {}
    for index, line in enumerate(lines):
        for word in _WORD.finditer(line[:2000]):
            step = 6 if len(word[0]) > 12 else len(word[0])
            for start in range(word.start(), word.end(), step):
                piece = line[start : min(start + step, word.end())].encode()
                column = len(line[:start].encode())
                words.setdefault(piece, _Anchor(index, column, piece, 1))
    if len(words) < _FEW:
        words |= {each.text: each for each in _pieces(lines)}
    by_length = sorted(whole, key=lambda anchor: -len(anchor.text))[:_ANCHORS]
    return by_length + sorted(words.values(), key=lambda a: -len(a.text))[: 2 * _ANCHORS]


def _pieces(lines: list[str]) -> list[_Anchor]:
    """Short pieces of the longest line, for texts of few words or without spaces."""
    index = max(range(len(lines)), key=lambda i: len(lines[i].strip()))
    line = lines[index][:_COMPARED_CHARS]
    step = max(1, len(line) // (2 * _ANCHORS))
    starts = range(0, max(len(line) - 2, 1), step)
    pieces = [(start, line[start : start + 3]) for start in starts]
    return [
        _Anchor(index, len(line[:start].encode()), piece.encode(), 1)
        for start, piece in pieces
        if len(piece.strip()) > 1
    ]


def _hits(view: bytes, anchor: bytes) -> list[int]:
    hits: list[int] = []
    place = view.find(anchor)
    while place >= 0 and len(hits) < _HITS:
        hits.append(place)
        place = view.find(anchor, place + len(anchor))
    return hits


def _lines_up(view: bytes, start: int, count: int) -> int:
    """The start of the line that is `count` lines above the line that starts here."""
    while count and start:
        start = view.rfind(b"\n", 0, start - 1) + 1
        count -= 1
    return start


def _window(view: bytes, start: int, lines: list[str]) -> tuple[int, list[str]]:
    """The lines of the file from a place on, as many as are sought; parts of lines at the ends."""
    found: list[str] = []
    place = start
    for line in lines:
        end = view.find(b"\n", place)
        end = len(view) if end < 0 else end
        reach = len(line.encode()) + _COMPARED_CHARS
        found.append(view[place : min(end, place + reach)].decode("utf-8", "replace"))
        place = min(end + 1, len(view))
    if len(lines) > 1:
        if lines[0] and found[0].endswith(lines[0]):
            found[0] = lines[0]
        if lines[-1] and found[-1].startswith(lines[-1]):
            found[-1] = lines[-1]
    return start, found


def _fitted(found: str, sought: str) -> str:
    """The part of a line that is as long as what is sought, or somewhat longer if that fits."""
    size = len(sought)
    lengths = (size, size + 2, size + 6, size + 12) if size < _COMPARED_CHARS else (size,)
    return max((found[:length] for length in lengths), key=lambda part: _ratio(part, sought))


def _equal(found: list[str], lines: list[str]) -> int:
    return sum(one.strip() == other.strip() for one, other in zip(found, lines, strict=True))


def _score(found: list[str], lines: list[str]) -> float:
    return sum(map(_ratio, found, lines)) / len(lines)


def _ratio(one: str, other: str) -> float:
    if one == other:
        return 1.0
    one, other = one.strip()[:_COMPARED_CHARS], other.strip()[:_COMPARED_CHARS]
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < ENOUGH or matcher.quick_ratio() < ENOUGH:
        return 0.0
    return matcher.ratio()
