"""Actions: found by the driver, done by Chromium's input, told as they happened."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.async_api import FilePayload

from artifact_kit.errors import Refusal, ToolError
from artifact_kit.preview.bridge import Late, Moved
from artifact_kit.preview.clock import FRAME_MS
from artifact_kit.preview.dragging import Dragging
from artifact_kit.preview.keys import chord, parts
from artifact_kit.text import clip, plural, size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifact_kit.preview.assets import Assets
    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.deadline import Deadline
    from artifact_kit.preview.loading import Loader
    from artifact_kit.preview.stage import Stage

Action = dict[str, Any]

_PATIENCE_MS = 1000
"""How long a target may take to appear, to be uncovered and to stand still."""
_WAIT_MS = 5000
"""How long `wait` waits for a selector or a condition when it is not told."""
_TIMED = ("wait", "step")
"""Actions that let exactly as much time pass as they say."""
_TYPED_AT_ONCE = 400
"""Longer texts are inserted in one go, as a paste is; typing takes some 3 ms a character."""


class NotDone(Exception):
    """An action could not be done; the message says why, in the page's own terms."""


def check(actions: Sequence[Mapping[str, Any]], *, budget_ms: float, virtual: bool) -> list[Action]:
    """The actions with their keys spelled right and their waits added up.

    Raises:
        Refusal: Before anything was done.
    """
    checked = [dict(action) for action in actions]
    for index, action in enumerate(checked):
        if action["type"] == "key":
            action["key"] = chord(action["key"], f"actions[{index}].key")
        if action["type"] == "step" and not virtual:
            raise Refusal(
                f"actions[{index}] step moves the virtual clock, and this page's clock is real: "
                'open it with clock "virtual", or use wait. Nothing was done.',
                code="no_virtual_clock",
            )
        if "ms" in action and "frames" in action:
            raise Refusal(
                f"actions[{index}] step takes frames or ms, not both. Nothing was done.",
                code="bad_frames",
            )
        for name in ("ms", "frames"):
            if action.get(name, 0) < 0:
                raise Refusal(
                    f"actions[{index}].{name} must not be negative. Nothing was done.",
                    code=f"bad_{name}",
                )
    total = sum(_ms(action) for action in checked)
    if total > budget_ms:
        raise Refusal(
            f"the waits and key holds add up to {total:.0f} ms; one call has {budget_ms:.0f} ms. "
            "Nothing was done; send fewer or shorter ones, and wait again in the next call.",
            code="too_long",
        )
    return checked


def _ms(action: Action) -> float:
    """How long an action waits at most, in milliseconds."""
    return float(action.get("ms", 0) + action.get("frames", 0) * FRAME_MS)


@dataclass
class Actor:
    """Does the actions of one call."""

    stage: Stage
    loader: Loader
    assets: Assets
    deadline: Deadline
    most_busy_s: float

    @property
    def bridge(self) -> Bridge:
        """The way to the page."""
        return self.stage.bridge

    async def perform(self, action: Action) -> str:
        """Do one action and say what happened.

        Raises:
            NotDone: Its target cannot be acted on.
        """
        await self._ask("watch")
        try:
            told: str = await getattr(self, f"_{action['type']}")(action)
        except Moved:
            told = f"{action['type']} done"
        # What a handler asked to be done in the next frame is done before ours.
        if action["type"] not in _TIMED:
            await self.stage.clock.frame(self.deadline)
        effects = await self._ask("effects")
        if action["type"] == "type":
            effects = [effect for effect in effects if not effect.startswith("value is now")]
        if action["type"] in ("click", "key", "drag", "select", "upload") and not effects:
            return f"{told}; nothing changed in the DOM"
        return f"{told}; {'; '.join(effects)}" if effects else told

    async def _ask(self, function: str, *arguments: Any) -> Any:
        limit = self.deadline.left(self.most_busy_s)
        return await self.bridge.ask(function, *arguments, seconds=limit)

    async def _do(self, work: Any) -> None:
        await self.bridge.race(work, self.deadline.left(self.most_busy_s))

    async def _drawn(self, work: Any) -> None:
        """Moves and turns of the wheel reach a page with its next frame."""
        await self.stage.clock.drawn(work, self.deadline.left(self.most_busy_s))

    async def _aim(self, action: Action) -> tuple[float, float, str]:
        """The point to use and the name of what is there."""
        if "x" in action and "css" not in action and "ref" not in action:
            x, y = action["x"], action["y"]
            return x, y, await self._ask("hitName", x, y) or "nothing"
        target: dict[str, Any] = {
            name: action[name] for name in ("css", "ref", "text") if name in action
        }
        if action["type"] == "type":
            target.pop("text", None)
        aimed = await self._aimed(target)
        if aimed.get("problem"):
            near = f" (nearest: {', '.join(aimed['near'])})" if aimed.get("near") else ""
            raise NotDone(f"{aimed['problem']}{near}")
        several = f" (first of {aimed['matches']} matches)" if aimed["matches"] > 1 else ""
        if "x" in action or "y" in action:
            x, y = await self._inside(target, action.get("x"), action.get("y"))
            return x, y, await self._ask("hitName", x, y) or "nothing"
        return aimed["x"], aimed["y"], f"{aimed['name']}{several}"

    async def _aimed(self, target: dict[str, Any]) -> dict[str, Any]:
        """What the driver found; on the virtual clock each look has its frame."""
        clock = self.stage.clock
        if not clock.virtual:
            return dict(await self._ask("aim", target, _PATIENCE_MS))
        end = clock.now_ms + _PATIENCE_MS
        while (aimed := await self._ask("aim", target, 0)).get("problem") and clock.now_ms < end:
            await clock.frame(self.deadline)
        return dict(aimed)

    async def _inside(
        self, target: dict[str, Any], x: float | None, y: float | None
    ) -> tuple[float, float]:
        """A point counted from an element's own corner, as of a canvas; its middle by default."""
        box = await self._ask("box", target)
        across = box["width"] / 2 if x is None else x
        down = box["height"] / 2 if y is None else y
        return box["x"] + across, box["y"] + down

    async def _click(self, action: Action) -> str:
        x, y, name = await self._aim(action)
        button, count = action.get("button", "left"), action.get("count", 1)
        mouse = self.bridge.page.mouse
        await self._do(mouse.click(x, y, button=button, click_count=count))
        word = "clicked" if count == 1 else f"clicked {count} times on"
        return f"{word} {name} at {x:.0f},{y:.0f}"

    async def _hover(self, action: Action) -> str:
        x, y, name = await self._aim(action)
        await self._drawn(self.bridge.page.mouse.move(x, y))
        return f"pointer on {name} at {x:.0f},{y:.0f}"

    async def _key(self, action: Action) -> str:
        keyboard, key, held = self.bridge.page.keyboard, action["key"], action.get("ms", 0)
        if not held:
            await self._do(keyboard.press(key))
            return f"pressed {key}"
        *around, last = parts(key)
        for part in (*around, last):
            await self._do(keyboard.down(part))
        try:
            await self._pass(held)
        finally:
            for part in (last, *reversed(around)):
                await self._do(keyboard.up(part))
        return f"pressed {key} for {held} ms"

    async def _type(self, action: Action) -> str:
        text: str = action["text"] if "text" in action else action["value"]
        into = "the focused element"
        if "css" in action or "ref" in action:
            x, y, into = await self._aim(action)
            if await self._type_in_parts(action, text):
                return await self._typed(text, into)
            await self._do(self.bridge.page.mouse.click(x, y))
            await self._ask("readyToType")
        keyboard = self.bridge.page.keyboard
        typing = keyboard.insert_text if len(text) > _TYPED_AT_ONCE else keyboard.type
        await self._do(typing(text))
        return await self._typed(text, into)

    async def _type_in_parts(self, action: Action, text: str) -> bool:
        """Dates, times and sliders: typed part by part, moved step by step."""
        target = {name: action[name] for name in ("css", "ref") if name in action}
        plan = await self._ask("fieldKeys", target, text)
        if plan is None:
            return False
        if "problem" in plan:
            raise NotDone(plan["problem"])
        for key in plan["keys"]:
            await self._do(self.bridge.page.keyboard.press(key))
        return True

    async def _typed(self, text: str, into: str) -> str:
        value = await self._ask("focusedValue")
        holds = "" if value is None else f", it now holds {json.dumps(value, ensure_ascii=False)}"
        return f"typed {json.dumps(clip(text, 40), ensure_ascii=False)} into {into}{holds}"

    async def _file(self, path: str) -> tuple[str, str, bytes]:
        try:
            return await self.assets.upload(path)
        except ToolError as error:
            raise NotDone(error.message) from None

    async def _upload(self, action: Action) -> str:
        files = [await self._file(path) for path in action["files"]]
        target = {name: action[name] for name in ("css", "ref", "text") if name in action}
        mark = f"data-{secrets.token_hex(6)}"
        field = await self._ask("markFileField", target, mark)
        if "problem" in field:
            raise NotDone(field["problem"])
        try:
            if len(files) > 1 and not field["multiple"]:
                raise NotDone(f"{field['name']} takes one file, not {len(files)}")
            limit = self.deadline.left(self.most_busy_s)
            chosen = self.bridge.page.locator(f"[{mark}]").set_input_files(
                [FilePayload(name=name, mimeType=mime, buffer=data) for name, mime, data in files],
                timeout=limit * 1000,
            )
            await self.bridge.race(chosen, limit)
        finally:
            await self._ask("unmark", mark)
        names = ", ".join(f"{name} ({size(len(data))})" for name, _, data in files)
        return f"chose {clip(names, 120)} in {field['name']}"

    async def _scroll(self, action: Action) -> str:
        x, y, name = await self._scroll_point(action)
        mouse = self.bridge.page.mouse
        await self._drawn(mouse.move(x, y))
        await self._drawn(mouse.wheel(action.get("dx", 0), action.get("dy", 0)))
        return f"scrolled by {action.get('dx', 0):g},{action.get('dy', 0):g} over {name}"

    async def _scroll_point(self, action: Action) -> tuple[float, float, str]:
        if any(name in action for name in ("x", "css", "ref")):
            return await self._aim(action)
        size = await self._ask("view")
        return size["width"] / 2, size["height"] / 2, "the page"

    async def _drag(self, action: Action) -> str:
        x, y, name = await self._aim(action)
        seconds = self.deadline.left(self.most_busy_s)
        async with Dragging(self.bridge, self.stage.clock, seconds) as dragging:
            await dragging.press(x, y)
            to_x, to_y, to_name = await self._drop_point(action)
            await dragging.go(to_x, to_y)
        return f"dragged {name} from {x:.0f},{y:.0f} to {to_name} at {to_x:.0f},{to_y:.0f}"

    async def _drop_point(self, action: Action) -> tuple[float, float, str]:
        if "toCss" not in action:
            x, y = action["toX"], action["toY"]
            return x, y, await self._ask("hitName", x, y) or "nothing"
        target = {"css": action["toCss"]}
        box = await self._ask("box", target)
        if "problem" in box:
            raise NotDone(box["problem"])
        return *await self._inside(target, action.get("toX"), action.get("toY")), box["name"]

    async def _select(self, action: Action) -> str:
        target = {name: action[name] for name in ("css", "ref") if name in action}
        plan = await self._ask("option", target, action["value"])
        if plan.get("problem"):
            raise NotDone(plan["problem"])
        keyboard = self.bridge.page.keyboard
        for key in plan["keys"]:
            await self._do(keyboard.press(key))
        return f'selected "{clip(plan["label"], 40)}" in {plan["name"]}'

    async def _reload(self, action: Action) -> str:
        await self.loader.reload(self.deadline)
        return "reloaded"

    async def _step(self, action: Action) -> str:
        if "ms" in action:
            await self._pass(action["ms"])
            return f"{action['ms']} ms passed{self._at()}"
        frames = action.get("frames", 1)
        for done in range(frames):
            if not self.deadline.left():
                raise NotDone(f"the call's time was up after {done} of {frames} frames")
            await self.stage.clock.frame(self.deadline)
        return f"{plural(frames, 'frame')} passed{self._at()}"

    async def _pass(self, ms: float) -> None:
        start = self.stage.clock.now_ms
        try:
            await self.stage.clock.wait(ms, self.deadline)
        except Late:
            passed = self.stage.clock.now_ms - start
            raise NotDone(
                f"the call's time was up after {passed:.0f} of {ms:.0f} ms of the page's time"
            ) from None

    def _at(self) -> str:
        """Where the virtual clock stands."""
        clock = self.stage.clock
        return f" (at {clock.now_ms:.0f} ms)" if clock.virtual else ""

    async def _wait(self, action: Action) -> str:
        if "css" not in action and "code" not in action:
            await self._pass(action["ms"])
            return f"waited {action['ms']} ms{self._at()}"
        limit = action.get("ms", _WAIT_MS)
        waited = await self._until(action, limit)
        what = action.get("css") or "the condition"
        if waited is None:
            raise NotDone(f"{what} did not come true within {limit} ms")
        return f"waited {waited} ms until {clip(what, 60)}"

    async def _until(self, action: Action, limit_ms: int) -> int | None:
        clock = self.stage.clock
        start = clock.now_ms
        while True:
            left_ms = limit_ms - clock.now_ms + start
            if await self._holds(action, max(left_ms / 1000, 0.05)):
                return round(clock.now_ms - start)
            if left_ms < 0 or not self.deadline.left():
                return None
            await clock.frame(self.deadline)

    async def _holds(self, action: Action, seconds: float) -> bool:
        if "css" in action:
            return bool(await self._ask("has", action["css"]))
        code = f"(async () => {{\n{action['code']}\n}})().then(Boolean)"
        try:
            answer = await self.stage.clock.finished(code, seconds, self.deadline)
        except Late:
            return False
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {}).get("description", "")
            raise NotDone(f"the condition threw {clip(thrown.partition(chr(10))[0], 120)}")
        return bool(answer["result"].get("value"))
