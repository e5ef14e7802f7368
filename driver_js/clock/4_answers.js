/**
 * @fileoverview What the page waits for that takes no time of its own: its files, and what Chromium
 * does beside the page's thread. The host lets time pass once nothing is on its way any more.
 */

const awaits = () => tellTop('awaits', 1);
const arrived = () => tellTop('awaits', -1);

/** @type {ProxyHandler<any>} */
const promiseTraps = {
  apply(target, self, args) {
    const promise = apply(target, self, args);
    awaits();
    then(promise, arrived, arrived);
    return promise;
  },
};

/**
 * Waits for the first of three events.
 * @param {any} target
 * @param {string} one
 * @param {string} two
 * @param {string} three
 */
function awaitEvent(target, one, two, three) {
  let isAwaited = true;
  const hear = () => {
    if (isAwaited) arrived();
    isAwaited = false;
  };
  awaits();
  listen(target, one, hear);
  listen(target, two, hear);
  listen(target, three, hear);
}

/** @type {ProxyHandler<any>} */
const requestTraps = {
  apply(target, self, args) {
    const request = apply(target, self, args);
    awaitEvent(request, 'success', 'error', 'blocked');
    return request;
  },
};

/** @type {ProxyHandler<any>} */
const transactionTraps = {
  apply(target, self, args) {
    const transaction = apply(target, self, args);
    awaitEvent(transaction, 'complete', 'abort', 'error');
    return transaction;
  },
};

/** @type {ProxyHandler<any>} */
const readingTraps = {
  apply(target, self, args) {
    const done = apply(target, self, args);
    awaitEvent(self, 'loadend', 'loadend', 'loadend');
    return done;
  },
};

/** Requests for whose answers the page stands still. */
const synchronous = new NativeWeakSet();
standIn(XMLHttpRequest.prototype, 'open', {
  apply(target, self, args) {
    const opened = apply(target, self, args);
    if (args.length > 2 && !args[2]) weakAdd(synchronous, self);
    else weakRemove(synchronous, self);
    return opened;
  },
});

/** @type {ProxyHandler<any>} */
const sendTraps = {
  apply(target, self, args) {
    if (!weakHas(synchronous, self)) return apply(/** @type {any} */ (readingTraps.apply), readingTraps, [target, self, args]);
    tellTop('still', null);
    return apply(target, self, args);
  },
};

const BODY = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];
const STORED = ['add', 'clear', 'count', 'delete', 'get', 'getAll', 'getAllKeys', 'getKey', 'openCursor', 'openKeyCursor', 'put'];
const CACHED = ['add', 'addAll', 'delete', 'has', 'keys', 'match', 'matchAll', 'open', 'put'];

/** @type {[any, string[], ProxyHandler<any>][]} */
const ASYNCHRONOUS = [
  [window, ['fetch', 'createImageBitmap'], promiseTraps],
  [Response.prototype, BODY, promiseTraps],
  [Blob.prototype, BODY, promiseTraps],
  [HTMLImageElement.prototype, ['decode'], promiseTraps],
  [window.SubtleCrypto?.prototype, window.SubtleCrypto ? ownKeys(SubtleCrypto.prototype).map(toText) : [], promiseTraps],
  [WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'], promiseTraps],
  [FontFace.prototype, ['load'], promiseTraps],
  [window.OffscreenCanvas?.prototype, ['convertToBlob'], promiseTraps],
  [window.BaseAudioContext?.prototype, ['decodeAudioData'], promiseTraps],
  [window.OfflineAudioContext?.prototype, ['startRendering'], promiseTraps],
  [window.Permissions?.prototype, ['query'], promiseTraps],
  [window.Clipboard?.prototype, ['writeText'], promiseTraps],
  [window.StorageManager?.prototype, ['estimate', 'getDirectory', 'persist', 'persisted'], promiseTraps],
  [window.Cache?.prototype, CACHED, promiseTraps],
  [window.CacheStorage?.prototype, CACHED, promiseTraps],
  [FileReader.prototype, ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'], readingTraps],
  [XMLHttpRequest.prototype, ['send'], sendTraps],
  [IDBFactory.prototype, ['deleteDatabase', 'open'], requestTraps],
  [IDBDatabase.prototype, ['transaction'], transactionTraps],
  [IDBObjectStore.prototype, STORED, requestTraps],
  [IDBIndex.prototype, STORED, requestTraps],
];
for (const [owner, names, traps] of ASYNCHRONOUS) {
  for (const name of owner ? names : []) standIn(owner, name, traps);
}
