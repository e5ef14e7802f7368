/**
 * @fileoverview Answers to `read`: one for each query, with its value or the reason why not.
 */

/** @typedef {{css?: string, ref?: string, attr?: string}} Query */

/**
 * @param {Query[]} queries
 * @param {number} chars
 */
function read(queries, chars) {
  return queries.map((query) => answer(query, chars));
}

/**
 * @param {Query} query
 * @param {number} chars
 */
function answer(query, chars) {
  const attr = query.attr || 'text';
  if (attr === 'count' && query.css && !query.ref) return count(query.css);
  const found = find(query);
  if ('problem' in found) return found;
  const value = valueOf(found.element, attr);
  const matches = query.ref ? 1 : queryAll(query.css || '').length;
  if (value === null) return {problem: `${describe(found.element)} has no attribute ${attr}`, attributes: found.element.getAttributeNames().slice(0, 12)};
  return {value: value.slice(0, chars), length: value.length, matches};
}

/** @param {string} css */
function count(css) {
  try {
    const matches = queryAll(css).length;
    return {value: String(matches), length: 1, matches: 1};
  } catch {
    return {problem: `${JSON.stringify(css)} is not a valid CSS selector`};
  }
}

/**
 * @param {any} element
 * @param {string} attr
 * @returns {string | null}
 */
function valueOf(element, attr) {
  if (attr === 'text') return textOf(element);
  if (attr === 'html') return element.outerHTML;
  if (attr === 'value') return 'value' in element ? String(element.value) : attributeOf(element, 'value');
  if (attr === 'box') return boxText(boxOf(element));
  if (attr === 'checked' && 'checked' in element) return String(element.checked);
  if (attr.startsWith('style:')) return getComputedStyle(element).getPropertyValue(attr.slice(6).trim()) || '(not set)';
  return attributeOf(element, attr);
}

/**
 * @param {any} element
 * @returns {string}
 */
function textOf(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.text).join(', ');
  const text = element instanceof HTMLElement && isShown(element) ? element.innerText : element.textContent || '';
  return text.split('\n').map(squeeze).filter(Boolean).join('\n');
}

/**
 * @param {Box} box
 * @returns {string}
 */
function boxText(box) {
  const whole = (/** @type {number} */ value) => Math.round(value);
  return `${whole(box.x)},${whole(box.y)} ${whole(box.width)}×${whole(box.height)}`;
}
