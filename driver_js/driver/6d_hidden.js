/**
 * @fileoverview Text and controls that no one will ever see: faint, away from the page, flat.
 */

const STATE_WORDS = /(^|[-_ ])(is|has|hid|hide|hidden|match|matched|found|done|fade|fading|gone|removed?|out|off|closed?|empty|leave|leaving|enter|invisible|ghost|spacer|placeholder|sr|visually|offscreen|collapsed?)/i;
const REVEAL = ['opacity', 'animation', 'animation-name', 'all'];
const PLACE = ['left', 'right', 'top', 'bottom', 'inset', 'transform', 'translate', 'margin', 'margin-left', 'margin-right', 'margin-top', 'position', 'text-indent', 'animation-name'];
const SIZE = ['height', 'width', 'min-height', 'max-height', 'min-width', 'max-width', 'padding', 'padding-top', 'padding-bottom', 'grid-template-rows', 'flex', 'overflow', 'overflow-x', 'overflow-y', 'display', 'animation-name'];
const MOVES = /style\.(left|right|top|bottom|transform|translate|margin|inset)|translate|scroll|cssText|\.css\(|animate\(|gsap|drag|swipe/i;
const SIZES = /style\.(height|width|maxHeight|max-height|display|overflow)|cssText|\.css\(|animate\(|gsap|slideDown|scrollHeight|resize/i;

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function faint(scene) {
  const hosts = new Set();
  const things = [...scene.controls.map((each) => each.element), ...scene.texts.keys()].slice(0, 4000);
  for (const element of things) {
    if (element.checkVisibility({opacityProperty: true}) || !isShown(element)) continue;
    const host = lineage(element).find((node) => getComputedStyle(node).opacity === '0');
    if (host) hosts.add(host);
    if (hosts.size > 200) break;
  }
  const lasting = groups([...hosts], kindOf).slice(0, 6).filter(([first]) => staysFaint(first));
  return lasting.flatMap((alike) => together(alike, (element) => `${describe(element)} is invisible: opacity 0, and nothing on the page raises it${wouldShow(element)}`));
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function staysFaint(element) {
  const style = getComputedStyle(element);
  if (['absolute', 'fixed'].includes(style.position) || element.matches('input,select,textarea,iframe,svg *')) return false;
  if (isAside(element) || attributeOf(element, 'tabindex') === '-1' || STATE_WORDS.test(element.className)) return false;
  if (isMoving(element) || hasKeyframes(style.animationName) || mentions(/opacity|fade|animate|gsap|anime|cssText|\.css\(/i)) return false;
  return isOwnStyle(element, 'opacity') && !mayChange(element, REVEAL);
}

/**
 * Whether what hides the element is its own plain style, and no state that it was put into.
 * @param {Element} element
 * @param {string} property
 * @returns {boolean}
 */
function isOwnStyle(element, property) {
  const last = (/** @type {string} */ selector) => selector.split(/[\s>+~]+/).pop() || '';
  const isPlain = (/** @type {string} */ selector) => {
    const compound = last(selector);
    const names = compound.match(/\.[\w-]+/g) || [];
    return !compound.includes('[') && !compound.includes(':') && names.every((name) => name.slice(1) === element.classList[0]);
  };
  return rulesFor(element, property).every((rule) => rule.selectors.some((selector) => element.matches(selector) && isPlain(selector)));
}

/**
 * @param {string} names
 * @returns {boolean}
 */
function hasKeyframes(names) {
  const wanted = names.split(',').map((name) => name.trim()).filter((name) => name !== 'none');
  if (!wanted.length) return false;
  /** @type {(list: CSSRuleList) => boolean} */
  const has = (list) => [.../** @type {any} */ (list)].some((/** @type {any} */ rule) =>
    (rule instanceof CSSKeyframesRule ? wanted.includes(rule.name) : rule.cssRules && has(rule.cssRules)));
  return !rules().whole || [...document.styleSheets].some((sheet) => has(sheet.cssRules));
}

/**
 * @param {Element} element
 * @returns {string} The rule that would show it, were its class ever set.
 */
function wouldShow(element) {
  for (const rule of rules().list) {
    const value = parseFloat(rule.style.opacity);
    if (!(value > 0)) continue;
    for (const selector of rule.selectors) {
      const missing = (selector.match(/\.[\w-]+/g) || []).find((name) => !element.matches(name) && !isSwitchable(name.slice(1)));
      if (missing && element.matches(selector.replace(missing, '') || '*')) return ` (${clip(selector, 60)} would; no script sets ${missing})`;
    }
  }
  return '';
}

/**
 * Controls, and text in the flow, where no scrolling leads.
 * @param {Scene} scene
 * @returns {string[]}
 */
function away(scene) {
  const isOut = (/** @type {DOMRect} */ box) => box.width > 0 && box.height > 0 && (box.right + scene.x <= 0 || box.bottom + scene.y <= 0);
  const controls = scene.controls.filter(({element, box}) => isOut(box) && element.matches('button,select,textarea,a[href]:not([href^="#"])') && labelOf(element));
  const texts = scene.seen.filter(({element, box}) => isOut(box) && scene.texts.has(element) && isInFlow(element));
  const found = [...controls, ...texts].map((each) => each.element).slice(0, 60).filter(staysAway);
  return groups([...new Set(found)], kindOf).slice(0, 2).flatMap((alike) => together(alike, (element) => {
    const box = element.getBoundingClientRect();
    return `${describe(element)} is off-screen, where no scrolling leads: at ${Math.round(box.x + scrollX)},${Math.round(box.y + scrollY)} of the page`;
  }));
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
const isInFlow = (element) => lineage(element).every((node) => ['static', 'relative', 'sticky'].includes(getComputedStyle(node).position));

/**
 * @param {Element} element
 * @returns {boolean}
 */
function staysAway(element) {
  if (!isShown(element) || isAside(element) || attributeOf(element, 'tabindex') === '-1' || isMoving(element)) return false;
  if (mentions(MOVES)) return false;
  const line = lineage(element);
  if (line.some((node) => STATE_WORDS.test(attributeOf(node, 'class') || '') || parseFloat(getComputedStyle(node).textIndent) < -200)) return false;
  if (line.some((node) => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(node).overflowX) && node !== document.body && node !== document.documentElement)) return false;
  return !line.some((node) => mayChange(node, PLACE));
}

/**
 * Controls, and boxes of text, without height or width; drawings too.
 * @param {Scene} scene
 * @returns {string[]}
 */
function flat(scene) {
  const found = scene.seen.filter(({element, box}) => (box.width < 1 || box.height < 1) && isFlat(element, box, scene)).map((each) => each.element);
  return groups(found, kindOf).slice(0, 2).flatMap((alike) => together(alike, (element) => {
    const box = element.getBoundingClientRect();
    return `${describe(element)} has zero size (${Math.round(box.width)}×${Math.round(box.height)}): what it holds cannot be seen`;
  }));
}

/**
 * @param {Element} element
 * @param {DOMRect} box
 * @param {Scene} scene
 * @returns {boolean}
 */
function isFlat(element, box, scene) {
  if (box.width < 1 && box.height < 1 && !element.matches('button')) return false;
  const isChart = element.localName === 'svg' && element.querySelectorAll('rect,circle,path,line,text').length > 1 && !element.querySelector('symbol,defs,filter');
  if (!isChart && !element.matches('button,select,textarea') && !scene.texts.has(element)) return false;
  if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true}) || isAside(element)) return false;
  const style = getComputedStyle(element);
  if (!isChart && (style.overflowY === 'visible' || style.display === 'inline' || !labelOf(element))) return false;
  if (!isInFlow(element) || STATE_WORDS.test(attributeOf(element, 'class') || '') || isMoving(element) || hasKeyframes(style.animationName)) return false;
  if (lineage(element).slice(1).some((node) => getComputedStyle(node).overflowY !== 'visible' && node.clientHeight < 1)) return false;
  return isChart || (!mentions(SIZES) && !mayChange(element, SIZE));
}
