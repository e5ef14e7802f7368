/**
 * @fileoverview WebGL: what does not compile or link, which fails without a word. Its classes are
 * large, and are touched only where a page has made a context.
 */

const watched = new NativeSet();

/**
 * Shader sources that do not compile and programs that do not link fail silently in WebGL.
 * @param {any} proto
 */
function watchShaders(proto) {
  const compiled = uncurried(proto.getShaderParameter);
  const linked = uncurried(proto.getProgramParameter);
  const logs = {compileShader: uncurried(proto.getShaderInfoLog), linkProgram: uncurried(proto.getProgramInfoLog)};
  const good = {
    compileShader: (/** @type {any} */ gl, /** @type {any} */ shader) => compiled(gl, shader, 0x8b81),
    linkProgram: (/** @type {any} */ gl, /** @type {any} */ program) => linked(gl, program, 0x8b82),
  };
  // eslint-disable-next-line no-restricted-syntax -- runs before any script of the page
  for (const name of /** @type {const} */ (['compileShader', 'linkProgram'])) {
    standIn(proto, name, {
      apply(target, gl, args) {
        const answer = apply(target, gl, args);
        if (args[0] && !good[name](gl, args[0])) {
          const text = `WebGL ${name}: ${cut(toText(logs[name](gl, args[0])), 300)}`;
          record(failures, {kind: 'webgl', text, count: 1, at: 0, stack: callStack(failures)});
        }
        return answer;
      },
    });
  }
}

/**
 * @param {any} context
 * @param {any} canvas
 */
function watchContext(context, canvas) {
  const proto = /** @type {any} */ (protoOf(context) || {});
  if (typeof proto.compileShader === 'function' && !wasWatched(watched, proto)) {
    keepWatched(watched, proto);
    watchShaders(proto);
  }
  if (typeof proto.fillText !== 'function') listen(canvas, `${TOKEN}:gl`, prevent);
}

const wasWatched = uncurried(NativeSet.prototype.has);
const keepWatched = uncurried(NativeSet.prototype.add);

/** @type {ProxyHandler<any>} */
const contextTraps = {
  apply(target, canvas, args) {
    const context = apply(target, canvas, args);
    if (context) watchContext(context, canvas);
    return context;
  },
};

standIn(HTMLCanvasElement.prototype, 'getContext', contextTraps);
standIn(OffscreenCanvas.prototype, 'getContext', contextTraps);
