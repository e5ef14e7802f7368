/**
 * @fileoverview Frames of the virtual clock. Chromium delivers input and takes pictures in frames
 * of their own, between which no time passes: what a page asked for waits for the next moment.
 */

/** A frame that comes sooner after the last has no time of its own, in milliseconds. */
const HELD_MS = 8;
/** Chromium tells the time in tenths of a millisecond, give or take what a float loses. */
const tenths = (/** @type {number} */ ms) => rounded(ms * 10) / 10;

/** When the last frame that has a time of its own was, by Chromium. */
let lastFrame = now(clock);
/** Whether the frame that is drawn has none. */
let isHeld = false;

/** Comes first in every frame. @param {number} time */
function look(time) {
  isHeld = time < lastFrame + HELD_MS;
  if (!isHeld) lastFrame = time;
  apply(nextFrame, window, [look]);
}
look(lastFrame);

/** The page's handle of each callback that waits, and Chromium's. */
const pendingFrames = new NativeMap();

standIn(window, 'requestAnimationFrame', {
  apply(target, self, args) {
    const callback = args[0];
    if (typeof callback !== 'function') return apply(target, self, args);
    const onFrame = () => {
      if (isHeld) {
        mapSet(pendingFrames, handle, apply(target, self, [onFrame]));
        return;
      }
      mapDelete(pendingFrames, handle);
      apply(callback, undefined, [tenths(now(clock))]);
    };
    const handle = apply(target, self, [onFrame]);
    mapSet(pendingFrames, handle, handle);
    return handle;
  },
});
standIn(window, 'cancelAnimationFrame', {
  apply(target, self, args) {
    const handle = mapGet(pendingFrames, args[0]);
    mapDelete(pendingFrames, args[0]);
    return apply(target, self, handle === undefined ? args : [handle]);
  },
});
