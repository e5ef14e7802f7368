/**
 * @fileoverview Canvases that hold nothing, and pages on which nothing is painted.
 */

/** @type {WeakSet<HTMLCanvasElement>} Canvases that were seen to hold something. */
const drawn = new WeakSet();
const MOST_PIXELS = 4_000_000;

/**
 * Whether a canvas holds a picture: true, false, or null when it cannot be told.
 * @param {HTMLCanvasElement} canvas
 * @returns {boolean | null}
 */
function hasPicture(canvas) {
  const {width, height} = canvas;
  if (!width || !height || width * height > MOST_PIXELS) return null;
  const pad = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
  if (!pad) return null;
  try {
    pad.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(pad.getImageData(0, 0, width, height).data.buffer);
    const filled = pixels.some((pixel) => pixel !== 0);
    if (filled) drawn.add(canvas);
    return filled;
  } catch {
    return null;
  }
}

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function canvases(scene) {
  const all = /** @type {HTMLCanvasElement[]} */ (tagged(scene, 'canvas').filter((each) => each instanceof HTMLCanvasElement)).slice(0, 8);
  const words = [];
  for (const canvas of all) {
    if (!canvas.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const box = canvas.getBoundingClientRect();
    const size = `${canvas.width}×${canvas.height}`;
    const holder = canvas.parentElement?.closest('[id],[class]');
    const where = holder && holder !== document.body ? ` in ${nameOf(holder)}` : '';
    if (!canvas.width || !canvas.height) words.push(`${describe(canvas)}${where} has zero size (${size}): nothing can be drawn on it`);
    else if (box.width < 1 || box.height < 1) words.push(`${describe(canvas)}${where} is shown at ${Math.round(box.width)}×${Math.round(box.height)}, zero size`);
    else if (!mayBeEmpty(canvas, box, all) && hasPicture(canvas) === false && !usesWebGL(canvas)) words.push(`${describe(canvas)} is blank: nothing is drawn on its ${size} pixels`);
  }
  return words;
}

const SOON_MS = 2500;
const LATER = /\b(Worker|fetch|await|setTimeout|onload|decode|import)\b|'load'|"load"|\.then\(/;
const INVITES = /\b(press|hit|start|play|tap|click|begin|draw|drop|upload|choose|sketch)\b/i;
const ORDERS = /\b(generate|run|render|load|create|build|make|go|roll|spin|preview|convert)\b/i;

/**
 * Whether an empty canvas may be right: a layer over others, a pad that waits for a hand, a game
 * that waits for its start.
 * @param {HTMLCanvasElement} canvas
 * @param {DOMRect} box
 * @param {HTMLCanvasElement[]} all
 * @returns {boolean}
 */
function mayBeEmpty(canvas, box, all) {
  const style = getComputedStyle(canvas);
  if (style.pointerEvents === 'none' || isMoving(canvas)) return true;
  if (performance.now() < SOON_MS && mentions(LATER)) return true;
  if (all.some((other) => other !== canvas && isShown(other) && meet(other.getBoundingClientRect(), box))) return true;
  const hit = hitAt(box.x + box.width / 2, box.y + box.height / 2);
  if (hit && hit !== canvas && !hit.contains(canvas)) return true;
  const text = document.body?.innerText.slice(0, 4000) || '';
  const fills = box.width * box.height > 0.8 * innerWidth * innerHeight;
  if (fills && ['absolute', 'fixed'].includes(style.position) && text.trim()) return true;
  const loops = /requestAnimationFrame|setInterval/.test(code().text);
  if (!loops && /mousedown|pointerdown|touchstart/.test(code().text)) return true;
  const waits = INVITES.test(text) || Boolean(document.querySelector('input[type=file]')) ||
    [...document.querySelectorAll('button')].some((button) => ORDERS.test(labelOf(button)));
  return waits && mentions(/keydown|keyup|keypress|click|pointer|mouse|touch|onchange|'change'|"change"/);
}

/**
 * @param {{left: number, right: number, top: number, bottom: number}} a
 * @param {{left: number, right: number, top: number, bottom: number}} b
 * @returns {boolean} Whether two boxes share more than an edge.
 */
const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/**
 * Whether the canvas shows WebGL: such a one reads as empty once its frame was shown, so nothing
 * can be said of it here. The page's world answers on the canvas itself.
 * @param {HTMLCanvasElement} canvas
 * @returns {boolean}
 */
function usesWebGL(canvas) {
  return !canvas.dispatchEvent(new Event(`${TOKEN}:gl`, {cancelable: true}));
}

/** @returns {boolean} Nothing at all is painted. */
function isBlank() {
  const body = document.body;
  const root = document.documentElement;
  if (!root) return true;
  if (!body) return root.localName === 'svg' ? !hasShapes(root) : root.localName === 'html' || !root.textContent?.trim();
  if (isShown(body) && [...body.childNodes].slice(0, 500).some((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue || ''))) return false;
  if (document.getAnimations().some((each) => each.playState === 'running')) return false;
  const all = [root, body];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node && all.length < 4000; node = walker.nextNode()) {
    const element = /** @type {HTMLElement} */ (node);
    if (isPainted(element)) return false;
    all.push(element);
  }
  return !all.slice(0, 400).some((element) => hasPseudo(element) || isPainted(element));
}

/**
 * A plain surface that fills the view says nothing.
 * @param {Element} element
 * @returns {boolean}
 */
function isPainted(element) {
  if (SILENT.has(element.localName) || !isShown(element)) return false;
  if (element instanceof HTMLCanvasElement) return hasPicture(element) !== false || usesWebGL(element);
  if (element.localName === 'svg') return hasShapes(element);
  if (element.matches('img,video,iframe,input,select,textarea,button,object,embed,hr,progress,meter,math')) return true;
  if (element.shadowRoot && [...element.shadowRoot.querySelectorAll('*')].slice(0, 500).some(isPainted)) return true;
  if (element instanceof SVGElement) return false;
  const isRoot = element === document.documentElement || element === document.body;
  if (!isRoot && ownText(element)) return true;
  const style = getComputedStyle(element);
  if (style.backgroundImage !== 'none' || parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderBottomWidth) > 0) return true;
  const box = element.getBoundingClientRect();
  const fills = box.width >= innerWidth * 0.95 && box.height >= innerHeight * 0.9;
  return !isRoot && !fills && alphaOf(style.backgroundColor) > 0;
}

/**
 * @param {Element} svg
 * @returns {boolean}
 */
const hasShapes = (svg) => Boolean(svg.querySelector('rect,circle,ellipse,line,path,polygon,polyline,text,image,use,foreignObject'));

/**
 * @param {Element} element
 * @returns {boolean}
 */
const hasPseudo = (element) => element.checkVisibility({visibilityProperty: true}) && ['::before', '::after'].some((name) => !['none', 'normal'].includes(getComputedStyle(element, name).content));
