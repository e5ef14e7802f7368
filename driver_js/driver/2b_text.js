/**
 * @fileoverview Elements by the text that a person reads on them.
 */

const CLICKABLE = 'button,a,[role=button],[role=tab],[role=menuitem],[role=option],label,summary,option';
const LABELLED = 'input,textarea,select,[aria-label],[alt],[title],' + CLICKABLE;

/**
 * What shows this text or is labelled with it, exact matches only where there are any; a control
 * stands for the text inside it.
 * @param {string} text
 * @returns {Element[]}
 */
function byText(text) {
  const wanted = squeeze(text).toLowerCase();
  const found = [...new Set([...ownersOf(wanted), ...labelledWith(wanted)])].filter(isShown);
  const labelled = new Set(found.map((element) => (element instanceof HTMLLabelElement ? element.control : null)));
  const all = found.filter((element) => !labelled.has(/** @type {HTMLElement} */ (element)));
  const exact = all.filter((element) => labelOf(element).toLowerCase() === wanted);
  const rank = (/** @type {Element} */ element) => (element.matches(CLICKABLE) ? 0 : 1000) + labelOf(element).length;
  return (exact.length ? exact : all).sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {string} wanted
 * @returns {Element[]} The controls, else the elements, whose own text holds it.
 */
function ownersOf(wanted) {
  const found = [];
  for (const root of roots()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (!owner || !squeeze(node.nodeValue || '').toLowerCase().includes(wanted)) continue;
      if (!owner.closest('script,style,template,noscript')) found.push(owner.closest(CLICKABLE) || owner);
    }
  }
  return found;
}

/**
 * @param {string} wanted
 * @returns {Element[]}
 */
function labelledWith(wanted) {
  return roots().flatMap((root) => [...root.querySelectorAll(LABELLED)])
    .filter((element) => labelOf(element).toLowerCase().includes(wanted));
}
