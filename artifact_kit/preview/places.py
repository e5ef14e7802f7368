"""From addresses and stacks to `path:line:column` and the line that stands there (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from artifact_kit.preview.handlers import Text, in_attribute, specifier, spelled
from artifact_kit.preview.sourcecheck import refresh_line
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FRAME = re.compile(
    r"^\s*at (?:(?P<name>.*?) \()?(?P<url>[^\s()]+?):(?P<line>\d+):(?P<column>\d+)\)?$"
)
_EVALUATED = re.compile(r"eval at [^(]*\((?P<url>[^\s()]+?):(?P<line>\d+):(?P<column>\d+)\)")
_ATTRIBUTE = re.compile(r"(?:^|\w\.)(?P<event>on[a-z]+)$")
_SPECIFIER = re.compile(r"""module specifier ["']([^"']+)["']""")
_VARIABLE = re.compile(r"(--[\w-]+) is not defined")
_IN_QUOTES = rb"""["'`=(][^\s"'`<>()]{0,200}?"""
_LIBRARY = re.compile(r"(?:^|/)(?:node_modules|packages|vendors?|libs?)/|[.-]min\.m?js$")
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
        return next(self.frames(stack), None)

    def evaluated(self, stack: str) -> Place | None:
        """Where the code of a stack was evaluated; only script files are counted from their top."""
        made = _EVALUATED.search(stack)
        place = self._matched(made) if made else None
        return place if place and place.path.endswith("js") else None

    def frames(self, stack: str) -> Iterator[Place]:
        """The places of a stack that lie in the workspace, innermost first."""
        for text in stack.splitlines():
            frame = _FRAME.match(text)
            place = self._matched(frame) if frame else None
            if frame is not None and place is not None:
                attribute = _ATTRIBUTE.search(frame["name"] or "")
                known = self._in_attribute(attribute["event"], place) if attribute else place
                if known is not None:
                    yield known

    def _matched(self, frame: re.Match[str]) -> Place | None:
        return self.of(frame["url"], int(frame["line"]), int(frame["column"]))

    def _in_attribute(self, event: str, place: Place) -> Place | None:
        """The place of an attribute's code; the same place when it is code that has that name;
        None when the attribute was made at run time, whose places point anywhere."""
        source = self._sources.get(place.path, b"")
        found = in_attribute(source, event, place.line, place.column)
        if found is not None:
            return Place(place.path, *found)
        lines = _NEWLINE.split(source)
        line = lines[place.line - 1] if place.line <= len(lines) else b""
        at = line.decode("utf-8", "replace")[place.column - 1 : place.column]
        return place if at.isidentifier() or at == "$" else None

    def caller(self, stack: str) -> Place | None:
        """The page's own code that called a library, when the innermost place is in one."""
        places = list(self.frames(stack))
        if not places or not _LIBRARY.search(places[0].path):
            return None
        return next((each for each in places if not _LIBRARY.search(each.path)), None)

    def spelled(self, message: str, column: int) -> Place | None:
        """Where the code of an error stands that has no file of its own, when that is certain."""
        texts = {path: Text(source) for path, source in self._sources.items()}
        asked = _SPECIFIER.search(message)
        if "import map" in message:
            return self.mention("importmap")
        found = specifier(texts, asked[1]) if asked else spelled(texts, message, column)
        return Place(*found) if found else None

    def placed(self, look: str) -> str:
        """What was seen, with its place when it is a name that a style sheet spells."""
        name = _VARIABLE.match(look)
        place = self.mention(f"var({name[1]}") if name else None
        return self.plain(f"{place}  {look}" if place else look)

    def plain(self, text: str) -> str:
        """A text without the invented origin."""
        return text.replace(f"{self._origin}/", "")

    def line(self, place: Place) -> str:
        """The source line, shortened around the column; empty when it is not known."""
        source = self._sources.get(place.path)
        if source is None:
            return ""
        lines = _NEWLINE.split(source)
        if not 0 < place.line <= len(lines):
            return ""
        line = lines[place.line - 1].decode("utf-8", "replace")
        return _around(line.removeprefix("\ufeff"), place.column)

    def refresh_line(self, path: str) -> int:
        """The line of a document's own `<meta http-equiv="refresh">`; 0 when it has none."""
        return refresh_line(self._sources.get(path, b""))

    def mention(self, text: str) -> Place | None:
        """Where a source first spells this text: as an address in an attribute or a string, else
        anywhere."""
        if not text:
            return None
        needle = re.compile(re.escape(text.encode()))
        for pattern in (re.compile(_IN_QUOTES + needle.pattern), needle):
            for path, source in self._sources.items():
                if found := pattern.search(source):
                    at = found.end() - len(text.encode())
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
