"""What Chromium itself says of a page: attributes that do not parse, events that are gone, values
that are no values. Collected on demand: listening would make the host take part in every flood."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_MOST_KEPT = 30
UNCAUGHT = "uncaught"
"""The level of an error that nobody caught."""
_TOLD_ELSEWHERE = frozenset({"network", "security", "violation", "worker"})
"""Failed loads and policy violations come from the router and the page, with more facts."""
_NOT_OF_THE_PAGE = (
    "GL Driver Message",
    "allow-scripts and allow-same-origin",
    "log entries are not shown",
    "Refused to connect because it violates the document's Content Security Policy",
)
"""Messages about how the page is shown, not about the page."""
_STOPPED = (
    ("fetch", re.compile("Connecting to '(.+?)' violates the following Content Security Policy")),
    ("script", re.compile("Loading the script '(.+?)' violates the following Content Security")),
    ("file", re.compile("Not allowed to load local resource: (.+)")),
    ("popup", re.compile("Blocked opening '(.+?)' in a new window")),
)
"""What only the log tells: requests of workers and worklets, and windows that forms open."""


@dataclass
class Said:
    """One message, with its place counted from 1; or an address (`text`) that was stopped."""

    level: str
    """`browser` or `worker` and how grave it is; or the kind of what was stopped."""
    text: str
    url: str
    line: int
    column: int
    count: int = 1


class BrowserLog:
    """Chromium's log of one page, and what its workers print."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self._kept: dict[tuple[str, str, int], Said] = {}
        cdp.on("Log.entryAdded", self.hear)

    async def collect(self) -> None:
        """Hear what was said since the last time, at most the last thousand messages."""
        methods = ("Log.enable", "Log.clear", "Log.disable")
        await asyncio.gather(*(self._cdp.send(method) for method in methods))

    def take(self) -> list[Said]:
        """What was collected since the last time."""
        said = list(self._kept.values())
        self._kept = {}
        return said

    def hear(self, event: dict[str, Any]) -> None:
        """Keep what an entry of the log says, if it is about the page."""
        entry = event["entry"]
        text = entry["text"]
        for what, pattern in _STOPPED:
            if found := pattern.match(text):
                self.add(Said(what, found[1][:300], *place_of(entry)))
                return
        if entry["source"] in _TOLD_ELSEWHERE or any(words in text for words in _NOT_OF_THE_PAGE):
            return
        self.add(Said(f"browser {entry['level']}", text[:500], *place_of(entry)))

    def add(self, said: Said) -> None:
        """Keep a message; equal ones are counted, and beyond a number only those."""
        known = self._kept.get((said.text, said.url, said.line))
        if known is not None:
            known.count += 1
        elif len(self._kept) < _MOST_KEPT:
            self._kept[said.text, said.url, said.line] = said


def place_of(event: dict[str, Any]) -> tuple[str, int, int]:
    """The address, line and column of a protocol event, counted from 1; 0 when it has none."""
    frames = event.get("stackTrace", {}).get("callFrames") or [event]
    frame = next((each for each in frames if each.get("url")), frames[0])
    return frame.get("url", ""), frame.get("lineNumber", -1) + 1, frame.get("columnNumber", -1) + 1
