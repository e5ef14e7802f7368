"""Pages that redefine builtins neither break nor fool what is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preview.desk import Desk, picture

if TYPE_CHECKING:
    from artifact_kit import Outcome

pytestmark = pytest.mark.anyio

SABOTAGE = {
    "JSON": "JSON.stringify = JSON.parse = () => { throw 1 }; window.JSON = null",
    "Promise": "window.Promise = function () { throw 1 }",
    "then": "Promise.prototype.then = () => { throw 1 }",
    "Array.prototype": "for (const k of Object.getOwnPropertyNames(Array.prototype)) "
    "if (k !== 'constructor') try { Array.prototype[k] = () => { throw 1 } } catch {}",
    "iterator": "Array.prototype[Symbol.iterator] = function* () { yield 'lie' }",
    "toJSON": "Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = "
    "() => 'lie'",
    "console": "window.console = null",
    "call": "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = "
    "() => { throw 1 }",
    "Element": "for (const k of ['getBoundingClientRect', 'matches', 'closest', 'getAttribute', "
    "'checkVisibility', 'scrollIntoView', 'querySelectorAll']) "
    "Element.prototype[k] = () => { throw 1 }",
    "EventTarget": "EventTarget.prototype.addEventListener = "
    "EventTarget.prototype.dispatchEvent = () => { throw 1 }",
    "Date": "Date.now = () => NaN; window.Date = null; performance.now = () => NaN; "
    "Performance.prototype.now = () => NaN",
    "timers": "window.setTimeout = window.requestAnimationFrame = window.queueMicrotask = () => 0",
    "Event": "window.Event = window.CustomEvent = window.ErrorEvent = null",
    "Object": "Object.keys = Object.defineProperty = Object.create = Object.freeze = "
    "Reflect.apply = Reflect.ownKeys = () => { throw 1 }; window.Reflect = null",
    "Object.prototype": "for (const k of ['get', 'set', 'value', 'kind', 'text', 'left', 'depth'])"
    " Object.defineProperty(Object.prototype, k, {get() { throw 1 }, set() { throw 1 }, "
    "configurable: true})",
    "String": "String.prototype.slice = String.prototype.replaceAll = String.prototype.trim = "
    "() => { throw 1 }; window.String = null",
    "Error": "Error.prepareStackTrace = () => { throw 1 }; Error.stackTraceLimit = 0",
    "Map": "window.Map = window.Set = window.WeakMap = window.WeakRef = window.Proxy = null",
    "document": "for (const k of ['querySelector', 'querySelectorAll', 'activeElement', 'body', "
    "'elementFromPoint', 'fonts', 'images', 'title']) "
    "Object.defineProperty(document, k, {get() { throw 1 }, configurable: true})",
    "window": "for (const k of ['innerWidth', 'innerHeight', 'scrollX', 'getComputedStyle', "
    "'location2', 'kit', 'navigation']) "
    "try { Object.defineProperty(window, k, {get() { throw 1 }, configurable: true}) } catch {}",
    "stop": "addEventListener('error', (e) => e.stopImmediatePropagation(), true); "
    "window.onerror = () => true",
    "globals": "for (const k of Object.getOwnPropertyNames(window)) "
    "try { if (!['document', 'location', 'window', 'top', 'self', 'go', 'shot'].includes(k)) "
    "window[k] = undefined } catch {}",
}


@pytest.mark.parametrize("name", SABOTAGE)
async def test_a_page_that_redefines_builtins_is_told_of_truly(desk: Desk, name: str) -> None:
    opened = await desk.show(
        f"<script>const log = console.log; {SABOTAGE[name]}</script>"
        "<style>body {margin: 0; background: rgb(0, 128, 0)}</style>"
        "<button id=go>Go</button><p id=p>before</p>"
        "<script>log('here', 7);\nvar got = ''; go.onclick = (e) => "
        "{ p.firstChild.data = got = 'trusted ' + e.isTrusted };\nnull.x</script>"
    )
    assert opened.status == "ok", opened.text
    assert "not checked" not in opened.text
    assert "Cannot read properties of null (reading 'x')" in opened.text
    assert ".html:3:6  Uncaught TypeError" in opened.text
    assert "here 7" in opened.text
    acted = await desk.act({"type": "click", "css": "#go"})
    assert acted.status == "ok", acted.text
    assert await desk.texts("#p") == ["trusted true"]
    ran = await desk.call("eval", code="return {got, list: [1, 'two']}")
    assert ran.data["result"] == '{"got":"trusted true","list":[1,"two"]}', ran.text
    assert picture(await desk.call("shot")).getpixel((1200, 700)) == (0, 128, 0)


async def test_named_elements_that_shadow_the_document_do_no_harm(desk: Desk) -> None:
    names = "querySelector querySelectorAll body title location activeElement getElementById images"
    forms = "".join(f"<form name={name}><input name=id></form>" for name in names.split())
    opened = await desk.show(
        f"{forms}<form id=f><input name=getAttribute><input name=children><button id=go>Go"
    )
    assert opened.status == "ok", opened.text
    acted = await desk.act({"type": "click", "css": "#go"})
    assert acted.status == "ok", acted.text
    assert "not checked" not in opened.text + acted.text
    assert await desk.texts("#go") == ["Go"]
    assert (await desk.call("read")).status == "ok"


async def test_nothing_of_the_kit_can_be_found_by_a_page(desk: Desk) -> None:
    await desk.show("<p>x</p><iframe srcdoc='<p>bare</p>'></iframe>")
    code = """
        const names = (object) => Reflect.ownKeys(object).map(String);
        const bare = frames[0];
        const odd = names(window).filter((n) => /artifact|playwright|__|[0-9a-f]{20}/i.test(n));
        const more = [document, document.documentElement, console, navigator, reportError]
          .flatMap(names).filter((n) => /kit|artifact|__|[0-9a-f]{24}/i.test(n));
        return [odd, more]"""
    assert await desk.value(code) == [[], []]


async def test_stand_ins_look_like_the_natives(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    code = """
        const all = {log: console.log, error: console.error, alert, confirm, prompt, open, close,
          Worker, reportError, click: HTMLElement.prototype.click,
          getContext: HTMLCanvasElement.prototype.getContext};
        const odd = [];
        for (const [name, f] of Object.entries(all)) {
          if (Function.prototype.toString.call(f) !== `function ${name}() { [native code] }`
            && !/\\[native code\\]/.test(Function.prototype.toString.call(f))) odd.push(name);
          if (f.name !== name) odd.push(name + '.name ' + f.name);
          if (Object.hasOwn(f, 'toString')) odd.push(name + '.toString');
          if (name !== 'Worker' && Object.hasOwn(f, 'prototype')) odd.push(name + '.prototype');
        }
        return odd"""
    assert await desk.value(code) == []


async def test_a_page_cannot_forge_or_swallow_what_is_told(desk: Desk) -> None:
    outcome = await desk.show(
        "<p>x</p><script>"
        "dispatchEvent(new ErrorEvent('error', {message: 'forged', filename: 'x.html'}));"
        "dispatchEvent(new CustomEvent('__TOKEN__:note', {detail: {note: {kind: 'error'}}}));"
        "console.log = console.warn = () => 0; window.onerror = () => true;"
        "setTimeout(() => { throw new Error('real') })</script>"
    )
    assert "forged" not in outcome.text
    assert "Uncaught Error: real" in outcome.text


async def test_values_that_throw_when_looked_at_are_shown_anyway(desk: Desk) -> None:
    script = """
        const thrower = new Proxy({}, {ownKeys() { throw 1 }, getPrototypeOf() { throw 1 }});
        const lazy = {get boom() { throw 1 }, ok: 1};
        const named = new Error('x'); Object.defineProperty(named, 'message', {get() { throw 1 }});
        const deep = {}; let at = deep; for (let i = 0; i < 10000; i++) at = at.a = {};
        console.log(thrower); console.log(lazy); console.log(named); console.log(deep);
        console.log(Object.create(null), new Map([[{}, new Set([1])]]), Symbol('s'), 10n, -0, [,1]);
        console.log(new (class Dog { name = 'Rex' })(), document.querySelector('p'), () => 1);
        console.log(new Error('outer', {cause: new Error('inner')}), /a/g, new Date(0), NaN);
        console.log('%s is %d of %o%c', 'a', 4.7, {b: 1}, 'color: red', 'end');
        console.log('\\ud800 lone', 'é\\u0000'); console.table([1]); console.assert(1 > 2, 'math');
        console.count('c'); console.count('c')"""
    outcome = await desk.show(f"<p id=q class='a b'>x</p><script>{script}</script>")
    check_shown(outcome)


def check_shown(outcome: Outcome) -> None:
    assert outcome.data["errors"] == 0, outcome.text
    for words in (
        "[value that throws when looked at]",
        "{boom: (…), ok: 1}",
        "{} Map(1) {{} => Set(1) {1}} Symbol(s) 10n -0 [empty, 1]",
        'Dog {name: "Rex"} <p id="q" class="a b"> ƒ (anonymous)',
        "Error: outer (cause: Error: inner) /a/g 1970-01-01T00:00:00.000Z NaN",
        "a is 4 of {b: 1} end",
        "� lone",
        "assert: Assertion failed: math",
        "c: 2",
    ):
        assert words in outcome.text, words
