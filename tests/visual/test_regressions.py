"""Forty changes to a page that somebody would want to hear of: each is found, where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.visual.stand import outcomes

if TYPE_CHECKING:
    from tests.visual.stand import Stand

pytestmark = pytest.mark.anyio

LONG = 12_000
PAGE = """<style>
body { margin: 0; background: #fdfdfd; height: 700px; position: relative }
body > * { position: absolute; margin: 0; box-sizing: border-box }
#title { left: 40px; top: 20px; font: 700 28px/36px serif; color: #123 }
#text { left: 40px; top: 80px; width: 400px; font: 15px/22px sans-serif; color: #333 }
#go { left: 40px; top: 240px; width: 120px; height: 40px; border: 0; border-radius: 6px;
  background: #4f6df5; color: #fff; font: 15px sans-serif }
#card { left: 500px; top: 80px; width: 300px; height: 160px; border: 1px solid #ccd; padding: 12px;
  box-shadow: 0 2px 6px #0002; border-radius: 8px; font: 14px/20px sans-serif; background: #fff }
#one { left: 500px; top: 300px } #two { left: 600px; top: 300px }
#line { left: 40px; top: 320px; width: 400px; height: 1px; background: #888 }
#field { left: 40px; top: 350px; width: 200px; height: 32px }
#list { left: 40px; top: 420px; font: 14px/20px monospace; width: 300px; padding-left: 24px }
#chart { left: 500px; top: 420px }
#icon { left: 900px; top: 80px }
#grid { left: 900px; top: 300px; display: grid; grid-template-columns: 50px 50px; gap: 6px }
#grid i { height: 30px; background: #e0a030 }
</style>
<h1 id=title>Quarterly report</h1>
<p id=text>Sales went up by eight per cent, and the number of visitors stayed where it was in the
year before. Returns are fewer than they have been.</p>
<button id=go>Continue</button>
<div id=card><b>Summary</b><p>Nothing is overdue.</p></div>
<svg id=one width=80 height=60><circle cx=40 cy=30 r=25 fill="#c33"></circle></svg>
<svg id=two width=80 height=60><rect x=10 y=8 width=60 height=44 fill="#39c"></rect></svg>
<div id=line></div><input id=field value="Ada">
<ul id=list><li>first</li><li>second</li><li>third</li></ul>
<svg id=chart width=300 height=120><polyline fill=none stroke="#2a6" stroke-width=2
points="0,100 50,70 100,80 150,40 200,55 250,20 300,35"></polyline></svg>
<svg id=icon width=32 height=32><path d="M4 16 L14 26 L28 6" stroke="#284" stroke-width=4
fill=none></path></svg>
<div id=grid><i></i><i></i><i></i><i></i></div>"""
WAYS = {
    "moved": ("#go", "left: 46px"),
    "shifted-x": ("#go", "left: 41px"),
    "shifted-y": ("#card", "top: 81px"),
    "half-pixel": ("#title", "left: 40.5px"),
    "wider": ("#go", "width: 124px"),
    "colour-12": ("#go", "background: #4361e9"),
    "colour-of-text": ("#text", "color: #4b4b4b"),
    "faint": ("#text", "opacity: .9"),
    "gone": ("#go", "display: none"),
    "invisible": ("#field", "visibility: hidden"),
    "clipped": ("#text", "height: 40px; overflow: hidden"),
    "wrapped": ("#text", "width: 340px"),
    "weight": ("#title", "font-weight: 400"),
    "fallback-font": ("#title", "font-family: sans-serif"),
    "other-size": ("#text", "font-size: 16px"),
    "spaced": ("#title", "letter-spacing: .5px"),
    "line-height": ("#text", "line-height: 24px"),
    "underlined": ("#title", "text-decoration: underline"),
    "italic": ("#text", "font-style: italic"),
    "upper-case": ("#go", "text-transform: uppercase"),
    "square": ("#go", "border-radius: 0"),
    "border": ("#card", "border-color: #bbc"),
    "border-gone": ("#card", "border: 0; padding: 13px"),
    "shadow-gone": ("#card", "box-shadow: none"),
    "thinner": ("#line", "height: 0"),
    "thicker": ("#line", "height: 2px"),
    "rotated": ("#icon", "transform: rotate(3deg)"),
    "mirrored": ("#icon", "transform: scaleX(-1)"),
    "scaled": ("#chart", "transform: scale(1.02)"),
    "grey": ("#chart", "filter: grayscale(.4)"),
    "blurred": ("#one", "filter: blur(1px)"),
    "behind": ("#two", "left: 560px; z-index: -1"),
    "bullets": ("#list", "list-style: square"),
    "columns": ("#grid", "grid-template-columns: 106px"),
    "gap": ("#grid", "gap: 8px"),
}
WORDS = {
    "word": ("#text", "by eight", "by nine"),
    "digit": ("#list", "third", "thirds"),
    "value": ("#field", 'value="Ada"', 'value="Ida"'),
    "swapped": ("#one", "<circle cx=40 cy=30 r=25", "<circle cx=40 cy=30 r=24"),
}
BOXES = {
    "#title": (40, 20, 300, 36), "#text": (40, 80, 400, 90), "#go": (40, 240, 140, 40),
    "#card": (490, 70, 320, 180), "#one": (495, 295, 90, 70), "#two": (550, 295, 140, 70),
    "#line": (40, 320, 400, 3), "#field": (40, 350, 200, 32), "#list": (35, 420, 310, 70),
    "#chart": (490, 415, 320, 130), "#icon": (895, 75, 45, 45), "#grid": (895, 295, 120, 170),
}  # fmt: skip


def long(text: str) -> str:
    """A page of 12,000 pixels, with a paragraph in its middle."""
    rows = "".join(f"<p>Row {number} of a long report</p>" for number in range(LONG // 40))
    style = "<style>p { margin: 0; height: 40px; font: 15px/40px sans-serif }</style>"
    return style + rows.replace("<p>Row 150 of a long report</p>", text)


async def test_forty_planted_changes_are_found_where_they_are(stand: Stand) -> None:
    names = [*WAYS, *WORDS]
    for name in names:
        stand.put(name, PAGE)
    stand.put("paragraph", long("<p>Row 150 of a long report</p>"))
    first = await stand.run(accept="new", jobs=3)
    assert set(outcomes(first).values()) == {"new"}
    for name, (css, rules) in WAYS.items():
        stand.put(name, f"{PAGE}<style>{css} {{ {rules} }}</style>")
    for name, (_, before, after) in WORDS.items():
        assert before in PAGE
        stand.put(name, PAGE.replace(before, after))
    stand.put("paragraph", long("<p></p>"))
    second = await stand.run(jobs=3)
    assert outcomes(second) == dict.fromkeys([*names, "paragraph"], "different")
    assert len(second.checks) == 40
    for check in second.checks:
        name = check.name.rpartition("/")[2]
        assert check.difference is not None
        found = check.difference.box
        assert found is not None
        left, top, width, height = (
            (8, 6000, 300, 40) if name == "paragraph" else BOXES[{**WAYS, **WORDS}[name][0]]
        )
        assert left - 8 <= found.x, (name, found)
        assert top - 8 <= found.y, (name, found)
        assert found.x + found.width <= left + width + 8, (name, found)
        assert found.y + found.height <= top + height + 8, (name, found)
