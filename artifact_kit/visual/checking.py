"""One page checked: opened, driven through its steps, each of its pictures judged."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never

from jsonschema import Draft202012Validator
from playwright.async_api import Error

from artifact_kit.preview.acting import NotDone
from artifact_kit.preview.bridge import DriverFailed, Gone, Moved, Stuck
from artifact_kit.preview.session import ENDINGS, PageOver
from artifact_kit.text import clip
from artifact_kit.visual.scenario import Act, Eval, Read, Shot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifact_kit.visual.live import LivePage
    from artifact_kit.visual.report import Check
    from artifact_kit.visual.scenario import Step

_SHOWN = 200


class Lost(Exception):
    """The page is no longer there; `again` says that a new browser may fare better."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.why = why
        self.again = again


@contextmanager
def told_lost(page: LivePage) -> Iterator[None]:
    """Turns every way in which a page can end into `Lost`."""
    try:
        yield
    except (Gone, PageOver) as over:
        why = over.why if isinstance(over, PageOver) else ENDINGS.get(str(over), str(over))
        ended = page.session.stage.bridge.over
        raise Lost(why, again=ended in ("crashed", "closed", "gone")) from None


@dataclass
class PageCheck:
    """The check of one page; `checks` grows with each picture."""

    page: LivePage
    checks: list[Check] = field(default_factory=list)

    async def run(self) -> None:
        """Do the steps; what can't be done any more ends as `failed`.

        Raises:
            Lost: The page or its browser ended.
            Failure: A storage failed.
        """
        with told_lost(self.page):
            await self._run()

    async def _run(self) -> None:
        where, view = "opening it", self.page.view
        try:
            await self.page.open()
            for index, step in enumerate(view.artifact.scenario.steps):
                where = f"steps[{index}] {step.op}"
                await self._step(step)
            if not self.checks:
                where = "its picture"
                await self._step(view.shots[0])
        except (NotDone, DriverFailed) as problem:
            await self._fail(f"{where}: {problem}")
        except Moved:
            await self._fail(f"{where}: the page went to another document meanwhile")
        except Stuck:
            in_time = self.page.deadline.left()
            why = "the page did not respond" if in_time else self._over_budget()
            await self._fail(f"{where}: {why}", sound=False)
        except Error as error:
            said = clip(error.message.partition("\n")[0], _SHOWN)
            await self._fail(f"{where}: the browser answered: {said}", sound=False)

    def _over_budget(self) -> str:
        seconds = self.page.view.artifact.scenario.budget_seconds
        return f"the time budget of {seconds:g} s was used up"

    async def _step(self, step: Step) -> None:
        if not self.page.deadline.left():
            raise NotDone(self._over_budget())
        match step:
            case Act():
                await self.page.act(step.actions)
            case Read():
                values = await self.page.read([query.query for query in step.queries])
                _expect_each(step, values)
            case Eval():
                _expect(step, await self.page.evaluate(step.code))
            case Shot():
                self.checks.append(await self.page.shoot(step))
            case _:
                assert_never(step)

    async def _fail(self, message: str, *, sound: bool = True) -> None:
        """Every picture that is still to come has failed; without one, the last one has."""
        page, shots = self.page, self.page.view.shots
        page.session.sound = page.session.sound and sound
        picture = await page.glance() if sound else None
        if len(self.checks) == len(shots):
            last = self.checks.pop()
            failed = {"outcome": "failed", "message": message}
            self.checks.append(last.model_copy(update=failed))
        for shot in shots[len(self.checks) :]:
            check = await page.judge.failed(page.view, shot, message, picture)
            self.checks.append(page.closed(check))
            picture = None


def _expect_each(step: Read, values: list[str]) -> None:
    for index, (query, value) in enumerate(zip(step.queries, values, strict=True)):
        if query.expect is not None and value != query.expect:
            expected, got = clip(repr(query.expect), _SHOWN), clip(repr(value), _SHOWN)
            raise NotDone(f"queries[{index}]: expected {expected}, got {got}")


def _expect(step: Eval, value: Any) -> None:
    if step.expects_a_value and value != step.expect:
        expected, got = (
            clip(json.dumps(v, ensure_ascii=False), _SHOWN) for v in (step.expect, value)
        )
        raise NotDone(f"expected {expected}, got {got}")
    error = next(Draft202012Validator(step.json_schema).iter_errors(value), None)
    if error is not None:
        said = f"{error.json_path}: {clip(error.message, 300)}"
        raise NotDone(f"its result is not what the schema says: {said}")
