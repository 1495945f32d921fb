const DIST = new URL('./node_modules/onnxruntime-web/dist/', import.meta.url);

const BUILDS = {
  wasm: { file: 'ort.wasm.min.mjs', session: { executionProviders: ['wasm'] } },
  // A node that the WebGPU provider lacks would go to the CPU in silence: that session is refused.
  webgpu: { file: 'ort.webgpu.min.mjs', session: { executionProviders: ['webgpu'], extra: { session: { disable_cpu_ep_fallback: '1' } } } },
};

/** The weights are initializers, so that the session holds them where it computes, packed as it likes. */
export async function open({ n, dModel, x, modelUrl }, { backend, threads = 1 }) {
  const { file, session: options } = BUILDS[backend];
  const { InferenceSession, Tensor, env } = await import(new URL(file, DIST).href);
  Object.assign(env, { logLevel: 'error' });
  Object.assign(env.wasm, { numThreads: threads, wasmPaths: DIST.href });
  const session = await InferenceSession.create(modelUrl, options);
  // It goes on with one thread, in silence, where it may not start more.
  if (env.wasm.numThreads !== threads) throw new Error(`onnxruntime-web computes with ${env.wasm.numThreads} threads`);
  return {
    async run() {
      const { weights, output } = await session.run({ x: new Tensor('float32', x, [n, dModel]) });
      return { weights: weights.data, output: output.data };
    },
    close: () => session.release(),
  };
}
