"""Fields that take more than letters: dates, sliders, files, lists; all events are trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

LOG = (
    "<output id=log></output><script>let fake = 0;"
    "const field = document.querySelector('#field');"
    "field.addEventListener('input', (e) => { fake += !e.isTrusted; "
    "log.textContent = field.value })</script>"
)
TYPED = {
    "date": ("2026-11-30", "2026-11-30"),
    "time": ("14:05", "14:05"),
    "datetime-local": ("2026-02-03T04:05", "2026-02-03T04:05"),
    "month": ("2026-05", "2026-05"),
    "week": ("2026-W08", "2026-W08"),
    "range": ("70", "70"),
    "number": ("-1.5", "-1.5"),
    "email": ("a@b.cd", "a@b.cd"),
}


@pytest.mark.parametrize("kind", TYPED)
async def test_a_value_is_typed_into_a_field_of_any_kind(desk: Desk, kind: str) -> None:
    text, value = TYPED[kind]
    await desk.show(f"<input id=field type={kind}>{LOG}")
    outcome = await desk.act({"type": "type", "css": "#field", "text": text})
    assert f'it now holds "{value}"' in outcome.text, outcome.text
    assert await desk.texts("#log") == [value]
    assert await desk.value("return fake") == 0


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("date", "tomorrow", "send a date such as 2026-11-30"),
        ("time", "noon", "send a time such as 14:30"),
        ("range", "700", "send a number"),
        ("checkbox", "on", "takes a click, not text"),
        ("file", "a.txt", "use type upload"),
        ("color", "#ff0000", "set its value with op eval"),
    ],
)
async def test_a_value_that_does_not_fit_is_named_and_nothing_typed(
    desk: Desk, kind: str, text: str, says: str
) -> None:
    await desk.show(f"<input id=field type={kind}>{LOG}")
    outcome = await desk.act({"type": "type", "css": "#field", "text": text})
    assert outcome.status == "failed"
    assert says in outcome.text
    assert await desk.texts("#log") == [""]


async def test_typing_replaces_what_the_field_holds_and_goes_on_at_the_focus(desk: Desk) -> None:
    await desk.show("<input id=field value=ab><div id=note contenteditable>hey</div>")
    outcome = await desk.act(
        {"type": "type", "css": "#field", "text": "c"},
        {"type": "type", "text": "d"},
        {"type": "type", "css": "#note", "text": " you"},
    )
    assert 'it now holds "c"' in outcome.text
    assert 'it now holds "cd"' in outcome.text
    assert 'it now holds "hey you"' in outcome.text


async def test_a_workspace_file_is_chosen_and_its_bytes_arrive(desk: Desk) -> None:
    desk.put("data.csv", b"a,b\n1,2\n")
    desk.put("more.txt", "hi")
    await desk.show(
        "<label>Data <input id=field type=file multiple></label><output id=log></output>"
        "<script>field.onchange = async () => { log.textContent = (await Promise.all("
        "[...field.files].map(async (f) => `${f.name} ${f.type} ${await f.text()}`))).join('|') }"
        "</script>"
    )
    outcome = await desk.act({"type": "upload", "text": "Data", "files": ["data.csv", "more.txt"]})
    assert "chose data.csv (8 B), more.txt (2 B) in" in outcome.text, outcome.text
    await desk.act({"type": "wait", "code": "return log.textContent"})
    assert await desk.value("return log.textContent") == (
        "data.csv text/csv a,b\n1,2\n|more.txt text/plain hi"
    )
    assert await desk.value("return field.getAttributeNames()") == ["id", "type", "multiple"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["nope.csv"], "nope.csv not found"),
        (["../out.csv"], "outside the workspace"),
        (["one.csv", "one.csv"], "takes one file, not 2"),
    ],
)
async def test_files_that_cannot_be_chosen_are_named(
    desk: Desk, files: list[str], says: str
) -> None:
    desk.put("one.csv", "a")
    await desk.show("<input id=field type=file>")
    outcome = await desk.act({"type": "upload", "css": "#field", "files": files})
    assert outcome.status == "failed"
    assert says in outcome.text, outcome.text
    assert await desk.value("return field.files.length") == 0


async def test_a_label_and_its_control_are_one_match(desk: Desk) -> None:
    await desk.show("<label><input type=checkbox id=box> Agree</label>")
    outcome = await desk.act({"type": "click", "text": "Agree"})
    assert "matches" not in outcome.text
    assert await desk.value("return box.checked") is True
