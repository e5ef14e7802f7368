/**
 * @fileoverview What a person would see at once and a model without eyes cannot. Only what is
 * certain; nothing on a healthy page.
 */

/** @type {WeakSet<HTMLCanvasElement>} Canvases that were seen to hold something. */
const drawn = new WeakSet();
const MOST_PIXELS = 4_000_000;

/** @returns {string[]} */
function looks() {
  return [...emptyCanvases(), ...overflow(), ...brokenImages(), ...oddText(), ...twins()].slice(0, 6);
}

/**
 * Whether a canvas holds a picture: true, false, or null when it cannot be told.
 * @param {HTMLCanvasElement} canvas
 * @returns {boolean | null}
 */
function hasPicture(canvas) {
  if (drawn.has(canvas)) return true;
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

/** @returns {string[]} */
function emptyCanvases() {
  const words = [];
  for (const canvas of queryAll('canvas').slice(0, 8)) {
    if (!(canvas instanceof HTMLCanvasElement) || !canvas.checkVisibility({visibilityProperty: true})) continue;
    const box = canvas.getBoundingClientRect();
    const size = `${canvas.width}×${canvas.height}`;
    if (!canvas.width || !canvas.height) words.push(`${describe(canvas)} has zero size (${size})`);
    else if (box.width < 1 || box.height < 1) words.push(`${describe(canvas)} is shown at ${Math.round(box.width)}×${Math.round(box.height)}, zero size`);
    else if (hasPicture(canvas) === false && !usesWebGL(canvas)) words.push(`${describe(canvas)} is blank: it has not been drawn on`);
  }
  return words;
}

/**
 * Whether the canvas shows WebGL: such a one reads as empty once its frame was shown, so nothing
 * can be said of it here. The page's world answers on the canvas itself.
 * @param {HTMLCanvasElement} canvas
 * @returns {boolean}
 */
function usesWebGL(canvas) {
  return !canvas.dispatchEvent(new Event(`${TOKEN}:gl`, {cancelable: true}));
}

/** @returns {string[]} */
function overflow() {
  const root = document.documentElement;
  const beyond = root ? root.scrollWidth - root.clientWidth : 0;
  if (beyond < 4) return [];
  const widest = [...document.body?.querySelectorAll('*') || []].slice(0, 3000).filter(isShown)
    .map((element) => ({element, right: element.getBoundingClientRect().right + scrollX}))
    .filter((each) => each.right > root.clientWidth + 3)
    .sort((a, b) => b.right - a.right || depthOf(a.element) - depthOf(b.element));
  const culprit = widest.length ? `, widest: ${describe(widest[0].element)}` : '';
  return [`the page is ${beyond} px wider than the view (horizontal overflow: ${root.scrollWidth} of ${root.clientWidth} px${culprit})`];
}

/**
 * @param {Element} element
 * @returns {number}
 */
function depthOf(element) {
  let depth = 0;
  for (let node = element.parentElement; node; node = node.parentElement) depth += 1;
  return depth;
}

/** @returns {string[]} */
function brokenImages() {
  const broken = [...document.images].filter((image) => image.complete && !image.naturalWidth && image.currentSrc && isShown(image));
  return broken.slice(0, 2).map((image) => `${describe(image)} is a broken image (${clip(image.getAttribute('src') || image.currentSrc, 80)})`);
}

const ODD = /\b(undefined|NaN)\b|\[object \w+\]|\{\{[^{}]*\}\}|Ã[\u0080-\u00bf]|â€/;

/** @returns {string[]} */
function oddText() {
  const body = document.body;
  if (!body) return [];
  const words = /** @type {string[]} */ ([]);
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), looked = 0; node && looked < 5000 && words.length < 3; node = walker.nextNode(), looked += 1) {
    const text = node.nodeValue || '';
    const owner = node.parentElement;
    if (!ODD.test(text) || !owner || owner.closest('script,style,template,noscript,pre,code,textarea')) continue;
    if (isShown(owner)) words.push(`${nameOf(owner)} shows "${clip(squeeze(text), 60)}"`);
  }
  return words;
}

/** @returns {string[]} */
function twins() {
  const seenIds = new Map();
  for (const element of document.querySelectorAll('[id]')) seenIds.set(element.id, (seenIds.get(element.id) || 0) + 1);
  const double = [...seenIds].filter(([id, times]) => id && times > 1).slice(0, 3);
  return double.length ? [`duplicate ids: ${double.map(([id, times]) => `#${clip(id, 40)} ×${times}`).join(', ')}`] : [];
}

/** @returns {boolean} Nothing at all is painted. */
function isBlank() {
  const body = document.body;
  if (!body) return document.documentElement?.localName !== 'svg' || !document.documentElement.childElementCount;
  for (const element of [...body.querySelectorAll('*')].slice(0, 4000)) {
    if (isPainted(element)) return false;
  }
  return !ownText(body);
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function isPainted(element) {
  if (['script', 'style', 'template', 'noscript', 'link', 'meta'].includes(element.localName) || !isShown(element)) return false;
  if (element instanceof HTMLCanvasElement) return hasPicture(element) !== false || usesWebGL(element);
  if (element.matches('img,svg,video,iframe,input,select,textarea,button,object,embed,hr,progress,meter')) return true;
  if (element.shadowRoot || ownText(element)) return true;
  const style = getComputedStyle(element);
  return style.backgroundImage !== 'none' || !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor) || parseFloat(style.borderTopWidth) > 0;
}
