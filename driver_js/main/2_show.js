/**
 * @fileoverview Values as a developer tool would show them, on one line, bounded. Getters are not
 * run; a value that throws when looked at is named so.
 */

const SHOW_CHARS = 600;
const SHOW_DEPTH = 3;
const SHOW_ITEMS = 20;

/**
 * @typedef {{left: number, depth: number, seen: {value: object, next: any} | null, json: boolean}} Budget
 *   How much may still be shown, and where we are; `json` spells plain values as JSON does and goes
 *   as deep as the characters reach.
 */

/**
 * @param {any} value
 * @returns {string}
 */
function show(value) {
  return cut(shown(value, {left: SHOW_CHARS, depth: 0, seen: null, json: false}), SHOW_CHARS);
}

/**
 * @param {Budget} budget
 * @returns {boolean}
 */
const tooDeep = (budget) => budget.depth > (budget.json ? 12 : SHOW_DEPTH);

/**
 * @param {string} text
 * @param {number} chars
 * @returns {string}
 */
function cut(text, chars) {
  return text.length <= chars ? text : `${slice(text, 0, chars - 1)}…`;
}

/**
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shown(value, budget) {
  const text = shownUncounted(value, budget);
  budget.left -= text.length;
  return text;
}

/**
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownUncounted(value, budget) {
  switch (typeof value) {
    case 'string':
      return quoted(value, budget.left);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return symbolText(value);
    case 'function':
      return shownFunction(value);
    case 'object':
      return value === null ? 'null' : shownObject(value, budget);
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : toText(value);
    default:
      return toText(value);
  }
}

/**
 * @param {string} text
 * @param {number} chars
 * @returns {string}
 */
function quoted(text, chars) {
  const most = chars > 16 ? chars : 16;
  return stringify(text.length > most ? `${slice(text, 0, most)}…` : text);
}

/**
 * @param {Function} value
 * @returns {string}
 */
function shownFunction(value) {
  try {
    const isClass = startsWith(functionText(value), 'class');
    const name = ownDescriptor(value, 'name')?.value;
    return `${isClass ? 'class' : 'ƒ'} ${typeof name === 'string' && name ? cut(name, 60) : '(anonymous)'}`;
  } catch {
    return 'ƒ (anonymous)';
  }
}

/**
 * @param {object} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownObject(value, budget) {
  for (let outer = budget.seen; outer; outer = outer.next) {
    if (outer.value === value) return '[Circular]';
  }
  const before = budget.seen;
  budget.seen = {value, next: before};
  budget.depth += 1;
  try {
    return shownByKind(value, budget);
  } catch {
    return '[value that throws when looked at]';
  } finally {
    budget.depth -= 1;
    budget.seen = before;
  }
}

/**
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownByKind(value, budget) {
  if (isArray(value)) return shownList(value, value.length, `(${value.length}) `, budget);
  if (hasProto(PROTO.error, value)) return shownError(value, budget);
  if (hasProto(PROTO.node, value)) return shownNode(value);
  if (hasProto(PROTO.map, value)) return shownMap(value, budget);
  if (hasProto(PROTO.set, value)) return shownSet(value, budget);
  if (hasProto(PROTO.date, value)) return dateTime(value) === dateTime(value) ? dateText(value) : 'Invalid Date';
  if (hasProto(PROTO.regexp, value)) return regexpText(value);
  if (hasProto(PROTO.promise, value)) return 'Promise';
  if (hasProto(PROTO.event, value)) return `${className(value)} {type: "${eventType(value)}"}`;
  if (isView(value) && protoOf(value) !== DataView.prototype) {
    return shownList(value, viewLength(value), `${viewName(value)}(${viewLength(value)}) `, budget);
  }
  if (hasProto(PROTO.buffer, value)) return `ArrayBuffer(${bufferLength(value)})`;
  if (hasProto(PROTO.nodes, value)) return shownNodes(value, nodesLength(value), budget);
  if (hasProto(PROTO.elements, value)) return shownNodes(value, elementsLength(value), budget);
  if (value === window) return 'Window';
  return shownBoxed(value, budget) || shownFields(value, budget);
}

/**
 * `new String('s')` and its like: what is inside; nothing for any other object.
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownBoxed(value, budget) {
  for (let index = 0; index < UNBOX.length; index += 1) {
    const {proto, unbox} = UNBOX[index];
    if (hasProto(proto, value)) return `${className(value)} {${shown(unbox(value), budget)}}`;
  }
  return '';
}

/**
 * @param {any} value
 * @param {number} length
 * @param {Budget} budget
 * @returns {string}
 */
function shownNodes(value, length, budget) {
  return shownList(value, length, `${className(value)}(${length}) `, budget);
}

/**
 * @param {any} value
 * @returns {string}
 */
function className(value) {
  const proto = protoOf(value);
  if (proto === null) return '';
  const maker = ownDescriptor(proto, 'constructor')?.value;
  const name = typeof maker === 'function' && ownDescriptor(maker, 'name')?.value;
  return typeof name === 'string' && name ? cut(name, 60) : 'Object';
}

/**
 * @param {any} value
 * @param {number} length
 * @param {string} prefix
 * @param {Budget} budget
 * @returns {string}
 */
function shownList(value, length, prefix, budget) {
  if (tooDeep(budget)) return `${prefix}[…]`;
  let text = '';
  const most = budget.json ? length : minimum(length, SHOW_ITEMS);
  let index = 0;
  for (; index < most && budget.left > 0; index += 1) {
    const item = ownDescriptor(value, toText(index));
    const word = item === undefined ? 'empty' : 'value' in item ? shown(item.value, budget) : '(…)';
    text += index ? `${budget.json ? ',' : ', '}${word}` : word;
  }
  if (index < length) text += `, … ${length - index} more`;
  const counted = prefix[0] === '(' ? length > 5 && !budget.json : true;
  return `${counted ? prefix : ''}[${text}]`;
}

/**
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownFields(value, budget) {
  const name = className(value);
  const prefix = name && name !== 'Object' ? `${name} ` : '';
  const keys = ownKeys(value);
  if (tooDeep(budget)) return `${prefix}{${keys.length ? '…' : ''}}`;
  let text = '';
  let count = 0;
  for (let index = 0; index < keys.length; index += 1) {
    const field = ownDescriptor(value, keys[index]);
    if (!field || !field.enumerable) continue;
    if ((count === SHOW_ITEMS && !budget.json) || budget.left <= 0) {
      text += ', …';
      break;
    }
    const word = 'value' in field ? shown(field.value, budget) : '(…)';
    text += budget.json
      ? `${count ? ',' : ''}${jsonKey(keys[index])}:${word}`
      : `${count ? ', ' : ''}${shownKey(keys[index])}: ${word}`;
    count += 1;
  }
  return `${prefix}{${text}}`;
}

/**
 * @param {string | symbol} key
 * @returns {string}
 */
function shownKey(key) {
  if (typeof key === 'symbol') return `[${symbolText(key)}]`;
  const short = cut(key, 60);
  return plainKey(short) ? short : stringify(short);
}

/**
 * @param {string | symbol} key
 * @returns {string}
 */
function jsonKey(key) {
  return typeof key === 'symbol' ? `[${symbolText(key)}]` : stringify(cut(key, 200));
}

/**
 * @param {string} key
 * @returns {boolean}
 */
function plainKey(key) {
  if (!key) return false;
  for (let index = 0; index < key.length; index += 1) {
    const char = key[index];
    const letter = (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_' || char === '$';
    const digit = char >= '0' && char <= '9';
    if (!letter && !digit) return false;
  }
  return true;
}

/**
 * The name and message of an error, its own fields, its cause and what it gathers, and nothing of
 * its stack (the place is told apart).
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownError(value, budget) {
  return `${errorText(value)}${errorDetails(value, budget)}`;
}

/**
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function errorDetails(value, budget) {
  if (tooDeep(budget)) return '';
  let text = '';
  const keys = ownKeys(value);
  for (let index = 0; index < keys.length && index < SHOW_ITEMS && budget.left > 0; index += 1) {
    const field = ownDescriptor(value, keys[index]);
    const told = keys[index] === 'name' || keys[index] === 'message' || keys[index] === 'stack';
    const kept = field && 'value' in field && (field.enumerable || keys[index] === 'cause' || keys[index] === 'errors');
    if (kept && !told) text += `${text ? ', ' : ''}${shownKey(keys[index])}: ${shown(field.value, budget)}`;
  }
  return text ? ` (${text})` : '';
}

/**
 * @param {any} value
 * @returns {string}
 */
function errorText(value) {
  const message = toText(value.message);
  const name = toText(value.name);
  return cut(message ? `${name}: ${message}` : name, SHOW_CHARS);
}

/**
 * @param {any} value
 * @returns {string}
 */
function shownNode(value) {
  const type = nodeType(value);
  if (type === 3) return `#text ${quoted(nodeText(value), 60)}`;
  if (type !== 1) return nodeName(value);
  const id = attribute(value, 'id');
  const names = attribute(value, 'class');
  const marks = `${id ? ` id="${cut(id, 40)}"` : ''}${names ? ` class="${cut(names, 60)}"` : ''}`;
  return `<${lowerCase(nodeName(value))}${marks}>`;
}

/**
 * @param {Map<any, any>} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownMap(value, budget) {
  let text = '';
  let count = 0;
  if (!tooDeep(budget)) {
    mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      count += 1;
      if (count <= SHOW_ITEMS && budget.left > 0) {
        text += `${count > 1 ? ', ' : ''}${shown(key, budget)} => ${shown(item, budget)}`;
      }
    });
  }
  return `Map(${mapSize(value)}) {${text}${count > SHOW_ITEMS ? ', …' : ''}}`;
}

/**
 * @param {Set<any>} value
 * @param {Budget} budget
 * @returns {string}
 */
function shownSet(value, budget) {
  let text = '';
  let count = 0;
  if (!tooDeep(budget)) {
    setForEach(value, (/** @type {any} */ item) => {
      count += 1;
      if (count <= SHOW_ITEMS && budget.left > 0) text += `${count > 1 ? ', ' : ''}${shown(item, budget)}`;
    });
  }
  return `Set(${setSize(value)}) {${text}${count > SHOW_ITEMS ? ', …' : ''}}`;
}
