"""One place decides what answers a request: the workspace, or nothing at all, and says so."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from playwright.async_api import Error

from artifact_kit.preview.assets import Asset, Assets, Missing
from artifact_kit.preview.policy import HEADERS, is_own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import BrowserContext, Request, Response, Route

log = logging.getLogger("artifact_kit")

_AT_ONCE = 12
"""Requests that are answered side by side; the rest of a flood waits without a cost."""
_FREELY = 300
"""Requests after which a page has them answered one by one, so that other pages are heard."""
_MOST_EVENTS = 60
_TAKEN_AS_WISHED = frozenset({"eventsource", "fetch", "media", "other", "ping"})
_MOST_DOCUMENTS = 20
"""Documents that a page may load in one call; a page that reloads itself for ever is stopped."""

Kind = Literal["blocked", "missing", "navigation", "moved", "budget"]


@dataclass
class Event:
    """A request that was not answered with a file."""

    kind: Kind
    url: str
    what: str
    """What asked: `script`, `stylesheet`, `image`, `fetch`, `document` …"""
    near: str = ""
    reason: str = ""
    asked_by: str = ""
    count: int = 1
    at: float = 0.0
    """When, in milliseconds of the page's clock."""


@dataclass
class Traffic:
    """What a page asked for since it was last looked at."""

    now_ms: Callable[[], float]
    events: list[Event] = field(default_factory=list)
    left_out: int = 0
    not_scripts: dict[str, str] = field(default_factory=dict)
    """Files that were asked for as scripts and are none, with their type."""

    def add(self, event: Event) -> None:
        """Note an event; equal ones are counted."""
        for known in self.events:
            if (known.kind, known.url, known.what) == (event.kind, event.url, event.what):
                known.count += 1
                return
        if len(self.events) < _MOST_EVENTS:
            event.at = self.now_ms()
            self.events.append(event)
        else:
            self.left_out += 1


class Backlog:
    """How many requests of all pages wait for the host, which serves them through one driver."""

    def __init__(self) -> None:
        self._waiting = 0

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """While one more waits."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def is_long(self) -> bool:
        """More than are answered side by side: what a page says meanwhile comes late."""
        return self._waiting > _AT_ONCE


class Router:
    """Answers every request of one page's context."""

    def __init__(self, origin: str, most_requests: int, backlog: Backlog) -> None:
        self.origin = origin
        self._backlog = backlog
        self._left = most_requests
        self._most = most_requests
        self._assets: Assets | None = None
        self._traffic = Traffic(lambda: 0.0)
        self._documents = 0
        self.expecting = False
        """Whether the next document is loaded on request, not by the page itself."""
        self.document = ""
        """The workspace path of the document that was answered last."""
        self._pending = 0
        self.idle = asyncio.Event()
        """Set while no request waits for its answer."""
        self.idle.set()
        self.answered = 0
        """How many requests have got theirs."""
        self.loading: set[Request] = set()
        """Those that the page has not taken up yet; kept only of a context that is followed."""
        self._followed: BrowserContext | None = None
        self._following = False
        self._asked = 0
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._narrow_gate = asyncio.Semaphore(1)
        self.over = False
        """Nobody waits for answers any more."""
        self.around: Callable[[], AbstractAsyncContextManager[None]] = contextlib.nullcontext
        """What surrounds each answer but a document's of the top frame, where the page's time is
        not the host's."""

    def serve(self, assets: Assets, now_ms: Callable[[], float]) -> None:
        """From now on the workspace answers; `now_ms` is the page's own clock."""
        self._assets = assets
        self._traffic = Traffic(now_ms)

    def take(self) -> Traffic:
        """What happened since the last time; a new budget of documents begins."""
        taken, self._traffic = self._traffic, Traffic(self._traffic.now_ms)
        self._documents = 0
        return taken

    async def handle(self, route: Route, request: Request) -> None:
        """Playwright's route handler: every request ends here, and each gets an answer."""
        self._asked += 1
        self._pending += 1
        self.idle.clear()
        try:
            top = request.is_navigation_request() and _is_top(request)
            if not (top and self.expecting):  # whoever loads a document sees it arrive
                self._take_note(request)
            async with contextlib.nullcontext() if top else self.around():
                await self._answer(route, request, top=top)
        except Error:  # the page went away while it was answered
            await _let_go(route)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a request could not be answered")
            await _abort(route, "failed")
        finally:
            self._pending -= 1
            self.answered += 1
            if not self._pending:
                self.idle.set()

    def follow(self, context: BrowserContext) -> None:
        """Keep count of the answers that the pages of a context have not taken up yet."""
        self._followed = context

    def _take_note(self, request: Request) -> None:
        if self._followed is None:
            return
        self.loading.add(request)
        if not self._following:  # many pages ask for nothing, and listening is not free
            self._following = True
            self._followed.on("requestfinished", self._end)
            self._followed.on("requestfailed", self._end)
            self._followed.on("response", self._begin)

    def _begin(self, response: Response) -> None:
        """The page has the beginning of an answer; of some kinds it may never take the whole."""
        if response.request.resource_type in _TAKEN_AS_WISHED:
            self._end(response.request)

    def _end(self, request: Request) -> None:
        """The page has the whole of an answer, or gave it up."""
        self.loading.discard(request)

    async def _answer(self, route: Route, request: Request, *, top: bool) -> None:
        gate = self._gate if self._asked <= _FREELY else self._narrow_gate
        with self._backlog.one():
            async with gate:
                if self.over:
                    await _abort(route, "aborted")
                else:
                    await self._decide(route, request, top=top)

    async def _decide(self, route: Route, request: Request, *, top: bool) -> None:
        what = request.resource_type
        if self._assets is None or not is_own(request.url, self.origin):
            self._note("blocked", request, what)
            await _abort(route, "aborted" if what == "document" else "blockedbyclient")
            return
        self._left -= 1
        if self._left < 0:
            self._traffic.add(Event("budget", "", what, reason=f"{self._most} requests"))
            await _abort(route, "failed")
            return
        if top:
            await self._document(route, request)
            return
        few = len(self._traffic.events) < _MOST_EVENTS
        found = await self._assets.answer(request.url, as_document=what == "document", explain=few)
        if isinstance(found, Missing):
            self._note("missing", request, what, found)
            await route.fulfill(status=404, headers=HEADERS, body="")
            return
        if (
            what == "script"
            and "javascript" not in found.mime
            and len(self._traffic.not_scripts) < 8
        ):
            self._traffic.not_scripts[found.path] = found.mime
        await _fulfill(route, request, found)

    async def _document(self, route: Route, request: Request) -> None:
        """A document of the top frame; what is not a file leaves the artifact on screen."""
        assert self._assets is not None  # noqa: S101 -- the caller has looked
        self._documents += 1
        if self._documents > _MOST_DOCUMENTS:
            many = f"the page loaded {_MOST_DOCUMENTS} documents in one call"
            self._note("navigation", request, "document", Missing("", "", many))
            await _abort(route, "aborted")
            return
        found = await self._assets.answer(request.url, as_document=True)
        if isinstance(found, Missing) or request.method != "GET":
            sent = Missing("", "", "a form was sent")
            reason = found if isinstance(found, Missing) else sent
            self._note("navigation", request, "document", reason)
            await _abort(route, "aborted")
            return
        if not self.expecting:
            self._traffic.add(Event("moved", request.url[:500], "document", asked_by=self.document))
        self.expecting = False
        self.document = found.path
        await _fulfill(route, request, found)

    def _note(
        self, kind: Kind, request: Request, what: str, missing: Missing | None = None
    ) -> None:
        asked_by = request.headers.get("referer", "")
        near, reason = (missing.near, missing.reason) if missing else ("", "")
        self._traffic.add(Event(kind, request.url[:500], what, near, reason, asked_by))


def _is_top(request: Request) -> bool:
    try:
        return request.frame.parent_frame is None
    except Error:  # a worker's request has no frame
        return False


async def _abort(route: Route, reason: str) -> None:
    try:
        await route.abort(reason)
    except Error:
        await _let_go(route)


async def _let_go(route: Route) -> None:
    """Hand a request that is gone on; Playwright would wait for its answer for ever."""
    with contextlib.suppress(Error):
        await route.fallback()


async def _fulfill(route: Route, request: Request, asset: Asset) -> None:
    headers = {**HEADERS, "Content-Type": asset.mime, "Accept-Ranges": "bytes"}
    wanted = request.headers.get("range", "")
    span = _span(wanted, len(asset.body)) if wanted else None
    if span is None:
        await route.fulfill(status=200, headers=headers, body=asset.body)
        return
    first, last = span
    headers["Content-Range"] = f"bytes {first}-{last}/{len(asset.body)}"
    await route.fulfill(status=206, headers=headers, body=asset.body[first : last + 1])


def _span(header: str, size: int) -> tuple[int, int] | None:
    """The first and last byte of a single-range header (RFC 9110, 14.1.2); None when it is not."""
    unit, _, span = header.partition("=")
    first, dash, last = span.partition("-")
    if unit != "bytes" or not dash or not size or not f"{first}{last}".isdigit():
        return None
    if not first:
        return max(size - int(last), 0), size - 1
    end = min(int(last), size - 1) if last else size - 1
    return (int(first), end) if int(first) <= end else None
