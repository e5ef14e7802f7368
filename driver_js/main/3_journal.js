/**
 * @fileoverview What happened in the page, in two bounded rings: failures, and console lines. A
 * flood costs a bounded amount of memory and text, and what was left out is counted.
 */

const KEPT_FIRST = 40;
const KEPT_LAST = 40;
const PLACED = 200;

/**
 * @typedef {{kind: string, text: string, count: number, at: number, stack?: string, thrown?: string, url?: string,
 *   line?: number, column?: number, name?: string}} Note
 * @typedef {{notes: any, total: number, kept: number}} Ring
 */

/** @returns {Ring} */
const makeRing = () => ({notes: createObject(null), total: 0, kept: 0});

let failures = makeRing();
let lines = makeRing();
const epoch = clock.timeOrigin;
const IS_TOP = window === top;
const topWindow = top;

/** Whether the top page is of another origin; trying again would cost a flood dear. */
let foreign = false;
const RELAYED = 40;
let relayed = 0;
const tellHost = console.debug;

/**
 * A frame of a foreign origin, such as a sandboxed one, can only tell the host itself, by way of
 * Chromium's console; of a flood only the first.
 * @param {Ring} ring
 * @param {Note} note
 */
function relay(ring, note) {
  relayed += 1;
  if (relayed > RELAYED) return;
  note.at = epoch + now(clock);
  apply(tellHost, console, [TOKEN, ring === failures, stringify(bare(note))]);
}

/**
 * A frame hands its notes to the top page, which alone is asked for them.
 * @param {Ring} ring
 * @param {Note} note
 * @returns {boolean}
 */
function forward(ring, note) {
  if (foreign) return false;
  try {
    const detail = createObject(null);
    detail.note = bare(note);
    detail.failed = ring === failures;
    dispatch(topWindow, new NativeCustomEvent(`${TOKEN}:note`, {detail}));
    return true;
  } catch {
    foreign = true;
    return false;
  }
}

/**
 * Adds a note; one equal to either of the last two only counts up, so that an alternating pair
 * collapses too.
 * @param {Ring} ring
 * @param {Note} note
 */
function record(ring, note) {
  if (!IS_TOP) {
    if (!forward(ring, note)) relay(ring, note);
    return;
  }
  ring.total += 1;
  for (let back = 1; back <= 2 && back <= ring.kept; back += 1) {
    const earlier = ring.notes[slot(ring.kept - back)];
    if (earlier.kind === note.kind && earlier.text === note.text && samePlace(earlier, note)) {
      earlier.count += 1;
      return;
    }
  }
  note.at = epoch + now(clock);
  ring.notes[slot(ring.kept)] = note;
  ring.kept += 1;
}

/**
 * Whether two notes have their place in common; of a flood only the first have one.
 * @param {Note} earlier
 * @param {Note} note
 * @returns {boolean}
 */
function samePlace(earlier, note) {
  const same = earlier.line === note.line && earlier.url === note.url;
  return same && (note.stack === undefined || earlier.stack === undefined || earlier.stack === note.stack);
}

/**
 * Where the n-th note lies: the first ones stay, later ones go round.
 * @param {number} index
 * @returns {number}
 */
function slot(index) {
  return index < KEPT_FIRST ? index : KEPT_FIRST + ((index - KEPT_FIRST) % KEPT_LAST);
}

/**
 * The ring's notes in order and how many were left out, as JSON; arrays are spelled by hand since a
 * page may have given them a `toJSON`.
 * @param {Ring} ring
 * @returns {string}
 */
function ringText(ring) {
  const from = ring.kept - KEPT_LAST > KEPT_FIRST ? ring.kept - KEPT_LAST : KEPT_FIRST;
  let text = '';
  for (let index = 0; index < ring.kept; index += 1) {
    if (index >= KEPT_FIRST && index < from) index = from;
    text += `${text ? ',' : ''}${stringify(bare(ring.notes[slot(index)]))}`;
  }
  const left = ring.kept > KEPT_FIRST + KEPT_LAST ? ring.kept - KEPT_FIRST - KEPT_LAST : 0;
  return `{"notes":[${text}],"left_out":${left},"total":${ring.total}}`;
}

/**
 * @param {any} note
 * @returns {any}
 */
function bare(note) {
  const copy = createObject(null);
  const keys = ownKeys(note);
  for (let index = 0; index < keys.length; index += 1) copy[keys[index]] = note[keys[index]];
  return copy;
}

/**
 * Everything since the last time, as JSON.
 * @returns {string}
 */
function takeJournal() {
  const text = `{"failures":${ringText(failures)},"console":${ringText(lines)}}`;
  failures = makeRing();
  lines = makeRing();
  return text;
}

/**
 * Where we are called from, while that is not too dear: in a flood only the first are placed.
 * @param {Ring} ring
 * @returns {string | undefined}
 */
function callStack(ring) {
  return ring.kept >= PLACED ? undefined : stackHere();
}

/** @returns {string | undefined} */
function stackHere() {
  try {
    const stack = new NativeError('').stack;
    return typeof stack === 'string' ? slice(stack, 0, 1500) : undefined;
  } catch {
    return undefined;
  }
}
