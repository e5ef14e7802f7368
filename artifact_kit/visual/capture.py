"""A picture of a page that stands still: two shots in a row are the same."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from artifact_kit.preview.acting import NotDone
from artifact_kit.preview.bridge import DriverFailed, Gone, Late, Moved, Stuck
from artifact_kit.preview.capture import Box, View, photograph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifact_kit.preview.deadline import Deadline
    from artifact_kit.preview.stage import Stage
    from artifact_kit.visual.scenario import Mask

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_PAUSES_S = (0.0, 0.1, 0.25, 0.5, 1.0)
"""Before each further shot of a page that did not stand still."""
_ASK_S = 5.0
_SHOT_S = 15.0
_MOST_SCREENS = 40
"""How far down a page is looked through for what comes into view only there."""
_ARRIVE_MS = 4000.0
"""How long a page's finite animations are given to end, one after the other."""
_FRAME_MS = 17.0
_PAINT = (255, 0, 255)
_PAINTED = """
const boxes = [];
for (const element of document.querySelectorAll(%s)) {
  if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
  const box = element.getBoundingClientRect();
  const [left, top] = [box.left + scrollX, box.top + scrollY];
  if (box.width && box.height) boxes.push([left, top, left + box.width, top + box.height]);
}
return boxes;
"""


@dataclass(frozen=True)
class Taken:
    """The last shot of a page, as a PNG."""

    picture: bytes
    earlier: bytes | None = None
    """The shot before it, when the two are not the same: the page did not stand still."""


@dataclass
class Lens:
    """Takes pictures of one page."""

    stage: Stage
    deadline: Deadline
    touched: bool = False
    """Whether the pointer is on the page."""

    async def still(
        self,
        target: str,
        masks: Sequence[Mask],
        *,
        known: Callable[[bytes], bool],
        same: Callable[[bytes, bytes], bool],
    ) -> Taken:
        """A picture of which two in a row are the `same`, or that is already `known`.

        Raises:
            NotDone: There is nothing to take a picture of.
        """
        box, view = await self._frame(target, await self._rest(target))
        painted = await self._masked(masks, box)
        now = await self._take(box, view, painted)
        earlier = now
        for pause in _PAUSES_S:
            if known(now):
                return Taken(now)
            await self.stage.bridge.race(asyncio.sleep(pause), self.deadline.left())
            earlier, now = now, await self._take(box, view, painted, again=True)
            if earlier == now or await asyncio.to_thread(same, earlier, now):
                return Taken(now)
            if self.deadline.left() < _SHOT_S / 3:
                break
        return Taken(now, earlier)

    async def glance(self) -> bytes | None:
        """What the view shows now; nothing when the page gives no picture."""
        with contextlib.suppress(Stuck, Moved, Gone, DriverFailed):
            return await self._take(*await self._frame("view", await self._view()), ())
        return None

    async def _rest(self, target: str) -> View:
        """Leave nothing on the page that moves or shows for its visitor's sake alone."""
        if self.touched:
            move = self.stage.bridge.page.mouse.move(-1, -1)
            await self.stage.clock.drawn(move, self._seconds())
        if not self.stage.clock.virtual:  # where time stands still, a caret does not blink
            await self._run("document.activeElement?.blur()")
        view = await self._view()
        if target == "page" and view.fullHeight > view.height:
            await self._look_through(view)
            view = await self._view()
        return await self._let_arrive(view)

    async def _let_arrive(self, view: View) -> View:
        """Let what is on its way get where it goes: fades, slides, reveals; not what goes round."""
        left_ms = _ARRIVE_MS
        while left_ms > 0 and view.endsMs:
            ms = min(view.endsMs, left_ms)
            with contextlib.suppress(Late):
                await self.stage.clock.wait(ms + _FRAME_MS, self.deadline)
            left_ms -= ms + _FRAME_MS
            view = await self._view()
        return view

    async def _look_through(self, view: View) -> None:
        """Bring every part of a long page into view once."""
        for screen in range(1, min(int(view.fullHeight // view.height), _MOST_SCREENS) + 1):
            await self._scroll(view.x, screen * view.height)
        await self._scroll(view.x, view.y)

    async def _scroll(self, x: float, y: float) -> None:
        await self._run(f"scrollTo({{left: {x}, top: {y}, behavior: 'instant'}})")
        await self.stage.clock.frame(self.deadline)

    async def _frame(self, target: str, view: View) -> tuple[Box, View]:
        if target == "page":
            return Box(0, 0, view.fullWidth, view.fullHeight), view
        if target in ("view", "viewport"):
            return Box(view.x, view.y, view.width, view.height), view
        if target == "canvas":
            found = await self._ask("mainCanvas")
            if found is None:
                raise NotDone("there is no visible <canvas> on the page")
        else:
            found = await self._ask("box", _aimed(target))
            view = await self._view()
        if "problem" in found:
            near = f" (nearest: {', '.join(found['near'])})" if found.get("near") else ""
            raise NotDone(f"{found['problem']}{near}")
        if found["width"] < 1 or found["height"] < 1:
            raise NotDone(f"{found['name']} has no size")
        return _in_document(found, view), view

    async def _take(
        self, box: Box, view: View, painted: Sequence[Rectangle], *, again: bool = False
    ) -> bytes:
        picture = await photograph(
            self.stage.bridge,
            self.stage.clock,
            box,
            view,
            scale=1 / view.scale,
            seconds=self.deadline.left(_SHOT_S),
            again=again,
        )
        return await asyncio.to_thread(_painted, picture, painted) if painted else picture

    async def _masked(self, masks: Sequence[Mask], box: Box) -> list[Rectangle]:
        """What to paint over, in pixels of the picture."""
        found: list[Rectangle] = []
        for mask in masks:
            if mask.css:
                answer = await self._run(_PAINTED % json.dumps(mask.css))
                if answer is None:
                    raise NotDone(f"the mask {mask.css} is no CSS selector")
                found += [tuple(each) for each in answer]
            else:
                found.append((mask.x, mask.y, mask.x + mask.width, mask.y + mask.height))
        return [
            (left - box.x, top - box.y, right - box.x, bottom - box.y)
            for left, top, right, bottom in found
        ]

    async def _view(self) -> View:
        return View(**await self._ask("frame"))

    async def _ask(self, function: str, *arguments: Any) -> Any:
        return await self.stage.bridge.ask(function, *arguments, seconds=self._seconds())

    async def _run(self, code: str) -> Any:
        answer = await self.stage.bridge.in_page(f"(() => {{{code}}})()", self._seconds())
        return None if "exceptionDetails" in answer else answer["result"].get("value")

    def _seconds(self) -> float:
        return self.deadline.left(_ASK_S)


def _painted(picture: bytes, boxes: Sequence[Rectangle]) -> bytes:
    """The picture with each box painted over, out to whole pixels."""
    with Image.open(io.BytesIO(picture)) as opened:
        painted = opened.convert("RGB")
    pen = ImageDraw.Draw(painted)
    for left, top, right, bottom in boxes:
        corner = (-int(-right // 1) - 1, -int(-bottom // 1) - 1)
        pen.rectangle((int(left // 1), int(top // 1), *corner), _PAINT)
    out = io.BytesIO()
    painted.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _aimed(target: str) -> dict[str, str]:
    return {"ref": target} if target[:1] == "e" and target[1:].isdigit() else {"css": target}


def _in_document(box: dict[str, Any], view: View) -> Box:
    """A box of the view as the enclosing whole pixels of the document."""
    left, top = int((box["x"] + view.x) // 1), int((box["y"] + view.y) // 1)
    right = -int(-(box["x"] + view.x + box["width"]) // 1)
    bottom = -int(-(box["y"] + view.y + box["height"]) // 1)
    return Box(left, top, right - left, bottom - top)
