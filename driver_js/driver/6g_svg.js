/**
 * @fileoverview Drawings: shapes outside of their SVG, and attributes that are no numbers.
 */

const SHAPES = 'rect,circle,ellipse,line,path,polygon,polyline,text,image';
const NO_NUMBER = /\b(NaN|undefined|Infinity)\b|\[object \w+\]/;

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function outsideSvg(scene) {
  const words = [];
  for (const svg of tagged(scene, 'svg').slice(0, 30)) {
    if (!(svg instanceof SVGSVGElement) || svg.ownerSVGElement || svg === /** @type {Element} */ (document.documentElement) || !isShown(svg) || isAside(svg)) continue;
    words.push(...outsideOf(svg));
    if (words.length >= 2) break;
  }
  return words;
}

/**
 * @param {SVGSVGElement} svg
 * @returns {string[]}
 */
function outsideOf(svg) {
  const frame = svg.getBoundingClientRect();
  if (frame.width < 40 || frame.height < 40 || getComputedStyle(svg).overflowX === 'visible') return [];
  if (hasMoving(svg) || isMoving(svg) || svg.querySelector('animate,animateTransform,animateMotion,set')) return [];
  const shapes = [...svg.querySelectorAll(SHAPES)].slice(0, 1500)
    .filter((shape) => !shape.closest('defs,symbol,clipPath,mask,pattern,marker,[clip-path],[mask]') && shape.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .map((element) => ({element, box: element.getBoundingClientRect()})).filter(({box}) => box.width > 0 || box.height > 0);
  const out = shapes.filter(({box}) => box.right <= frame.left || box.left >= frame.right || box.bottom <= frame.top || box.top >= frame.bottom);
  if (out.length && !mentions(/requestAnimationFrame|setInterval|zoom|\bpan|wheel|viewBox|drag|transition|animate|scroll/i)) {
    const group = wholeGroup(out.map((each) => each.element), svg);
    if (group || out.length >= shapes.length / 2) return [tellOutside(group || out[0].element, svg, out.length, shapes.length)];
  }
  return cutLabels(svg, frame, shapes);
}

/**
 * @param {Element[]} out
 * @param {Element} svg
 * @returns {Element | null} A group, with text or several shapes, of which nothing is inside.
 */
function wholeGroup(out, svg) {
  const isOut = new Set(out);
  for (const group of svg.querySelectorAll('g')) {
    const shapes = [...group.querySelectorAll(SHAPES)];
    const counts = shapes.length > 1 || shapes.some((shape) => shape.localName === 'text');
    if (counts && shapes.every((shape) => isOut.has(shape))) return group;
  }
  return null;
}

/**
 * @param {Element} element
 * @param {Element} svg
 * @param {number} out
 * @param {number} all
 * @returns {string}
 */
function tellOutside(element, svg, out, all) {
  const box = element.getBoundingClientRect();
  const frame = svg.getBoundingClientRect();
  const where = `at ${Math.round(box.x - frame.x)},${Math.round(box.y - frame.y)} of ${Math.round(frame.width)}×${Math.round(frame.height)} px`;
  return `${describe(element)} lies outside the svg ${nameOf(svg)}, ${where}: ${out} of its ${all} shapes are not visible`;
}

/**
 * Words of which the edge of the drawing cuts a good part.
 * @param {SVGSVGElement} svg
 * @param {DOMRect} frame
 * @param {{element: Element, box: DOMRect}[]} shapes
 * @returns {string[]}
 */
function cutLabels(svg, frame, shapes) {
  const cut = shapes.filter(({element, box}) => {
    if (element.localName !== 'text' || !/[\p{L}\p{N}]{2}/u.test(element.textContent || '')) return false;
    const across = Math.max(frame.left - box.left, box.right - frame.right);
    const down = Math.max(frame.top - box.top, box.bottom - frame.bottom);
    return (across > 8 && across > box.width * 0.3) || (down > 6 && down > box.height * 0.6);
  }).map((each) => each.element);
  if (!cut.length || mentions(/requestAnimationFrame|zoom|\bpan|wheel|viewBox|drag|scroll/i)) return [];
  return together(cut, (element) => `${describe(element)} is cut off by the edge of the svg ${nameOf(svg)}`);
}

const ODD_ATTRIBUTES = '[style*=NaN],[style*=undefined],a[href=undefined],a[href="[object Object]"],[placeholder=undefined]';

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function notNumbers(scene) {
  const found = [];
  const drawings = tagged(scene, 'svg').slice(0, 200).filter((svg) => NO_NUMBER.test(svg.outerHTML.slice(0, 2_000_000)));
  const inside = drawings.flatMap((svg) => [svg, ...svg.querySelectorAll('*')]);
  for (const element of [...inside, ...document.querySelectorAll(ODD_ATTRIBUTES)].slice(0, 4000)) {
    for (const {name, value} of element.attributes) {
      if (['class', 'id', 'd3', 'title'].includes(name) || name.startsWith('data-') || name.startsWith('on') || name.startsWith('aria-')) continue;
      if (!NO_NUMBER.test(value) || (!(element instanceof SVGElement) && !isValue(name, value))) continue;
      found.push({element, text: `has ${name}="${clip(value, 40)}"`});
      break;
    }
  }
  if (!found.length) return [];
  const more = found.length > 1 ? ` (and ${found.length - 1} more such attributes)` : '';
  return [`${describe(found[0].element)} ${found[0].text}${more}`];
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {boolean}
 */
const isValue = (name, value) => (name === 'style' ? /:\s*[^;]*\b(NaN|undefined)(px|%|em|rem|deg)?\b/.test(value) : /^(undefined|NaN|\[object \w+\])$/.test(value));
