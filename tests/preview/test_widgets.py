"""The widgets that artifacts are made of, used as a person uses them: with trusted input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.preview.desk import HEAD

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

FORGED = (
    "<script>window.forged = []; for (const type of ['click', 'input', 'change', 'keydown', "
    "'pointermove', 'dragstart', 'drop', 'submit', 'toggle', 'wheel', 'focus'])"
    " addEventListener(type, (e) => { if (!e.isTrusted) forged.push(type) }, true)</script>"
)


async def use(desk: Desk, body: str, *actions: dict[str, Any]) -> str:
    """The reply to these actions on a page, none of whose events was forged."""
    await desk.show(FORGED + body)
    outcome = await desk.act(*actions)
    assert outcome.status == "ok", outcome.text
    assert await desk.value("return forged") == []
    return outcome.text


CONTROLLED = """<input id=i><p id=p></p><script>
// As React does: what is set from outside is written back unless an input event tells of it.
const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
let state = '', tracked = '';
Object.defineProperty(i, 'value', {
  get() { return own.get.call(this) }, set(v) { tracked = String(v); own.set.call(this, v) }});
i.addEventListener('input', () => {
  if (own.get.call(i) === tracked) return;
  state = own.get.call(i).toUpperCase(); i.value = state; p.textContent = state; });
</script>"""


async def test_a_controlled_input_keeps_what_is_typed(desk: Desk) -> None:
    text = await use(desk, CONTROLLED, {"type": "type", "css": "#i", "text": "ab c"})
    assert 'it now holds "AB C"' in text
    assert await desk.texts("#p", "#i") == ["AB C", "AB C"]


async def test_an_editor_takes_text_keys_and_formats(desk: Desk) -> None:
    text = await use(
        desk,
        "<div id=e contenteditable><p>One</p></div><p id=n></p>"
        "<script>e.oninput = () => { n.textContent = e.textContent.length }</script>",
        {"type": "type", "css": "#e", "text": " two"},
        {"type": "key", "key": "Enter"},
        {"type": "type", "text": "three"},
        {"type": "key", "key": "Control+a"},
        {"type": "key", "key": "Control+b"},
    )
    assert 'it now holds "One two' in text
    assert await desk.value("return [e.innerText, !!e.querySelector('b'), n.textContent]") == [
        "One two\n\nthree",
        True,
        "12",
    ]


async def test_a_slider_moves_by_drag_by_keys_and_by_value(desk: Desk) -> None:
    await use(
        desk,
        "<input id=r type=range min=0 max=100 value=0 style='width: 200px'><p id=p></p>"
        "<script>r.oninput = () => { p.textContent = r.value }</script>",
        {"type": "drag", "css": "#r", "x": 8, "toCss": "#r", "toX": 100},
        {"type": "key", "key": "ArrowRight"},
    )
    moved = int((await desk.texts("#p"))[0] or 0)
    assert 46 <= moved <= 56
    await desk.act({"type": "type", "css": "#r", "text": "80"})
    assert await desk.texts("#p") == ["80"]


async def test_a_dialog_holds_the_focus_and_closes(desk: Desk) -> None:
    body = (
        "<button id=o onclick='d.showModal()'>Open</button><input id=behind><dialog id=d>"
        "<form method=dialog><input id=n><button id=k value=kept>Keep</button></form></dialog>"
        "<p id=p></p><script>d.onclose = () => { p.textContent = d.returnValue }</script>"
    )
    text = await use(desk, body, {"type": "click", "css": "#o"})
    assert 'focus on <input id="n"' in text
    blocked = await desk.act({"type": "click", "css": "#behind"})
    assert blocked.status == "failed"
    assert '<dialog id="d">' in blocked.text
    done = await desk.act({"type": "click", "css": "#k"})
    assert 'changed: <p id="p"> "kept"' in done.text
    await desk.act({"type": "click", "css": "#o"})
    assert await desk.value("return d.open") is True
    await desk.act({"type": "key", "key": "Escape"})
    assert await desk.value("return d.open") is False


async def test_details_open_and_their_content_can_be_clicked(desk: Desk) -> None:
    text = await use(
        desk,
        "<details id=d><summary>More</summary><button id=b onclick='p.textContent = 1'>In</button>"
        "</details><p id=p>0</p>",
        {"type": "click", "text": "More"},
        {"type": "click", "css": "#b"},
    )
    assert "a control changed its state" in text
    assert await desk.texts("#p") == ["1"]


GAME = """<canvas id=c width=300 height=100></canvas><script>
const g = c.getContext('2d'); const keys = new Set(); let x = 10, frames = 0;
addEventListener('keydown', (e) => keys.add(e.code));
addEventListener('keyup', (e) => keys.delete(e.code));
c.onpointerdown = (e) => { window.shot = [e.offsetX, e.offsetY] };
(function tick() {
  if (keys.has('ArrowRight')) { x += 1; frames += 1; }
  g.clearRect(0, 0, 300, 100); g.fillRect(x, 40, 20, 20); requestAnimationFrame(tick);
})();</script>"""


async def test_a_game_moves_while_its_key_is_held(desk: Desk) -> None:
    text = await use(desk, GAME, {"type": "key", "key": "ArrowRight", "ms": 400})
    assert "pressed ArrowRight for 400 ms" in text
    held = await desk.value("return frames")
    assert held > 3
    await desk.act({"type": "wait", "ms": 60})
    assert await desk.value("return frames") == held


async def test_a_point_of_a_canvas_is_counted_from_its_corner(desk: Desk) -> None:
    await use(desk, f"<p>Above</p>{GAME}", {"type": "click", "css": "#c", "x": 30, "y": 45})
    assert await desk.value("return shot") == [30, 45]


SORTABLE = """<style>li { height: 30px } #at { position: fixed; bottom: 0 }</style>
<ul id=l><li draggable=true>a<li draggable=true>b<li draggable=true>c</ul><script>
let held, overs = 0;
l.addEventListener('dragstart', (e) => { held = e.target; e.dataTransfer.setData('text', '1') });
l.addEventListener('dragover', (e) => { e.preventDefault(); overs += 1 });
l.addEventListener('drop', (e) => { e.preventDefault(); e.target.closest('li').after(held) });
</script>"""


async def test_a_list_is_sorted_by_dragging(desk: Desk) -> None:
    text = await use(
        desk, SORTABLE, {"type": "drag", "css": "li:first-child", "toCss": "li:last-child"}
    )
    assert "dragged <li>" in text
    assert await desk.value("return [l.textContent.replace(/\\W/g, ''), overs > 1]") == [
        "bca",
        True,
    ]


KNOB = """<style>#k { position: absolute; left: 20px; top: 60px; width: 40px; height: 40px;
background: teal; touch-action: none }</style><div id=k></div><p id=p></p><script>
let moves = 0, from;
k.onpointerdown = (e) => { from = e.clientX - k.offsetLeft; k.setPointerCapture(e.pointerId) };
k.onpointermove = (e) => { if (from === undefined) return; moves += 1;
  k.style.left = e.clientX - from + 'px' };
k.onpointerup = () => { from = undefined; p.textContent = k.offsetLeft + ' ' + (moves > 5) };
</script>"""


async def test_a_drag_by_pointer_moves_on_its_way(desk: Desk) -> None:
    await use(desk, KNOB, {"type": "drag", "css": "#k", "toX": 240, "toY": 80})
    assert await desk.texts("#p") == ["220 true"]


async def test_open_shadow_roots_are_reached_and_closed_ones_by_their_place(desk: Desk) -> None:
    button = "<button onclick=\"top.hit = (top.hit || '') + this.id; this.append(this.id)\" "
    await desk.show(
        "<div id=a></div><div id=b></div><p>Text</p><script>"
        f"a.attachShadow({{mode: 'open'}}).innerHTML = `{button} id=o>Open</button>`;"
        f"b.attachShadow({{mode: 'closed'}}).innerHTML = `{button} id=c>Closed</button>`</script>"
    )
    assert 'button #o "Open"' in (await desk.call("read")).text
    outcome = await desk.act({"type": "click", "css": "#o"})
    assert outcome.status == "ok", outcome.text
    assert 'changed: <button id="o"> "Openo"' in outcome.text
    hidden = await desk.act({"type": "click", "css": "#c"})
    assert "nothing matches #c" in hidden.text
    await desk.act({"type": "click", "css": "#b", "x": 20, "y": 10})
    assert await desk.value("return hit") == "oc"


async def test_a_frame_of_the_artifact_is_used_like_the_page(desk: Desk) -> None:
    desk.put("form.html", f"{HEAD}<input id=n><p id=out></p><script>n.oninput = () => "
             "{ out.textContent = n.value }</script>")  # fmt: skip
    await desk.show("<p>Top</p><iframe src=form.html></iframe>")
    outcome = await desk.act({"type": "type", "css": "#n", "text": "in"})
    assert 'into <input id="n" type="text">, it now holds "in"' in outcome.text
    assert 'changed: <p id="out"> "in"' in outcome.text
    assert await desk.texts("#out") == ["in"]


async def test_tab_goes_through_the_controls_in_their_order(desk: Desk) -> None:
    text = await use(
        desk,
        "<button id=c tabindex=0>C</button><input id=a tabindex=1><a id=l href='#'>L</a>"
        "<button id=x disabled>X</button><select id=s><option>1</select>",
        *[{"type": "key", "key": "Tab"}] * 4,
        {"type": "key", "key": "Shift+Tab"},
    )
    order = [line.split("focus on ")[1][:12] for line in text.splitlines() if "focus on" in line]
    assert order == ['<input id="a', '<button id="', '<a id="l"> "', '<select id="', '<a id="l"> "']


MENU = """<style>#m ul { display: none } #m:hover ul { display: block }</style>
<nav id=m><b>File</b><ul><li id=s onclick="p.textContent = 'saved'">Save</ul></nav><p id=p></p>"""


async def test_a_menu_that_opens_under_the_pointer_is_used(desk: Desk) -> None:
    await use(desk, MENU, {"type": "hover", "css": "#m b"}, {"type": "click", "css": "#s"})
    assert await desk.texts("#p") == ["saved"]


async def test_double_and_right_clicks_arrive_as_such(desk: Desk) -> None:
    text = await use(
        desk,
        "<p id=t>Name</p><p id=p></p><script>t.ondblclick = () => { t.contentEditable = true };"
        "t.oncontextmenu = (e) => { e.preventDefault(); p.textContent = 'menu ' + e.button }"
        "</script>",
        {"type": "click", "css": "#t", "count": 2},
        {"type": "click", "css": "#t", "button": "right"},
    )
    assert "clicked 2 times on" in text
    assert await desk.value("return t.isContentEditable") is True
    assert await desk.texts("#p") == ["menu 2"]


async def test_boxes_and_choices_follow_a_click_on_their_label(desk: Desk) -> None:
    text = await use(
        desk,
        "<label><input id=a type=checkbox> Agree</label><label><input name=r type=radio value=1> "
        "One</label><label><input name=r type=radio value=2> Two</label>",
        {"type": "click", "text": "Agree"},
        {"type": "click", "text": "Two"},
    )
    assert "a control changed its state" in text
    assert await desk.value("return [a.checked, document.querySelector('[value=\"2\"]').checked]")


async def test_a_form_is_sent_by_enter_and_says_what_is_missing(desk: Desk) -> None:
    body = (
        "<form id=f><input id=n required><button>Send</button></form><p id=p></p><script>"
        "f.onsubmit = (e) => { e.preventDefault(); p.textContent = 'sent ' + n.value }</script>"
    )
    text = await use(desk, body, {"type": "click", "text": "Send"})
    assert await desk.texts("#p") == [""]
    assert 'focus on <input id="n"' in text
    await desk.act({"type": "type", "css": "#n", "text": "x"}, {"type": "key", "key": "Enter"})
    assert await desk.texts("#p") == ["sent x"]


async def test_choosing_in_a_framework_select_and_a_list(desk: Desk) -> None:
    await use(
        desk,
        "<select id=s multiple><option>a<option>b</select><select id=t><optgroup label=G>"
        "<option value=1>One<option value=2>Two</optgroup></select><p id=p></p>"
        "<script>t.onchange = () => { p.textContent = t.value }</script>",
        {"type": "select", "css": "#t", "value": "Two"},
    )
    assert await desk.texts("#p") == ["2"]
