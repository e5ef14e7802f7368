"""Where code lies that a stack misplaces or cannot place: event attributes, code made at run time.

Everything here is certain or left out: a wrong line costs a reader more than none (pure).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG_END = re.compile(r"""(?:[^>"']|"[^"]*"|'[^']*')*>""")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_SPELLED = (
    re.compile(r"ReferenceError: (?P<word>[\w$]+) is not defined"),
    re.compile(r"\((?:reading|setting) '(?P<word>[\w$]+)'\)"),
    re.compile(r"(?:^|[ .])(?P<word>[\w$]+)(?:\(\.\.\.\))? is not a (?:function|constructor)"),
    re.compile(r"Cannot access '(?P<word>[\w$]+)' before"),
)
_MESSAGE = re.compile(r"\w*Error: (?P<message>.{6,})$")
_LONGEST = 2**20
"""Files beyond so many characters are not searched."""


class Text:
    """A source and where its lines begin."""

    def __init__(self, source: bytes) -> None:
        self.text = source.decode("utf-8", "replace")[:_LONGEST].removeprefix("\ufeff")
        self._starts = [0, *(found.end() for found in _NEWLINE.finditer(self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def in_attribute(source: bytes, event: str, line: int, column: int) -> tuple[int, int] | None:
    """Where an event attribute's code lies; None when no attribute of the file fits.

    Chromium counts such code's lines and columns from the end of its start tag.
    """
    text = Text(source)
    attribute = re.compile(rf"""(?<![\w-]){event}\s*=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)')""", re.I)
    for found in attribute.finditer(text.text):
        end = _TAG_END.match(text.text, found.end())
        if end is None:
            continue
        end_line, end_column = text.place(end.end() - 1)
        start = found.start("a" if found["a"] is not None else "b")
        code = found["a"] if found["a"] is not None else found["b"]
        offset = _offset(code, line - end_line, column - (end_column if line == end_line else 0))
        if offset is not None:
            return text.place(start + offset)
    return None


def _offset(code: str, line: int, column: int) -> int | None:
    """The offset of a line (from 0) and column (from 1) in code; None when it has none such."""
    lines = code.splitlines(keepends=True)
    if not 0 <= line < len(lines) or not 1 <= column <= len(lines[line]):
        return None
    return sum(len(each) for each in lines[:line]) + column - 1


def spelled(sources: dict[str, Text], message: str, column: int) -> tuple[str, int, int] | None:
    """Where the name or the words of a message stand, when that is in one place only."""
    for pattern in _SPELLED:
        found = pattern.search(message)
        if found is not None:
            return _only(list(_words(sources, found["word"])), column)
    found = _MESSAGE.search(message)
    return _only(list(_literals(sources, found["message"])), 0) if found else None


def specifier(sources: dict[str, Text], name: str) -> tuple[str, int, int] | None:
    """Where a module is imported by this name."""
    asked = re.compile(rf"""(?:from|import)\s*\(?\s*(["'`])({re.escape(name)})\1""")
    for path, text in sources.items():
        found = asked.search(text.text)
        if found is not None:
            return path, *text.place(found.start(2))
    return None


def _words(sources: dict[str, Text], word: str) -> Iterator[tuple[str, int, int]]:
    whole = re.compile(rf"(?<![\w$]){re.escape(word)}(?![\w$])")
    for path, text in sources.items():
        for found in whole.finditer(text.text):
            yield path, *text.place(found.start())


def _literals(sources: dict[str, Text], message: str) -> Iterator[tuple[str, int, int]]:
    for path, text in sources.items():
        at = text.text.find(message)
        while at >= 0:
            yield path, *text.place(at)
            at = text.text.find(message, at + 1)


def _only(places: list[tuple[str, int, int]], column: int) -> tuple[str, int, int] | None:
    """The one place; of several the one at the column, as lines of a template keep theirs."""
    if len(places) > 1:
        places = [each for each in places if each[2] == column]
    return places[0] if len(places) == 1 else None
