/**
 * @fileoverview What no virtual clock of Chromium's reaches is told of when a page uses it.
 */

const outermost = /** @type {Window} */ (window.top);

/**
 * @param {string} what
 * @param {any} detail
 */
function tellTop(what, detail) {
  try {
    dispatch(outermost, new NativeCustomEvent(`${TOKEN}:${what}`, {detail}));
  } catch {
    // A frame of a foreign origin reaches nobody.
  }
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {string} what
 */
function watchUse(owner, name, what) {
  const tell = () => tellTop('beyond', what);
  standIn(owner, name, {
    construct(target, args, self) {
      tell();
      return construct(target, args, self);
    },
    apply(target, self, args) {
      tell();
      return apply(target, self, args);
    },
  });
}

const WORKERS = 'the timers, the frames and the chance of a worker';
watchUse(window, 'AudioContext', 'audio');
watchUse(window, 'Worker', WORKERS);
watchUse(window, 'SharedWorker', WORKERS);
if (typeof ServiceWorkerContainer === 'function') watchUse(ServiceWorkerContainer.prototype, 'register', WORKERS);
watchUse(HTMLMediaElement.prototype, 'play', 'the playing of video and sound');
watchUse(PerformanceObserver.prototype, 'observe', 'what performance entries measure');
