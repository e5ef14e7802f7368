/** @fileoverview What the host may call. */

/* exported kit */
const kit = Object.freeze({
  settle, loading, frames: painted, report, aim, hitName, watch, effects, takeDrag, read, outline, readyToType, option, fieldKeys, focusedValue, markFileField, unmark,
  view: () => ({width: innerWidth, height: innerHeight}),
  awaited: askAwaited,
  isDrawn: () => isDrawn,
  frame: () => ({
    x: scrollX, y: scrollY, width: innerWidth, height: innerHeight,
    fullWidth: document.documentElement?.scrollWidth || innerWidth, fullHeight: document.documentElement?.scrollHeight || innerHeight,
    scale: devicePixelRatio, endsMs: endsInMs(),
  }),
  box: (/** @type {Target} */ target) => {
    const found = find(target);
    if ('problem' in found) return found;
    found.element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    return {...boxOf(found.element), name: describe(found.element)};
  },
  mainCanvas: () => {
    const sizes = queryAll('canvas').filter(isShown).map((element) => ({element, box: boxOf(element)}));
    sizes.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
    const [largest] = sizes;
    return largest ? {...largest.box, name: describe(largest.element)} : null;
  },
  has: (/** @type {string} */ css) => queryAll(css).some(isShown),
});
