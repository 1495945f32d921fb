// The calls of the public API with an engine that only takes down what it is given.

import { imported, source } from './source.mjs';

const { calls } = await imported(await source('calls.js'));

export const unavailable = (message) => Object.assign(new Error(message), { name: 'AttentionError', code: 'backend_unavailable', field: 'backend', value: 'wasm' });

/** A task, where the promises of a call have gone on as far as they could. */
export const turn = () => new Promise((resolve) => { setImmediate(resolve); });

/**
 * `{ api, asked, arrive }`: `asked` grows by `{ name, id, prepared }` for each thing that is asked of the engine, which answers with what `answer`
 * makes of it. The engine is there from the first call on, or once `arrive` is called; `loadChunks` loads what calls need.
 */
export function opened({ answer = () => 7, isLate = false, loadChunks = async () => {} } = {}) {
  const asked = [];
  const method = (name, hasId) => async (...given) => {
    const [id, prepared] = hasId ? given : [undefined, ...given];
    asked.push({ name, id, prepared });
    return answer({ name, id, prepared });
  };
  const own = {
    ...Object.fromEntries(['compute', 'backends', 'layer', 'model'].map((name) => [name, method(name, false)])),
    ...Object.fromEntries(['layer_compute', 'model_call', 'layer_free'].map((name) => [name, method(name, true)])),
    tasks: () => ['sort'],
  };
  let engine = null;
  let arrive;
  const arrival = new Promise((resolve) => { arrive = () => resolve(engine = own); });
  if (!isLate) arrive();
  return { api: calls({ engine: () => engine, arrival: () => arrival, loadChunks, unavailable }), asked, arrive };
}

/** The same once the engine is there and a call has been made, so that later ones do not wait. */
export async function loaded(options) {
  const own = opened(options);
  await own.api.backends();
  own.asked.length = 0;
  return own;
}

/** What comes over of a prepared request, as a worker is sent it: with placeholders where something cannot be cloned. */
export function received({ request, transfer, withPlaceholders }) {
  try {
    return structuredClone(request, { transfer });
  } catch {
    return structuredClone(withPlaceholders());
  }
}

/** What a promise is rejected with, as data; null where it is not. */
export const refused = async (promise) => {
  try {
    await promise;
    return null;
  } catch (error) {
    const { name, code, field, value, message } = error;
    return { name, code, field, value, message, isError: error instanceof Error };
  }
};

const tensor = (...shape) => ({ shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => at) });

export { tensor };

export const small = () => ({ q: tensor(2, 3, 4), k: tensor(2, 5, 4), v: tensor(2, 5, 6) });
