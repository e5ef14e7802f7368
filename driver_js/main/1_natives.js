/**
 * @fileoverview The builtins as they are before any script of the page has run. Everything in
 * `main/` uses these, so a page that redefines builtins neither breaks nor fools what is reported.
 * The files of this folder become one strict function in the page's own world, in every frame.
 */

/** Replaced by the host: known to nobody but it and the driver. */
const TOKEN = '__TOKEN__';

const apply = Reflect.apply;
const construct = Reflect.construct;
const ownKeys = Reflect.ownKeys;
const protoOf = Reflect.getPrototypeOf;
const ownDescriptor = Reflect.getOwnPropertyDescriptor;
const createObject = Object.create;
const defineProperty = Object.defineProperty;
const isArray = Array.isArray;
const isView = ArrayBuffer.isView;
const toText = String;
const toNumber = Number;
const toInteger = Number.parseInt;
const toFloat = Number.parseFloat;
const minimum = Math.min;
const rounded = Math.round;
const stringify = JSON.stringify;
const NativeProxy = Proxy;
const NativeError = Error;
const NativeMap = Map;
const NativeSet = Set;
const NativeURL = URL;
const NativePromise = Promise;
const NativeCustomEvent = CustomEvent;

/**
 * @param {Function} method
 * @returns {(self: any, ...args: any[]) => any}
 */
const uncurried = (method) => (self, ...args) => apply(method, self, args);

/**
 * @param {any} proto
 * @param {PropertyKey} name
 * @returns {(self: any) => any}
 */
const getter = (proto, name) => {
  const get = /** @type {Function} */ (ownDescriptor(proto, name)?.get);
  return (self) => apply(get, self, []);
};

const listen = uncurried(EventTarget.prototype.addEventListener);
const dispatch = uncurried(EventTarget.prototype.dispatchEvent);
const prevent = uncurried(Event.prototype.preventDefault);
const isTrustedEvent = (/** @type {Event} */ event) => event.isTrusted;
const targetOf = getter(Event.prototype, 'target');
const detailOf = getter(CustomEvent.prototype, 'detail');
const slice = uncurried(String.prototype.slice);
const indexOf = uncurried(String.prototype.indexOf);
const replaceAll = uncurried(String.prototype.replaceAll);
const startsWith = uncurried(String.prototype.startsWith);
const lowerCase = uncurried(String.prototype.toLowerCase);
const hasProto = uncurried(Object.prototype.isPrototypeOf);
const functionText = uncurried(Function.prototype.toString);
const then = uncurried(Promise.prototype.then);
const now = uncurried(Performance.prototype.now);
const clock = performance;
const nextFrame = requestAnimationFrame;

/** Prototypes whose instances are shown in their own way. */
const PROTO = {
  error: Error.prototype,
  map: Map.prototype,
  set: Set.prototype,
  date: Date.prototype,
  regexp: RegExp.prototype,
  promise: Promise.prototype,
  node: Node.prototype,
  event: Event.prototype,
  buffer: ArrayBuffer.prototype,
  nodes: NodeList.prototype,
  elements: HTMLCollection.prototype,
  anchor: HTMLAnchorElement.prototype,
};
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const mapForEach = uncurried(Map.prototype.forEach);
const setForEach = uncurried(Set.prototype.forEach);
const dateTime = uncurried(Date.prototype.getTime);
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const nodesLength = getter(NodeList.prototype, 'length');
const elementsLength = getter(HTMLCollection.prototype, 'length');
const fixed = uncurried(Number.prototype.toFixed);
/** Objects that hold a plain value, and how to take it out. */
const UNBOX = [
  {proto: String.prototype, unbox: uncurried(String.prototype.valueOf)},
  {proto: Number.prototype, unbox: uncurried(Number.prototype.valueOf)},
  {proto: Boolean.prototype, unbox: uncurried(Boolean.prototype.valueOf)},
  {proto: BigInt.prototype, unbox: uncurried(BigInt.prototype.valueOf)},
  {proto: Symbol.prototype, unbox: uncurried(Symbol.prototype.valueOf)},
];
const dateText = uncurried(Date.prototype.toISOString);
const regexpText = uncurried(RegExp.prototype.toString);
const symbolText = uncurried(Symbol.prototype.toString);
const viewLength = getter(protoOf(Uint8Array.prototype), 'length');
const viewName = getter(protoOf(Uint8Array.prototype), Symbol.toStringTag);
const nodeType = getter(Node.prototype, 'nodeType');
const nodeName = getter(Node.prototype, 'nodeName');
const nodeText = getter(Node.prototype, 'textContent');
const isConnected = getter(Node.prototype, 'isConnected');
const linkAddress = getter(HTMLAnchorElement.prototype, 'href');
const attribute = uncurried(Element.prototype.getAttribute);
const eventType = getter(Event.prototype, 'type');
