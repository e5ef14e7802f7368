"""Sums over whole pictures, and over two that are stacked, before above after, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PIL import Image, ImageMath

if TYPE_CHECKING:
    from collections.abc import Callable

    Operands = dict[str, Any]


def stacked(before: Image.Image, after: Image.Image) -> Image.Image:
    """Two pictures of one size and mode."""
    stack = Image.new(before.mode, (before.width, 2 * before.height))
    stack.paste(before, (0, 0))
    stack.paste(after, (0, before.height))
    return stack


def halves(stack: Image.Image) -> tuple[Image.Image, Image.Image]:
    """The two pictures of a stack."""
    half = stack.height // 2
    return stack.crop((0, 0, stack.width, half)), stack.crop((0, half, stack.width, 2 * half))


def moved(image: Image.Image, x: int, y: int) -> Image.Image:
    """What lies so far right of and below each pixel; 0 where that is beyond the border."""
    return image.crop((x, y, x + image.width, y + image.height))


def evaluate(expression: Callable[[Operands], object], /, **images: Image.Image) -> Image.Image:
    """What the expression makes of each pixel of the images, which it is given by their names."""
    return cast("Image.Image", ImageMath.lambda_eval(expression, **images))


def largest(image: Image.Image) -> float:
    """The largest value of any pixel, of a picture with one band."""
    _, most = image.getextrema()
    return cast("float", most)


def ones(mask: Image.Image) -> int:
    """How many pixels of a mask of 0 and 1 are 1."""
    return mask.histogram()[1]
