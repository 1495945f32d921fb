// What the types have to refuse; tsc finds every expectation that is not met.

import { compute, layer, open } from 'attention-playground';

export async function wrong(): Promise<void> {
  const q = [[[1]]];
  // @ts-expect-error nothing to compute with
  await compute({});
  // @ts-expect-error values are missing
  await compute({ q, k: q });
  // @ts-expect-error both ways in at once
  await compute({ q, k: q, v: q, queries: [[1]], weights: { w_q: q, w_k: q, w_v: q } });
  // @ts-expect-error no such backend
  await compute({ q, k: q, v: q, backend: 'gpu' });
  // @ts-expect-error no such mask
  await compute({ q, k: q, v: q, mask: { kind: 'sideways' } });
  // @ts-expect-error a local mask has a window
  await compute({ q, k: q, v: q, mask: { kind: 'local' } });
  // @ts-expect-error no such field
  await compute({ q, k: q, v: q, head: 2 });
  // @ts-expect-error what is not wanted is not there
  (await compute({ q, k: q, v: q, want: ['weights'] })).scores;
  // @ts-expect-error a text is no tensor
  await compute({ q: 'numbers', k: q, v: q });
  const made = await layer({ weights: { w_q: q, w_k: q, w_v: q } });
  // @ts-expect-error belongs to the layer
  await made.compute({ queries: [[1]], heads: 2 });
  // @ts-expect-error belongs to a call
  await layer({ weights: { w_q: q, w_k: q, w_v: q }, mask: { kind: 'causal' } });

  const model = await open({});
  // @ts-expect-error a score has a key
  await model.attribute({ text: 'a', layer: 0, head: 0, query: 0 });
  // @ts-expect-error belongs to a score
  await model.attribute({ text: 'a', position: 0, token: 1, by: 'key' });
  // @ts-expect-error pairs have two sources
  (await model.attribute({ text: 'a', layer: 0, head: 0, query: 0, key: 0, by: 'pairs' })).parts[0]?.source.kind;

  const playground = document.createElement('attention-playground');
  // @ts-expect-error a number
  playground.heads = 'many';
  // @ts-expect-error no such mask
  playground.mask = ['sideways'];
  // @ts-expect-error no such setting
  playground.settings = { headz: 2 };
  // @ts-expect-error read only
  playground.snapshot = null;
  // @ts-expect-error no such field of a change
  playground.addEventListener('change', ({ detail }) => detail.heads);
}
