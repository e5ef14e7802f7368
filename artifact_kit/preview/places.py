"""From addresses and stacks to `path:line:column` and the line that stands there (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from artifact_kit.preview.sourcecheck import refresh_line
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FRAME = re.compile(
    r"^\s*at (?:(?P<name>.*?) \()?(?P<url>[^\s()]+?):(?P<line>\d+):(?P<column>\d+)\)?$"
)
_LINE_CHARS = 120
_NEWLINE = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True)
class Place:
    """A place in a file of the workspace, counted from 1 as editors do."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return (
            f"{self.path}:{self.line}:{self.column}" if self.column else f"{self.path}:{self.line}"
        )


class Places:
    """Knows one page's origin and the files that it was given."""

    def __init__(self, origin: str, sources: Mapping[str, bytes]) -> None:
        self._origin = origin
        self._sources = sources

    def of(self, url: str, line: int, column: int) -> Place | None:
        """The place of an address; None when it is not a file of the workspace."""
        path = self.path(url)
        return Place(path, line, column) if path and line else None

    def path(self, url: str) -> str:
        """The workspace path of an address of the page; empty for any other."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            return ""
        return unquote(parts.path).lstrip("/")

    def in_stack(self, stack: str) -> Place | None:
        """The innermost place of a stack that lies in the workspace."""
        return next(self._frames(stack), None)

    def _frames(self, stack: str) -> Iterator[Place]:
        for text in stack.splitlines():
            frame = _FRAME.match(text)
            if frame is None:
                continue
            place = self.of(frame["url"], int(frame["line"]), int(frame["column"]))
            if place is not None:
                yield place

    def line(self, place: Place) -> str:
        """The source line, shortened around the column; empty when it is not known."""
        source = self._sources.get(place.path)
        if source is None:
            return ""
        lines = _NEWLINE.split(source)
        if not 0 < place.line <= len(lines):
            return ""
        return _around(lines[place.line - 1].decode("utf-8", "replace"), place.column)

    def refresh_line(self, path: str) -> int:
        """The line of a document's own `<meta http-equiv="refresh">`; 0 when it has none."""
        return refresh_line(self._sources.get(path, b""))

    def mention(self, text: str) -> Place | None:
        """Where a source first spells this text, as an address in an attribute."""
        needle = text.encode()
        for path, source in self._sources.items():
            at = source.find(needle) if needle else -1
            if at >= 0:
                before = source[:at]
                start = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
                return Place(path, len(_NEWLINE.findall(before)) + 1, at - start + 1)
        return None


def _around(line: str, column: int) -> str:
    text = line.expandtabs(2).strip()
    if len(text) <= _LINE_CHARS:
        return text
    start = max(min(column - 1, len(line)) - _LINE_CHARS // 2, 0)
    piece = line[start : start + _LINE_CHARS].strip()
    return clip(
        ("…" if start else "") + piece + ("…" if start + _LINE_CHARS < len(line) else ""), 130
    )
