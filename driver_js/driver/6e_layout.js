/**
 * @fileoverview What does not fit: pages wider than the view, text cut by its box, boxes that
 * their content leaves.
 */

const ROOM = ['height', 'max-height', 'width', 'max-width', 'overflow', 'overflow-x', 'overflow-y', '-webkit-line-clamp', 'transform', 'translate', 'inset', 'top', 'left', 'margin-top', 'margin-left', 'white-space'];
const SHIFTS = /scroll|translate|style\.(height|maxHeight|top|left|transform|margin|overflow|cssText)|\.css\(|animate\(|gsap|drag|swipe|wheel/i;

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function overflow(scene) {
  const root = document.documentElement;
  const beyond = root.scrollWidth - root.clientWidth;
  if (beyond < 4 || root.localName !== 'html' || !document.body || document.contentType !== 'text/html') return [];
  const styles = [getComputedStyle(root), getComputedStyle(document.body)];
  if (styles.some((style) => style.overflowX !== 'visible' || style.scrollSnapType !== 'none')) return [];
  const reach = root.scrollWidth - 2;
  const edge = root.clientWidth + 3;
  const widest = scene.seen.filter(({element, box}) => box.right + scene.x > edge && box.width > 0 && isShown(element));
  if (widest.some(({element}) => isMoving(element)) || mentionsSideways()) return [];
  const [culprit] = widest.filter(({box}) => box.right + scene.x >= reach).concat(widest.sort((a, b) => b.box.right - a.box.right));
  const name = culprit ? `, because of ${describe(culprit.element)}, ${Math.round(culprit.box.width)} px wide` : '';
  return [`horizontal overflow: the page is ${beyond} px wider than the view (${root.scrollWidth} of ${root.clientWidth} px)${name}`];
}

/** @returns {boolean} Whether the wheel moves the page sideways. */
const mentionsSideways = () => /scroll(Left|By|To)[^;]*delta[XY]|delta[XY][^;]*scroll(Left|By|To)/.test(code().text);

/**
 * Boxes that cut lines of text which nothing can bring to light.
 * @param {Scene} scene
 * @returns {string[]}
 */
function clipped(scene) {
  const boxes = overfull(scene, 6);
  const found = /** @type {{element: Element, lost: string}[]} */ ([]);
  for (const {element} of boxes) {
    const style = getComputedStyle(element);
    const cuts = [style.overflowX, style.overflowY].some((each) => ['hidden', 'clip'].includes(each));
    if (!cuts || element === document.body || element === document.documentElement || !mayCut(element, style)) continue;
    const lost = lostText(element, style, scene);
    if (lost && keepsCutting(element)) found.push({element, lost});
    if (found.length > MANY) break;
  }
  return groups(found.map((each) => each.element), kindOf).slice(0, 2).flatMap((alike) => together(alike, (element) => {
    const lost = found.find((each) => each.element === element)?.lost || '';
    return `${describe(element)} cuts off its content (overflow: hidden, ${element.clientWidth}×${element.clientHeight} px for ${element.scrollWidth}×${element.scrollHeight}): ${lost}`;
  }));
}

/** @type {{scene: Scene, list: Seen[]} | null} */
let fullBoxes = null;

/**
 * @param {Scene} scene
 * @param {number} by
 * @returns {Seen[]} Boxes that hold more than they have room for, by more than so many pixels.
 */
function overfull(scene, by) {
  const isFull = (/** @type {Element} */ element, /** @type {number} */ most) => {
    const height = element.clientHeight;
    return height > 0 && (element.scrollHeight > height + most || element.scrollWidth > element.clientWidth + most);
  };
  if (fullBoxes?.scene !== scene) {
    const large = scene.seen.filter(({element, box}) => box.width > 4 && box.height > 4 && element instanceof HTMLElement);
    fullBoxes = {scene, list: sample(large, MANY * 4).filter(({element}) => isFull(element, 6)).slice(0, 300)};
  }
  return by > 6 ? fullBoxes.list.filter(({element}) => isFull(element, by)) : fullBoxes.list;
}

/**
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @returns {boolean}
 */
function mayCut(element, style) {
  if (style.textOverflow !== 'clip' || style.webkitLineClamp !== 'none' || style.maskImage !== 'none' || style.clipPath !== 'none') return false;
  if (style.display === 'inline' || style.scrollSnapType !== 'none' || /icon|material|symbol|marquee|ticker|carousel|slider|track|preview|excerpt|truncat|ellipsis|fade|viewport|odometer|reel/i.test(element.className)) return false;
  if (['::before', '::after'].some((name) => !['none', 'normal'].includes(getComputedStyle(element, name).content))) return false;
  return isShown(element) && element.checkVisibility({opacityProperty: true}) && !isAside(element);
}

/**
 * The first line that is cut or lost; text out of the flow is left to its author.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @param {Scene} scene
 * @returns {string}
 */
function lostText(element, style, scene) {
  const outer = element.getBoundingClientRect();
  const edge = {right: outer.left + element.clientLeft + element.clientWidth, bottom: outer.top + element.clientTop + element.clientHeight};
  const owners = [element, ...element.querySelectorAll('*')].slice(0, 600).filter((each) => scene.texts.has(each));
  for (const owner of owners) {
    if (!isShown(owner) || !flowsIn(owner, element)) continue;
    for (const box of textBoxes(owner)) {
      const down = style.overflowY !== 'visible' && box.height < 200 ? box.bottom - edge.bottom : 0;
      const across = style.overflowX !== 'visible' ? box.right - edge.right : 0;
      const isLost = down > box.height * 0.45 || (across > 12 && across > box.width * 0.15);
      if (isLost) return `${owner === element ? 'its text' : describe(owner)} is ${box.top >= edge.bottom || box.left >= edge.right ? 'not visible' : 'cut off'}`;
    }
  }
  return '';
}

/**
 * @param {Element} owner
 * @param {Element} box
 * @returns {boolean} Whether nothing between lifts, scrolls, cuts or abridges it.
 */
function flowsIn(owner, box) {
  for (let node = /** @type {Element | null} */ (owner); node && node !== box; node = parentOf(node)) {
    const style = getComputedStyle(node);
    if (!['static', 'relative'].includes(style.position) || style.transform !== 'none' || style.translate !== 'none') return false;
    if (style.overflowY !== 'visible' || style.textOverflow !== 'clip' || style.visibility !== 'visible' || style.opacity === '0') return false;
    if (style.float !== 'none' || style.clipPath !== 'none') return false;
  }
  return true;
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function keepsCutting(element) {
  if (isMoving(element) || hasMoving(element) || element.closest('details,[role=tabpanel],[aria-roledescription],[data-carousel]')) return false;
  if (mentions(SHIFTS)) return false;
  return ![element, ...childrenOf(element)].slice(0, 40).some((node) => mayChange(node, ROOM));
}

/**
 * Boxes that one can see the edge of and that their own content leaves.
 * @param {Scene} scene
 * @returns {string[]}
 */
function spills(scene) {
  const found = /** @type {{element: Element, out: Element}[]} */ ([]);
  const most = innerWidth * 0.9;
  for (const {element, box} of overfull(scene, 12)) {
    if (box.width < 60 || box.height < 24 || box.width > most) continue;
    const style = getComputedStyle(element);
    if (!isBox(element, style) || isAside(element) || !isInFlow(element) || !isShown(element)) continue;
    const out = [...element.querySelectorAll('*')].slice(0, 300).find((child) => leaves(child, element, box));
    if (out && !isMoving(out) && !mentions(SHIFTS)) found.push({element, out});
    if (found.length > MANY) break;
  }
  return groups(found.map((each) => each.element), kindOf).slice(0, 2).flatMap((alike) => together(alike, (element) => {
    const out = /** @type {Element} */ (found.find((each) => each.element === element)?.out);
    const [inner, outer] = [out.getBoundingClientRect(), element.getBoundingClientRect()];
    const by = Math.max(inner.right - outer.right, inner.bottom - outer.bottom);
    return `${describe(out)} sticks out of ${describe(element)} by ${Math.round(by)} px`;
  }));
}

/**
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @returns {boolean} Whether it has an edge to be seen and holds what flows in it.
 */
function isBox(element, style) {
  if (style.overflowX !== 'visible' || style.display === 'inline' || style.transform !== 'none' || /bar|fill|progress|track|gantt|timeline/i.test(element.className)) return false;
  const hasEdge = ['top', 'right', 'bottom', 'left'].every((side) => parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0);
  return hasEdge && element.childElementCount > 0;
}

/**
 * @param {Element} child
 * @param {Element} element
 * @param {DOMRect} outer
 * @returns {boolean}
 */
function leaves(child, element, outer) {
  if (!child.matches('p,button,input,select,textarea,img,table,pre,ul,ol,h1,h2,h3,h4,form,article,video,canvas') || !isShown(child)) return false;
  const box = child.getBoundingClientRect();
  const by = Math.max(box.right - outer.right, box.bottom - outer.bottom);
  if (by < 12 || box.left > outer.right || getComputedStyle(child).position !== 'static') return false;
  if (child.parentElement && child.parentElement !== element && !flowsIn(child.parentElement, element)) return false;
  for (let node = /** @type {Element | null} */ (child); node && node !== element; node = node.parentElement) {
    const style = getComputedStyle(node);
    if (['top', 'right', 'bottom', 'left'].some((side) => parseFloat(style.getPropertyValue(`margin-${side}`)) < 0)) return false;
    if (style.transform !== 'none' || style.float !== 'none' || (style.position === 'relative' && (style.top !== 'auto' || style.left !== 'auto'))) return false;
  }
  return true;
}
