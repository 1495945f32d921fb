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

  return { compute: (request) => call('compute', request), backends: () => call('backends'), layer };
};
