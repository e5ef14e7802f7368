"""Three artifacts as agents make them, each with several faults: the text alone shows every one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.preview.desk import HEAD

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

NOTES = {
    "index.html": f"""{HEAD}
<link rel="stylesheet" href="styles.css">
<h1 id="title">Notes</h1>
<ul id="list"></ul>
<p id="list">{{{{ count }}}} notes</p>
<button id="add">Add</button>
<script type="module" src="app.js"></script>
<script src="theme.js"></script>
""",
    "style.css": "h1 { color: teal }",
    "app.js": """import { save } from './store.js';
import { render } from './view.js';
document.getElementById('add').addEventListener('click', async () => {
  await save({ text: 'new' });
  render();
});
""",
    "store.js": """const notes = [];
export async function save(note) {
  const db = await openStore();
  db.put(note);
}
async function openStore() {
  return JSON.parse(localStorage.getItem('notes') ?? '{notes: []}');
}
""",
    "view.js": "export function render() {}\n",
    "theme.js": """const stored = localStorage.getItem('theme');
document.querySelector('.theme-toggle').dataset.theme = stored;
""",
}
GALLERY = {
    "index.html": f"""{HEAD}
<photo-card src="img/beach.svg" caption="Beach"></photo-card>
<img id="cover" src="img/Cover.svg" alt="Cover">
<button id="more" onclick="loadMore()">More</button>
<script src="card.js"></script>
""",
    "img/beach.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'/>",
    "img/cover.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'/>",
    "card.js": """customElements.define('photo-card', class extends HTMLElement {
  connectedCallback() {
    this.querySelector('img').alt = this.getAttribute('caption');
  }
});
new IntersectionObserver((entries) => {
  entries.forEach((entry) => entry.targets.classList.add('seen'));
}).observe(document.getElementById('cover'));
""",
}
PLAYER = {
    "index.html": f"""{HEAD}
<canvas id="scope" width="320" height="80"></canvas>
<button id="play">Play</button> <audio id="song" src="song.mp3"></audio>
<script>
const gl = scope.getContext('webgl');
const shader = gl.createShader(gl.FRAGMENT_SHADER);
gl.shaderSource(shader, 'void main() {{ gl_FragColor = vec3(1.0); }}');
gl.compileShader(shader);
const worker = new Worker('decode.js');
worker.onmessage = (event) => {{ document.title = event.data.bars.join(); }};
worker.postMessage([1, 2]);
play.onclick = () => {{ song.play(); navigator.vibrate(20); }};
</script>
""",
    "decode.js": """onmessage = async (event) => {
  console.warn('decoding', event.data);
  postMessage({ peaks: event.data });
  throw new Error(`cannot decode ${event.data.length} samples`);
};
""",
}
CASES: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "notes": (
        NOTES,
        "#add",
        [
            "stylesheet styles.css failed to load: not in the workspace (404); nearest: style.css",
            "theme.js:2:40  Uncaught TypeError: Cannot read properties of null (reading 'dataset')",
            "{{ count }}",
            "duplicate ids: #list",
            "store.js:7:15  Uncaught (in promise) SyntaxError: Expected property name",
        ],
    ),
    "gallery": (
        GALLERY,
        "#more",
        [
            "card.js:3:35  Uncaught TypeError: Cannot set properties of null (setting 'alt')",
            "img/Cover.svg failed to load: not in the workspace (404); nearest: img/cover.svg",
            "card.js:7:44  Uncaught TypeError: Cannot read properties of undefined",
            "index.html:4:28  Uncaught ReferenceError: loadMore is not defined",
        ],
    ),
    "player": (
        PLAYER,
        "#play",
        [
            "index.html:8:4  WebGL compileShader: ERROR",
            "worker warn: decoding",
            "index.html:10:66  Uncaught TypeError: Cannot read properties of undefined",
            "decode.js:4:9  Uncaught (in promise) Error: cannot decode 2 samples",
            "song.mp3 failed to load: not in the workspace (404)",
            "index.html:12:29  Uncaught (in promise) NotSupportedError",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_every_fault_of_an_artifact_is_told(desk: Desk, name: str) -> None:
    files, button, facts = CASES[name]
    for path, content in files.items():
        desk.put(f"faults/{name}/{path}", content)
    opened = await desk.call("open", path=f"faults/{name}/index.html")
    acted = await desk.act({"type": "click", "css": button})
    told = await desk.told(f"{opened.text}\n{acted.text}", *facts, drop=f"faults/{name}/")
    for fact in facts:
        assert fact in told
    assert acted.data["verdict"] == "broken"
    assert len(told) < 3_000
