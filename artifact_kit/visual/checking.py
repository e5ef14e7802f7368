"""One page checked: opened, driven through its steps, and each of its pictures judged."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never

from jsonschema import Draft202012Validator
from playwright.async_api import Error

from artifact_kit.errors import Refusal
from artifact_kit.preview.acting import NotDone
from artifact_kit.preview.bridge import Gone, Stuck
from artifact_kit.preview.reply import Reply
from artifact_kit.preview.session import PageOver
from artifact_kit.preview.views import View
from artifact_kit.text import clip
from artifact_kit.visual.capture import Lens
from artifact_kit.visual.comparison import compare
from artifact_kit.visual.faults import errors_of, failing, joined
from artifact_kit.visual.judging import tolerance_of
from artifact_kit.visual.scenario import Act, Eval, Read, Shot

if TYPE_CHECKING:
    from artifact_kit.preview.deadline import Deadline
    from artifact_kit.preview.session import Session
    from artifact_kit.visual.judging import Judge
    from artifact_kit.visual.planning import Planned
    from artifact_kit.visual.report import Check, PageError
    from artifact_kit.visual.scenario import Step

_SHOWN = 200


class Lost(Exception):
    """The page is no longer there; `again` says that a new browser may fare better."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.why = why
        self.again = again


@dataclass
class PageCheck:
    """The check of one page; `checks` grows with each picture."""

    view: Planned
    session: Session
    judge: Judge
    deadline: Deadline
    checks: list[Check] = field(default_factory=list)
    _errors: list[PageError] = field(default_factory=list)
    """Since the last picture."""
    _notes: list[str] = field(default_factory=list)
    """What is to be known about its pictures."""
    _began: float = field(default_factory=time.monotonic)

    async def run(self) -> None:
        """Do the steps; what can't be done any more ends as `failed`.

        Raises:
            Lost: The page or its browser ended.
            Failure: A storage failed.
        """
        try:
            await self._run()
        except (Gone, PageOver) as over:
            why = over.why if isinstance(over, PageOver) else str(over)
            ended = self.session.stage.bridge.over
            raise Lost(why, again=ended in ("crashed", "closed", "gone")) from None

    async def _run(self) -> None:
        where = "opening it"
        try:
            await self._open()
            for index, step in enumerate(self.view.artifact.scenario.steps):
                where = f"steps[{index}] {step.op}"
                await self._step(step)
            if not self.checks:
                where = "its picture"
                await self._step(self.view.shots[0])
        except NotDone as problem:
            await self._fail(f"{where}: {problem}")
        except Stuck:
            self.session.sound = False
            why = "the page did not respond" if self.deadline.left() else self._over_budget()
            await self._fail(f"{where}: {why}", seen=False)
        except Error as error:
            self.session.sound = False
            said = clip(error.message.partition("\n")[0], _SHOWN)
            await self._fail(f"{where}: the browser answered: {said}", seen=False)

    def _over_budget(self) -> str:
        seconds = self.view.artifact.scenario.budget_seconds
        return f"the time budget of {seconds:g} s was used up"

    async def _open(self) -> None:
        scenario, viewport = self.view.artifact.scenario, self.view.viewport
        view = View(viewport.width, viewport.height, viewport.scale, viewport.mobile)
        options: dict[str, Any] = {"view": view, "dark": self.view.scheme == "dark"}
        if scenario.clock == "virtual":
            options["seed"] = scenario.seed
        reply = Reply()
        await self.session.open(options, reply, self.deadline)
        self._errors += errors_of(reply.news)
        self._notes += reply.result

    async def _step(self, step: Step) -> None:
        if not self.deadline.left():
            raise NotDone(self._over_budget())
        reply = Reply()
        match step:
            case Act():
                failed = await self.session.act(step.actions, reply, self.deadline)
            case Read():
                await self.session.read([q.query for q in step.queries], reply, self.deadline)
                failed = _unexpected(step, reply)
            case Eval():
                failed = await self._evaluate(step, reply)
            case Shot():
                await self._shoot(step, reply)
                return
            case _:
                assert_never(step)
        self._errors += errors_of(reply.news)
        if failed:
            raise NotDone(failed)

    async def _evaluate(self, step: Eval, reply: Reply) -> str:
        # As JSON, and its first line stays the first one for messages.
        code = f"return JSON.stringify(await (async () => {{{step.code}\n}})())"
        try:
            threw = await self.session.eval(code, reply, self.deadline)
        except Refusal as refusal:
            return refusal.message
        return threw or _unlike(step, reply.data.get("result", ""))

    async def _shoot(self, shot: Shot, reply: Reply) -> None:
        baseline = await self.judge.baseline(self.view, shot)
        taken = await self._lens().still(
            shot.target,
            (*self.view.artifact.scenario.masks, *shot.masks),
            known=lambda picture: picture == baseline.picture,
            same=lambda one, other: self._same(one, other, shot),
        )
        await self.session._report(reply, self.deadline)
        self._errors += errors_of(reply.news)
        self._add(await self.judge.verdict(self.view, shot, taken, baseline))

    def _same(self, one: bytes, other: bytes, shot: Shot) -> bool:
        return compare(one, other, tolerance_of(self.view, shot)).outcome == "match"

    def _lens(self) -> Lens:
        return Lens(self.session.stage, self.deadline)

    def _add(self, check: Check) -> None:
        """Take a check in, with what the page has had to tell since the one before."""
        errors, now = joined(self._errors), time.monotonic()
        facts: dict[str, Any] = {"errors": errors, "seconds": round(now - self._began, 3)}
        if check.outcome != "match":
            facts["message"] = "; ".join(filter(None, (check.message, *self._notes)))
        fail_on = self.view.artifact.scenario.fail_on
        if check.outcome != "failed" and failing(errors, fail_on):
            facts["outcome"] = "errors"
        elif check.outcome in ("new", "match") and check.blank and "blank" in fail_on:
            facts |= {"outcome": "errors", "message": "the page shows nothing"}
        self.checks.append(check.model_copy(update=facts))
        self._errors, self._began = [], now

    async def _fail(self, message: str, *, seen: bool = True) -> None:
        """Every picture that is still to come has failed; without one, the last one has."""
        picture = await self._lens().glance() if seen else None
        if len(self.checks) == len(self.view.shots):
            last = self.checks.pop()
            self.checks.append(last.model_copy(update={"outcome": "failed", "message": message}))
        for shot in self.view.shots[len(self.checks) :]:
            self._add(await self.judge.failed(self.view, shot, message, picture))
            picture = None


def _unexpected(step: Read, reply: Reply) -> str:
    """The first query that was not answered as expected; empty when all were."""
    values = reply.data.get("values", [])
    for index, (query, value, told) in enumerate(
        zip(step.queries, values, reply.result, strict=False)
    ):
        if value is None:
            return f"queries[{index}]: {clip(told, _SHOWN)}"
        if query.expect is not None and value != query.expect:
            expected, got = clip(repr(query.expect), _SHOWN), clip(repr(value), _SHOWN)
            return f"queries[{index}]: expected {expected}, got {got}"
    return "" if len(values) == len(step.queries) else "the page did not respond"


def _unlike(step: Eval, result: str) -> str:
    """In what the result is not as expected; empty when it is."""
    try:
        value = None if result == "undefined" else json.loads(result)
    except json.JSONDecodeError:
        return f"its result is too long to be checked: {clip(result, _SHOWN)}"
    if step.expects_a_value and value != step.expect:
        expected = json.dumps(step.expect, ensure_ascii=False)
        return f"expected {clip(expected, _SHOWN)}, got {clip(result, _SHOWN)}"
    error = next(Draft202012Validator(step.json_schema).iter_errors(value), None)
    if error is None:
        return ""
    return f"its result is not what the schema says: {error.json_path}: {clip(error.message, 300)}"
