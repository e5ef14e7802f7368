"""What an HTML source shows to be wrong before any script could say so (pure)."""

from __future__ import annotations

import re

_SCRIPT = re.compile(rb"<script\b[^>]*>|</script\s*>", re.IGNORECASE)
_PAGES = (".html", ".htm", ".xhtml")


def complaints(path: str, source: bytes) -> list[str]:
    """One sentence for each thing that is certainly wrong, with its line."""
    if not path.lower().endswith(_PAGES):
        return []
    found = (_fence(path, source), _comment(path, source), _script(path, source))
    return [complaint for complaint in found if complaint]


def _line(source: bytes, at: int) -> int:
    return source.count(b"\n", 0, at) + 1


def _fence(path: str, source: bytes) -> str:
    if not source.lstrip().startswith(b"```"):
        return ""
    return f"{path}:1 a code fence (```) stands around the document; it is shown as text"


def _comment(path: str, source: bytes) -> str:
    """A comment that is never closed takes the rest of the document with it."""
    outside = _SCRIPT.split(source)[::2]
    if b"-->" in source[source.rfind(b"<!--") :] or not any(b"<!--" in part for part in outside):
        return ""
    line = _line(source, source.rfind(b"<!--"))
    return f"{path}:{line} the comment <!-- is never closed (no -->): the rest of the page is in it"


def _script(path: str, source: bytes) -> str:
    tags = list(_SCRIPT.finditer(source))
    if not tags or tags[-1].group().startswith(b"</"):
        return ""
    line = _line(source, tags[-1].start())
    return (
        f"{path}:{line} the document is cut off: this <script> is never closed, so it does not run"
    )
