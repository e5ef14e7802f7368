/**
 * @fileoverview What is listened to and what stands in for a builtin: errors, rejections, failed
 * loads, policy violations, console, dialogs, windows, workers. Stand-ins are proxies of the
 * natives, which look like them in every way that a page can ask.
 */

/**
 * Puts a proxy with these traps in place of `owner[name]`.
 * @param {any} owner
 * @param {string} name
 * @param {ProxyHandler<any>} traps
 */
function standIn(owner, name, traps) {
  const field = ownDescriptor(owner, name);
  if (!field || typeof field.value !== 'function') return;
  defineProperty(owner, name, {
    value: new NativeProxy(field.value, traps),
    writable: field.writable,
    enumerable: field.enumerable,
    configurable: field.configurable,
  });
}

/**
 * The stack of an error, bounded; `undefined` for anything else.
 * @param {any} error
 * @returns {string | undefined}
 */
function stackOf(error) {
  try {
    const stack = hasProto(PROTO.error, error) ? error.stack : undefined;
    return typeof stack === 'string' ? slice(stack, 0, 3000) : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} event */
function onError(event) {
  if (!isTrustedEvent(event)) return;
  const target = targetOf(event);
  if (target !== window) return onFailedLoad(target);
  const {message, filename, lineno, colno, error} = event;
  record(failures, {
    kind: 'error', text: uncaughtText(message, error), count: 1, at: 0,
    url: filename, line: lineno, column: colno, stack: stackOf(error), name: errorName(error),
  });
  prevent(event);
  return undefined;
}

/**
 * Chromium's own words, and what they leave out: the cause of an error, and what was thrown that is
 * none.
 * @param {any} message
 * @param {any} error
 * @returns {string}
 */
function uncaughtText(message, error) {
  const text = cut(toText(message), SHOW_CHARS);
  try {
    if (typeof error !== 'object' || error === null) return text;
    const budget = {left: SHOW_CHARS, depth: 0, seen: null, json: false};
    if (hasProto(PROTO.error, error)) return `${text}${errorDetails(error, budget)}`;
    // An error of another frame is none of this one's, and Chromium's words for it are whole.
    const bare = isArray(error) || indexOf(text, '#<') >= 0 || indexOf(text, '[object ') >= 0;
    return bare ? `Uncaught ${show(error)}` : text;
  } catch {
    return text;
  }
}

/**
 * @param {any} error
 * @returns {string}
 */
function errorName(error) {
  try {
    return hasProto(PROTO.error, error) ? toText(error.name) : '';
  } catch {
    return '';
  }
}

/** @param {any} target */
function onFailedLoad(target) {
  const url = target.currentSrc || target.src || target.href || target.data || '';
  const tag = lowerCase(toText(target.nodeName));
  const text = typeof url === 'string' ? cut(url, 300) : cut(toText(url.baseVal), 300);
  record(failures, {kind: 'load', text, name: tag, count: 1, at: 0});
}

const PLACED_BY_HOST = IS_TOP ? 40 : 4;
let leftToHost = 0;

/**
 * Only Chromium knows where something was thrown that has no stack; it tells the host, unless the
 * event is prevented. A flood is.
 * @param {any} event
 */
function onRejection(event) {
  if (!isTrustedEvent(event)) return;
  const {reason} = event;
  const text = typeof reason === 'string' ? cut(reason, SHOW_CHARS) : show(reason);
  const stack = stackOf(reason);
  record(failures, {kind: 'rejection', text, count: 1, at: 0, stack, name: typeof reason});
  const placed = stack !== undefined && indexOf(stack, '\n    at ') >= 0;
  if (!placed && leftToHost < PLACED_BY_HOST) leftToHost += 1;
  else prevent(event);
}

/** @param {any} event */
function onViolation(event) {
  if (!isTrustedEvent(event)) return;
  const {blockedURI, effectiveDirective, sourceFile, lineNumber, columnNumber} = event;
  record(failures, {
    kind: 'policy', text: cut(toText(blockedURI), 300), name: toText(effectiveDirective), count: 1, at: 0,
    url: sourceFile, line: lineNumber, column: columnNumber,
  });
}

/**
 * @param {string} level
 * @returns {ProxyHandler<any>}
 */
function consoleTraps(level) {
  return {
    apply(_target, _self, args) {
      const failed = level !== 'assert' || !args[0];
      const group = level === 'group' || level === 'groupCollapsed';
      if (failed) logLine(group ? 'group' : level, args);
      if (group) nest(1);
      return undefined;
    },
  };
}

/**
 * @param {string} level
 * @param {any[]} args
 */
function logLine(level, args) {
  const text = level === 'assert' ? assertText(args) : shownArguments(args, args.length);
  const stack = callStack(lines);
  const thrown = stack === undefined ? undefined : firstStack(args);
  record(lines, {kind: level, text: `${indents[depth] || ''}${text}`, count: 1, at: 0, stack, thrown});
}

/**
 * Where the first error among the arguments comes from: code that catches an error and prints it is
 * seldom where it went wrong.
 * @param {any[]} args
 * @returns {string | undefined}
 */
function firstStack(args) {
  for (let index = 0; index < args.length && index < SHOW_ITEMS; index += 1) {
    const stack = typeof args[index] === 'object' ? stackOf(args[index]) : undefined;
    if (stack !== undefined) return stack;
  }
  return undefined;
}

/**
 * @param {any[]} args
 * @returns {string}
 */
function assertText(args) {
  const rest = createObject(null);
  for (let index = 1; index < args.length; index += 1) rest[index - 1] = args[index];
  return `Assertion failed${args.length > 1 ? `: ${shownArguments(rest, args.length - 1)}` : ''}`;
}

/** How far lines inside of groups are moved to the right. */
const indents = ['', '  ', '    ', '      ', '        '];
let depth = 0;

/** @param {number} by */
function nest(by) {
  if (depth + by >= 0) depth += by;
}

/** @param {string} label */
const elapsed = (label) => `${label}: ${fixed(now(clock) - timers[label], 1)} ms`;

/** @param {string} label */
const noTimer = (label) => logLine('warn', [`Timer '${label}' does not exist`]);

const timers = createObject(null);
const counts = createObject(null);

/** @type {Record<string, (label: string, args: any[]) => void>} */
const CONSOLE_STATE = {
  count: (label) => {
    counts[label] = (counts[label] || 0) + 1;
    logLine('log', [`${label}: ${counts[label]}`]);
  },
  countReset: (label) => {
    counts[label] = 0;
  },
  time: (label) => {
    timers[label] = now(clock);
  },
  timeLog: (label) => {
    if (label in timers) logLine('log', [elapsed(label)]);
    else noTimer(label);
  },
  timeEnd: (label) => {
    if (label in timers) logLine('log', [elapsed(label)]);
    else noTimer(label);
    delete timers[label];
  },
  groupEnd: () => nest(-1),
};

/** Answers of the dialogs: nobody is there to press a button, and a page must not wait for one. */
const DIALOGS = createObject(null);
DIALOGS.alert = () => undefined;
DIALOGS.print = () => undefined;
DIALOGS.prompt = () => null;
DIALOGS.confirm = (/** @type {number} */ asked) => asked <= 20;

/**
 * @param {string} name
 * @returns {ProxyHandler<any>}
 */
function dialogTraps(name) {
  let asked = 0;
  return {
    apply(_target, _self, args) {
      asked += 1;
      const answer = DIALOGS[name](asked);
      const text = args.length ? cut(typeof args[0] === 'string' ? args[0] : show(args[0]), 300) : '';
      const told = name === 'confirm' || name === 'prompt' ? toText(answer) : '';
      record(failures, {kind: 'dialog', name, text, url: told, count: 1, at: 0});
      return answer;
    },
  };
}

/** @type {ProxyHandler<any>} */
const windowTraps = {
  apply(_target, _self, args) {
    record(failures, {kind: 'popup', text: cut(args.length ? toText(args[0]) : 'about:blank', 300), count: 1, at: 0});
    return null;
  },
};

const MOST_DOWNLOADS = 20;
let downloads = 0;

/**
 * A link that is in no document can be clicked too, and most scripts start a download so; the driver
 * sees only those in the document. Chromium refuses each; the many of a flood are not even begun.
 * @type {ProxyHandler<any>}
 */
const clickTraps = {
  apply(target, self, args) {
    if (hasProto(PROTO.anchor, self) && !isConnected(self) && attribute(self, 'href') !== null) {
      const name = attribute(self, 'download');
      if (name !== null) {
        record(failures, {kind: 'download', text: cut(name || linkAddress(self), 300), count: 1, at: 0});
        downloads += 1;
        if (downloads > MOST_DOWNLOADS) return undefined;
      }
    }
    return apply(target, self, args);
  },
};

/**
 * @param {string} url
 * @returns {string}
 */
function absolute(url) {
  try {
    return new NativeURL(url, document.baseURI).href;
  } catch {
    return url;
  }
}

/** @type {ProxyHandler<any>} */
const workerTraps = {
  construct(target, args, self) {
    const worker = construct(target, args, self);
    const url = args.length ? toText(args[0]) : '';
    listen(worker, 'error', (/** @type {any} */ event) => onWorkerError(event, url));
    return worker;
  },
};

/**
 * @param {any} event
 * @param {string} url
 */
function onWorkerError(event, url) {
  if (!isTrustedEvent(event)) return;
  const {message, filename, lineno, colno} = event;
  if (message === undefined) record(failures, {kind: 'load', text: cut(absolute(url), 300), name: 'worker', count: 1, at: 0});
  if (message === undefined || message === '') return;
  record(failures, {
    kind: 'error', text: cut(toText(message), SHOW_CHARS), count: 1, at: 0,
    url: filename, line: lineno, column: colno, name: 'worker',
  });
  prevent(event);
}

/**
 * What an eval returned, shown; the page's own world must do it, with builtins that are whole.
 * @param {() => Promise<any>} code
 * @param {number} chars
 * @returns {Promise<any>}
 */
async function run(code, chars) {
  const answer = createObject(null);
  try {
    const value = await code();
    answer.type = typeof value;
    if (typeof value === 'string') {
      answer.value = value.length > chars ? slice(value, 0, chars) : value;
      answer.length = value.length;
    } else {
      const budget = {left: chars, depth: 0, seen: null, json: true};
      answer.value = cut(shown(value, budget), chars);
      answer.length = answer.value.length + (budget.left <= 0 ? 1 : 0);
    }
  } catch (error) {
    answer.threw = show(error);
    answer.stack = stackOf(error);
  }
  return stringify(answer);
}

for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'dirxml', 'table', 'assert', 'group', 'groupCollapsed']) {
  standIn(console, level, consoleTraps(level));
}
for (const name of ownKeys(CONSOLE_STATE)) {
  standIn(console, toText(name), {
    apply: (_target, _self, args) => CONSOLE_STATE[toText(name)](args.length ? cut(toText(args[0]), 60) : 'default', args),
  });
}
for (const name of ['alert', 'confirm', 'prompt', 'print']) standIn(window, name, dialogTraps(name));
standIn(window, 'open', windowTraps);
standIn(window, 'close', {apply: () => record(failures, {kind: 'close', text: '', count: 1, at: 0})});
standIn(HTMLElement.prototype, 'click', clickTraps);
standIn(window, 'Worker', workerTraps);

/** @param {Event} event */
function onNote(event) {
  const {note, failed} = detailOf(event);
  record(failed ? failures : lines, note);
}

function onAsk() {
  const detail = takeJournal();
  dispatch(window, new NativeCustomEvent(`${TOKEN}:tell`, {detail}));
}

/** Listens to everything; what is listened to already is not listened to twice. */
function listenToAll() {
  listen(window, 'error', onError, true);
  listen(window, 'unhandledrejection', onRejection, true);
  listen(document, 'securitypolicyviolation', onViolation, true);
  if (!IS_TOP) return;
  listen(window, `${TOKEN}:note`, onNote);
  listen(window, `${TOKEN}:ask`, onAsk);
}

listenToAll();
// A document that is opened anew, as by a late `document.write`, loses all its listeners.
for (const name of ['open', 'write', 'writeln']) {
  standIn(Document.prototype, name, {
    apply(target, self, args) {
      const answer = apply(target, self, args);
      listenToAll();
      return answer;
    },
  });
}
