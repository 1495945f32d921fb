// The calls of the public API, for whoever has an engine or will have one: `engine()` gives it once it is there, `arrival()` a promise
// of it, `loadChunks()` loads the chunks of the engine that calls need, and `unavailable(message)` makes the error where that fails.

export const calls = ({ engine, arrival, loadChunks, unavailable }) => {
  const DEEPEST = 8;

  const refusal = (code, field, value, rule) => Object.assign(new Error(`${field}: ${rule}; got ${value}`), { name: 'AttentionError', code, field, value });

  // Calls are made at once where nothing is left to wait for.
  let isLoaded = false;
  const loaded = async () => {
    const arrived = await arrival();
    await loadChunks().catch((error) => {
      throw unavailable(String(error));
    });
    isLoaded = true;
    return arrived;
  };

  // Arrays are copied when a call is made, not when the engine arrives: until then the caller may have changed them.
  // What cannot be copied is refused by the engine, which knows how to say why.
  const held = (request) => {
    try {
      const { signal, transfer, ...rest } = request;
      return transfer ? request : { ...structuredClone(rest), signal, transfer };
    } catch {
      return request;
    }
  };

  // What a call waits for, unless its caller ends it first. From then on the engine heeds the signal, and what is none it refuses.
  const untilAborted = (signal, wait) => {
    if (!(signal instanceof AbortSignal)) return wait;
    const ended = new Promise((_, reject) => {
      const end = () => reject(refusal('aborted', 'signal', 'an abort', 'the caller ended this call'));
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      wait.finally(() => signal.removeEventListener('abort', end)).catch(() => {});
    });
    return Promise.race([wait, ended]);
  };

  // A getter of a request may call the API, and with that very request it would never end.
  let depth = 0;
  const nested = () => refusal('unknown_option', 'request', 'a getter that calls the API', `a getter may call the API, and its getters in turn, at most ${DEEPEST} deep`);
  const guarded = (act) => {
    if (depth === DEEPEST) return Promise.reject(nested());
    depth += 1;
    try {
      return act();
    } finally {
      depth -= 1;
    }
  };

  const call = (name, request) => guarded(() => {
    if (isLoaded) return engine()[name](request);
    const copy = held(request);
    return untilAborted(copy?.signal, loaded()).then((arrived) => arrived[name](copy));
  });

  const layer = async (request) => {
    const id = await call('layer', request);
    return Object.freeze({
      compute: (input) => guarded(() => engine().layer_compute(id, input)),
      free: () => engine().layer_free(id),
    });
  };

  // A training run is many short calls, so that others come between them; the caller hears of every step.
  const train = async (ask, request) => {
    const { signal, onProgress, ...rest } = request ?? {};
    if (signal != null && typeof signal.aborted !== 'boolean') throw refusal('unknown_option', 'signal', String(signal), 'must be an AbortSignal');
    if (onProgress != null && typeof onProgress !== 'function') throw refusal('unknown_option', 'onProgress', String(onProgress), 'must be a function');
    const run = await ask('train', rest);
    const history = [];
    for (let left = 1; left > 0 && !signal?.aborted;) {
      const part = await ask('train_on', run);
      ({ left } = part);
      history.push(...part.history);
      part.history.forEach((step) => onProgress?.(step));
    }
    return { steps: history.length, ...await ask('train_end', run), history };
  };

  const model = async (request) => {
    const id = await call('model', request);
    const ask = (name, given) => guarded(() => engine().model_call(id, name, given));
    return Object.freeze({
      ...Object.fromEntries(['forward', 'loss', 'gradients', 'step'].map((name) => [name, (given) => ask(name, given)])),
      train: (given) => train(ask, given),
      tensors: () => ask('tensors'),
      save: () => ask('save'),
      free: () => engine().layer_free(id),
    });
  };

  return { compute: (request) => call('compute', request), backends: () => call('backends'), layer, model, tasks: () => engine()?.tasks() ?? [] };
};
