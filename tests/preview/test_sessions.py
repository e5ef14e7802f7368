"""One page for each conversation: its order of calls, its ends, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from artifact_kit import Limits, Outcome
from tests.preview.desk import HEAD, Desk, desk_at

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

STORE = "<p id=p></p><script>p.textContent = localStorage.seen || 'never'; localStorage.seen = 1"


async def test_a_call_without_a_page_is_told_to_open_one(desk: Desk) -> None:
    for op, arguments in (
        ("act", {"actions": [{"type": "key", "key": "a"}]}),
        ("read", {}),
        ("eval", {"code": "return 1"}),
        ("shot", {}),
        ("close", {}),
    ):
        outcome = await desk.call(op, conversation="new", **arguments)
        assert (outcome.status, outcome.data["code"]) == ("refused", "no_page")
        assert op == "close" or "op open and path" in outcome.text


async def test_an_open_starts_afresh_also_for_the_path_that_is_open(desk: Desk) -> None:
    name = desk.put("store.html", HEAD + STORE + "</script>")
    for _ in range(2):
        await desk.call("open", path=name)
        assert await desk.texts("#p") == ["never"]
    await desk.act({"type": "reload"})
    assert await desk.texts("#p") == ["1"]


async def test_errors_of_an_earlier_page_are_not_told_of_a_later_one(desk: Desk) -> None:
    broken = await desk.show("<script>null.x</script>")
    healthy = await desk.show("<p>fine</p>")
    assert (broken.data["errors"], healthy.data["errors"]) == (1, 0)
    assert "errors" not in healthy.text


async def test_a_failed_open_leaves_the_page_that_was_open(desk: Desk) -> None:
    await desk.show("<p id=p>still here</p>")
    assert (await desk.call("open", path="no-such.html")).status == "refused"
    assert await desk.texts("#p") == ["still here"]


async def test_close_ends_the_page_and_later_calls_say_so(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    assert (await desk.call("close")).text.startswith("closed page")
    stale = await desk.act({"type": "key", "key": "a"})
    assert "it was closed" in stale.text
    assert (await desk.call("close")).status == "refused"


async def test_conversations_have_pages_of_their_own(desk: Desk) -> None:
    for name in ("one", "two"):
        await desk.show(f"<title>{name}</title><p id=p>{name}</p>", conversation=name)
    origins = set()
    for name in ("one", "two"):
        outcome = await desk.call("read", queries=[{"css": "#p"}], conversation=name)
        assert outcome.data["values"] == [name]
        origins.add(await desk.value("return location.origin", conversation=name))
    assert len(origins) == 2
    for name in ("one", "two"):
        await desk.call("close", conversation=name)


async def test_calls_of_one_conversation_are_answered_in_their_order(desk: Desk) -> None:
    await desk.show("<script>var seen = []</script>")
    answers: dict[int, Outcome] = {}

    async def note(number: int) -> None:
        code = f"await new Promise(r => setTimeout(r, {40 - 10 * number})); seen.push({number})"
        answers[number] = await desk.call("eval", code=f"{code}; return seen")

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(note, number)
    assert [answers[number].data["result"] for number in range(4)] == [
        "[0]",
        "[0,1]",
        "[0,1,2]",
        "[0,1,2,3]",
    ]


async def test_a_page_that_is_busy_slows_no_other_conversation(desk: Desk) -> None:
    await desk.show("<p>slow</p>", conversation="slow")
    await desk.show("<p id=p>other</p>", conversation="other")
    ended: list[Outcome] = []

    async def slow() -> None:
        code = "await new Promise(() => {})"
        ended.append(await desk.call("eval", code=code, conversation="slow"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(slow)
        for _ in range(3):
            await desk.call("read", queries=[{"css": "#p"}], conversation="other")
        assert not ended
        tasks.cancel_scope.cancel()
    for name in ("slow", "other"):
        await desk.call("close", conversation=name)


async def test_an_unused_page_is_closed_and_its_next_call_is_told_why(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(idle_s=0.3)) as desk:
        await desk.show("<p>x</p>")
        long = "await new Promise(r => setTimeout(r, 500)); return 1"
        assert (await desk.call("eval", code=long)).data["result"] == "1"
        await anyio.sleep(0.4)  # the passing of time is what is tested
        stale = await desk.call("read")
        assert (stale.status, stale.data["code"]) == ("refused", "no_page")
        assert "closed after 0.3 s without a call" in stale.text
        assert (await desk.show("<p>again</p>")).status == "ok"


async def test_the_page_unused_for_longest_makes_room_and_is_told_so(tmp_path: Path) -> None:
    async with desk_at(tmp_path, replace(Limits(), sessions=2)) as desk:
        for name in ("first", "second"):
            await desk.show("<p>x</p>", conversation=name)
        await desk.call("read", conversation="first")
        assert (await desk.show("<p>x</p>", conversation="third")).status == "ok"
        pushed = await desk.call("read", conversation="second")
        assert "closed to make room (at most 2 pages)" in pushed.text
        for name in ("first", "third"):
            assert (await desk.call("read", conversation=name)).status == "ok"
        again = await desk.show("<p>x</p>", conversation="third")
        assert again.status == "ok"
        assert (await desk.call("read", conversation="first")).status == "ok"


async def test_when_every_page_is_busy_one_more_is_refused(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(sessions=1)) as desk:
        await desk.show("<p>x</p>", conversation="busy")
        async with anyio.create_task_group() as tasks:
            code = "await new Promise(r => window.go = r)"
            work = {"op": "eval", "code": code}
            busy = desk.kit.tools["preview"].call
            tasks.start_soon(lambda: busy(work, conversation="busy"))
            await anyio.lowlevel.checkpoint()
            refused = await desk.show("<p>y</p>", conversation="more")
            tasks.cancel_scope.cancel()
        assert (refused.status, refused.data["code"]) == ("refused", "too_many")


async def test_an_aborted_call_ends_the_call_and_not_the_page(desk: Desk) -> None:
    await desk.show("<p id=p>kept</p><script>var mark = 5</script>")
    with anyio.move_on_after(0.2):
        await desk.call("eval", code="await new Promise(() => {})")
    assert await desk.value("return mark") == 5


async def test_path_with_another_op_may_only_name_the_open_page(desk: Desk) -> None:
    await desk.show("<p id=p>x</p>")
    name = f"page{next(desk.numbers) - 1}.html"
    assert (await desk.call("read", path=name)).status == "ok"
    other = await desk.call("read", path="other.html")
    assert (other.status, other.data["code"]) == ("refused", "other_page")
