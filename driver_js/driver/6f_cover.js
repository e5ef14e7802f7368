/**
 * @fileoverview Controls that a hand cannot reach, since something else lies over them.
 */

const MOST_HITS = 60;
const LAYERS = 'dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[role=status],[role=alert],[popover],[aria-modal=true],[aria-live]';

/**
 * @param {Scene} scene
 * @returns {string[]}
 */
function covered(scene) {
  const inView = scene.controls.filter(({element, box}) => box.width > 3 && box.height > 3 && box.left >= 0 && box.top >= 0 &&
    box.right <= innerWidth && box.bottom <= innerHeight && !element.matches('[type=checkbox],[type=radio],[type=file],[type=range],[type=color]'));
  /** @type {Map<Element, Element[]>} */
  const covers = new Map();
  for (const {element, box} of sample(inView, MANY).slice(0, MOST_HITS)) {
    const cover = coverOf(element, box);
    if (cover) covers.set(cover, [...(covers.get(cover) || []), element]);
  }
  const certain = [...covers].filter(([cover, under]) => staysOver(cover, under[0], scene));
  return certain.slice(0, 2).map(([cover, under]) => {
    const more = under.length > 1 ? ` and ${others(under)} more control${under.length > 2 ? 's' : ''}` : '';
    const how = isClear(cover) ? 'an invisible ' : '';
    return `${describe(under[0])}${more} ${more ? 'are' : 'is'} covered by ${how}${describe(cover)}, which takes the clicks`;
  });
}

/**
 * The one foreign element that lies over the middle and all corners.
 * @param {Element} element
 * @param {DOMRect} box
 * @returns {Element | null}
 */
function coverOf(element, box) {
  if (getComputedStyle(element).pointerEvents === 'none' || !isShown(element)) return null;
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const insets = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
  let cover = null;
  for (const [u, v] of insets) {
    const hit = root.elementFromPoint(box.left + box.width * u, box.top + box.height * v);
    if (!hit || reaches(hit, element) || hit.contains(element)) return null;
    const layer = lineage(hit).findLast((node) => !node.contains(element)) || hit;
    if (cover && cover !== layer) return null;
    cover = layer;
  }
  return cover;
}

/**
 * The part of a cover that holds the place: the cover stands in the flow or is layered itself.
 * @param {Element} cover
 * @param {Element} control
 * @param {Scene} scene
 * @returns {boolean}
 */
function staysOver(cover, control, scene) {
  if (cover.matches('a,button,label,input,select,summary,textarea,iframe,html,body') || isAside(control)) return false;
  if (!control.checkVisibility({opacityProperty: true, visibilityProperty: true}) || isMoving(cover) || isMoving(control)) return false;
  if (document.querySelector('dialog:modal,:popover-open') || lineage(control).some((node) => getComputedStyle(node).backfaceVisibility === 'hidden')) return false;
  if (isClear(cover)) return hasNothingOpen(cover, scene);
  if (cover.closest(LAYERS) || cover.querySelector(CONTROLS)) return false;
  const style = getComputedStyle(cover);
  const box = cover.getBoundingClientRect();
  if (box.width * box.height > innerWidth * innerHeight * 0.4) return false;
  if (style.position === 'fixed' || style.position === 'sticky') return isFixedOver(style, box, control);
  const isFlow = ['static', 'relative'].includes(style.position);
  if (style.transform !== 'none' || cover.querySelector('[style*=transform]')) return false;
  if (isFlow) return !mentions(/translate|\.style\.transform|drag/i);
  const names = [idOf(cover), ...cover.classList].filter(Boolean);
  if (!code().whole || names.some((name) => code().text.includes(name))) return false;
  return !mayChange(cover, ['display', 'visibility', 'opacity', 'transform', 'translate', 'top', 'left', 'right', 'bottom', 'pointer-events', 'height', 'max-height', 'z-index']);
}

/**
 * A fixed bar at an edge, over a control that no scrolling frees.
 * @param {CSSStyleDeclaration} style
 * @param {DOMRect} box
 * @param {Element} control
 * @returns {boolean}
 */
function isFixedOver(style, box, control) {
  if (style.position !== 'fixed' || !isInFlow(control) || lineage(control).some((node) => node.scrollHeight > node.clientHeight + 4 && node !== document.documentElement && node !== document.body)) return false;
  if (control.matches('a[href^="#"]') || mentions(/scroll/i)) return false;
  const atTop = box.top <= 0 && scrollY === 0;
  return atTop && box.width > innerWidth * 0.8 && box.height < innerHeight * 0.3;
}

/**
 * Whether one sees nothing of the element: it lets all of what is behind shine through.
 * @param {Element} cover
 * @returns {boolean}
 */
function isClear(cover) {
  if (!cover.checkVisibility({opacityProperty: true})) return true;
  const parts = [cover, ...cover.querySelectorAll('*')];
  if (parts.length > 400) return false;
  return parts.every((part) => {
    if (!part.checkVisibility({opacityProperty: true, visibilityProperty: true})) return true;
    const style = getComputedStyle(part);
    if (part.matches('img,video,iframe,svg,canvas,object,embed,input,select,textarea,button') || ownText(part)) return false;
    const pseudo = ['::before', '::after'].some((name) => !['none', 'normal'].includes(getComputedStyle(part, name).content));
    return !pseudo && style.backgroundImage === 'none' && alphaOf(style.backgroundColor) === 0 && style.boxShadow === 'none' &&
      style.backdropFilter === 'none' && ['Top', 'Right', 'Bottom', 'Left'].every((side) => parseFloat(/** @type {any} */ (style)[`border${side}Width`]) === 0);
  });
}

/**
 * A clear layer behind an open menu catches the click that closes it; with nothing open it only
 * stands in the way.
 * @param {Element} cover
 * @param {Scene} scene
 * @returns {boolean}
 */
function hasNothingOpen(cover, scene) {
  const style = getComputedStyle(cover);
  if (!['absolute', 'fixed', 'relative', 'sticky'].includes(style.position)) return false;
  if (attributeOf(cover, 'aria-hidden') === 'true' && parseFloat(style.opacity) > 0) return false;
  const depth = (/** @type {Element} */ element) => parseInt(getComputedStyle(element).zIndex, 10) || 0;
  const level = depth(cover);
  return !scene.seen.some(({element, box}) => {
    if (box.width < 20 || box.height < 20 || cover.contains(element) || element.contains(cover)) return false;
    const {position} = getComputedStyle(element);
    return ['absolute', 'fixed'].includes(position) && depth(element) >= level && isShown(element) && !isClear(element);
  });
}
