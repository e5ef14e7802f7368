/**
 * @fileoverview What a person would see at once and a model without eyes cannot. Only what is
 * certain: whatever may be on purpose, may still come, or rests on code that cannot be read, is
 * passed over in silence.
 */

/** @typedef {{element: Element, box: DOMRect}} Seen */
/** @typedef {{seen: Seen[], texts: Map<Element, string>, controls: Seen[], frames: Document[], x: number, y: number}} Scene */

const MOST_LOOKS = 12;
const MOST_ELEMENTS = 6000;
const MOST_TEXTS = 6000;
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'link', 'meta', 'title', 'br', 'option']);
const CONTROLS = 'button,a[href],select,textarea,summary,input:not([type=hidden]),[role=button],[role=link],[role=tab],[role=switch]';

/** @returns {string[]} */
function looks() {
  if (!document.body && document.documentElement?.localName !== 'svg') return [];
  forgetMeans();
  styling = new WeakMap();
  const scene = survey();
  const words = [
    canvases(scene), faint(scene), sameColour(scene), away(scene), flat(scene), covered(scene), clipped(scene),
    outsideSvg(scene), notNumbers(scene), oddTexts(scene), leaks(scene), overflow(scene), spills(scene), media(), fonts(), variables(), twins(),
  ].flat();
  const left = words.length - MOST_LOOKS;
  return left > 0 ? [...words.slice(0, MOST_LOOKS), `and ${left} more of such`] : words;
}

/**
 * One pass over the page: boxes, texts by the element that holds them, controls, inner documents.
 * @returns {Scene}
 */
function survey() {
  const scene = /** @type {Scene} */ ({seen: [], texts: new Map(), controls: [], frames: [], x: scrollX, y: scrollY});
  surveyIn(document.body || document.documentElement, scene);
  return scene;
}

/**
 * @param {Element | ShadowRoot} top
 * @param {Scene} scene
 */
function surveyIn(top, scene) {
  const controls = new Set(top.querySelectorAll(CONTROLS));
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && scene.seen.length < MOST_ELEMENTS; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) noteText(node, scene);
    else noteElement(/** @type {Element} */ (node), controls, scene);
  }
}

/**
 * @param {Element} element
 * @param {Set<Element>} controls
 * @param {Scene} scene
 */
function noteElement(element, controls, scene) {
  if (SILENT.has(element.localName)) return;
  const seen = {element, box: element.getBoundingClientRect()};
  scene.seen.push(seen);
  if (controls.has(element)) scene.controls.push(seen);
  if (element.shadowRoot) surveyIn(element.shadowRoot, scene);
  else if (element.localName === 'iframe' && element instanceof HTMLIFrameElement && element.contentDocument && scene.frames.length < 4) scene.frames.push(element.contentDocument);
}

/**
 * @param {Node} node
 * @param {Scene} scene
 */
function noteText(node, scene) {
  const owner = node.parentElement;
  const text = node.nodeValue || '';
  if (!owner || scene.texts.size > MOST_TEXTS || SILENT.has(owner.localName) || !/\S/.test(text)) return;
  const before = scene.texts.get(owner);
  scene.texts.set(owner, before ? `${before} ${squeeze(text)}`.slice(0, 2000) : squeeze(text.slice(0, 2000)));
}

/**
 * @param {Scene} scene
 * @param {string} name
 * @returns {Element[]} What bears this tag.
 */
const tagged = (scene, name) => scene.seen.filter((each) => each.element.localName === name).map((each) => each.element);

/** @type {WeakMap<Element, string>} What each element says of its style, for the time of one look. */
let styling = new WeakMap();

/**
 * @param {Element | null} element
 * @returns {string}
 */
function stylingOf(element) {
  if (!element) return '';
  let text = styling.get(element);
  if (text === undefined) {
    text = `${element.localName}.${attributeOf(element, 'class')}#${attributeOf(element, 'style')} `;
    styling.set(element, text);
  }
  return text;
}

/**
 * What elements that are styled alike have in common.
 * @param {Element} element
 * @returns {string}
 */
function likeness(element) {
  const parent = element.parentElement;
  return stylingOf(element) + stylingOf(parent) + stylingOf(parent && parent.parentElement);
}

/**
 * At most `most` of each likeness, so that a long list costs no more than a short one.
 * @template {{element: Element}} T
 * @param {T[]} all
 * @param {number} most
 * @returns {T[]}
 */
function sample(all, most) {
  const times = new Map();
  return all.filter(({element}) => {
    const key = likeness(element);
    const count = (times.get(key) || 0) + 1;
    times.set(key, count);
    return count <= most;
  });
}

/** As many as are looked at of each kind. */
const MANY = 10;

/**
 * @param {Element[]} elements
 * @returns {string} How many they are besides the first, as far as it is known.
 */
const others = (elements) => (elements.length < MANY ? String(elements.length - 1) : 'many');

/**
 * `first` told once for all its kind.
 * @param {Element[]} elements
 * @param {(element: Element) => string} tell
 * @returns {string[]}
 */
function together(elements, tell) {
  if (!elements.length) return [];
  const more = elements.length > 1 ? ` (and ${others(elements)} more like it)` : '';
  return [`${tell(elements[0])}${more}`];
}

/**
 * Elements by a key, each group as one list, in the order of their first.
 * @param {Element[]} elements
 * @param {(element: Element) => string} key
 * @returns {Element[][]}
 */
function groups(elements, key) {
  const found = new Map();
  for (const element of elements) {
    const name = key(element);
    found.set(name, [...(found.get(name) || []), element]);
  }
  return [...found.values()];
}

/**
 * @param {Element} element
 * @returns {string}
 */
const kindOf = (element) => `${element.localName}.${element.classList[0] || ''}`;

/**
 * The nodes from the element up to the root, through shadow roots.
 * @param {Element} element
 * @returns {Element[]}
 */
function lineage(element) {
  const line = [];
  for (let node = /** @type {Element | null} */ (element); node; node = parentOf(node)) line.push(node);
  return line;
}

/**
 * @param {Element} element
 * @returns {Element | null}
 */
function parentOf(element) {
  const root = element.parentNode;
  return element.assignedSlot || (root instanceof ShadowRoot ? root.host : element.parentElement);
}

/**
 * Whether the element is meant for nobody's eyes: assistive technology only, or off.
 * @param {Element} element
 * @returns {boolean}
 */
function isAside(element) {
  if (element.closest('[aria-hidden=true],[inert],[hidden],:disabled,[aria-disabled=true],[popover]')) return true;
  return lineage(element).some((node) => {
    const style = getComputedStyle(node);
    const box = style.position === 'absolute' || style.position === 'fixed' ? node.getBoundingClientRect() : null;
    return style.clip !== 'auto' || style.clipPath !== 'none' || style.pointerEvents === 'none' || (box && box.width <= 4 && box.height <= 4);
  });
}

/**
 * The boxes of the element's own text lines.
 * @param {Element} element
 * @returns {DOMRect[]}
 */
function textBoxes(element) {
  const range = document.createRange();
  const boxes = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || !/\S/.test(node.nodeValue || '')) continue;
    range.selectNodeContents(node);
    boxes.push(...[...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0));
    if (boxes.length > 400) break;
  }
  return boxes;
}

/** @returns {string[]} */
function media() {
  const broken = [...document.images].filter((image) => image.complete && !image.naturalWidth && image.currentSrc && isShown(image))
    .map((image) => `${describe(image)} is a broken image (${clip(attributeOf(image, 'src') || image.currentSrc, 80)})`);
  const silent = /** @type {HTMLMediaElement[]} */ ([...document.querySelectorAll('video,audio')])
    .filter((each) => each.error && isShown(each))
    .map((each) => `${describe(each)} cannot be played (${clip(each.currentSrc, 80)})`);
  return [...broken.slice(0, 2), ...silent.slice(0, 1)];
}

/** @returns {string[]} */
function fonts() {
  const failed = new Set([...document.fonts].filter((face) => face.status === 'error').map((face) => face.family.replace(/["']/g, '')));
  return failed.size ? [`the font ${[...failed].slice(0, 3).map((name) => `"${clip(name, 40)}"`).join(', ')} did not load`] : [];
}

/** @returns {string[]} */
function twins() {
  const times = new Map();
  for (const element of document.querySelectorAll('[id]')) {
    if (element instanceof SVGElement) continue;
    times.set(idOf(element), (times.get(idOf(element)) || 0) + 1);
  }
  const double = [...times].filter(([id, count]) => id && count > 1).slice(0, 3);
  return double.length ? [`duplicate ids: ${double.map(([id, count]) => `#${clip(id, 40)} ×${count}`).join(', ')}`] : [];
}
