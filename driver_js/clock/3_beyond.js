/**
 * @fileoverview What no virtual clock of Chromium's reaches is told of when a page uses it.
 */

/**
 * @param {any} owner
 * @param {string} name
 * @param {string} what
 */
function watchUse(owner, name, what) {
  const tell = () => dispatch(window, new NativeCustomEvent(`${TOKEN}:beyond`, {detail: what}));
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

watchUse(window, 'AudioContext', 'audio');
watchUse(window, 'Worker', 'the timers and the chance of a worker');
watchUse(window, 'SharedWorker', 'the timers and the chance of a worker');
watchUse(HTMLMediaElement.prototype, 'play', 'the playing of video and sound');
