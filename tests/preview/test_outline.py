"""`read` without queries: the page as a person would use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

MIXED = """<nav><a href="#a">Home</a></nav><h1>Total: <b>5</b> items</h1>
<p>Some <em>rich</em> text.</p><table id=t><caption>Prices</caption><tr><th>Name<th>Price</tr>
<tr><td>Tea<td>3</tr><tr><td>Milk<td><input value=4></tr></table>
<form id=f><fieldset><legend>Size</legend><label><input type=radio name=s checked> Small</label>
<label><input type=radio name=s> Large</label></fieldset>
<input type=email id=e required placeholder="you@x"><select id=s><option>Free<option selected>Team
</select><label><input type=checkbox disabled> Agree</label></form>
<div contenteditable=true id=ed>Edit <b>me</b></div><details><summary>More</summary>Hidden</details>
<div id=card tabindex=0><b>Card</b> to click</div><button aria-label=Close>×</button>
<div role=tab aria-selected=true>One</div><x-a></x-a>
<iframe srcdoc="<button>Inner</button>"></iframe>
<p style="visibility:hidden">Unseen</p><script>
customElements.define('x-a',class extends HTMLElement{connectedCallback(){
this.attachShadow({mode:'open'}).innerHTML='<button>In the shadow</button>'}})</script>"""


async def outline(desk: Desk, body: str) -> str:
    """What `read` says of a page with this body."""
    await desk.show(body)
    outcome = await desk.call("read")
    assert outcome.status == "ok", outcome.text
    return outcome.text[: outcome.text.index("\npage: ")]


LINES = [
    'link "Home"',
    'heading 1 "Total: 5 items"',
    'text "Some rich text."',
    'table #t "Prices" of 3 rows',
    'row "Tea | 3"',
    'textbox (= "4")',
    'group "Size"',
    'radio "Small" (checked)',
    'radio "Large" (not checked)',
    'textbox #e "you@x" (= "", required)',
    'select #s (= "Team", of Free, Team)',
    'checkbox "Agree" (not checked, disabled)',
    'textbox #ed "Edit me"',
    "details (closed)",
    'button "More"',
    'clickable #card "Card to click"',
    'button "Close"',
    'tab "One" (selected)',
    'button "In the shadow"',
    'button "Inner"',
]


async def test_an_outline_shows_each_thing_once(desk: Desk) -> None:
    text = await outline(desk, MIXED)
    assert {line: text.count(line) for line in LINES} == dict.fromkeys(LINES, 1), text
    assert "Unseen" not in text
    assert "Hidden" not in text


async def test_the_refs_of_an_outline_can_be_used(desk: Desk) -> None:
    text = await outline(desk, "<button onclick=\"this.textContent='Done'\">Do</button>")
    ref = text.split()[0]
    done = await desk.act({"type": "click", "ref": ref})
    assert done.status == "ok"
    answers = await desk.call("read", queries=[{"ref": ref}])
    assert answers.data["values"] == ["Done"]


async def test_every_key_of_a_small_page_has_its_ref(desk: Desk) -> None:
    keys = "".join(f"<button class=key>{n}</button>" for n in range(40))
    text = await outline(desk, keys)
    assert text.count("button") == 40


async def test_an_outline_of_a_long_list_leaves_room_for_what_follows(desk: Desk) -> None:
    rows = "".join(
        f"<li class=row>Row {n} of a list <button>Edit</button></li>" for n in range(2500)
    )
    text = await outline(desk, f"<ul>{rows}</ul><button id=last>Save all</button>")
    assert len(text) < Limits().outline_chars + 200
    assert "… 2492 more li.row like these" in text
    assert 'button #last "Save all"' in text


async def test_an_outline_is_bounded_and_says_so(desk: Desk) -> None:
    parts = "".join(f"<p>Paragraph {n} <button>Go {n}</button></p><hr>" for n in range(1300))
    text = await outline(desk, parts)
    assert len(text) < Limits().outline_chars + 200
    assert "more; read a part of it with queries" in text
