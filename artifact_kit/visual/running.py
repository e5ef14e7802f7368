"""A run: its pages shared out among browsers, side by side, until all are done or it is stopped."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.browser import Launcher, provide
from artifact_kit.errors import Refusal
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.session import Session
from artifact_kit.preview.stage import Builder, Stages
from artifact_kit.visual.checking import Lost, PageCheck
from artifact_kit.visual.fonts import fonts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifact_kit.limits import Limits
    from artifact_kit.preview.stage import Stage
    from artifact_kit.visual.judging import Judge
    from artifact_kit.visual.planning import Planned
    from artifact_kit.visual.report import Check

_TRIES = 2
_GRACE_S = 10.0
"""How long after its time budget a page that does not answer is ended."""


@dataclass
class Run:
    """The checks of some pages; `checks` holds those that are done, whatever happens."""

    judge: Judge
    limits: Limits
    jobs: int
    browser: str | None = None
    """A path or a CDP address; without it one is found."""
    tell: Callable[[Check], None] = lambda check: None
    checks: list[Check] = field(default_factory=list)

    async def check(self, views: Sequence[Planned]) -> None:
        """Check every page.

        Raises:
            Failure: `no_browser` when none starts; else what a storage met.
            Refusal: The browser has no virtual clock.
        """
        waiting = deque(views)
        while waiting and waiting[0].artifact.problem:
            self._missing(waiting.popleft())
        if not waiting:
            return
        chromium = await provide(self.browser, install=False)
        if chromium.kind != "headless-shell":
            _check_clocks(waiting)
        async with Launcher(chromium, memory_bytes=self.limits.page_memory_bytes) as launcher:
            stages = Stages(Builder(launcher, self.limits))
            try:
                await self._share_out(waiting, stages)
            finally:
                await stages.close()

    async def _share_out(self, waiting: deque[Planned], stages: Stages) -> None:
        workers = [
            asyncio.create_task(self._work(waiting, stages))
            for _ in range(min(self.jobs, len(waiting)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: deque[Planned], stages: Stages) -> None:
        """One browser, for one page after the other."""
        stage: Stage | None = None
        try:
            while waiting:
                view = waiting.popleft()
                if view.artifact.problem:
                    self._missing(view)
                else:
                    stage = await self._checked(view, stages, stage)
        finally:
            if stage is not None:
                stages.dispose(stage)

    async def _checked(self, view: Planned, stages: Stages, stage: Stage | None) -> Stage | None:
        """Check a page, a second time where its browser crashed; gives a browser to go on with."""
        virtual = view.artifact.scenario.clock == "virtual"
        for attempt in range(1, _TRIES + 1):
            stage = await stages.take(stage, virtual=virtual)
            await self._know(stage)
            page = self._page(view, stage)
            try:
                async with asyncio.timeout(page.deadline.left() + _GRACE_S):
                    await page.run()
            except TimeoutError:
                lost = Lost("it did not answer long after its time budget", again=False)
            except Lost as error:
                lost = error
            except BaseException:
                stages.dispose(stage, at_once=True)
                raise
            else:
                self._done(page.checks, attempt)
                if page.session.sound:
                    return stage
                stages.dispose(stage, at_once=True)
                return None
            stages.dispose(stage, at_once=True)
            stage = None
            if not lost.again or attempt == _TRIES:
                self._done([*page.checks, *_crashed(view, page, lost)], attempt)
                return None
        return None

    def _page(self, view: Planned, stage: Stage) -> PageCheck:
        place = view.artifact.place
        path = place.workspace.path(view.artifact.path, most_chars=1_000)
        session = Session(stage, place.workspace, path, self.limits)
        deadline = Deadline.after(view.artifact.scenario.budget_seconds)
        return PageCheck(view, session, self.judge, deadline)

    async def _know(self, stage: Stage) -> None:
        """What browser takes the pictures, found out once."""
        if not self.judge.browser:
            self.judge.fonts = await fonts_of(stage.bridge)
            self.judge.browser = f"Chromium {stage.running.browser.version}"

    def _missing(self, view: Planned) -> None:
        problem = view.artifact.problem
        self._done(
            [view.check(shot, "missing-artifact", message=problem) for shot in view.shots], 1
        )

    def _done(self, checks: Sequence[Check], attempts: int) -> None:
        for check in checks:
            done = check.model_copy(update={"attempts": attempts})
            self.checks.append(done)
            self.tell(done)


def _crashed(view: Planned, page: PageCheck, lost: Lost) -> list[Check]:
    left = view.shots[len(page.checks) :]
    return [view.check(shot, "crashed", message=lost.why) for shot in left]


def _check_clocks(views: Sequence[Planned]) -> None:
    if any(view.artifact.scenario.clock == "virtual" for view in views):
        raise Refusal(
            "the virtual clock needs Chromium's headless shell, and the browser in use is none;"
            " add --clock real, or have `artifact-kit browser --install` provide one",
            code="no_virtual_clock",
        )
