"""`looks` names what a person would see to be wrong, and is silent on a page that is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preview.looks_pages import RIGHT, WRONG

if TYPE_CHECKING:
    from artifact_kit import Outcome
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio


def looks(outcome: Outcome) -> list[str]:
    """The lines of a reply that say how the page looks."""
    return [line for line in outcome.text.splitlines() if line.startswith("looks: ")]


@pytest.mark.parametrize("name", RIGHT)
async def test_nothing_is_said_of_a_page_that_is_right(desk: Desk, name: str) -> None:
    body, actions = RIGHT[name]
    opened = await desk.show(body)
    assert opened.status == "ok"
    assert looks(opened) == []
    for action in actions:
        done = await desk.act(action)
        assert done.status == "ok", done.text
        assert looks(done) == []
    assert looks(await desk.call("shot", target="page")) == []


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_wrong_is_named(desk: Desk, name: str) -> None:
    body, words = WRONG[name]
    found = looks(await desk.show(body))
    assert any(words in line for line in found), found
    assert len(found) <= 2, found


FADING = """<style>.tile{opacity:0}.tile.ready{opacity:1}</style><h1>Tiles</h1>
<div class=tile>First</div>"""


async def test_script_files_are_read_for_what_they_may_still_do(desk: Desk) -> None:
    desk.put("parts/later.js", "export const later = () => document.body.dataset.ready = 1;\n")
    desk.put("parts/shows.js", "export const show = (tile) => tile.classList.add('ready');\n")
    desk.put("stuck.js", 'import { later } from "./parts/later.js";\nlater();\n')
    desk.put("shown.js", 'import { show } from "./parts/shows.js";\nonkeydown = show;\n')
    stuck = await desk.show(f"{FADING}<script type=module src=stuck.js></script>")
    assert len(looks(stuck)) == 1
    assert "no script sets .ready" in looks(stuck)[0]
    assert "also" not in stuck.text
    shown = await desk.show(f"{FADING}<script type=module src=shown.js></script>")
    assert looks(shown) == []


async def test_a_script_that_did_not_load_excuses_nothing(desk: Desk) -> None:
    opened = await desk.show(f"{FADING}<script src=https://cdn.example/reveal.js></script>")
    assert any("opacity 0" in line for line in looks(opened))


async def test_a_page_with_every_fault_has_each_of_them_named(desk: Desk) -> None:
    opened = await desk.call("open", path="looks/index.html")
    told = "\n".join(looks(opened))
    ids = ("ghost", "covered", "faint", "clipped", "away", "flat", "oven", "price", "weight")
    for name in (*ids, "object", "mojibake", "template", "offer"):
        assert f'id="{name}"' in told or f"#{name}" in told, told
    assert '<div class="banner">' in told
    assert "img/rye.png" in told
    assert 'the font "Crumb" did not load' in told
