"""How far apart two colours look: OKLab with Ottosson's toe, and the HyAB distance.

0 is the same colour, 1 is black beside white; some 0.02 is what an eye tells apart.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PIL import Image

from artifact_kit.visual.arithmetic import evaluate, halves

if TYPE_CHECKING:
    from artifact_kit.visual.arithmetic import Operands

METRIC = "OKLab HyAB"
"""Named in reports: thresholds of different metrics can't be compared."""

# https://bottosson.github.io/posts/oklab/ and https://bottosson.github.io/posts/colorpicker/
_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LIGHTNESS = (0.2104542553, 0.7936177850, -0.0040720468)
_GREEN_RED = (1.9779984951, -2.4285922050, 0.4505937099)
_BLUE_YELLOW = (0.0259040371, 0.7827717662, -0.8086757660)
_TOE_1, _TOE_2 = 0.206, 0.03
_TOE_3 = (1 + _TOE_1) / (1 + _TOE_2)

Channels = tuple[Image.Image, Image.Image, Image.Image]


def distances(stack: Image.Image) -> Image.Image:
    """The distance between the two pictures of a stack, RGB or RGBA, as an image of mode F.

    Where there is transparency it is the larger of what is seen over black and over white: over
    no other ground are two colours further apart.
    """
    if stack.mode == "RGB":
        return _opaque_distances(stack)
    over_black, over_white = (_opaque_distances(over(stack, way)) for way in ("black", "white"))
    return evaluate(lambda of: of["max"](of["x"], of["y"]), x=over_black, y=over_white)


def over(image: Image.Image, ground: str) -> Image.Image:
    """The picture as RGB, as it looks over one colour."""
    if image.mode == "RGB":
        return image
    opaque = Image.new("RGB", image.size, ground)
    opaque.paste(image, mask=image)
    return opaque


def _opaque_distances(stack: Image.Image) -> Image.Image:
    cones = _cones(stack)
    lightness = halves(_lightness(cones))
    green_red = halves(_weighed(cones, _GREEN_RED))
    blue_yellow = halves(_weighed(cones, _BLUE_YELLOW))

    def apart(of: Operands) -> object:
        a, b = of["a1"] - of["a2"], of["b1"] - of["b2"]
        return abs(of["l1"] - of["l2"]) + (a * a + b * b) ** 0.5

    return evaluate(
        apart,
        l1=lightness[0],
        l2=lightness[1],
        a1=green_red[0],
        a2=green_red[1],
        b1=blue_yellow[0],
        b2=blue_yellow[1],
    )


def _cones(image: Image.Image) -> list[Image.Image]:
    """How strongly each kind of cone answers, on a scale that the eye finds even."""
    return [
        evaluate(
            lambda of: (of["r"] + of["g"] + of["b"]) ** (1 / 3),
            **{
                name: channel.point(table, "F")
                for name, channel, table in zip("rgb", image.split(), tables, strict=True)
            },
        )
        for tables in _tables()
    ]


@cache
def _tables() -> list[list[list[float]]]:
    """For each kind of cone and each channel, what each of the 256 levels adds."""
    levels = [level / 255 for level in range(256)]
    light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in levels]
    return [[[part * v for v in light] for part in cone] for cone in _CONES]


def _lightness(cones: list[Image.Image]) -> Image.Image:
    def bent(of: Operands) -> object:
        x = of["l"] * _TOE_3 - _TOE_1
        return (x + (x * x + of["l"] * (4 * _TOE_2 * _TOE_3)) ** 0.5) * 0.5

    return evaluate(bent, l=_weighed(cones, _LIGHTNESS))


def _weighed(channels: list[Image.Image], weights: tuple[float, float, float]) -> Image.Image:
    one, two, three = weights
    return evaluate(
        lambda of: of["l"] * one + of["m"] * two + of["s"] * three,
        l=channels[0],
        m=channels[1],
        s=channels[2],
    )
