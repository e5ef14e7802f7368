# ruff: noqa: E501 -- pages are easier to read unbroken
"""Pages for `looks`: right ones with every trick of the trade, and wrong ones of each kind.

A right page is `name: (body, actions)`; the actions are done one by one and nothing may be said
at any time. A wrong page is `name: (body, words)`; one line must hold the words.
"""

from __future__ import annotations

from typing import Any

Page = tuple[str, list[dict[str, Any]]]

CLICK = "click"
PLAIN = "<style>body{font:16px/1.5 sans-serif;margin:24px;background:#fff;color:#222}</style>"

RIGHT: dict[str, Page] = {
    "buttons shown under the mouse": (
        PLAIN
        + """<style>.row{padding:8px;border:1px solid #ccc}.row .tool{opacity:0;transition:opacity .2s}
.row:hover .tool,.tool:focus{opacity:1}</style>
<div class=row>First <button class=tool>Edit</button></div>
<div class=row>Second <button class=tool>Delete</button></div>""",
        [{"type": "hover", "css": ".row"}],
    ),
    "a toast that comes by a class": (
        PLAIN
        + """<style>.toast{position:fixed;bottom:20px;left:20px;background:#222;color:#fff;
padding:12px;opacity:0;transform:translateY(60px)}.toast.show{opacity:1;transform:none}
#hint{opacity:0}#hint.on{opacity:1}</style>
<button id=go>Save</button><p id=hint>Saved just now</p><div class=toast>Saved</div><script>
go.onclick=()=>{document.querySelector('.toast').classList.add('show');
hint.classList.toggle('on')}</script>""",
        [{"type": CLICK, "css": "#go"}],
    ),
    "tooltips of pseudo-elements and boxes": (
        PLAIN
        + """<style>.tip{position:relative}.tip::after{content:attr(data-tip);position:absolute;
top:-30px;left:0;background:#111;color:#fff;opacity:0;white-space:nowrap}.tip:hover::after{opacity:1}
.box{position:absolute;background:#111;color:#fff;visibility:hidden;opacity:0}
.tip:hover .box{visibility:visible;opacity:1}</style><br>
<span class=tip data-tip="Twelve items">Cart<span class=box>Your cart holds twelve items</span></span>""",
        [{"type": "hover", "css": ".tip"}],
    ),
    "a menu that drops over controls, with a layer that closes it": (
        PLAIN
        + """<style>#menu{position:absolute;background:#fff;border:1px solid #999;z-index:20;
width:200px;margin:0;padding:0;list-style:none}#menu li{padding:8px}
#catch{position:fixed;inset:0;z-index:10}[hidden]{display:none!important}</style>
<button id=open>File</button><ul id=menu hidden><li>New</li><li>Open</li><li>Close</li></ul>
<div id=catch hidden></div><p><button>Bold</button> <button>Italic</button></p><script>
open.onclick=0;document.getElementById('open').onclick=()=>{menu.hidden=false;
document.getElementById('catch').hidden=false}</script>""",
        [{"type": CLICK, "css": "#open"}],
    ),
    "accordions, by details, by height and by grid rows": (
        PLAIN
        + """<style>.body{max-height:0;overflow:hidden;transition:max-height .3s}
.item.open .body{max-height:200px}.grid{display:grid;grid-template-rows:0fr}
.grid>div{overflow:hidden}.grid.open{grid-template-rows:1fr}</style>
<details><summary>Shipping</summary><p>Three days.</p></details>
<div class=item><button onclick="this.parentNode.classList.toggle('open')">Returns</button>
<div class=body><p>Within a month, unworn, in the box they came in.</p></div></div>
<button onclick="document.querySelector('.grid').classList.toggle('open')">Care</button>
<div class=grid><div><p>Wash at thirty degrees.</p></div></div>""",
        [{"type": CLICK, "css": ".item button"}, {"type": CLICK, "css": "summary"}],
    ),
    "a carousel of slides on a track": (
        PLAIN
        + """<style>.view{width:400px;height:160px;overflow:hidden}.track{display:flex;
transition:transform .3s}.slide{flex:0 0 400px;height:160px;background:#dbeafe}</style>
<div class=view><div class=track><div class=slide><h2>Mountains</h2></div>
<div class=slide><h2>Lakes</h2><a href=lakes.html>See lakes</a></div>
<div class=slide><h2>Forests</h2></div></div></div><button id=next>Next</button><script>let at=0;
next.onclick=()=>{at=(at+1)%3;document.querySelector('.track').style.transform=`translateX(-${at*400}px)`}
</script>""",
        [{"type": CLICK, "css": "#next"}, {"type": CLICK, "css": "#next"}],
    ),
    "a carousel that snaps and a marquee": (
        PLAIN
        + """<style>.snap{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;width:300px}
.snap>div{flex:0 0 300px;scroll-snap-align:start}.belt{overflow:hidden;white-space:nowrap;width:300px}
.belt span{display:inline-block;animation:run 9s linear infinite}
@keyframes run{to{transform:translateX(-100%)}}</style>
<div class=snap><div>One</div><div>Two</div><div>Three</div></div>
<div class=belt><span>Breaking: bakers of the town agree on a new shape for bread rolls</span></div>""",
        [],
    ),
    "a sticky header over what is scrolled": (
        PLAIN
        + """<style>body{margin:0}header{position:sticky;top:0;background:#123;color:#fff;height:90px;
z-index:5}main{padding:20px}</style><header><a href="#a">Home</a></header><main>"""
        + "".join(f"<p><button>Item {n}</button></p>" for n in range(60))
        + "</main>",
        [{"type": "scroll", "dy": 57}, {"type": "scroll", "dy": 400}],
    ),
    "custom checkboxes, radios, switches, sliders and a file button": (
        PLAIN
        + """<style>.check input{position:absolute;opacity:0;width:0;height:0}
.check .mark{display:inline-block;width:18px;height:18px;border:1px solid #666}
.check input:checked+.mark{background:#06c}.switch{position:relative;display:inline-block;width:44px;
height:24px}.switch input{opacity:0;width:0;height:0}.knob{position:absolute;inset:0;background:#ccc;
border-radius:12px}.file{position:relative;display:inline-block}.file input{position:absolute;inset:0;
opacity:0}.range{appearance:none;opacity:.01}</style>
<label class=check><input type=checkbox><span class=mark></span> Agree</label>
<label class=switch><input type=checkbox role=switch><span class=knob></span></label>
<div class=file><button>Choose a file</button><input type=file></div>
<label><input type=radio name=r style="appearance:none;width:0;height:0"> Small</label>""",
        [{"type": CLICK, "css": ".check"}],
    ),
    "names for screen readers, a skip link, a honeypot": (
        PLAIN
        + """<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);
white-space:nowrap}.skip{position:absolute;left:-9999px}.skip:focus{left:8px;top:8px}
.far{position:absolute;left:-10000px}.logo{display:block;width:40px;height:40px;background:#06c;
text-indent:-9999px;overflow:hidden}</style>
<a class=skip href=#main>Skip to content</a><a class=logo href=/>Garden club</a>
<button><span aria-hidden=true>×</span><span class=sr-only>Close the dialog</span></button>
<div class=far aria-hidden=true><input name=website tabindex=-1></div>
<h2 class=far>Navigation</h2><main id=main>Welcome to the garden club.</main>""",
        [],
    ),
    "text with a gradient, an outline, a shadow, a glow": (
        PLAIN
        + """<style>body{background:#fff}h1{background:linear-gradient(90deg,#06c,#c06);
-webkit-background-clip:text;background-clip:text;color:transparent}
h2{color:#fff;-webkit-text-stroke:1px #222}h3{color:#fff;text-shadow:0 0 4px #000}
h4{background:linear-gradient(#06c,#c06);background-clip:text;-webkit-text-fill-color:transparent}</style>
<h1>Sunrise</h1><h2>Outline</h2><h3>Glow</h3><h4>Dusk over the sea</h4>""",
        [],
    ),
    "white text on pictures and surfaces that are no ancestors": (
        PLAIN
        + """<style>.hero{position:relative;height:200px}.hero img,.hero .shade{position:absolute;
inset:0;width:100%;height:100%}.hero h1{position:relative;color:#fff}.cover{height:90px;
background:#fff url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='900' height='90' fill='navy'/%3E%3C/svg%3E");
color:#fff}.pseudo{position:relative;color:#fff;z-index:0;height:50px}.pseudo::before{content:"";
position:absolute;inset:0;background:#222;z-index:-1}.grid{display:grid}.grid>*{grid-area:1/1}
.plate{background:#234}</style><div class=hero><div class=shade style="background:#345"></div>
<h1>Over a shade</h1></div><div class=cover><p>On a picture</p></div>
<div class=pseudo>On a pseudo-element</div>
<div class=grid><div class=plate></div><p style="color:#fff">On a neighbour</p></div>""",
        [],
    ),
    "dark mode by the system": (
        """<style>:root{color-scheme:light dark;--ink:#111;--paper:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eee;--paper:#111}}
body{background:var(--paper);color:var(--ink);font:16px sans-serif}</style>
<h1>Reading list</h1><p>Four books are waiting.</p>""",
        [],
    ),
    "cards that cut only their pictures, with round corners": (
        PLAIN
        + """<style>.card{width:260px;border-radius:16px;overflow:hidden;border:1px solid #ddd}
.card .pic{height:120px;overflow:hidden}.card .pic div{height:200px;background:#9cf;transform:scale(1.1)}
.card p{padding:0 12px;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;
overflow:hidden}.card h3{padding:0 12px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}</style>
<div class=card><div class=pic><div></div></div><h3>A title that is far too long for its card</h3>
<p>Some lines of text that tell what the article is about, and then some more of it, and yet more so
that the third line is not shown at all.</p></div>""",
        [],
    ),
    "a drawer beside the page": (
        PLAIN
        + """<style>body{overflow-x:hidden}.drawer{position:fixed;top:0;left:0;width:260px;height:100%;
background:#eee;transform:translateX(-100%);transition:transform .2s}.drawer.open{transform:none}
.right{position:fixed;top:0;right:-300px;width:300px;height:100%;background:#ddd}</style>
<button id=burger>Menu</button><nav class=drawer><a href=one.html>One</a><a href=two.html>Two</a>
<button>Log out</button></nav><aside class=right><button>Apply</button></aside><script>
burger.onclick=()=>document.querySelector('.drawer').classList.toggle('open')</script>""",
        [{"type": CLICK, "css": "#burger"}],
    ),
    "a modal made of plain boxes over controls": (
        PLAIN
        + """<style>#modal{position:fixed;inset:0;display:none;place-items:center;
background:rgba(0,0,0,.5)}#modal.open{display:grid}#modal>div{background:#fff;padding:20px}</style>
<p><button id=new>New</button> <button>Sort</button> <a href=help.html>Help</a></p>
<div id=modal><div><h2>New card</h2><input placeholder=Title><button>Add</button></div></div><script>
document.getElementById('new').onclick=()=>modal.classList.add('open')</script>""",
        [{"type": CLICK, "css": "#new"}],
    ),
    "a dialog of the browser": (
        PLAIN
        + """<button id=a>Ask</button><button>Other</button><dialog id=d><p>Sure?</p><button>Yes</button>
</dialog><script>a.onclick=()=>d.showModal()</script>""",
        [{"type": CLICK, "css": "#a"}],
    ),
    "skeletons that wait for data": (
        PLAIN
        + """<style>.bone{height:16px;margin:8px;border-radius:4px;width:300px;color:transparent;
background:linear-gradient(90deg,#eee,#f8f8f8,#eee);animation:wave 1.2s infinite}
@keyframes wave{to{background-position:300px}}</style><div class=bone>Loading title</div>
<div class=bone>Loading text</div><p id=real></p><script>
setTimeout(()=>{real.textContent='Here it is.'},60000)</script>""",
        [],
    ),
    "a game that draws when it is started": (
        PLAIN
        + """<canvas id=c width=400 height=300 style="border:1px solid #999"></canvas>
<p>Press Space to start</p><script>const x=c.getContext('2d');let on=false;
addEventListener('keydown',e=>{if(e.code==='Space')on=true});
(function loop(){if(on)x.fillRect(10,10,40,40);requestAnimationFrame(loop)})()</script>""",
        [{"type": "key", "key": "Space"}],
    ),
    "a drawing pad, a layer of confetti, two stacked canvases": (
        PLAIN
        + """<style>.stack{position:relative;width:300px;height:200px}.stack canvas{position:absolute;
left:0;top:0}#confetti{position:fixed;inset:0;pointer-events:none}</style><h1>Sketch</h1>
<canvas id=pad width=300 height=200 style="border:1px solid #999"></canvas>
<div class=stack><canvas id=under width=300 height=200></canvas><canvas id=over width=300 height=200>
</canvas></div><canvas id=confetti width=600 height=400></canvas><script>
under.getContext('2d').fillRect(0,0,300,200);let down=false;
pad.addEventListener('pointerdown',()=>down=true);
pad.addEventListener('pointermove',e=>{if(down)pad.getContext('2d').fillRect(e.offsetX,e.offsetY,4,4)})
</script>""",
        [],
    ),
    "a word cloud and a chart with a clip path": (
        PLAIN
        + """<svg id=cloud width=420 height=220 viewBox="0 0 420 220">
<g transform="translate(210,110)" text-anchor=middle><text font-size=40>bread</text>
<text y=50 font-size=24 transform="rotate(-12)">butter</text><text x=-120 y=-40>salt</text></g></svg>
<svg id=chart width=400 height=200><defs><clipPath id=cp><rect x=40 y=10 width=340 height=160></rect>
</clipPath><linearGradient id=lg><stop offset=0 /></linearGradient></defs>
<g clip-path="url(#cp)"><path d="M-600 90 L900 20" stroke=navy fill=none></path>
<rect x=-300 y=20 width=200 height=50></rect></g><text x=40 y=190>Jan</text><text x=330 y=190>Dec</text>
<path id=ring fill=none stroke=#ccc d="M0 100 h400"></path></svg>""",
        [],
    ),
    "icons of one sprite, decorations that reach over the edge": (
        PLAIN
        + """<svg style="position:absolute;width:0;height:0"><symbol id=star viewBox="0 0 10 10">
<path d="M0 0h10v10z"></path></symbol></svg><button><svg width=16 height=16><use href=#star></use></svg>
Like</button><svg width=200 height=80 viewBox="0 0 200 80"><circle cx=0 cy=0 r=60 fill=#def></circle>
<circle cx=200 cy=80 r=50 fill=#def></circle><text x=60 y=44>Waves</text></svg>
<svg width=24 height=24 viewBox="0 0 24 24"><path id=a d="M2 2h20v20z"></path></svg>
<svg width=24 height=24 viewBox="0 0 24 24"><path id=a d="M2 2h20v20z"></path></svg>""",
        [],
    ),
    "what is only for print, and what print leaves out": (
        PLAIN
        + """<style>.print{display:none}.ghost{opacity:0;height:0;overflow:hidden}
@media print{.print{display:block}.ghost{opacity:1;height:auto}.screen{display:none}}</style>
<p class=print>Printed on paper</p><p class=ghost>Invoice number 12</p>
<p class=screen>On the screen</p>""",
        [],
    ),
    "a wide table in a box that scrolls, and one with ellipses": (
        PLAIN
        + """<style>.wrap{overflow-x:auto;border:1px solid #ccc;width:500px}.wrap table{width:1600px}
.tight{table-layout:fixed;width:300px}.tight td{overflow:hidden;text-overflow:ellipsis;
white-space:nowrap;border:1px solid #ccc}</style><div class=wrap><table><tr>"""
        + "<td>cell of a wide table</td>" * 20
        + """</tr></table></div><table class=tight><tr><td>a-very-long-file-name-that-is-cut.pdf</td>
<td>another-very-long-file-name.pdf</td></tr></table>""",
        [],
    ),
    "full-bleed bands of 100vw on a long page": (
        PLAIN
        + """<style>.band{width:100vw;margin-left:calc(50% - 50vw);background:#eef;padding:20px 0}
</style><div class=band>Edge to edge</div><div style="height:1600px">Long</div>""",
        [],
    ),
    "an article about undefined, NaN, null and templates": (
        PLAIN
        + """<h1>undefined and null in JavaScript</h1><p>A variable that was never set is undefined.</p>
<h2>NaN</h2><p>typeof NaN is "number"; use Number.isNaN. Concatenation gives [object Object].</p>
<table><tr><td>typeof x</td><td>undefined</td></tr><tr><td>0/0</td><td>NaN</td></tr></table>
<p>In Vue, {{ name }} is filled in. Use <code>&lt;div&gt;</code> for boxes.</p>
<pre>const a = undefined; function f() { return a; }</pre>""",
        [],
    ),
    "a mathematics page whose answer is the word undefined": (
        PLAIN
        + """<p>Slope: <b id=s></b></p><p id=t></p><script>const dx=0;
s.textContent=dx===0?'undefined':String(1/dx);t.textContent='Vertical lines: slope is undefined';
</script>""",
        [],
    ),
    "a template editor that shows its own placeholders": (
        PLAIN
        + """<p>Write {{first_name}} where the name goes.</p><p id=out></p><script>
out.textContent='Dear {{first_name}}';
const fill=t=>t.replace(/\\{\\{(\\w+)\\}\\}/g,'Ada')</script>""",
        [],
    ),
    "a memory game whose faces are hidden in their own colour": (
        PLAIN
        + """<style>.card{width:80px;height:80px;background:#4f46e5;color:#4f46e5;border:0;font-size:24px}
.card.flipped{background:#fff;color:#111;border:1px solid #111}.card.matched{opacity:0}</style>
<div id=b></div><script>const seen=[];['AA','BB','AA','BB'].forEach(f=>{
const c=document.createElement('button');c.className='card';c.textContent=f;
c.onclick=()=>{c.classList.add('flipped');seen.push(c);if(seen.length===2&&seen[0].textContent===f)
seen.forEach(x=>x.classList.add('matched'))};b.append(c)})</script>""",
        [{"type": CLICK, "css": ".card"}, {"type": CLICK, "css": ".card:nth-child(3)"}],
    ),
    "spoilers that the mouse uncovers": (
        PLAIN
        + """<style>.spoiler{background:#222;color:#222}.spoiler:hover{color:#fff}</style>
<p>The murderer is <span class=spoiler>the gardener himself</span>.</p>""",
        [],
    ),
    "sections that come in as one scrolls": (
        PLAIN
        + """<style>.reveal{opacity:0;transform:translateY(30px);transition:all .5s}
.reveal.in-view{opacity:1;transform:none}</style><h1>Story</h1>
<section class=reveal style="margin-top:1200px"><h2>Chapter one</h2><p>It was late.</p></section>
<script>const o=new IntersectionObserver(es=>es.forEach(e=>e.isIntersecting&&
e.target.classList.add('in-view')));document.querySelectorAll('.reveal').forEach(e=>o.observe(e))
</script>""",
        [],
    ),
    "things that fade in by an animation": (
        PLAIN
        + """<style>@keyframes in{from{opacity:0}to{opacity:1}}.late{opacity:0;
animation:in .5s 30s forwards}@keyframes flash{50%{opacity:1}}.flash{opacity:0;animation:flash 1s}
</style><p class=late>Slowly</p><p class=flash>Gone again</p><button class=late>Later</button>""",
        [],
    ),
    "flip cards with two faces": (
        PLAIN
        + """<style>.flip{width:200px;height:120px;perspective:600px}.inner{position:relative;width:100%;
height:100%;transform-style:preserve-3d;transition:transform .4s}.flip:hover .inner{transform:rotateY(180deg)}
.face{position:absolute;inset:0;backface-visibility:hidden;background:#eef}
.back{transform:rotateY(180deg);background:#fee}</style><div class=flip><div class=inner>
<div class="face front">Question</div><div class="face back"><button>Known</button></div></div></div>""",
        [],
    ),
    "a start screen over the board of a game": (
        PLAIN
        + """<style>.board{position:relative;width:400px;height:300px;background:#123}
.start{position:absolute;inset:0;background:rgba(0,0,0,.7);color:#fff;display:grid;place-items:center}
.hide{display:none}</style><div class=board><button>Pause</button><div class=start id=st>
<button id=play>Play</button></div></div><script>play.onclick=()=>st.classList.add('hide')</script>""",
        [{"type": CLICK, "css": "#play"}],
    ),
    "suggestions over the next field": (
        PLAIN
        + """<style>.box{position:relative;width:240px}.list{position:absolute;top:100%;left:0;right:0;
background:#fff;border:1px solid #999}.list div{padding:10px}</style><div class=box>
<input id=q placeholder=City><div class=list id=l hidden></div></div><p><button>Search</button></p><script>
q.oninput=()=>{l.hidden=false;l.innerHTML=['Rome','Riga','Reims'].map(c=>`<div>${c}</div>`).join('')}
</script>""",
        [{"type": "type", "css": "#q", "text": "r"}],
    ),
    "a link that fills its card": (
        PLAIN
        + """<style>.card{position:relative;border:1px solid #ccc;padding:16px;width:260px}
.card a::after{content:"";position:absolute;inset:0}.card button{position:relative;z-index:1}</style>
<div class=card><h3><a href=read.html>Read on</a></h3><button>Keep</button></div>""",
        [],
    ),
    "gaps kept by unseen twins, disabled and watermarked things": (
        PLAIN
        + """<style>.twin{opacity:0;pointer-events:none}.mark{font-size:90px;color:#f6f6f6;line-height:1}
button:disabled{color:#fff;background:#fff;border:0}</style><button class=twin aria-hidden=true
tabindex=-1>Back</button><h1>Step one</h1><button>Next</button><div class=mark>01</div>
<button disabled>Not yet</button>""",
        [],
    ),
    "labels beside small bars, a badge over a corner": (
        PLAIN
        + """<style>.bar{background:#06c;height:20px;width:30px;white-space:nowrap}.bar span{
padding-left:36px}.bell{position:relative;display:inline-block;border:1px solid #ccc;padding:8px}
.badge{position:absolute;top:-8px;right:-8px;background:#c00;color:#fff;border-radius:9px;padding:0 6px}
.pull{border:1px solid #ccc;width:200px;padding:10px}.pull h3{margin:0 -10px;background:#eee}</style>
<div class=bar><span>30 of 900 visitors</span></div>
<div class=bell>Inbox <span class=badge>12</span></div><div class=pull><h3>Wide head</h3>Text</div>""",
        [],
    ),
    "a whiteboard larger than its window": (
        PLAIN
        + """<style>#win{width:500px;height:300px;overflow:hidden;border:1px solid #999}#world{
position:relative;width:3000px;height:2000px}</style><div id=win><div id=world><p>Here</p>
<p style="margin-top:900px">Far below</p></div></div><script>let x=0;
win.onpointermove=e=>{x-=1;world.style.transform=`translate(${x}px,0)`}</script>""",
        [],
    ),
    "a page in which all is drawn by pseudo-elements": (
        """<style>body{background:#123}.sun::before{content:"";position:absolute;left:100px;top:100px;
width:90px;height:90px;border-radius:50%;background:#fc0}</style><div class=sun></div>""",
        [],
    ),
    "many languages and signs": (
        PLAIN
        + """<p>São Paulo, Ærø, Ōsaka, Đà Nẵng, MANHÃ, Âge, Ça, 東京, Αθήνα, 5 × 3 = 15 €, “quoted” — dash</p>
<p>Nan bread, Nanking, NaNoWriMo, annullable, Nullarbor</p><p>Hello {name}, $5, 100 % sure; a &lt; b</p>""",
        [],
    ),
    "a component with a shadow root and an inner frame": (
        PLAIN
        + """<x-card></x-card><iframe srcdoc="<p>Inner text</p><button>Inner</button>"></iframe><script>
customElements.define('x-card',class extends HTMLElement{connectedCallback(){
this.attachShadow({mode:'open'}).innerHTML='<style>:host{display:block;background:#123;color:#fff}'
+'p{color:#fff}</style><p>White on navy</p><button>Act</button><slot></slot>'}})</script>""",
        [],
    ),
}

WRONG: dict[str, tuple[str, str]] = {
    "empty root": ("<style>body{background:#123}</style><div id=root></div>", "the page is blank"),
    "empty root that fills the view": (
        "<style>body{margin:0}#root{min-height:100vh;background:#f5f5f5}</style><div id=root></div>",
        "the page is blank",
    ),
    "canvas without height": (
        PLAIN
        + "<h1>Rain</h1><div style='height:0'><canvas id=c style='width:300px;height:100%'></canvas></div>",
        '<canvas id="c"> is shown at 300×0, zero size',
    ),
    "canvas never drawn": (PLAIN + "<canvas id=c></canvas>", '<canvas id="c"> is blank'),
    "class that no script sets": (
        PLAIN
        + """<style>.tile{opacity:0;transition:opacity .3s}.tile.ready{opacity:1}</style>
<h1>Tiles</h1><div class=tile>First tile</div><div class=tile>Second tile</div>
<script>document.querySelectorAll('.tile').forEach(t=>t.dataset.on=1)</script>""",
        "is invisible: opacity 0, and nothing on the page raises it (.tile.ready would; "
        "no script sets .ready) (and 1 more like it)",
    ),
    "animation without keyframes": (
        PLAIN + "<style>h1{opacity:0;animation:fade-in 1s forwards}</style><h1>Welcome</h1>",
        '<h1> "Welcome" is invisible: opacity 0',
    ),
    "white on white": (
        PLAIN
        + "<style>.pay{background:#fff;color:#fff;border:0}</style><button class=pay>Pay now</button>",
        '"Pay now" is invisible text: #ffffff on #ffffff, contrast 1.00',
    ),
    "variable with a typo": (
        PLAIN + "<style>:root{--brand:#06c}.x{background:var(--brnad)}</style><p class=x>Text</p>",
        "--brnad is not defined: var(--brnad) in .x has no value (did you mean --brand?)",
    ),
    "dark on dark": (
        "<style>body{background:#111}h1{color:#fff}</style><h1>Night</h1><p style='color:#161616'>Stars</p>",
        '<p> "Stars" is invisible text',
    ),
    "button where no scrolling leads": (
        PLAIN + "<h1>Hi</h1><button style='position:absolute;left:-400px;top:10px'>Help</button>",
        '"Help" is off-screen, where no scrolling leads: at -400,10',
    ),
    "heading pushed out of the page": (
        PLAIN + "<h1 style='margin-left:-900px;width:300px'>Lost heading</h1><p>Here</p>",
        '"Lost heading" is off-screen',
    ),
    "flat button": (
        PLAIN
        + "<button style='height:0;padding:0;border:0;overflow:hidden'>Call</button><p>x y</p>",
        '"Call" has zero size',
    ),
    "list cut by its box": (
        PLAIN
        + "<style>.c{height:70px;overflow:hidden;border:1px solid}</style><div class=c><ul>"
        + "".join(f"<li>Step number {n}</li>" for n in range(6))
        + "</ul></div>",
        "cuts off its content (overflow: hidden",
    ),
    "sentence cut at the right": (
        PLAIN
        + "<div style='width:150px;overflow:hidden;white-space:nowrap'>A sentence that goes on and on</div>",
        "its text is cut off",
    ),
    "overlay left behind": (
        PLAIN
        + """<style>#veil{position:fixed;inset:0;background:#0008;opacity:0}</style>
<button>One</button> <button>Two</button><div id=veil></div>""",
        '"One" and 1 more control are covered by an invisible <div id="veil">, which takes the clicks',
    ),
    "banner over a button": (
        PLAIN
        + """<div style="position:relative;height:60px"><button id=b>Order</button>
<div class=strip style="position:absolute;inset:0;background:#fed">Closed</div></div>""",
        '<button id="b"> "Order" is covered by <div class="strip"> "Closed"',
    ),
    "header over the first button": (
        """<style>body{margin:0}header{position:fixed;top:0;left:0;right:0;height:70px;background:#123;
color:#fff}</style><header>Shop</header><button>Filter</button><div style="height:2000px"></div>""",
        '"Filter" is covered by <header>',
    ),
    "bars outside the drawing": (
        PLAIN
        + """<svg id=chart width=300 height=200><g id=bars transform="translate(0,400)">
<rect width=20 height=50 /><rect x=30 width=20 height=80 /></g><line x2=300 y1=199 y2=199 stroke=#000 /></svg>""",
        '<g id="bars"> lies outside the svg #chart',
    ),
    "labels cut by the drawing": (
        PLAIN + "<svg id=s width=200 height=100><text x=180 y=50>September</text></svg>",
        '<text> "September" is cut off by the edge of the svg #s',
    ),
    "heights that are no numbers": (
        PLAIN
        + "<svg width=200 height=100><rect width=10 height=NaN /><rect width=10 height=NaN /></svg>",
        '<rect> has height="NaN" (and 1 more such attributes)',
    ),
    "page too wide": (
        PLAIN + "<div class=grid style='width:1500px;background:#eef'>Wide</div>",
        "horizontal overflow: the page is 244 px wider than the view (1524 of 1280 px), "
        'because of <div class="grid">',
    ),
    "field that leaves its card": (
        PLAIN
        + """<div class=card style="width:200px;border:1px solid #999;padding:10px"><p>Name</p>
<input id=n style="width:300px"></div>""",
        'sticks out of <div class="card">',
    ),
    "picture that is not there": (
        PLAIN + "<img src=no.png alt=Tree width=80 height=80>",
        "is a broken image",
    ),
    "font that is not there": (
        "<style>@font-face{font-family:Crumb;src:url(no.woff2)}h1{font-family:Crumb}</style><h1>Hi</h1>",
        'the font "Crumb" did not load',
    ),
    "values that are none": (
        PLAIN
        + """<p id=a></p><p id=b></p><p id=c></p><p id=d></p><script>const u={};
a.textContent='Total: '+u.x*2+'k';b.textContent='Hello, '+u.name+'!';c.textContent=u;
d.textContent='$'+u.price+'/mo'</script>""",
        'shown as text: #a "Total: NaNk", #b "Hello, undefined!", #c "[object Object]", '
        '#d "$undefined/mo"',
    ),
    "templates unfilled": (
        PLAIN
        + "<p>Hello {{ user.name }}</p><p id=q></p><script>q.textContent='Hi ${name}'</script>",
        'p "Hello {{ user.name }}", #q "Hi ${name}"',
    ),
    "wrong encoding": (PLAIN + "<p>CafÃ© crÃ¨me, 2 â‚¬</p>", 'shown as text: p "CafÃ©'),
    "script cut by its own end tag": (
        PLAIN + "<h1>Tags</h1><script>const a = '<script></script>'; document.getElementById('x'); "
        "function go() { return 1; }</script>",
        "source code is shown as text in the body",
    ),
    "style never opened": (
        PLAIN + "<h1>Hi</h1>.card { color: red; padding: 4px; } .b { margin: 0; }",
        "source code is shown as text in the body",
    ),
    "textarea never closed": (
        PLAIN + "<h1>Notes</h1><textarea id=t><p>Below</p><button>Save</button></body></html>",
        "<textarea> was never closed",
    ),
    "quote never closed": (
        PLAIN + '<div class="a><p>One</p><p class="b">Two</p></div>',
        "a quote is missing",
    ),
    "two of one id": (PLAIN + "<p id=x>One</p><p id=x>Two</p>", "duplicate ids: #x ×2"),
}
