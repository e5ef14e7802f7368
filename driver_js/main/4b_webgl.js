/**
 * @fileoverview WebGL: what does not compile or link, which fails without a word.
 */

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

/** @type {ProxyHandler<any>} */
const contextTraps = {
  apply(target, canvas, args) {
    const context = apply(target, canvas, args);
    if (context && !hasProto(CanvasRenderingContext2D.prototype, context)) listen(canvas, `${TOKEN}:gl`, prevent);
    return context;
  },
};

standIn(HTMLCanvasElement.prototype, 'getContext', contextTraps);
if (typeof WebGLRenderingContext === 'function') watchShaders(WebGLRenderingContext.prototype);
if (typeof WebGL2RenderingContext === 'function') watchShaders(WebGL2RenderingContext.prototype);
