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
