"""Pictures of pages that move: they stand still, or it is said that they do not."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.visual.stand import outcomes

if TYPE_CHECKING:
    from tests.visual.stand import Stand

pytestmark = pytest.mark.anyio

CANVAS = """<canvas width=300 height=100></canvas><script>
const brush = document.querySelector("canvas").getContext("2d");
(function draw(time) {
  brush.fillStyle = "#fff"; brush.fillRect(0, 0, 300, 100);
  brush.fillStyle = "#06c"; brush.fillRect((time / 3) % 280, 40, 20, 20);
  requestAnimationFrame(draw);
})(0);</script>"""
INTERVAL = "<p id=x>0</p><script>let n = 0; setInterval(() => x.textContent = ++n, 7)</script>"
SPIN = """<style>@keyframes turn { to { transform: rotate(360deg) } }
div { width: 60px; height: 30px; background: teal; animation: turn 1s linear infinite }</style>
<div></div>"""
SMIL = """<svg width=200 height=40><rect width=20 height=20 fill=red><animate attributeName=x
from=0 to=180 dur=1s repeatCount=indefinite /></rect></svg>"""
CHANCE = """<p></p><script>document.querySelector("p").textContent = [Math.random(), Date.now(),
crypto.randomUUID(), performance.now(), new Date().toISOString()].join(" ")</script>"""
CARET = """<input value=text autofocus><div id=host></div><script>
const root = host.attachShadow({mode: "closed"});
root.innerHTML = "<textarea>in the shadow</textarea>"; root.firstChild.focus();</script>"""
FADE = """<style>@keyframes come { from { opacity: 0; transform: translateY(40px) } }
h1 { animation: come .8s ease-out both }</style><h1>Here it comes</h1>"""
REVEAL = """<style>section { height: 500px } div { width: 90px; height: 40px; background: #c00;
opacity: 0; transition: opacity .6s } .on div { opacity: 1 }</style>
<section><div></div></section><section><div></div></section><section><div></div></section>
<script>const seen = new IntersectionObserver((all) => all.forEach((each) =>
  each.isIntersecting && each.target.classList.add("on")));
document.querySelectorAll("section").forEach((each) => seen.observe(each));</script>"""


def gif() -> bytes:
    """Three colours, one after the other."""
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "green", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=40, loop=0)
    return out.getvalue()


async def test_what_moves_by_itself_gives_the_same_picture_every_time(stand: Stand) -> None:
    """Rows 3, 51 and 53 of the field reports, on the virtual clock."""
    pages = {
        "canvas": CANVAS, "interval": INTERVAL, "spin": SPIN, "smil": SMIL, "chance": CHANCE,
        "caret": CARET, "fade": FADE, "reveal": REVEAL, "gif": "<img src=moving.gif>",
        "marquee": "<marquee>on and on and on</marquee>",
    }  # fmt: skip
    for name, body in pages.items():
        stand.put(name, body)
    (stand.folder / "site" / "moving.gif").write_bytes(gif())
    first = await stand.run(accept="new")
    assert set(outcomes(first).values()) == {"new"}
    assert all(check.promoted for check in first.checks)
    again = await stand.run()
    assert set(outcomes(again).values()) == {"match"}
    assert all(check.difference is None for check in again.checks), "equal to the byte"


async def test_a_picture_is_of_what_has_come_and_of_all_that_there_is(stand: Stand) -> None:
    (check,) = await stand.scene(REVEAL)
    picture = stand.picture(check)
    assert picture.size == (1280, 1540)
    assert [picture.getpixel((30, y)) for y in (40, 540, 1040)] == [(204, 0, 0)] * 3
    (check,) = await stand.scene("<style>body { margin: 0; background: #ccc }</style>" + FADE)
    clear = stand.picture(check).crop((0, 0, 400, 100)).getextrema()
    assert clear[0] == (0, 204), "the letters have all their black"


async def test_a_page_that_does_not_stand_still_says_so_with_both_shots(stand: Stand) -> None:
    """Rows 3 and 53 of the field reports, where time passes by itself."""
    (check,) = await stand.scene(CANVAS, clock="real")
    assert check.outcome == "unstable"
    assert check.difference is not None
    box = check.difference.box
    assert box is not None
    assert box.x >= 20
    assert box.y == 60
    assert box.height == 20
    shots = [stand.picture(check, kind).tobytes() for kind in ("earlier", "actual")]
    assert shots[0] != shots[1]
    assert stand.picture(check, "diff").size == (1280, 720)


async def test_a_caret_and_a_pointer_are_not_in_the_picture(stand: Stand) -> None:
    """Row 51 of the field reports: also where no style reaches, in a closed shadow root."""
    body = (
        """<style>body { margin: 0 } button { width: 1280px; height: 300px; border: 0;
    background: #eee } button:hover { background: lime }</style><button>Go</button>"""
        + CARET
    )
    scenario = "steps: [{op: act, actions: [{type: hover, css: button}]}, {op: shot, name: a}]"
    for clock in ("real", "virtual"):
        checks = [await stand.scene(body, scenario, clock=clock) for _ in range(2)]
        pictures = [stand.picture(check) for (check,) in checks]
        assert pictures[0].tobytes() == pictures[1].tobytes()
        assert pictures[0].getpixel((5, 5)) == (238, 238, 238)


async def test_only_boxes_that_are_painted_are_masked_and_only_in_the_picture(stand: Stand) -> None:
    """Rows 4 and 5 of the field reports."""
    body = """<style>body { margin: 0; background: #fff } body > * { position: absolute;
    left: 20.4px; width: 50px; height: 30px; background: #0a0 }
    *, ::backdrop { border-color: red }</style>
    <div class=m style="top: 10px"></div><div class=m style="top: 60px; visibility: hidden"></div>
    <div class=m style="top: 110px; opacity: 0"></div><div style="top: 160px"></div>
    <p class=m style="top: 900px"></p>
    <script>new MutationObserver(() => document.title = "touched").observe(document,
      {subtree: true, childList: true, attributes: true})</script>"""
    scenario = """masks: [".m", {x: 0, y: 160, width: 30, height: 30}]
steps: [{op: shot, name: a}, {op: read, queries: [{css: title, expect: Test}]}]"""
    (check,) = await stand.scene(body, scenario)
    assert check.outcome == "new", check.message
    picture = stand.picture(check)
    pink, white, green = (255, 0, 255), (255, 255, 255), (0, 170, 0)
    column = [picture.getpixel((40, y)) for y in (20, 70, 120, 170, 920)]
    assert column == [pink, white, white, green, pink]
    assert [picture.getpixel((x, 20)) for x in (19, 20, 70, 71)] == [white, pink, pink, white]
    assert picture.getpixel((10, 170)) == pink


async def test_a_masked_part_may_move_as_it_likes(stand: Stand) -> None:
    body = INTERVAL.replace("<p id=x>", "<p id=x style='width:200px'>")
    (check,) = await stand.scene(body, "masks: ['#x']", clock="real")
    assert check.outcome == "new"


async def test_a_shot_leaves_the_page_as_large_and_where_it_is(stand: Stand) -> None:
    """Rows 7, 9 and 12 of the field reports."""
    body = """<style>body { margin: 0 } .tall { height: 100vh; background: #ddf }
    #part { position: absolute; left: 33.33px; top: 40.38px; width: 98.3px; height: 114px }</style>
    <div class=tall></div><div class=tall></div><div id=part></div>
    <script>let resized = 0; addEventListener("resize", () => resized += 1)</script>"""
    scenario = """
    viewports: [phone, 640x480]
    steps:
      - {op: eval, code: "resized = 0"}
      - {op: shot, name: whole}
      - {op: shot, name: part, target: "#part"}
      - op: eval
        code: "return [resized, scrollY]"
        expect: [0, 0]
      - {op: shot, name: view, target: view}
    """
    head = "<meta name=viewport content='width=device-width'>"
    checks = await stand.scene(head + body, scenario)
    assert [check.outcome for check in checks] == ["new"] * 6, checks[-1].message
    sizes = [stand.picture(check).size for check in checks]
    assert sizes == [(390, 1688), (99, 115), (390, 844), (640, 960), (99, 115), (640, 480)]


async def test_a_page_that_spins_for_ever_stands_still(stand: Stand) -> None:
    body = """<style>@keyframes spin { to { transform: rotate(360deg) } } i { display: block;
    width: 60px; height: 60px; border: 6px solid #ccc; border-top-color: #06c;
    border-radius: 50%; animation: spin 1s linear infinite }</style><i></i>"""
    (check,) = await stand.scene(body)
    assert check.outcome == "new", check.difference


async def test_what_comes_late_is_waited_for_by_name(stand: Stand) -> None:
    """Row 37 of the field reports."""
    body = "<p>loading</p><script>setTimeout(() => document.body.innerHTML = '<b>done</b>', 200)"
    scenario = """steps:
    - {op: act, actions: [{type: wait, css: b}]}
    - {op: read, queries: [{css: b, expect: done}]}
    - {op: shot, name: a}"""
    (check,) = await stand.scene(body + "</script>", scenario)
    assert check.outcome == "new", check.message


async def test_a_canvas_of_webgl_is_drawn(stand: Stand) -> None:
    """Row 49 of the field reports."""
    body = """<style>body { margin: 0 }</style><canvas width=100 height=100></canvas><script>
    const gl = document.querySelector("canvas").getContext("webgl");
    gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);</script>"""
    (check,) = await stand.scene(body)
    assert stand.picture(check).getpixel((50, 50)) == (255, 0, 0)


async def test_a_very_long_page_is_taken_whole(stand: Stand) -> None:
    """Row 30 of the field reports: nothing is left out."""
    rows = "".join(f"<div style='background:rgb({n},{255 - n},90)'></div>" for n in range(200))
    style = "<style>body { margin: 0 } div { height: 100px }</style>"
    (check,) = await stand.scene(style + rows)
    picture = stand.picture(check)
    assert picture.size == (1280, 20_000)
    assert [picture.getpixel((9, 100 * n + 50)) for n in (0, 99, 163, 164, 199)] == [
        (n, 255 - n, 90) for n in (0, 99, 163, 164, 199)
    ]
