"""Artifacts in tests: a page opened, driven and compared from plain, blocking code."""

from __future__ import annotations

import posixpath
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Self

import anyio
from anyio.from_thread import start_blocking_portal

from artifact_kit import visual
from artifact_kit.errors import Refusal, ToolError
from artifact_kit.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from anyio.from_thread import BlockingPortal

    from artifact_kit.visual import Accept, Check, LivePage, Scheme

_ACCEPTED: dict[Accept | None, tuple[str, ...]] = {
    None: ("match",),
    "new": ("match", "new"),
    "changed": ("match", "new", "different", "resized", "bad-baseline"),
}


class Studio:
    """One browser, started with the first page, and where the pictures go."""

    def __init__(
        self,
        root: Path,
        *,
        out: str,
        baselines: str,
        accept: Accept | None = None,
        browser: str | None = None,
    ) -> None:
        self.root = root
        self.out = out
        self.baselines = baselines
        self.accept = accept
        self._shared = visual.project_table(root)
        self._setting = browser
        self._limits = Limits()
        self._names: set[str] = set()
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

    @contextmanager
    def artifact(self, name: str) -> Iterator[Artifact]:
        """What a test opens pages with; the last one is left at its end."""
        page = Artifact(self, name)
        try:
            yield page
        finally:
            page.leave()

    def call(self, work: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        """Run a coroutine function beside the test, and wait for it."""
        __tracebackhide__ = True
        if self._portal is None:
            self._portal = self._stack.enter_context(start_blocking_portal("asyncio"))
        try:
            return self._portal.call(work, *arguments)
        except visual.NotDone as problem:
            raise AssertionError(str(problem)) from None
        except visual.Lost as lost:
            raise AssertionError(lost.why) from None
        except ToolError as error:
            raise RuntimeError(error.message) from None

    async def open(self, path: str, name: str, wished: dict[str, Any]) -> LivePage:
        """A page of a file below the root."""
        view = await visual.single(str(self.root / path), name, self._shared, wished)
        if view.artifact.problem:
            raise visual.NotDone(f"there is no {path}")
        judge = self._judge or await self._begin()
        stage = await judge.browsers.take(virtual=view.artifact.scenario.clock == "virtual")
        page = visual.live_page(view, stage, judge, self._limits)
        try:
            with visual.told_lost(page):
                await page.open()
        except BaseException:
            judge.browsers.drop(stage, at_once=True)
            raise
        return page

    async def _begin(self) -> visual.Judge:
        browsers = visual.Browsers(self._limits, browser=self._setting)
        if self._portal is not None:
            self._stack.callback(self._portal.call, browsers.close)
        out, store = visual.Folder(self.out), visual.BaselineStore(self.baselines)
        self._judge = visual.Judge(out, store, browsers)
        return self._judge

    async def leave(self, page: LivePage) -> None:
        """Close a page; its browser goes on when it is in order."""
        session = page.session
        if session.sound and not session.over:
            page.judge.browsers.give(session.stage)
        else:
            page.judge.browsers.drop(session.stage, at_once=True)

    def claim(self, name: str) -> None:
        """Keep two comparisons from writing one file.

        Raises:
            ValueError: There has been one of this name.
        """
        key = visual.folder_of(name)
        if key in self._names:
            raise ValueError(f"two comparisons are named '{name}'; give each a name of its own")
        self._names.add(key)

    def message(self, check: Check) -> str:
        """Why a comparison fails, the files to look at, and how to accept what is meant."""
        lies = check.pictures.model_dump(exclude_none=True)
        files = [f"  {kind + ':':<10}{self._shown(path)}" for kind, path in lies.items()]
        report = self._shown(visual.REPORT)
        accept = f"  accept:   {visual.approve_command(report, [check])}"
        return "\n".join([f"{check.name}: {visual.sentence(check)}", *files, accept])

    def _shown(self, path: str) -> str:
        whole = posixpath.join(self.out, path)
        return whole.removeprefix(f"{self.root.as_posix()}/")


class Artifact:
    """The pages of one test, one after the other. What can't be done is an `AssertionError`."""

    def __init__(self, studio: Studio, name: str) -> None:
        self._studio = studio
        self._name = name
        self._page: LivePage | None = None
        self.checks: list[Check] = []
        """Every comparison so far."""

    def open(
        self,
        path: str | Path,
        *,
        viewport: str | dict[str, Any] = "desktop",
        scheme: Scheme = "light",
        **options: Any,
    ) -> Self:
        """Open a file, below pytest's root unless its path is absolute.

        `options` are keys of a scenario: `clock`, `seed`, `fail_on`, `masks`, `tolerance`,
        `budget_seconds`.
        """
        __tracebackhide__ = True
        self.leave()
        wished = {"viewports": [viewport], "schemes": [scheme], **options}
        self._page = self._studio.call(self._studio.open, str(path), self._name, wished)
        return self

    def act(self, *actions: dict[str, Any]) -> list[str]:
        """Do what `preview` calls actions; gives what each did."""
        __tracebackhide__ = True
        done: list[str] = self._ask("act", _understood(visual.actions_of, actions))
        return done

    def read(self, css: str, attr: str = "text") -> str:
        """The text of the first element that matches, or another attribute of it."""
        __tracebackhide__ = True
        (value,) = self._ask("read", [{"css": css, "attr": attr}])
        return str(value)

    def eval(self, code: str) -> Any:
        """What a function body returns in the page, as JSON has it."""
        __tracebackhide__ = True
        return self._ask("evaluate", code)

    def shot(self, target: str = "page") -> bytes:
        """A PNG of the page or of a part, which is compared with nothing."""
        __tracebackhide__ = True
        return bytes(self._ask("picture", target))

    @property
    def errors(self) -> list[str]:
        """What went wrong in the page since it was opened: `game.html:3:7  Uncaught …`."""
        page = self._opened()
        return [f"{error.place}  {error.text}".strip() for error in page.errors]

    def assert_matches_baseline(
        self,
        name: str = "",
        *,
        target: str = "page",
        masks: Sequence[Any] = (),
        tolerance: dict[str, Any] | None = None,
    ) -> None:
        """Compare a picture with its baseline; `name` tells several of one test apart.

        Fails also for errors of the page since the picture before, see `fail_on` of a scenario.
        """
        __tracebackhide__ = True
        shot = _understood(
            visual.shot_of, name=name, target=target, masks=list(masks), tolerance=tolerance
        )
        self._studio.claim(self._opened().view.picture_name(shot))
        check: Check = self._ask("shoot", shot)
        self.checks.append(check)
        if check.outcome not in _ACCEPTED[self._studio.accept]:
            raise AssertionError(self._studio.message(check))

    def leave(self) -> None:
        """Close the page that is open, if there is one."""
        page, self._page = self._page, None
        if page is not None:
            self._studio.call(self._studio.leave, page)

    def _ask(self, method: str, argument: Any) -> Any:
        __tracebackhide__ = True
        page = self._opened()

        async def ask() -> Any:
            page.renew()
            with visual.told_lost(page):
                return await getattr(page, method)(argument)

        return self._studio.call(ask)

    def _opened(self) -> LivePage:
        if self._page is None:
            raise RuntimeError("no page is open; call artifact.open first")
        return self._page


def _understood(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    __tracebackhide__ = True
    try:
        return work(*given, **named)
    except Refusal as refusal:
        raise ValueError(refusal.message) from None


def concluded(
    found: Sequence[str], *, out: str, baselines: str, accept: Accept | None
) -> tuple[list[str], bool]:
    """Write the report of all comparisons and make baselines when that is wished for.

    What comes back is what to tell, and whether a picture was refused.
    """
    return anyio.run(_concluded, found, out, baselines, accept)


async def _concluded(
    found: Sequence[str], out: str, baselines: str, accept: Accept | None
) -> tuple[list[str], bool]:
    output, store = visual.Folder(out), visual.BaselineStore(baselines)
    checks = [visual.Check.model_validate_json(each) for each in found]
    placed = [
        check.model_copy(update={"position": at})
        for at, check in enumerate(sorted(checks, key=lambda check: check.name))
    ]
    report = visual.report_of(
        placed,
        platform=visual.platform_key(),
        baselines=store.shown,
        filtered=True,
        planned=len(placed),
    )
    await visual.clear(output, placed)
    said: list[str] = []
    refused: tuple[tuple[str, str], ...] = ()
    if accept:
        done = await visual.promote(
            report, output, store, accept, tell=lambda path: said.append(f"saved {path}")
        )
        report, refused = done.report, done.refused
        said += [visual.flat(f"refused {name}: {why}") for name, why in refused]
    await visual.publish(output, report)
    return [*said, *visual.terminal_lines(report, posixpath.join(out, visual.REPORT))], bool(
        refused
    )
