"""Shots of one page: what they frame, how many, and what changed since the last one."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifact_kit.errors import Refusal
from artifact_kit.preview.acting import NotDone
from artifact_kit.preview.capture import Box, View, capture
from artifact_kit.preview.pictures import change, marked, only_colour, packed, strip
from artifact_kit.preview.wording import changed, moving, pictured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image as Picture

    from artifact_kit.contract import Image
    from artifact_kit.limits import Limits
    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.clock import Clock
    from artifact_kit.preview.deadline import Deadline

_FILLS = 0.6
"""From this share of the view on the largest canvas is what a shot is about."""
_EVERY_MS = 100
_MOST_EVERY_MS = 2000


def check_shot(options: Mapping[str, Any], *, most_frames: int) -> None:
    """Refuse a shot that could not be taken as asked, before anything happens.

    Raises:
        Refusal: `bad_frames`.
    """
    frames, every = options.get("frames", 1), options.get("every", _EVERY_MS)
    if not 1 <= frames <= most_frames:
        raise Refusal(f"frames must be 1 to {most_frames} (got {frames}).", code="bad_frames")
    if not 0 <= every <= _MOST_EVERY_MS:
        raise Refusal(f"every must be 0 to {_MOST_EVERY_MS} ms (got {every}).", code="bad_frames")


@dataclass
class Taken:
    """What a shot call gives: words, the picture as it was seen, and the image for the model."""

    lines: list[str]
    picture: Picture.Image
    image: Image | None
    data: dict[str, Any] = field(default_factory=dict)


class Camera:
    """Remembers the last picture of each part, to say what changed since."""

    def __init__(self, bridge: Bridge, clock: Clock, limits: Limits) -> None:
        self._bridge = bridge
        self._clock = clock
        self._limits = limits
        self._last: dict[str, Picture.Image] = {}
        self._still: dict[tuple[Box, View], tuple[Picture.Image, float]] = {}
        """What cannot have changed since it was taken, as the page's time stands still."""

    async def shoot(self, options: Mapping[str, Any], deadline: Deadline) -> Taken:
        """Take the picture or pictures that the options ask for.

        Raises:
            NotDone: There is nothing to take a picture of.
        """
        box, name, view = await self._frame(options.get("target", ""), deadline)
        if options.get("frames", 1) > 1:
            taken = await self._film(box, name, view, options, deadline)
        else:
            taken = await self._single(box, name, view, options, deadline)
        if options.get("image") == "omit":
            taken.image = None
        return taken

    async def _single(
        self, box: Box, name: str, view: View, options: Mapping[str, Any], deadline: Deadline
    ) -> Taken:
        picture, scale = await self._take(box, view, deadline)
        colour = only_colour(picture)
        lines = [pictured(name, picture.size, box, scale, colour)]
        shown = picture
        if "since" in options:
            line, shown = self._compare(name, picture)
            lines.append(line)
        self._last[name] = picture
        image = await asyncio.to_thread(packed, shown)
        return Taken(lines, picture, image, {"blank": bool(colour)})

    def _compare(self, name: str, picture: Picture.Image) -> tuple[str, Picture.Image]:
        before = self._last.get(name)
        if before is None or before.size != picture.size:
            why = "there is no earlier shot of it" if before is None else "its size changed"
            return f"since the last shot: {why}", picture
        difference = change(before, picture)
        shown = picture if difference is None else marked(picture, difference.box)
        return changed(difference), shown

    async def _film(
        self, box: Box, name: str, view: View, options: Mapping[str, Any], deadline: Deadline
    ) -> Taken:
        every, clock = options.get("every", _EVERY_MS), self._clock
        start = clock.now_ms
        pictures, labels = [], []
        for index in range(options["frames"]):
            await clock.wait(max(start + index * every - clock.now_ms, 0), deadline)
            self.page_moved()
            labels.append(f"{index + 1}: {clock.now_ms - start:.0f} ms")
            pictures.append((await self._take(box, view, deadline))[0])
        self._last[name] = pictures[-1]
        shares = [change(*pair) for pair in itertools.pairwise(pictures)]
        sheet = await asyncio.to_thread(strip, pictures, labels, self._limits.image_side)
        image = await asyncio.to_thread(packed, sheet)
        lines = [
            f"{len(pictures)} shots of {name}, {labels[-1].partition(': ')[2]} from first to last, "
            f"in one image of {image.width}×{image.height}",
            moving(shares),
        ]
        blank = all(only_colour(picture) for picture in pictures)
        return Taken(lines, sheet, image, {"blank": blank})

    def page_moved(self) -> None:
        """Something was asked of the page that may change what it shows."""
        self._still.clear()

    async def _take(self, box: Box, view: View, deadline: Deadline) -> tuple[Picture.Image, float]:
        taken = self._still.get((box, view))
        if taken is None:
            taken = await self._capture(box, view, deadline)
        if self._clock.virtual:
            self._still[box, view] = taken
        return taken

    async def _capture(
        self, box: Box, view: View, deadline: Deadline
    ) -> tuple[Picture.Image, float]:
        seconds = deadline.left(self._limits.shot_s)
        side = self._limits.image_side
        return await capture(self._bridge, self._clock, box, view, most_side=side, seconds=seconds)

    async def _frame(self, target: str, deadline: Deadline) -> tuple[Box, str, View]:
        view = await self._view(deadline)
        if target == "page":
            return Box(0, 0, view.fullWidth, view.fullHeight), "the full page", view
        if target in ("", "canvas"):
            canvas = await self._ask("mainCanvas", deadline=deadline)
            if canvas and (target or _fills(canvas, view)):
                return _in_document(canvas, view), canvas["name"], view
            if target:
                raise NotDone("there is no visible <canvas> on the page")
        if target in ("", "view", "viewport"):
            return Box(view.x, view.y, view.width, view.height), "the view", view
        return await self._frame_element(target, deadline)

    async def _frame_element(self, target: str, deadline: Deadline) -> tuple[Box, str, View]:
        found = await self._ask("box", _target(target), deadline=deadline)
        if "problem" in found:
            near = f" (nearest: {', '.join(found['near'])})" if found.get("near") else ""
            raise NotDone(f"{found['problem']}{near}")
        if found["width"] < 1 or found["height"] < 1:
            raise NotDone(f"{found['name']} has no size")
        view = await self._view(deadline)
        return _in_document(found, view), found["name"], view

    async def _view(self, deadline: Deadline) -> View:
        return View(**await self._ask("frame", deadline=deadline))

    async def _ask(self, function: str, *arguments: Any, deadline: Deadline) -> Any:
        seconds = deadline.left(self._limits.busy_s)
        return await self._bridge.ask(function, *arguments, seconds=seconds)


def _fills(canvas: dict[str, Any], view: View) -> bool:
    area: float = canvas["width"] * canvas["height"]
    return area >= _FILLS * view.width * view.height


def _target(target: str) -> dict[str, str]:
    return {"ref": target} if target[:1] == "e" and target[1:].isdigit() else {"css": target}


def _in_document(box: dict[str, Any], view: View) -> Box:
    """A box of the view as the enclosing whole pixels of the document."""
    left, top = int(box["x"] + view.x), int(box["y"] + view.y)
    right = -int(-(box["x"] + view.x + box["width"]) // 1)
    bottom = -int(-(box["y"] + view.y + box["height"]) // 1)
    return Box(left, top, right - left, bottom - top)
