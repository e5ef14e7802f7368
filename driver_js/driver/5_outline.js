/**
 * @fileoverview The page as a person would use it: headings, controls and texts, with refs.
 */

const ROLES = /** @type {Record<string, string>} */ ({
  a: 'link', button: 'button', select: 'select', textarea: 'textbox', summary: 'button', canvas: 'canvas', img: 'image',
  svg: 'svg', iframe: 'frame', video: 'video', audio: 'audio', dialog: 'dialog', table: 'table', nav: 'navigation',
  main: 'main', form: 'form', h1: 'heading 1', h2: 'heading 2', h3: 'heading 3', h4: 'heading 4', li: 'item', label: 'label',
});
const INPUTS = /** @type {Record<string, string>} */ ({
  button: 'button', submit: 'button', reset: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', file: 'file',
});

/**
 * @param {Element} element
 * @returns {string}
 */
function roleOf(element) {
  const role = attributeOf(element, 'role');
  if (role) return role;
  if (element instanceof HTMLInputElement) return INPUTS[element.type] || 'textbox';
  if (element instanceof HTMLElement && element.isContentEditable && !element.parentElement?.isContentEditable) return 'textbox';
  return ROLES[element.localName] || '';
}

/**
 * @param {Element} element
 * @returns {string[]}
 */
function statesOf(element) {
  const states = [];
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type)) states.push(element.checked ? 'checked' : 'not checked');
  else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
    if (!['button', 'submit', 'reset'].includes(element.type)) states.push(`= ${JSON.stringify(clip(textOf(element), 60))}`);
  }
  if (isDisabled(element)) states.push('disabled');
  if (element === document.activeElement) states.push('focused');
  for (const name of ['expanded', 'selected', 'pressed']) {
    const value = attributeOf(element, `aria-${name}`);
    if (value) states.push(value === 'true' ? name : `not ${name}`);
  }
  return states;
}

/**
 * The element's own text, without that of its child elements.
 * @param {Element} element
 * @returns {string}
 */
function ownText(element) {
  return squeeze([...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.nodeValue).join(' '));
}

/**
 * @param {number} chars
 * @param {string} [css]
 */
function outline(chars, css) {
  const lines = /** @type {string[]} */ ([]);
  let left = chars;
  let more = 0;
  const roots = css ? queryAll(css) : document.body ? [document.body] : [document.documentElement];
  const add = (/** @type {string} */ line) => {
    left -= line.length + 1;
    if (left > 0) lines.push(line);
    else more += 1;
  };
  for (const root of roots) walk(root, 0, add);
  return {text: lines.join('\n'), more};
}

const WHOLE = new Set(['button', 'link', 'label', 'textbox', 'select', 'slider', 'checkbox', 'radio', 'image', 'svg', 'canvas', 'tab', 'menuitem', 'option']);

/**
 * @param {Element} element
 * @param {number} depth
 * @param {(line: string) => void} add
 */
function walk(element, depth, add) {
  if (['script', 'style', 'template', 'noscript', 'head'].includes(element.localName)) return;
  if (!element.checkVisibility({visibilityProperty: true})) return;
  const role = roleOf(element);
  const whole = WHOLE.has(role) || role.startsWith('heading');
  const text = whole ? labelOf(element) : ownText(element);
  const line = lineOf(element, role, text, whole);
  if (line) add(`${'  '.repeat(Math.min(depth, 6))}${line}`);
  if (whole && !element.querySelector('input,select,textarea,button,a')) return;
  const inner = element.shadowRoot || (element instanceof HTMLIFrameElement ? element.contentDocument?.body : null) || element;
  for (const child of childrenOf(inner)) walk(child, depth + (line && role ? 1 : 0), add);
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {string} text
 * @param {boolean} whole
 * @returns {string}
 */
function lineOf(element, role, text, whole) {
  if (!role && !text) return '';
  const useful = whole || text || ['dialog', 'form', 'frame', 'table', 'navigation', 'video', 'audio'].includes(role);
  if (!useful) return '';
  const id = idOf(element) ? ` #${idOf(element)}` : '';
  const states = statesOf(element);
  const label = text ? ` "${clip(text, 80)}"` : '';
  const acts = ['button', 'link', 'textbox', 'select', 'slider', 'checkbox', 'radio', 'canvas', 'file', 'tab', 'menuitem', 'option'].includes(role);
  const where = acts || role === 'svg' || role === 'image' ? ` ${boxText(boxOf(element))}` : '';
  return `${acts ? `${refFor(element)} ` : ''}${role || 'text'}${id}${label}${states.length ? ` (${states.join(', ')})` : ''}${where}`;
}
