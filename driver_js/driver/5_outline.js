/**
 * @fileoverview The page as a person would use it: headings, controls and texts, with refs.
 */

const ROLES = /** @type {Record<string, string>} */ ({
  a: 'link', button: 'button', select: 'select', textarea: 'textbox', summary: 'button', canvas: 'canvas', img: 'image',
  svg: 'svg', iframe: 'frame', video: 'video', audio: 'audio', dialog: 'dialog', table: 'table', nav: 'navigation',
  main: 'main', form: 'form', h1: 'heading 1', h2: 'heading 2', h3: 'heading 3', h4: 'heading 4', h5: 'heading 5', h6: 'heading 6',
  li: 'item', label: 'label', fieldset: 'group', details: 'details', progress: 'progress', meter: 'meter', tr: 'row', ul: 'list', ol: 'list',
});
const INPUTS = /** @type {Record<string, string>} */ ({
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
  file: 'file', number: 'number', date: 'date', time: 'time', color: 'color', search: 'textbox',
});
const ACTS = new Set(['button', 'link', 'textbox', 'select', 'slider', 'checkbox', 'radio', 'canvas', 'file', 'number', 'date', 'time', 'color', 'switch',
  'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'combobox', 'searchbox', 'spinbutton', 'treeitem', 'clickable']);
const WHOLE = new Set([...ACTS, 'label', 'image', 'img', 'svg', 'progress', 'meter', 'heading']);
const STANDS = new Set(['dialog', 'alertdialog', 'form', 'frame', 'table', 'navigation', 'video', 'audio', 'radiogroup', 'group', 'tablist', 'menu', 'listbox', 'details']);
const PARTS = 'a,button,input,select,textarea,canvas,svg,img,iframe,video,audio,table,ul,ol,dl,div,p,section,article,aside,header,footer,main,nav,form,fieldset,' +
  'figure,details,summary,dialog,blockquote,pre,hr,h1,h2,h3,h4,h5,h6,li,label,[role],[tabindex],[contenteditable],[onclick]';
/** What holds more than its own children, or is named with what it stands in. */
const UNFOLDED = new Set(['body', 'iframe', 'slot']);
const TITLES = new Set(['legend', 'caption']);
const ALIKE_SHOWN = 8;
const MOST_WALKED = 20_000;

/** @typedef {{lines: string[], left: number, more: number, walked: number, alike: number}} Outline */

/**
 * @param {Element} element
 * @returns {string}
 */
function roleOf(element) {
  const role = attributeOf(element, 'role');
  if (role && !['presentation', 'none', 'generic'].includes(role)) return role;
  if (element instanceof HTMLInputElement) return INPUTS[element.type] || 'textbox';
  if (isField(element)) return 'textbox';
  if (element.localName === 'a' && !element.hasAttribute('href')) return isClickable(element) ? 'clickable' : '';
  return ROLES[element.localName] || (isClickable(element) ? 'clickable' : '');
}

/**
 * @param {Element} element
 * @returns {boolean} Whether it is the outermost of what can be edited in place.
 */
const isField = (element) => element.hasAttribute('contenteditable') && element instanceof HTMLElement && element.isContentEditable;

/**
 * Whether it takes clicks without being a control: it can have the focus, or shows the hand.
 * @param {Element} element
 * @returns {boolean}
 */
function isClickable(element) {
  if (element.hasAttribute('onclick') || Number(attributeOf(element, 'tabindex') ?? -1) >= 0) return true;
  const {parentElement} = element;
  if (!parentElement || element instanceof SVGElement || getComputedStyle(element).cursor !== 'pointer') return false;
  return getComputedStyle(parentElement).cursor !== 'pointer';
}

/**
 * @param {Element} element
 * @param {string} role
 * @returns {string[]}
 */
function statesOf(element, role) {
  const states = [];
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type)) {
    states.push(element.indeterminate ? 'mixed' : element.checked ? 'checked' : 'not checked');
  } else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
    if (role !== 'button') states.push(`= ${JSON.stringify(clip(textOf(element), 60))}`);
  }
  if (element instanceof HTMLSelectElement) states.push(optionsOf(element));
  if (role === 'progress' || role === 'meter') states.push(`= ${/** @type {any} */ (element).value}`);
  if (isDisabled(element)) states.push('disabled');
  if (element === focusedElement()) states.push('focused');
  if (element.matches('[required]')) states.push('required');
  if (element.matches('[readonly]')) states.push('read only');
  if (element instanceof HTMLDetailsElement) states.push(element.open ? 'open' : 'closed');
  for (const name of ['checked', 'expanded', 'selected', 'pressed', 'invalid', 'current']) {
    const value = attributeOf(element, `aria-${name}`);
    if (value && !(value === 'false' && ['invalid', 'current'].includes(name))) states.push(value === 'false' ? `not ${name}` : name);
  }
  return states;
}

/**
 * @param {HTMLSelectElement} list
 * @returns {string}
 */
function optionsOf(list) {
  const names = [...list.options].slice(0, 8).map((option) => clip(squeeze(option.text), 24));
  return `of ${clip(names.join(', '), 100)}${list.options.length > 8 ? ` and ${list.options.length - 8} more` : ''}`;
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
  const root = document.body || document.documentElement;
  const tops = css ? queryAll(css) : root ? [root] : [];
  const full = outlineOf(tops, chars, MOST_WALKED);
  const told = full.more ? outlineOf(tops, chars, ALIKE_SHOWN) : full;
  return {text: told.lines.join('\n'), more: told.more};
}

/**
 * @param {Element[]} tops
 * @param {number} chars
 * @param {number} alike How many of a long run of the same kind are shown.
 * @returns {Outline}
 */
function outlineOf(tops, chars, alike) {
  const told = /** @type {Outline} */ ({lines: [], left: chars, more: 0, walked: 0, alike});
  for (const top of tops) walk(top, 0, told);
  return told;
}

/**
 * @param {string} line
 * @param {number} depth
 * @param {Outline} told
 */
function tell(line, depth, told) {
  const text = `${'  '.repeat(Math.min(depth, 6))}${line}`;
  if (text.length + 1 > told.left) told.left = 0;
  told.left -= text.length + 1;
  if (told.left >= 0) told.lines.push(text);
  else told.more += 1;
}

/**
 * @param {Element} element
 * @param {number} depth
 * @param {Outline} told
 */
function walk(element, depth, told) {
  told.walked += 1;
  if (told.walked > MOST_WALKED || (told.more && told.alike > ALIKE_SHOWN)) return;
  if (SILENT.has(element.localName) || TITLES.has(element.localName) || !element.checkVisibility({visibilityProperty: true})) return;
  const role = roleOf(element);
  if (told.left <= 0) {
    if (role || ownText(element)) told.more += 1;
  } else if (role === 'row' && isPlainRow(element)) {
    tell(`row "${clip([...childrenOf(element)].map((cell) => squeeze(/** @type {HTMLElement} */ (cell).innerText)).join(' | '), 120)}"`, depth, told);
    return;
  }
  const isPlain = !WHOLE.has(role) && !UNFOLDED.has(element.localName) && !role.startsWith('heading') && !element.shadowRoot && !element.querySelector(PARTS);
  const whole = WHOLE.has(role) || role.startsWith('heading') || isPlain;
  const line = told.left > 0 ? lineOf(element, role, whole) : '';
  if (line) tell(line, depth, told);
  if (isPlain || (whole && !element.querySelector('input,select,textarea,button,a'))) return;
  walkInside(element, depth + (line && role ? 1 : 0), told);
}

/**
 * @param {Element} row
 * @returns {boolean} Whether it holds nothing but text.
 */
const isPlainRow = (row) => row.childElementCount > 0 && !row.querySelector('a,button,input,select,textarea,canvas,svg,img,table,[role],[tabindex],[contenteditable],[onclick]');

/**
 * The children; of a long run of the same kind only the first.
 * @param {Element} element
 * @param {number} depth
 * @param {Outline} told
 */
function walkInside(element, depth, told) {
  const inner = element.shadowRoot || (element instanceof HTMLIFrameElement ? element.contentDocument?.body : null) || element;
  const children = element instanceof HTMLSlotElement && element.assignedElements().length ? element.assignedElements() : [...childrenOf(inner)].slice(0, MOST_WALKED);
  for (let index = 0; index < children.length;) {
    let end = index;
    while (end < children.length && kindOf(children[end]) === kindOf(children[index])) end += 1;
    const shown = end - index > 2 * told.alike ? index + told.alike : end;
    for (const child of children.slice(index, shown)) walk(child, depth, told);
    if (shown < end && told.left > 0) tell(`… ${end - shown} more ${nameOf(children[index])} like these`, depth, told);
    index = end;
  }
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {boolean} whole
 * @returns {string}
 */
function lineOf(element, role, whole) {
  if (role === 'label' && element instanceof HTMLLabelElement && element.control && isShown(element.control)) return '';
  const text = whole ? nameFor(element, role) : (element.matches('details:not([open])') ? '' : ownText(element)) || legendOf(element, role);
  if (!text && !STANDS.has(role) && !(WHOLE.has(role) && role !== 'label')) return '';
  const id = idOf(element) ? ` #${clip(idOf(element), 40)}` : '';
  const states = statesOf(element, role);
  const label = text ? ` "${clip(text, role ? 80 : 160)}"` : '';
  const where = ACTS.has(role) || role === 'svg' || role === 'image' ? ` ${boxText(boxOf(element))}` : '';
  const size = element instanceof HTMLTableElement ? ` of ${element.rows.length} rows` : '';
  return `${ACTS.has(role) ? `${refFor(element)} ` : ''}${role || 'text'}${id}${label}${size}${states.length ? ` (${states.join(', ')})` : ''}${where}`;
}

/**
 * @param {Element} element
 * @param {string} role
 * @returns {string}
 */
function nameFor(element, role) {
  if (role === 'svg') return squeeze(attributeOf(element, 'aria-label') || element.querySelector('title')?.textContent || labelOf(element));
  const by = attributeOf(element, 'aria-labelledby');
  const named = by ? squeeze(by.split(/\s+/).map((id) => document.getElementById(id)?.textContent || '').join(' ')) : '';
  return named || labelOf(element) || squeeze(attributeOf(element, 'title') || '') || (element.matches('button,a') ? squeeze(element.querySelector('img')?.alt || '') : '');
}

/**
 * @param {Element} element
 * @param {string} role
 * @returns {string}
 */
function legendOf(element, role) {
  if (!STANDS.has(role)) return '';
  const named = attributeOf(element, 'aria-label') || attributeOf(element, 'title') || document.getElementById(attributeOf(element, 'aria-labelledby') || '')?.textContent;
  return squeeze(named || element.querySelector(':scope > legend,:scope > caption')?.textContent || '');
}
