// Runs inside the frame of one contestant, so that its numbers and its module belong to the same realm.

import { inputOf, shapeOf, weightsOf } from './inputs.mjs';

globalThis.openContestant = async ({ module, options }, n, modelUrl) => {
  const { open } = await import(new URL(module, import.meta.url).href);
  const shape = shapeOf(n);
  return open({ ...shape, x: inputOf(shape), matrices: weightsOf(shape), modelUrl }, options);
};
