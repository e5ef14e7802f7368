"""What an HTML source shows to be wrong before any script could say so (pure)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGES = (".html", ".htm", ".xhtml")
_OPENS = re.compile(rb"<!--|<(script|style|textarea|title)\b[^>]*>", re.IGNORECASE)
_REFRESH = re.compile(rb"<meta\b[^>]*http-equiv\s*=\s*[\"']?refresh[\"']?[^>]*>", re.IGNORECASE)
_ENTRY = re.compile(rb"<script\b[^>]*\bsrc\s*=\s*[\"']?([^\"'\s>]+\.(?:tsx?|jsx))\b", re.IGNORECASE)
_JSX = re.compile(rb"<script\b[^>]*\btype\s*=\s*[\"']?text/(?:babel|jsx)[\"'\s>]", re.IGNORECASE)
_COMPILER = re.compile(rb"<script\b[^>]*\bsrc\s*=[^>]*babel", re.IGNORECASE)
_IMPORT_MAP = re.compile(rb"<script\b[^>]*\btype\s*=\s*[\"']?importmap", re.IGNORECASE)
_MODULE = re.compile(
    rb"<script\b[^>]*\btype\s*=\s*[\"']?module[\"'\s>][^>]*>(.*?)</script",
    re.IGNORECASE | re.DOTALL,
)
_MUTATION = re.compile(
    rb"addEventListener\(\s*[\"'`](DOM(?:NodeInserted|NodeRemoved|SubtreeModified|AttrModified|"
    rb"CharacterDataModified|NodeInsertedIntoDocument|NodeRemovedFromDocument))[\"'`]"
)
_BARE = re.compile(rb"^\s*import\b[^'\"(;]*[\"']([@\w][^'\":]*)[\"']", re.MULTILINE)


def complaints(path: str, source: bytes) -> list[str]:
    """One sentence for each thing that is certainly wrong, with its line."""
    if path.lower().endswith((".js", ".mjs")):
        found: tuple[tuple[int, str], ...] = (*_removed_events(source),)
    elif path.lower().endswith(_PAGES):
        found = tuple(each for check in _CHECKS for each in check(source))
    else:
        return []
    return [f"{path}:{_line(source, at)} {text}" for at, text in found]


def refresh_line(source: bytes) -> int:
    """The line of a `<meta http-equiv="refresh">`; 0 when there is none."""
    found = _REFRESH.search(source)
    return _line(source, found.start()) if found else 0


def _line(source: bytes, at: int) -> int:
    return source.count(b"\n", 0, at) + 1


def _fence(source: bytes) -> Iterator[tuple[int, str]]:
    if source.lstrip().startswith(b"```"):
        yield 0, "a code fence (```) stands around the document; it is shown as text"


def _unclosed(source: bytes) -> Iterator[tuple[int, str]]:
    """Comments and raw-text elements as the HTML tokenizer sees them, one after the other."""
    at = 0
    while opened := _OPENS.search(source, at):
        name = (opened[1] or b"").lower()
        end = rb"--!?>" if not name else rb"</" + name + rb"[\s/>]"
        # `<!-->` and `<!--->` are whole comments (HTML, 13.2.5.43).
        closed = re.compile(end, re.IGNORECASE).search(
            source, opened.start() + 2 if not name else opened.end()
        )
        if closed is None:
            yield opened.start(), _why_unclosed(name.decode())
            return
        at = closed.end()


def _why_unclosed(name: str) -> str:
    if not name:
        return "the comment <!-- is never closed (no -->): the rest of the page is in it"
    if name == "script":
        return "the document is cut off: this <script> is never closed, so it does not run"
    return f"<{name}> is never closed: it swallows the rest of the page"


def _compilers(source: bytes) -> Iterator[tuple[int, str]]:
    if entry := _ENTRY.search(source):
        yield entry.start(), f"{entry[1].decode()} needs a compiler; a browser does not run it"
    jsx = _JSX.search(source)
    if jsx and not _COMPILER.search(source):
        yield jsx.start(), "this script is JSX and no compiler (Babel) is loaded, so it never runs"


def _bare_imports(source: bytes) -> Iterator[tuple[int, str]]:
    if _IMPORT_MAP.search(source):
        return
    for module in _MODULE.finditer(source):
        bare = _BARE.search(module[1])
        if bare:
            name = bare[1].decode("utf-8", "replace")
            text = f'import "{name}" needs an import map, or a path such as "./{name}.js"'
            yield module.start(1) + bare.start(1), text
            return


def _removed_events(source: bytes) -> Iterator[tuple[int, str]]:
    """Mutation events: Chromium sends them no longer since version 127."""
    if listens := _MUTATION.search(source):
        name = listens[1].decode()
        text = f"listens for {name}, which browsers no longer send; use a MutationObserver"
        yield listens.start(), text


_CHECKS = (_fence, _unclosed, _compilers, _bare_imports, _removed_events)
