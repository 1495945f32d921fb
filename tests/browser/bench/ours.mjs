import { mechanismOf } from './mechanisms.mjs';

/** The page's public interface, in the page's own realm, on the backend that is named and no other. */
export async function open({ x, matrices, ...shape }, { backend, mechanism = 'causal', want = ['weights', 'output'] }) {
  const { n, dModel, heads } = shape;
  const special = mechanismOf(mechanism, shape);
  const square = (data) => ({ shape: [dModel, dModel], data });
  const weights = { ...Object.fromEntries(Object.entries(matrices).map(([name, data]) => [name, square(data)])), ...special.weights };
  const layer = await globalThis.attentionPlayground.layer({ weights, heads, backend, ...special.layer });
  return {
    async run() {
      const trace = await layer.compute({ queries: { shape: [n, dModel], data: x }, want, ...special.call });
      if (trace.backend !== backend) throw new Error(`asked for ${backend}, computed on ${trace.backend}`);
      return { weights: trace.weights?.data, output: trace.output.data };
    },
    close: () => layer.free(),
  };
}
