/**
 * @fileoverview Form fields that take more than letters: lists, dates, sliders, files. All of it is
 * done with keys, as a person with a keyboard would, so that the events are the browser's own.
 */

/**
 * The keys that choose an option of a `<select>`, as a person with a keyboard would: the change
 * events are then the browser's own.
 * @param {Target} target
 * @param {string} value
 */
function option(target, value) {
  const found = find(target);
  if ('problem' in found) return found;
  const list = found.element;
  if (!(list instanceof HTMLSelectElement)) return {problem: `${describe(list)} is not a <select>`};
  const blocked = obstacle(list);
  if (blocked && !blocked.includes('covered')) return {problem: blocked};
  const usable = [...list.options].filter((each) => !each.disabled && !each.closest('optgroup:disabled'));
  const wanted = usable.findIndex((each) => each.value === value || squeeze(each.text) === squeeze(value));
  if (wanted < 0) {
    const names = usable.slice(0, 8).map((each) => JSON.stringify(clip(squeeze(each.text), 30))).join(', ');
    return {problem: `${describe(list)} has no option ${JSON.stringify(clip(value, 40))}; it has ${names}`};
  }
  list.focus();
  lastAimed = list;
  const from = usable.indexOf(list.options[list.selectedIndex]);
  const step = wanted > from ? 'ArrowDown' : 'ArrowUp';
  return {keys: Array(Math.abs(wanted - from)).fill(step), name: describe(list), label: squeeze(usable[wanted].text)};
}

/**
 * How to type a value into a field that has parts or steps instead of text. Dates and times are
 * taken in the form that `value` has (HTML, 2.3.5) and typed as the English locale shows them.
 * @param {Target} target
 * @param {string} text
 * @returns {{keys?: string[], name?: string, problem?: string} | null} Null for a plain text field.
 */
function fieldKeys(target, text) {
  const found = find(target);
  if ('problem' in found) return null;
  const field = found.element;
  if (!(field instanceof HTMLInputElement)) return null;
  const name = describe(field);
  if (field.type === 'checkbox' || field.type === 'radio') return {problem: `${name} takes a click, not text`};
  if (field.type === 'file') return {problem: `${name} takes files: use type upload`};
  if (field.type === 'color') return {problem: `${name} opens a picker that has no keys; set its value with op eval`};
  const keys = field.type === 'range' ? sliderKeys(field, text) : dateKeys(field.type, text);
  if (keys === undefined) return null;
  if (keys === null) return {problem: `${name} does not take ${JSON.stringify(clip(text, 40))}; send ${FORMS[field.type] || 'a number'}`};
  field.focus();
  lastAimed = field;
  return {keys, name};
}

const FORMS = /** @type {Record<string, string>} */ ({
  date: 'a date such as 2026-11-30', time: 'a time such as 14:30', 'datetime-local': 'a date and time such as 2026-11-30T14:30',
  month: 'a month such as 2026-11', week: 'a week such as 2026-W48',
});
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/**
 * @param {string} type
 * @param {string} text
 * @returns {string[] | null | undefined} Undefined for other types, null when the text does not fit.
 */
function dateKeys(type, text) {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/;
  const clock = /^(\d\d):(\d\d)$/;
  const parts = text.trim().split(/[T ]/);
  if (type === 'date') return date.test(parts[0]) && parts.length === 1 ? dayKeys(parts[0]) : null;
  if (type === 'time') return clock.test(text.trim()) ? clockKeys(text.trim()) : null;
  if (type === 'datetime-local') {
    const fits = parts.length === 2 && date.test(parts[0]) && clock.test(parts[1]);
    return fits ? [...dayKeys(parts[0]), 'ArrowRight', ...clockKeys(parts[1])] : null;
  }
  if (type === 'month') {
    const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text.trim());
    return month ? [...MONTHS[Number(month[2]) - 1].slice(0, 3), 'ArrowRight', ...month[1]] : null;
  }
  if (type === 'week') {
    const week = /^(\d{4})-W(\d\d)$/.exec(text.trim());
    return week ? [...week[2], 'ArrowRight', ...week[1]] : null;
  }
  return undefined;
}

/** @param {string} day */
function dayKeys(day) {
  const [year, month, date] = day.split('-');
  return [...month, ...date, ...year];
}

/** @param {string} time */
function clockKeys(time) {
  const [hours, minutes] = time.split(':').map(Number);
  const two = (/** @type {number} */ value) => [...String(value).padStart(2, '0')];
  return [...two(hours % 12 || 12), ...two(minutes), hours < 12 ? 'A' : 'P'];
}

const MOST_STEPS = 400;

/**
 * @param {HTMLInputElement} field
 * @param {string} text
 * @returns {string[] | null}
 */
function sliderKeys(field, text) {
  const wanted = Number(text);
  const low = Number(field.min || 0);
  const high = Number(field.max || 100);
  const step = field.step === 'any' ? (high - low) / 100 : Number(field.step || 1);
  if (!text.trim() || Number.isNaN(wanted) || wanted < low || wanted > high) return null;
  const up = Math.round((wanted - low) / step);
  const down = Math.round((high - wanted) / step);
  if (Math.min(up, down) > MOST_STEPS) return null;
  return up <= down ? ['Home', ...Array(up).fill('ArrowRight')] : ['End', ...Array(down).fill('ArrowLeft')];
}

/** @returns {string | null} What the focused field holds. */
function focusedValue() {
  const field = focusedElement();
  if (field instanceof HTMLInputElement && field.type === 'password') return '•'.repeat(field.value.length);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return clip(field.value, 60);
  return field instanceof HTMLElement && field.isContentEditable ? clip(squeeze(field.innerText), 60) : null;
}

/**
 * Marks a file field so that the host can find it, until `unmark`.
 * @param {Target} target
 * @param {string} mark
 */
function markFileField(target, mark) {
  const found = find(target);
  if ('problem' in found) return found;
  const field = found.element instanceof HTMLLabelElement ? found.element.control : found.element;
  if (!(field instanceof HTMLInputElement) || field.type !== 'file') return {problem: `${describe(found.element)} is not a file field`};
  field.setAttribute(mark, '');
  return {name: describe(field), multiple: field.multiple};
}

/** @param {string} mark */
function unmark(mark) {
  for (const element of queryAll(`[${mark}]`)) element.removeAttribute(mark);
}
