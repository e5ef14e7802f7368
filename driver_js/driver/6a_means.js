/**
 * @fileoverview What may still change on the page: by its scripts, as far as their text can be
 * read, by its style rules, by what moves.
 */

/** @typedef {{selectors: string[], style: CSSStyleDeclaration, conditional: boolean}} Rule */

const MOST_RULES = 6000;
const MOST_CODE = 600_000;
const MOST_FILES = 40;
const HANDLERS = '[onclick],[onchange],[oninput],[onload],[onmouseover],[onmouseenter],[onkeydown],[onpointerdown],[onsubmit]';

/** @type {{code?: {text: string, whole: boolean}, rules?: {list: Rule[], whole: boolean}, moving?: Set<Element>, switches?: Map<string, boolean>}} */
let means = {};

function forgetMeans() {
  means = {};
}

/** @type {Map<string, string | null>} The text of script files; null for one that cannot be had. */
const files = new Map();

/**
 * Reads a script file of the page once more, for what it says.
 * @param {string} url
 */
async function learn(url) {
  if (files.has(url) || files.size >= MOST_FILES || new URL(url).origin !== location.origin) return;
  files.set(url, null);
  const answer = await fetch(url).catch(() => null);
  const text = answer?.ok ? await answer.text() : '';
  if (!text || text.length > MOST_CODE) return;
  files.set(url, text);
  for (const inner of importsOf(text, url)) if (inner && loadStatus(inner) === 200) void learn(inner);
}

/**
 * @param {string} text
 * @param {string} base
 * @returns {(string | null)[]} What the script imports; null for what cannot be told.
 */
function importsOf(text, base) {
  const named = text.matchAll(/(?<![\w.$])(?:import|export)\s*(?:[\w*{},\s$]*?\bfrom\s*)?\(?\s*(['"])([^'"\n]+)\1/g);
  const asked = /(?<![\w.$])import\s*\(\s*[^'"\s)]/.test(text) ? [null] : [];
  return [...named].map(([, , name]) => (/^(\.{0,2}\/|https?:)/.test(name) ? new URL(name, base).href : null)).concat(asked);
}

/**
 * @param {string} url
 * @returns {number | undefined} 0 for a request that was stopped.
 */
function loadStatus(url) {
  const [entry] = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url, 'resource'));
  return entry?.responseStatus;
}

if (self === top) {
  document.addEventListener('load', ({target}) => {
    if (target instanceof HTMLScriptElement && target.src) void learn(target.src);
  }, true);
}

/** The text of the page's scripts; `whole` when nothing can run that is not in it. */
function code() {
  if (means.code) return means.code;
  let text = '';
  let whole = true;
  const wanted = [];
  for (const script of document.querySelectorAll('script')) {
    const from = attributeOf(script, 'src') ?? attributeOf(script, 'href');
    if (from !== null) wanted.push(new URL(from, document.baseURI).href);
    else text += `${script.textContent}\n`;
    wanted.push(...from === null && isScript(script) ? importsOf(script.textContent || '', document.baseURI) : []);
  }
  const known = new Set();
  for (let url = wanted.pop(); url !== undefined && known.size < MOST_FILES; url = wanted.pop()) {
    const failed = url && (loadStatus(url) === 0 || Number(loadStatus(url)) >= 400);
    if (url === null || (!failed && !files.get(url))) whole = false;
    if (!url || failed || known.has(url)) continue;
    known.add(url);
    text += `${files.get(url) || ''}\n`;
    wanted.push(...importsOf(files.get(url) || '', url));
  }
  for (const element of [...document.querySelectorAll(HANDLERS)].slice(0, 300)) {
    for (const name of element.getAttributeNames()) if (name.startsWith('on')) text += `${attributeOf(element, name)}\n`;
  }
  means.code = {text, whole: whole && text.length < MOST_CODE && !wanted.length};
  return means.code;
}

/**
 * @param {Element} script
 * @returns {boolean} Whether it is run, and no data.
 */
const isScript = (script) => /^$|javascript|module|babel|jsx/.test(attributeOf(script, 'type') || '');

/**
 * Whether a script may have to do with it.
 * @param {RegExp} pattern
 * @returns {boolean}
 */
const mentions = (pattern) => !code().whole || pattern.test(code().text);

/**
 * Whether a script may put this class on an element that stands: it spells the name in a string
 * of names or as a key, or in pieces such as 'is-' + name.
 * @param {string} name
 * @returns {boolean}
 */
function isSwitchable(name) {
  const {text, whole} = code();
  if (!whole) return true;
  const dash = name.lastIndexOf('-');
  if (dash > 0 && ['\'', '"', '`', '$'].some((end) => text.includes(`${name.slice(0, dash + 1)}${end}`))) return true;
  if (!text.includes(name) || /[^\w-]/.test(name)) return text.includes(name);
  const known = means.switches || new Map();
  means.switches = known;
  if (!known.has(name)) known.set(name, new RegExp(`(?<!class=)(['"\`])[\\w\\s-]*(?<![\\w-])${name}(?![\\w-])[\\w\\s-]*\\1|(?<![\\w-])${name}\\s*:`).test(text));
  return Boolean(known.get(name));
}

/** Every style rule; `whole` unless a sheet cannot be read. */
function rules() {
  if (means.rules) return means.rules;
  const list = /** @type {Rule[]} */ ([]);
  let whole = true;
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    try {
      collect(sheet.cssRules, '', false, list);
    } catch {
      whole = false;
    }
  }
  for (const link of document.querySelectorAll('link[rel~=stylesheet]')) if (!(/** @type {any} */ (link)).sheet) whole = false;
  means.rules = {list, whole: whole && list.length < MOST_RULES};
  return means.rules;
}

/**
 * @param {CSSRuleList} from
 * @param {string} outer
 * @param {boolean} conditional
 * @param {Rule[]} list
 */
function collect(from, outer, conditional, list) {
  for (const rule of /** @type {any} */ (from)) {
    if (list.length >= MOST_RULES) return;
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet) collect(rule.styleSheet.cssRules, outer, conditional, list);
      continue;
    }
    let inner = outer;
    if (rule.selectorText) {
      const selectors = splitAt(rule.selectorText, ',').map((each) => nested(each.trim(), outer));
      inner = `:is(${selectors.join(',')})`;
      list.push({selectors, style: rule.style, conditional});
    } else if (rule.style && outer && !(rule instanceof CSSFontFaceRule)) {
      list.push({selectors: [outer], style: rule.style, conditional});
    }
    if (!rule.cssRules || rule instanceof CSSKeyframesRule) continue;
    const off = rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches;
    const other = !(rule instanceof CSSMediaRule) && !rule.selectorText && rule.constructor.name !== 'CSSLayerBlockRule';
    collect(rule.cssRules, inner, conditional || off || other, list);
  }
}

/**
 * @param {string} selector
 * @param {string} outer
 * @returns {string}
 */
function nested(selector, outer) {
  if (!outer) return selector;
  return selector.includes('&') ? selector.replaceAll('&', outer) : `${outer} ${selector}`;
}

/**
 * @param {string} text
 * @param {string} mark
 * @returns {string[]} The parts between marks that stand outside of brackets.
 */
function splitAt(text, mark) {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth -= 1;
    if (char === mark && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/**
 * The selector without what a person or a script may bring about: states, attributes, classes
 * that a script knows.
 * @param {string} selector
 * @returns {string}
 */
function relaxed(selector) {
  let bare = selector;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replace(/::?[\w-]+\([^()]*\)|\[[^\]]*\]/g, '');
  }
  bare = bare.replace(/::?[\w-]+/g, '').replace(/\.((?:[\w-]|\\.|[^\x00-\x7f])+)/g, (whole, name) => (isSwitchable(name.replaceAll('\\', '')) ? '' : whole));
  return bare.trim().split(/(\s*[>+~]\s*|\s+)/).map((part) => part || '*').join('');
}

/**
 * Whether a rule that does not hold now may come to give the element one of these properties.
 * @param {Element} element
 * @param {string[]} properties
 * @returns {boolean}
 */
function mayChange(element, properties) {
  const {list, whole} = rules();
  if (!whole) return true;
  return list.some((rule) => properties.some((name) => rule.style.getPropertyValue(name) !== '') && mayApply(rule, element));
}

/**
 * @param {Rule} rule
 * @param {Element} element
 * @returns {boolean}
 */
function mayApply(rule, element) {
  return rule.selectors.some((selector) => {
    if (/::(?!slotted|part)/.test(selector)) return false;
    try {
      return element.matches(selector) ? rule.conditional : element.matches(relaxed(selector));
    } catch {
      return true;
    }
  });
}

/**
 * The rules that now give the element this property.
 * @param {Element} element
 * @param {string} property
 * @returns {Rule[]}
 */
function rulesFor(element, property) {
  const holds = (/** @type {string} */ selector) => {
    try {
      return element.matches(selector);
    } catch {
      return false;
    }
  };
  return rules().list.filter((rule) => !rule.conditional && rule.style.getPropertyValue(property) !== '' && rule.selectors.some(holds));
}

/** @returns {Set<Element>} What an animation or transition moves now. */
function moving() {
  if (means.moving) return means.moving;
  means.moving = new Set();
  for (const animation of document.getAnimations().slice(0, 2000)) {
    const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
    if (target) means.moving.add(target);
  }
  return means.moving;
}

/**
 * Whether the element, or what it stands in, is being moved, or has been by an animation.
 * @param {Element} element
 * @returns {boolean}
 */
const isMoving = (element) => lineage(element).some((node) => moving().has(node) || node.localName === 'marquee');

/**
 * Whether something inside is being moved.
 * @param {Element} element
 * @returns {boolean}
 */
const hasMoving = (element) => [...moving()].some((target) => element.contains(target)) || Boolean(element.querySelector('animate,animateTransform,animateMotion'));
