/**
 * @fileoverview Which element is meant, where it is, what would be hit there, and its name.
 */

/** @typedef {{css?: string, ref?: string, text?: string, x?: number, y?: number}} Target */

/** @type {Map<string, WeakRef<Element>>} */
const refs = new Map();
/** @type {WeakMap<Element, string>} */
const refOf = new WeakMap();

/**
 * A short handle of an element that holds as long as the element does.
 * @param {Element} element
 * @returns {string}
 */
function refFor(element) {
  const known = refOf.get(element);
  if (known) return known;
  const ref = `e${refs.size + 1}`;
  refs.set(ref, new WeakRef(element));
  refOf.set(element, ref);
  return ref;
}

/**
 * Every document and open shadow root in reach, the top document first.
 * @param {Document | ShadowRoot} root
 * @returns {(Document | ShadowRoot)[]}
 */
function roots(root = document) {
  const found = [root];
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot) found.push(...roots(element.shadowRoot));
    else if (element instanceof HTMLIFrameElement && element.contentDocument) {
      found.push(...roots(element.contentDocument));
    }
  }
  return found;
}

/**
 * @param {string} css
 * @returns {Element[]} Matches in the document, else in its shadow roots and own frames.
 */
function queryAll(css) {
  const direct = [...Document.prototype.querySelectorAll.call(document, css)];
  if (direct.length) return direct;
  return roots().slice(1).flatMap((root) => [...root.querySelectorAll(css)]);
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function isShown(element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && element.checkVisibility({visibilityProperty: true});
}

/**
 * @param {string} text
 * @returns {string}
 */
const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * What a person would call the element's label.
 * @param {Element} element
 * @returns {string}
 */
function labelOf(element) {
  const aria = attributeOf(element, 'aria-label');
  if (aria) return squeeze(aria);
  if (element instanceof HTMLInputElement && ['button', 'submit', 'reset'].includes(element.type)) return element.value;
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) {
    return squeeze(element.labels?.[0]?.innerText || attributeOf(element, 'placeholder') || '');
  }
  if (element instanceof HTMLImageElement) return squeeze(element.alt);
  if (element instanceof HTMLElement) return squeeze(element.innerText.slice(0, 400));
  return squeeze((element.textContent || '').slice(0, 400));
}

/**
 * @param {string} text
 * @param {number} most
 * @returns {string}
 */
const clip = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/**
 * `<button id="go">`: the element without its label.
 * @param {Element} element
 * @returns {string}
 */
function tagOf(element) {
  const id = idOf(element) ? ` id="${clip(idOf(element), 40)}"` : '';
  const names = !id && element.classList.length ? ` class="${clip([...element.classList].join(' '), 40)}"` : '';
  const kind = element instanceof HTMLInputElement ? ` type="${element.type}"` : '';
  return `<${element.localName}${id}${names}${kind}>`;
}

/**
 * `<button id="go"> "Go"`: enough to know it by.
 * @param {Element} element
 * @returns {string}
 */
function describe(element) {
  const container = element.childElementCount > 3 || element === document.body;
  const label = container ? '' : clip(labelOf(element), 40);
  return `${tagOf(element)}${label ? ` "${label}"` : ''}`;
}

/**
 * The shortest selector by which a model would know the element.
 * @param {Element} element
 * @returns {string}
 */
function nameOf(element) {
  if (idOf(element)) return `#${CSS.escape(idOf(element))}`;
  const name = element.classList.length ? `.${CSS.escape(element.classList[0])}` : '';
  return `${element.localName}${name}`;
}

/**
 * @param {string} css
 * @returns {string[]} The nearest ids and classes to those that the selector names.
 */
function nearest(css) {
  const wanted = (css.match(/[#.][\w-]+/g) || [css]).map((word) => word.replace(/^[#.]/, '').toLowerCase());
  const names = new Set();
  for (const root of roots()) {
    for (const element of root.querySelectorAll('[id],[class]')) {
      if (idOf(element)) names.add(`#${idOf(element)}`);
      for (const name of element.classList) names.add(`.${name}`);
    }
  }
  const score = (/** @type {string} */ name) => Math.min(...wanted.map((word) => distance(word, name.slice(1).toLowerCase())));
  return [...names].slice(0, 2000).map((name) => ({name, score: score(name)}))
    .sort((a, b) => a.score - b.score).slice(0, NAMES_SHOWN).map((each) => each.name);
}

/**
 * Levenshtein distance of two short words.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function distance(a, b) {
  if (a.includes(b) || b.includes(a)) return Math.abs(a.length - b.length) / 4;
  let row = Array.from({length: b.length + 1}, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

/**
 * @param {Target} target
 * @returns {{element: Element, matches: number} | {problem: string, near?: string[]}}
 */
function find(target) {
  if (target.ref) {
    const element = refs.get(target.ref)?.deref();
    if (!element) return {problem: `there is no ref ${target.ref}`};
    return element.isConnected ? {element, matches: 1} : {problem: `the element of ref ${target.ref} is gone from the page`};
  }
  if (target.text !== undefined) {
    const [element, ...others] = byText(target.text);
    return element ? {element, matches: others.length + 1} : {problem: `nothing on the page shows the text ${JSON.stringify(clip(target.text, 60))}`};
  }
  const css = target.css || '';
  try {
    const found = queryAll(css);
    const element = found.find(isShown) || found[0];
    if (element) return {element, matches: found.length};
  } catch {
    return {problem: `${JSON.stringify(css)} is not a valid CSS selector`};
  }
  return {problem: `nothing matches ${css}`, near: nearest(css)};
}

/**
 * The element's box in the coordinates of the top view, through its frames.
 * @param {Element} element
 * @returns {Box}
 */
function boxOf(element) {
  const box = element.getBoundingClientRect();
  let {x, y} = box;
  for (let view = element.ownerDocument.defaultView; view && view !== window; view = /** @type {any} */ (view.parent)) {
    const frame = view.frameElement;
    if (!frame) break;
    const outer = frame.getBoundingClientRect();
    x += outer.x + frame.clientLeft;
    y += outer.y + frame.clientTop;
  }
  return {x, y, width: box.width, height: box.height};
}

/**
 * What is topmost at a point, through open shadow roots and own frames.
 * @param {number} x
 * @param {number} y
 * @returns {Element | null}
 */
function hitAt(x, y) {
  let found = Document.prototype.elementFromPoint.call(document, x, y);
  for (let depth = 0; found && depth < 20; depth += 1) {
    /** @type {Element | null | undefined} */
    let inner = null;
    if (found.shadowRoot) inner = found.shadowRoot.elementFromPoint(x, y);
    else if (found instanceof HTMLIFrameElement && found.contentDocument) {
      const outer = boxOf(found);
      inner = found.contentDocument.elementFromPoint(x - outer.x - found.clientLeft, y - outer.y - found.clientTop);
    }
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

/**
 * Whether a click that lands on `hit` reaches `element`.
 * @param {Element} hit
 * @param {Element} element
 * @returns {boolean}
 */
function reaches(hit, element) {
  for (let node = /** @type {Node | null} */ (hit); node; node = node.parentNode || (node instanceof ShadowRoot ? node.host : null)) {
    if (node === element) return true;
  }
  const label = hit.closest('label');
  return Boolean(label && label.control === element);
}

/**
 * A point of the element inside the view at which it can be hit: its middle, else nearby.
 * @param {Element} element
 * @returns {{x: number, y: number, hit: Element | null}}
 */
function pointOf(element) {
  const box = boxOf(element);
  const left = Math.max(box.x, 0);
  const top = Math.max(box.y, 0);
  const right = Math.min(box.x + box.width, innerWidth);
  const bottom = Math.min(box.y + box.height, innerHeight);
  const points = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]].map(([u, v]) => ({
    x: left + (right - left) * u, y: top + (bottom - top) * v,
  }));
  const tried = points.map((point) => ({...point, hit: hitAt(point.x, point.y)}));
  return tried.find((each) => each.hit && reaches(each.hit, element)) || tried[0];
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
const isDisabled = (element) => element.matches(':disabled') || attributeOf(element, 'aria-disabled') === 'true';

/**
 * @param {Element} element
 * @returns {string} Why a person could not click it now; empty when they could.
 */
function obstacle(element) {
  const name = describe(element);
  if (!element.isConnected) return `${name} is gone from the page`;
  if (!isShown(element)) {
    const {width, height} = element.getBoundingClientRect();
    const why = element.checkVisibility({visibilityProperty: true}) ? `its size is ${Math.round(width)}×${Math.round(height)}` : hiddenBy(element);
    return `${name} is not visible: ${why}`;
  }
  if (isDisabled(element)) return `${name} is disabled`;
  const {hit} = pointOf(element);
  if (!hit) return `${name} is outside the view and cannot be scrolled into it`;
  return reaches(hit, element) ? '' : `${name} is covered by ${describe(hit)}, which would take the click`;
}

/**
 * @param {Element} element
 * @returns {string}
 */
function hiddenBy(element) {
  for (let node = /** @type {Element | null} */ (element); node; node = node.parentElement) {
    const style = getComputedStyle(node);
    const cause = style.display === 'none' ? 'display: none' : style.contentVisibility === 'hidden' ? 'content-visibility: hidden' : '';
    if (cause) return node === element ? cause : `${describe(node)} has ${cause}`;
  }
  return `visibility: ${getComputedStyle(element).visibility}`;
}

/** A page that is not painted for so long has no frames to wait for. */
const UNPAINTED_MS = 400;
const frameTime = () => Number(document.timeline.currentTime);

/** @type {Element | null} The element that was aimed at last. */
let lastAimed = null;

/**
 * Waits briefly until the target can be clicked and stands still, scrolls it into view, and says
 * where; else what is in the way.
 * @param {Target} target
 * @param {number} ms How long; 0 where the page's time stands still, and everything with it.
 */
async function aim(target, ms) {
  const end = performance.now() + ms;
  let found = find(target);
  let problem = 'problem' in found ? found.problem : '';
  let last = '';
  let since = performance.now();
  let frame = frameTime();
  for (;;) {
    if ('element' in found) {
      const element = found.element;
      const point = pointOf(element);
      if (!point.hit || !reaches(point.hit, element)) element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
      problem = obstacle(element);
      const box = JSON.stringify(boxOf(element));
      // Two looks between two frames would see even a moving element stand still.
      const later = frameTime() > frame || performance.now() - since > UNPAINTED_MS;
      if (!problem && (ms === 0 || (box === last && later))) {
        const {x, y} = pointOf(element);
        lastAimed = element;
        return {x, y, name: describe(element), matches: found.matches, focused: element === focusedElement()};
      }
      if (!problem && performance.now() > end) problem = `${describe(element)} keeps moving`;
      if (box !== last) {
        last = box;
        since = performance.now();
        frame = frameTime();
      }
    }
    if (problem && performance.now() >= end) break;
    await painted(1, 50);
    found = find(target);
    problem = 'problem' in found ? found.problem : problem;
  }
  return {problem, near: 'near' in found ? found.near : undefined};
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {string} What a click there would hit.
 */
function hitName(x, y) {
  const hit = hitAt(x, y);
  lastAimed = hit;
  return hit ? describe(hit) : '';
}

/** Makes typing take the place of what the focused field holds, and go on at the end of an editor. */
function readyToType() {
  // A field of a frame is of that frame's own classes, so it is asked what it can do.
  const field = /** @type {any} */ (focusedElement());
  if (typeof field?.select === 'function') field.select();
  else if (field?.isContentEditable) {
    const selection = field.ownerDocument.getSelection();
    selection?.selectAllChildren(field);
    selection?.collapseToEnd();
  }
}
