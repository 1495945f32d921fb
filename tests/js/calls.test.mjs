// What `calls.js` makes of a caller's request before the engine sees it: what is copied, what moves, and what stands for a value that cannot be copied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loaded, opened, received, refused, small, tensor, turn } from './engine.mjs';

/** What the engine is asked for one call. */
async function preparedFor(request, make = (api) => api.compute(request)) {
  const { api, asked } = await loaded();
  await make(api);
  assert.equal(asked.length, 1);
  return asked[0].prepared;
}

const isPlaceholder = (value) => value instanceof Error;
const at = (value, path) => path.split('.').reduce((inner, name) => inner[name], value);
const thrown = () => { throw new Error('of the caller'); };

const revoked = (of) => {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
};

/** The very buffers, in this order. */
const assertMoves = (found, wanted) => {
  assert.equal(found.length, wanted.length);
  found.forEach((buffer, at) => assert.ok(buffer === wanted[at], `buffer ${at}`));
};

const spoilt = (value) => ({ ...small(), q: { shape: [2, 3, 4], data: Array.from({ length: 24 }, (_, at) => (at === 5 ? value : at)) } });

for (const [what, request, path] of [
  ['a function', { ...small(), q: () => 1 }, 'q'],
  ['a function as an option', { ...small(), scoring() {} }, 'scoring'],
  ['a function deep inside', { weights: { w_q: tensor(6, 4), w_k: { shape: [6, 4], data: Math.sin } } }, 'weights.w_k.data'],
  ['a function in a list', spoilt(thrown), 'q.data.5'],
  ['a symbol', { ...small(), heads: Symbol('two') }, 'heads'],
  ['a getter that throws', { ...small(), get mask() { return thrown(); } }, 'mask'],
  ['a getter deep inside', { ...small(), q: { shape: [1, 1, 4], get data() { throw 1; } } }, 'q.data'],
  ['a value of a list that throws', { ...small(), q: Object.defineProperty([[[1, 2, 3, 4]]], 0, { get: thrown }) }, 'q.0'],
  ['a proxy that throws', { ...small(), q: new Proxy([1], { get: thrown }) }, 'q'],
  ['a revoked list', { ...small(), q: revoked([]) }, 'q'],
  ['an object that does not say what it is', { ...small(), mask: new Proxy({}, { getPrototypeOf: thrown }) }, 'mask'],
  ['an object that does not say what it has', { ...small(), mask: new Proxy({}, { ownKeys: thrown }) }, 'mask'],
  ['an object of the system', { ...small(), q: new WeakMap() }, 'q'],
  ['a function beside a long array', { ...small(), q: tensor(2, 5000, 4), mask: () => 1 }, 'mask'],
]) {
  test(`${what} is a placeholder where it stood, and everything else comes over`, async () => {
    const found = received(await preparedFor(request));
    assert.ok(isPlaceholder(at(found, path)), path);
    const [field] = path.split('.');
    for (const name of Object.keys(request).filter((name) => name !== field)) assert.deepEqual(found[name], request[name], name);
  });
}

test('what is no request comes over as it is, or as a placeholder', async () => {
  for (const plain of [[1, 2], 'text', 7, null, undefined, Float32Array.of(1)]) assert.deepEqual(received(await preparedFor(plain)), plain);
  assert.ok(isPlaceholder(received(await preparedFor(() => 1))));
  assert.ok(isPlaceholder(received(await preparedFor(Symbol('two')))));
  for (const empty of [new Date(0), revoked({})]) assert.deepEqual({ ...received(await preparedFor(empty)) }, {});
});

test('a proxy that lies has the fields that it names, each unreadable', async () => {
  const found = received(await preparedFor(new Proxy({ q: 1, k: 1, v: 1 }, { get: thrown, getPrototypeOf: thrown })));
  assert.deepEqual(Object.entries(found).map(([name, value]) => [name, isPlaceholder(value)]), [['q', true], ['k', true], ['v', true]]);
});

test('every name is a field like any other, and of very many the first are read', async () => {
  const found = received(await preparedFor({ ...small(), ...JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') }));
  assert.deepEqual(Object.keys(found), ['q', 'k', 'v', '__proto__', 'constructor']);
  assert.equal(Object.keys(received(await preparedFor(Object.fromEntries(Array.from({ length: 1e5 }, (_, at) => [`name ${at}`, at]))))).length, 4096);
});

test('a request is read once: each getter is called once, and what it returns later has no effect', async () => {
  let count = 0;
  const request = { ...small(), get mask() { count += 1; return { kind: count === 1 ? 'causal' : 'local' }; } };
  const prepared = await preparedFor(request);
  assert.deepEqual({ ...received(prepared).mask }, { kind: 'causal' });
  assert.deepEqual({ ...prepared.small.mask }, { kind: 'causal' });
  assert.equal(count, 1);
});

test('an iterator of a list is not asked', async () => {
  const list = ['weights'];
  list[Symbol.iterator] = thrown;
  assert.deepEqual(received(await preparedFor({ ...small(), want: list })).want, ['weights']);
});

test('a detached array is a placeholder, also one that is detached while the request is read or that is to move, and none is for the window', async () => {
  const detach = ({ data }) => structuredClone(data, { transfer: [data.buffer] });
  const [before, meanwhile] = [small(), small()];
  detach(before.q);
  meanwhile.want = Object.defineProperty([0], 0, { get: () => detach(meanwhile.q) && 'weights' });
  for (const request of [before, meanwhile, { ...before, transfer: true }]) {
    const prepared = await preparedFor(request);
    assert.equal(prepared.small, undefined);
    assert.ok(isPlaceholder(received(prepared).q.data));
  }
});

test('a long list of holes is replaced by a short one, wherever it stands; other lists come over as they are', async () => {
  const holes = (length) => new Array(length);
  const isShort = (list) => list.length === 1024 && Object.keys(list).length === 0;
  const found = received(await preparedFor({
    ...small(), q: [holes(5000), [1, 2]], k: { shape: [1, 1, 5000], data: holes(5000) }, v: [[[holes(2048)]]], mask: [[1], holes(1024)],
  }));
  for (const [name, path] of [['a row', 'q.0'], ['data', 'k.data'], ['deep inside', 'v.0.0.0'], ['behind another list', 'mask.1']]) assert.ok(isShort(at(found, path)), name);
  assert.deepEqual(found.q[1], [1, 2]);
  const spread = Array.from({ length: 3000 }, (_, at) => at);
  delete spread[2999];
  const numbers = Array.from({ length: 5000 }, (_, at) => at / 2);
  const undefineds = Array.from({ length: 3000 });
  const some = await preparedFor({ q: [spread, numbers], k: numbers, v: [holes(1023), undefineds] });
  assert.ok(isShort(some.request.q[0]));
  assert.equal(some.request.q[1], numbers);
  assert.equal(some.request.k, numbers);
  assert.equal(some.request.v[0].length, 1023);
  assert.equal(some.request.v[1], undefineds);
});

test('a list that says it is longer than any is not walked through', async () => {
  let count = 0;
  const q = new Proxy([], { get: (list, name) => (name === 'length' ? 2 ** 26 : list[name] ?? (count += 1)) });
  assert.ok(isPlaceholder(received(await preparedFor({ ...small(), q })).q));
  assert.ok(count < 20, `${count} values were read`);
});

test('lists that stand in each other are searched for holes to an end', async () => {
  const wide = (inner) => Array(4096).fill(inner);
  const request = { q: wide(wide(wide([1]))), k: [] };
  request.k.push(request.k, request.k);
  const { api, asked } = await loaded();
  await api.compute(request);
  assert.equal(asked[0].prepared.request.q, request.q);
});

test('a short call has a copy that the window may compute with, without getters and objects of the caller', async () => {
  const request = { ...small(), mask: { kind: 'causal' }, want: ['weights'], q: [[[1, 2]], [[3, 4]]] };
  const { small: copy } = await preparedFor(request);
  assert.deepEqual({ ...copy, k: { ...copy.k }, v: { ...copy.v }, mask: { ...copy.mask } }, request);
  for (const name of ['q', 'k', 'mask', 'want']) assert.notEqual(copy[name], request[name], name);
  // Numbers are read at once, so they need no copy.
  assert.equal(copy.k.data, request.k.data);
});

for (const [what, more] of [
  ['a list of more than 16', { q: Array(17).fill([[1, 2]]) }],
  ['more than 65,536 numbers', { q: tensor(1, 1 << 14, 4), k: tensor(1, 1, 1) }],
  ['numbers of another type', { q: { shape: [1, 1, 2], data: new Float64Array(2) } }],
  ['an object of a class', { mask: new Map([['kind', 'causal']]) }],
  ['buffers that move', { transfer: true }],
  ['an array that says another length', { q: { shape: [1, 1, 2], data: Object.defineProperty(new Float32Array(2), 'length', { value: 1 }) } }],
]) {
  test(`${what} is for the worker alone`, async () => {
    assert.equal((await preparedFor({ ...small(), ...more })).small, undefined);
  });
}

test('buffers of the caller move only when asked to, one behind several tensors once', async () => {
  const shared = new Float32Array(124);
  const request = { q: { shape: [2, 3, 4], data: shared.subarray(0, 24) }, k: { shape: [2, 5, 4], data: shared.subarray(24, 64) }, v: tensor(2, 5, 6) };
  const moved = await preparedFor({ ...request, transfer: true });
  assertMoves(moved.transfer, [shared.buffer, request.v.data.buffer]);
  assert.deepEqual(Object.keys(moved.request), ['q', 'k', 'v']);
  for (const transfer of [false, null, undefined]) assert.ok(!(await preparedFor({ ...request, transfer })).transfer.includes(shared.buffer));
  const layered = { weights: { w_q: tensor(6, 4), w_k: tensor(6, 4) }, transfer: true };
  assertMoves((await preparedFor(layered, (api) => api.layer(layered))).transfer, [layered.weights.w_q.data.buffer, layered.weights.w_k.data.buffer]);
});

test('a part of a buffer and an array of 64 kB are copied, and the copies move; a short array is left to the clone', async () => {
  const large = new Float32Array(1000).fill(3);
  const long = tensor(1, 4096, 4);
  const { request, transfer } = await preparedFor({ q: { shape: [1, 2, 2], data: large.subarray(8, 12) }, k: long, v: tensor(1, 1, 4) });
  assertMoves(transfer, [request.q.data.buffer, request.k.data.buffer]);
  assert.deepEqual([request.q.data.buffer.byteLength, [...request.q.data]], [16, [3, 3, 3, 3]]);
  assert.notEqual(request.k.data, long.data);
  assert.deepEqual(request.k.data, long.data);
  assert.equal(request.v.data.buffer.byteLength, 16);
  const both = await preparedFor({ q: long, k: long, v: long });
  assert.equal(new Set(both.transfer).size, 3, 'a copy for each');
});

test('an array whose buffer cannot be had still comes over', async () => {
  const request = { ...small(), transfer: true };
  Object.defineProperty(request.q.data, 'buffer', { get: thrown });
  const prepared = await preparedFor(request);
  assert.deepEqual(Object.keys(received(prepared)), ['q', 'k', 'v']);
  assert.equal(request.k.data.length, 40);
});

const REFUSED = { name: 'AttentionError', code: 'unknown_option', isError: true };

for (const [field, value, said, rule] of [
  ['signal', {}, 'object', 'must be an AbortSignal'],
  ['signal', 'stop', 'stop', 'must be an AbortSignal'],
  ['signal', { aborted: false }, 'object', 'must be an AbortSignal'],
  ['transfer', 'yes', 'yes', 'must be true or false'],
  ['transfer', 1, 'number', 'must be true or false'],
  ['transfer', 'ü'.repeat(100), `${'ü'.repeat(60)}…`, 'must be true or false'],
]) {
  test(`${field}: ${JSON.stringify(value).slice(0, 20)} is refused by name, and the engine is not asked`, async () => {
    const { api, asked } = await loaded();
    for (const call of [api.compute, api.layer, api.model]) {
      assert.deepEqual(await refused(call({ ...small(), [field]: value })), { ...REFUSED, field, value: said, message: `${field}: ${rule}; got ${said}` });
    }
    assert.deepEqual(asked, []);
  });
}

test('a signal is for the engine and no part of the request; one of another frame is known by what it does', async () => {
  const foreign = { aborted: false, addEventListener() {}, removeEventListener() {} };
  for (const signal of [new AbortController().signal, foreign]) {
    const prepared = await preparedFor({ ...small(), signal });
    assert.equal(prepared.signal, signal);
    assert.deepEqual(Object.keys(prepared.request), ['q', 'k', 'v']);
  }
  for (const nothing of [null, undefined]) assert.equal((await preparedFor({ ...small(), signal: nothing })).signal, null);
});

test('a call before the engine is there computes with the numbers of that moment, and later ones do not wait', async () => {
  let chunks = 0;
  const { api, asked, arrive } = opened({ isLate: true, loadChunks: async () => void (chunks += 1) });
  const [request, moving] = [small(), { ...small(), transfer: true }];
  const early = api.compute(request);
  const moved = api.compute(moving);
  request.q.data.fill(9);
  await turn();
  assert.deepEqual(asked, []);
  arrive();
  assert.deepEqual([await early, await moved], [7, 7]);
  const [first, second] = asked.map(({ prepared }) => prepared);
  assert.deepEqual([...received(first).q.data], [...small().q.data]);
  assertMoves(second.transfer, ['q', 'k', 'v'].map((name) => moving[name].data.buffer));
  const before = chunks;
  void api.compute(request);
  assert.equal(asked.length, 3, 'at once');
  assert.equal(chunks, before);
});

test('what cannot be copied before the engine is there is refused by the engine', async () => {
  const { api, asked, arrive } = opened({ isLate: true });
  const early = api.compute({ ...small(), mask: () => 1 });
  arrive();
  await early;
  assert.ok(isPlaceholder(received(asked[0].prepared).mask));
});

test('a caller who gives up before the engine is there is answered at once, and nothing is computed', async () => {
  const { api, asked, arrive } = opened({ isLate: true });
  const controller = new AbortController();
  const calls = [controller.signal, AbortSignal.abort()].map((signal) => refused(api.compute({ ...small(), signal })));
  controller.abort();
  const wanted = { ...REFUSED, code: 'aborted', field: 'signal', value: 'an abort', message: 'signal: the caller ended this call; got an abort' };
  assert.deepEqual(await Promise.all(calls), [wanted, wanted]);
  // What is no signal is refused once somebody is there to do so.
  const wrong = refused(api.compute({ ...small(), signal: 'stop' }));
  arrive();
  assert.equal((await wrong).field, 'signal');
  assert.equal(asked.filter(({ prepared }) => prepared.signal && !prepared.signal.aborted).length, 0);
});

test('a chunk that does not come is a typed refusal, and the next call asks for it again', async () => {
  let count = 0;
  const { api } = opened({ loadChunks: async () => { if ((count += 1) === 1) throw new TypeError('Failed to fetch'); } });
  const found = await refused(api.compute(small()));
  assert.deepEqual([found.name, found.code, found.message], ['AttentionError', 'backend_unavailable', 'TypeError: Failed to fetch']);
  assert.equal(await api.compute(small()), 7);
});

test('a getter that calls the API with its own request comes to an end', async () => {
  for (const method of ['compute', 'layer', 'model']) {
    const { api } = await loaded();
    const inner = [];
    const request = { ...small(), get mask() {
      inner.push(refused(api[method](request)));
      return null;
    } };
    assert.equal(await refused(api[method](request)), null);
    assert.equal(inner.length, 8, method);
    const last = (await Promise.all(inner)).filter(Boolean);
    assert.deepEqual(last.map(({ code, field }) => [code, field]), [['unknown_option', 'request']], method);
  }
});

test('a layer is known by its number until it is freed', async () => {
  const { api, asked } = await loaded();
  const layer = await api.layer({ weights: { w_q: tensor(6, 4) } });
  await layer.compute({ queries: tensor(3, 6) });
  layer.free();
  assert.deepEqual(asked.map(({ name, id }) => [name, id]), [['layer', undefined], ['layer_compute', 7], ['layer_free', 7]]);
  assert.deepEqual(asked[1].prepared.request.queries.shape, [3, 6]);
  assert.ok(Object.isFrozen(layer));
});

test('a call of a model says its name beside its request, and is never for the window', async () => {
  const { api, asked } = await loaded();
  const model = await api.model({ config: { d_model: 6 } });
  asked.length = 0;
  const tokens = [[1, 2, 3]];
  for (const name of ['forward', 'attribute', 'loss', 'gradients', 'step']) await model[name]({ tokens, hook: () => 1 });
  await model.tensors();
  await model.save();
  model.free();
  for (const [at, name] of ['forward', 'attribute', 'loss', 'gradients', 'step'].entries()) {
    const { id, prepared } = asked[at];
    const found = received(prepared);
    assert.deepEqual([id, found.name, found.request.tokens, prepared.small], [7, name, tokens, undefined]);
    assert.ok(isPlaceholder(found.request.hook));
  }
  assert.deepEqual(asked.slice(5).map(({ name, prepared }) => prepared?.request ?? name), [{ name: 'tensors', request: undefined }, { name: 'save', request: undefined }, 'layer_free']);
});

test('tasks are there with the engine', async () => {
  const { api, arrive } = opened({ isLate: true });
  assert.deepEqual(api.tasks(), []);
  arrive();
  assert.deepEqual(api.tasks(), ['sort']);
});
