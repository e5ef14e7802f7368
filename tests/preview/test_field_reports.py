"""Public reports about browser tools for agents, each with what should happen instead.

A test carries the row's id in its name and the report (repository#number) in its docstring.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

from artifact_kit import Limits
from tests.preview.desk import HEAD, Desk, desk_at, picture

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
ROWS = [
    *(1, 2, 3, 4, 6, 7, 8, 11, 12, 13, 16, 18, 19, 21, 22, 23, 24, 25, 27, 28, 29, 31, 32, 33, 34),
    *(35, 36, 38, 39, 40, 41, 42, 43, 45, 46, 48, 49, 50, 51, 52, 53),
]
ELSEWHERE = {
    8: ("preview/test_hanging.py", "code_that_never_ends_is_stopped_and_the_page_lives_on"),
    21: ("hosts/test_mcp_lines.py", "a_server_that_ends_in_the_middle_of_a_call_leaves_nothing"),
    39: ("preview/test_hanging.py", "code_that_never_ends_is_stopped_and_the_page_lives_on"),
    48: ("hosts/test_mcp.py", "the_text_is_complete_and_the_structured_part_small"),
}
"""Rows about another part of the kit, or of a table of hanging code, and the test of each."""
OF_VISUAL_CHECKS = {41, 42, 43}
"""Rows about comparing pictures with stored ones, which the preview does not do."""

LOOP = "<p>x</p><button id=b onclick='for (;;);'>Loop</button>"
CLICK: dict[str, Any] = {"type": "click", "css": "#b"}


def test_every_row_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    here = {int(number) for number in re.findall(r"\nasync def test_p(\d+)_", source)}
    assert here | set(ELSEWHERE) | OF_VISUAL_CHECKS == set(ROWS)
    for file, name in ELSEWHERE.values():
        assert f"def test_{name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


async def test_p01_an_alert_while_loading_holds_nothing_up(desk: Desk) -> None:
    """microsoft/playwright#42817"""
    outcome = await desk.show("<p id=p>x</p><script>alert('first'); p.textContent = 'on'</script>")
    assert 'dialog: alert("first")' in outcome.text
    assert await desk.texts("#p") == ["on"]


async def test_p02_a_dialog_is_answered_by_policy_and_never_sticks(desk: Desk) -> None:
    """microsoft/playwright-mcp#595, #161; ChromeDevTools/chrome-devtools-mcp#713, #919, #2424;
    microsoft/playwright#41837"""
    await desk.show(
        "<p id=p>x</p><button id=b onclick=\"p.textContent = confirm('Sure?')\">Go</button>"
    )
    first = await desk.act(CLICK)
    assert 'dialog: confirm("Sure?"), answered OK' in first.text
    for _ in range(2):
        later = await desk.act({"type": "key", "key": "a"})
        assert later.status == "ok"
        assert "dialog" not in later.text
    assert await desk.texts("#p") == ["true"]


async def test_p03_uncaught_errors_stand_in_every_reply(desk: Desk) -> None:
    """microsoft/playwright-mcp#669"""
    await desk.show("<p>x</p><button id=b onclick='null.x'>Go</button>")
    assert "Uncaught TypeError: Cannot read properties of null" in (await desk.act(CLICK)).text
    code = "setTimeout(() => null.y); await new Promise((r) => setTimeout(r, 50))"
    assert "(reading 'y')" in (await desk.call("eval", code=code)).text


async def test_p04_rejections_are_told_with_their_reason_whatever_it_is(desk: Desk) -> None:
    """executeautomation/mcp-playwright PR 115"""
    outcome = await desk.show(
        "<p>x</p><script>Promise.reject('text'); Promise.reject({code: 5}); "
        "Promise.reject(new RangeError('far'))</script>"
    )
    for reason in ("text", "{code: 5}", "RangeError: far"):
        assert f"Uncaught (in promise) {reason}\n" in outcome.text


async def test_p06_every_message_has_its_place(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#903; microsoft/playwright#39687"""
    outcome = await desk.show("\n<p>x</p>\n\n\n<script>\n\n    console.warn('here');\n</script>")
    assert f"  warn: here  ({outcome.data['path']}:7:13)" in outcome.text


async def test_p07_what_the_policy_stops_is_listed(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#2181"""
    outcome = await desk.show("<p>x</p>\n<img src=https://pictures.example/a.png>")
    place = f"{outcome.data['path']}:2:10"
    assert f"image https://pictures.example/a.png ({place}) blocked" in outcome.text


async def test_p11_a_picture_of_a_stuck_page_has_its_own_deadline(quick: Desk) -> None:
    """hAcKlyc/MyAgents#60; vercel-labs/agent-browser#1437, PR 1189"""
    await quick.show(f"{LOOP}<script>setTimeout(() => {{ for (;;); }}, 50)</script>")
    await quick.act({"type": "wait", "ms": 100})
    await quick.call("shot")
    again = await quick.show("<p id=p>fresh</p>")
    assert again.status == "ok"
    assert (await quick.call("shot")).images


async def test_p12_a_busy_page_is_read_without_waiting_for_quiet(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#2338"""
    await desk.show(
        "<p id=n>0</p><script>setInterval(() => { n.textContent = +n.textContent + 1 }, 30)"
        "</script>"
    )
    first, second = [int(await desk.value("return n.textContent")) for _ in range(2)]
    assert second - first < 60


async def test_p13_a_picture_of_a_very_long_page_is_bounded_and_says_so(desk: Desk) -> None:
    """microsoft/playwright-mcp#817; anthropics/claude-code#9049"""
    await desk.show("<div style='height: 40000px; background: linear-gradient(red, blue)'>x</div>")
    outcome = await desk.call("shot", target="page")
    assert max(picture(outcome).size) <= 1568
    assert re.search(r"scaled to 0\.04 of 1280×400\d\d", outcome.text), outcome.text


async def test_p16_pictures_can_be_left_out(desk: Desk) -> None:
    """microsoft/playwright-mcp#1326"""
    await desk.show("<body style='background: #123456'>")
    outcome = await desk.call("shot", image="omit", save="p16.png")
    assert outcome.images == ()
    assert "1280×720, blank: one colour, #123456" in outcome.text
    assert "saved as p16.png" in outcome.text
    assert (desk.folder / "p16.png").stat().st_size > 0


async def test_p18_pages_are_capped_and_share_no_profile(quick: Desk) -> None:
    """microsoft/playwright-mcp#713, #769, #1294, #1299; ChromeDevTools/chrome-devtools-mcp#2052"""
    names = [f"p18-{number}" for number in range(4)]
    for name in names:
        await quick.show("<p id=p>x</p><script>localStorage.x ??= 'new'</script>",
                         conversation=name)  # fmt: skip
    pushed = await quick.call("read", conversation=names[0])
    assert pushed.status == "refused"
    assert "op open" in pushed.text
    for name in names[1:]:
        assert await quick.value("return localStorage.x", conversation=name) == "new"
        await quick.call("close", conversation=name)


async def test_p19_conversations_never_drive_each_others_page(desk: Desk) -> None:
    """microsoft/playwright-mcp#893; ChromeDevTools/chrome-devtools-mcp#1019, #1034, #926"""
    for name in ("one", "two"):
        await desk.show(f"<p id=p>{name}</p>", conversation=name)
    for name in ("one", "two", "one"):
        assert await desk.value("return p.textContent", conversation=name) == name
    await desk.call("eval", code="p.textContent = 'changed'", conversation="one")
    assert await desk.value("return p.textContent", conversation="two") == "two"
    for name in ("one", "two"):
        await desk.call("close", conversation=name)


async def test_p22_memory_does_not_grow_with_the_log(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#1192"""
    await desk.show("<p>x</p>")
    code = "for (let i = 0; i < 20000; i++) console.log(i + 'x'.repeat(1000))"
    await desk.call("eval", code=code)
    before = psutil.Process().memory_info().rss
    for _ in range(4):
        outcome = await desk.call("eval", code=code)
        assert "console (20000 new)" in outcome.text
        assert len(outcome.text) < 8_000
    assert psutil.Process().memory_info().rss - before < 40 * 2**20


async def test_p23_a_canvas_is_used_by_its_own_coordinates(desk: Desk) -> None:
    """microsoft/playwright-mcp#1148"""
    await desk.show(
        "<p>Above</p><canvas id=c width=200 height=100></canvas><p id=p></p><script>"
        "const g = c.getContext('2d'); g.fillStyle = 'lime'; g.fillRect(150, 60, 20, 20);"
        "c.onclick = (e) => { p.textContent = [...g.getImageData(e.offsetX, e.offsetY, 1, 1).data]}"
        "</script>"
    )
    await desk.act({"type": "click", "css": "#c", "x": 160, "y": 70})
    assert await desk.texts("#p") == ["0,255,0,255"]


async def test_p24_a_webgl_picture_shows_what_is_drawn(desk: Desk) -> None:
    """gamedevpl/www.gamedev.pl PR 1347"""
    await desk.show(
        "<canvas id=c width=200 height=100></canvas><script>const g = c.getContext('webgl');"
        "g.clearColor(1, 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT)</script>"
    )
    outcome = await desk.call("shot", target="canvas")
    assert picture(outcome).getpixel((100, 50)) == (255, 0, 0)
    assert "one colour, #ff0000" in outcome.text


async def test_p25_a_running_game_is_met_at_the_moment_that_counts(desk: Desk) -> None:
    """satelliteoflove/godot-mcp#247, PR 256, PR 262: one call waits for the moment, acts and says
    the numbers; what happens between calls is not held up."""
    await desk.show(
        "<p id=p></p><script>let x = 0, at; onkeydown = () => { at = x }; const t0 = Date.now();"
        "(function tick() { x = (Date.now() - t0) / 10; p.textContent = Math.round(x);"
        "requestAnimationFrame(tick) })()</script>"
    )
    outcome = await desk.act(
        {"type": "wait", "code": "return x >= 50"}, {"type": "key", "key": "Space"}
    )
    assert "until the condition" in outcome.text
    assert await desk.value("return at >= 50")


async def test_p27_a_click_says_what_it_hit_and_what_came_of_it(desk: Desk) -> None:
    """noemica-io/open-claude-in-chrome#40"""
    await desk.show(
        "<button id=b onclick='this.textContent = 1'>Go</button><p id=e style='height: 300px'></p>"
    )
    assert 'clicked <button id="b"> "Go"' in (await desk.act(CLICK)).text
    empty = await desk.act({"type": "click", "x": 400, "y": 200})
    assert 'clicked <p id="e"> at 400,200; focus lost' in empty.text
    again = await desk.act({"type": "click", "x": 400, "y": 200})
    assert 'clicked <p id="e"> at 400,200; nothing changed in the DOM' in again.text


async def test_p28_typing_reaches_the_state_of_a_framework(desk: Desk) -> None:
    """shaun0927/openchrome#295; rustwright#187; manaflow-ai/cmux#2058"""
    await desk.show(
        "<input id=i><p id=p></p><script>let known = '';"
        "const {get, set} = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');"
        "Object.defineProperty(i, 'value', {get, set(v) { known = v; set.call(this, v) }});"
        "i.oninput = () => { const v = get.call(i); if (v !== known) p.textContent = known = v }"
        "</script>"
    )
    await desk.act({"type": "type", "css": "#i", "text": "abc"})
    assert await desk.texts("#p") == ["abc"]


async def test_p29_a_drag_moves_on_its_way(desk: Desk) -> None:
    """browser-use/browser-use PR 1208; microsoft/playwright#4382"""
    await desk.show(
        "<div id=a draggable=true>Card</div><div id=z style='height: 90px'>Zone</div><p id=p></p>"
        "<script>let moves = 0; a.ondragstart = (e) => e.dataTransfer.setData('text', 'card');"
        "z.ondragover = (e) => { moves++; e.preventDefault() };"
        "z.ondrop = (e) => { p.textContent = e.dataTransfer.getData('text') + (moves > 1) }"
        "</script>"
    )
    await desk.act({"type": "drag", "css": "#a", "toCss": "#z"})
    assert await desk.texts("#p") == ["cardtrue"]


async def test_p31_inline_scripts_and_attributes_run(desk: Desk) -> None:
    """refactoringhq/tolaria#1082; nesquena/hermes-webui PR 209"""
    await desk.show(
        "<p id=p></p><script>p.textContent = 'ran'</script>"
        "<button id=b onclick=\"p.textContent += ' and clicked'\">Go</button>"
    )
    await desk.act(CLICK)
    assert await desk.texts("#p") == ["ran and clicked"]


async def test_p32_a_script_from_elsewhere_is_named_with_what_to_do(desk: Desk) -> None:
    """agentfront/frontmcp#447; shoelace-style/webawesome#2418"""
    outcome = await desk.show("<p>x</p><script src=https://cdn.example/lib@1/x.js></script>")
    assert "blocked (1): the preview has no network; put the file in the workspace" in outcome.text
    assert outcome.data["verdict"] == "degraded"


async def test_p33_files_of_every_kind_load_by_relative_address(desk: Desk) -> None:
    """ahmadrosid/nakama#1014; nexu-io/open-design PR 156; open-octo/octo-agent#1892"""
    desk.put("p33/a/style.css", "p { color: rgb(1, 2, 3); background: url(bg.svg) }")
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    for name in ("a/bg.svg", "a/two.svg", "a/dyn.svg"):
        desk.put(f"p33/{name}", svg)
    desk.put("p33/a/m.js", "import {n} from './n.js'; document.title = n")
    desk.put("p33/a/n.js", "export const n = 'loaded'")
    page = (
        f"{HEAD}<base href=a/><link rel=stylesheet href=style.css><p id=p>x</p>"
        "<img id=i srcset='two.svg 1x'><script type=module src=m.js></script>"
        "<script>const d = new Image(); d.src = 'dy' + 'n.svg'; window.dyn = d</script>"
    )
    outcome = await desk.call("open", path=desk.put("p33/index.html", page))
    assert outcome.data["verdict"] == "ok", outcome.text
    assert await desk.value(
        "return [getComputedStyle(p).color, i.naturalWidth, dyn.naturalWidth, document.title]"
    ) == ["rgb(1, 2, 3)", 9, 9, "loaded"]


async def test_p34_documents_of_every_kind_carry_the_policy(desk: Desk) -> None:
    """Shishir435/ollama-client PR 142"""
    code = "return (await fetch(location.href)).headers.get('content-security-policy').slice(0, 11)"
    for name, content in {"full.html": f"{HEAD}<p>x</p>", "part.html": "<p>x</p>"}.items():
        await desk.call("open", path=desk.put(name, content))
        assert await desk.value(code) == "default-src"


LEAVING = {
    "script": "<script>location.href = 'https://away.example/'</script>",
    "refresh": "<meta http-equiv=refresh content='0;url=https://away.example/'>",
    "link": "<a id=b href=https://away.example/>Away</a>",
}


@pytest.mark.parametrize("way", LEAVING)
async def test_p35_a_page_that_leaves_is_stopped_and_told_of(desk: Desk, way: str) -> None:
    """appstrate/appstrate#1000"""
    opened = await desk.show(f"<p id=p>still here</p>{LEAVING[way]}")
    last = await desk.act(CLICK) if way == "link" else opened
    assert "https://away.example/" in await desk.told(last.text, "https://away.example/")
    assert await desk.texts("#p") == ["still here"]


async def test_p36_not_one_packet_leaves(desk: Desk) -> None:
    """vercel-labs/agent-browser PR 1546; w3c/webappsec-csp#92; HilbertraumAI#254"""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.create_server(("127.0.0.1", 0)) as tcp,
    ):
        udp.bind(("127.0.0.1", 0))
        for listener in (udp, tcp):
            listener.setblocking(False)
        stun, web = udp.getsockname()[1], tcp.getsockname()[1]
        await desk.show(
            f"<link rel=preconnect href=http://127.0.0.1:{web}><link rel=dns-prefetch "
            f"href=//127.0.0.1:{web}><script>const pc = new RTCPeerConnection({{iceServers: "
            f"[{{urls: 'stun:127.0.0.1:{stun}'}}]}}); pc.createDataChannel('x');"
            "pc.createOffer().then((o) => pc.setLocalDescription(o))</script><p>x</p>"
        )
        await desk.act({"type": "wait", "ms": 700})
        with pytest.raises(BlockingIOError):
            udp.recv(1)
        with pytest.raises(BlockingIOError):
            tcp.accept()


async def test_p38_a_page_has_an_origin_of_its_own(desk: Desk) -> None:
    """CherryHQ/cherry-studio PR 18764; bytedance/deer-flow PR 1982"""
    code = "return [document.cookie, parent === window, opener, location.origin]"
    seen = set()
    for _ in range(2):
        await desk.show("<p>x</p>")
        cookie, is_top, opener, origin = await desk.value(code)
        assert (cookie, is_top, opener) == ("", True, None)
        seen.add(origin)
    assert len(seen) == 2


async def test_p40_a_page_that_does_not_move_gives_the_same_bytes(desk: Desk) -> None:
    """openwong2kim/wmux PR 1410: what moves by itself is told as such."""
    style = "<style>@keyframes s {to {rotate: 1turn}} #s {width: 90px; height: 9px; background: red"
    await desk.show(f"{style}}}</style><p id=s></p>")
    still = [(await desk.call("shot", target="#s")).images[0].data for _ in range(2)]
    assert still[0] == still[1]
    await desk.show(f"{style}; animation: s 1s infinite}}</style><p>x</p><p id=s></p>")
    assert "differ from the one before" in (await desk.call("shot", frames=3, every=120)).text


async def test_p45_a_page_that_fails_is_pictured_and_told_of(desk: Desk) -> None:
    """simonw/shot-scraper#150"""
    outcome = await desk.show("<p>x</p><script src=gone.js></script><script>null.x</script>")
    assert outcome.data["verdict"] == "broken"
    assert picture(await desk.call("shot")).size == (1280, 720)


async def test_p46_a_wait_holds_until_the_page_is_ready(desk: Desk) -> None:
    """simonw/shot-scraper#16, #72"""
    await desk.show(
        "<p>x</p><script>setTimeout(() => { document.body.append(Object.assign("
        "document.createElement('div'), {id: 'late', textContent: 'here'})) }, 700)</script>"
    )
    outcome = await desk.act({"type": "wait", "css": "#late"})
    assert outcome.status == "ok", outcome.text
    assert await desk.texts("#late") == ["here"]


async def test_p49_a_popup_is_reported(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#367"""
    await desk.show("<button id=b onclick=\"window.open('https://pop.example/')\">Pop</button>")
    assert "popup to https://pop.example/ was stopped" in (await desk.act(CLICK)).text


async def test_p50_code_that_navigates_is_answered_in_words(desk: Desk) -> None:
    """ChromeDevTools/chrome-devtools-mcp#1894"""
    await desk.show("<p id=p>x</p>")
    outcome = await desk.call("eval", code="location.href = '/x'; return 'said'")
    assert outcome.status == "ok", outcome.text
    words = "navigation to x was stopped"
    assert words in await desk.told(outcome.text, words)
    assert await desk.texts("#p") == ["x"]


async def test_p51_an_error_in_a_handler_costs_nobody_else(desk: Desk) -> None:
    """microsoft/playwright PR 40452"""
    await desk.show(
        "<p id=p>x</p><button id=b>Go</button><script>b.onclick = async () => { await 0; throw 1 };"
        "onmousemove = () => { throw new Error('moved') }</script>"
    )
    outcome = await desk.act(CLICK)
    assert outcome.status == "ok"
    for words in ("Uncaught (in promise) 1", "Uncaught Error: moved"):
        assert words in outcome.text
    assert await desk.texts("#p") == ["x"]


@pytest.mark.skipif(sys.platform != "linux", reason="finds a renderer by /proc")
async def test_p52_a_killed_renderer_is_told_and_the_next_page_opens(tmp_path: Path) -> None:
    """Measured on other servers: one answers from a blank page, one hangs every later call."""

    def renderers() -> set[int]:
        mine = psutil.Process().children(recursive=True)
        with_type = ((each, " ".join(each.cmdline())) for each in mine if each.is_running())
        return {each.pid for each, line in with_type if "--type=renderer" in line}

    async with desk_at(tmp_path, Limits(busy_s=1)) as desk:
        before = renderers()
        await desk.show("<p>x</p>")
        for pid in renderers() - before:
            os.kill(pid, signal.SIGKILL)
        outcome = await desk.call("read")
        assert "the page crashed" in outcome.text
        assert "op open" in outcome.text
        assert (await desk.show("<p>again</p>")).status == "ok"


async def test_p53_a_busy_page_is_blamed_and_not_the_selector(quick: Desk) -> None:
    """Measured on pydantic-ai-harness."""
    await quick.show(LOOP)
    outcome = await quick.act(CLICK)
    assert "the page did not respond" in outcome.text
    assert "endless loop?" in outcome.text
    assert "nothing matches" not in outcome.text
    with anyio.fail_after(20):
        assert (await quick.call("read")).status == "ok"
