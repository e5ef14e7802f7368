"""Pictures of a page's composited surface, bounded in pixels."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from artifact_kit.preview.pictures import opened

if TYPE_CHECKING:
    from PIL import Image as Picture

    from artifact_kit.preview.bridge import Bridge
    from artifact_kit.preview.clock import Clock

MOST_SIDE = 8000
"""Longest side that a model's API takes, in pixels; a larger picture breaks the conversation."""


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
    clip = {
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "scale": scale / view.scale,
    }
    wanted: dict[str, Any] = {
        "format": "png",
        "clip": clip,
        # A page is laid out anew for what lies beyond the view, which costs time.
        "captureBeyondViewport": not view.holds(box),
        "optimizeForSpeed": True,
    }
    taking = bridge.send("Page.captureScreenshot", wanted, seconds)
    taken = await clock.drawn(taking, seconds)
    return await asyncio.to_thread(opened, base64.b64decode(taken["data"])), scale
