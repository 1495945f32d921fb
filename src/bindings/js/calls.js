// The calls of the public API, for whoever has an engine or will have one: `engine()` gives it once it is there, `arrival()` a promise
// of it, `loadChunks()` loads the chunks of the engine that calls need, and `unavailable(message)` makes the error where that fails.

export const calls = ({ engine, arrival, loadChunks, unavailable }) => {
  const DEEPEST = 8;

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

  // A getter of a request may call the API, and with that very request it would never end.
  let depth = 0;
  const nested = () => Object.assign(new Error(`request: a getter may call the API, and its getters in turn, at most ${DEEPEST} deep`), {
    name: 'AttentionError', code: 'unknown_option', field: 'request', value: 'a getter that calls the API',
  });
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
    return loaded().then((arrived) => arrived[name](copy));
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
