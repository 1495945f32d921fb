import { ADAM, CONFIG, examples, tensors, UNTIMED } from './training-problem.mjs';

/** The page's public interface, in the page's own realm. */
export async function open() {
  const model = await globalThis.attentionPlayground.model({ config: CONFIG, tensors: tensors() });
  const given = { ...examples(), optimizer: { kind: 'adamw', ...ADAM } };
  const step = async () => (await model.step(given)).loss;
  const from = performance.now();
  await step();
  const first = performance.now() - from;
  for (let at = 1; at < UNTIMED; at++) await step();
  return {
    first,
    async run() {
      const loss = Float64Array.of(await step());
      return { weights: loss, output: loss };
    },
    close: () => model.free(),
  };
}
