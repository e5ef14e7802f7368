/**
 * @fileoverview What an action changed: the DOM, the focus, the address, the scroll position.
 */

/** @type {MutationObserver | null} */
let observer = null;
/** @type {{records: MutationRecord[], total: number, before: any, prevented: string[], events: number} | null} */
let watched = null;
const KEPT_RECORDS = 400;
/** Documents and shadow roots that are watched for changes. */
const MOST_ROOTS = 200;

/** @type {DragEvent | null} The last drag that the page began. */
let lastDrag = null;
addEventListener('dragstart', (event) => {
  lastDrag = event;
}, true);

/** @returns {boolean} Whether a drag of the page's own has begun since the last time. */
function takeDrag() {
  const began = lastDrag !== null && !lastDrag.defaultPrevented;
  lastDrag = null;
  return began;
}

function state() {
  const focus = focusedElement();
  return {
    focus: focus && focus !== document.body ? describe(focus) : '',
    url: location.href,
    scroll: `${Math.round(scrollX)},${Math.round(scrollY)}`,
    value: focus && 'value' in focus ? String(focus.value).slice(0, 200) : '',
    checked: document.querySelectorAll(':checked').length,
    open: document.querySelectorAll('[open]').length,
  };
}

/** Starts to watch; ends an earlier watch. */
function watch() {
  observer?.disconnect();
  const mine = {records: /** @type {MutationRecord[]} */ ([]), total: 0, before: state(), prevented: /** @type {string[]} */ ([]), events: 0};
  watched = mine;
  observer = new MutationObserver((records) => {
    mine.total += records.length;
    for (const record of records) if (mine.records.length < KEPT_RECORDS) mine.records.push(record);
  });
  for (const root of roots().slice(0, MOST_ROOTS)) {
    observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true});
  }
}

/**
 * What changed since `watch`, in a few words each.
 * @returns {string[]}
 */
function effects() {
  if (!watched || !observer) return [];
  const {records, before} = watched;
  records.push(...observer.takeRecords());
  observer.disconnect();
  observer = null;
  const after = state();
  const words = [];
  if (after.url !== before.url) words.push(`address is now ${after.url.startsWith(location.origin) ? after.url.slice(location.origin.length) : after.url}`);
  const moved = after.focus !== before.focus && focusedElement() !== lastAimed;
  if (moved) words.push(after.focus ? `focus on ${after.focus}` : 'focus lost');
  if (after.value !== before.value && after.focus === before.focus) words.push(`value is now ${JSON.stringify(clip(after.value, 60))}`);
  if (after.scroll !== before.scroll) words.push(`scrolled to ${after.scroll}`);
  if (after.checked !== before.checked || after.open !== before.open) words.push('a control changed its state');
  words.push(...domWords(records));
  watched = null;
  return words;
}

/**
 * The changed places with what they show now, the smallest first; a page that redraws a lot is
 * only counted.
 * @param {MutationRecord[]} records
 * @returns {string[]}
 */
function domWords(records) {
  /** @type {Set<Element>} */
  const places = new Set();
  for (const record of records) {
    const target = record.target instanceof Element ? record.target : record.target.parentElement;
    if (target && target.isConnected && !unchangedAttribute(record)) places.add(target);
  }
  if (!places.size) return [];
  const shown = [...places].filter(isShown).map((element) => ({element, text: labelOf(element)}))
    .sort((a, b) => a.text.length - b.text.length);
  const words = shown.filter((each) => each.text).slice(0, 3).map((each) => `${tagOf(each.element)} "${clip(each.text, 40)}"`);
  const rest = places.size - words.length;
  if (!words.length) return [`DOM changed at ${places.size === 1 ? '' : `${places.size} places, first `}${tagOf([...places][0])}`];
  return [`changed: ${words.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
}

/**
 * @param {MutationRecord} record
 * @returns {boolean}
 */
function unchangedAttribute(record) {
  return record.type === 'attributes' && record.target instanceof Element &&
    attributeOf(record.target, record.attributeName || '') === record.oldValue;
}
