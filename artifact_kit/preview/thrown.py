"""What Chromium and foreign frames tell of a page beside its own journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Thrown:
    """A rejection that the page could not place itself: what was thrown, if a string, and where
    each frame of the stack lies, innermost first."""

    text: str | None
    frames: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Relayed:
    """A note of a frame that its page cannot read: a failure or a console line, as JSON."""

    failed: bool
    note: str


def thrown(details: dict[str, Any]) -> Thrown:
    """The protocol's details of an exception, as far as they place it."""
    exception = details.get("exception", {})
    text = exception.get("value") if exception.get("type") == "string" else None
    frames = [*details.get("stackTrace", {}).get("callFrames", []), details]
    return Thrown(
        text,
        tuple(
            (frame.get("url", ""), frame["lineNumber"] + 1, frame["columnNumber"] + 1)
            for frame in frames[:20]
        ),
    )
