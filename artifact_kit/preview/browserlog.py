"""What Chromium itself says of a page: attributes that do not parse, events that are gone, values
that are no values. Bounded: a page that provokes a flood is no longer listened to until asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_MOST_EVENTS = 200
_MOST_KEPT = 30
_TOLD_ELSEWHERE = frozenset({"network", "security", "violation", "worker"})
"""Failed loads and policy violations come from the router and the page, with more facts."""
_OF_THE_PREVIEW = ("GL Driver Message", "allow-scripts and allow-same-origin")
"""Messages about how the page is shown, not about the page."""


@dataclass
class Said:
    """One message, with its place counted from 1."""

    level: str
    text: str
    url: str
    line: int
    column: int
    count: int = 1


class BrowserLog:
    """Chromium's log of one page."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self._kept: dict[tuple[str, str, int], Said] = {}
        self._heard = 0
        self._posts: set[asyncio.Task[None]] = set()
        cdp.on("Log.entryAdded", self._hear)

    async def start(self) -> None:
        """Begin to listen."""
        await self._cdp.send("Log.enable")

    def take(self) -> list[Said]:
        """What was said since the last time; listening begins anew if a flood had ended it."""
        said = list(self._kept.values())
        self._kept = {}
        if self._heard >= _MOST_EVENTS:
            self._post("Log.enable")
        self._heard = 0
        return said

    def _hear(self, event: dict[str, Any]) -> None:
        self._heard += 1
        if self._heard == _MOST_EVENTS:
            self._post("Log.disable")
        entry = event["entry"]
        text = entry["text"]
        if entry["source"] in _TOLD_ELSEWHERE or any(words in text for words in _OF_THE_PREVIEW):
            return
        said = _said(entry, text[:500])
        known = self._kept.get((said.text, said.url, said.line))
        if known is not None:
            known.count += 1
        elif len(self._kept) < _MOST_KEPT:
            self._kept[said.text, said.url, said.line] = said

    def _post(self, method: str) -> None:
        task = asyncio.create_task(self._send(method))
        self._posts.add(task)
        task.add_done_callback(self._posts.discard)

    async def _send(self, method: str) -> None:
        try:
            await self._cdp.send(method)
        except Error:  # the page has ended
            return


def _said(entry: dict[str, Any], text: str) -> Said:
    frames = entry.get("stackTrace", {}).get("callFrames") or [entry]
    return Said(
        entry["level"],
        text,
        frames[0].get("url", entry.get("url", "")),
        frames[0].get("lineNumber", -1) + 1,
        frames[0].get("columnNumber", -1) + 1,
    )
