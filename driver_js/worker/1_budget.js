/**
 * @fileoverview What runs in a worker before its own script: a console and errors with a budget,
 * since each line costs the host as much as the worker. The file becomes one strict function.
 */

const MOST_LINES = 60;
const MOST_ERRORS = 20;
const MOST_CHARS = 600;

const apply = Reflect.apply;
const stringify = JSON.stringify;
const toText = String;
const slice = String.prototype.slice;
const kindOf = Object.prototype.toString;
const NativeError = Error;
const warn = console.warn;

let lines = 0;
let errors = 0;

/**
 * @param {string} text
 * @returns {string}
 */
const cut = (text) => (text.length > MOST_CHARS ? `${apply(slice, text, [0, MOST_CHARS])}…` : text);

/**
 * @param {any} value
 * @returns {string}
 */
function shown(value) {
  try {
    if (typeof value === 'string') return cut(value);
    if (value instanceof NativeError) return cut(`${value.name}: ${value.message}`);
    if (typeof value === 'object' && value) return cut(stringify(value));
    return cut(toText(value));
  } catch {
    return apply(kindOf, value, []);
  }
}

/**
 * @param {any[]} args
 * @param {number} from
 * @returns {string}
 */
function joined(args, from) {
  let text = '';
  for (let index = from; index < args.length && text.length < MOST_CHARS; index += 1) {
    text += `${index > from ? ' ' : ''}${shown(args[index])}`;
  }
  return cut(text);
}

/**
 * @param {string} name
 * @returns {ProxyHandler<any>}
 */
function traps(name) {
  return {
    apply(native, self, args) {
      lines += 1;
      if (lines === MOST_LINES) return apply(warn, self, ['further console lines of this worker are left out']);
      if (lines > MOST_LINES) return undefined;
      if (name === 'assert') return apply(native, self, [Boolean(args[0]), joined(args, 1)]);
      return apply(native, self, args.length ? [joined(args, 0)] : []);
    },
  };
}

/** @param {Event} event */
function onError(event) {
  errors += 1;
  if (errors > MOST_ERRORS) event.preventDefault();
}

for (const [name, native] of Object.entries(console)) {
  const prints = typeof native === 'function' && name !== 'createTask' && name !== 'context';
  if (prints) /** @type {any} */ (console)[name] = new Proxy(native, traps(name));
}
addEventListener('error', onError);
addEventListener('unhandledrejection', onError);
