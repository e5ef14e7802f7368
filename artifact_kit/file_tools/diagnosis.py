"""Why a text is not in the file, in words that lead to the next step (pure).

The cheap, certain explanations come first and the similarity search last; the first that holds is
told. Nothing here ever decides what is replaced.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.file_tools import likeness
from artifact_kit.file_tools.blanks import blank_difference
from artifact_kit.file_tools.marks import beside, code_point, folded
from artifact_kit.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifact_kit.file_tools.textfile import TextFile

_GUTTER = re.compile(r"^[ \t]*\d+(?: ?[│→|]|\t|: ?|[.)] |  )", re.M)
_ESCAPES = {
    r"\r\n": "\n", r"\n": "\n", r"\t": "\t", r"\"": '"', r"\'": "'", r"\`": "`", r"\/": "/",
    r"\$": "$",
}  # fmt: skip
_ESCAPE = re.compile("|".join(map(re.escape, _ESCAPES)))
_DOTS = re.compile(r"^[ \t]*(?:(?://|#|/\*|<!--)[ \t]*)?(?:\.\.\.|…).*$|\.\.\.|…", re.M)
_AS_IT_IS = "Copy the file's text exactly, or use a shorter {name} inside one line."


@dataclass(frozen=True)
class Cause:
    """One explanation: sentences that follow the state, and the lines of the file they name."""

    text: str
    lines: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Miss:
    """A text that was not found: the file, the text with LF endings, and what it is called."""

    file: TextFile
    old: str
    new: str
    name: str
    path: str

    def line(self, text: str) -> int:
        """The first line on which a text stands; 0 when it does not."""
        place = self.file.view.find(text.encode()) if text else -1
        return self.file.line(place) if place >= 0 else 0


def explain(miss: Miss) -> Cause:
    """The first explanation that holds."""
    for check in _CHECKS:
        if cause := check(miss):
            return cause
    return Cause(
        f"Nothing similar is in the file ({plural(miss.file.lines, 'line')}). "
        f"Look at it with read_file and copy {miss.name} from it."
    )


def _only_blanks(miss: Miss) -> Cause | None:
    if miss.old.strip():
        return None
    return Cause(
        f"{miss.name} has only blanks, and not these are in the file. Copy a word with them."
    )


def _already_there(miss: Miss) -> Cause | None:
    if len("".join(miss.new.split())) < 8 or not (line := miss.line(miss.new)):
        return None
    return Cause(
        f"newText is already in the file (line {line}): if this edit was made before, there is "
        "nothing left to do. If not, read_file and copy the text to replace from it.",
        [line],
    )


def _gutter(miss: Miss) -> Cause | None:
    filled = [line for line in miss.old.split("\n") if line.strip()]
    if not filled or not all(_GUTTER.match(line) for line in filled):
        return None
    bare = _GUTTER.sub("", miss.old)
    line = miss.line(bare) or miss.line(re.sub(r"^ ", "", bare, flags=re.M))
    if not line:
        return None
    return Cause(
        f"{miss.name} has line numbers in front; without them it stands at line {line}. "
        f"Send {miss.name} and newText without the line numbers.",
        [line],
    )


def _backslashes(miss: Miss) -> Cause | None:
    if "\\" in miss.old:
        if line := miss.line(miss.old.replace("\\\\", "\\")):
            return Cause(
                f"{miss.name} has every backslash doubled; the file has single ones (line {line}). "
                f"Escape {miss.name} and newText once less.",
                [line],
            )
        if line := miss.line(_ESCAPE.sub(lambda hit: _ESCAPES[hit[0]], miss.old)):
            return Cause(
                f'{miss.name} has escape sequences written out (such as \\n or \\" as two '
                f"characters); with the real characters it stands at line {line}. "
                "Escape it once less, newText too.",
                [line],
            )
    for quote in ('"', "'", "`"):
        escaped = miss.old.replace(quote, "\\" + quote)
        if escaped != miss.old and (line := miss.line(escaped)):
            return Cause(
                f"The file has a backslash before each {quote} at line {line} (escaped quotes), "
                f"{miss.name} has not. Copy the text with its backslashes.",
                [line],
            )
    return None


def _entities(miss: Miss) -> Cause | None:
    if "&" in miss.old and (line := miss.line(html.unescape(miss.old))):
        return Cause(
            f"{miss.name} is HTML-escaped (such as &lt; for <); the file has the plain characters "
            f"(line {line}). Send {miss.name} and newText with real < > & characters.",
            [line],
        )
    for quote in (False, True):
        if line := miss.line(html.escape(miss.old, quote=quote)):
            return Cause(
                f"The file has HTML entities at line {line} (such as &lt; or &amp;) where "
                f"{miss.name} has the plain characters. Copy the text with its entities.",
                [line],
            )
    return None


def _ends(miss: Miss) -> Cause | None:
    """Extra line breaks or blanks around a text that is there."""
    inner = miss.old.strip("\n")
    what = "an extra line break"
    line = miss.line(inner) if inner != miss.old else 0
    if not line:
        inner = miss.old.strip(" \t\n")
        place = miss.file.view.find(inner.encode()) if inner not in ("", miss.old) else -1
        if place < 0 or _is_indented(miss.file.view, place):
            return None
        what, line = "extra spaces or tabs", miss.file.line(place)
    where = [end for end, extra in (("start", miss.old.lstrip() != miss.old),
                                    ("end", miss.old.rstrip() != miss.old)) if extra]  # fmt: skip
    return Cause(
        f"{miss.name} has {what} at its {' and '.join(where)}; without that it stands at "
        f"line {line}. Send it without.",
        [line],
    )


def _is_indented(view: bytes, place: int) -> bool:
    start = view.rfind(b"\n", 0, place) + 1
    return place > start and not view[start:place].strip()


def _blanks(miss: Miss) -> Cause | None:
    found = blank_difference(miss.file, miss.old, miss.name)
    return Cause(f"{found[0]} {_AS_IT_IS.format(name=miss.name)}", found[1]) if found else None


def _look_alikes(miss: Miss) -> Cause | None:
    if miss.file.view.isascii() and miss.old.isascii() and "`" not in miss.old:
        return None
    text, sought = folded(miss.file.text), folded(miss.old)
    place = text.find(sought) if sought.strip() else -1
    if place < 0:
        return None
    line = text.count("\n", 0, place) + 1
    differs = _first_difference(miss, line, sought)
    return Cause(
        f"It differs only in look-alike characters at line {line}: {differs}. "
        f"Copy the text from read_file startLine={line}, endLine={line + miss.old.count(chr(10))}.",
        [line],
    )


def _first_difference(miss: Miss, line: int, sought: str) -> str:
    """The first two characters that differ, by code point."""
    lines = miss.file.text.split("\n")[line - 1 : line + miss.old.count("\n")]
    window = "\n".join(lines)
    if unicodedata.normalize("NFC", miss.old) in unicodedata.normalize("NFC", window):
        return "one has composed accents (é as one character), the other decomposed ones (two)"
    start = folded(window).find(sought)
    # Folding may change lengths; the place is where the folded text before it is as long.
    begin = bisect_left(range(len(window)), start, key=lambda end: len(folded(window[:end])))
    for have, want in zip(window[begin:], miss.old, strict=False):
        if have != want:
            return f"the file has {code_point(have)}, {miss.name} has {code_point(want)}"
    return "characters that look the same"


def _letter_case(miss: Miss) -> Cause | None:
    place = miss.file.view.lower().find(miss.old.lower().encode())
    if place < 0 and not miss.old.isascii():
        text = miss.file.text.lower()
        place = len(text[: max(text.find(miss.old.lower()), 0)].encode())
        if miss.old.lower() not in text:
            return None
    if place < 0:
        return None
    line = miss.file.line(place)
    raw = miss.file.view[place : place + len(miss.old.encode())].decode("utf-8", "replace")
    return Cause(
        f"It differs only in letter case at line {line}.\n"
        + beside(line, raw.split("\n")[0], miss.old.split("\n")[0], miss.name)
        + "Use the file's upper and lower case letters.",
        [line],
    )


def _ellipsis(miss: Miss) -> Cause | None:
    parts = [part.strip() for part in _DOTS.split(miss.old)]
    parts = [part for part in parts if part]
    if len(parts) < 1 or not _DOTS.search(miss.old):
        return None
    place, first = 0, -1
    for part in parts:
        place = miss.file.view.find(part.encode(), place)
        if place < 0:
            return None
        first = place if first < 0 else first
    line = miss.file.line(first)
    return Cause(
        f"{miss.name} must be complete: '...' does not stand for text left out. The text around "
        f"it is at lines {line}-{miss.file.line(place)}. Send all of it, or use a shorter piece.",
        [line],
    )


def _closest(miss: Miss) -> Cause | None:
    near = likeness.closest(miss.file.view, miss.old)
    if near is None:
        return None
    count, at = len(near.sought), near.difference
    last = min(near.first + count - 1, max(miss.file.lines, 1))
    if count == 1:
        where = f"line {near.first}"
    else:
        where = f"lines {near.first}-{last} ({near.equal} of {count} lines equal)"
    return Cause(
        f"Closest text: {where}, first difference:\n"
        + beside(near.first + at, near.found[at], near.sought[at], miss.name)
        + f"The file may have changed: read_file startLine={max(near.first - 1, 1)}, "
        f"endLine={min(last + 1, max(miss.file.lines, 1))} and copy {miss.name} from it.",
        [near.first + at],
    )


_CHECKS: tuple[Callable[[Miss], Cause | None], ...] = (
    _only_blanks,
    _already_there,
    _gutter,
    _backslashes,
    _entities,
    _ends,
    _blanks,
    _look_alikes,
    _letter_case,
    _ellipsis,
    _closest,
)
