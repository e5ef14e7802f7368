"""What a page prints, as a developer tool would show it, and never more than fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

SHOWN = {
    "{a: 1, b: {c: [1, {d: 3}]}}": "{a: 1, b: {c: [1, {…}]}}",
    "[1, 'two', , null]": '[1, "two", empty, null]',
    "new Array(100).fill(7)": "(100) [" + "7, " * 20 + "… 80 more]",
    "new Map([['a', {x: 1}], [{k: 1}, 2]])": 'Map(2) {"a" => {x: 1}, {k: 1} => 2}',
    "new Set([1, 'b'])": 'Set(2) {1, "b"}',
    "10n, -0, NaN, undefined, null, Symbol('s')": "10n -0 NaN undefined null Symbol(s)",
    "function foo(a) {}, () => 1, class Foo {}, Math.max": "ƒ foo ƒ (anonymous) class Foo ƒ max",
    "(() => { const c = {n: 1}; c.self = c; return c; })()": "{n: 1, self: [Circular]}",
    "{get boom() { throw 1; }, ok: 1}": "{boom: (…), ok: 1}",
    "new Proxy({}, {ownKeys() { throw 1; }})": "[value that throws when looked at]",
    "new Proxy([1], {}), new Proxy(function f() {}, {})": "[1] ƒ f",
    "new Uint8Array([1, 2]), new ArrayBuffer(8)": "Uint8Array(2) [1, 2] ArrayBuffer(8)",
    "new Date(0), new Date(NaN), /a+/gi": "1970-01-01T00:00:00.000Z Invalid Date /a+/gi",
    "new Error('out', {cause: new TypeError('in')})": "Error: out (cause: TypeError: in)",
    "Object.assign(new Error('no'), {status: 404})": "Error: no (status: 404)",
    "new AggregateError([new Error('one'), 2], 'all')": (
        "AggregateError: all (errors: [Error: one, 2])"
    ),
    "document.querySelector('p'), document": '<p id="q" class="x y"> #document',
    "document.querySelectorAll('p'), document.forms": (
        'NodeList(1) [<p id="q" class="x y">] HTMLCollection(0) []'
    ),
    "{toJSON() { return 1; }, a: 1}": "{toJSON: ƒ toJSON, a: 1}",
    "new (class Dog { #age = 1; name = 'Rex'; })()": 'Dog {name: "Rex"}',
    "Object.create(null), new String('s'), Object(1n)": '{} String {"s"} BigInt {1n}',
    "window, Promise.resolve(1), new Event('x')": 'Window Promise Event {type: "x"}',
    "'a\\ud800b', 'line 1\\nline 2'": "a�b line 1⏎ line 2",
}
FORMATS = {
    "'%s is %d, %i, %f of %o%c end %%', 'Al', 4.7, 4.2, 1.5, {a: 1}, 'color: red'": (
        "Al is 4, 4, 1.5 of {a: 1} end %"
    ),
    "'100% sure', 5": "100% sure 5",
    "'%s %s', new Error('e')": "Error: e %s",
}


async def test_arguments_are_shown_as_a_developer_tool_does(desk: Desk) -> None:
    sources = list(SHOWN)
    for start in range(0, len(sources), 10):
        part = sources[start : start + 10]
        lines = "\n".join(f"console.log('[{sources.index(each)}]', {each});" for each in part)
        text = (await desk.show(f"<p id=q class='x y'>Hi</p><script>\n{lines}\n</script>")).text
        for each in part:
            assert f"  [{sources.index(each)}] {SHOWN[each]}  (" in text


async def test_formats_are_filled_in(desk: Desk) -> None:
    lines = "".join(f"console.log({each});" for each in FORMATS)
    text = (await desk.show(f"<p>Hi</p><script>{lines}</script>")).text
    for words in FORMATS.values():
        assert f"  {words}  (" in text


KINDS = {
    "console.info('I')": "  info: I  (",
    "console.warn('W', {a: 1})": "  warn: W {a: 1}  (",
    "console.error('E', new TypeError('t'))": "  error: E TypeError: t  (",
    "console.debug('D')": "  debug: D  (",
    "console.table([{a: 1}, {a: 2}])": "  table: [{a: 1}, {a: 2}]  (",
    "console.dir({deep: {er: 1}})": "  dir: {deep: {er: 1}}  (",
    "console.assert(0, 'bad %s', 'x')": "  assert: Assertion failed: bad x  (",
    "console.group('G'); console.log('in'); console.groupEnd(); console.log('out')": (
        "  group: G  (|    in  (|  out  ("
    ),
    "console.count('k'); console.count('k'); console.countReset('k'); console.count('k')": (
        "  k: 1  (|  k: 2  (|  k: 1  ("
    ),
    "console.time('t'); console.timeEnd('t'); console.timeEnd('none')": (
        " ms  (|  warn: Timer 'none' does not exist  ("
    ),
    "console.log()": "  (",
}


@pytest.mark.parametrize("code", KINDS)
async def test_each_kind_of_line_is_told(desk: Desk, code: str) -> None:
    text = (await desk.show(f"<p>Hi</p><script>{code}</script>")).text
    at = 0
    for words in KINDS[code].split("|"):
        at = text.index(words, at)
    assert "errors" not in text


async def test_a_true_assertion_prints_nothing(desk: Desk) -> None:
    opened = await desk.show("<p>Hi</p><script>console.assert(1, 'x'); console.clear()</script>")
    assert "console" not in opened.text


async def test_a_trace_names_its_callers(desk: Desk) -> None:
    outcome = await desk.show(
        "<p>Hi</p>\n<script>\nfunction inner() {\n  console.trace('here');\n}\nfunction outer() {\n"
        "  inner();\n}\nouter();\n</script>"
    )
    page = outcome.data["path"]
    assert f"  trace: here ← {page}:7:3 ← {page}:9:1  ({page}:4:11)" in outcome.text


async def test_lines_stand_in_the_order_of_time_and_equal_ones_collapse(desk: Desk) -> None:
    outcome = await desk.show(
        "<p>Hi</p><script>console.log('a');\nfor (let i = 0; i < 9; i++) console.log('tick');\n"
        "for (let i = 0; i < 7; i++) { console.log('ping'); console.warn('pong'); }\n"
        "setTimeout(() => console.log('late'));\nconsole.log('b');\nconsole.log('b');\n</script>"
    )
    lines = [line.split("  (")[0] for line in outcome.text.splitlines() if line.startswith("  ")]
    assert lines == [
        "  a",
        "  tick ×9",
        "  ping ×7",
        "  warn: pong ×7",
        "  b",
        "  b",
        "  late",
    ]


FLOODS = {
    "one line of 100 MB": "console.log('x'.repeat(1e8))",
    "a million lines": "for (let i = 0; i < 1e6; i++) console.log('line ' + i)",
    "an object of many fields": (
        "const o = {}; for (let i = 0; i < 2e5; i++) o['k' + i] = i; console.log(o)"
    ),
    "an object a million deep": (
        "let o = {}; for (let i = 0; i < 1e6; i++) o = {o}; console.log(o, [o], new Map([[o, o]]))"
    ),
    "a string of a million lone surrogates": "console.log('\\ud800'.repeat(1e6))",
    "a name of a million letters": "console.log({['k'.repeat(1e6)]: 1}, Symbol('s'.repeat(1e6)))",
}


@pytest.mark.parametrize("flood", FLOODS)
async def test_however_much_is_printed_the_reply_is_small(desk: Desk, flood: str) -> None:
    outcome = await desk.show(f"<p>Hi</p><script>{FLOODS[flood]}</script>")
    assert outcome.data["verdict"] == "ok", outcome.text
    assert "console (" in outcome.text
    assert len(outcome.text) < 2_000


async def test_a_frame_and_a_worker_print_too(desk: Desk) -> None:
    desk.put("inner.html", "<!doctype html>\n<script>\nconsole.log('from a frame')</script>")
    desk.put("w.js", "\nconsole.log('from a worker', {a: [1]}); postMessage('done')")
    opened = await desk.show(
        "<p id=p>Hi</p><iframe src=inner.html></iframe><script>"
        "new Worker('w.js').onmessage = (e) => { p.textContent = e.data }</script>"
    )
    waited = await desk.act({"type": "wait", "code": "return p.textContent === 'done'"})
    text = opened.text + waited.text
    assert "  from a frame  (inner.html:3:9)" in text
    # Of an object that a worker prints before it was greeted, Chromium tells the class alone.
    assert re.search(r"  worker: from a worker (\{.+\}|Object)  \(w\.js:2:9\)", text), text


async def test_an_error_that_was_caught_is_told_with_where_it_was_thrown(desk: Desk) -> None:
    outcome = await desk.show(
        "<p>Hi</p>\n<script>\nfunction load() {\n  null.x;\n}\ntry {\n  load();\n} catch (e) {\n"
        "  console.error('failed', e);\n}\nPromise.resolve().then(load).catch(console.warn);\n"
        "</script>"
    )
    page = outcome.data["path"]
    error = "TypeError: Cannot read properties of null (reading 'x')"
    assert f"  error: failed {error} thrown at {page}:4:8  ({page}:9:11)" in outcome.text
    assert f"  warn: {error}  ({page}:4:8)" in outcome.text


async def test_a_harmless_notice_about_sizes_is_no_error(desk: Desk) -> None:
    outcome = await desk.show(
        "<p id=p>Hi</p><script>let n = 0; new ResizeObserver(() => {"
        "if (n++ < 5) p.style.width = 100 + n + 'px' }).observe(p)</script>"
    )
    assert (outcome.data["verdict"], outcome.data["errors"]) == ("ok", 0)
    assert "warn: ResizeObserver loop" in outcome.text
