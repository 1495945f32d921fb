import { D_MODEL, HEADS } from './inputs.mjs';

/** The page's public interface, on the backend that is named and no other. */
export const on = (backend) => async ({ n, x, matrices }) => {
  const square = (data) => ({ shape: [D_MODEL, D_MODEL], data });
  const weights = Object.fromEntries(Object.entries(matrices).map(([name, data]) => [name, square(data)]));
  const layer = await globalThis.attentionPlayground.layer({ weights, heads: HEADS, backend });
  return {
    async run() {
      const trace = await layer.compute({ queries: { shape: [n, D_MODEL], data: x }, mask: { kind: 'causal' }, want: ['weights', 'output'] });
      if (trace.backend !== backend) throw new Error(`asked for ${backend}, computed on ${trace.backend}`);
      return { weights: trace.weights.data, output: trace.output.data };
    },
    close: () => layer.free(),
  };
};
