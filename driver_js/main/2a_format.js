/**
 * @fileoverview The arguments of a console call as one line of text.
 */

/**
 * The arguments of a console call on one line; `%s %d %i %f %o %O %c` are filled in.
 * @param {ArrayLike<any>} args
 * @param {number} count
 * @returns {string}
 */
function shownArguments(args, count) {
  if (count === 1 && typeof args[0] === 'string') return cut(args[0], SHOW_CHARS);
  const budget = {left: SHOW_CHARS, depth: 0, seen: null, json: false};
  let index = 0;
  let text = '';
  if (count > 1 && typeof args[0] === 'string' && indexOf(args[0], '%') >= 0) {
    const filled = fillIn(cut(args[0], SHOW_CHARS), args, count, budget);
    text = filled.text;
    index = filled.used;
  }
  for (; index < count && budget.left > 0; index += 1) {
    const word = typeof args[index] === 'string' ? cut(args[index], SHOW_CHARS) : shown(args[index], budget);
    budget.left -= word.length;
    text += `${index ? ' ' : ''}${word}`;
  }
  return cut(text, SHOW_CHARS);
}

/**
 * @param {string} format
 * @param {ArrayLike<any>} args
 * @param {number} count
 * @param {Budget} budget
 * @returns {{text: string, used: number}}
 */
function fillIn(format, args, count, budget) {
  let text = '';
  let used = 1;
  for (let index = 0; index < format.length; index += 1) {
    const mark = format[index] === '%' ? format[index + 1] : '';
    if (mark === '%') {
      text += '%';
      index += 1;
    } else if (mark && indexOf('sdifoOc', mark) >= 0 && used < count) {
      text += fillOne(mark, args[used], budget);
      used += 1;
      index += 1;
    } else {
      text += format[index];
    }
  }
  return {text, used};
}

/**
 * @param {string} mark
 * @param {any} value
 * @param {Budget} budget
 * @returns {string}
 */
function fillOne(mark, value, budget) {
  if (mark === 'c') return '';
  if (mark === 's' && typeof value === 'string') return cut(value, SHOW_CHARS);
  const primitive = typeof value !== 'object' && typeof value !== 'symbol' && typeof value !== 'function';
  if (primitive && (mark === 'd' || mark === 'i')) return toText(toInteger(value, 10));
  if (primitive && mark === 'f') return toText(toFloat(value));
  return shown(value, budget);
}
