"""The report as a page: complete in itself, harmless, and quick to read."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from artifact_kit import Toolkit, Workspace
from artifact_kit.visual import Folder, publish
from artifact_kit.visual.page import page
from artifact_kit.visual.page.crops import View, crop, size_of, view_of
from artifact_kit.visual.report import Box, PageError, Pictures, Report, Shard, Size
from tests.preview.desk import Desk
from tests.visual.runs import check, picture, pictured, put, report

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "</h2><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


class Links(HTMLParser):
    """What a page refers to, and the scripts and styles in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.handlers: list[str] = []
        self.inline: dict[str, str] = {}
        self._in = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        for name, value in attrs:
            if name in ("src", "href", "action", "srcset", "data"):
                self.targets.append(str(value))
            if name.startswith("on") or name == "style":
                self.handlers.append(f"{tag} {name}")

    def handle_data(self, data: str) -> None:
        if self._in in ("script", "style"):
            self.inline[self._in] = self.inline.get(self._in, "") + data
        self._in = ""


async def rendered(folder: Path, run: Report) -> str:
    return await page(run, Folder(str(folder)))


@pytest.mark.anyio
async def test_the_page_needs_nothing_but_itself(tmp_path: Path) -> None:
    named = pictured(tmp_path, HOSTILE, "different", errors=(PageError(text=HOSTILE),))
    away = check("away", "new", pictures=Pictures(actual="//evil.example/x.png"))
    scheme = check("scheme", "new", pictures=Pictures(actual="javascript:alert(1)"))
    html = await rendered(tmp_path, report(named, away, scheme))
    links = Links(html)
    assert {re.match(r"data:image/png;base64,|#c\d+$|\./", x) is None for x in links.targets} == {
        False
    }
    assert links.handlers == []
    assert html.count("<script") == html.count("<style") == 1
    for tag, text in links.inline.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in html
    assert "default-src 'none'" in html


@pytest.mark.anyio
async def test_what_needs_a_look_comes_first_and_matches_are_folded(tmp_path: Path) -> None:
    run = report(
        check("fine"),
        pictured(tmp_path, "moved", "different"),
        check("gone", "missing-artifact"),
        obsolete=("old/linux-x86_64-chromium",),
    )
    html = await rendered(tmp_path, run)
    places = [html.index(f">{name}<") for name in ("moved", "gone", "fine")]
    assert places == sorted(places)
    assert html.count('class="check"') == 2
    assert "1 check that matches" in html
    assert "report.json --prune" in html
    assert "report.json moved" in html
    assert "report.json gone" not in html


@pytest.mark.anyio
async def test_a_part_of_a_run_says_so(tmp_path: Path) -> None:
    missing = (Shard(index=2, count=3),)
    html = await rendered(tmp_path, report(check("a"), missing_shards=missing))
    assert "1 shard missing: 2/3" in html
    assert "--prune" not in html


@pytest.mark.anyio
async def test_the_page_stays_small_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    noise = os.urandom(1400 * 1400 * 3)
    image = Image.frombytes("RGB", (1400, 1400), noise)
    image.save(tmp_path / "noise.png", compress_level=0)
    heavy = Pictures(actual="noise.png")
    run = report(*(check(f"c{at}", "new", pictures=heavy) for at in range(600)))
    html = await rendered(tmp_path, run)
    assert len(html) < 34 * 1024 * 1024
    assert html.count("<image") == 3
    assert "The pictures of 397 later checks are linked" in html
    assert "200 further checks to look at" in html
    assert html.count('href="./noise.png"') == 400


@pytest.mark.anyio
async def test_a_picture_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    shown = pictured(tmp_path, "home", "different")
    put(tmp_path, "baseline", shown.key, b"version https://git-lfs")
    (tmp_path / str(shown.pictures.diff)).unlink()
    html = await rendered(tmp_path, report(shown))
    assert "can&#39;t be shown: baseline, difference" in html
    assert 'href="./actual/home/' in html


@pytest.mark.anyio
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
async def test_a_person_sees_the_first_difference_at_once(
    tmp_path: Path, width: int, height: int
) -> None:
    checks = [pictured(tmp_path, f"{HOSTILE} {at}", "different") for at in range(3)]
    run = report(
        *(check(f"ok{at}") for at in range(40)), *checks, check("gone", "missing-artifact")
    )
    await publish(Folder(str(tmp_path)), run)
    async with Toolkit(Workspace(str(tmp_path))) as kit:
        desk = Desk(kit, tmp_path)
        outcome = await desk.call("open", path="report.html", width=width, height=height)
        assert outcome.data["verdict"] == "ok", outcome.text
        assert "overflow" not in outcome.text
        assert await desk.value("return document.title") == "4 of 44 checks need a look"
        seen = await desk.value(
            "return [...document.querySelectorAll('#c0 .zoom svg')].map(x => {"
            " const box = x.getBoundingClientRect(); return [box.width, box.bottom]; })"
        )
        assert all(bottom <= height for wide, bottom in seen if wide)
        assert sum(wide > 100 for wide, _ in seen) >= 2
        for key, shown in (("1", ["diff"]), ("2", ["before", "after"]), ("3", ["before", "after"])):
            await desk.act({"type": "press", "key": key})
            layers = await desk.value(
                "return [...document.querySelectorAll('#c0 .layer')]"
                ".filter(x => x.checkVisibility()).map(x => x.classList[1])"
            )
            assert layers == shown
        await desk.act({"type": "press", "key": "j"}, {"type": "press", "key": "j"})
        assert await desk.value("return document.activeElement.id") == "c2"


BOX = Box(x=600, y=300, width=40, height=12)
WHOLE = Size(width=1280, height=720)


@pytest.mark.parametrize(
    ("box", "whole", "view"),
    [
        (
            BOX,
            WHOLE,
            View(Box(x=540, y=256, width=160, height=100), Box(x=60, y=44, width=40, height=12)),
        ),
        (
            Box(x=0, y=714, width=4, height=6),
            WHOLE,
            View(Box(x=0, y=620, width=160, height=100), Box(x=0, y=94, width=4, height=6)),
        ),
        (
            Box(x=5, y=5, width=2, height=2),
            Size(width=60, height=400),
            View(Box(x=0, y=0, width=60, height=100), Box(x=5, y=5, width=2, height=2)),
        ),
        (Box(x=0, y=0, width=1280, height=700), WHOLE, None),
    ],
)
def test_the_part_around_a_box_is_large_enough_to_know_the_place(
    box: Box, whole: Size, view: View | None
) -> None:
    assert view_of(box, whole) == view


def test_a_part_is_cut_out_also_where_the_picture_ends() -> None:
    part = crop(picture(size=(50, 50)), Box(x=40, y=40, width=20, height=20))
    assert part is not None
    assert size_of(part) == Size(width=20, height=20)


@pytest.mark.parametrize("data", [b"", b"GIF89a" + b"x" * 60, picture()[:20], picture()[:200]])
def test_what_is_not_a_whole_picture_has_no_parts(data: bytes) -> None:
    assert crop(data, BOX) is None


def test_a_picture_that_would_fill_the_memory_is_not_decoded() -> None:
    bomb = bytearray(picture())
    bomb[16:24] = (60_000).to_bytes(4, "big") * 2
    assert crop(bytes(bomb), BOX) is None
