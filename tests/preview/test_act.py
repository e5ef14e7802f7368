"""Actions: trusted input on what a person would hit, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.preview.desk import HEAD, Desk

pytestmark = pytest.mark.anyio

LOG = (
    "<p id=log style='position: fixed; bottom: 0'></p><script>const seen = [];"
    "const note = (e) => { seen.push(e.type + (e.isTrusted ? '' : '!') +"
    "(e.key ? ':' + e.key : '')); log.textContent = seen.join(' ') };"
    "const on = (node, ...types) => types.forEach((t) => node.addEventListener(t, note));</script>"
)
GO: dict[str, Any] = {"type": "click", "css": "#go"}


async def test_clicks_are_trusted_and_named(desk: Desk) -> None:
    await desk.show(
        f"{LOG}<button id=go>Go now</button><script>on(go, 'click', 'dblclick', 'contextmenu', "
        "'auxclick', 'mousedown')</script>"
    )
    outcome = await desk.act(GO)
    assert 'clicked <button id="go"> "Go now" at ' in outcome.text
    assert await desk.texts("#log") == ["mousedown click"]
    await desk.act({"type": "click", "css": "#go", "count": 2})
    assert await desk.texts("#log") == ["mousedown click " * 3 + "dblclick"]
    await desk.value("seen.length = 0; return 0")
    await desk.act({**GO, "button": "right"}, {**GO, "button": "middle"})
    log = (await desk.texts("#log"))[0]
    assert sorted(str(log).split()) == ["auxclick"] * 2 + ["contextmenu"] + ["mousedown"] * 2


async def test_a_click_finds_its_target_by_text_ref_and_point(desk: Desk) -> None:
    await desk.show(
        "<p id=log></p><button onclick=\"log.textContent += 'a'\">Save file</button>"
        "<button onclick=\"log.textContent += 'b'\">Save</button>"
        "<div id=d style='position: fixed; left: 300px; top: 300px; width: 50px; height: 50px' "
        "onclick=\"log.textContent += 'c'\">x</div>"
    )
    await desk.call("read")
    outcome = await desk.act(
        {"type": "click", "text": "save"},
        {"type": "click", "ref": "e1"},
        {"type": "click", "x": 320, "y": 320},
    )
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#log") == ["bac"]
    empty = await desk.act({"type": "click", "x": 700, "y": 600})
    assert "nothing changed" in empty.text


OBSTACLES = {
    "<button id=go hidden>Go</button>": "is not visible: display: none",
    "<div style='display: none'><button id=go>Go</button></div>": "display: none",
    "<button id=go style='visibility: hidden'>Go</button>": "is not visible: visibility: hidden",
    "<div id=go></div>": "is not visible: its size is",
    "<button id=go disabled>Go</button>": "is disabled",
    "<button id=go aria-disabled=true>Go</button>": "is disabled",
    "<button id=go>Go</button><div id=veil style='position: fixed; inset: 0'>V</div>": (
        'is covered by <div id="veil">'
    ),
    "<button id=go style='position: fixed; left: -500px; top: 9px'>Go</button>": "outside the view",
    "<style>@keyframes m {to {transform: translateX(600px)}} #go {animation: m 2s infinite "
    "linear}</style><button id=go>Go</button>": "keeps moving",
    "<button id=gone>Go</button>": "nothing matches #go (nearest: #gone",
}


@pytest.mark.parametrize("body", OBSTACLES)
async def test_a_target_that_a_person_could_not_click_is_named(desk: Desk, body: str) -> None:
    await desk.show(f"<p id=log></p>{body}")
    outcome = await desk.act({"type": "key", "key": "a"}, GO, {"type": "key", "key": "b"})
    assert outcome.status == "failed"
    assert OBSTACLES[body] in outcome.text
    assert "actions[1] click: " in outcome.text
    assert "1 of 3 actions were done" in outcome.text
    assert "pressed b" not in outcome.text


async def test_a_target_that_appears_in_a_moment_is_waited_for(desk: Desk) -> None:
    await desk.show(
        "<p id=log></p><script>setTimeout(() => { const b = document.createElement('button');"
        "b.id = 'go'; b.onclick = () => log.textContent = 'hit'; document.body.append(b) }, 300)"
        "</script>"
    )
    assert (await desk.act(GO)).status == "ok"
    assert await desk.texts("#log") == ["hit"]


async def test_a_target_below_the_view_is_scrolled_to(desk: Desk) -> None:
    await desk.show(
        "<p id=log></p><div style='height: 5000px'></div>"
        "<button id=go onclick=\"log.textContent = 'hit'\">Go</button>"
    )
    outcome = await desk.act(GO)
    assert await desk.texts("#log") == ["hit"]
    assert "scrolled to 0," in outcome.text


async def test_keys_and_chords_are_trusted(desk: Desk) -> None:
    await desk.show(f"{LOG}<input id=i value=abc><script>on(i, 'keydown', 'keyup')</script>")
    await desk.act({"type": "click", "css": "#i"}, {"type": "key", "key": "left"})
    assert await desk.texts("#log") == ["keydown:ArrowLeft keyup:ArrowLeft"]
    await desk.act({"type": "key", "key": "Ctrl+A"}, {"type": "key", "key": "x"})
    assert await desk.texts("#i") == ["x"]
    held = await desk.act({"type": "key", "key": "z", "ms": 50})
    assert "pressed z for 50 ms" in held.text


async def test_typing_fills_the_field_and_reaches_a_frameworks_state(desk: Desk) -> None:
    await desk.show(
        "<input id=i value=ab><div id=e contenteditable>x</div><textarea id=t></textarea>"
        "<input id=n type=number><p id=log></p>"
        "<script>i.oninput = (e) => { log.textContent = i.value + e.isTrusted }</script>"
    )
    outcome = await desk.act(
        {"type": "type", "css": "#i", "text": "cé😀"},
        {"type": "type", "css": "#e", "text": "yz"},
        {"type": "type", "css": "#t", "text": "one\ntwo" + "." * 500},
        {"type": "type", "css": "#n", "text": "12"},
        {"type": "type", "text": "3"},
    )
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#log", "#e", "#n") == ["cé😀true", "xyz", "123"]
    assert (await desk.value("return t.value")).startswith("one\ntwo...")


async def test_scrolling_reports_where_the_page_came_to(desk: Desk) -> None:
    await desk.show(
        "<div id=box style='height: 99px; overflow: auto'><div style='height: 900px'>x</div></div>"
        "<div style='height: 4000px'></div>"
    )
    outcome = await desk.act({"type": "scroll", "dy": 600, "x": 600, "y": 500})
    assert "scrolled to 0,600" in outcome.text
    await desk.act({"type": "scroll", "css": "#box", "dy": 200})
    assert await desk.value("return box.scrollTop") == 200


async def test_hover_shows_what_only_a_pointer_shows(desk: Desk) -> None:
    await desk.show(
        "<style>#tip {display: none} #go:hover + #tip {display: block}</style>"
        "<button id=go>Go</button><div id=tip>Tip</div>"
    )
    outcome = await desk.act({"type": "hover", "css": "#go"})
    assert outcome.status == "ok"
    assert await desk.value("return getComputedStyle(tip).display") == "block"


async def test_select_fires_the_browsers_own_events(desk: Desk) -> None:
    await desk.show(
        f"{LOG}<select id=s><option value=a>Alpha<option value=b disabled>Beta<option value=c>"
        "Gamma</select><script>on(s, 'input', 'change')</script>"
    )
    outcome = await desk.act({"type": "select", "css": "#s", "value": "Gamma"})
    assert 'selected "Gamma" in <select id="s">' in outcome.text
    assert await desk.value("return s.value") == "c"
    assert await desk.texts("#log") == ["input change"]
    for value, words in {"b": "has no option", "zzz": 'it has "Alpha", "Gamma"'}.items():
        missing = await desk.act({"type": "select", "css": "#s", "value": value})
        assert missing.status == "failed"
        assert words in missing.text
    wrong = await desk.act({"type": "select", "css": "#log", "value": "a"})
    assert "is not a <select>" in wrong.text


async def test_drags_work_for_html5_and_for_pointers(desk: Desk) -> None:
    await desk.show(
        "<div id=card draggable=true style='width: 80px; height: 40px'>Card</div>"
        "<div id=zone style='width: 200px; height: 100px; background: #eee'>Zone</div>"
        "<input id=range type=range min=0 max=100 value=0 style='width: 200px'><p id=log></p>"
        "<script>let moves = 0; card.ondragstart = (e) => e.dataTransfer.setData('text', 'card');"
        "zone.ondragover = (e) => { moves++; e.preventDefault() };"
        "zone.ondrop = (e) => { log.textContent = e.dataTransfer.getData('text') + e.isTrusted }"
        "</script>"
    )
    outcome = await desk.act({"type": "drag", "css": "#card", "toCss": "#zone"})
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#log") == ["cardtrue"]
    box = await desk.value("const b = range.getBoundingClientRect(); return [b.x, b.y, b.height]")
    x, y, height = box
    start = {"x": x + 8, "y": y + height / 2}
    await desk.act({"type": "drag", **start, "toX": x + 100, "toY": y + height / 2})
    assert 40 <= await desk.value("return range.valueAsNumber") <= 60


async def test_shadow_roots_and_frames_are_reached(desk: Desk) -> None:
    desk.put("inner.html", f"{HEAD}<button id=in onclick=\"this.textContent = 'hit'\">In</button>")
    await desk.show(
        "<div id=host></div>"
        "<iframe src=inner.html style='margin: 40px; border: 7px solid'></iframe>"
        "<script>host.attachShadow({mode: 'open'}).innerHTML = "
        "`<button id=deep onclick=\"this.textContent = 'hit'\">Deep</button>`</script>"
    )
    outcome = await desk.act({"type": "click", "css": "#deep"}, {"type": "click", "css": "#in"})
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#deep", "#in") == ["hit", "hit"]


async def test_waits_hold_until_the_page_is_ready(desk: Desk) -> None:
    await desk.show(
        "x<script>setTimeout(() => { document.body.innerHTML = '<p id=late>here</p>' }, 200)"
        "</script>"
    )
    outcome = await desk.act({"type": "wait", "css": "#late"})
    assert outcome.status == "ok", outcome.text
    outcome = await desk.act({"type": "wait", "code": "return late.textContent === 'here'"})
    assert "until the condition" in outcome.text


BAD: list[tuple[dict[str, Any], str]] = [
    ({"type": "drop"}, "actions[1].type 'drop'"),
    ({"type": "click"}, "actions[1]"),
    ({"type": "click", "x": 5}, "actions[1]"),
    ({"type": "key", "key": "NoSuchKey"}, "actions[1].key"),
    ({"type": "key"}, "actions[1]"),
    ({"type": "wait"}, "actions[1]"),
    ({"type": "wait", "ms": -1}, "actions[1].ms"),
    ({"type": "click", "css": "#go", "key": "a"}, "actions[1]"),
    ({"type": "click", "css": "#go", "button": "top"}, "actions[1].button"),
    ({"css": "#go"}, "actions[1]"),
]


async def test_bad_actions_are_refused_before_anything_happens(desk: Desk) -> None:
    await desk.show("<button id=go onclick=\"this.textContent = 'hit'\">Go</button>")
    for action, words in BAD:
        outcome = await desk.act(GO, action)
        assert outcome.status == "refused", outcome.text
        assert words in outcome.text
    many = await desk.act(*[GO] * 33)
    assert many.status == "refused"
    assert (await desk.call("act", actions=[])).status == "refused"
    assert await desk.texts("#go") == ["Go"]


async def test_actions_in_the_words_of_other_tools_are_understood(desk: Desk) -> None:
    await desk.show("<button id=go onclick=\"this.textContent = 'hit'\">Go</button><input id=i>")
    outcome = await desk.act(
        {"action": "tap", "selector": "#go"},
        {"type": "fill", "selector": "#i", "value": "abc"},
        {"type": "press", "key": "Enter"},
        {"type": "sleep", "ms": "10"},
    )
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#go", "#i") == ["hit", "abc"]


async def test_an_action_says_what_changed_and_when_nothing_did(desk: Desk) -> None:
    await desk.show(
        "<button id=go>Go</button><button id=idle>Idle</button><p id=score>0</p><script>"
        "go.onclick = () => { score.textContent = 5; location.hash = 'won' }</script>"
    )
    outcome = await desk.act(GO)
    assert "score" in outcome.text
    assert '"5"' in outcome.text
    assert "#won" in outcome.text
    idle = await desk.act({"type": "click", "css": "#idle"}, {"type": "click", "css": "#idle"})
    assert "2. " in idle.text
    assert "nothing changed" in idle.text


async def test_read_answers_each_query_or_says_why_not(desk: Desk) -> None:
    await desk.show(
        "<style>#box {position: fixed; left: 10px; top: 20px; width: 30px; height: 40px; "
        "color: rgb(255, 0, 0)}</style><div id=box data-kind=a>B</div><input id=i value=v>"
        "<input id=c type=checkbox checked><p class=item>1</p><p class=item>2</p>"
    )
    outcome = await desk.call(
        "read",
        queries=[
            {"css": "#box", "attr": "box"},
            {"css": "#box", "attr": "style:color"},
            {"css": "#box", "attr": "data-kind"},
            {"css": "#box", "attr": "html"},
            {"css": "#i", "attr": "value"},
            {"css": "#c", "attr": "checked"},
            {"css": ".item", "attr": "count"},
            ".item",
            {"css": "#nope"},
            {"css": "p["},
            {"css": "#box", "attr": "href"},
        ],
    )
    assert outcome.data["values"] == [
        "10,20 30×40",
        "rgb(255, 0, 0)",
        "a",
        '<div id="box" data-kind="a">B</div>',
        "v",
        "true",
        "2",
        "1",
        None,
        None,
        None,
    ]
    for words in ("(first of 2)", "nothing matches #nope", "not a valid CSS", "has no attribute"):
        assert words in outcome.text


async def test_the_outline_names_what_can_be_used_and_is_bounded(desk: Desk) -> None:
    rows = "".join(
        f"<li>Row {number} of a long list of things to read</li>" for number in range(900)
    )
    await desk.show(
        "<h1>Shop</h1><form id=f><label>Name <input name=id></label><input name=children>"
        f"<button>Buy</button></form><a href=x.html>More</a><ul>{rows}</ul>"
    )
    text = (await desk.call("read")).text
    for words in ('heading 1 "Shop"', 'button "Buy"', 'link "More"', "textbox"):
        assert words in text
    assert "more li like these" in text
    assert len(text) < 6_000
