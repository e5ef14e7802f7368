"""Pages that do not stop: each call has a bounded, true answer, and the next page opens at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from artifact_kit import Limits
from tests.preview.desk import HEAD, Desk, desk_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from artifact_kit import Outcome

pytestmark = pytest.mark.anyio

STUCK = "the page did not respond: a script was still running"
CLICK = {"type": "click", "css": "#go"}


@pytest.fixture
async def other(quick: Desk) -> AsyncIterator[None]:
    """Another conversation, which answers before and after the test."""

    async def asked() -> Outcome:
        return await quick.call("read", conversation="other", queries=[{"css": "#p"}])

    if (await asked()).status != "ok":
        await quick.show("<p id=p>other</p>", conversation="other")
    yield
    assert (await asked()).data["values"] == ["other"]


async def works_again(desk: Desk) -> None:
    outcome = await desk.show("<title>Next</title><p id=p>next</p>")
    assert outcome.status == "ok", outcome.text
    assert "errors" not in outcome.text
    assert await desk.texts("#p") == ["next"]


LOADS = {
    "script": "<script>\nfunction spin() {\n  for (;;) {}\n}\nspin()\n</script>",
    "regex": "<script>\n/^(a+)+$/.test('a'.repeat(40) + 'b')\n</script>",
    "module": "<script type=module>\nfor (;;) {}\n</script>",
    "lengths": "<script>\nconst list = []; for (;;) { list.length = 0 }\n</script>",
}
PLACES = {
    "script": ("in spin, called by its top level (page", ".html:3", "3 | for (;;) {}"),
    "regex": (".html:",),
    "module": (".html:2", "2 | for (;;) {}"),
    "lengths": (".html:2",),
}


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize("name", LOADS)
async def test_an_endless_loop_on_load_is_stopped_and_named(quick: Desk, name: str) -> None:
    outcome = await quick.show(f"<p id=p>here</p>{LOADS[name]}")
    assert outcome.status == "ok", outcome.text
    assert outcome.data["verdict"] == "broken"
    for words in (STUCK, *PLACES[name]):
        assert words in outcome.text
    assert await quick.texts("#p") == ["here"]
    await works_again(quick)


@pytest.mark.usefixtures("other")
async def test_an_endless_chain_of_microtasks_ends_the_page_and_not_the_tool(quick: Desk) -> None:
    script = "const again = () => Promise.resolve().then(again); again()"
    outcome = await quick.show(f"<p>x</p><script>{script}</script>")
    assert "the page did not respond" in outcome.text
    await works_again(quick)


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize(
    ("script", "action"),
    [
        ("go.onclick = () => {\nfor (;;) {} }", CLICK),
        ("onkeydown = () => {\nfor (;;) {} }", {"type": "key", "key": "a"}),
        ("onwheel = () => {\nfor (;;) {} }", {"type": "scroll", "dy": 100}),
        ("go.onmousemove = () => {\nfor (;;) {} }", {"type": "hover", "css": "#go"}),
        ("go.onclick = () => setTimeout(() => {\nfor (;;) {} })", CLICK),
    ],
)
async def test_an_action_that_starts_an_endless_loop_is_answered(
    quick: Desk, script: str, action: dict[str, Any]
) -> None:
    await quick.show(f"<button id=go>Go</button><script>{script}</script>")
    outcome = await quick.act(action, {"type": "wait", "ms": 1})
    if STUCK not in outcome.text:
        outcome = await quick.call("read", queries=[{"css": "#go"}])
    assert STUCK in outcome.text
    assert ".html:2" in outcome.text
    assert await quick.texts("#go") == ["Go"]


@pytest.mark.usefixtures("other")
async def test_a_loop_that_a_timer_starts_is_told_by_whatever_call_comes_next(
    quick: Desk,
) -> None:
    body = "<p id=p>x</p><script>const spin = () => setTimeout(() => {\nfor (;;) {} })</script>"
    for op, arguments in (
        ("read", {"queries": [{"css": "#p"}]}),
        ("shot", {}),
        ("eval", {"code": "return 1"}),
    ):
        await quick.show(body)
        started = await quick.call("eval", code="spin()")
        outcome = await quick.call(op, **arguments)
        assert STUCK in started.text + outcome.text, op
    await works_again(quick)


@pytest.mark.usefixtures("other")
async def test_code_that_never_ends_is_stopped_and_the_page_lives_on(quick: Desk) -> None:
    """apireno/DOMShell#38; Untrivial-ai/agent-orchestrator PR 5552"""
    await quick.show("<p id=p>x</p><script>var mark = 7</script>")
    for code, words in (
        ("for (;;) {}", "the code did not end in time"),
        ("await 1; for (;;) {}", "the code did not end in time"),
        ("await new Promise(() => {})", "what it awaits never settled; the page itself responds"),
    ):
        outcome = await quick.call("eval", code=code)
        assert outcome.status == "failed"
        assert words in outcome.text
        assert "no answer within" not in outcome.text
        assert await quick.value("return mark") == 7


@pytest.mark.usefixtures("other")
async def test_a_condition_that_never_comes_true_is_named_with_its_limit(quick: Desk) -> None:
    await quick.show("<p>x</p>")
    for action, words in (
        ({"code": "return false", "ms": 200}, "the condition did not come true within 200 ms"),
        ({"css": "#never", "ms": 200}, "#never did not come true within 200 ms"),
        ({"code": "return new Promise(() => {})", "ms": 200}, "did not come true within 200 ms"),
        ({"code": "for (;;) {}", "ms": 200}, "did not respond"),
        ({"code": "throw new Error('no')", "ms": 200}, "the condition threw Error: no"),
        ({"code": "return ((", "ms": 200}, "SyntaxError"),
    ):
        outcome = await quick.act({"type": "wait", **action})
        assert outcome.status == "failed", outcome.text
        assert words in outcome.text
    assert await quick.texts("p") == ["x"]


async def test_waits_that_do_not_fit_one_call_are_refused_with_the_numbers(quick: Desk) -> None:
    await quick.show("<p>x</p>")
    outcome = await quick.act({"type": "wait", "ms": 5000}, {"type": "wait", "ms": 4000})
    assert (outcome.status, outcome.data["code"]) == ("refused", "too_long")
    assert "9000 ms" in outcome.text


@pytest.mark.usefixtures("other")
async def test_dialogs_are_answered_and_told(quick: Desk) -> None:
    outcome = await quick.show(
        "<script>alert('Hi'); var ok = confirm('Sure?'), name = prompt('Who?')</script><p>x</p>"
    )
    for words in ('alert("Hi")', 'confirm("Sure?"), answered OK', 'prompt("Who?"), cancelled'):
        assert f"dialog: {words}" in outcome.text
    assert await quick.value("return [ok, name === null || name === 'null']") == [True, True]
    await quick.show("<button id=go onclick=\"alert('A'); this.textContent = 'done'\">Go</button>")
    outcome = await quick.act(CLICK, CLICK)
    assert 'dialog: alert("A") ×2' in outcome.text
    assert await quick.texts("#go") == ["done"]


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize(
    "flood",
    [
        "for (let i = 0; i < 20000; i++) alert(i)",
        "let n = 0; while (confirm('again?') && n < 1e5) n++",
        "for (let i = 0; i < 1e6; i++) console.log('line ' + i)",
        "for (let i = 0; i < 3000; i++) console.log('x'.repeat(1e5))",
        "for (let i = 0; i < 20000; i++) Promise.reject(i)",
        "for (let i = 0; i < 20000; i++) Promise.reject('no ' + i)",
        "for (let i = 0; i < 20000; i++) dispatchEvent(new ErrorEvent('error'))",
        "for (let i = 0; i < 20000; i++) setTimeout(() => { null.x })",
        "for (let i = 0; i < 1200; i++) new Image().src = 'https://x.example/' + i",
        "for (let i = 0; i < 20000; i++) history.pushState(0, '', '#' + i)",
        "for (let i = 0; i < 2000; i++) open('https://x.example/' + i)",
        "for (let i = 0; i < 800; i++) fetch('missing' + i)",
        "const a = {}; a.a = a; for (let i = 0; i < 50000; i++) console.log(a, document, i)",
        "for (let i = 0; i < 500; i++) location.href = 'https://x.example/' + i",
    ],
)
async def test_a_flood_costs_a_bounded_reply(quick: Desk, flood: str) -> None:
    outcome = await quick.show(f"<p id=p>x</p><script>{flood}</script>")
    assert outcome.status == "ok", outcome.text
    assert len(outcome.text) < 13_000
    assert await quick.texts("#p") == ["x"]
    await works_again(quick)


async def test_what_a_flood_left_out_is_counted(quick: Desk) -> None:
    flood = "for (let i = 0; i < 100000; i++) console.log('line ' + i)"
    outcome = await quick.show(f"<p>x</p><script>{flood}</script>")
    assert "console (100000 new)" in outcome.text
    assert "line 0 " in outcome.text
    assert "line 99999" in outcome.text
    assert "more left out" in outcome.text


async def test_repeated_and_alternating_lines_collapse(quick: Desk) -> None:
    script = "for (let i = 0; i < 50; i++) { console.log('a'); console.warn('b') }"
    outcome = await quick.show(f"<p>x</p><script>{script}</script>")
    assert "console (2 new)" in outcome.text
    assert "a ×50" in outcome.text
    assert "warn: b ×50" in outcome.text


def browsers() -> list[psutil.Process]:
    """Our Chromium processes."""
    mine = psutil.Process().children(recursive=True)
    return [each for each in mine if any("--type=" in word for word in arguments(each))]


def arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.skipif(sys.platform != "linux", reason="pids of a browser in a namespace of its own")
async def test_a_killed_renderer_ends_the_page_and_not_the_tool(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(busy_s=1)) as desk:
        before = {process.pid for process in browsers()}
        await desk.show("<p>x</p>")
        for process in browsers():
            if process.pid not in before and "--type=renderer" in arguments(process):
                os.kill(process.pid, signal.SIGKILL)
        outcome = await desk.call("read")
        check_ended(outcome, "crashed")
        await works_again(desk)


@pytest.mark.skipif(sys.platform != "linux", reason="pids of a browser in a namespace of its own")
async def test_a_killed_browser_ends_the_page_and_not_the_tool(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(busy_s=1)) as desk:
        before = {process.pid for process in browsers()}
        await desk.show("<p>x</p>")
        fresh = [each for each in browsers() if each.pid not in before]
        parents = {each.ppid() for each in fresh} - {each.pid for each in fresh}
        for pid in parents:
            os.kill(pid, signal.SIGKILL)
        outcome = await desk.call("read")
        check_ended(outcome, "crashed" if "crashed" in outcome.text else "ended with its browser")
        await works_again(desk)


@pytest.mark.skipif(sys.platform == "win32", reason="memory is watched where /proc or ps is")
async def test_a_page_that_takes_too_much_memory_is_ended_and_told_so(tmp_path: Path) -> None:
    limits = Limits(page_memory_bytes=700 * 2**20, busy_s=5)
    async with desk_at(tmp_path, limits) as desk:
        await desk.show("<p>x</p>")
        code = (
            "window.all = []; for (let i = 0; i < 400; i++) {"
            "all.push(new Uint8Array(16e6).fill(1)); await new Promise(r => setTimeout(r, 5)) }"
        )
        check_ended(await desk.call("eval", code=code), "more memory than a page may")
        await works_again(desk)


def check_ended(outcome: Outcome, words: str) -> None:
    assert outcome.status in ("failed", "refused"), outcome.text
    assert words in outcome.text
    assert "op open" in outcome.text


async def test_a_page_that_closes_itself_stays(desk: Desk) -> None:
    outcome = await desk.show("<p id=p>x</p><script>window.close()</script>")
    assert "window.close() did nothing" in outcome.text
    assert await desk.texts("#p") == ["x"]


async def test_a_page_whose_picture_never_arrives_says_what_is_still_loading(quick: Desk) -> None:
    name = quick.put("late.html", HEAD + "<p id=p>x</p><script src=slow.js></script>")
    quick.put("slow.js", "for (const end = Date.now() + 300; Date.now() < end;) {}")
    outcome = await quick.call("open", path=name)
    assert (outcome.status, outcome.data["verdict"]) == ("ok", "ok")


@pytest.mark.parametrize("clock", ["real", "virtual"])
async def test_a_loop_of_a_cancelled_call_does_not_hold_up_the_next(clock: str, desk: Desk) -> None:
    await desk.show("<p>x</p>", clock=clock)
    call = asyncio.create_task(desk.call("eval", code="while (true);"))
    await asyncio.wait({call}, timeout=0.3)
    call.cancel()
    assert (await call).status == "aborted"
    assert await desk.value("return 1") == 1
