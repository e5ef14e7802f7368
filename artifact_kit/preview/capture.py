"""Pictures of a page: of its composited surface, bounded in pixels."""

from __future__ import annotations

import asyncio
import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image as Picture

from artifact_kit.contract import Image

if TYPE_CHECKING:
    from artifact_kit.preview.bridge import Bridge

_MOST_SIDE = 8000
"""Longest side that a model's API takes, in pixels; a larger picture breaks the conversation."""
_UNIFORM = 0.9995
"""From this share of one colour on a picture is called blank (5 % of generated pages are)."""


@dataclass(frozen=True)
class Box:
    """A part of the page, in CSS pixels of the document."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Shot:
    """A picture and what can be said of it."""

    image: Image
    box: Box
    scale: float
    colour: str
    """The one colour that fills it, or empty."""


async def capture(bridge: Bridge, box: Box, *, most_side: int, seconds: float) -> Shot:
    """A PNG of a part of the page, scaled down so that no side is longer than `most_side`.

    Raises as `Bridge.race` does.
    """
    scale = min(1.0, min(most_side, _MOST_SIDE) / max(box.width, box.height, 1))
    clip = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "scale": scale}
    wanted: dict[str, Any] = {
        "format": "png",
        "clip": clip,
        "captureBeyondViewport": True,
        "optimizeForSpeed": True,
    }
    taken = await bridge.send("Page.captureScreenshot", wanted, seconds)
    data = base64.b64decode(taken["data"])
    return await asyncio.to_thread(_shot, data, box, scale)


def _shot(data: bytes, box: Box, scale: float) -> Shot:
    with Picture.open(io.BytesIO(data)) as opened:
        picture = opened.convert("RGB")
    packed = io.BytesIO()
    picture.save(packed, "PNG", compress_level=6)
    image = Image(packed.getvalue(), "image/png", *picture.size)
    return Shot(image, box, scale, _only_colour(picture))


def _only_colour(picture: Picture.Image) -> str:
    """The colour of nearly every pixel as `#rrggbb`; empty when there is more than one."""
    colours = picture.getcolors(maxcolors=256)
    if not colours:
        return ""
    count, colour = max(colours, key=lambda each: each[0])
    if not isinstance(colour, tuple) or count < _UNIFORM * picture.width * picture.height:
        return ""
    red, green, blue = colour[:3]
    return f"#{red:02x}{green:02x}{blue:02x}"
