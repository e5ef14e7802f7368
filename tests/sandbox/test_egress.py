"""Nothing leaves the preview, with all layers and with each of the two guarantees alone."""

from __future__ import annotations

import asyncio
import socket
import sys
import urllib.request
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits, Workspace
from artifact_kit.browser import Confinement, Launcher, provide
from artifact_kit.preview import Preview
from artifact_kit.preview.policy import HEADERS
from tests.preview.desk import until
from tests.sandbox.canary import Canary
from tests.sandbox.ways_out import HEAD, WAYS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from playwright.async_api import Route

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="the layers below are Linux's"),
]

AT_ONCE = 3
LIMITS = Limits(load_s=2, sessions=AT_ONCE)
# A packet that was not sent tells nobody; with nothing that protects all ways are through by then.
LISTEN_MS = 500


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary() as canary:
        yield canary


@dataclass
class Tries:
    """Pages that try to get out, through the tool itself."""

    preview: Preview
    folder: Path
    canary: Canary

    async def replies(self, name: str, conversation: str = "default") -> str:
        """Open the page, let it try, click: what the tool said all in all."""
        ways, page = WAYS[name], f"{name.replace(' ', '-')}.html"
        (self.folder / page).write_text(self.filled(HEAD + ways.html))
        wait = {"type": "wait", "ms": LISTEN_MS}
        click = [{"type": "click", "css": ways.click}] if ways.click else []
        calls = (
            {"op": "open", "path": page},
            {"op": "act", "actions": [*click, wait]},
            {"op": "read", "queries": [{"css": "body", "attr": "text"}]},
        )
        texts = []
        for call in calls:
            outcome = await self.preview.tool.call(call, conversation=conversation)
            assert outcome.status == "ok", outcome.text
            texts.append(outcome.text)
        return "\n".join(texts)

    def filled(self, text: str) -> str:
        return text.replace("@/", f"{self.canary.address}/").replace("$", str(self.canary.udp_port))

    async def all(self) -> dict[str, str]:
        """The replies of every page, by name; each page makes room for the next one."""
        names, replies = iter(WAYS), dict[str, str]()

        async def some(conversation: str) -> None:
            for name in names:
                replies[name] = await self.replies(name, conversation)

        await asyncio.gather(*(some(f"c{number}") for number in range(AT_ONCE)))
        return replies


@asynccontextmanager
async def tries(
    folder: Path, canary: Canary, confinement: Confinement | None = None
) -> AsyncIterator[Tries]:
    preview = Preview(Workspace(folder.as_uri()), LIMITS, confinement=confinement)
    try:
        yield Tries(preview, folder, canary)
    finally:
        await preview.close()


def missing(replies: dict[str, str], told_in: Tries) -> list[str]:
    """What the replies should have named and did not."""
    return [
        f"{name}: {told}"
        for name, ways in WAYS.items()
        for told in map(told_in.filled, ways.told)
        if told not in replies[name]
    ]


async def test_no_way_out_leads_anywhere_and_each_is_named(canary: Canary, tmp_path: Path) -> None:
    async with tries(tmp_path, canary) as pages:
        replies = await pages.all()
        assert missing(replies, pages) == []
    assert all("here" in text for name, text in replies.items() if name != "wiped")
    assert canary.heard == []


def without_policy_and_interception(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layers that explain are off: no policy header, and foreign requests go on."""

    async def go_on(route: Route, _reason: str) -> None:
        await route.continue_()

    monkeypatch.delitem(HEADERS, "Content-Security-Policy")
    monkeypatch.setattr("artifact_kit.preview.router._abort", go_on)


async def network_is_off(confinement: Confinement) -> bool:
    launcher = Launcher(await provide(), memory_bytes=2**31, confinement=confinement)
    async with launcher:
        return {layer.name: layer.on for layer in launcher.layers()}["network namespace"]


@pytest.mark.parametrize(
    "alone",
    [Confinement(network=False), Confinement(switches=False)],
    ids=["switches", "namespace"],
)
async def test_each_guarantee_holds_when_every_other_layer_is_off(
    canary: Canary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: Confinement
) -> None:
    if alone.network and not await network_is_off(alone):
        pytest.skip("this system allows no network namespace")
    without_policy_and_interception(monkeypatch)
    async with tries(tmp_path, canary, alone) as pages:
        await pages.all()
    assert canary.heard == []


async def test_the_canary_hears_a_page_that_nothing_confines(
    canary: Canary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_policy_and_interception(monkeypatch)
    off = Confinement(network=False, switches=False)
    async with tries(tmp_path, canary, off) as pages:
        for name in ("peers", "guesses"):
            await pages.replies(name)
    await until(lambda: {each.partition(" ")[0] for each in canary.heard} == {"tcp", "udp"})


def test_the_canary_hears() -> None:
    with Canary() as canary:
        with urllib.request.urlopen(f"{canary.address}/x") as answer:  # noqa: S310 -- our own
            assert answer.status == 204
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"x", ("127.0.0.1", canary.udp_port))
        while len(canary.heard) < 2:
            pass
    assert sorted(canary.heard) == ["tcp GET /x HTTP/1.1", "udp"]
