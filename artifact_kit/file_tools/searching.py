"""Lines of one text that match a pattern, bounded in number and in time (pure)."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from artifact_kit.file_tools.marks import around

_LINE_CHARS = 300


@dataclass(frozen=True)
class Match:
    """A line that matches, from 1, and where in it the match begins."""

    line: int
    column: int


def pattern_of(text: str, *, literal: bool, ignore_case: bool) -> regex.Pattern[str]:
    """A pattern that works line by line: `^` and `$` are the ends of lines.

    Raises:
        regex.error: It is no regular expression.
    """
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    return regex.compile(regex.escape(text) if literal else text, flags)


def matches(
    text: str, pattern: regex.Pattern[str], *, after: int, most: int, seconds: float
) -> list[Match]:
    """The matching lines after line `after`, at most `most` of them.

    Raises:
        TimeoutError: The pattern ran longer than `seconds` between two of them.
    """
    found: list[Match] = []
    place = _line_start(text, after)
    line = after + 1
    counted = place
    while len(found) < most and place < len(text):
        hit = pattern.search(text, place, timeout=seconds, concurrent=True)
        if hit is None or (hit.start() == len(text) and text.endswith("\n")):
            break
        line += text.count("\n", counted, hit.start())
        begin = text.rfind("\n", 0, hit.start()) + 1
        found.append(Match(line, hit.start() - begin))
        counted = hit.start()
        end = text.find("\n", hit.start())
        if end < 0:
            break
        place = end + 1
    return found


def _line_start(text: str, lines: int) -> int:
    """Where the line after the first `lines` lines begins."""
    place = 0
    for _ in range(lines):
        end = text.find("\n", place)
        if end < 0:
            return len(text)
        place = end + 1
    return place


def block(lines: list[str], found: list[Match], context: int) -> list[str]:
    """The matching lines as `12: text` and those around them as `11- text`."""
    hits = {match.line: match.column for match in found}
    shown: list[str] = []
    last = 0
    for match in found:
        first = max(match.line - context, last + 1, 1)
        if shown and context and first > last + 1:
            shown.append("--")
        last = max(last, min(match.line + context, len(lines)))
        for line in range(first, last + 1):
            mark = ":" if line in hits else "-"
            shown.append(f"{line}{mark} {around(lines[line - 1], hits.get(line, 0), _LINE_CHARS)}")
    return shown
