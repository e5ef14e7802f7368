"""Code run in a page: its values, its errors, and their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits
from tests.preview.desk import HEAD, Desk, desk_at

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

VALUES = {
    "return 1.5": "1.5",
    "return -0": "-0",
    "return NaN": "NaN",
    "return 10n": "10n",
    "return true": "true",
    "return null": "null",
    "return {a: [1, 'b', null, {c: undefined}]}": '{"a":[1,"b",null,{"c":undefined}]}',
    "return Symbol('s')": "Symbol(s)",
    "return function name() {}": "ƒ name",
    "return class Dog {}": "class Dog",
    "return document.querySelector('p')": '<p id="p">',
    "return new Error('no')": "Error: no",
    "return new Date(0)": "1970-01-01T00:00:00.000Z",
    "return /a+/g": "/a+/g",
    "return new Map([['k', 1]])": 'Map(1) {"k" => 1}',
    "return new Uint8Array([1, 2])": "Uint8Array(2) [1,2]",
    "return [,1]": "[empty,1]",
    "const a = {}; a.a = a; return a": '{"a":[Circular]}',
    "return new Proxy({}, {ownKeys() { throw 1 }})": "[value that throws when looked at]",
    "return window === globalThis": "true",
    "return hidden + secret": "3",
    "return await new Promise(r => setTimeout(() => r('late'), 5))": "late",
    "return (await fetch('eval.html')).status": "200",
}


@pytest.fixture
async def page(desk: Desk) -> Desk:
    """The desk with a page that has top-level names."""
    script = "<script>let hidden = 1; const secret = 2</script>"
    desk.put("eval.html", f"{HEAD}<p id=p>x</p>{script}")
    await desk.call("open", path="eval.html")
    return desk


async def test_values_of_every_type_are_shown(page: Desk) -> None:
    for code, shown in VALUES.items():
        outcome = await page.call("eval", code=code)
        assert (outcome.status, outcome.data["result"]) == ("ok", shown), code


async def test_a_string_stands_in_quotes_and_nothing_is_undefined(page: Desk) -> None:
    text = (await page.call("eval", code="return 'a\\n\"b\"'")).text
    assert text.startswith(r'"a\n\"b\""')
    nothing = (await page.call("eval", code="1 + 1")).text
    assert nothing.startswith("undefined (use return")


async def test_long_values_are_cut_with_how_to_get_the_rest(page: Desk) -> None:
    outcome = await page.call("eval", code="return 'x'.repeat(1e6)")
    assert "first 4000 of 1000000 characters" in outcome.text
    assert len(outcome.text) < 5000
    outcome = await page.call("eval", code="return Array.from({length: 1e6}, (_, i) => i)")
    assert len(outcome.text) < 5000
    assert "…[first 4000 characters; return a part" in outcome.text


async def test_lone_surrogates_leave_as_well_formed_text(page: Desk) -> None:
    outcome = await page.call("eval", code="return 'a\\ud800b😀'")
    assert "a\ufffdb😀" in outcome.text
    assert outcome.text.encode()
    assert str(outcome.data["result"]).encode()


async def test_code_that_throws_fails_with_its_line(page: Desk) -> None:
    outcome = await page.call("eval", code="const a = 1;\nnull.x")
    assert outcome.status == "failed"
    assert "the code threw TypeError: Cannot read properties of null" in outcome.text
    assert "(line 2 of the code)" in outcome.text
    for code, words in {
        "throw 'text'": 'threw "text"',
        "throw {a: 1}": "threw {a: 1}",
        "await Promise.reject(new RangeError('r'))": "threw RangeError: r",
        "throw undefined": "threw undefined",
    }.items():
        outcome = await page.call("eval", code=code)
        assert outcome.status == "failed"
        assert words in outcome.text


async def test_code_that_does_not_parse_is_refused(page: Desk) -> None:
    for code in ("return ((", "let x = ;", "} {"):
        outcome = await page.call("eval", code=code)
        assert (outcome.status, outcome.data["code"]) == ("refused", "bad_code"), outcome.text
        assert "Nothing was run" in outcome.text


async def test_code_that_leaves_its_function_is_told_so(page: Desk) -> None:
    outcome = await page.call("eval", code="}); 5; (() => {")
    assert outcome.status == "failed"
    assert "braces of the code do not match" in outcome.text


async def test_code_that_is_too_long_is_refused_with_the_number(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(code_chars=50)) as desk:
        await desk.show("<p>x</p>")
        outcome = await desk.call("eval", code="1;" * 30)
        assert (outcome.status, outcome.data["code"]) == ("refused", "too_long")
        assert "60 characters; at most 50" in outcome.text


async def test_errors_that_code_causes_are_listed_with_the_reply(page: Desk) -> None:
    code = "console.warn('careful'); Promise.reject(new Error('later')); return 5"
    outcome = await page.call("eval", code=code)
    assert outcome.data["result"] == "5"
    assert "warn: careful" in outcome.text
    assert "Uncaught (in promise) Error: later" in outcome.text
    again = await page.call("eval", code="return 6")
    assert "later" not in again.text


async def test_code_that_leaves_the_page_says_so(page: Desk) -> None:
    page.put("other.html", f"{HEAD}<title>Other</title><p id=p>other</p>")
    outcome = await page.call("eval", code="location.href = 'other.html'; await 1; return 1")
    assert outcome.status in ("ok", "failed")
    await page.act({"type": "wait", "code": "return p.textContent === 'other'"})
    assert await page.texts("#p") == ["other"]
    code = "location.href = 'https://else.example/'; await new Promise(r => setTimeout(r, 50))"
    away = await page.call("eval", code=code)
    assert "navigation to https://else.example/ was stopped" in away.text
    assert await page.texts("#p") == ["other"]


async def test_code_that_reloads_while_it_runs_has_no_result_to_tell(page: Desk) -> None:
    outcome = await page.call("eval", code="location.reload(); await new Promise(() => {})")
    assert "its result is not known" in outcome.text
    assert await page.texts("#p") == ["x"]


async def test_reading_and_running_do_not_wait_for_a_page_to_be_quiet(desk: Desk) -> None:
    script = "setInterval(() => { document.body.append('.') }, 5); fetch('x')"
    await desk.show(f"<p>x</p><script>{script}</script>")
    before = await desk.value("return performance.now()")
    for _ in range(5):
        await desk.value("return 1")
    assert await desk.value("return performance.now()") - before < 2500
