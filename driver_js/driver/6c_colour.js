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
  layers.push(scheme.includes('dark') ? [18, 18, 18, 1] : [255, 255, 255, 1]);
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
  const known = new Map();
  const found = [];
  for (const [owner, text] of [...scene.texts].slice(0, 2500)) {
    if (!/[\p{L}\p{N}]{2}/u.test(text) || owner instanceof SVGElement) continue;
    const style = getComputedStyle(owner);
    const key = `${style.color} ${style.backgroundColor}`;
    const parent = parentOf(owner);
    const trail = known.get(parent) || new Map();
    known.set(parent, trail);
    if (!trail.has(key)) trail.set(key, looksSame(owner, style));
    if (trail.get(key) && isUnreadable(owner, style, scene)) found.push(owner);
    if (found.length >= 40) break;
  }
  return groups(found, (owner) => getComputedStyle(owner).color).slice(0, 2).flatMap((alike) => together(alike, tellColours));
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
  const place = around && around !== document.body && !owner.id ? ` in ${nameOf(around)}` : '';
  return `${describe(owner)}${place} is invisible text: ${hex(ink)} on ${hex(behind.colour)}, contrast ${contrast(ink, behind.colour).toFixed(2)}`;
}

/**
 * A quick look at the colours alone.
 * @param {Element} owner
 * @param {CSSStyleDeclaration} style
 * @returns {boolean}
 */
function looksSame(owner, style) {
  const ink = colourOf(style.color);
  if (!ink || ink[3] < 0.9) return false;
  const behind = backdrop(owner, null);
  return behind !== null && contrast(ink, behind.colour) < SAME;
}

/**
 * @param {Element} owner
 * @param {CSSStyleDeclaration} style
 * @param {Scene} scene
 * @returns {boolean}
 */
function isUnreadable(owner, style, scene) {
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
