"""Whether two pictures look the same; where they don't, and by how much.

No pixel is left out and nothing is sampled. The colours are those in the files: colour profiles
are not applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PIL import Image

from artifact_kit.text import plural
from artifact_kit.visual.arithmetic import ones
from artifact_kit.visual.judgement import judge
from artifact_kit.visual.oklab import METRIC
from artifact_kit.visual.report import Box, Difference, Size
from artifact_kit.visual.scanlines import LARGEST_PIXELS, BadPicture, header, read
from artifact_kit.visual.strips import decoded, differing, sliced
from artifact_kit.visual.tolerance import Tolerance
from artifact_kit.visual.windows import WINDOW, densest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from artifact_kit.visual.judgement import Marks
    from artifact_kit.visual.scanlines import Header, Png
    from artifact_kit.visual.strips import Strip

STRICT = Tolerance()


@dataclass(frozen=True)
class Comparison:
    """What came out, in the facts of a report."""

    outcome: Literal["match", "different", "resized"]
    difference: Difference
    message: str = ""
    """Which allowance the difference went beyond, when there was one."""


@dataclass(frozen=True)
class Pair:
    """Two PNG files, and the extent in which they are compared."""

    before: Png
    after: Png
    width: int
    height: int
    resized: bool
    """Their sizes differ by more than was granted: the extent holds both."""


def compare(
    before: bytes, after: bytes, tolerance: Tolerance = STRICT, masks: Sequence[Box] = ()
) -> Comparison:
    """Two PNG files; equal bytes are not even decoded.

    Masks are painted over both pictures. Of two sizes, what only one picture has is different,
    and the box and the share are those of a picture that holds both.

    Raises:
        BadPicture: One is no PNG, damaged, cut off or too large; `side` says which.
    """
    if before == after:
        size = _size(header(before, "before"))
        nothing = Difference(pixels=0, share=0, before=size, after=size, metric=METRIC)
        return Comparison("match", nothing)
    pair = paired(before, after, tolerance)
    difference = _difference(pair, marks(pair, tolerance, masks))
    if pair.resized:
        return Comparison("resized", difference)
    allowed = tolerance.allows(pair.width * pair.height)
    if difference.pixels > allowed:
        message = f"{plural(allowed, 'pixel')} may differ" if allowed else ""
        return Comparison("different", difference, message)
    if difference.density > tolerance.max_density:
        message = f"{difference.density} differ in a window of 16×16, {tolerance.max_density} may"
        return Comparison("different", difference, message)
    return Comparison("match", difference)


def paired(before: bytes, after: bytes, tolerance: Tolerance) -> Pair:
    """What is compared of two files.

    Raises:
        BadPicture: One is no PNG, cut off or too large, or a part of it is damaged.
    """
    one, other = read(before, "before"), read(after, "after")
    sides = list(zip(one.header.size, other.header.size, strict=True))
    resized = any(abs(a - b) > tolerance.size_slack for a, b in sides)
    width, height = (max(side) if resized else min(side) for side in sides)
    if width * height > LARGEST_PIXELS:
        raise BadPicture("after", "has too different a size to be compared")
    return Pair(one, other, width, height, resized)


def marks(pair: Pair, tolerance: Tolerance, masks: Sequence[Box]) -> Iterator[Marks]:
    """What differs, part by part from the top.

    Raises:
        BadPicture: One can't be decoded.
    """
    sizes = zip(pair.before.header.size, pair.after.header.size, strict=True)
    width, height = map(min, sizes) if tolerance.ignore_antialiasing else (0, 0)
    for strip in _strips(pair):
        _paint(strip, masks)
        if found := judge(strip, tolerance.color_distance, (width, height)):
            yield found


def _strips(pair: Pair) -> Iterator[Strip]:
    if pair.before.header.size == pair.after.header.size:
        return differing(pair.before, pair.after)
    # What a picture lacks is transparent here, and unlike any colour.
    box = (0, 0, pair.width, pair.height)
    return sliced(decoded(pair.before).crop(box), decoded(pair.after).crop(box))


def _paint(strip: Strip, masks: Sequence[Box]) -> None:
    first = strip.top - strip.above
    for mask in masks:
        box = (mask.x, mask.y - first, mask.x + mask.width, mask.y - first + mask.height)
        strip.before.paste("black", box)
        strip.after.paste("black", box)


def _difference(pair: Pair, found: Iterable[Marks]) -> Difference:
    pixels = antialiased = density = 0
    largest, boxes, last = 0.0, list[tuple[int, ...]](), None
    for part in found:
        pixels += ones(part.counted)
        antialiased += ones(part.antialiased)
        density = max(density, densest(_with_rows_above(part, last)))
        largest, last = max(largest, part.largest), part
        if (box := part.counted.getbbox()) is not None:
            boxes.append(
                (box[0] + part.left, box[1] + part.top, box[2] + part.left, box[3] + part.top)
            )
    return Difference(
        pixels=pixels,
        share=pixels / (pair.width * pair.height),
        antialiased=antialiased,
        largest_delta=round(largest, 4),
        box=_around(boxes),
        density=density,
        before=_size(pair.before.header),
        after=_size(pair.after.header),
        metric=METRIC,
    )


def _with_rows_above(part: Marks, last: Marks | None) -> Image.Image:
    """What a part counted, and the last one in windows that reach into both."""
    top = part.top - WINDOW + 1
    if last is None or last.top + last.counted.height <= top:
        return part.counted
    left = min(last.left, part.left)
    right = max(last.left + last.counted.width, part.left + part.counted.width)
    mask = Image.new("L", (right - left, part.top + part.counted.height - top))
    for each in (last, part):
        mask.paste(each.counted, (each.left - left, each.top - top))
    return mask


def _around(boxes: Sequence[tuple[int, ...]]) -> Box | None:
    """The smallest box that holds them all, each as left, top, right, bottom."""
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    x, y = min(lefts), min(tops)
    return Box(x=x, y=y, width=max(rights) - x, height=max(bottoms) - y)


def _size(of: Header) -> Size:
    return Size(width=of.width, height=of.height)
