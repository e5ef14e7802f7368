"""Ways for a page to reach a network, a file of the host or another origin, by family.

`@` stands for the canary's address and `$` for its UDP port; what follows `@/` names the way.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "<!doctype html><meta charset=utf-8><title>Way out</title><p id=p>here</p>"


@dataclass(frozen=True)
class Ways:
    """A page, what the replies about it must name, and what is clicked."""

    html: str
    told: tuple[str, ...]
    click: str = ""


def _named(kind: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{kind} @/{name}" for name in names)


def _script(code: str) -> str:
    return f"<script>const url = '@/';\n{code}</script>"


WAYS: dict[str, Ways] = {
    "leaving": Ways(
        _script(
            "addEventListener('pagehide', () => { navigator.sendBeacon(url + 'leave', 'x');"
            "fetch(url + 'left', {keepalive: true}); new Image().src = url + 'image' })"
        ),
        (),
    ),
    "links": Ways(
        "<link rel=stylesheet href=@/sheet><link rel=preload as=script href=@/preload>"
        "<link rel=modulepreload href=@/modulepreload><link rel=prefetch href=@/prefetch>"
        "<link rel=icon href=@/icon><link rel=manifest href=@/manifest>"
        "<link rel=preconnect href=@/><link rel=dns-prefetch href=@/>",
        (*_named("stylesheet", "sheet"), *_named("script", "preload", "modulepreload")),
    ),
    "styles": Ways(
        "<style>@import url(@/import); @font-face{font-family:f;src:url(@/font)} p{font-family:f;"
        "background:url(@/background);cursor:url(@/cursor),auto;border-image:url(@/border) 1;"
        "mask-image:url(@/mask)} li{list-style-image:url(@/list)}</style><ul><li>x</ul>",
        (
            *_named("stylesheet", "import"),
            *_named("image", "background", "border", "list"),
            *_named("font", "font"),
        ),
    ),
    "drawings": Ways(
        "<svg width=9 height=9><image href=@/image width=9 height=9 /><use href=@/use#a />"
        "<filter id=f><feImage href=@/feimage /></filter><rect width=9 height=9 filter=url(#f) />"
        "<rect width=9 height=9 fill=url(@/paint#a) /><script href=@/script></script></svg>",
        (*_named("image", "image", "feimage"), *_named("script", "script")),
    ),
    "markup": Ways(
        "<img srcset='@/srcset 1x'><video poster=@/poster src=@/video></video><audio src=@/audio>"
        "</audio><embed src=@/embed><object data=@/object></object><input type=image src=@/input>"
        "<picture><source srcset=@/source><img></picture><table background=@/table><tr><td>x"
        "</table>",
        (
            *_named("image", "srcset", "poster", "input", "source", "table"),
            *_named("media", "video", "audio"),
        ),
    ),
    "scripts": Ways(
        "<script src=@/classic></script><script type=module src=@/module></script>"
        "<script type=module>import '@/static'</script>"
        "<script>import('@/dynamic').catch(() => 0)</script>"
        '<script type=importmap>{"imports": {"lib": "@/mapped"}}</script>'
        "<script type=module>import('lib').catch(() => 0)</script>",
        _named("script", "classic", "module", "static", "dynamic", "mapped"),
    ),
    "calls": Ways(
        _script(
            "fetch(url + 'fetch').catch(() => 0); fetch(url + 'alive', {keepalive: true, method: "
            "'POST', mode: 'no-cors'}).catch(() => 0); navigator.sendBeacon(url + 'beacon', 'x');"
            "const x = new XMLHttpRequest(); x.open('GET', url + 'xhr'); x.send();"
            "new WebSocket(url.replace('http', 'ws') + 'socket'); new EventSource(url + 'events');"
            "try { fetchLater(url + 'later', {activateAfter: 0}) } catch {}"
            "try { new WebTransport(url.replace('http:', 'https:') + 'transport').ready.catch(() =>"
            " 0) } catch {}"
        ),
        (
            *_named("fetch", "fetch", "alive", "beacon", "xhr", "events"),
            "/socket",
            "/transport",
        ),
    ),
    "workers": Ways(
        _script(
            "const work = (code) => new Worker(URL.createObjectURL(new Blob([code])));"
            "work('fetch(`@/in-worker`).catch(() => 0)');"
            "work('try { importScripts(`@/imported`) } catch {}');"
            "work('new Worker(URL.createObjectURL(new Blob([`fetch(\"@/deep\")`])))');"
            "new SharedWorker('data:text/javascript,fetch(`@/shared`)');"
            "try { new Worker('@/worker') } catch {};"
            "new OfflineAudioContext(1, 9, 8000).audioWorklet.addModule('@/worklet').catch(() => 0)"
        ),
        (
            *_named("fetch", "in-worker"),
            *_named("script", "imported", "worklet"),
        ),
    ),
    "frames": Ways(
        "<iframe src=@/frame></iframe><iframe srcdoc='<img src=@/in-srcdoc>'></iframe>"
        "<iframe src='data:text/html,<img src=@/in-data>'></iframe>"
        "<iframe sandbox=allow-scripts srcdoc='<script>fetch(\"@/in-sandbox\")</script>'></iframe>"
        + _script(
            "const f = document.createElement('iframe'); document.body.append(f);"
            "f.contentWindow.fetch(url + 'borrowed').catch(() => 0);"
            "f.contentDocument.write('<img src=@/written>')"
        ),
        (*_named("image", "in-srcdoc", "in-data"), *_named("fetch", "in-sandbox"), "frame http://"),
    ),
    "peers": Ways(
        _script(
            "const peer = (options) => { const p = new RTCPeerConnection(options);"
            "p.createDataChannel('x'); p.setLocalDescription(); return p };"
            "peer({iceServers: [{urls: 'stun:127.0.0.1:$'}]});"
            "peer({iceServers: [{urls: 'turn:127.0.0.1:$', username: 'u', credential: 'c'}],"
            " iceCandidatePoolSize: 1});"
        ),
        ("webrtc stun:127.0.0.1:$", "webrtc turn:127.0.0.1:$"),
    ),
    "guesses": Ways(
        '<script type=speculationrules>{"prefetch": [{"urls": ["@/prefetched"]}],'
        ' "prerender": [{"urls": ["@/prerendered"]}]}</script>',
        (),
    ),
    "files": Ways(
        "<img src=file:///etc/hostname><link rel=stylesheet href=file:///etc/hostname>"
        "<iframe src=file:///etc/hostname></iframe><iframe src='view-source:file:///etc'></iframe>"
        "<script>fetch('file:///etc/hostname').catch(() => 0)</script>",
        ("file:///etc/hostname",),
    ),
    "location": Ways(_script("location = url + 'gone'"), ("navigation to @/gone was stopped",)),
    "refresh": Ways(
        "<meta http-equiv=refresh content='0;url=@/fresh'>", ("navigation to @/fresh was stopped",)
    ),
    "form": Ways(
        "<form method=post action=@/form><input name=a></form>"
        + _script("document.forms[0].submit()"),
        ("navigation to @/form was stopped",),
    ),
    "form elsewhere": Ways(
        "<form target=_blank action=@/blank></form>" + _script("document.forms[0].submit()"),
        ("popup to @/blank",),
    ),
    "mail": Ways(
        _script("location = 'mailto:a@example.com'"),
        ("navigation to mailto:a@example.com was stopped",),
    ),
    "telephone": Ways(
        "<a id=go href=tel:123>call</a>", ("navigation to tel:123 was stopped",), "#go"
    ),
    "file": Ways(
        "<a id=go href=file:///etc/hostname>file</a>",
        ("navigation to file:///etc/hostname was stopped",),
        "#go",
    ),
    "source": Ways(
        "<a id=go href=view-source:@/source>source</a>", ("view-source:@/source",), "#go"
    ),
    "popup": Ways(_script("open(url + 'popup')"), ("popup to @/popup was stopped",)),
    "link": Ways("<a id=go href=@/link ping=@/ping>x</a>", ("navigation to @/link",), "#go"),
    "new tab": Ways("<a id=go target=_blank href=@/tab>x</a>", ("popup to @/tab",), "#go"),
    "download": Ways(
        "<a id=go download=x.txt href=@/download>x</a>", ("download of x.txt was stopped",), "#go"
    ),
    "wiped": Ways(
        _script("document.open(); document.write('<img src=@/wiped>'); document.close()"),
        _named("image", "wiped"),
    ),
    "headless": Ways("<!--><img src=@/comment>--><img src=@/image>", _named("image", "image")),
}
