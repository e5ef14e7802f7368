/**
 * @fileoverview What leaves the page's own thread. A worker made of a blob gets the budget of
 * `worker/` before its code, as the host would come too late for one that floods from its first
 * line; a peer connection is told of, as no policy does.
 */

/** Replaced by the host. */
const BUDGET = '__BUDGET__';

const NativeBlob = Blob;
const createUrl = uncurried(URL.createObjectURL);
const mapGet = uncurried(PROTO.map.get);
const mapSet = uncurried(PROTO.map.set);
const mapDelete = uncurried(PROTO.map.delete);
const SCRIPT = {type: 'text/javascript'};

/** The blob of each address that the page has not revoked. */
const blobs = new NativeMap();

standIn(URL, 'createObjectURL', {
  apply(target, self, args) {
    const url = apply(target, self, args);
    if (hasProto(NativeBlob.prototype, args[0])) mapSet(blobs, url, args[0]);
    return url;
  },
});
standIn(URL, 'revokeObjectURL', {
  apply(target, self, args) {
    mapDelete(blobs, args[0]);
    return apply(target, self, args);
  },
});

/**
 * The address of a script that sets the budget and then runs `blob`, by an address of its own since
 * the page may revoke its own at once.
 * @param {Blob} blob
 * @param {boolean} isModule
 * @returns {string}
 */
function budgeted(blob, isModule) {
  const url = stringify(createUrl(URL, blob));
  const code = isModule ? `import ${stringify(scriptUrl(BUDGET))};import ${url}` : `${BUDGET};importScripts(${url})`;
  return scriptUrl(code);
}

/**
 * @param {string} code
 * @returns {string}
 */
const scriptUrl = (code) => createUrl(URL, new NativeBlob([code], SCRIPT));

standIn(window, 'Worker', {
  construct(target, args, self) {
    const blob = args.length ? mapGet(blobs, toText(args[0])) : undefined;
    if (blob) args[0] = budgeted(blob, args[1]?.type === 'module');
    return construct(target, args, self);
  },
});

/** @type {ProxyHandler<any>} */
const peerTraps = {
  construct(target, args, self) {
    const text = iceUrls(args[0]) || 'RTCPeerConnection';
    record(failures, {kind: 'policy', text: cut(text, 300), name: 'webrtc', count: 1, at: 0});
    return construct(target, args, self);
  },
};

/**
 * @param {any} options
 * @returns {string} The addresses that a peer connection would ask.
 */
function iceUrls(options) {
  let text = '';
  try {
    const servers = options.iceServers;
    for (let index = 0; index < servers.length && index < 4; index += 1) text += `${text ? ', ' : ''}${toText(servers[index].urls)}`;
  } catch {
    // Chromium says what is wrong with them.
  }
  return text;
}

for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) standIn(window, name, peerTraps);
