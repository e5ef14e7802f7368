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
from artifact_kit.visual.windows import WINDOW, Densest, densest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from artifact_kit.visual.judgement import Marks, Region
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

    @property
    def common(self) -> tuple[int, int]:
        """Width and height of what both have."""
        one, other = self.before.header, self.after.header
        return min(one.width, other.width), min(one.height, other.height)


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
    edges = pair.common if tolerance.ignore_antialiasing else (0, 0)
    for strip in _strips(pair):
        _paint(strip, masks)
        if found := judge(strip, tolerance.color_distance, edges):
            yield found


def _strips(pair: Pair) -> Iterator[Strip]:
    if pair.before.header.size == pair.after.header.size:
        return differing(pair.before, pair.after)
    # What a picture lacks is transparent here, and unlike any colour.
    box = (0, 0, pair.width, pair.height)
    before, after = (decoded(png).convert("RGBA") for png in (pair.before, pair.after))
    return sliced(before.crop(box), after.crop(box))


def _paint(strip: Strip, masks: Sequence[Box]) -> None:
    first = strip.top - strip.above
    for mask in masks:
        box = (mask.x, mask.y - first, mask.x + mask.width, mask.y - first + mask.height)
        strip.before.paste("black", box)
        strip.after.paste("black", box)


def _difference(pair: Pair, found: Iterable[Marks]) -> Difference:
    pixels = antialiased = 0
    largest, most, last = 0.0, Densest(0, 0, 0), None
    boxes: list[Region] = []
    for part in found:
        pixels += ones(part.counted)
        antialiased += ones(part.antialiased)
        largest = max(largest, part.largest)
        if (box := part.counted.getbbox()) is not None:
            left, top, right, bottom = box
            boxes.append((left + part.left, top + part.top, right + part.left, bottom + part.top))
            most = max(most, _densest(part, last), key=lambda window: window.pixels)
            last = part
    return Difference(
        pixels=pixels,
        share=pixels / (pair.width * pair.height),
        antialiased=antialiased,
        largest_delta=round(largest, 4),
        box=_around(boxes),
        density=most.pixels,
        densest=_within(pair, most),
        before=_size(pair.before.header),
        after=_size(pair.after.header),
        metric=METRIC,
    )


def _densest(part: Marks, last: Marks | None) -> Densest:
    """Of the windows that reach into a part, if need be into the one above it as well."""
    left, top, mask = part.left, part.top, part.counted
    if last is not None and last.top + last.counted.height > top - WINDOW + 1:
        left, top = min(last.left, left), top - WINDOW + 1
        right = max(last.left + last.counted.width, part.left + mask.width)
        mask = Image.new("L", (right - left, WINDOW - 1 + mask.height))
        for each in (last, part):
            mask.paste(each.counted, (each.left - left, each.top - top))
    found = densest(mask)
    return Densest(found.pixels, found.x + left, found.y + top)


def _within(pair: Pair, window: Densest) -> Box | None:
    """A window that reaches beyond the picture is moved back into it, where it holds as much."""
    if not window.pixels:
        return None
    width, height = min(WINDOW, pair.width), min(WINDOW, pair.height)
    x, y = min(window.x, pair.width - width), min(window.y, pair.height - height)
    return Box(x=max(0, x), y=max(0, y), width=width, height=height)


def _around(boxes: Sequence[Region]) -> Box | None:
    """The smallest box that holds them all."""
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    x, y = min(lefts), min(tops)
    return Box(x=x, y=y, width=max(rights) - x, height=max(bottoms) - y)


def _size(of: Header) -> Size:
    return Size(width=of.width, height=of.height)
