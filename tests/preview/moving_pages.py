# ruff: noqa: E501 -- pages are easier to read unbroken
"""Pages that move, each in a way of its own, and what is done to them between two pictures.

`PAGES` is by kind; a page that needs files beside it finds them in `FILES`.
"""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING, Any

from PIL import Image

from tests.preview.desk import HEAD

if TYPE_CHECKING:
    from artifact_kit import Outcome
    from tests.preview.desk import Desk

BODY = f"{HEAD}<body style='margin:0;font:16px sans-serif'>"

PAGES = {
    "canvas": BODY
    + """<canvas id=c width=900 height=500></canvas><p id=p></p><script>
const g = c.getContext('2d'); let n = 0;
function f(t) { n += 1; g.clearRect(0, 0, 900, 500); g.beginPath();
g.arc(450 + 200 * Math.cos(t / 500), 250 + 200 * Math.sin(t / 700), 33.3, 0, 7); g.fill();
g.fillText(`${t} ${n}`, 10, 480); requestAnimationFrame(f); } requestAnimationFrame(f);</script>""",
    "interval": BODY
    + """<div id=a style='position:absolute;width:30px;height:30px;background:teal'></div><p id=p></p>
<script>let i = 0; setInterval(() => { i += 1; a.style.left = (i * 7.3) % 800 + 'px';
p.textContent = `${i} ${performance.now()} ${Date.now()}`; }, 33);</script>""",
    "css": BODY
    + """<style>@keyframes r { to { transform: rotate(360deg) translateX(100px) } }
@keyframes m { to { left: 700px; background: red } }
div { position: absolute; top: 200px; left: 300px; width: 44px; height: 44px; background: navy }
.a { animation: r 1.7s linear infinite } .b { animation: m 2.3s ease-in-out infinite alternate; top: 400px }
#c { top: 500px; transition: left 1.1s } #c.on { left: 800px } #go { transition: background .4s } #go:hover { background: gold }
</style><div class=a></div><div class=b></div><div id=c></div><button id=go onclick="c.classList.toggle('on')">go</button><p id=p></p>
<script>c.ontransitionend = (e) => { p.textContent += `${e.elapsedTime} ${e.timeStamp} ` }</script>""",
    "waapi": BODY
    + """<div id=a style='position:absolute;top:100px;width:50px;height:50px;background:green;border-radius:9px'></div>
<button id=go>go</button><p id=p></p><script>
const long = a.animate([{left: '0px', transform: 'rotate(0)'}, {left: '900px', transform: 'rotate(720deg)'}], {duration: 3100, iterations: 9, direction: 'alternate'});
go.onclick = () => a.animate({opacity: [1, .2]}, {duration: 300}).finished.then((done) => { p.textContent = `${done.currentTime} ${document.timeline.currentTime} ${long.currentTime}` });</script>""",
    "smil": BODY
    + """<svg width=900 height=400><circle cx=50 cy=100 r=20 fill=purple>
<animate attributeName=cx from=50 to=850 dur=2.7s repeatCount=indefinite /></circle>
<rect x=400 y=200 width=60 height=60 fill=orange>
<animateTransform attributeName=transform type=rotate from='0 430 230' to='360 430 230' dur=1.9s repeatCount=indefinite /></rect></svg>""",
    "gif": BODY + "<img src=four.gif width=300 height=300><p id=p>x</p>",
    "physics": BODY
    + """<div id=b style='position:absolute;width:20px;height:20px;border-radius:50%;background:#c33'></div><p id=p></p><script>
let x = 0, y = 0, vx = 140, vy = 0, last = Date.now();
function f() { const now = Date.now(), dt = (now - last) / 1000; last = now; vy += 900 * dt; x += vx * dt; y += vy * dt;
if (y > 500) { y = 500; vy *= -.83 } if (x > 900 || x < 0) vx = -vx;
b.style.transform = `translate(${x}px, ${y}px)`; p.textContent = `${x} ${y}`; requestAnimationFrame(f); } f();</script>""",
    "particles": BODY
    + """<canvas id=c width=900 height=500></canvas><p id=p></p><script>const g = c.getContext('2d'), all = [];
p.textContent = [...crypto.getRandomValues(new Uint32Array(3)), crypto.randomUUID(), performance.timeOrigin].join(' ');
function f() { if (all.length < 300) all.push({x: 450, y: 250, a: Math.random() * 7, s: 1 + Math.random() * 3});
g.clearRect(0, 0, 900, 500); for (const q of all) { q.x += Math.cos(q.a) * q.s; q.y += Math.sin(q.a) * q.s;
g.fillStyle = `hsl(${q.a * 50} 80% 50%)`; g.fillRect(q.x, q.y, 4, 4); } requestAnimationFrame(f); } f();</script>""",
    "data": BODY
    + """<p id=p></p><img id=im><script type=module>import {a} from './a.js';
const said = [a]; let n = 0; const tell = (...words) => { said.push(...words); p.textContent = said.join(' ') };
requestAnimationFrame(function f() { n += 1; requestAnimationFrame(f) });
setTimeout(async () => { for (let i = 0; i < 4; i += 1) { await (await fetch('x.json')).json(); tell(n, performance.now()) }
im.onload = () => tell('image', n, performance.now()); im.src = 'four.gif'; await import('./b.js'); tell('module', n, performance.now());
for (const name of ['x.json', 'big.txt', 'a.js', 'b.js']) fetch(name).then((r) => r.text()).then((t) => tell(name, t.length, n)) }, 205);
</script>""",
}  # fmt: skip

FILES: dict[str, str | bytes] = {
    "a.js": "export const a = 1",
    "b.js": "export const b = 2",
    "x.json": '{"a": 1}',
    "big.txt": "0123456789" * 30_000,
}

ACTS: list[dict[str, Any]] = [
    {"type": "wait", "ms": 333},
    {"type": "hover", "x": 20, "y": 10},
    {"type": "click", "x": 20, "y": 10},
    {"type": "wait", "ms": 512},
    {"type": "step", "frames": 13},
    {"type": "key", "key": "ArrowRight", "ms": 100},
    {"type": "scroll", "dy": 40, "x": 100, "y": 100},
]


def four_colours() -> bytes:
    """A GIF that shows another of four colours every 120 ms."""
    frames = [Image.new("RGB", (60, 60), colour) for colour in ("red", "lime", "blue", "yellow")]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=120, loop=0)
    return file.getvalue()


def put_files(desk: Desk) -> None:
    """What the pages ask for."""
    for name, content in {**FILES, "four.gif": four_colours()}.items():
        desk.put(name, content)


async def run(desk: Desk, path: str, conversation: str = "default") -> list[str]:
    """All that a run of the script gives: each reply's text and the digest of each picture."""
    said: list[str] = []

    async def call(op: str, **arguments: Any) -> None:
        outcome = await desk.call(op, conversation=conversation, **arguments)
        assert outcome.status == "ok", outcome.text
        said.extend([outcome.text, *digests(outcome)])

    await call("open", path=path, clock="virtual")
    await call("shot")
    await call("act", actions=ACTS)
    await call("shot", target="view")
    await call("read", queries=[{"css": "body", "attr": "html"}])
    await call("eval", code="return [performance.now(), Date.now(), document.timeline.currentTime]")
    await call("shot", target="page", since="last")
    await call("shot", frames=3, every=130)
    return said


def digests(outcome: Outcome) -> list[str]:
    """A short name for the bytes of each picture."""
    return [hashlib.sha256(image.data).hexdigest()[:12] for image in outcome.images]
