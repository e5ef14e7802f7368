/**
 * @fileoverview What tells the time in places where Chromium tells it by the host's clock, or gives
 * or takes what a float loses; and what Chromium does in idle time, which a compositor that waits
 * for frames has none of.
 */

/** A document begins at a whole millisecond. */
const BEGUN = rounded(dateNow() - now(clock));
/** How often a page may ask, in one idle moment, whether there is time left. */
const IDLE_ASKS = 50;

/**
 * Puts in place of the getter `owner[name]` one that gives what `tell` makes of its value.
 * @param {any} owner
 * @param {string} name
 * @param {(value: number, self: any) => number} tell
 */
function tellAs(owner, name, tell) {
  const field = ownDescriptor(owner, name);
  if (!field?.get) return;
  const get = new NativeProxy(field.get, {apply: (target, self, args) => tell(apply(target, self, args), self)});
  defineProperty(owner, name, {get, set: undefined, enumerable: field.enumerable, configurable: field.configurable});
}

/** When each event of a person's was first asked for its time. */
const heard = new NativeWeakMap();

/**
 * Chromium stamps input with the host's clock.
 * @param {number} time
 * @param {Event} event
 * @returns {number}
 */
function stamp(time, event) {
  if (!isTrustedEvent(event) || !hasProto(UIEvent.prototype, event)) return tenths(time);
  if (weakGet(heard, event) === undefined) weakSet(heard, event, tenths(now(clock)));
  return weakGet(heard, event);
}

standIn(Performance.prototype, 'now', {apply: (target, self, args) => tenths(apply(target, self, args))});
tellAs(Performance.prototype, 'timeOrigin', () => BEGUN);
tellAs(PROTO.event, 'timeStamp', stamp);
tellAs(IntersectionObserverEntry.prototype, 'time', tenths);
tellAs(PerformanceEntry.prototype, 'startTime', tenths);
tellAs(PerformanceEntry.prototype, 'duration', tenths);

/** @returns {IdleDeadline} */
function idleMoment() {
  let left = IDLE_ASKS;
  const moment = createObject(IdleDeadline.prototype);
  defineProperty(moment, 'didTimeout', {value: false, enumerable: true});
  defineProperty(moment, 'timeRemaining', {value: () => (left > 0 ? left-- : 0), enumerable: true});
  return moment;
}

standIn(window, 'requestIdleCallback', {
  apply(target, self, args) {
    const callback = args[0];
    if (typeof callback !== 'function') return apply(target, self, args);
    return apply(later, window, [() => apply(callback, undefined, [idleMoment()]), 1]);
  },
});
standIn(window, 'cancelIdleCallback', {apply: (target, self, args) => apply(forget, window, [args[0]])});

const IMAGE_URL = /^data:([^;]*);base64,/;

/**
 * @param {string} url
 * @returns {Blob | null}
 */
function blobOf(url) {
  const head = matched(IMAGE_URL, url);
  if (!head) return null;
  const text = fromBase64(slice(url, head[0].length));
  const bytes = new NativeBytes(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = charCode(text, index);
  return new NativeBlob([bytes], {type: head[1]});
}

standIn(HTMLCanvasElement.prototype, 'toBlob', {
  apply(target, self, args) {
    const callback = args[0];
    if (typeof callback !== 'function') return apply(target, self, args);
    const blob = blobOf(dataUrl(self, args[1], args[2]));
    apply(later, window, [() => apply(callback, undefined, [blob]), 0]);
    return undefined;
  },
});
