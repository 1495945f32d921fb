import { InferenceSession, Tensor, env } from './node_modules/onnxruntime-web/dist/ort.webgpu.min.mjs';
import { D_MODEL } from './inputs.mjs';

// A node that the WebGPU provider lacks would go to the CPU in silence: that session is refused.
const OPTIONS = { executionProviders: ['webgpu'], extra: { session: { disable_cpu_ep_fallback: '1' } } };

/** The weights are initializers, so that the session holds them on the device. */
export async function open({ n, x, modelUrl }) {
  env.logLevel = 'error';
  const session = await InferenceSession.create(modelUrl, OPTIONS);
  return {
    async run() {
      const { weights, output } = await session.run({ x: new Tensor('float32', x, [n, D_MODEL]) });
      return { weights: weights.data, output: output.data };
    },
    close: () => session.release(),
  };
}
