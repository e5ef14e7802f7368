"""Whitespace and look-alike characters made visible in messages (pure)."""

import re
import unicodedata
from itertools import zip_longest

LEGEND = "(→ is a tab, · is a space.)"
_INVISIBLE = (
    "\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\u3164\ufeff\uffa0"
)
_HIDDEN = re.compile(f"[{_INVISIBLE}\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_RUNS = re.compile(r"^ +| +$| {2,}")
_FOLDED = {
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u061c"), None),
    **dict.fromkeys(map(ord, "‘’‚‛′ʼ`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-"),
    ord("…"): "...",
    ord("×"): "x",
}
REMARKABLE = re.compile("[\u00a0\u00ad\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u2064\ufeff]")
"""Invisible and non-breaking characters that make later edits fail (not the joiner of emoji)."""


def visible(line: str, most: int = 160) -> str:
    """A line with its telling blanks marked, at most about `most` characters of it."""
    if len(line) > most:
        line = line[: most - 1] + "…"
    line = _RUNS.sub(lambda run: "·" * len(run[0]), line).replace("\t", "→")
    return _HIDDEN.sub(lambda hit: f"[U+{ord(hit[0]):04X}]", line)


def around(line: str, place: int, most: int = 120) -> str:
    """The part of a long line around a place."""
    if len(line) <= most:
        return line
    start = max(0, min(place - most // 3, len(line) - most))
    head = "…" if start else ""
    tail = "…" if start + most < len(line) else ""
    return f"{head}{line[start : start + most]}{tail}"


def beside(line: int, have: str, want: str, name: str) -> str:
    """A line of the file and the line that was sent under each other, around what differs."""
    place = next((i for i, (a, b) in enumerate(zip_longest(have, want)) if a != b), 0)
    label = f"  file line {line}: "
    other = f"  {name.rpartition('.')[2]}:".ljust(len(label))
    return f"{label}{visible(around(have, place))}\n{other}{visible(around(want, place))}\n"


def folded(text: str) -> str:
    """The text with look-alike characters as one: quotes, dashes, spaces, accents, zero widths."""
    if text.isascii():
        return text.translate(_FOLDED) if "`" in text else text
    return unicodedata.normalize("NFKC", text.translate(_FOLDED))


def code_point(char: str) -> str:
    """A character by number and name: `U+00A0 (no-break space)`."""
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X} ({name})" if name else f"U+{ord(char):04X}"
