"""Where tests open pages: one browser for all of them, asked from plain, blocking code."""

from __future__ import annotations

import asyncio
import os
import posixpath
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Self

from anyio.from_thread import start_blocking_portal
from playwright.async_api import Error

from artifact_kit import visual
from artifact_kit.errors import Refusal, ToolError
from artifact_kit.limits import Limits
from artifact_kit.preview.bridge import Moved, Stuck
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from types import TracebackType

    from anyio.from_thread import BlockingPortal

    from artifact_kit.hosts.places import Places
    from artifact_kit.visual import LivePage

_SHOWN = 200


class Studio:
    """A browser that starts with the first page, on an event loop of its own."""

    def __init__(self, places: Places, *, browser: str | None = None) -> None:
        self.places = places
        self._setting = browser
        self._shared = visual.project_table(places.rootdir)
        self._limits = Limits()
        self._names: dict[str, tuple[str, object]] = {}
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._judge: visual.Judge | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the browser."""
        self._stack.close()

    def call(self, work: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
        """Run a coroutine function beside the test, and wait for it.

        Raises:
            AssertionError: The page can't do it, or has ended.
            ValueError: It is not understood.
            RuntimeError: A storage or the browser can't be reached.
        """
        __tracebackhide__ = True
        if self._portal is None:
            self._portal = self._stack.enter_context(start_blocking_portal("asyncio"))
        doing = self._portal.start_task_soon(work, *arguments)
        try:
            return doing.result()
        except visual.NotDone as problem:
            raise AssertionError(str(problem)) from None
        except visual.Lost as lost:
            raise AssertionError(lost.why) from None
        except Refusal as refusal:
            raise ValueError(refusal.message) from None
        except ToolError as error:
            raise RuntimeError(error.message) from None
        finally:
            doing.cancel()  # where the wait was interrupted, by Ctrl-C or a test's timeout

    async def open(self, path: str, name: str, wished: dict[str, Any]) -> LivePage:
        """A page of a file below the root, of which nothing is left when it can't be opened."""
        root = self.places.artifacts
        whole = path if "://" in path or os.path.isabs(path) else posixpath.join(root, path)
        view = await visual.single(whole, name, self._shared, wished, root=root)
        if view.artifact.problem:
            raise visual.NotDone(f"there is no {path} in {root}")
        judge = self._judge or self._begin(asyncio.get_running_loop())
        stage = await judge.browsers.take(virtual=view.artifact.scenario.clock == "virtual")
        page = visual.live_page(view, stage, judge, self._limits)
        try:
            await asked(page, page.open)
        except BaseException:
            judge.browsers.drop(stage, at_once=True)
            raise
        return page

    def _begin(self, loop: asyncio.AbstractEventLoop) -> visual.Judge:
        loop.set_exception_handler(_overhear)
        browsers = visual.Browsers(self._limits, browser=self._setting)
        self._stack.callback(self.call, browsers.close)
        output, store = visual.Folder(self.places.out), visual.BaselineStore(self.places.baselines)
        self._judge = visual.Judge(output, store, browsers)
        return self._judge

    async def leave(self, page: LivePage) -> None:
        """Close a page; its browser goes on when it is in order."""
        session = page.session
        if session.sound and not session.over:
            page.judge.browsers.give(session.stage)
        else:
            page.judge.browsers.drop(session.stage, at_once=True)

    def claim(self, name: str, test: str, by: object) -> None:
        """Keep two comparisons from writing one file; a test that runs again may repeat its own.

        Raises:
            ValueError: There has been one of this name.
        """
        __tracebackhide__ = True
        key = visual.folder_of(name)
        if key in self._names and (self._names[key][0] != test or self._names[key][1] is by):
            raise ValueError(f"two comparisons are named '{name}'; give each a name of its own")
        self._names[key] = test, by


def _overhear(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ctrl-C ends Playwright's driver too, which leaves an error that nobody waits for."""
    if "reading from the driver" not in str(context.get("exception")):
        loop.default_exception_handler(context)


async def asked(
    page: LivePage, work: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any
) -> Any:
    """What a page answers within its time budget, which begins anew.

    Raises:
        NotDone: It does not answer, or can't do it.
        Lost: It has ended.
    """
    page.renew()
    with _in_words(page), visual.told_lost(page):
        return await work(*arguments)


@contextmanager
def _in_words(page: LivePage) -> Iterator[None]:
    """A page that did not do as it was told to is not handed on to another test."""
    try:
        yield
    except Moved:
        raise visual.NotDone("the page went to another document meanwhile") from None
    except Stuck:
        page.session.sound = False
        raise visual.NotDone("the page did not respond") from None
    except Error as error:
        page.session.sound = False
        said = clip(error.message.partition("\n")[0], _SHOWN)
        raise visual.NotDone(f"the browser answered: {said}") from None
    except asyncio.CancelledError:
        page.session.sound = False
        raise
