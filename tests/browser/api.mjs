// Shared by the suites of the compute API.

import { distance } from './distance.mjs';
import { expect, openPage } from './fixture.mjs';

export { ACCURACY, distance } from './distance.mjs';

/** Opens the page, unless it is open from a test before, and waits for the engine. */
export async function openApi(page) {
  const isThere = await page.evaluate(() => 'attentionPlayground' in globalThis && document.querySelector('[data-failure]')?.hidden);
  if (!isThere) await openPage(page, '', { map: false });
  await page.evaluate(() => globalThis.attentionPlayground.ready);
}

/**
 * In the page: small helpers. `tensor(...shape)` makes numbers that differ from place to place, `caught` what a promise rejects with.
 * Requests made of them ask for `backend`, where one is given.
 */
function helpers(backend) {
  const where = backend ? { backend } : {};
  globalThis.tensor = (...shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(7 * i + 1)),
  });
  globalThis.small = () => ({ q: tensor(2, 3, 4), k: tensor(2, 5, 4), v: tensor(2, 5, 6), ...where });
  // The same with one value of q replaced, in a list.
  globalThis.spoilt = (value) => {
    const { q, k, v } = small();
    return { ...where, q: { shape: q.shape, data: Array.from(q.data, (x, i) => (i === 5 ? value : x)) }, k, v };
  };
  globalThis.layerOf = (heads = 2) => ({
    ...where,
    heads,
    weights: { w_q: tensor(6, 4), w_k: tensor(6, 4), w_v: tensor(6, 8), w_o: tensor(8, 3), b_o: tensor(3) },
  });
  globalThis.caught = async (promise) => {
    try {
      await promise;
      return null;
    } catch (error) {
      const { name, code, field, value, message } = error;
      return { name, code, field, value, message, isError: error instanceof Error };
    }
  };
  // Work for some seconds on any machine, in linear memory: something that can be overtaken and ended.
  globalThis.long = (n = 12_000) => ({ ...where, q: tensor(4, n, 32), k: tensor(4, n, 32), v: tensor(4, n, 32), want: ['context'] });
}

/** Puts the helpers into every document of an isolated page. */
export const addHelpers = (page, backend) => page.addInitScript(helpers, backend);

/** Puts them into the document that is there. */
export const putHelpers = (page, backend) => page.evaluate(helpers, backend);

/**
 * Runs a request made of plain JSON through the API; `{ shape, data }` come back with plain lists. As text and as arrays of bytes
 * numbers go there and back ten times as fast as one by one.
 */
export async function compute(page, request) {
  const trace = await page.evaluate((text) => attentionPlayground.compute(JSON.parse(text)), JSON.stringify(request));
  for (const value of Object.values(trace)) {
    if (value?.data) value.data = Array.from(value.data);
  }
  return trace;
}

/** Shape first, then every value. */
export function expectClose(what, found, wanted, tolerance) {
  expect(found.shape, `${what}: shape`).toEqual(wanted.shape);
  expect(distance(found.data, wanted.data), what).toBeLessThanOrEqual(tolerance);
}
