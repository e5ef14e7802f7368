"""Texts that differ from a file only in spaces, tabs and empty lines (pure)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from artifact_kit.file_tools.marks import LEGEND, beside
from artifact_kit.text import plural

if TYPE_CHECKING:
    from artifact_kit.file_tools.textfile import TextFile

_BLANKS = b" \t"
_SHOWN = 3


def blank_difference(file: TextFile, old: str, name: str) -> tuple[str, list[int]] | None:
    """What differs and where, when the file has the text with other blanks; else None.

    The words name the kind (indentation, trailing spaces, spaces inside, empty lines), the line,
    and show both lines with their blanks marked.
    """
    needle = old.encode().translate(None, _BLANKS)
    if not needle.strip():
        return None
    found = _lines_of(file.view.translate(None, _BLANKS), needle)
    if not found:
        return _other_empty_lines(file, old)
    sought = old.split("\n")
    first = found[0]
    lines = _slice(file.view, first, len(sought))
    lines[0] = _tail(lines[0], sought[0]) if len(sought) > 1 else _part(lines[0], sought[0])
    lines[-1] = _head(lines[-1], sought[-1]) if len(sought) > 1 else lines[-1]
    pairs = list(zip(lines, sought, strict=True))
    at = next((i for i, (have, want) in enumerate(pairs) if have != want), 0)
    kinds = _kinds(pairs)
    more = ""
    if len(found) > 1:
        more = f" It stands in {plural(len(found), 'place')} (lines {_listed(found)})."
    return (
        f"It differs only in {' and '.join(kinds)} at line {first + at}.{more}\n"
        f"{beside(first + at, *pairs[at], name)}{LEGEND}",
        [first + at],
    )


def _listed(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:_SHOWN]))
    return f"{shown} …" if len(lines) > _SHOWN else shown


def _lines_of(squeezed: bytes, needle: bytes) -> list[int]:
    lines: list[int] = []
    place = squeezed.find(needle)
    while place >= 0 and len(lines) <= _SHOWN:
        # A needle that begins with a line break begins on the line that this break ends.
        lines.append(squeezed.count(b"\n", 0, place) + 1)
        place = squeezed.find(needle, place + len(needle))
    return lines


def _slice(view: bytes, first: int, count: int) -> list[str]:
    rows = view.split(b"\n", first + count - 1)[first - 1 : first + count - 1]
    rows += [b""] * (count - len(rows))
    return [row.decode("utf-8", "replace") for row in rows]


def _dense(text: str) -> str:
    return text.replace(" ", "").replace("\t", "")


def _tail(line: str, sought: str) -> str:
    """The end of a line that has the characters sought; with blanks before, if some are sought."""
    left = len(_dense(sought))
    place = len(line)
    while place and left:
        place -= 1
        left -= line[place] not in " \t"
    while sought[:1] in (" ", "\t") and place and line[place - 1] in " \t":
        place -= 1
    return line[place:]


def _head(line: str, sought: str) -> str:
    """The beginning of a line that has the characters sought; with blanks after, if sought."""
    left = len(_dense(sought))
    place = 0
    while place < len(line) and left:
        left -= line[place] not in " \t"
        place += 1
    while sought[-1:] in (" ", "\t") and place < len(line) and line[place] in " \t":
        place += 1
    return line[:place]


def _part(line: str, sought: str) -> str:
    """The part of one line that has the characters sought, with blanks where some are sought."""
    dense, wanted = _dense(line), _dense(sought)
    before, after = sought[: len(sought) - len(sought.lstrip())], sought[len(sought.rstrip()) :]
    return _head(_tail(line, before + dense[dense.find(wanted) :]), wanted + after)


def _kinds(pairs: list[tuple[str, str]]) -> list[str]:
    kinds: dict[str, str] = {}
    for have, want in pairs:
        for kind in _kinds_of(have, want):
            kinds.setdefault(kind.partition(" (")[0], kind)
    return list(kinds.values()) or ["spaces"]


def _kinds_of(have: str, want: str) -> list[str]:
    kinds = []
    one, other = _indent(have), _indent(want)
    if one != other and have.strip() and want.strip():
        kinds.append(f"indentation ({_indent_words(one, other)})")
    one, other = have[len(have.rstrip()) :], want[len(want.rstrip()) :]
    if one != other:
        kinds.append("trailing spaces" if "\t" not in one + other else "trailing spaces or tabs")
    if have.strip() != want.strip():
        kinds.append("spaces inside the line")
    return kinds


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_words(have: str, want: str) -> str:
    if "\t" in have and "\t" not in want and want:
        return "the file uses tabs, oldText uses spaces"
    if "\t" in want and "\t" not in have and have:
        return "the file uses spaces, oldText uses tabs"
    return f"the file has {_count(have)}, oldText has {_count(want)}"


def _count(indent: str) -> str:
    if not indent:
        return "none"
    return plural(len(indent), "tab" if "\t" in indent else "space")


def _other_empty_lines(file: TextFile, old: str) -> tuple[str, list[int]] | None:
    """The same lines with another number of empty lines between them."""
    every = _BLANKS + b"\n"
    needle = old.encode().translate(None, every)
    dense = file.view.translate(None, every)
    place = dense.find(needle)
    if place < 0 or "\n" not in old.strip():
        return None
    first = _original(file.view, place, every)
    last = _original(file.view, place + len(needle) - 1, every)
    have = file.view[first : last + 1].decode("utf-8", "replace")
    gaps = (_gaps(have), _gaps(old.strip()))
    line = file.line(first)
    for one, other in zip(*gaps, strict=False):
        if one != other:
            line += one[0]
            words = f"the file has {one[1] - one[0] - 1}, {other[1] - other[0] - 1} were sent"
            return (
                f"It differs only in the number of blank lines: after line {line} {words}.",
                [line],
            )
    return (f"It differs only in line breaks and blanks from line {line} on.", [line])


def _gaps(text: str) -> list[tuple[int, int]]:
    filled = [index for index, line in enumerate(text.split("\n")) if line.strip()]
    return list(pairwise(filled))


def _original(view: bytes, dense: int, removed: bytes) -> int:
    """The place of the character that is number `dense` once some bytes are removed."""
    low, high = 0, len(view)
    while low < high:
        middle = (low + high) // 2
        if len(view[: middle + 1].translate(None, removed)) > dense:
            high = middle
        else:
            low = middle + 1
    return low
