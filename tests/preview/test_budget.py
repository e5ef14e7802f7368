"""What a reply costs who reads it, in characters; a token of a model is some four of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

TOKEN = 4


async def test_what_was_told_is_not_told_again(desk: Desk) -> None:
    opened = await desk.show(
        "<style>p { color: #fff; background: #fff }</style><p>Nobody reads this</p>"
        "<button id=b>Go</button><script>null.x</script>"
    )
    assert "invisible text" in opened.text
    assert "errors (1 new)" in opened.text
    again = await desk.act({"type": "click", "css": "#b"})
    assert len(again.text) < 40 * TOKEN, again.text
    assert "broken (1 error)" in again.text
    assert "(reading 'x')" not in again.text


async def test_an_outline_of_five_thousand_nodes_is_short_and_says_how_to_see_more(
    desk: Desk,
) -> None:
    cards = "".join(
        f"<div class=card><h3>Item {n}</h3><p>About the item {n}</p><a href='#{n}'>More</a>"
        f"<button>Buy {n}</button></div><hr>"
        for n in range(840)
    )
    await desk.show(f"<h1>Shop</h1>{cards}")
    assert await desk.value("return document.querySelectorAll('*').length") > 5_000
    text = (await desk.call("read")).text
    assert len(text) < 6_000
    assert 'heading 1 "Shop"' in text
    assert "read a part of it with queries" in text or "more .card like these" in text


async def test_refs_hold_until_their_element_or_the_page_is_gone(desk: Desk) -> None:
    await desk.show("<button id=a>First</button><button id=b>Second</button>")
    assert 'e2 button #b "Second"' in (await desk.call("read")).text
    await desk.call("eval", code="a.remove(); document.body.prepend('text'); b.title = 'x'")
    assert (await desk.act({"type": "click", "ref": "e2"})).status == "ok"
    gone = await desk.act({"type": "click", "ref": "e1"})
    assert "the element of ref e1 is gone from the page" in gone.text
    await desk.show("<p>Another page</p>")
    unknown = await desk.act({"type": "click", "ref": "e2"})
    assert "there is no ref e2" in unknown.text
