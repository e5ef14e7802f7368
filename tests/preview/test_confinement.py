"""What a page may reach: the files of its workspace, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits
from tests.preview.desk import HEAD, Desk, desk_at

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path", ["../x.html", "/../x.html", "a/../../x.html", "C:\\x.html", "~/x.html", "a\0.html", ""]
)
async def test_a_path_outside_the_workspace_is_refused(desk: Desk, path: str) -> None:
    outcome = await desk.call("open", path=path)
    assert outcome.status == "refused"
    assert str(desk.folder) not in outcome.text


async def test_a_link_that_leads_out_is_not_opened_and_not_loaded(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "secret.html").write_text("<p>secret</p>")
    (desk.folder / "link.html").symlink_to(tmp_path / "secret.html")
    (desk.folder / "folder").symlink_to(tmp_path)
    for path in ("link.html", "folder/secret.html"):
        outcome = await desk.call("open", path=path)
        assert outcome.status in ("refused", "failed")
        assert str(tmp_path) not in outcome.text
    await desk.show("<p>x</p>")
    for path in ("link.html", "folder/secret.html"):
        assert await desk.value(f"return (await fetch('{path}')).status") == 404


async def test_a_missing_page_is_refused_with_the_nearest_name(desk: Desk) -> None:
    desk.put("sub/garden.html", HEAD)
    outcome = await desk.call("open", path="sub/gardne.html")
    assert (outcome.status, outcome.data["code"]) == ("refused", "not_found")
    assert "Did you mean sub/garden.html?" in outcome.text
    nowhere = await desk.call("open", path="nowhere/x.html")
    assert "its folder does not exist" in nowhere.text


async def test_a_folder_and_a_file_that_no_browser_shows_are_refused(desk: Desk) -> None:
    desk.put("sub/a.html", HEAD)
    desk.put("data.zip", b"PK\x03\x04")
    assert "is a folder" in (await desk.call("open", path="sub")).text
    outcome = await desk.call("open", path="data.zip")
    assert (outcome.status, outcome.data["code"]) == ("refused", "bad_type")
    assert "application/octet-stream" in outcome.text


async def test_pictures_json_and_text_are_shown(desk: Desk) -> None:
    desk.put("a.json", '{"a": 1}')
    desk.put("a.txt", "plain <b>text</b>")
    for path in ("a.json", "a.txt", "planets/img/earth.png"):
        outcome = await desk.call("open", path=path)
        assert (outcome.status, outcome.data["verdict"]) == ("ok", "ok"), outcome.text
    await desk.call("open", path="a.txt")
    assert await desk.value("return document.body.innerText") == "plain <b>text</b>"


async def test_addresses_that_point_outside_answer_not_found(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    urls = [
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/%2e%2e%5c%2e%2e%5cetc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/%00",
        "/C:/Windows/win.ini",
        "/%ff%fe",
        "/" + "a" * 5000,
    ]
    code = f"""
        return Promise.all({urls!r}.map(async (url) => {{
          try {{ return (await fetch(location.origin + url)).status }} catch {{ return 'failed' }}
        }}))"""
    assert set(await desk.value(code)) <= {404, "failed"}


async def test_every_answer_carries_the_policy_also_404_and_fragments(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    code = """
        const names = ['missing.html', location.pathname, 'planets/data/planets.json'];
        const answers = await Promise.all(names.map((name) => fetch(name)));
        return answers.map((a) => a.headers.get('content-security-policy').slice(0, 18))"""
    assert set(await desk.value(code)) == {"default-src 'none'"}


async def test_a_page_reads_ranges_and_types_as_from_a_server(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    desk.put("abc.txt", "abcdef")
    code = """
        const part = await fetch('abc.txt', {headers: {Range: 'bytes=2-3'}});
        const json = await fetch('planets/data/planets.json');
        return [part.status, await part.text(), part.headers.get('content-range'),
          json.headers.get('content-type')]"""
    assert await desk.value(code) == [206, "cd", "bytes 2-3/6", "application/json"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<script src=https://cdn.example/three.min.js></script>", "script https://cdn.example/"),
        ("<link rel=stylesheet href=https://cdn.example/a.css>", "stylesheet https://cdn.example"),
        ("<img src=https://cdn.example/a.png>", "image https://cdn.example/a.png"),
        ("<img src=http://127.0.0.1:80/a.png>", "image http://127.0.0.1"),
        ("<script>fetch('https://api.example/x').catch(() => 0)</script>", "fetch https://api.ex"),
        ("<script>new WebSocket('wss://api.example/x')</script>", "wss://api.example/x"),
        ("<script>navigator.sendBeacon('https://api.example/b', 'x')</script>", "https://api.exa"),
        ("<iframe src=https://frame.example/></iframe>", "frame https://frame.example"),
        ("<img src=file:///etc/passwd>", "file:"),
        ("<script type=module>import 'https://esm.example/react'</script>", "https://esm.example"),
        ("<script>import('https://esm.example/v').catch(() => 0)</script>", "https://esm.example"),
        ("<style>@import url(https://cdn.example/i.css);</style>", "https://cdn.example/i.css"),
        ("<style>body {background: url(//cdn.example/b.png)}</style>x", "https://cdn.example/b.p"),
        ("<video src=https://cdn.example/v.mp4></video>", "media https://cdn.example/v.mp4"),
    ],
)
async def test_a_request_for_elsewhere_is_blocked_and_told(
    desk: Desk, body: str, told: str
) -> None:
    outcome = await desk.show(f"<p>still here</p>{body}")
    if "blocked (1)" not in outcome.text:
        outcome = await desk.call("read", queries=[{"css": "p"}])
    assert "blocked (1)" in outcome.text
    assert told in outcome.text
    assert "the preview has no network" in outcome.text


async def test_a_missing_file_is_told_with_its_place_and_the_nearest_name(desk: Desk) -> None:
    desk.put("lib/board.js", "")
    outcome = await desk.show("\n<script src=lib/baord.js></script>\n<img src=nope.png>")
    assert (
        "script lib/baord.js failed to load: not in the workspace (404); nearest: lib/board.js"
        in (outcome.text)
    )
    assert ".html:2:13  script" in outcome.text
    assert outcome.data["verdict"] == "degraded"


async def test_a_file_of_the_wrong_type_is_told(desk: Desk) -> None:
    desk.put("wrong.txt", "let x = 1")
    desk.put("broken.png", "no picture")
    outcome = await desk.show(
        "<script src=wrong.txt></script><script type=module>import './a.json'</script>"
        "<link rel=stylesheet href=wrong.txt><img src=broken.png>"
    )
    assert "script wrong.txt failed to load: its type text/plain is not JavaScript" in outcome.text
    assert "image broken.png failed to load: the browser cannot use its content" in outcome.text


async def test_a_module_that_imports_what_is_no_script_is_told(desk: Desk) -> None:
    desk.put("settings.json", "{}")
    outcome = await desk.show("<p>x</p><script type=module>import './settings.json'</script>")
    assert "script settings.json failed to load: its type application/json" in outcome.text
    assert outcome.data["verdict"] == "degraded"


async def test_a_download_that_a_script_starts_is_told(desk: Desk) -> None:
    await desk.show(
        "<button id=save>Save</button><script>save.onclick = () => {"
        "const a = document.createElement('a'); a.download = 'notes.csv';"
        "a.href = URL.createObjectURL(new Blob(['a,b'])); a.click() }</script>"
    )
    outcome = await desk.act({"type": "click", "css": "#save"})
    assert outcome.text.count("download of notes.csv was stopped") == 1


LEAVES = {
    "location": "<script>location.href = 'https://else.example/a'</script>",
    "replace": "<script>location.replace('https://else.example/a')</script>",
    "refresh": "<meta http-equiv=refresh content='0; url=https://else.example/a'>",
    "form": "<form id=f action=https://else.example/a></form><script>f.submit()</script>",
    "link": "<a id=l href=https://else.example/a>x</a><script>l.click()</script>",
    "open": "<script>open('https://else.example/a', '_self')</script>",
    "top": "<iframe srcdoc=\"<script>top.location = 'https://else.example/a'</script>\"></iframe>",
}


@pytest.mark.parametrize("name", LEAVES)
async def test_a_page_that_leaves_is_stopped_and_stays(desk: Desk, name: str) -> None:
    outcome = await desk.show(f"<p id=p>stays</p>{LEAVES[name]}")
    told = await desk.told(outcome.text, "https://else.example/a")
    assert "https://else.example/a" in told
    assert "was stopped" in told or name == "top"
    assert await desk.texts("#p") == ["stays"]
    assert (await desk.value("return location.origin")).endswith(".artifact.invalid")


async def test_clicked_links_popups_and_downloads_are_stopped_and_told(desk: Desk) -> None:
    await desk.show(
        "<a id=away href=https://else.example/a>away</a> "
        "<a id=blank target=_blank href=https://else.example/b>blank</a> "
        "<a id=down download=x.txt href='data:text/plain,hello'>down</a> "
        "<button id=pop onclick=\"window.open('https://else.example/c')\">pop</button>"
        "<form action=https://else.example/d><button id=send>send</button></form>"
    )
    before = await desk.value("return history.length")
    told = {
        "away": "navigation to https://else.example/a was stopped",
        "blank": "popup to https://else.example/b was stopped",
        "down": "download of x.txt was stopped",
        "pop": "popup to https://else.example/c was stopped",
        "send": "https://else.example/d",
    }
    for name, words in told.items():
        outcome = await desk.act({"type": "click", "css": f"#{name}"})
        assert outcome.status == "ok", outcome.text
        assert words in outcome.text, name
    assert await desk.texts("#away") == ["away"]
    assert await desk.value("return history.length") == before


async def test_a_link_to_another_page_of_the_workspace_works_and_is_told(desk: Desk) -> None:
    desk.put("second.html", HEAD + "<title>Second</title><p id=p>second</p><script>null.y</script>")
    await desk.show("<a id=go href=second.html>go</a>")
    outcome = await desk.act({"type": "click", "css": "#go"}, {"type": "wait", "css": "#p"})
    assert outcome.status == "ok", outcome.text
    assert "page: second.html" in outcome.text
    assert "second.html:1:" in outcome.text
    assert await desk.texts("#p") == ["second"]


async def test_a_link_to_a_page_that_is_missing_is_told_and_the_page_stays(desk: Desk) -> None:
    await desk.show("<a id=go href=secnd.html>go</a>")
    outcome = await desk.act({"type": "click", "css": "#go"})
    assert "navigation to secnd.html was stopped: not in the workspace" in outcome.text
    assert await desk.texts("#go") == ["go"]


async def test_a_page_that_reloads_itself_for_ever_is_stopped(desk: Desk) -> None:
    await desk.show("<p id=p>x</p><script>location.reload()</script>")
    outcome = await desk.act({"type": "wait", "ms": 300})
    assert outcome.status in ("ok", "failed")
    assert (await desk.show("<p id=p>next</p>")).status == "ok"


async def test_capabilities_are_denied_without_a_prompt(desk: Desk) -> None:
    await desk.show("<p>x</p>")
    code = """
        const asked = async (ask) => {
          try { await ask(); return 'given' } catch (e) { return e.name }
        };
        const place = () => new Promise((ok, no) => navigator.geolocation.getCurrentPosition(ok,
          (e) => no({name: 'code' + e.code})));
        return [
          await asked(() => navigator.mediaDevices.getUserMedia({audio: true})),
          await asked(place),
          await Notification.requestPermission(),
          await asked(() => navigator.clipboard.readText()),
        ]"""
    given = await desk.value(code)
    assert "given" not in given
    assert given[1:3] == ["code1", "denied"]


async def test_storage_workers_and_modules_work_inside_the_page(desk: Desk) -> None:
    desk.put("w.js", "onmessage = (e) => postMessage(e.data * 2)")
    await desk.show("<p>x</p>")
    code = """
        localStorage.a = 'b';
        const worker = new Worker('w.js');
        const doubled = await new Promise((done) => {
          worker.onmessage = (e) => done(e.data);
          worker.postMessage(21);
        });
        const db = await new Promise((done, no) => {
          const r = indexedDB.open('x');
          r.onsuccess = () => done(r.result.name);
          r.onerror = no;
        });
        const sum = await crypto.subtle.digest('SHA-256', new Uint8Array());
        return [localStorage.a, doubled, db, sum.byteLength, isSecureContext]"""
    assert await desk.value(code) == ["b", 42, "x", 32, True]


async def test_a_page_that_asks_for_too_much_is_refused_and_told(tmp_path: Path) -> None:
    async with desk_at(tmp_path, Limits(requests=20)) as desk:
        desk.put("a.json", "1")
        code = "for (let i = 0; i < 60; i++) await fetch('a.json').catch(() => 0)"
        await desk.show("<p>x</p>")
        outcome = await desk.call("eval", code=code)
        assert "requests beyond 20 requests were refused ×" in outcome.text


async def test_a_page_with_too_many_frames_is_ended_and_told_so(desk: Desk) -> None:
    frames = "<iframe srcdoc=x></iframe>" * 400
    outcome = await desk.show(f"<p>x</p>{frames}")
    if outcome.status == "ok":
        outcome = await desk.call("read")
    assert "more frames than a page may have" in outcome.text


async def test_what_a_page_asks_for_ahead_of_time_is_named_once(desk: Desk) -> None:
    opened = await desk.show(
        "<link rel=preconnect href=https://fonts.example><link rel=dns-prefetch href=//cdn.example>"
        '<script type=speculationrules>{"prefetch": [{"urls": ["https://next.example/p"]}]}'
        "</script><p>Text"
    )
    for asked in (
        "preconnect https://fonts.example (",
        "dns-prefetch https://cdn.example",
        "prefetch https://next.example/p (",
    ):
        assert opened.text.count(asked) == 1, opened.text
    assert opened.data["verdict"] == "ok"
    assert "example" not in (await desk.call("read")).text


async def test_what_a_shared_worker_asks_for_is_named(desk: Desk) -> None:
    desk.put("ask.js", "onconnect = () => fetch('https://shared.example/x').catch(() => 0);")
    opened = await desk.show("<script>new SharedWorker('ask.js')</script><p>Text")
    words = "fetch https://shared.example/x (ask.js:1:"
    assert words in await desk.told(opened.text, words)
