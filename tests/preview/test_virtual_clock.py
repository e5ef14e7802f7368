"""The virtual clock: the page's time moves when it is told to, and repeats itself."""

from __future__ import annotations

import dataclasses
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from artifact_kit import Limits, Toolkit, Workspace
from artifact_kit.browser import provide
from tests.preview import moving_pages
from tests.preview.desk import Desk, desk_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.anyio

GAME = """<canvas id=c width=600 height=100></canvas><script>
let x = 10, last = null, frames = 0; const held = new Set(), times = [], pen = c.getContext('2d');
onkeydown = (e) => held.add(e.key); onkeyup = (e) => held.delete(e.key);
function tick(time) {
  frames += 1; times.push(time);
  if (last !== null && held.has('ArrowRight')) x += (time - last) * 0.12;
  last = time; pen.clearRect(0, 0, 600, 100); pen.fillRect(x, 40, 20, 20);
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
</script>"""


async def show(desk: Desk, body: str, **options: Any) -> str:
    outcome = await desk.show(body, clock="virtual", **options)
    assert outcome.status == "ok", outcome.text
    return outcome.text


async def test_a_held_key_moves_a_game_as_far_as_its_own_physics_says(desk: Desk) -> None:
    await show(desk, GAME)
    assert await desk.value("return x") == 10
    await desk.act({"type": "key", "key": "ArrowRight", "ms": 500}, {"type": "step", "frames": 9})
    assert await desk.value("return x") == pytest.approx(10 + 500 * 0.12)


async def test_each_frame_is_drawn_once_and_timers_come_in_their_order(desk: Desk) -> None:
    order = "setInterval(() => log.push('i'), 40); setTimeout(() => log.push('t'), 85)"
    await show(desk, f"{GAME}<script>const log = []; {order}</script>")
    begun = await desk.value("return [frames, performance.now()]")
    told = await desk.act({"type": "wait", "ms": 5000})
    assert f"waited 5000 ms (at {begun[1] + 5000:.0f} ms)" in told.text
    frames, now, log = await desk.value("return [frames, performance.now(), log]")
    assert frames - begun[0] == 300
    assert now == pytest.approx(begun[1] + 5000, abs=0.11)
    assert log[:4] == ["i", "i", "t", "i"]
    steps = await desk.value("return times.slice(1).map((t, i) => Math.round((t - times[i])*10))")
    assert set(steps) <= {166, 167}


async def test_a_call_lets_more_time_pass_than_it_has_itself(quick: Desk) -> None:
    await show(quick, GAME)
    told = await quick.act({"type": "wait", "ms": 4000}, {"type": "step", "ms": 4000})
    assert told.status == "ok", told.text
    assert await quick.value("return frames") == 482


# An image that is decoded beside fetches may come one place later on a very busy machine (3 runs
# in 100 beside three endless loops): by hand, in tests/soak/clock.py.
@pytest.mark.parametrize("kind", [kind for kind in moving_pages.PAGES if kind != "data"])
async def test_the_same_acts_give_the_same_bytes(kind: str, desk: Desk) -> None:
    moving_pages.put_files(desk)
    path = desk.put(f"{kind}.html", moving_pages.PAGES[kind])
    assert await moving_pages.run(desk, path) == await moving_pages.run(desk, path)


async def test_another_seed_gives_another_chance_and_the_epoch_is_fixed(desk: Desk) -> None:
    code = "return [Math.random(), crypto.getRandomValues(new Uint8Array(4)).join(), Date.now()]"
    given = []
    for seed in (1, 1, 2):
        await show(desk, "<p>x</p>", seed=seed)
        given.append(await desk.value(code))
    assert given[0] == given[1]
    assert given[0][:2] != given[2][:2]
    assert given[0][2] == given[2][2] == 1_767_225_600_033


async def test_files_modules_fonts_workers_pictures_and_awaits_come_without_a_hang(
    desk: Desk,
) -> None:
    moving_pages.put_files(desk)
    desk.put("w.js", "onmessage = (e) => postMessage(e.data * 2)")
    await show(
        desk,
        "<p id=p></p><img id=i src=four.gif><script type=module>import {a} from './a.js';"
        "const {b} = await import('./b.js'); const j = await (await fetch('x.json')).json();"
        "await i.decode(); await new Promise((done) => setTimeout(done, 400));"
        "const w = new Worker('w.js'); w.postMessage(21);"
        "w.onmessage = (e) => { p.textContent = [a, b, j.a, e.data].join() };</script>",
    )
    await desk.act({"type": "wait", "code": "return p.textContent !== ''"})
    assert await desk.texts("#p") == ["1,2,1,42"]
    assert await desk.value("await new Promise((r) => setTimeout(r, 2000)); return 7") == 7


@pytest.mark.parametrize(
    "chain",
    [
        "(function next() { setTimeout(next, 0) })()",
        "const c = new MessageChannel(); c.port1.onmessage = () => c.port2.postMessage(0);"
        "c.port2.postMessage(0)",
    ],
    ids=["timers without delay", "messages"],
)
async def test_a_chain_of_tasks_without_end_lets_time_pass(chain: str, desk: Desk) -> None:
    await show(desk, f"<p>x</p><script>{chain}</script>")
    assert "waited 100 ms" in (await desk.act({"type": "wait", "ms": 100})).text


async def test_a_microtask_loop_is_stopped_like_any_other(quick: Desk) -> None:
    loop = "onclick = () => { (function next() { Promise.resolve().then(next) })() }"
    await show(quick, f"<p>x</p><script>{loop}</script>")
    stuck = await quick.act({"type": "click", "x": 20, "y": 20})
    assert stuck.is_error
    assert "did not respond" in stuck.text
    await show(quick, "<p>next</p>")


async def test_what_no_virtual_clock_moves_is_named(desk: Desk) -> None:
    desk.put("idle.js", "")
    opened = await show(desk, "<p>x</p><script>new Worker('idle.js'); new AudioContext()</script>")
    assert "the virtual clock does not steer audio" in opened
    assert "the virtual clock does not steer the timers" in opened
    assert "virtual clock does not" not in (await desk.show("<p>x</p>")).text


async def test_time_stands_still_between_calls(desk: Desk) -> None:
    """openwong2kim/wmux PR 1410 (P40): a spinner gives identical bytes twice."""
    spin = "@keyframes s {to {rotate: 1turn}} #s {width: 90px; height: 9px; background: red;"
    await show(desk, f"<style>{spin} animation: s 1s infinite}}</style><p>x</p><p id=s></p>")
    first, second = [(await desk.call("shot")).images[0].data for _ in range(2)]
    assert first == second
    await desk.act({"type": "step", "frames": 1})
    assert (await desk.call("shot")).images[0].data != first


async def test_a_ball_is_where_half_a_second_takes_it(desk: Desk) -> None:
    """satelliteoflove/godot-mcp#247, PR 256, PR 262 (P25): 100 px/s, step 500."""
    ball = "let x = 0, last = performance.now(); (function move() { const now = performance.now();"
    await show(desk, f"<script>{ball} x += (now - last) / 10; last = now;"
               "requestAnimationFrame(move) })()</script><p>x</p>")  # fmt: skip
    before = await desk.value("return x")
    told = await desk.act({"type": "step", "ms": 500})
    assert "500 ms passed (at 533 ms)" in told.text
    assert await desk.value("return x") - before == pytest.approx(50)


async def test_dragging_scrolling_and_frames_work_while_time_stands(desk: Desk) -> None:
    await desk.call("open", path="kanban/index.html", clock="virtual")
    dragged = await desk.act({"type": "drag", "css": ".task", "toCss": "#done"})
    assert dragged.status == "ok", dragged.text
    await show(desk, "<iframe srcdoc='<button onclick=\"parent.hit = 1\">in</button>'></iframe>"
               "<div style='height:3000px'>")  # fmt: skip
    await desk.act({"type": "click", "text": "in"}, {"type": "scroll", "dy": 300, "x": 9, "y": 400})
    assert await desk.value("return [hit, scrollY]") == [1, 300]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"op": "open", "path": "p.html", "seed": 3}, "seed is for the virtual clock"),
        ({"op": "act", "actions": [{"type": "step", "frames": 1}]}, "this page's clock is real"),
    ],
)
async def test_on_the_real_clock_nothing_of_it_is_taken(
    call: dict[str, Any], said: str, desk: Desk
) -> None:
    desk.put("p.html", "<p>x</p>")
    await desk.show("<p>x</p>")
    outcome = await desk.call(**call)
    assert outcome.status == "refused"
    assert said in outcome.text


async def test_more_time_than_a_call_lets_pass_is_refused_with_the_number(desk: Desk) -> None:
    await show(desk, "<p>x</p>")
    refused = await desk.act({"type": "wait", "ms": 100_000}, {"type": "step", "frames": 3000})
    assert refused.status == "refused"
    assert f"one call has {Limits().virtual_s * 1000:.0f} ms" in refused.text


async def test_a_call_that_ends_early_says_how_much_time_has_passed(tmp_path: Path) -> None:
    limits = dataclasses.replace(Limits(), call_s=4.0, virtual_s=10_000.0)
    async with desk_at(tmp_path, limits) as desk:
        await show(desk, GAME)
        late = await desk.act({"type": "wait", "ms": 9_000_000})
        assert late.status == "failed"
        assert "ms of the page's time" in late.text
        assert await desk.value("return frames") > 10


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Of a browser that somebody else started."""
    chromium = await provide()
    assert chromium.executable is not None
    options = ["--headless", "--no-sandbox", "--remote-debugging-port=0"]
    with subprocess.Popen(  # noqa: ASYNC220 -- it is killed, not awaited
        [chromium.executable, *options, f"--user-data-dir={tmp_path}/remote"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        while "DevTools listening on" not in (line := process.stderr.readline()):
            assert line, "the browser ended"
        yield line.split()[-1]
        process.kill()


async def test_a_browser_that_cannot_do_it_is_never_used_in_real_time(address: str) -> None:
    async with Toolkit(Workspace("memory://"), browser=address) as kit:
        await kit.call("write_file", {"path": "a.html", "content": "<p>x</p>"})
        asked = {"op": "open", "path": "a.html", "clock": "virtual"}
        refused = await kit.call("preview", asked)
        assert refused.status == "refused"
        assert "needs Chromium's headless shell" in refused.text
        assert 'clock "real"' in refused.text
