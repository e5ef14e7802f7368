/**
 * @fileoverview Text that no author meant: values that are none, templates left unfilled, wrong
 * encodings, and source code that leaked onto the page.
 */

const CODE_PLACES = 'pre,code,kbd,samp,var,textarea,[contenteditable],[class*=code],[class*=json],[class*=console],[class*=terminal],[class*=editor],[class*=log],[class*=syntax],[class*=repl]';
const NUMBER_GONE = /(^|[^A-Za-z])NaN(?![A-Za-z]{4,}|oWri)/;
const SURE_NUMBER = /[$€£¥#]\s?NaN|NaN\s?[%€£°$]|NaN(px|ms|kg|km|k|M|\/)/;
const SURE_UNDEFINED = /[$€£#@]\s?undefined\b|\bundefined\s?[%€£°$/]|\bundefined undefined\b|\bundefined-undefined\b/;
const UNDEFINED = /\bundefined\b/;
const NULL = /[$€£#@]null\b|\bnull\s?[%€£°]|\bnull null\b|\bnull\/|\/null\b|^(hello|hi|hey|welcome|dear)[^a-z]+null\b/i;
const OBJECT = /\[object [A-Z]\w+\]/;
const MUSTACHE = /\{\{\s*[\w.$[\]()|:' -]+\s*\}\}/;
const DOLLAR = /\$\{[\w.$[\]()' +*-]+\}/;
const GARBLED = /Ã[\u0080-\u00bf]|Â[\u00a0\u00a3\u00a9\u00ab\u00ae\u00b0-\u00b3\u00b7\u00bb]|â€|â‚¬|ðŸ|\ufffd/;
const ENTITY = /&(amp|lt|gt|quot|nbsp|copy|mdash|ndash|rarr|larr|times|middot|bull|hellip|#\d{2,5});/;

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function oddTexts(scene) {
  const all = [...scene.texts, ...frameTexts(scene), ...fieldTexts()];
  const found = all.filter(([owner, text]) => MAY_BE_ODD.test(text) && isOdd(owner, text)).map(([owner, text]) => ({owner, text}));
  const places = [...new Map(found.map((each) => [`${kindOf(each.owner)} ${idOf(each.owner)}`, each])).values()];
  const shown = places.slice(0, 5).map(({owner, text}) => `${nearestName(owner)} "${clip(text, 50)}"`);
  const more = found.length - shown.length;
  return shown.length ? [`shown as text: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`] : [];
}

const MAY_BE_ODD = /NaN|undefined|null|\[object |\{\{|\$\{|Ã|Â|â|ðŸ|\ufffd|&\w+;|&#/;

/**
 * @param {Element} element
 * @returns {string}
 */
function nearestName(element) {
  const holder = element.parentElement?.closest('[id]');
  return !idOf(element) && holder && !element.classList.length && holder !== document.body ? `${element.localName} in ${nameOf(holder)}` : nameOf(element);
}

/**
 * @param {Scene} scene
 * @returns {[Element, string][]}
 */
function frameTexts(scene) {
  return scene.frames.flatMap((root) => [...root.querySelectorAll('body *')].slice(0, 500)
    .filter((element) => !SILENT.has(element.localName)).map((element) => /** @type {[Element, string]} */ ([element, ownText(element)])));
}

/** @returns {[Element, string][]} */
function fieldTexts() {
  const fields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('input:not([type=hidden],[type=password]),option')].slice(0, 300));
  return fields.filter((field) => ['undefined', 'NaN', '[object Object]'].includes(squeeze(field.value)) && !(field instanceof HTMLInputElement && field === document.activeElement))
    .map((field) => [field, squeeze(field.value)]);
}

/**
 * @param {Element} owner
 * @param {string} text
 * @returns {boolean}
 */
function isOdd(owner, text) {
  if (owner.closest(CODE_PLACES) || !(isShown(owner) || owner.localName === 'option')) return false;
  if (GARBLED.test(text)) return !saysItself(GARBLED) && !/mojibake|encod|utf|unicode/i.test(pageText());
  const short = text.length <= 60;
  const sure = SURE_NUMBER.test(text) || SURE_UNDEFINED.test(text);
  if (isAboutCode() && !(sure && short)) return false;
  if (sure) return true;
  if (OBJECT.test(text)) return !saysItself(/\[object [A-Z]/);
  if (NUMBER_GONE.test(text)) return short && !saysItself(/\bNaN\b/);
  if (UNDEFINED.test(text)) return short && isPlaceOfValue(text) && !saysItself(/\bundefined\b/);
  if (NULL.test(text)) return short && !saysItself(/\bnull\b/);
  if (MUSTACHE.test(text)) return !/\{\{|\\\{\\\{|\\\{\{|\{\\\{/.test(code().text) && short;
  if (DOLLAR.test(text)) return short && !/\\\$\\?\{|'\$\{'|"\$\{"|replace/.test(code().text);
  return ENTITY.test(text) && short && !/entit|html/i.test(pageText());
}

/**
 * "undefined" is also an English word: it stands for a value at the end of a label, alone, or
 * before a thing that is counted.
 * @param {string} text
 * @returns {boolean}
 */
const isPlaceOfValue = (text) => /^undefined\b(?!\s+(behaviou?r|is|variable|value|error|slope|term|symbol|reference))|[:=,(–—·|-]\s*undefined\b|^\S+ undefined[!.,]?$|\bby undefined\b|\bundefined [a-z]+s$/.test(text);

/** @returns {string} */
const pageText = () => (document.body?.textContent || '').slice(0, 20000);

/**
 * Whether the page speaks of code, so that such words may be its subject.
 * @returns {boolean}
 */
function isAboutCode() {
  const visible = document.body?.innerText.slice(0, 20000) || '';
  if (/javascript|typescript|typeof/i.test(visible)) return true;
  return Boolean(document.querySelector('code,pre,kbd,samp')) && /python|snippet|syntax|regex|\bapi\b|json|variable|function|undefined|null/i.test(visible);
}

/**
 * Whether the page's own scripts spell it in a string, as something to be shown.
 * @param {RegExp} pattern
 * @returns {boolean}
 */
function saysItself(pattern) {
  const text = code().text.replace(/typeof\s+[\w.$[\]]+\s*[!=]==?\s*(['"])\w+\1|(['"])\w+\2\s*[!=]==?\s*typeof/g, '');
  const strings = text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  for (const match of strings) {
    const spelled = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\$\{[^}]*\}/g, '');
    if (pattern.test(spelled)) return true;
  }
  return false;
}

const SCRIPT_SIGNS = [/\b(const|let|var)\s+[\w{[][^=;]*=\s*\S/, /\bfunction\b\s*\w*\s*\(/, /=>\s*[{(\w]/, /\bdocument\.\w+/, /\.addEventListener\(/, /\)\s*;/, /\}\s*\)?\s*;/, /\bif\s*\(.+\)/, /\breturn\b.*;/, /\.\w+\([^)]*\)\.\w+\(/];
const STYLE_SIGN = /(^|\s|\})[.#]?[\w-]+(\s*[.#:>][\w-]+)*\s*\{\s*[\w-]+\s*:[^;{}]+;/;
const MARKUP = /^<(div|span|p|button|h[1-6]|ul|ol|li|section|table|tr|td|strong|em|b|i|a)\b[^>]*>.*<\/\1>$/;

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function leaks(scene) {
  const found = [...scene.texts].find(([owner, text]) => /[;{}<>]/.test(text) && text.length > 8 && isLeak(owner, text));
  if (found) return [`source code is shown as text in ${found[0] === document.body ? 'the body' : describe(found[0])}: "${clip(found[1], 50)}"`];
  const last = [...document.querySelectorAll('title,textarea,style,xmp,noscript')].find((element) => /<\/(body|html|head)\s*>\s*/i.test(element.textContent || '') && !element.closest('svg') && isLast(element));
  if (last) return [`<${last.localName}> was never closed: it holds the rest of the page's source`];
  const quoted = document.querySelector('[class*="<"],[id*="<"],[href*="<"]');
  const name = quoted ? ['class', 'id', 'href'].find((each) => /<\/?\w+[\s>]/.test(attributeOf(quoted, each) || '')) : '';
  return quoted && name ? [`the attribute ${name} of <${quoted.localName}> holds markup (a quote is missing): "${clip(squeeze(attributeOf(quoted, name) || ''), 50)}"`] : [];
}

/**
 * @param {Element} element
 * @returns {boolean} Whether nothing of the document comes after it.
 */
function isLast(element) {
  if (element.localName === 'title' || element.localName === 'style') return !document.body?.childElementCount || !element.nextElementSibling;
  return lineage(element).every((node) => !node.nextElementSibling || node === document.body || node === document.head);
}

/**
 * @param {Element} owner
 * @param {string} text
 * @returns {boolean}
 */
function isLeak(owner, text) {
  if (owner instanceof SVGElement || owner.closest(`${CODE_PLACES},[class*=hl],[class*=tok],button,select`) || !isShown(owner)) return false;
  if (owner !== document.body && /mono|courier|consol|menlo/i.test(getComputedStyle(owner).fontFamily)) return false;
  const signs = SCRIPT_SIGNS.filter((sign) => sign.test(text)).length;
  if (signs >= (owner === document.body ? 2 : 4) && text.length >= 24) return owner === document.body || !isAboutCode();
  if (owner === document.body && (STYLE_SIGN.test(text) || /^["'][^<>]{0,60}>|^```/.test(text))) return true;
  return MARKUP.test(text) && !isAboutCode() && !document.querySelector('textarea,input,[contenteditable]') && !/html|markup|\btags?\b/i.test(pageText().replace(/<[^>]*>/g, ''));
}
