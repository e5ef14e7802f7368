"""One open page: what can be asked of it, and what it says of itself with every answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from artifact_kit.errors import Failure, Refusal
from artifact_kit.preview.acting import Actor, NotDone
from artifact_kit.preview.assets import Assets
from artifact_kit.preview.bridge import Gone, Late, Moved, Stuck
from artifact_kit.preview.camera import Camera
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.journal import Entry, add_heard, add_relayed, gather
from artifact_kit.preview.loading import DEFAULT_SEED, Loader
from artifact_kit.preview.places import Places
from artifact_kit.preview.scripts import door
from artifact_kit.preview.sourcecheck import complaints
from artifact_kit.preview.wording import (
    answered,
    numbered,
    outlined,
    place_in_code,
    raised,
    returned,
)
from artifact_kit.text import clip, well_formed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifact_kit.limits import Limits
    from artifact_kit.preview.acting import Action
    from artifact_kit.preview.camera import Taken
    from artifact_kit.preview.reply import Reply
    from artifact_kit.preview.stage import Stage
    from artifact_kit.workspace import Workspace, WorkspacePath

_REPORT_S = 1.5
"""Time kept back for the report after a page was interrupted, in seconds."""
_FREE_S = 0.5
"""Time kept back to find out whether a page is stuck, in seconds."""

ENDINGS = {
    "crashed": "the page crashed (its renderer ended)",
    "closed": "the page ended with its browser",
    "frames": "the page made more frames than a page may have, and was ended",
    "gone": "the browser is gone",
    "killed": "the page could not be interrupted and was ended",
    "memory": "the page used more memory than a page may, and was ended",
}


class PageOver(Failure):
    """The page is no longer there; `open` starts a new one."""

    def __init__(self, why: str, reply: str = "") -> None:
        told = ENDINGS.get(why, why)
        super().__init__(
            f"{told}. Call preview with op open to start again.{reply}", code="page_gone"
        )
        self.why = told


class Session:
    """A page of one conversation. Calls come one at a time; each has its deadline."""

    def __init__(
        self, stage: Stage, workspace: Workspace, path: WorkspacePath, limits: Limits
    ) -> None:
        self.path = path
        self.stage = stage
        self._bridge = stage.bridge
        self._limits = limits
        self._assets = Assets(workspace, limits.asset_bytes, path_chars=limits.path_chars)
        self._camera = Camera(stage.bridge, stage.clock, limits)
        self._loader = Loader(stage, limits)
        self._places = Places(stage.origin, self._assets.sources)
        self._errors = 0
        self._parts_missing = False
        self._blank = False
        self._looks: frozenset[str] = frozenset()
        self._told_page = ""
        self._asked_size: tuple[int, int] | None = None
        """The view's size where `open` named it: what the caller knows is not told."""
        self.sound = True
        """Whether the page has always answered; then its browser is good for another one."""
        stage.router.serve(self._assets, stage.clock.page_ms)

    async def open(
        self, options: Mapping[str, Any], reply: Reply, deadline: Deadline, *, told: bool = True
    ) -> None:
        """Load the page and say what came of it, unless that is not to be told yet."""
        if "width" in options and "height" in options:
            self._asked_size = (options["width"], options["height"])
        await self._guarded(self._loader.load(self.path, options, reply, deadline), reply)
        if not told:
            return
        if self.stage.clock.virtual:
            at, seed = self.stage.clock.now_ms, options.get("seed", DEFAULT_SEED)
            reply.result.insert(0, f"clock: virtual, at {at:.0f} ms, seed {seed}")
        await self._report(reply, deadline, looks=True)
        reply.looks[:0] = [
            complaint
            for path, source in self._assets.sources.items()
            for complaint in complaints(path, source)
        ]

    async def act(self, actions: Sequence[Action], reply: Reply, deadline: Deadline) -> str:
        """Do the actions in order; gives why the first failing one stopped the rest, or nothing."""
        actor = Actor(self.stage, self._loader, self._assets, deadline, self._limits.busy_s)
        failed = ""
        told: list[str] = []
        self._camera.page_moved()

        async def perform() -> None:
            nonlocal failed
            for index, action in enumerate(actions):
                try:
                    told.append(await actor.perform(action))
                except NotDone as problem:
                    failed = f"actions[{index}] {action['type']}: {problem}"
                    return

        stuck = await self._guarded(perform(), reply)
        reply.result[:0] = numbered(told) if len(actions) > 1 else told
        if failed and len(actions) - len(told) > 1:
            failed = f"{failed}. {len(told)} of {len(actions)} actions were done"
        await self._report(reply, deadline, looks=True)
        return failed or ("the page did not respond" if stuck else "")

    async def read(self, queries: list[dict[str, Any]], reply: Reply, deadline: Deadline) -> None:
        """Answer each query, or outline the page."""

        async def ask() -> None:
            most = self._limits.eval_chars
            if queries:
                answers = await self._ask("read", queries, most, deadline=deadline)
                reply.result += [answered(*pair) for pair in zip(queries, answers, strict=True)]
                reply.data["values"] = [_data(answer.get("value")) for answer in answers]
            else:
                outline = await self._ask("outline", self._limits.outline_chars, deadline=deadline)
                reply.result.append(outlined(outline))

        await self._guarded(ask(), reply)
        await self._report(reply, deadline)

    async def eval(self, code: str, reply: Reply, deadline: Deadline) -> str:
        """Run code in the page's own world; gives what it threw, or nothing.

        Raises:
            Refusal: `bad_code` when it does not parse.
        """
        threw = ""
        self._camera.page_moved()

        async def run() -> None:
            nonlocal threw
            threw = await self._evaluate(code, reply, deadline)

        stuck = await self._guarded(run(), reply)
        await self._report(reply, deadline)
        return threw or ("the code did not end in time" if stuck else "")

    async def _evaluate(self, code: str, reply: Reply, deadline: Deadline) -> str:
        chars = self._limits.eval_chars
        expression = (
            f"{door(self.stage.token)}(async () => {{\n{code}\n}}, {chars})\n//# sourceURL=eval"
        )
        try:
            seconds = max(deadline.left() - _REPORT_S - _FREE_S, _FREE_S)
            raw = await self.stage.clock.finished(expression, seconds, Deadline.after(seconds))
        except Late:
            return (
                f"the code did not end within {seconds:.0f} s: what it awaits never settled; the "
                "page itself responds"
            )
        except Moved:
            reply.result.append(
                "the code made the page load another document; its result is not known"
            )
            self._bridge.forget_world()
            return ""
        if "exceptionDetails" in raw:
            return raised(raw["exceptionDetails"])
        try:
            answer = json.loads(raw["result"]["value"])
        except (KeyError, TypeError, ValueError):
            return (
                "the braces of the code do not match, so it ran as something else than a function "
                "body; its result is not known"
            )
        if "threw" in answer:
            return f"the code threw {answer['threw']}{place_in_code(answer.get('stack', ''))}"
        reply.result.append(returned(answer, chars))
        reply.data["result"] = well_formed(answer.get("value", ""))
        return ""

    async def shot(
        self, options: Mapping[str, Any], reply: Reply, deadline: Deadline
    ) -> Taken | None:
        """Take a picture of the page or of a part of it; None when the page was stuck."""
        taken: Taken | None = None

        async def take() -> None:
            nonlocal taken
            taken = await self._camera.shoot(options, deadline)
            reply.result += taken.lines
            reply.data |= taken.data
            if taken.image is not None:
                reply.images.append(taken.image)

        try:
            await self._guarded(take(), reply)
        except NotDone as problem:
            raise Refusal(f"target: {problem}", code="no_target") from None
        await self._report(reply, deadline, looks=True)
        return taken

    async def _ask(self, function: str, *arguments: Any, deadline: Deadline) -> Any:
        seconds = deadline.left(self._limits.busy_s)
        return await self._bridge.ask(function, *arguments, seconds=seconds)

    async def _guarded(self, work: Any, reply: Reply) -> bool:
        """Run `work`; a stuck page is interrupted and told of. Gives whether it was stuck."""
        started = asyncio.get_running_loop().time()
        try:
            await work
        except Stuck:
            waited = asyncio.get_running_loop().time() - started
            await self._interrupt(waited, reply)
            return True
        except Gone as gone:
            raise PageOver(str(gone)) from None
        except Moved:
            self._bridge.forget_world()
        return False

    async def free(self) -> None:
        """Stop what keeps the page from answering, if anything does; nobody waits for it."""
        with contextlib.suppress(Stuck, Gone, Moved, Failure, Error):
            try:
                await self._bridge.ask("view", seconds=_FREE_S)
            except Stuck:
                self.sound = False
                await self._bridge.interrupt()

    async def _interrupt(self, waited: float, reply: Reply) -> None:
        self.sound = False
        try:
            running = await self._bridge.interrupt()
        except (Stuck, Gone):
            over = self._bridge.over
            await self.stage.kill()
            raise PageOver(
                over or f"the page did not respond for {waited:.0f} s and could not be interrupted"
            ) from None
        self._errors += 1
        if not running:
            seen = "no script of it was seen running" if self._bridge.profiled else "endless loop?"
            text = f"the page did not respond for {waited:.0f} s ({seen}) and was stopped"
            reply.news.errors.append(Entry(text))
            return
        places = [self._places.of(each.url, each.line, 0) for each in running]
        names = [each.function or "its top level" for each in running]
        callers = "".join(
            f", called by {name} ({place})"
            for name, place in zip(names[1:], places[1:], strict=True)
        )
        text = (
            f"the page did not respond: a script was still running after {waited:.0f} s (endless "
            f"loop?) and was stopped, in {names[0]}{callers}"
        )
        place = places[0]
        source = self._places.line(place) if place else ""
        reply.news.errors.append(Entry(text, place, source))

    async def _report(self, reply: Reply, deadline: Deadline, *, looks: bool = False) -> None:
        seconds = max(deadline.left(self._limits.busy_s), _REPORT_S)
        try:
            facts = await self._bridge.report(looks=looks, seconds=seconds)
        except Stuck:
            await self._interrupt(seconds, reply)
            facts = await self._last_report(looks)
        except Gone as gone:
            raise PageOver(str(gone), "\n".join(["", *reply.result])) from None
        self._tell(facts, reply)

    async def _last_report(self, looks: bool) -> dict[str, Any]:
        try:
            facts = await self._bridge.report(looks=looks, seconds=_REPORT_S)
        except (Stuck, Gone, Moved):
            await self.stage.kill()
            raise PageOver("the page does not respond and was ended") from None
        return facts

    def _tell(self, facts: dict[str, Any], reply: Reply) -> None:
        journal = json.loads(facts["journal"]) if facts["journal"] else {}
        add_relayed(journal, self._bridge.take_relayed())
        thrown = self._bridge.take_thrown()
        news = gather(journal, thrown, facts["stopped"], self.stage.router.take(), self._places)
        news.errors[:0] = reply.news.errors
        add_heard(news, self._bridge.log.take(), self._places)
        reply.news = news
        reply.result += [f"the virtual clock does not steer {what}" for what in facts["beyond"]]
        reply.result += self.stage.clock.notes()
        self._errors += sum(1 for entry in news.errors if entry.fatal)
        self._parts_missing |= news.broken_parts
        if facts["blank"] is not None:
            self._blank = facts["blank"]
            self._look(facts["looks"], reply)
        page = self._page(facts["place"])
        reply.page = "" if page == self._told_page else page
        self._told_page = page
        reply.verdict = self._verdict()
        reply.errors_in_all = self._errors
        reply.data |= {
            "path": str(self.path),
            "verdict": reply.verdict,
            "errors": self._errors,
            "new_errors": len(news.errors),
            "blocked": len(news.blocked),
        }

    def _look(self, looks: list[str], reply: Reply) -> None:
        """Tell what a person would see; what was told before is only counted."""
        if self._blank:
            looks = ["the page is blank: nothing is painted", *looks]
        looks = [self._places.placed(look) for look in looks]
        new = [look for look in looks if look not in self._looks]
        reply.looks += new
        if len(new) < len(looks):
            reply.looks.append(f"{len(looks) - len(new)} more as before")
        self._looks = frozenset(looks)

    def _page(self, place: dict[str, Any]) -> str:
        shown = self._places.path(place["url"]) or str(self.path)
        title = f' · "{clip(place["title"], 60)}"' if place["title"] else ""
        size = (place["width"], place["height"])
        return f"{shown}{title}" + ("" if size == self._asked_size else f" · {size[0]}×{size[1]}")

    def _verdict(self) -> str:
        if self._errors or self._blank:
            return "broken"
        return "degraded" if self._parts_missing else "ok"

    @property
    def over(self) -> str:
        """Why the page is no longer there; empty while it is."""
        why = self._bridge.over
        return ENDINGS.get(why, why)


def _data(value: str | None) -> str | None:
    return None if value is None else well_formed(value)
