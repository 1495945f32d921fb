/** The page's public interface, in the page's own frame, on the backend that is named and no other. */
export async function open({ n, dModel, heads, x, matrices }, { backend }) {
  const square = (data) => ({ shape: [dModel, dModel], data });
  const weights = Object.fromEntries(Object.entries(matrices).map(([name, data]) => [name, square(data)]));
  const layer = await globalThis.attentionPlayground.layer({ weights, heads, backend });
  return {
    async run() {
      const trace = await layer.compute({ queries: { shape: [n, dModel], data: x }, mask: { kind: 'causal' }, want: ['weights', 'output'] });
      if (trace.backend !== backend) throw new Error(`asked for ${backend}, computed on ${trace.backend}`);
      return { weights: trace.weights.data, output: trace.output.data };
    },
    close: () => layer.free(),
  };
}
