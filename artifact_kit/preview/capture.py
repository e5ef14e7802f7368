"""Pictures of a page's composited surface, bounded in pixels."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from artifact_kit.preview.pictures import opened

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from PIL import Image as Picture

    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.clock import Clock

MOST_SIDE = 8000
"""Longest side that a model's API takes, in pixels; a larger picture breaks the conversation."""
_UNSEEN_SCALES = (0.999, 1, 0.998, 1)


@dataclass(frozen=True)
class Box:
    """A part of the page, in CSS pixels of the document."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class View:
    """The part of the document that is in view, the whole document's size, and device pixels."""

    x: float
    y: float
    width: float
    height: float
    fullWidth: float
    fullHeight: float
    scale: float
    endsMs: float
    """How long what moves takes to get where it goes; what goes round for ever does not count."""

    def holds(self, box: Box) -> bool:
        """Whether a box lies wholly in view."""
        return (
            box.x >= self.x
            and box.y >= self.y
            and box.x + box.width <= self.x + self.width
            and box.y + box.height <= self.y + self.height
        )


async def capture(
    bridge: Bridge, clock: Clock, box: Box, view: View, *, most_side: int, seconds: float
) -> tuple[Picture.Image, float]:
    """A picture of a part of the page, and the scale that keeps its sides within `most_side`.

    One pixel is one CSS pixel at any device scale. Raises as `Bridge.race` does.
    """
    scale = min(1.0, min(most_side, MOST_SIDE) / max(box.width, box.height, 1))
    taken = await photograph(bridge, clock, box, view, scale=scale / view.scale, seconds=seconds)
    return await asyncio.to_thread(opened, taken), scale


async def photograph(
    bridge: Bridge,
    clock: Clock,
    box: Box,
    view: View,
    *,
    scale: float,
    seconds: float,
    again: bool = False,
) -> bytes:
    """A PNG of a part of the page, `again` as it was drawn last; raises as `Bridge.race` does."""
    # A page is drawn anew for what lies beyond the view, which costs time.
    beyond = not view.holds(box)
    wanted: dict[str, Any] = {
        "format": "png",
        "clip": {**vars(box), "scale": scale},
        "captureBeyondViewport": beyond,
        "optimizeForSpeed": True,
    }
    before = _steadied(bridge) if beyond and not clock.virtual else []

    async def take() -> dict[str, Any]:
        taking = bridge.command("Page.captureScreenshot", wanted)
        return (await asyncio.gather(*before, taking))[-1]

    taken = await clock.drawn(bridge.race(take(), seconds), seconds, again=again)
    return base64.b64decode(taken["data"])


def _steadied(bridge: Bridge) -> list[Coroutine[Any, Any, dict[str, Any]]]:
    """What keeps a page from being laid out in a view of 1×1 pixels, which it would notice.

    For what lies beyond the view Chromium sets that size for a moment, against scrollbars that we
    hide anyway. It does not come to it while another change of the view is under way, and the
    scale at which the view is shown is one that no page sees.
    """
    metrics = bridge.view.metrics()
    changes = [{**metrics, "scale": scale} for scale in _UNSEEN_SCALES]
    return [bridge.command("Emulation.setDeviceMetricsOverride", each) for each in changes]
