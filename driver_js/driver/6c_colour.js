/**
 * @fileoverview Text in the colour of what lies behind it.
 */

/** @typedef {[number, number, number, number]} Colour Red, green, blue from 0 to 255; alpha from 0 to 1. */

const SAME = 1.12;
const COLOURS = ['color', 'background', 'background-color', 'background-image', '-webkit-text-fill-color'];

/**
 * @param {string} text
 * @returns {Colour | null}
 */
function colourOf(text) {
  const numbers = /^rgba?\(/.test(text) ? (text.match(/[\d.]+/g) || []).map(Number) : [];
  return numbers.length >= 3 ? [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1] : null;
}

/**
 * @param {string} text
 * @returns {number} 1 for colours of a notation that is not read here.
 */
const alphaOf = (text) => colourOf(text)?.[3] ?? 1;

/** @param {Colour} colour */
function lightness(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((each) => (each <= 10 ? each / 3294.6 : ((each / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {Colour} a
 * @param {Colour} b
 * @returns {number}
 */
function contrast(a, b) {
  const [dark, light] = [lightness(a), lightness(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {Colour} colour */
const hex = (colour) => `#${colour.slice(0, 3).map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;

/**
 * What the ancestors paint behind a point of the element; null when in doubt.
 * @param {Element} element
 * @param {DOMRect | null} text
 * @returns {{colour: Colour, owner: Element} | null}
 */
function backdrop(element, text) {
  const layers = [];
  for (const node of lineage(element)) {
    const style = getComputedStyle(node);
    if (style.opacity !== '1' || style.filter !== 'none' || style.backdropFilter !== 'none' || style.mixBlendMode !== 'normal') return null;
    if (style.maskImage !== 'none' || style.boxShadow.includes('inset')) return null;
    if (style.backgroundImage !== 'none') return null;
    const colour = colourOf(style.backgroundColor);
    if (!colour) return null;
    if (colour[3] === 0 || (text && !isWithin(text, node))) continue;
    layers.push(colour);
    if (colour[3] === 1) return {colour: blended(layers), owner: node};
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (scheme.includes('dark') && (scheme !== 'dark' || !matchMedia('(prefers-color-scheme: dark)').matches)) return null;
  layers.push(/** @type {Colour} */ (scheme.includes('dark') ? [18, 18, 18, 1] : [255, 255, 255, 1]));
  return {colour: blended(layers), owner: document.documentElement};
}

/**
 * @param {DOMRect} text
 * @param {Element} node
 * @returns {boolean}
 */
function isWithin(text, node) {
  if (node === document.documentElement || node === document.body) return true;
  return [...node.getClientRects()].some((box) => text.left >= box.left - 1 && text.right <= box.right + 1 && text.top >= box.top - 3 && text.bottom <= box.bottom + 3);
}

/**
 * @param {Colour[]} layers The topmost first, the last opaque.
 * @returns {Colour}
 */
function blended(layers) {
  return layers.reduceRight((below, above) => /** @type {Colour} */ ([0, 1, 2].map((index) => above[index] * above[3] + below[index] * (1 - above[3])).concat(1)));
}

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function sameColour(scene) {
  const found = /** @type {Element[]} */ ([]);
  const alike = new Map();
  const surfaces = new Map();
  for (const [owner, text] of scene.texts) {
    if (found.length >= MANY || alike.size > 1500) break;
    if (owner instanceof SVGElement || !/[\p{L}\p{N}]{2}/u.test(text)) continue;
    const key = likeness(owner);
    alike.set(key, (alike.get(key) || 0) + 1);
    if (alike.get(key) <= MANY && looksSame(owner, surfaces) && isUnreadable(owner, scene)) found.push(owner);
  }
  return groups(found, (owner) => getComputedStyle(owner).color).slice(0, 2).flatMap((each) => together(each, tellColours));
}

/**
 * @param {Element} owner
 * @returns {string}
 */
function tellColours(owner) {
  const ink = colourOf(getComputedStyle(owner).color);
  const behind = backdrop(owner, textBoxes(owner)[0]);
  if (!ink || !behind) return '';
  const around = owner.parentElement?.closest('[id],[class]');
  const place = around && around !== document.body && !idOf(owner) ? ` in ${nameOf(around)}` : '';
  return `${describe(owner)}${place} is invisible text: ${hex(ink)} on ${hex(behind.colour)}, contrast ${contrast(ink, behind.colour).toFixed(2)}`;
}

/**
 * A quick look at the colours alone.
 * @param {Element} owner
 * @param {Map<Element, Colour | null>} surfaces
 * @returns {boolean}
 */
function looksSame(owner, surfaces) {
  const behind = surface(owner, surfaces);
  const ink = behind && colourOf(getComputedStyle(owner).color);
  return Boolean(ink && ink[3] >= 0.9 && behind && contrast(ink, behind) < SAME + 0.1);
}

/**
 * The plain colour of the nearest ancestor that has one; null for pictures.
 * @param {Element} element
 * @param {Map<Element, Colour | null>} known
 * @returns {Colour | null}
 */
function surface(element, known) {
  const path = [];
  /** @type {Colour | null | undefined} */
  let found;
  for (let node = /** @type {Element | null} */ (element); node && found === undefined; node = parentOf(node)) {
    if (known.has(node)) {
      found = known.get(node);
      break;
    }
    path.push(node);
    const style = getComputedStyle(node);
    const colour = colourOf(style.backgroundColor);
    if (!colour || style.backgroundImage !== 'none') found = null;
    else if (colour[3] > 0) found = colour[3] === 1 ? colour : backdrop(node, null)?.colour || null;
  }
  if (found === undefined) found = backdrop(document.documentElement, null)?.colour || null;
  for (const node of path) known.set(node, found);
  return found;
}

/**
 * @param {Element} owner
 * @param {Scene} scene
 * @returns {boolean}
 */
function isUnreadable(owner, scene) {
  const style = getComputedStyle(owner);
  if (!isShown(owner) || isAside(owner) || isMoving(owner)) return false;
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0 || style.webkitTextFillColor !== style.color) return false;
  const boxes = textBoxes(owner);
  const [box] = boxes;
  if (!box || box.height > 56 || owner.closest('textarea,select,svg')) return false;
  const ink = colourOf(style.color);
  const behind = backdrop(owner, box);
  if (!ink || !behind || contrast(ink, behind.colour) >= SAME) return false;
  const line = lineage(owner);
  const between = line.slice(0, line.indexOf(behind.owner) + 1);
  if (isOnOther(owner, boxes, between, scene) || mentions(/style\.(color|background)|cssText|\.css\(/)) return false;
  return !between.some((node) => mayChange(node, COLOURS) && !onlyHover(node));
}

/**
 * A button or link that shows its name only under the mouse is no riddle but a mistake.
 * @param {Element} element
 * @returns {boolean}
 */
function onlyHover(element) {
  if (!element.matches('button,a[href]')) return false;
  return rules().list.filter((rule) => COLOURS.some((name) => rule.style.getPropertyValue(name)) && mayApply(rule, element))
    .every((rule) => rule.selectors.every((selector) => /:(hover|focus|active|disabled|visited|focus-visible)\b/.test(selector)));
}

/**
 * Whether anything but the ancestors may be painted behind these lines.
 * @param {Element} owner
 * @param {DOMRect[]} boxes
 * @param {Element[]} between
 * @param {Scene} scene
 * @returns {boolean}
 */
function isOnOther(owner, boxes, between, scene) {
  const near = scene.seen.filter(({element, box}) => !element.contains(owner) && boxes.some((each) => meet(each, box))).map((each) => each.element);
  return near.some((element) => paints(getComputedStyle(element), element)) ||
    [...near, ...between].some((element) => ['::before', '::after'].some((name) => {
      const style = getComputedStyle(element, name);
      return !['none', 'normal'].includes(style.content) && (paints(style, null) || style.content.includes('url('));
    }));
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {Element | null} element
 * @returns {boolean}
 */
function paints(style, element) {
  if (element?.matches('img,canvas,svg,svg *,video,iframe,object,embed,input,select,textarea,progress,meter')) return true;
  return style.backgroundImage !== 'none' || alphaOf(style.backgroundColor) > 0 || style.boxShadow !== 'none' || style.borderImageSource !== 'none';
}
