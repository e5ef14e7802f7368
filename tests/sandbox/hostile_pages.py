"""Pages that mean harm, or are as bad as if they did; the kinds that `tests/preview` has not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

HEAD = "<!doctype html><meta charset=utf-8><title>Hostile</title><button id=b>b</button>"


@dataclass(frozen=True)
class Page:
    """A page, and whether opening it is enough."""

    html: str
    trigger: Literal["load", "click"] = "load"


def _script(code: str) -> Page:
    return Page(f"{HEAD}<p id=p>here</p><script>{code}</script>")


def _later(code: str) -> Page:
    return _script(f"setTimeout(() => {{ {code} }}, 50)")


def _worker(code: str, many: int = 1) -> Page:
    return _script(
        f"const code = URL.createObjectURL(new Blob([{code!r}]));"
        f"for (let i = 0; i < {many}; i++) new Worker(code)"
    )


PAGES: dict[str, Page] = {
    "worker-console": _worker("for (let i = 0;; i++) console.log('w', i, {i})"),
    "worker-errors": _worker("setInterval(() => { for (let i=0;i<500;i++) Promise.reject(i) })"),
    "worker-throws": _worker("setInterval(() => { throw 'late' }, 0)", 8),
    "worker-messages": _script(
        "const w = new Worker(URL.createObjectURL(new Blob(['for (;;) postMessage(1)'])));"
        "w.onmessage = () => {}"
    ),
    "worker-fetches": _worker("for (let i = 0;; i++) fetch('https://x.example/' + i)"),
    "worker-many": _script(
        "const c = URL.createObjectURL(new Blob(['for (;;) console.log(1)']));"
        "setInterval(() => { for (let i=0;i<20;i++) new Worker(c).terminate() })"
    ),
    "shared-worker-console": _script(
        "new SharedWorker(URL.createObjectURL(new Blob(['for (;;) console.log(1)'])))"
    ),
    "data-frame-console": Page(
        f"{HEAD}<p id=p>here</p><iframe src='data:text/html,<script>for (let i = 0; i < 3e5; i++) "
        "console.log(i)</script>'></iframe>"
    ),
    "sandboxed-frame-console": Page(
        f"{HEAD}<p id=p>here</p><iframe sandbox=allow-scripts srcdoc='<script>"
        "for (let i = 0; i < 3e5; i++) console.log(i)</script>'></iframe>"
    ),
    "plain-rejections": _script(
        "setInterval(() => { for (let i=0;i<2000;i++) Promise.reject(i) })"
    ),
    "frame-rejections": _script(
        "setInterval(() => { const f = document.createElement('iframe');"
        "f.srcdoc = '<script>for (let i=0;i<200;i++) Promise.reject(i)<\\/script>';"
        "document.body.append(f); if (frames.length > 20) document.querySelector('iframe').remove()"
        "}, 10)"
    ),
    "log-entries": _script(
        "setInterval(() => { for (let i=0;i<300;i++) "
        "{ const e = document.createElement('img'); e.setAttribute('width', 'x' + i);"
        "document.createElementNS('http://www.w3.org/2000/svg','rect').setAttribute('x','q'+i) } })"
    ),
    "data-iframes": _script(
        "setInterval(() => { const f = document.createElement('iframe');"
        "f.src = 'data:text/html,' + Math.random(); document.body.append(f) })"
    ),
    "blob-frames": _script(
        "setInterval(() => { const f = document.createElement('iframe');"
        "f.src = URL.createObjectURL(new Blob(['x'])); document.body.append(f) })"
    ),
    "hash-forever": _script("setInterval(() => { location.hash = Math.random() })"),
    "navigate-own": _later(
        "setInterval(() => { location.href = location.pathname + '?' + Math.random() }, 1)"
    ),
    "form-submits": _script(
        "setInterval(() => { const f = document.createElement('form');"
        "f.action = 'https://x.example/'; document.body.append(f); f.submit() })"
    ),
    "mailto": _script("setInterval(() => { location = 'mailto:a@x.example' })"),
    "worker-in-worker": _worker(
        "const c = URL.createObjectURL(new Blob(['for (;;);']));for (let i=0;i<9;i++) new Worker(c)"
    ),
    "wasm-grows": _script(
        "const m = new WebAssembly.Memory({initial: 1, maximum: 65536}); const all = [];"
        "setInterval(() => { m.grow(500); new Uint8Array(m.buffer).fill(1) })"
    ),
    "blob-grows": _script(
        "const all = [], u = new Uint8Array(2e7).fill(7);"
        "setInterval(() => all.push(new Blob([u, String(Math.random())])), 5)"
    ),
    "strings-grow": _script(
        "let s = 'x'; for (const all = [];;) all.push(s += s.slice(0, 1e7) + 1)"
    ),
    "dom-grows": _script("for (;;) document.body.append(document.createElement('p'))"),
    "storage-grows": _script(
        "setInterval(() => { try { for (let i=0;i<50;i++) localStorage[Math.random()] ="
        "'x'.repeat(1e5) } catch {} })"
    ),
    "idb-grows": _script(
        "const r = indexedDB.open('x'); r.onupgradeneeded = () => r.result.createObjectStore('s');"
        "r.onsuccess = () => setInterval(() => r.result.transaction('s','readwrite')"
        ".objectStore('s').put(new Uint8Array(1e7), Math.random()), 5)"
    ),
    "write-wipes": _later(
        "document.open(); document.write('<p id=p>here'); document.close(); "
        "for (let i=0;i<1e4;i++) document.write('x')"
    ),
    "html-removed": _later("document.documentElement.remove()"),
    "closed-roots": _script(
        "for (let i=0, at=document.body; i<400; i++) { const d = document.createElement('div');"
        "at.append(d); at = d.attachShadow({mode: 'closed'}) }"
    ),
    "canvas-huge": _script(
        "const all = []; for (let i=0;i<40;i++) { const c = document.createElement('canvas');"
        "c.width = c.height = 8000; c.getContext('2d').fillRect(0,0,8000,8000); all.push(c) }"
    ),
    "blur-huge": Page(
        f"{HEAD}<style>i{{display:block;height:9000px;filter:blur(99px);animation:a .1s infinite}}"
        "@keyframes a{to{opacity:.5}}</style><p id=p>here</p>" + "<i>x</i>" * 30
    ),
    "shader-heavy": _script(
        "const c = document.createElement('canvas'); c.width = c.height = 1500;"
        "document.body.append(c); const g = c.getContext('webgl');"
        "const s = (t, x) => { const h = g.createShader(t); g.shaderSource(h, x);"
        "g.compileShader(h); return h }; const q = g.createProgram();"
        "g.attachShader(q, s(35633, 'attribute vec4 a;void main(){gl_Position=a;}'));"
        "g.attachShader(q, s(35632, 'precision highp float;void main(){float v=0.;"
        "for(int i=0;i<9000;i++)v+=sin(float(i)*gl_FragCoord.x);gl_FragColor=vec4(v);}'));"
        "g.linkProgram(q); g.useProgram(q); g.bindBuffer(34962, g.createBuffer());"
        "g.bufferData(34962, new Float32Array([-1,-1,3,-1,-1,3]), 35044);"
        "g.enableVertexAttribArray(0); g.vertexAttribPointer(0,2,5126,false,0,0);"
        "(function f() { g.drawArrays(4,0,3); requestAnimationFrame(f) })()"
    ),
    "chrome-kill": _later("location = 'chrome://kill'"),
    "chrome-hang": _later("location = 'chrome://hang'"),
    "view-source": _later("location = 'view-source:' + location.href"),
    "javascript-urls": _script("setInterval(() => { location = 'javascript:void 0' })"),
    "layout-thrash": _script(
        "for (let i=0;i<3000;i++) document.body.append(document.createElement('div'));"
        "setInterval(() => { for (const d of document.querySelectorAll('div')) "
        "{ d.style.width = Math.random() * 99 + 'px'; d.offsetWidth } })"
    ),
    "mutation-storm": _script(
        "new MutationObserver(() => document.body.append('x')).observe(document.body,"
        "{childList: true}); document.body.append('x')"
    ),
    "resize-storm": _script(
        "(function f() { dispatchEvent(new Event('resize')); queueMicrotask(f) })()"
    ),
    "click-loops": Page(
        f"{HEAD}<p id=p>here</p><script>b.onclick = () => {{ for (;;) {{}} }}</script>", "click"
    ),
    "click-freezes-natively": Page(
        f"{HEAD}<p id=p>here</p><script>b.onclick = () => "
        "{ document.body.innerHTML = '<table><tr><td>'.repeat(3e5) }</script>",
        "click",
    ),
    "unload-loops": _script(
        "for (const e of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])"
        "addEventListener(e, () => { for (;;) {} })"
    ),
    "audio-many": _script("for (let i=0;i<200;i++) try { new AudioContext().resume() } catch {}"),
    "sockets": _script(
        "setInterval(() => { for (let i=0;i<200;i++) new WebSocket('wss://x.example') })"
    ),
    "event-sources": _script(
        "setInterval(() => { for (let i=0;i<200;i++) new EventSource('https://x.example/' + i) })"
    ),
    "rtc-many": _script(
        "setInterval(() => { for (let i=0;i<20;i++) try { const p = new RTCPeerConnection();"
        "p.createDataChannel('x'); p.setLocalDescription() } catch {} })"
    ),
    "broadcast": _script(
        "const a = new BroadcastChannel('x'), b2 = new BroadcastChannel('x');"
        "b2.onmessage = () => { a.postMessage('x'.repeat(1e4)); a.postMessage('x') };"
        "a.postMessage(1)"
    ),
    "slow-files": _script("for (let i=0;i<2000;i++) new Image().src = 'missing' + i + '.png'"),
    "fonts-many": _script(
        "for (let i=0;i<2000;i++) new FontFace('f' + i, `url(f${i}.woff2)`).load()"
    ),
    "print-forever": _script("setInterval(() => print())"),
    "fullscreen": Page(
        f"{HEAD}<p id=p>here</p><script>b.onclick = () => setInterval(() => "
        "{ document.body.requestFullscreen(); document.body.requestPointerLock() }, 1)</script>",
        "click",
    ),
}
