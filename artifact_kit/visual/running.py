"""A run: its pages shared out among browsers, side by side, until all are done or it is stopped."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.visual.checking import Lost, PageCheck
from artifact_kit.visual.live import live_page, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifact_kit.limits import Limits
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
    tell: Callable[[Check], None] = lambda check: None
    checks: list[Check] = field(default_factory=list)

    async def check(self, views: Sequence[Planned], *, jobs: int = 1) -> None:
        """Check every page, some side by side.

        Raises:
            Failure: `no_browser` when none starts; else what a storage met.
            Refusal: The browser has no virtual clock.
        """
        waiting = deque(views)
        workers = [asyncio.create_task(self._work(waiting)) for _ in range(min(jobs, len(waiting)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: deque[Planned]) -> None:
        while waiting:
            view = waiting.popleft()
            if problem := view.artifact.problem or await _vanished(view):
                missing = [view.check(s, "missing-artifact", message=problem) for s in view.shots]
                self._done(missing, 1)
            else:
                await self._check(view)

    async def _check(self, view: Planned) -> None:
        """Check a page, a second time where its browser crashed."""
        for attempt in range(1, _TRIES + 1):
            stage = await self.judge.browsers.take(
                virtual=view.artifact.scenario.clock == "virtual"
            )
            check = PageCheck(live_page(view, stage, self.judge, self.limits))
            lost = await self._attempt(check)
            if lost is None or not lost.again or attempt == _TRIES:
                left = view.shots[len(check.checks) :]
                why = lost.why if lost else ""
                crashed = [view.check(shot, "crashed", message=why) for shot in left]
                self._done([*check.checks, *crashed], attempt)
                return

    async def _attempt(self, check: PageCheck) -> Lost | None:
        """Check a page in its browser, which is handed on when it is in order."""
        session, lost, sound = check.page.session, None, False
        try:
            async with asyncio.timeout(check.page.deadline.left() + _GRACE_S):
                await check.run()
            sound = session.sound
        except TimeoutError:
            lost = Lost("it did not answer long after its time budget", again=False)
        except Lost as error:
            lost = error
        finally:
            if sound:
                self.judge.browsers.give(session.stage)
            else:
                self.judge.browsers.drop(session.stage, at_once=True)
        return lost

    def _done(self, checks: Sequence[Check], attempts: int) -> None:
        for check in checks:
            done = check.model_copy(update={"attempts": attempts})
            self.checks.append(done)
            self.tell(done)


async def _vanished(view: Planned) -> str:
    """Why the page can't be opened any more; empty while it is there."""
    entry = await view.artifact.place.workspace.info(path_of(view))
    return "" if entry and entry.kind == "file" else "it was there when the run began"
