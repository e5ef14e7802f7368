"""Where it went wrong: the line and column of every error, in the files as they were written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.preview.desk import HEAD, Desk

pytestmark = pytest.mark.anyio


def inline(code: str) -> dict[str, str | bytes]:
    """A page with a script whose code begins in line 3."""
    return {"i.html": f"{HEAD}\n<script>\n{code}</script>"}


CLICK: dict[str, Any] = {"type": "click", "css": "#b"}
LONG = "a=1;" + "x=1," * 4000 + "null.boom;" + "y=1," * 4000 + "z=1"
BLOB = (
    "\n<script>\nconst code = `\nonmessage = () => {\n  missing.blob();\n};`;\n"
    "const w = new Worker(URL.createObjectURL(new Blob([code])));\nw.postMessage(1);\n</script>"
)

LOADED: dict[str, tuple[dict[str, str | bytes], str]] = {
    "an inline script far down": (
        {"i.html": HEAD + "\n<p>x</p>" * 30 + "\n<script>\n\n  null.a;</script>"},
        "i.html:34:8  Uncaught TypeError: Cannot read properties of null (reading 'a')\n"
        "      34 | null.a;",
    ),
    "an external script": (
        {
            "i.html": f"{HEAD}<script src=a.js></script>",
            "a.js": "// 1\nfunction f() {\n  nope();\n}\nf();",
        },
        "a.js:3:3  Uncaught ReferenceError: nope is not defined\n       3 | nope();",
    ),
    "a script that does not parse": (
        inline("const a = {\n  b: 1,\n  c 2\n};\n"),
        "i.html:5:5  SyntaxError: Unexpected number\n       5 | c 2",
    ),
    "a module": (
        {
            "i.html": f"{HEAD}<script type=module>import {{f}} from './a.js'; f()</script>",
            "a.js": "export function f() {\n  throw new RangeError('far');\n}",
        },
        "a.js:2:9  Uncaught RangeError: far",
    ),
    "a module that does not parse, two imports away": (
        {
            "i.html": f"{HEAD}<script type=module src=m.js></script>",
            "m.js": "import './a.js';\nimport './lib/b.js';",
            "a.js": "export const a = 1;",
            "lib/b.js": "export const x = {\n  a: 1,, b: 2\n};",
        },
        "lib/b.js:2:8  SyntaxError: Unexpected token ','\n       2 | a: 1,, b: 2",
    ),
    "an export that is not there": (
        {
            "i.html": f"{HEAD}\n<script type=module>\nimport {{nope}} from './a.js';\n</script>",
            "a.js": "export const a = 1;",
        },
        "i.html:3:9  SyntaxError: The requested module './a.js' does not provide an export named",
    ),
    "a dynamic import": (
        {
            "i.html": f"{HEAD}<script>import('./a.js').then((m) => m.f())</script>",
            "a.js": "export function f() {\n  throw new Error('late');\n}",
        },
        "a.js:2:9  Uncaught (in promise) Error: late",
    ),
    "a dynamic import that does not parse": (
        {
            "i.html": f"{HEAD}<script>import('./a.js')</script>",
            "a.js": "export const a = 1;\nexport const b = ;",
        },
        "a.js:2:18  Uncaught (in promise) SyntaxError: Unexpected token ';'",
    ),
    "a dynamic import that is not there": (
        inline("import('./gone.js');\n"),
        "i.html:3:11  script gone.js failed to load: not in the workspace (404)",
    ),
    "a bare specifier in a file": (
        {
            "i.html": f"{HEAD}<script type=module src=m.js></script>",
            "m.js": "import './a.js';\nimport React from 'react';",
            "a.js": "",
        },
        'm.js:2:20  Uncaught TypeError: Failed to resolve module specifier "react"',
    ),
    "an import map that does not parse": (
        {"i.html": f'{HEAD}\n<script type=importmap>\n{{"imports": {{}},}}\n</script>'},
        "i.html:2:14  SyntaxError: Failed to parse import map",
    ),
    "a worker": (
        {
            "i.html": f"{HEAD}<script>new Worker('w.js').postMessage(1)</script>",
            "w.js": "onmessage = () => {\n  null.boom;\n};",
        },
        "w.js:2:8  Uncaught TypeError: Cannot read properties of null (reading 'boom')",
    ),
    "a worker that does not parse": (
        {
            "i.html": f"{HEAD}<script>new Worker('w.js')</script>",
            "w.js": "const a = 1;\nconst b = ;",
        },
        "w.js:2:11  SyntaxError: Unexpected token ';'",
    ),
    "a module worker that does not parse": (
        {
            "i.html": f"{HEAD}\n<script>new Worker('w.js', {{type: 'module'}})</script>",
            "w.js": "const b = ;",
        },
        "i.html:2:21  worker w.js failed to load: it, or a module that it imports, does not parse",
    ),
    "what a worker imports": (
        {
            "i.html": f"{HEAD}<script>new Worker('w.js', {{type: 'module'}})</script>",
            "w.js": "import {f} from './x.js';\nf();",
            "x.js": "export function f() {\n  missing();\n}",
        },
        "x.js:2:3  Uncaught ReferenceError: missing is not defined",
    ),
    "a script that a worker imports": (
        {
            "i.html": f"{HEAD}<script>new Worker('w.js')</script>",
            "w.js": "importScripts('lib.js');",
            "lib.js": "\nmissing();",
        },
        "lib.js:2:1  Uncaught ReferenceError: missing is not defined",
    ),
    "a rejection in a worker": (
        {
            "i.html": f"{HEAD}<script>new Worker('w.js')</script>",
            "w.js": "(async () => {\n  throw new Error('deep');\n})();",
        },
        "w.js:2:9  Uncaught (in promise) Error: deep",
    ),
    "a worker that pages share": (
        {
            "i.html": f"{HEAD}<script>new SharedWorker('w.js')</script>",
            "w.js": "const a = 1;\nnull.shared;",
        },
        "w.js:2:6  Uncaught TypeError: Cannot read properties of null (reading 'shared')",
    ),
    "a worker made of a blob": (
        {"i.html": HEAD + BLOB},
        "i.html:5:3  Uncaught ReferenceError: missing is not defined\n       5 | missing.blob();",
    ),
    "code that eval runs": (
        inline("const calc = (s) => {\n  eval(s);\n};\ncalc('1 + q')"),
        "i.html:4:3  Uncaught ReferenceError: q is not defined\n       4 | eval(s);",
    ),
    "code that eval cannot parse": (
        inline("const calc = (s) => {\n  eval(s);\n};\ncalc('1 +')"),
        "i.html:4:8  SyntaxError: Unexpected end of input",
    ),
    "a function made of text": (
        inline("const f = new Function('x', 'return x' + '.y.z');\nf(1);"),
        "i.html:4:1  Uncaught TypeError: Cannot read properties of undefined (reading 'z')",
    ),
    "a timer made of text": (
        inline("\nsetTimeout('nope()', 1);\n"),
        "i.html:4:13  Uncaught ReferenceError: nope is not defined",
    ),
    "a template over many lines": (
        inline("const t = `a\n b ${\n   nope.x\n} c`;\n"),
        "i.html:5:4  Uncaught ReferenceError: nope is not defined\n       5 | nope.x",
    ),
    "lines that end as on Windows": (
        {"i.html": f"{HEAD}\r\n<script>\r\n\r\n  null.a;\r\n</script>"},
        "i.html:4:8  Uncaught TypeError: Cannot read properties of null (reading 'a')\n"
        "       4 | null.a;",
    ),
    "a byte order mark": (
        {
            "i.html": b"\xef\xbb\xbf" + f"{HEAD}<script src=a.js></script>".encode(),
            "a.js": b"\xef\xbb\xbfnull.first;",
        },
        "a.js:1:6  Uncaught TypeError: Cannot read properties of null (reading 'first')\n"
        "       1 | null.first;",
    ),
    "a very long line": (
        {"i.html": f"{HEAD}<script src=a.js></script>", "a.js": LONG},
        "a.js:1:16010  Uncaught TypeError: Cannot read properties of null (reading 'boom')\n"
        "       1 | …",
    ),
    "a library, called by the page": (
        {
            "i.html": f"{HEAD}<script src=lib.min.js></script><script src=app.js></script>",
            "lib.min.js": "function each(f){return f.x.y}",
            "app.js": "function start() {\n  each(() => 1);\n}\nstart();",
        },
        "lib.min.js:1:29  Uncaught TypeError: Cannot read properties of undefined (reading 'y') "
        "← app.js:2:3 each(() => 1);",
    ),
    "a frame of the artifact": (
        {
            "i.html": f"{HEAD}<iframe src=in.html></iframe>",
            "in.html": f"{HEAD}\n<script>\nnull.framed;\n</script>",
        },
        "in.html:3:6  Uncaught TypeError: Cannot read properties of null (reading 'framed')",
    ),
    "a frame of a sandbox of its own": (
        {
            "i.html": f"{HEAD}<iframe sandbox=allow-scripts src=in.html></iframe>",
            "in.html": f"{HEAD}\n<script>\nPromise.reject('boxed');\nnull.boxed;\n</script>",
        },
        "in.html:4:6  Uncaught TypeError: Cannot read properties of null (reading 'boxed')\n"
        "       4 | null.boxed;\n  in.html:3:9  Uncaught (in promise) boxed",
    ),
    "a frame made of an attribute": (
        {"i.html": f'{HEAD}\n<iframe srcdoc="<p>x</p><script>\nnull.inner;</script>"></iframe>'},
        "i.html:3:6  Uncaught TypeError: Cannot read properties of null (reading 'inner')",
    ),
    "a drawing": (
        {
            "i.svg": "<svg xmlns='http://www.w3.org/2000/svg'>\n<rect width='9' height='9'/>\n"
            "<script>\n  null.svg;\n</script></svg>"
        },
        "i.svg:4:8  Uncaught TypeError: Cannot read properties of null (reading 'svg')",
    ),
    "a promise of any value": (
        inline("Promise.reject(null);\nPromise.reject(Symbol('q'));"),
        "i.html:3:9  Uncaught (in promise) null\n       3 | Promise.reject(null);\n"
        "  i.html:4:9  Uncaught (in promise) Symbol(q)",
    ),
    "an async function": (
        inline("(async () => {\n  await 0;\n  JSON.parse('{x');\n})();"),
        "i.html:5:8  Uncaught (in promise) SyntaxError: Expected property name",
    ),
    "JSON that does not parse": (
        inline("const text = '[1,]';\nJSON.parse(text);\n"),
        "i.html:4:6  SyntaxError: Unexpected token ']'",
    ),
    "values that are no errors": (
        inline("throw {code: 7};\n"),
        "i.html:3:1  Uncaught {code: 7}",
    ),
    "an error with a cause and fields": (
        inline(
            "const e = new Error('outer', {cause: new TypeError('in')});"
            "\ne.status = 404;\nthrow e;\n"
        ),
        "i.html:3:11  Uncaught Error: outer (cause: TypeError: in, status: 404)",
    ),
    "an error that was caught and thrown again": (
        inline("const f = () => {\n  null.x;\n};\ntry {\n  f();\n} catch (e) {\n  throw e;\n}\n"),
        "i.html:4:8  Uncaught TypeError: Cannot read properties of null (reading 'x')",
    ),
}


@pytest.mark.parametrize("case", LOADED)
async def test_an_error_is_placed_in(desk: Desk, case: str) -> None:
    files, words = LOADED[case]
    folder = f"places{list(LOADED).index(case)}"
    for name, content in files.items():
        desk.put(f"{folder}/{name}", content)
    outcome = await desk.call("open", path=f"{folder}/{next(iter(files))}")
    assert words in await desk.told(outcome.text, words, drop=f"{folder}/")


CLICKED = {
    "an attribute": (
        "\n<p>\n<button id=b\n  title='>' onclick=\"nope()\">Go</button>",
        "4:22  Uncaught ReferenceError: nope is not defined",
    ),
    "an attribute over many lines": (
        '\n<button id=b onclick="\n  const a = 1;\n  nope(a);\n" title=x>Go</button>',
        "4:3  Uncaught ReferenceError: nope is not defined",
    ),
    "an attribute that a script wrote": (
        '\n<p id=p></p><script>\np.innerHTML = `<i>x</i>\n  <b id=b onclick="gone()">Go</b>`;\n'
        "</script>\n",
        "4:20  Uncaught ReferenceError: gone is not defined",
    ),
    "an address that is code": (
        '\n<a id=b\n href="javascript:nope()">Go</a>',
        "3:19  Uncaught ReferenceError: nope is not defined",
    ),
    "a handler": (
        "\n<button id=b>Go</button>\n<script>\nb.onclick = function () {\n  nope();\n};\n</script>",
        "5:3  Uncaught ReferenceError: nope is not defined",
    ),
    "an async handler": (
        "\n<button id=b>Go</button>\n<script>\nb.addEventListener('click', async () => {\n"
        "  const data = await null;\n  data.name;\n});\n</script>",
        "6:8  Uncaught (in promise) TypeError: Cannot read properties of null (reading 'name')",
    ),
    "a timer": (
        "\n<button id=b onclick='setTimeout(later)'>Go</button>\n<script>\nfunction later() {\n"
        "  null.t;\n}\n</script>",
        "5:8  Uncaught TypeError: Cannot read properties of null (reading 't')",
    ),
    "a frame that is drawn": (
        "\n<button id=b onclick='requestAnimationFrame(tick)'>Go</button>\n<script>\n"
        "function tick() {\n  null.r;\n}\n</script>",
        "5:8  Uncaught TypeError: Cannot read properties of null (reading 'r')",
    ),
}


@pytest.mark.parametrize("case", CLICKED)
async def test_an_error_of_a_click_is_placed_in(desk: Desk, case: str) -> None:
    body, words = CLICKED[case]
    opened = await desk.show(body)
    outcome = await desk.act(CLICK)
    assert f"  {opened.data['path']}:{words}" in outcome.text


async def test_a_place_that_is_not_certain_is_left_out(desk: Desk) -> None:
    await desk.show(
        '\n<p id=p></p><script>\n/* gone */ p.innerHTML = `<b id=b onclick="gone()">Go</b>`;\n'
        "</script>"
    )
    outcome = await desk.act(CLICK)
    assert "\n  Uncaught ReferenceError: gone is not defined" in outcome.text


async def test_errors_are_told_in_the_order_of_time(desk: Desk) -> None:
    outcome = await desk.show(
        "<script>fetch('gone.json').then(() => { setTimeout(() => { throw new Error('third') }, 9);"
        "throw new Error('second') }); throw new Error('first')</script>"
    )
    words = ("Error: first", "gone.json failed to load", "Error: second", "Error: third")
    told = await desk.told(outcome.text, *words)
    places = [told.index(each) for each in words]
    assert sorted(places) == places


async def test_the_page_is_told_by_its_name_and_never_by_its_address(desk: Desk) -> None:
    outcome = await desk.show(
        "<script>console.log(location.href, import.meta); </script>"
        "<script>console.log(location.href); import('./gone.js')</script>"
    )
    assert ".invalid" not in outcome.text
    assert "Failed to fetch dynamically imported module: gone.js" in outcome.text


async def test_a_comment_is_not_taken_for_the_place_of_an_address(desk: Desk) -> None:
    desk.put("comments/lib.js", "// theme.css is for the page\n")
    body = "\n<!-- uses theme.css -->\n<script src=lib.js></script>\n<link rel=stylesheet "
    page = desk.put("comments/i.html", f"{HEAD}{body}href=/theme.css>")
    text = (await desk.call("open", path=page)).text
    assert "comments/i.html:4:28  stylesheet theme.css failed to load" in text
