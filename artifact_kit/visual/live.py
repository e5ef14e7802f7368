"""A page that is open: driven with the words of `preview`, and its pictures judged."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifact_kit.errors import Refusal
from artifact_kit.preview.acting import NotDone
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.reply import Reply
from artifact_kit.preview.session import Session
from artifact_kit.preview.views import View
from artifact_kit.text import clip
from artifact_kit.visual.capture import Lens
from artifact_kit.visual.comparison import compare
from artifact_kit.visual.faults import errors_of, failing, joined
from artifact_kit.visual.judging import tolerance_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifact_kit.limits import Limits
    from artifact_kit.preview.stage import Stage
    from artifact_kit.visual.judging import Judge
    from artifact_kit.visual.planning import Planned
    from artifact_kit.visual.report import Check, PageError
    from artifact_kit.visual.scenario import Shot
    from artifact_kit.workspace import WorkspacePath

_SHOWN = 200


def live_page(view: Planned, stage: Stage, judge: Judge, limits: Limits) -> LivePage:
    """A page that is still to be opened; its time budget begins."""
    session = Session(stage, view.artifact.place.workspace, path_of(view), limits)
    return LivePage(view, session, judge, Deadline.after(view.artifact.scenario.budget_seconds))


def path_of(view: Planned) -> WorkspacePath:
    """Where its file is in its place."""
    return view.artifact.place.workspace.path(view.artifact.path, most_chars=1_000)


@dataclass
class LivePage:
    """One page of a plan. Every method raises as `Bridge.race` does, and `PageOver`."""

    view: Planned
    session: Session
    judge: Judge
    deadline: Deadline
    errors: list[PageError] = field(default_factory=list)
    """Since it was opened."""
    _told: int = 0
    """How many of them belong to pictures that were taken."""
    _notes: list[str] = field(default_factory=list)
    """What is to be known about its pictures."""
    _touched: bool = False
    _began: float = field(default_factory=time.monotonic)

    async def open(self) -> None:
        """Load it."""
        scenario, viewport = self.view.artifact.scenario, self.view.viewport
        view = View(viewport.width, viewport.height, viewport.scale, viewport.mobile)
        options: dict[str, Any] = {"view": view, "dark": self.view.scheme == "dark"}
        if scenario.clock == "virtual":
            options["seed"] = scenario.seed
        reply = Reply()
        await self.session.open(options, reply, self.deadline, told=False)
        self._hear(reply)
        self._notes += reply.result

    async def act(self, actions: Sequence[dict[str, Any]]) -> list[str]:
        """What each action did.

        Raises:
            NotDone: One could not be done.
        """
        reply, self._touched = Reply(), True
        failed = await self.session.act(actions, reply, self.deadline)
        self._hear(reply)
        if failed:
            raise NotDone(failed)
        return reply.result

    async def read(self, queries: Sequence[Mapping[str, Any]]) -> list[str]:
        """The value of each query.

        Raises:
            NotDone: One has none.
        """
        reply = Reply()
        await self.session.read([dict(query) for query in queries], reply, self.deadline)
        self._hear(reply)
        values: list[str | None] = reply.data.get("values", [])
        if len(values) < len(queries):
            raise NotDone("the page did not respond")
        for index, (value, told) in enumerate(zip(values, reply.result, strict=False)):
            if value is None:
                raise NotDone(f"queries[{index}]: {clip(told, _SHOWN)}")
        return [value or "" for value in values]

    async def evaluate(self, code: str) -> Any:
        """What a function body returns in the page, as JSON has it; None for nothing.

        Raises:
            NotDone: It threw, did not end, or gave something too large.
        """
        # Its first line stays the first one, for the places in messages.
        wrapped = f"return JSON.stringify(await (async () => {{{code}\n}})())"
        reply = Reply()
        try:
            threw = await self.session.eval(wrapped, reply, self.deadline)
        except Refusal as refusal:
            raise NotDone(refusal.message) from None
        self._hear(reply)
        if threw:
            raise NotDone(threw)
        result = reply.data.get("result", "undefined")
        try:
            return None if result == "undefined" else json.loads(result)
        except json.JSONDecodeError:
            raise NotDone(f"its result is too long: {clip(result, _SHOWN)}") from None

    async def shoot(self, shot: Shot) -> Check:
        """A picture beside its baseline, and what the page has had to tell since the one before.

        Raises:
            NotDone: There is nothing to take a picture of.
            Failure: A storage failed.
        """
        baseline = await self.judge.baseline(self.view, shot)
        taken = await self._lens().still(
            shot.target,
            (*self.view.artifact.scenario.masks, *shot.masks),
            known=lambda picture: picture == baseline.picture,
            same=lambda one, other: self._same(one, other, shot),
        )
        await self.listen()
        return self.closed(await self.judge.verdict(self.view, shot, taken, baseline))

    async def picture(self, target: str) -> bytes:
        """A picture that is compared with nothing.

        Raises:
            NotDone: There is nothing to take a picture of.
        """
        lens = self._lens()
        taken = await lens.still(
            target, (), known=lambda _: False, same=lambda *pair: pair[0] == pair[1]
        )
        return taken.picture

    async def listen(self) -> list[PageError]:
        """What went wrong since it was opened, up to now."""
        reply = Reply()
        await self.session._report(reply, self.deadline)
        self._hear(reply)
        return list(joined(self.errors))

    def settle(self) -> tuple[PageError, ...]:
        """The errors that fail a check and that no picture and no earlier call has told of."""
        since = failing(joined(self.errors[self._told :]), self.view.artifact.scenario.fail_on)
        self._told = len(self.errors)
        return since

    def renew(self) -> None:
        """The time budget begins anew."""
        self.deadline = Deadline.after(self.view.artifact.scenario.budget_seconds)

    async def glance(self) -> bytes | None:
        """What the view shows now; nothing when the page gives no picture."""
        return await self._lens().glance()

    def closed(self, check: Check) -> Check:
        """A check with the errors that are its own; those may fail it."""
        errors, now = joined(self.errors[self._told :]), time.monotonic()
        facts: dict[str, Any] = {"errors": errors, "seconds": round(now - self._began, 3)}
        if check.outcome != "match":
            facts["message"] = "; ".join(filter(None, (check.message, *self._notes)))
        fail_on = self.view.artifact.scenario.fail_on
        if check.outcome != "failed" and failing(errors, fail_on):
            facts["outcome"] = "errors"
        elif check.outcome in ("new", "match") and check.blank and "blank" in fail_on:
            facts |= {"outcome": "errors", "message": "the page shows nothing"}
        self._told, self._began = len(self.errors), now
        return check.model_copy(update=facts)

    def _hear(self, reply: Reply) -> None:
        self.errors += errors_of(reply.news)

    def _same(self, one: bytes, other: bytes, shot: Shot) -> bool:
        return compare(one, other, tolerance_of(self.view, shot)).outcome == "match"

    def _lens(self) -> Lens:
        return Lens(self.session.stage, self.deadline, touched=self._touched)
