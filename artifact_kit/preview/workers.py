"""The workers of one page: heard, and kept from flooding the host.

The prelude of a page does not reach them. Each gets a script of its own as early as that can be,
which may be after its own has begun; one that floods before that is stopped. Messages to a worker
pass through the page's session, and to a worker's worker through that worker's, level by level.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from artifact_kit.preview.browserlog import UNCAUGHT, Said, place_of
from artifact_kit.preview.scripts import budget
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from playwright.async_api import CDPSession, Page

    from artifact_kit.browser import RunningBrowser
    from artifact_kit.preview.browserlog import BrowserLog

_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": False}
_WORDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Runtime.evaluate", {"expression": budget()}),
    ("Runtime.enable", {}),
    ("Target.setAutoAttach", _ATTACH),
    ("Runtime.runIfWaitingForDebugger", {}),
)
_SHARED = {"discover": True, "filter": [{"type": "shared_worker"}]}
_MOST = 500
"""Workers that are listened to; a page that makes more floods in that way."""
_LOOK_S = 0.2
_LAG_S = 0.25
"""How long a word with the browser itself takes, in seconds, when a flood is in its way."""
_LINE = 600
_STOPPED = Said("worker", "it printed without end and was stopped", "", 0, 0)

Route = tuple[str, ...]
"""The sessions that lead to a worker, outermost first."""


class Workers:
    """Everything of one page that runs beside its main thread."""

    def __init__(self, cdp: CDPSession, log: BrowserLog) -> None:
        self._cdp = cdp
        self._log = log
        self._words = _WORDS
        self._numbers = itertools.count(1)
        self._routes: set[Route] = set()
        self._silent: set[Route] = set()
        """Workers whose script has not let ours run yet."""
        self._watching: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        cdp.on("Target.attachedToTarget", lambda event: self._greet(event, ()))
        cdp.on("Target.detachedFromTarget", lambda event: self._forget(event, ()))
        cdp.on("Target.receivedMessageFromTarget", lambda event: self._hear(event, ()))

    async def start(self) -> None:
        """From now on each is greeted."""
        await self._cdp.send("Target.setAutoAttach", _ATTACH)

    async def start_shared(self, context: str) -> None:
        """The same for the shared workers of a context, in a session of the browser; they do not
        wait, and Chromium tells then what they said before. No page's log has theirs."""
        self._words = (("Log.enable", {}), *_WORDS)
        self._cdp.on("Target.targetCreated", lambda event: self._meet(event["targetInfo"], context))
        await self._cdp.send("Target.setDiscoverTargets", _SHARED)

    def _meet(self, target: dict[str, Any], context: str) -> None:
        if target.get("browserContextId") == context:
            found = {"targetId": target["targetId"], "flatten": False}
            self._say([("Target.attachToTarget", found)], [()])

    def _greet(self, event: dict[str, Any], outer: Route) -> None:
        route = (*outer, event["sessionId"])
        few = len(self._routes) < _MOST
        self._say(self._words if few else self._words[-1:], [route])
        if few:
            self._routes.add(route)
            self._silent.add(route)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    def _forget(self, event: dict[str, Any], outer: Route) -> None:
        route = (*outer, event["sessionId"])
        self._routes.discard(route)
        self._silent.discard(route)

    async def _watch(self) -> None:
        """While a worker has no budget, look whether it floods; one that does is stopped."""
        with contextlib.suppress(Error):  # the page has ended
            while self._silent:
                await asyncio.sleep(_LOOK_S)
                if self._silent and await self._is_flooded():
                    self._say([("Runtime.terminateExecution", {})], list(self._silent))
                    self._log.add(
                        Said("worker", "it printed without end and was stopped", "", 0, 0)
                    )

    async def _is_flooded(self) -> bool:
        """Whether messages are in each other's way: one to the browser itself takes long."""
        started = time.monotonic()
        await self._cdp.send("Browser.getVersion")
        return time.monotonic() - started > _LAG_S

    def _say(self, words: Sequence[tuple[str, dict[str, Any]]], routes: Sequence[Route]) -> None:
        task = asyncio.create_task(self._send_all(words, routes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send_all(
        self, words: Sequence[tuple[str, dict[str, Any]]], routes: Sequence[Route]
    ) -> None:
        for route in routes:
            with contextlib.suppress(Error):  # it has ended
                for method, params in words:
                    await self._send(method, params, route)

    async def _send(self, method: str, params: dict[str, Any], route: Route) -> None:
        for session in reversed(route):
            message = {"id": next(self._numbers), "method": method, "params": params}
            method = "Target.sendMessageToTarget"
            params = {"sessionId": session, "message": json.dumps(message)}
        await self._cdp.send(method, params)

    def _hear(self, event: dict[str, Any], outer: Route) -> None:
        route = (*outer, event["sessionId"])
        message = json.loads(event["message"])
        method, params = message.get("method"), message.get("params")
        if method == "Target.attachedToTarget":
            self._greet(params, route)
        elif method == "Target.detachedFromTarget":
            self._forget(params, route)
        elif method == "Target.receivedMessageFromTarget":
            self._hear(params, route)
        elif method == "Runtime.executionContextCreated":
            self._silent.discard(route)
        elif method == "Log.entryAdded":
            self._log.hear(params)
        elif method == "Runtime.consoleAPICalled":
            self._log.add(_line(params))
        elif method == "Runtime.exceptionThrown":
            self._log.add(_failure(params["exceptionDetails"]))


def _line(event: dict[str, Any]) -> Said:
    words = (_told(each) for each in event["args"])
    kind = {"log": "", "warning": " warn"}.get(event["type"], f" {event['type']}")
    return Said(f"worker{kind}", clip(" ".join(words), _LINE), *place_of(event))


def _failure(details: dict[str, Any]) -> Said:
    """An error that reaches no page: a rejection, or one of a shared worker."""
    text = f"{details['text']} {_told(details.get('exception', {}))}"
    return Said(UNCAUGHT, clip(text, _LINE), *place_of(details))


def _told(value: dict[str, Any]) -> str:
    """A value of a worker in words; an object's fields as far as Chromium gives them."""
    fields = value.get("preview", {}).get("properties", [])
    if value.get("subtype") != "error" and fields:
        return "{" + ", ".join(f"{each['name']}: {each.get('value', '…')}" for each in fields) + "}"
    text = str(value.get("value", value.get("description", value.get("type", ""))))
    return text.partition("\n")[0] if value.get("subtype") == "error" else text


async def hear_shared(
    running: RunningBrowser, page: Page, cdp: CDPSession, log: BrowserLog
) -> Coroutine[Any, Any, None]:
    """What begins to hear the workers that pages share."""
    browser = await running.browser.new_browser_cdp_session()
    target = await cdp.send("Target.getTargetInfo")
    context = target["targetInfo"]["browserContextId"]
    page.on("close", lambda _: asyncio.ensure_future(_detach(browser)))
    return Workers(browser, log).start_shared(context)


async def _detach(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # the browser has ended
        await session.detach()
