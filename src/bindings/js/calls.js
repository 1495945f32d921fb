// The calls of the public API, for whoever has an engine or will have one: `engine()` gives it once it is there, `arrival()` a promise
// of it, `loadChunks()` loads the chunks of the engine that calls need, and `unavailable(message)` makes the error where that fails.
//
// A caller's request is read here, once and field by field, so that a getter that throws or a proxy has no later effect. What cannot be
// copied is replaced by a placeholder, so that the worker refuses the field by the same rules as any other value.

export const calls = ({ engine, arrival, loadChunks, unavailable }) => {
  const DEEPEST = 8;

  const refusal = (code, field, value, rule) => Object.assign(new Error(`${field}: ${rule}; got ${value}`), { name: 'AttentionError', code, field, value });
  const aborted = () => refusal('aborted', 'signal', 'an abort', 'the caller ended this call');

  // Of a request: the depth of tensors (`weights.w_q.data`), names that are read of an object, items of a list that are searched for what
  // cannot be copied.
  const [TENSOR_DEPTH, MOST_NAMES, LONGEST_SEARCHED] = [2, 4096, 4096];
  // Of lists: how deep tensors are nested, and the lengths between which one is searched for holes. Shorter ones are cloned in no time, and
  // longer ones are sparse.
  const [LIST_DEPTH, LONG, LONGEST_DENSE] = [4, 1 << 10, 1 << 25];
  // Of a call that may be short: the numbers in typed arrays, the items of a list. More take long to be read.
  const [MOST_NUMBERS, MOST_ITEMS] = [1 << 16, 16];
  // Typed arrays of at least this many bytes are copied here and the copies transferred.
  const LEAST_TRANSFERRED = 1 << 16;

  const attempt = (act, otherwise) => {
    try {
      return act();
    } catch {
      return otherwise?.();
    }
  };
  const isObject = (value) => typeof value === 'object' && value !== null;
  const isList = (value) => attempt(() => Array.isArray(value), () => false);
  const isPlain = (value) => attempt(() => [Object.prototype, null].includes(Object.getPrototypeOf(value)), () => false);
  // The engine recognises an Error as a value that could not be read or copied.
  const placeholder = () => new Error('cannot be copied');

  // The own fields of an object, in one without a prototype, where even `__proto__` is a field like any other; null for an object that does
  // not even say what it has.
  const fieldsOf = (object) => {
    const names = attempt(() => Reflect.ownKeys(object).slice(0, MOST_NAMES));
    if (!names) return null;
    const fields = Object.create(null);
    for (const name of names) if (typeof name === 'string') fields[name] = attempt(() => object[name], placeholder);
    return fields;
  };

  const hasHoles = (list) => list.length >= LONG && list.length <= LONGEST_DENSE && list.includes(undefined)
    && !Object.hasOwn(list, list.findIndex((item) => item === undefined));
  // Holes take no time to make and long to clone. The engine gets a short list of them in place of a long one, and refuses it in the same words.
  const withoutHoles = (list, depth, budget) => {
    if (hasHoles(list)) return new Array(LONG);
    budget.items -= list.length;
    if (depth === 0 || budget.items < 0 || !Array.isArray(list[0])) return list;
    let own = list;
    for (let at = 0; at < list.length; at++) {
      const item = list[at];
      const short = Array.isArray(item) ? withoutHoles(item, depth - 1, budget) : item;
      if (short === item) continue;
      if (own === list) own = Array.from({ length: list.length }, (_, at) => list[at]);
      own[at] = short;
    }
    return own;
  };

  // Copies plain objects and replaces a typed array that views a part of its buffer by a copy of that part, so that no more is posted than the
  // caller meant; lists without holes and other values are returned as they are. Adds the buffers to transfer to `transferList`: the caller's own where
  // `isTransferred`, else copies of long typed arrays, which a structured clone would copy once when it is written and once when it is read.
  const compact = (value, transferList, isTransferred, depth) => {
    if (ArrayBuffer.isView(value)) return isTransferred ? transferView(value, transferList) : copyView(value, transferList);
    if (isList(value)) return attempt(() => withoutHoles(value, LIST_DEPTH, { items: LONGEST_SEARCHED }), () => value);
    if (depth === 0 || !isObject(value) || !isPlain(value)) return value;
    const fields = fieldsOf(value);
    if (!fields) return placeholder();
    for (const name in fields) fields[name] = compact(fields[name], transferList, isTransferred, depth - 1);
    return fields;
  };
  const transferView = (view, transferList) => {
    const buffer = attempt(() => view.buffer);
    if (!transferList.includes(buffer)) transferList.push(buffer);
    return view;
  };
  const copyView = (view, transferList) => attempt(() => {
    const isPart = view.byteLength < view.buffer.byteLength;
    if (!isPart && view.byteLength < LEAST_TRANSFERRED) return view;
    const copy = view.slice();
    transferList.push(copy.buffer);
    return copy;
  }, () => view);

  // `value` with a placeholder for every part that a structured clone refuses, down to `depth` levels.
  const cloneable = (value, depth) => {
    if (attempt(() => [structuredClone(value)])) return value;
    if (depth === 0) return placeholder();
    if (isList(value)) {
      const length = attempt(() => value.length);
      return length <= LONGEST_SEARCHED ? Array.from({ length }, (_, at) => cloneable(attempt(() => value[at], placeholder), depth - 1)) : placeholder();
    }
    const fields = isPlain(value) ? fieldsOf(value) : null;
    if (!fields) return placeholder();
    for (const name in fields) fields[name] = cloneable(fields[name], depth - 1);
    return fields;
  };

  // By what it does: one of another frame is no instance of this one's class.
  const isSignal = (value) => attempt(() => isObject(value) && typeof value.aborted === 'boolean'
    && typeof value.addEventListener === 'function' && typeof value.removeEventListener === 'function', () => false);

  // A copy without getters and proxies, of plain objects, short lists and scalars. Typed arrays are not copied but collected in `views`. A
  // structured clone would take longer than a short call.
  const plainCopy = (value, views, depth) => {
    if (!isObject(value)) return value;
    if (ArrayBuffer.isView(value)) {
      views.push(value);
      return value;
    }
    const length = isList(value) ? value.length : 0;
    if (depth === 0 || length > MOST_ITEMS) throw new RangeError('not for a short call');
    if (isList(value)) return Array.from({ length }, (_, at) => plainCopy(value[at], views, depth - 1));
    const fields = isPlain(value) && fieldsOf(value);
    if (!fields) throw new TypeError('not for a short call');
    for (const name in fields) fields[name] = plainCopy(fields[name], views, depth - 1);
    return fields;
  };

  // Not detached, and its length not overridden. Checked after the copy, since a getter in a list can still detach a buffer.
  const isReadable = (view) => Object.getPrototypeOf(view) === Float32Array.prototype && !Object.hasOwn(view, 'length') && view.length > 0;
  // The copy that a short call is computed from in the window; undefined for what is left to the worker.
  const copyIfSmall = (request) => attempt(() => {
    const views = [];
    const copy = plainCopy(request, views, TENSOR_DEPTH + 2);
    const isSmall = views.every(isReadable) && views.reduce((total, view) => total + view.length, 0) <= MOST_NUMBERS;
    return isSmall ? copy : undefined;
  });

  const clipped = (text) => {
    const letters = [...text.slice(0, 122)];
    return letters.length > 60 ? `${letters.slice(0, 60).join('')}…` : text;
  };
  const describe = (value) => (typeof value === 'string' ? clipped(value) : typeof value);

  const isRequest = (given) => isObject(given) && !isList(given) && !ArrayBuffer.isView(given);
  // The signal of a request, where it is none a refusal.
  const checkedSignal = (signal) => {
    if (signal !== null && !isSignal(signal)) throw refusal('unknown_option', 'signal', describe(signal), 'must be an AbortSignal');
    return signal;
  };

  // Makes a request ready to be posted; with `name`, as that call of a model, which is never computed in the window. `transfer` lists the
  // buffers that move.
  const prepare = (given, name) => {
    const ready = (own, rest) => {
      const request = name ? { name, request: own } : own;
      return { request, withPlaceholders: () => cloneable(request, TENSOR_DEPTH + 1), ...rest };
    };
    if (!isRequest(given)) return ready(cloneable(given, 0), { transfer: [] });
    const request = fieldsOf(given) ?? Object.create(null);
    const { transfer = null } = request;
    const signal = checkedSignal(request.signal ?? null);
    if (transfer !== null && typeof transfer !== 'boolean') throw refusal('unknown_option', 'transfer', describe(transfer), 'must be true or false');
    delete request.signal;
    delete request.transfer;
    const transferList = [];
    for (const field in request) request[field] = compact(request[field], transferList, transfer, TENSOR_DEPTH);
    return ready(request, { transfer: transferList, signal, small: name || (transfer && transferList.length > 0) ? undefined : copyIfSmall(request) });
  };

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
      const end = () => reject(aborted());
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

  // A request that cannot be prepared rejects the call's promise, as every other refusal does.
  const post = (request, send, name) => {
    let prepared;
    try {
      prepared = prepare(request, name);
    } catch (error) {
      return Promise.reject(error);
    }
    return send(prepared);
  };

  const call = (name, request) => guarded(() => {
    if (isLoaded) return post(request, (prepared) => engine()[name](prepared));
    const copy = held(request);
    return untilAborted(copy?.signal, loaded()).then((arrived) => arrived[name](prepare(copy)));
  });

  const layer = async (request) => {
    const id = await call('layer', request);
    return Object.freeze({
      compute: (input) => guarded(() => post(input, (prepared) => engine().layer_compute(id, prepared))),
      free: () => engine().layer_free(id),
    });
  };

  // Tells the caller of steps. What the callback throws ends the run.
  const report = (onProgress, steps, what) => {
    try {
      steps.forEach((step) => onProgress(step));
    } catch (error) {
      const value = clipped(attempt(() => String(error), () => typeof error));
      throw Object.assign(refusal('aborted', 'onProgress', value, `the callback threw, which ended the ${what}`), { cause: error });
    }
  };

  const isAborted = (signal) => signal !== null && attempt(() => signal.aborted, () => true);

  // A training run is many short calls, so that others come between them; the caller hears of every step.
  const train = async (send, given) => {
    const { signal: own, onProgress, ...request } = isRequest(given) ? fieldsOf(given) ?? {} : {};
    const signal = checkedSignal(own ?? null);
    if (onProgress != null && typeof onProgress !== 'function') throw refusal('unknown_option', 'onProgress', describe(onProgress), 'must be a function');
    const run = await send('train', isRequest(given) ? request : given);
    const history = [];
    try {
      for (let left = 1; left > 0 && !isAborted(signal);) {
        const part = await send('train_on', run);
        ({ left } = part);
        history.push(...part.history);
        if (onProgress) report(onProgress, part.history, 'training');
      }
    } catch (error) {
      // Nobody else knows the run, which the engine would keep as long as the model.
      await send('train_end', run).catch(() => {});
      throw error;
    }
    return { steps: history.length, ...await send('train_end', run), history };
  };

  // Words come one at a time, as they are asked for; the engine keeps what has been read until the caller has enough.
  async function* generate(send, given) {
    const { signal: own, ...request } = isRequest(given) ? fieldsOf(given) ?? {} : {};
    const signal = checkedSignal(own ?? null);
    const run = await send('generate', isRequest(given) ? request : given);
    try {
      for (;;) {
        if (isAborted(signal)) throw aborted();
        const word = await send('generate_on', run);
        if (!word) return;
        yield word;
      }
    } finally {
      await send('generate_end', run).catch(() => {});
    }
  }

  const sender = (id) => (name, given) => post(given, (prepared) => engine().model_call(id, prepared), name);

  const modelOf = (id, about) => {
    const send = sender(id);
    const ask = (name, given) => guarded(() => send(name, given));
    return Object.freeze({
      ...about,
      ...Object.fromEntries(['forward', 'attribute', 'loss', 'gradients', 'step'].map((name) => [name, (given) => ask(name, given)])),
      train: (given) => guarded(() => train(send, given)),
      generate: (given) => generate(send, given),
      tensors: () => ask('tensors'),
      save: () => ask('save'),
      free: () => engine().layer_free(id),
    });
  };

  const model = async (request) => modelOf(await call('model', request));

  // Files by name, without folders; those of a list by their own names.
  const listed = (files) => {
    if (!isRequest(files)) throw refusal('unknown_option', 'files', describe(files), 'must be an object of files by name');
    const own = fieldsOf(files) ?? {};
    return Object.entries(own).flatMap(([key, given]) => {
      const name = key.slice(key.lastIndexOf('/') + 1);
      if (!isList(given)) return [{ name, blob: given }];
      return Array.from(given, (blob, at) => ({ name: given.length === 1 ? name : attempt(() => blob.name) ?? `${at}-${name}`, blob }));
    });
  };

  // A checkpoint is opened by many short calls, of a piece of a file each, so that others come between them.
  const open = async (files, options) => {
    const { signal: own = null, onProgress = null } = isRequest(options) ? fieldsOf(options) ?? {} : {};
    const signal = checkedSignal(own);
    if (onProgress !== null && typeof onProgress !== 'function') throw refusal('unknown_option', 'onProgress', describe(onProgress), 'must be a function');
    const id = await call('model', { files: listed(files), signal });
    const send = sender(id);
    try {
      for (;;) {
        const { progress, about } = await send('open_on', { signal });
        if (onProgress) report(onProgress, [progress], 'opening');
        if (isAborted(signal)) throw aborted();
        if (about) return modelOf(id, { ...about, encode: (text) => guarded(() => send('encode', text)) });
      }
    } catch (error) {
      engine().layer_free(id);
      throw error;
    }
  };

  return { compute: (request) => call('compute', request), backends: () => call('backends'), layer, model, open, tasks: () => engine()?.tasks() ?? [] };
};
