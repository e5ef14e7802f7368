/**
 * @fileoverview Elements of the page's own frames are instances of their frame's classes, not of
 * ours: `instanceof` is taught to know them. Only the driver's world is touched.
 */

/** The classes that the driver asks for; there are hundreds, and each that is touched costs time. */
const KINDS = ['Element', 'HTMLElement', 'SVGElement', 'ShadowRoot', 'HTMLAnchorElement', 'HTMLCanvasElement', 'HTMLDetailsElement', 'HTMLFormElement',
  'HTMLIFrameElement', 'HTMLImageElement', 'HTMLInputElement', 'HTMLLabelElement', 'HTMLMediaElement', 'HTMLScriptElement', 'HTMLSelectElement',
  'HTMLSlotElement', 'HTMLTableElement', 'HTMLTextAreaElement', 'SVGSVGElement'];
const isInstance = Function.prototype[Symbol.hasInstance];
const ownerOf = /** @type {() => Document | null} */ (Object.getOwnPropertyDescriptor(Node.prototype, 'ownerDocument')?.get);

/**
 * Whether the value is an instance of the class of that name in its own frame.
 * @param {string} name
 * @param {any} value
 * @returns {boolean}
 */
function isOfFrame(name, value) {
  if (!isInstance.call(Node, value)) return Boolean(value && value.ownerDocument && isOf(name, value, value.ownerDocument));
  const owner = ownerOf.call(value);
  return owner !== null && owner !== document && isOf(name, value, owner);
}

/**
 * @param {string} name
 * @param {any} value
 * @param {Document} owner
 * @returns {boolean}
 */
function isOf(name, value, owner) {
  const theirs = /** @type {any} */ (owner.defaultView)?.[name];
  return typeof theirs === 'function' && isInstance.call(theirs, value);
}

for (const name of KINDS) {
  const kind = /** @type {any} */ (globalThis)[name];
  Object.defineProperty(kind, Symbol.hasInstance, {
    value: (/** @type {any} */ value) => isInstance.call(kind, value) || isOfFrame(name, value),
  });
}

/** @returns {Element | null} What has the focus, inside of shadow roots and frames too. */
function focusedElement() {
  let focus = document.activeElement;
  for (let depth = 0; focus && depth < 20; depth += 1) {
    const inner = focus.shadowRoot?.activeElement || (focus instanceof HTMLIFrameElement ? focus.contentDocument?.activeElement : null);
    if (!inner || inner.localName === 'body') break;
    focus = inner;
  }
  return focus;
}
