"""What the virtual clock keeps exact: motion that nobody looks at, answers, input, calls that end
early; and how it stays bounded where a page gives it no peace."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
import time
from typing import TYPE_CHECKING, Any, ClassVar

import psutil
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit import Limits, Toolkit, Workspace
from tests.preview import moving_pages
from tests.preview.desk import HEAD, Desk, desk_at, picture
from tests.preview.test_virtual_clock import GAME

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

BUTTON = "<button id=b style='position:fixed;top:0;right:0'>Go</button><p id=p></p>"
CLICK: dict[str, Any] = {"type": "click", "css": "#b"}
LOG = "<script>const log = [], say = (...words) => log.push(words.join(' '));</script>"


def waiting(ms: int) -> dict[str, Any]:
    return {"type": "wait", "ms": ms}


async def show(desk: Desk, body: str, **options: Any) -> str:
    outcome = await desk.show(f"{BUTTON}{LOG}{body}", clock="virtual", **options)
    assert outcome.status == "ok", outcome.text
    return outcome.text


async def test_open_says_how_time_goes(desk: Desk) -> None:
    assert "clock: virtual, at 33 ms, seed 9" in await show(desk, "<p>x</p>", seed=9)
    assert "clock" not in (await desk.show("<p>x</p>")).text


async def test_what_the_compositor_would_animate_moves_in_frames_that_nobody_sees(
    desk: Desk,
) -> None:
    await show(
        desk,
        """<style>#a { width: 9px; height: 9px; transition: transform .4s linear }
        #a.on { transform: translateX(400px) } @keyframes k { to { transform: translateX(300px) } }
        #c.on { animation: k .3s linear }</style><div id=a></div><div id=c>c</div><div id=d>d</div>
        <script>const left = (e) => Math.round(e.getBoundingClientRect().left - 8);
        ontransitionend = () => say('transition', performance.now());
        onanimationend = () => say('animation', performance.now());
        setTimeout(() => { a.className = c.className = 'on';
        d.animate([{transform: 'none'}, {transform: 'translateX(150px)'}], {duration: 300})
        .finished.then(() => say('finished', performance.now())) }, 100);
        requestAnimationFrame(function f(t) { if (t === 200) say(left(a), left(c), left(d));
        requestAnimationFrame(f) })</script>""",
    )
    await desk.act(waiting(700))
    ends = ["finished 400", "animation 400", "transition 500"]
    assert await desk.value("return log") == ["100 100 50", *ends]


async def test_scrolls_and_view_transitions_that_take_time_end_in_time(desk: Desk) -> None:
    await show(
        desk,
        """<div style='height:5000px'></div><script>onscrollend = () => say('scrolled', scrollY);
        b.onclick = () => { scrollTo({top: 3000, behavior: 'smooth'});
        document.startViewTransition(() => { p.textContent = 'x' }).finished
        .then(() => say('shown', performance.now() < 400)) }</script>""",
    )
    await desk.act(CLICK, waiting(1500))
    assert await desk.value("return log") == ["shown true", "scrolled 3000"]


async def test_a_gif_shows_the_picture_of_the_moment(desk: Desk) -> None:
    moving_pages.put_files(desk)
    await show(desk, "<img id=i src=four.gif width=60 height=60>")
    seen = []
    for step in (100, 17, 120, 120, 120):
        await desk.act({"type": "step", "ms": step})
        seen.append(picture(await desk.call("shot", target="#i")).getpixel((30, 30)))
    red, lime, blue, yellow = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
    assert seen == [red, lime, blue, yellow, red]


async def test_input_is_stamped_with_the_time_of_the_page(desk: Desk) -> None:
    await show(
        desk,
        """<input id=i><script>for (const kind of ['click', 'pointerdown', 'mousemove', 'keydown'])
        addEventListener(kind, (e) => say(kind, e.timeStamp === performance.now()), true);</script>
        """,
    )
    await desk.act(CLICK, {"type": "type", "css": "#i", "text": "a"}, waiting(100), CLICK)
    said = set(await desk.value("return log"))
    assert said == {f"{kind} true" for kind in ("click", "pointerdown", "mousemove", "keydown")}


async def test_what_chromium_does_in_idle_time_is_done(desk: Desk) -> None:
    await show(
        desk,
        """<canvas id=c width=9 height=9></canvas><script>
        requestIdleCallback((idle) => { let asked = 0; while (idle.timeRemaining() > 0) asked += 1;
        say('idle', asked) }); cancelIdleCallback(requestIdleCallback(() => say('never')));
        c.toBlob((blob) => say(blob.type, blob.size > 50))</script>""",
    )
    await desk.act(waiting(20))
    assert sorted(await desk.value("return log")) == ["idle 50", "image/png true"]


async def test_answers_take_no_time_and_come_in_the_order_of_the_questions(desk: Desk) -> None:
    moving_pages.put_files(desk)
    names = ["big.txt", "x.json", "a.js", "four.gif", "none.txt", "b.js"]
    await show(
        desk,
        f"""<script>b.onclick = () => {{ const now = performance.now();
        for (const name of {names}) fetch(name).then((r) => r.blob())
        .then(() => say(name, performance.now() - now)) }};</script>""",
    )
    await desk.act(CLICK)
    assert await desk.value("return log") == [f"{name} 0" for name in names]


async def test_what_is_done_beside_the_page_takes_no_time(desk: Desk) -> None:
    moving_pages.put_files(desk)
    await show(
        desk,
        """<script>b.onclick = async () => { const begun = performance.now();
        const xhr = new XMLHttpRequest(); xhr.open('GET', 'x.json', false); xhr.send();
        await crypto.subtle.digest('SHA-256', new Uint8Array(2e6));
        await createImageBitmap(await (await fetch('four.gif')).blob());
        const db = await new Promise((done) => { const open = indexedDB.open('d');
        open.onupgradeneeded = () => open.result.createObjectStore('s');
        open.onsuccess = () => done(open.result) });
        await new Promise((done) => { const write = db.transaction('s', 'readwrite');
        write.objectStore('s').put(1, 2); write.oncomplete = done });
        const {b} = await import('./b.js');
        say(xhr.responseText, b, performance.now() - begun) }</script>""",
    )
    await desk.act(CLICK)
    assert await desk.value("return log") == ['{"a": 1} 2 0']


async def test_a_page_may_load_itself_anew_in_the_midst_of_a_wait(desk: Desk) -> None:
    await show(
        desk,
        """<script>const times = JSON.parse(sessionStorage.times || '[]');
        sessionStorage.times = JSON.stringify([...times, Date.now() % 1000]);
        if (times.length < 2) setTimeout(() => location.reload(), 120);</script>""",
    )
    told = await desk.act(waiting(500))
    assert "waited 500 ms (at 533 ms)" in told.text
    assert "the page reloaded itself ×2" in told.text
    assert await desk.value("return sessionStorage.times") == [0, 120, 240]


async def test_frames_within_the_page_have_the_same_time(desk: Desk) -> None:
    follow = "requestAnimationFrame(function f(t) { window.at = t; requestAnimationFrame(f) })"
    desk.put("inner.html", f"{HEAD}<script>{follow}</script>")
    await show(
        desk,
        f"""<script>window.late = []; {follow}</script><iframe id=f src=inner.html></iframe>
        <iframe id=g srcdoc="<script>{follow}; setInterval(() => parent.late.push(Math.round(
        performance.now())), 100)</script>"></iframe>""",
    )
    await desk.act(waiting(300))
    code = "return [at, f.contentWindow.at, g.contentWindow.at, late]"
    assert await desk.value(code) == [333.3, 333.3, 333.3, [100, 200, 300]]


async def test_a_call_that_is_cut_off_leaves_the_time_right(desk: Desk) -> None:
    await show(desk, GAME)
    for seconds in (0.1, 0.25, 0.4):
        call = asyncio.create_task(desk.act(waiting(60_000)))
        await asyncio.wait({call}, timeout=seconds)
        call.cancel()
        assert (await call).status == "aborted"
        now = await desk.value("return performance.now()")
        told = await desk.act({"type": "step", "frames": 6})
        frames, later = await desk.value("return [frames, performance.now()]")
        assert f"(at {later:.0f} ms)" in told.text
        assert later - now < 7 * 1000 / 60
        assert frames == round(later * 60 / 1000)


@pytest.mark.skipif(sys.platform != "linux", reason="finds a renderer by its command line")
async def test_a_page_that_crashes_in_the_midst_of_a_wait_is_told(tmp_path: Path) -> None:
    async with desk_at(tmp_path) as desk:
        await show(desk, GAME)
        call = asyncio.create_task(desk.act(waiting(100_000)))
        await asyncio.wait({call}, timeout=0.2)
        for each in psutil.Process().children(recursive=True):
            if "--type=renderer" in " ".join(each.cmdline()):
                each.kill()
        assert "the page crashed" in (await call).text
        await show(desk, "<p>next</p>")


async def test_sessions_side_by_side_have_their_own_time(desk: Desk) -> None:
    path = desk.put("physics.html", moving_pages.PAGES["physics"])
    runs = [moving_pages.run(desk, path, conversation) for conversation in ("one", "two")]
    one, two = await asyncio.gather(*runs)
    assert one == two
    for conversation in ("one", "two"):
        await desk.call("close", conversation=conversation)


async def test_a_conversation_goes_from_one_clock_to_the_other(desk: Desk) -> None:
    for clock, still in (("virtual", True), ("real", False), ("virtual", True)):
        await desk.show("<p>x</p>", clock=clock)
        times = [await desk.value("return performance.now()") for _ in range(2)]
        assert (times[0] == times[1]) is still
        assert (times[0] == 33.3) is still


ENDLESS = {
    "fetches": "fetch('x.json').then(next, next)",
    "images": "const i = new Image; i.onload = i.onerror = next; i.src = 'four.gif?' + Date.now()",
    "loads": "location.reload()",
}


@pytest.mark.parametrize("chain", ENDLESS)
async def test_a_page_that_asks_without_end_is_left_to_run(chain: str, desk: Desk) -> None:
    moving_pages.put_files(desk)
    await show(desk, f"<script>b.onclick = function next() {{ {ENDLESS[chain]} }}</script>")
    for action in (CLICK, waiting(100), CLICK):
        told = await desk.act(action)
        assert told.status == "ok", told.text
    assert (await desk.show("<p>next</p>", clock="virtual")).status == "ok"


async def test_that_a_page_is_not_waited_for_is_said_once(desk: Desk) -> None:
    moving_pages.put_files(desk)
    await show(desk, f"<script>b.onclick = function next() {{ {ENDLESS['fetches']} }}</script>")
    told = [(await desk.act(action)).text for action in (CLICK, waiting(100))]
    words = "the page asks without end, so the virtual clock no longer waits for its requests"
    assert [words in text for text in told] == [True, False]


class Hanging(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """A storage that hangs on one file."""

    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    def cat_file(self, path: str, *arguments: Any, **options: Any) -> bytes:
        if path.endswith("never.txt"):
            time.sleep(4)
        data: bytes = super().cat_file(path, *arguments, **options)
        return data


async def test_a_request_that_gets_no_answer_stops_time_for_a_moment_only() -> None:
    limits = dataclasses.replace(Limits(), busy_s=0.5)
    page = f"{HEAD}<p>x</p><script>onclick = () => fetch('never.txt')</script>"
    async with Toolkit(Workspace(Hanging(skip_instance_cache=True)), limits=limits) as kit:
        for name, content in (("never.txt", "x"), ("page.html", page), ("next.html", "<p>y</p>")):
            await kit.call("write_file", {"path": name, "content": content})
        await kit.call("preview", {"op": "open", "path": "page.html", "clock": "virtual"})
        actions = [{"type": "click", "x": 9, "y": 9}, {"type": "wait", "ms": 500}]
        told = await kit.call("preview", {"op": "act", "actions": actions})
        assert told.status == "ok", told.text
        assert "waited 500 ms" in told.text
        assert "a request of the page got no answer, so the virtual clock no longer" in told.text
        following = {"op": "open", "path": "next.html", "clock": "virtual"}
        assert (await kit.call("preview", following)).status == "ok"


async def test_code_that_never_settles_lets_no_more_time_pass_than_a_call_has(quick: Desk) -> None:
    await show(quick, "<p>x</p>")
    told = await quick.call("eval", code="await new Promise(() => {})")
    assert "what it awaits never settled" in told.text
    assert await quick.value("return performance.now()") < 6000
    late = await quick.act({"type": "wait", "code": "await new Promise(() => {})", "ms": 300})
    assert "did not come true within 300 ms" in late.text


async def test_a_step_is_told_in_frames_or_in_time(desk: Desk) -> None:
    await show(desk, "<p>x</p>")
    both = await desk.act({"type": "step", "frames": 2, "ms": 40})
    assert both.status == "refused"
    assert "takes frames or ms, not both" in both.text
    below = await desk.act({"type": "step", "frames": -2})
    assert below.status == "refused"
    assert "frames must not be negative" in below.text
