import { ADAM, CONFIG, contestant, examples, tensors } from './training-problem.mjs';

/** The page's public interface, in the page's own realm. */
export async function open() {
  const model = await globalThis.attentionPlayground.model({ config: CONFIG, tensors: tensors() });
  const given = { ...examples(), optimizer: { kind: 'adamw', ...ADAM } };
  return contestant(async () => (await model.step(given)).loss, () => model.free());
}
