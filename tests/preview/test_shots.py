"""Pictures: what they show, what is said of them, and their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.preview.desk import Desk, picture

if TYPE_CHECKING:
    from artifact_kit import Outcome

pytestmark = pytest.mark.anyio

GREEN, RED, WHITE = (0, 128, 0), (255, 0, 0), (255, 255, 255)
CANVAS = (
    "<canvas id=c width={w} height={h}></canvas><script>const g = c.getContext('2d');"
    "g.fillStyle = 'green'; g.fillRect(0, 0, {w}, {h}); g.fillStyle = 'red'; g.fillRect(0, 0, 9, 9)"
    "</script>"
)


def size(outcome: Outcome) -> tuple[int, int]:
    return outcome.images[0].width, outcome.images[0].height


async def test_a_shot_shows_the_view_by_default(desk: Desk) -> None:
    await desk.show("<style>body {margin: 0; background: green; height: 3000px}</style>")
    outcome = await desk.call("shot")
    assert outcome.text.startswith("shot of the view: 1280×720")
    assert size(outcome) == picture(outcome).size == (1280, 720)
    assert picture(outcome).getpixel((5, 5)) == GREEN
    assert outcome.images[0].mime_type == "image/png"


async def test_a_canvas_that_fills_the_view_is_what_a_shot_is_about(desk: Desk) -> None:
    await desk.show(f"<p>Score</p>{CANVAS.format(w=1100, h=640)}")
    outcome = await desk.call("shot")
    assert 'shot of <canvas id="c">: 1100×640' in outcome.text
    assert picture(outcome).getpixel((0, 0)) == RED
    await desk.show(f"<p>Small</p>{CANVAS.format(w=300, h=200)}")
    assert size(await desk.call("shot")) == (1280, 720)
    assert size(await desk.call("shot", target="canvas")) == (300, 200)


async def test_the_full_page_is_scaled_down_to_the_longest_side(desk: Desk) -> None:
    await desk.show(
        "<style>body {margin: 0; background: green}</style>"
        "<div style='height: 39990px'></div><div style='height: 10px; background: red'></div>"
    )
    outcome = await desk.call("shot", target="page")
    assert size(outcome) == (50, 1568)
    assert "scaled to 0.04 of 1280×40000" in outcome.text
    assert picture(outcome).getpixel((25, 700)) == GREEN


async def test_a_shot_of_all_of_a_page_does_not_change_its_size(desk: Desk) -> None:
    """Row 9 of the field reports; Chromium would lay it out 1 pixel wide at nearly every shot."""
    await desk.show("""<div style="height: 200vh">x</div><script>let log = [];
    new ResizeObserver(([seen]) => log.push(Math.round(seen.contentRect.width)))
    .observe(document.body); addEventListener("resize", () => log.push("resize"))</script>""")
    await desk.value("await new Promise(requestAnimationFrame); log = []")
    unseen = 0
    for _ in range(6):
        await desk.call("shot", target="page")
        code = "for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame); "
        unseen += await desk.value(f"{code} const seen = log; log = []; return seen") == []
    assert unseen >= 4  # on a busy machine one may still come through


async def test_an_element_is_pictured_wherever_it_is_on_the_page(desk: Desk) -> None:
    await desk.show(
        "<div style='height: 2000px'></div>"
        "<div id=box style='width: 120px; height: 80px; background: red'></div><button>Go</button>"
    )
    outcome = await desk.call("shot", target="#box")
    assert size(outcome) == (120, 80)
    assert picture(outcome).getpixel((60, 40)) == RED
    assert '<div id="box">' in outcome.text
    await desk.call("read")
    assert "<button>" in (await desk.call("shot", target="e1")).text


async def test_a_target_that_is_not_there_is_refused_with_near_names(desk: Desk) -> None:
    await desk.show("<p id=score>1</p><div id=flat style='height: 0'></div>")
    for target, words in {
        "#scor": "#score",
        "#flat": "has no size",
        "canvas": "no visible <canvas>",
        "p[": "not a valid CSS selector",
        "e99": "there is no ref e99",
    }.items():
        outcome = await desk.call("shot", target=target)
        assert (outcome.status, outcome.data["code"]) == ("refused", "no_target"), outcome.text
        assert words in outcome.text
        assert outcome.images == ()


async def test_a_picture_of_one_colour_is_called_blank(desk: Desk) -> None:
    await desk.show("<style>body {background: #123456}</style>")
    outcome = await desk.call("shot")
    assert "blank: one colour, #123456" in outcome.text
    assert outcome.data["blank"] is True
    await desk.show("<h1>Something</h1>")
    assert (await desk.call("shot")).data["blank"] is False


async def test_a_picture_is_saved_into_the_workspace(desk: Desk) -> None:
    await desk.show("<h1>Saved</h1>")
    outcome = await desk.call("shot", save="shots/first.png")
    assert "saved as shots/first.png" in outcome.text
    assert outcome.data["saved"] == "shots/first.png"
    assert (desk.folder / "shots/first.png").read_bytes() == outcome.images[0].data


@pytest.mark.parametrize("save", ["../out.png", "x.gif", "/../x.png"])
async def test_a_bad_name_to_save_as_is_refused(desk: Desk, save: str) -> None:
    await desk.show("<h1>x</h1>")
    outcome = await desk.call("shot", save=save)
    assert outcome.status == "refused"


async def test_what_webgl_shows_is_on_the_picture(desk: Desk) -> None:
    await desk.show(
        "<canvas id=c width=400 height=300></canvas><script>const gl = c.getContext('webgl');"
        "gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT)</script>"
    )
    outcome = await desk.call("shot", target="#c")
    assert picture(outcome).getpixel((200, 150)) == RED
    assert "looks" not in outcome.text


async def test_a_shader_that_does_not_compile_is_an_error(desk: Desk) -> None:
    outcome = await desk.show(
        "<canvas id=c></canvas><script>const gl = c.getContext('webgl');\n"
        "const s = gl.createShader(gl.VERTEX_SHADER); gl.shaderSource(s, 'void main() { oops }');\n"
        "gl.compileShader(s)</script>"
    )
    assert "WebGL compileShader" in outcome.text
    assert ".html:3:4" in outcome.text


async def test_size_and_colour_scheme_are_as_asked(desk: Desk) -> None:
    style = "<style>@media (prefers-color-scheme: dark) {body {background: red}}</style>x"
    await desk.show(style, width=400, height=300, dark=True)
    outcome = await desk.call("shot")
    assert size(outcome) == (400, 300)
    assert picture(outcome).getpixel((200, 200)) == RED
    await desk.show(style)
    assert picture(await desk.call("shot")).getpixel((200, 200)) == WHITE
    for bad in (0, 5000):
        refused = await desk.show(style, width=bad)
        assert (refused.status, refused.data["code"]) == ("refused", "bad_size")


async def test_a_filmstrip_shows_several_moments_in_one_image(desk: Desk) -> None:
    await desk.show(
        "<style>body { margin: 0 } #b { width: 100px; height: 100px; background: red;"
        "animation: go 2s infinite linear } @keyframes go { to { margin-left: 900px } }</style>"
        "<div id=b></div>"
    )
    outcome = await desk.call("shot", frames=4, every=60)
    assert len(outcome.images) == 1
    assert max(outcome.images[0].width, outcome.images[0].height) <= 1568
    assert "4 shots of the view" in outcome.text
    assert "3 of 3 differ from the one before" in outcome.text


async def test_frames_that_do_not_move_are_said_to_be_equal(desk: Desk) -> None:
    await desk.show("<p>still</p>")
    assert "nothing moves" in (await desk.call("shot", frames=2, every=0)).text


@pytest.mark.parametrize("options", [{"frames": 0}, {"frames": 99}, {"frames": 2, "every": 99999}])
async def test_frames_beyond_the_limits_are_refused(desk: Desk, options: dict[str, Any]) -> None:
    await desk.show("<p>still</p>")
    assert (await desk.call("shot", **options)).status == "refused"


async def test_what_changed_since_the_last_shot_is_measured_and_framed(desk: Desk) -> None:
    await desk.show(
        "<style>body { margin: 0; background: white } #b { position: absolute; left: 200px;"
        "top: 100px; width: 50px; height: 40px; background: white }</style><div id=b></div><p>a</p>"
    )
    first = await desk.call("shot", since="last")
    assert "there is no earlier shot of it" in first.text
    assert "nothing changed since the last shot" in (await desk.call("shot", since="last")).text
    await desk.value("b.style.background = 'blue'; return 0")
    changed = await desk.call("shot", since="last")
    assert "0.2 % of the pixels changed since the last shot, in 200,100 50×40" in changed.text
    assert picture(changed).getpixel((199, 99)) == (255, 0, 96)
    assert picture(changed).getpixel((220, 120)) == (0, 0, 255)


async def test_a_shot_without_its_picture_gives_the_facts(desk: Desk) -> None:
    await desk.show("<style>body { background: #102030 }</style>")
    outcome = await desk.call("shot", image="omit", save="facts.png")
    assert outcome.images == ()
    assert "1280×720, blank: one colour, #102030" in outcome.text
    with Image.open(desk.folder / "facts.png") as saved:
        assert saved.size == (1280, 720)


@pytest.mark.parametrize(
    ("name", "kind"), [("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.webp", "WEBP")]
)
async def test_a_shot_is_saved_in_the_format_of_its_name(desk: Desk, name: str, kind: str) -> None:
    await desk.show("<p>hi</p>")
    assert f"saved as {name}" in (await desk.call("shot", save=name)).text
    with Image.open(desk.folder / name) as saved:
        assert saved.format == kind


async def test_a_phone_has_touch_and_its_own_size_and_its_pictures_are_in_css_pixels(
    desk: Desk,
) -> None:
    meta = "<meta name=viewport content='width=device-width'>"
    await desk.show(f"{meta}<p>hi</p>", device="phone")
    coarse = "matchMedia('(pointer: coarse)').matches"
    shown = await desk.value(f"return [innerWidth, innerHeight, devicePixelRatio, {coarse}]")
    assert shown == [390, 844, 3, True]
    assert picture(await desk.call("shot")).size == (390, 844)
