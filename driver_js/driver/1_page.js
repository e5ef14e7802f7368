/**
 * @fileoverview The driver's own world: the page's DOM, but builtins that no page can touch. The
 * files of this folder become one strict function; the host calls what it returns as `kit.…`.
 */

const TOKEN = '__TOKEN__';
const NAMES_SHOWN = 5;

/** Things that the driver itself saw, until the host asks. */
const seen = {
  /** @type {{kind: string, url: string}[]} */
  stopped: [],
  left: 0,
  /** What the page uses that no virtual clock reaches. */
  beyond: /** @type {Set<string>} */ (new Set()),
  toldBeyond: /** @type {Set<string>} */ (new Set()),
};
addEventListener(`${TOKEN}:beyond`, (event) => seen.beyond.add(String(/** @type {CustomEvent} */ (event).detail)));

/**
 * A form gives its fields before its own properties (`<input name="id">`): the prototype does not.
 * @param {Element} element
 * @param {string} name
 * @returns {string | null}
 */
const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name);
const idOf = (/** @type {Element} */ element) => attributeOf(element, 'id') || '';
const childrenOf = /** @type {(parent: Node) => HTMLCollection} */ (
  (parent) => (parent instanceof HTMLFormElement ? formChildren.call(parent) : /** @type {any} */ (parent).children));
const formChildren = /** @type {() => HTMLCollection} */ (Object.getOwnPropertyDescriptor(Element.prototype, 'children')?.get);

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** @returns {string} The page's journal since the last time, as JSON. */
function journal() {
  let text = '';
  const take = (/** @type {any} */ event) => {
    text = String(event.detail);
  };
  addEventListener(`${TOKEN}:tell`, take, {once: true});
  dispatchEvent(new CustomEvent(`${TOKEN}:ask`));
  removeEventListener(`${TOKEN}:tell`, take);
  return text;
}

/** Whether the document has seen a frame. */
let isDrawn = false;
requestAnimationFrame(() => {
  isDrawn = true;
});

const sizeNow = () => `${innerWidth} ${innerHeight} ${devicePixelRatio}`;
let lastSize = sizeNow();
// To take a picture of a whole page, Chromium tells it of a size that has not changed; no window
// that a person has does so.
addEventListener('resize', (event) => {
  if (event.isTrusted && sizeNow() === lastSize) event.stopImmediatePropagation();
  lastSize = sizeNow();
}, true);

/** How many answers the page and its frames wait for, where its time is virtual. */
let awaited = 0;
/** Whether the host knows that it should ask. */
let isTold = false;
addEventListener(`${TOKEN}:awaits`, (event) => {
  awaited += Number(/** @type {CustomEvent} */ (event).detail);
  if (awaited === 0 || isTold) return;
  isTold = true;
  tellHost('');
});
addEventListener(`${TOKEN}:still`, () => tellHost('still'));

/**
 * The host listens where it moves the time itself.
 * @param {string} what
 */
function tellHost(what) {
  /** @type {any} */ (globalThis).awaits?.(what);
}

/** @returns {number} How many answers the page waits for. */
function askAwaited() {
  isTold = false;
  return awaited;
}

/**
 * @param {string} kind
 * @param {string} url
 */
function stop(kind, url) {
  if (seen.stopped.length < 20) seen.stopped.push({kind, url: url.slice(0, 300)});
  else seen.left += 1;
}

/** @returns {string[]} What a virtual clock does not move, of what the page has begun to use. */
function takeBeyond() {
  const plays = [...document.querySelectorAll('video, audio')].some((each) => each instanceof HTMLMediaElement && !each.paused);
  if (plays) seen.beyond.add('the playing of video and sound');
  const taken = [...seen.beyond].filter((what) => !seen.toldBeyond.has(what));
  for (const what of taken) seen.toldBeyond.add(what);
  return taken;
}

function takeStopped() {
  noteHints();
  const taken = {items: seen.stopped, left: seen.left};
  seen.stopped = [];
  seen.left = 0;
  return taken;
}

/**
 * Resolves after `count` frames, or after `ms` when the page is not painted.
 * @param {number} count
 * @param {number} ms
 * @returns {Promise<void>}
 */
function painted(count, ms) {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ms);
    const next = (/** @type {number} */ left) => {
      if (left > 0) requestAnimationFrame(() => next(left - 1));
      else {
        clearTimeout(late);
        resolve();
      }
    };
    next(count);
  });
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<boolean>} Whether it settled in time.
 */
function within(promise, ms) {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), ms);
    const done = () => {
      clearTimeout(late);
      resolve(true);
    };
    promise.then(done, done);
  });
}

/**
 * Waits for load, fonts and two frames.
 * @param {number} ms
 * @returns {Promise<string[]>} What is still loading.
 */
async function settle(ms) {
  const end = performance.now() + ms;
  const left = () => Math.max(end - performance.now(), 1);
  const waiting = [];
  const loaded = new Promise((resolve) => {
    if (document.readyState === 'complete') resolve(undefined);
    else addEventListener('load', resolve, {once: true});
  });
  if (!(await within(loaded, left()))) waiting.push('the document');
  if (!(await within(document.fonts.ready, Math.min(left(), 3000)))) waiting.push('fonts');
  await painted(2, Math.min(left(), 500));
  return waiting;
}

/**
 * What is still loading, told at once: where time stands still no timer would end a wait.
 * @returns {string[]}
 */
function loading() {
  // Fonts are asked for when the page is laid out.
  document.body?.getBoundingClientRect();
  const waiting = [];
  if (document.readyState !== 'complete') waiting.push('the document');
  if (document.fonts.status === 'loading') waiting.push('fonts');
  return waiting;
}

/** Where the page is and how large it is. */
function place() {
  const root = document.documentElement;
  return {
    title: document.title.slice(0, 200),
    url: location.href.slice(0, 500),
    width: innerWidth,
    height: innerHeight,
    fullWidth: root ? root.scrollWidth : 0,
    fullHeight: root ? root.scrollHeight : 0,
    scale: devicePixelRatio,
    type: document.contentType,
  };
}

/** @returns {string[]} No oddity of a page may cost the rest of the reply. */
function checkedLooks() {
  try {
    return looks();
  } catch (error) {
    return [`not checked, since the check itself failed (${clip(String(error), 100)})`];
  }
}

/**
 * Everything that a reply needs, in one go.
 * @param {{looks?: boolean}} [options]
 */
function report(options = {}) {
  // A page that is only checked comes without the scripts that judge looks.
  const judged = options.looks && typeof isBlank === 'function';
  return {
    place: place(),
    stopped: takeStopped(),
    looks: judged ? checkedLooks() : [],
    blank: judged ? isBlank() : null,
    journal: journal(),
    beyond: takeBeyond(),
  };
}

/** What Chromium leaves alone without a word, as no page may link there. */
const UNOPENED = ['file:', 'view-source:', 'chrome:', 'devtools:'];

if (self === top) {
  navigation.addEventListener('navigate', (event) => {
    const to = new URL(event.destination.url, location.href);
    if (event.downloadRequest === null && (to.origin === location.origin || ['about:', 'blob:', 'data:', 'javascript:'].includes(to.protocol))) return;
    if (event.downloadRequest === null) stop('navigation', to.href);
    if (event.cancelable) event.preventDefault();
  });
  addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!(link instanceof HTMLAnchorElement) || !link.href) return;
    const away = link.target && !['_self', '_top', '_parent'].includes(link.target.toLowerCase());
    if (link.hasAttribute('download')) queueMicrotask(() => event.defaultPrevented || stop('download', link.download || link.href));
    else if (UNOPENED.includes(link.protocol)) queueMicrotask(() => event.defaultPrevented || stop('navigation', link.href));
    else if (away) queueMicrotask(() => event.defaultPrevented || stop('popup', link.href));
  }, true);
}

/**
 * How long what moves takes, in milliseconds, to get where it goes; what goes round for ever does not count.
 * @returns {number}
 */
function endsInMs() {
  const left = document.getAnimations().map((each) => {
    const end = Number(each.effect ? each.effect.getComputedTiming().endTime : 0);
    const ms = (end - Number(each.currentTime)) / Math.abs(each.playbackRate);
    return each.playState === 'running' && Number.isFinite(ms) ? ms : 0;
  });
  return Math.max(0, ...left);
}
