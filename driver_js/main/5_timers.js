/**
 * @fileoverview Intervals that are started anew by a click or a key while the one started at the
 * same place still runs: the usual reason why a clock runs twice as fast. Pages that add widgets
 * with a timer each grow when they do so; those are left alone.
 */

/** @typedef {{callback: any, text: string, site: string, elements: number}} Interval */

const running = /** @type {Map<any, Interval>} */ (new NativeMap());
const MOST_INTERVALS = 100;
const keepInterval = uncurried(NativeMap.prototype.set);
const dropInterval = uncurried(NativeMap.prototype.delete);
const currentEvent = getter(window, 'event');
const byTag = uncurried(Document.prototype.getElementsByTagName);
const collectionLength = getter(HTMLCollection.prototype, 'length');

/** @returns {boolean} Whether a person's click or key is being handled. */
function inUserEvent() {
  const event = currentEvent(window);
  return Boolean(event && isTrustedEvent(event));
}

/**
 * @param {any} callback
 * @returns {Interval}
 */
function intervalOf(callback) {
  const text = typeof callback === 'function' ? cut(functionText(callback), 500) : '';
  return {callback, text, site: stackHere() || '', elements: collectionLength(byTag(document, '*'))};
}

/**
 * @param {Interval} started
 * @returns {number} How many intervals of the same kind still run.
 */
function twins(started) {
  let count = 0;
  mapForEach(running, (/** @type {Interval} */ earlier) => {
    const same = earlier.callback === started.callback || (earlier.text === started.text && earlier.elements >= started.elements);
    if (same && earlier.site === started.site) count += 1;
  });
  return count;
}

standIn(window, 'setInterval', {
  apply(target, self, args) {
    const id = apply(target, self, args);
    if (mapSize(running) < MOST_INTERVALS) {
      const started = intervalOf(args[0]);
      const others = inUserEvent() ? twins(started) : 0;
      if (others) record(failures, {kind: 'interval', text: toText(others + 1), count: 1, at: 0, stack: started.site});
      keepInterval(running, id, started);
    }
    return id;
  },
});
for (const name of ['clearInterval', 'clearTimeout']) {
  standIn(window, name, {
    apply(target, self, args) {
      dropInterval(running, args[0]);
      return apply(target, self, args);
    },
  });
}
