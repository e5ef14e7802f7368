"""Hostile pages cost their own conversation a bounded call, and no other conversation anything."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits
from tests.preview.desk import Desk, desk_at
from tests.sandbox.hostile_pages import PAGES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LIMITS = Limits(
    busy_s=0.8, load_s=1.0, call_s=6.0, shot_s=1.5, page_memory_bytes=500 * 2**20, sessions=3
)

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

BOUNDED = ("deadline", "not_done", "page_gone")
QUICK = [
    "worker-console",
    "worker-errors",
    "worker-fetches",
    "sandboxed-frame-console",
    "plain-rejections",
    "log-entries",
    "data-iframes",
    "form-submits",
    "strings-grow",
    "write-wipes",
    "html-removed",
    "closed-roots",
    "shader-heavy",
    "chrome-kill",
    "view-source",
    "mutation-storm",
    "unload-loops",
    "fullscreen",
]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def desk(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_at(tmp_path_factory.mktemp("hostile"), LIMITS) as desk:
        await desk.show("<p id=p>good</p>", conversation="good")
        yield desk


async def keep_asking(desk: Desk, answered: list[str]) -> None:
    """A well-behaved conversation beside it."""
    while True:
        outcome = await desk.call("read", conversation="good", queries=[{"css": "#p"}])
        answered.append(str(outcome.data.get("values")))
        await asyncio.sleep(0.25)


@pytest.mark.parametrize("name", QUICK)
async def test_a_hostile_page_is_answered_and_the_next_page_opens(desk: Desk, name: str) -> None:
    page, answered = PAGES[name], list[str]()
    asking = asyncio.create_task(keep_asking(desk, answered))
    opened = await desk.call("open", path=desk.put("hostile.html", page.html))
    outcomes = [opened]
    if page.trigger == "click" and opened.status == "ok":
        outcomes.append(await desk.act({"type": "click", "css": "#b"}))
    if outcomes[-1].status == "ok":
        outcomes.append(await desk.call("read"))
    for outcome in outcomes:
        assert outcome.status == "ok" or outcome.data["code"] in BOUNDED
        assert "unexpected" not in outcome.text
        assert len(outcome.text) < 13_000
    after = await desk.show("<p id=p>next</p>")
    assert after.status == "ok", after.text
    assert after.data["verdict"] == "ok", after.text
    assert await desk.texts("#p") == ["next"]
    asking.cancel()
    assert answered
    assert set(answered) == {"['good']"}


async def test_a_worker_is_heard_and_only_the_first_lines_of_a_flood(desk: Desk) -> None:
    code = "console.log('first', {a: 1}); for (let i = 0; i < 1e5; i++) console.warn('more', i)"
    worker = f"new Worker(URL.createObjectURL(new Blob([{code!r}])))"
    opened = await desk.show(f"<p>x</p><script>{worker}</script>")
    text = opened.text + (await desk.call("read")).text
    assert 'worker: first {"a":1}' in text
    assert "worker warn: more 0" in text
    assert "more 99999" not in text
