/**
 * @fileoverview CSS variables that are used and defined nowhere.
 */

/** @returns {string[]} */
function variables() {
  const {list, whole} = rules();
  if (!whole) return [];
  const used = new Map();
  for (const rule of list) {
    const text = rule.style.cssText;
    if (!text.includes('var(')) continue;
    for (const [, name] of text.matchAll(/(?<!var\([^()]*)var\(\s*(--[\w-]+)\s*\)/g)) {
      if (!used.has(name)) used.set(name, rule);
    }
  }
  if (!used.size) return [];
  const defined = definedNames(list);
  const missing = [...used].filter(([name, rule]) => !defined.has(name) && isInUse(rule) && !code().text.includes(name));
  const words = missing.map(([name, rule]) => ({name, rule, near: nearestOf(name, defined)})).filter(({near}) => near || code().whole);
  return words.slice(0, 2).map(({name, rule, near}) => `${name} is not defined: var(${name}) in ${clip(rule.selectors.join(', '), 60)} has no value${near ? ` (did you mean ${near}?)` : ''}`);
}

/**
 * @param {Rule[]} list
 * @returns {Set<string>}
 */
function definedNames(list) {
  const names = new Set();
  const take = (/** @type {CSSStyleDeclaration} */ style) => {
    for (const name of style) if (name.startsWith('--')) names.add(name);
  };
  for (const rule of list) take(rule.style);
  for (const element of /** @type {any} */ (document.querySelectorAll('[style*="--"]'))) take(element.style);
  for (const sheet of document.styleSheets) {
    for (const rule of /** @type {any} */ (sheet.cssRules)) if (rule instanceof CSSPropertyRule) names.add(rule.name);
  }
  for (const animation of document.getAnimations()) {
    const frames = animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes() : [];
    for (const frame of frames) for (const name of Object.keys(frame)) if (name.startsWith('--')) names.add(name);
  }
  return names;
}

/**
 * @param {Rule} rule
 * @returns {boolean}
 */
function isInUse(rule) {
  return !rule.conditional && rule.selectors.some((selector) => {
    try {
      return [...document.querySelectorAll(selector)].slice(0, 20).some(isShown);
    } catch {
      return false;
    }
  });
}

/**
 * @param {string} name
 * @param {Set<string>} defined
 * @returns {string}
 */
function nearestOf(name, defined) {
  const most = name.length > 8 ? 3 : 2;
  const [best] = [...defined].slice(0, 500).map((each) => ({each, far: edits(name, each)})).sort((a, b) => a.far - b.far);
  return best && best.far <= most ? best.each : '';
}

/**
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function edits(a, b) {
  return a.includes(b) || b.includes(a) ? Math.abs(a.length - b.length) : distance(a, b);
}
