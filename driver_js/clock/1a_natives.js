/** @fileoverview Builtins that only the virtual clock needs, as they are before the page's scripts. */

const NativeWeakMap = WeakMap;
const weakGet = uncurried(WeakMap.prototype.get);
const weakSet = uncurried(WeakMap.prototype.set);
const NativeWeakSet = WeakSet;
const weakHas = uncurried(WeakSet.prototype.has);
const weakAdd = uncurried(WeakSet.prototype.add);
const weakRemove = uncurried(WeakSet.prototype.delete);
const later = setTimeout;
const forget = clearTimeout;
const dateNow = Date.now;
const dataUrl = uncurried(HTMLCanvasElement.prototype.toDataURL);
const charCode = uncurried(String.prototype.charCodeAt);
const matched = uncurried(RegExp.prototype.exec);
const fromBase64 = atob;
