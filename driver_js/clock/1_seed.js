/**
 * @fileoverview What joins `main/` where time is virtual. Here: chance that repeats itself, from
 * one seed for every frame of the page.
 */

/** Replaced by the host. */
const SEED = '__SEED__';

const NativeBytes = Uint8Array;
const multiply = Math.imul;
const bufferOf = getter(protoOf(Uint8Array.prototype), 'buffer');
const offsetOf = getter(protoOf(Uint8Array.prototype), 'byteOffset');
const viewBytes = getter(protoOf(Uint8Array.prototype), 'byteLength');
const isArrayView = (/** @type {any} */ value) => isView(value) && !hasProto(DataView.prototype, value);
const HEX = '0123456789abcdef';

let seeded = toInteger(SEED, 10);

/** @returns {number} The next 32 bits of Tommy Ettinger's mulberry32. */
function bits() {
  seeded = (seeded + 0x6d2b79f5) | 0;
  let mixed = multiply(seeded ^ (seeded >>> 15), seeded | 1);
  mixed ^= mixed + multiply(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** @returns {number} As precise as Chromium's own: 53 bits. */
const chance = () => ((bits() >>> 5) * 0x4000000 + (bits() >>> 6)) / 0x20000000000000;

/** @param {any} view */
function fill(view) {
  const bytes = new NativeBytes(bufferOf(view), offsetOf(view), viewBytes(view));
  for (let index = 0; index < viewLength(bytes); index += 1) bytes[index] = bits() & 255;
}

/** @returns {string} A random UUID of version 4 (RFC 9562, 5.4). */
function uuid() {
  let text = '';
  for (let index = 0; index < 32; index += 1) {
    const digit = index === 12 ? 4 : index === 16 ? 8 | (bits() & 3) : bits() & 15;
    text += (index === 8 || index === 12 || index === 16 || index === 20 ? '-' : '') + HEX[digit];
  }
  return text;
}

standIn(Math, 'random', {apply: chance});
standIn(Crypto.prototype, 'getRandomValues', {
  apply(target, self, args) {
    const view = apply(target, self, args);
    if (isArrayView(view)) fill(view);
    return view;
  },
});
standIn(Crypto.prototype, 'randomUUID', {apply: uuid});
