"""What pages may not: see each other, use devices, leave the page, or outlive their host."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.preview.desk import Desk, desk_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def desk(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_at(tmp_path_factory.mktemp("isolation")) as desk:
        yield desk


LEAVE_MARKS = """
localStorage.mark = sessionStorage.mark = document.cookie = 'mark=1';
window.name = 'mark';
await (await caches.open('mark')).put('/mark', new Response('x'));
await (await navigator.storage.getDirectory()).getFileHandle('mark', {create: true});
await new Promise((done) => {
  const request = indexedDB.open('mark');
  request.onsuccess = done;
});
window.channel = new BroadcastChannel('mark');
window.heard = [];
channel.onmessage = (event) => heard.push(event.data);
navigator.locks.request('mark', () => new Promise(() => {}));
return [origin, document.cookie, localStorage.mark]"""

SEE_MARKS = """
new BroadcastChannel('mark').postMessage('hello');
const files = [];
for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
return [localStorage.mark ?? null, sessionStorage.mark ?? null, document.cookie, window.name,
  (await caches.keys()).length, files.length, (await indexedDB.databases()).length,
  (await navigator.locks.query()).held.length, history.length, document.referrer]"""
NONE = [None, None, "", "", 0, 0, 0, 0, 2, ""]


async def test_a_page_of_one_conversation_sees_nothing_of_another(desk: Desk) -> None:
    await desk.show("<p>one</p>", conversation="one")
    first, cookie, stored = await desk.value(LEAVE_MARKS, conversation="one")
    assert "mark" in cookie
    assert stored == "mark=1"
    await desk.show("<p>two</p>", conversation="two")
    seen = await desk.value(SEE_MARKS, conversation="two")
    assert seen == NONE
    assert await desk.value("return origin", conversation="two") != first
    assert await desk.value("return heard", conversation="one") == []


async def test_the_next_page_of_a_conversation_begins_with_nothing(desk: Desk) -> None:
    await desk.show("<p>one</p>")
    first, *_ = await desk.value(LEAVE_MARKS)
    await desk.show("<p>two</p>")
    assert await desk.value(SEE_MARKS) == NONE
    assert await desk.value("return origin") != first


async def test_all_pages_look_alike_to_a_page(desk: Desk) -> None:
    code = """
        const gl = document.createElement('canvas').getContext('webgl');
        return JSON.stringify([navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
          screen.width, screen.height, devicePixelRatio, navigator.hardwareConcurrency,
          navigator.userAgent, gl && gl.getParameter(gl.VERSION),
          (await navigator.mediaDevices.enumerateDevices()).length])"""
    seen = set()
    for conversation in ("one", "two"):
        await desk.show("<p>x</p>", conversation=conversation)
        seen.add(str(await desk.value(code, conversation=conversation)))
    assert len(seen) == 1


ASKS = {
    "camera": "navigator.mediaDevices.getUserMedia({video: true})",
    "microphone": "navigator.mediaDevices.getUserMedia({audio: true})",
    "screen": "navigator.mediaDevices.getDisplayMedia()",
    "place": "new Promise((ok, no) => navigator.geolocation.getCurrentPosition(ok, no))",
    "clipboard": "navigator.clipboard.readText()",
    "usb": "navigator.usb.requestDevice({filters: []})",
    "hid": "navigator.hid.requestDevice({filters: []}).then((l) => l.length || Promise.reject(1))",
    "serial": "navigator.serial.requestPort()",
    "bluetooth": "navigator.bluetooth.requestDevice({acceptAllDevices: true})",
    "midi": "navigator.requestMIDIAccess({sysex: true})",
    "idle": "IdleDetector.requestPermission().then((p) => p === 'granted' || Promise.reject(p))",
    "notes": "Notification.requestPermission().then((p) => p === 'granted' || Promise.reject(p))",
    "fonts": "queryLocalFonts().then((fonts) => fonts.length || Promise.reject(1))",
    "files": "showOpenFilePicker()",
    "folder": "showDirectoryPicker()",
    "payment": "new PaymentRequest([{supportedMethods: 'https://x.example/'}], {total: "
    "{label: 'x', amount: {currency: 'EUR', value: 1}}}).show()",
    "credential": "navigator.credentials.get({publicKey: {challenge: new Uint8Array(9), "
    "timeout: 500}})",
    "storage": "navigator.storage.persist().then((given) => given || Promise.reject(1))",
    "windows": "getScreenDetails()",
    "sensor": "new Promise((ok, no) => { const s = new Accelerometer(); s.onreading = ok; "
    "s.onerror = no; s.start() })",
}

MAY_WAIT = 2
"""Of those, what Chromium may leave unanswered for as long as nobody is there to answer."""


@pytest.mark.parametrize("clicked", [False, True])
async def test_nothing_is_granted_and_nobody_is_asked(desk: Desk, clicked: bool) -> None:
    asks = ", ".join(f"{name}: () => {code}" for name, code in ASKS.items())
    await desk.show(
        "<button id=go>ask</button><script>const answers = {};"
        f"const ask = () => {{ for (const [name, code] of Object.entries({{{asks}}})) "
        "(async () => code())().then(() => answers[name] = 'GIVEN', "
        "(e) => answers[name] = e?.name ?? String(e)) };"
        "go.onclick = ask;</script>"
    )
    if clicked:
        await desk.act({"type": "click", "css": "#go"})
    else:
        await desk.value("ask(); return 1")
    enough = f"return Object.keys(answers).length >= {len(ASKS) - MAY_WAIT}"
    waited = await desk.act({"type": "wait", "code": enough}, {"type": "wait", "ms": 200})
    assert waited.status == "ok", waited.text
    assert "GIVEN" not in (await desk.value("return JSON.stringify(answers)")).values()


async def test_a_page_cannot_print_go_full_screen_or_leave_by_a_dropped_file(desk: Desk) -> None:
    await desk.show(
        "<button id=go>go</button><p id=p>x</p><script>go.onclick = () => { print();"
        "document.body.requestFullscreen().catch(() => 0); open('about:blank');"
        "navigator.share?.({text: 'x'}).catch(() => 0) }</script>"
    )
    outcome = await desk.act({"type": "click", "css": "#go"}, {"type": "wait", "ms": 100})
    assert 'dialog: print("")' in outcome.text
    assert "popup to about:blank was stopped" in outcome.text
    drop = """
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'a.html', {type: 'text/html'}));
        data.setData('text/uri-list', 'file:///etc/hostname');
        for (const type of ['dragenter', 'dragover', 'drop'])
          p.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true}));
        return location.pathname"""
    assert "page" in await desk.value(drop)
    assert await desk.texts("#p") == ["x"]


@pytest.mark.skipif(sys.platform != "linux", reason="a file system of its own is Linux's")
@pytest.mark.parametrize("path", ["file:///etc/passwd", "file:///proc/self/environ", "file:///tmp"])
async def test_a_file_of_the_host_cannot_be_shown_in_any_way(desk: Desk, path: str) -> None:
    await desk.show(
        f"<iframe src={path}></iframe><object data={path}></object><embed src={path}>"
        f"<iframe src='view-source:{path}'></iframe><link rel=stylesheet href={path}>"
        f"<script>location = '{path}'; open('{path}')</script><p id=p>x</p>"
    )
    code = f"""
        const got = await fetch('{path}').then((r) => r.text(), () => '');
        const frames = [...document.querySelectorAll('iframe, object')].map((f) => {{
          try {{ return f.contentDocument?.body?.innerText ?? '' }} catch {{ return '' }}
        }});
        return got + frames.join('')"""
    assert await desk.value(code) == ""
    assert await desk.texts("#p") == ["x"]
