"""What two pictures have in common. The numbers are rows of reports about other tools."""

from __future__ import annotations

import io
import random
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageDraw

from artifact_kit.visual.comparison import compare
from artifact_kit.visual.diffpicture import ANTIALIASED, COUNTED, MASKED, diff_picture
from artifact_kit.visual.report import Box, Size
from artifact_kit.visual.scanlines import LARGEST_PIXELS, BadPicture
from artifact_kit.visual.tolerance import MOST_SHARE, Tolerance

if TYPE_CHECKING:
    from collections.abc import Callable

Colour = str | tuple[int, ...]

SCALE = 8
EXACT = Tolerance(color_distance=0, ignore_antialiasing=False)


def png(image: Image.Image, **options: int) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def plain(
    width: int = 64, height: int = 64, colour: str | tuple[int, ...] = "white"
) -> Image.Image:
    return Image.new("RGB", (width, height), colour)


def with_box(image: Image.Image, box: Box, colour: Colour = "black") -> Image.Image:
    changed = image.copy()
    changed.paste(colour, (box.x, box.y, box.x + box.width, box.y + box.height))
    return changed


def at(x: int, y: int, width: int = 1, height: int = 1) -> Box:
    return Box(x=x, y=y, width=width, height=height)


def page(width: int, height: int, seed: int = 1) -> Image.Image:
    """Text-like rows, a gradient and noise, so that a PNG has filters of every kind."""
    chance = random.Random(seed)  # noqa: S311
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for y in range(0, height - 12, 30):
        draw.text((8, y), f"Line {y} {chance.random()}", fill="black")
    noise = Image.frombytes("RGB", (width // 4, 20), chance.randbytes(width // 4 * 20 * 3))
    image.paste(noise, (width // 2, height // 3))
    return image


def smooth(draw: Callable[[ImageDraw.ImageDraw, int], None], right: float = 0) -> bytes:
    """An antialiased drawing of 64 × 64, moved to the right."""
    image = plain(64 * SCALE, 64 * SCALE)
    draw(ImageDraw.Draw(image), round(right * SCALE))
    return png(image.reduce(SCALE))


def ring(draw: ImageDraw.ImageDraw, right: int) -> None:
    box = [16.5 * SCALE + right, 16.5 * SCALE, 48.5 * SCALE + right, 48.5 * SCALE]
    draw.ellipse(box, outline="black", width=SCALE * 3 // 2)


def triangle(draw: ImageDraw.ImageDraw, right: int) -> None:
    corners = [(-10, -10), (90, -10), (-10, 45)]
    draw.polygon([(x * SCALE + right, y * SCALE) for x, y in corners], fill="#2266cc")


def line(draw: ImageDraw.ImageDraw, right: int) -> None:
    draw.line([5 * SCALE + right, 7 * SCALE, 58 * SCALE + right, 50 * SCALE], "#999", SCALE // 2)


def differing_box(before: Image.Image, after: Image.Image) -> Box | None:
    box = ImageChops.difference(before, after).getbbox()
    return box and at(box[0], box[1], box[2] - box[0], box[3] - box[1])


def test_equal_bytes_match_and_other_bytes_of_the_same_pixels_do() -> None:
    image = page(300, 200)
    same = compare(png(image), png(image))
    again = compare(png(image), png(image, compress_level=1))
    palette = compare(png(plain()), png(plain().convert("P")))
    assert [found.outcome for found in (same, again, palette)] == ["match"] * 3
    assert same == again
    assert same.difference.before == Size(width=300, height=200)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("seed", range(6))
def test_each_pixel_that_differs_is_counted_wherever_it_is(seed: int, mode: str) -> None:
    chance = random.Random(seed)  # noqa: S311
    before = page(1200, 400)
    after = before.copy()
    for _ in range(seed):
        x, y = chance.randrange(1200), chance.choice([0, 1, 53, 54, 55, 200, 398, 399])
        after.putpixel((x, y), (chance.randrange(256), 7, 7))
    bands = ImageChops.difference(before, after).split()
    changed = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    found = compare(png(before.convert(mode)), png(after.convert(mode)), EXACT).difference
    assert found.pixels == 1200 * 400 - changed.histogram()[0]
    assert found.box == differing_box(before, after)


def test_streamed_rows_are_judged_like_whole_pictures() -> None:
    before, after = page(1200, 300), ImageChops.offset(page(1200, 300), 1, 1)
    streamed = compare(png(before), png(after))
    whole = compare(png(before.convert("RGBA")), png(after))
    assert streamed == whole
    assert streamed.difference.antialiased > 0
    back = compare(png(after), png(before)).difference
    assert (back.pixels, back.antialiased) == (
        streamed.difference.pixels,
        streamed.difference.antialiased,
    )


def test_the_distance_is_the_published_one() -> None:
    def distance(one: str, other: str) -> float:
        return compare(png(plain(colour=one)), png(plain(colour=other))).difference.largest_delta

    assert distance("black", "white") == 1
    # OKLab of red is 0.62796 0.22486 0.12585, of lime 0.86644 -0.23389 0.17950; the toe makes
    # 0.5681 and 0.8445 of the lightness.
    assert distance("red", "lime") == pytest.approx(0.2764 + 0.4619, abs=5e-4)


@pytest.mark.parametrize("base", [(243, 243, 243), (0, 0, 0), (37, 99, 235), (120, 120, 120)])
def test_a_colour_that_changed_by_twelve_levels_is_seen(base: tuple[int, int, int]) -> None:
    before = plain(400, 200, base)
    for channel in range(3):
        changed = list(base)
        changed[channel] += 12
        found = compare(png(before), png(with_box(before, at(30, 40, 50, 20), tuple(changed))))
        assert found.difference.box == at(30, 40, 50, 20)
        assert found.difference.pixels == 1000


def test_text_of_another_colour_is_seen() -> None:
    before, after = plain(200, 30), plain(200, 30)
    ImageDraw.Draw(before).text((5, 5), "Revenue grew in region 7", fill=(60, 60, 60))
    ImageDraw.Draw(after).text((5, 5), "Revenue grew in region 7", fill=(72, 72, 72))
    found = compare(png(before), png(after)).difference
    assert found.pixels > 40
    assert found.box is not None
    assert found.box.width > 100


def test_a_rounding_of_colours_is_not() -> None:
    found = compare(png(plain(colour=(100, 100, 100))), png(plain(colour=(102, 102, 102))))
    assert found.outcome == "match"
    assert found.difference.pixels == 0
    assert found.difference.largest_delta > 0


def test_swapped_pictures_are_found() -> None:
    one, two = at(10, 10, 20, 20), at(40, 10, 20, 20)
    before = with_box(with_box(plain(), one, "red"), two, "blue")
    after = with_box(with_box(plain(), one, "blue"), two, "red")
    found = compare(png(before), png(after))
    assert (found.difference.pixels, found.difference.box) == (800, at(10, 10, 50, 20))


def test_8_another_size_is_an_outcome_of_its_own_and_may_be_granted() -> None:
    small = page(393, 420)
    tall = plain(393, 421)
    tall.paste(small)
    found = compare(png(small), png(tall), Tolerance(max_pixels=1000))
    assert found.outcome == "resized"
    assert found.difference.pixels == 393
    assert found.difference.box == at(0, 420, 393, 1)
    assert found.difference.before == Size(width=393, height=420)
    assert found.difference.after == Size(width=393, height=421)
    assert compare(png(small), png(tall), Tolerance(size_slack=1)).outcome == "match"
    changed = with_box(tall, at(5, 5))
    assert compare(png(small), png(changed), Tolerance(size_slack=1)).difference.pixels == 1


def test_18_a_paragraph_is_found_on_a_page_of_any_height() -> None:
    before = page(390, 11_959)
    after = with_box(before, at(8, 6_000, 200, 12), "white")
    ImageDraw.Draw(after).text((8, 6_000), "Something else is written", fill="black")
    granted = Tolerance(max_share=0.01, ignore_antialiasing=False)
    found = compare(png(before), png(after), granted)
    assert found.difference.share < 0.001
    assert found.outcome == "different"
    assert found.message.endswith("16×16, 4 may")


def test_noise_that_was_granted_may_be_scattered_and_not_dense() -> None:
    before = plain(640, 640)
    scattered = before.copy()
    for place in range(0, 640, 20):
        scattered.putpixel((place, place), (0, 0, 0))
    dense = with_box(before, at(300, 300, 8, 4))
    granted = Tolerance(max_pixels=32)
    assert compare(png(before), png(scattered), granted).outcome == "match"
    found = compare(png(before), png(dense), granted)
    assert (found.outcome, found.difference.density) == ("different", 32)


@pytest.mark.parametrize("y", [0, 1, 47, 55, 100, 101, 102, 103, 104, 105, 384])
def test_the_densest_window_is_found_across_the_parts_that_are_looked_at(y: int) -> None:
    before = page(1200, 400)
    window = at(1184, y, 16, 16)
    inverted = before.copy()
    inverted.paste(ImageChops.invert(before.point(lambda level: level // 2)), (0, 0))
    after = before.copy()
    for box in (window, at(3, 0), at(3, 399)):
        corners = (box.x, box.y, box.x + box.width, box.y + box.height)
        after.paste(inverted.crop(corners), corners)
    found = compare(png(before), png(after), EXACT).difference
    assert (found.density, found.densest) == (256, window)


@pytest.mark.parametrize("share", [50, 1, 0.21, -0.1])
def test_21_a_share_that_lets_anything_pass_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=rf"max_share .* 0 to {MOST_SHARE} \(got {share}\)"):
        Tolerance(max_share=share)


@pytest.mark.parametrize("wrong", [{"max_pixels": -1}, {"size_slack": -1}, {"color_distance": 1}])
def test_other_numbers_that_mean_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Tolerance(**wrong)  # type: ignore[arg-type]


def test_22_a_pair_within_its_tolerance_is_a_match_that_tells_what_differs() -> None:
    found = compare(png(plain()), png(with_box(plain(), at(9, 9))), Tolerance(max_pixels=1))
    assert found.outcome == "match"
    assert found.difference.box == at(9, 9)


@pytest.mark.parametrize(
    ("pixels", "share", "outcome"),
    [
        (4, 0.2, "match"),
        (3, 0.2, "different"),
        (100, 0.0009, "different"),
        (None, 0.001, "match"),
        (4, None, "match"),
        (None, None, "different"),
    ],
)
def test_23_of_pixels_and_share_the_stricter_wins(
    pixels: int | None, share: float | None, outcome: str
) -> None:
    granted = Tolerance(max_pixels=pixels, max_share=share)
    changed = with_box(plain(), at(9, 9, 2, 2))
    assert compare(png(plain()), png(changed), granted).outcome == outcome


def test_24_a_thin_ring_may_be_drawn_otherwise_but_not_be_gone() -> None:
    drawn = smooth(ring)
    again = compare(drawn, smooth(ring, right=0.25)).difference
    assert again.antialiased > 20 * again.pixels
    for shape in (ring, line):
        gone = compare(smooth(shape), png(plain())).difference
        assert gone.antialiased == 0
        each = Tolerance(ignore_antialiasing=False)
        assert gone.pixels == compare(smooth(shape), png(plain()), each).difference.pixels


@pytest.mark.parametrize("shape", [ring, line, triangle])
def test_what_moved_by_a_pixel_is_not_only_antialiased(
    shape: Callable[[ImageDraw.ImageDraw, int], None],
) -> None:
    found = compare(smooth(shape), smooth(shape, right=1))
    assert found.outcome == "different"
    assert found.difference.pixels > 20


def test_25_an_edge_is_antialiased_up_to_the_border_of_the_picture() -> None:
    found = compare(smooth(triangle), smooth(triangle, right=0.25))
    assert found.outcome == "match"
    assert found.difference.antialiased > 64


@pytest.mark.parametrize("edge", [at(0, 0, 1, 64), at(63, 0, 1, 64), at(0, 0, 64), at(0, 63, 64)])
def test_25_a_line_along_the_border_is_not_antialiased(edge: Box) -> None:
    before, after = (with_box(plain(), edge, (level,) * 3) for level in (130, 150))
    found = compare(png(before), png(after)).difference
    assert (found.pixels, found.box) == (64, edge)


def test_an_area_that_touches_a_dark_and_a_bright_one_is_not_antialiased() -> None:
    above = with_box(plain(), at(0, 0, 32, 32))
    before, after = (with_box(above, at(0, 32, 64, 32), (level,) * 3) for level in (120, 132))
    assert compare(png(before), png(after)).difference.pixels == 64 * 32


@pytest.mark.parametrize(("ignored", "outcome"), [(True, "match"), (False, "different")])
def test_29_antialiasing_is_ignored_when_that_is_asked_for(ignored: bool, outcome: str) -> None:
    tolerance = Tolerance(ignore_antialiasing=ignored)
    found = compare(smooth(triangle), smooth(triangle, right=0.25), tolerance)
    assert found.outcome == outcome
    assert (found.difference.antialiased > 0) is ignored
    assert (found.difference.pixels > 0) is not ignored


@pytest.mark.parametrize("colour", ["white", "black", (207, 48, 48)])
def test_26_nothing_is_not_like_any_colour(colour: Colour) -> None:
    clear = Image.new("RGBA", (20, 20))
    for full in (plain(20, 20, colour).convert("RGBA"), plain(20, 20, colour)):
        assert compare(png(full), png(clear)).difference.pixels == 400
    faint = Image.new("RGBA", (20, 20), (255, 255, 255, 250))
    assert compare(png(faint), png(clear)).difference.pixels == 400


def test_the_colour_of_nothing_does_not_matter() -> None:
    clear, also = (Image.new("RGBA", (20, 20), (level, 0, 0, 0)) for level in (0, 255))
    assert compare(png(clear), png(also)).outcome == "match"


@pytest.mark.parametrize("size", [(80, 64), (64, 80), (80, 80), (80, 40)])
def test_27_what_only_one_picture_has_is_different(size: tuple[int, int]) -> None:
    union = max(64, size[0]) * max(64, size[1])
    common = min(64, size[0]) * min(64, size[1])
    for colour in ("white", "black"):
        one, other = png(plain(colour=colour)), png(plain(*size, colour))
        for found in (compare(one, other), compare(other, one)):
            assert found.outcome == "resized"
            assert found.difference.pixels == 64 * 64 + size[0] * size[1] - 2 * common
            assert found.difference.share == found.difference.pixels / union


def test_27_an_edge_that_only_one_picture_has_is_not_antialiased() -> None:
    drawn = smooth(ring)
    with Image.open(io.BytesIO(drawn)) as opened:
        cut = opened.crop((0, 0, 64, 40))
    found = compare(png(cut), drawn).difference
    assert (found.pixels, found.antialiased) == (64 * 24, 0)


def test_28_two_fills_that_look_much_alike_are_two() -> None:
    found = compare(png(plain(colour="#7f8fa6")), png(plain(colour="#8395a7")))
    assert (found.outcome, found.difference.pixels) == ("different", 4096)


def test_30_a_large_picture_is_not_sampled() -> None:
    before = plain(2_000, 2_000)
    for place in [(0, 0), (1_999, 1_999), (1_201, 777)]:
        found = compare(png(before), png(with_box(before, at(*place)))).difference
        assert (found.pixels, found.box) == (1, at(*place))


def test_masks_cover_what_differs_and_nothing_else() -> None:
    before = page(400, 300)
    after = with_box(with_box(before, at(10, 100, 30, 30), "red"), at(200, 200), "red")
    found = compare(png(before), png(after), masks=[at(10, 100, 30, 30), at(390, 290, 99, 99)])
    assert (found.difference.pixels, found.difference.box) == (1, at(200, 200))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def file(width: int, height: int, body: bytes) -> bytes:
    first = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + first + chunk(b"IDAT", body) + chunk(b"IEND", b"")


WHOLE = png(page(300, 200))
ROWS = zlib.compress(bytes(40 * (1 + 3 * 40)))
STORED = file(40, 40, zlib.compress(bytes(40 * (1 + 3 * 40)), 0))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not a PNG"),
        (b"<html>", "is not a PNG"),
        (WHOLE[:20], "is not a PNG"),
        (WHOLE[: len(WHOLE) // 2], "is cut off"),
        (WHOLE[:-12], "is cut off"),
        (WHOLE[:2000] + b"?" + WHOLE[2001:], "is damaged"),
        (STORED[:100] + b"?" + STORED[101:], "is damaged"),
        (WHOLE[:17] + b"?" + WHOLE[18:], "is damaged"),
        (file(40, 41, ROWS), "is cut off"),
        (file(40, 40, b""), "is damaged"),
        (file(40, 40, b"\x78\x9c" + b"\xff" * 40), "is damaged"),
        (file(0, 40, ROWS), "is damaged"),
        (file(60_000, 60_000, ROWS), f"at most {LARGEST_PIXELS:,} are compared"),
    ],
)
def test_a_bad_picture_is_named_with_its_reason(data: bytes, reason: str) -> None:
    good = file(40, 40, zlib.compress(bytes(40 * (1 + 3 * 40)), 1))
    for pair, side in (((data, good), "before"), ((good, data), "after")):
        with pytest.raises(BadPicture, match=reason) as caught:
            compare(*pair)
        assert caught.value.side == side


def test_a_picture_that_claims_more_than_both_sizes_may_is_bad() -> None:
    wide, tall = (file(*size, ROWS) for size in ((9_000_000, 1), (1, 9_000_000)))
    with pytest.raises(BadPicture, match="too different a size"):
        compare(wide, tall)


def test_what_differs_is_marked_on_a_faded_picture() -> None:
    before = png(with_box(plain(), at(10, 10, 8, 8), (90, 90, 90)))
    after = png(with_box(with_box(plain(), at(10, 10, 8, 8), (90, 90, 90)), at(30, 30, 4, 4)))
    with Image.open(io.BytesIO(diff_picture(before, after, masks=[at(50, 50, 9, 9)]))) as opened:
        drawn = opened.convert("RGB")
    assert drawn.size == (64, 64)
    assert drawn.getpixel((31, 33)) == COUNTED
    assert drawn.getpixel((55, 55)) == MASKED
    assert drawn.getpixel((0, 0)) == (255, 255, 255)
    faded = drawn.getpixel((12, 12))
    assert isinstance(faded, tuple)
    assert faded[0] == faded[1] == faded[2]
    assert 180 < faded[0] < 240


def test_antialiased_pixels_have_another_colour_and_a_size_is_padded() -> None:
    drawn = diff_picture(smooth(triangle), smooth(triangle, right=0.25))
    with Image.open(io.BytesIO(drawn)) as opened:
        colours = {colour for _, colour in opened.convert("RGB").getcolors(4096) or ()}
    assert ANTIALIASED in colours
    assert COUNTED not in colours
    with Image.open(io.BytesIO(diff_picture(png(plain(40, 64)), png(plain())))) as opened:
        padded = opened.convert("RGB")
    assert padded.size == (64, 64)
    assert padded.getpixel((20, 20)) == (255, 255, 255)
    assert padded.getpixel((50, 20)) not in {(255, 255, 255), COUNTED}
