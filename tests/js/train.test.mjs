// Training through the public API, which `calls.js` makes of many short calls: what ends a run, and that none is left with the engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loaded, received, refused } from './engine.mjs';

const THROWN = new Error('of the caller');
const thrown = () => { throw THROWN; };
const failed = (field) => Object.assign(new Error(field), { name: 'AttentionError', code: 'not_finite', field, value: 'NaN' });

/** A model of an engine that trains two steps at a time: `{ model, runs, names }`, the runs that it has and the calls that it got. */
async function trained({ fails } = {}) {
  const runs = new Map();
  const names = [];
  const answers = {
    train: ({ steps = 5 }) => {
      const run = names.filter((name) => name === 'train').length;
      runs.set(run, { left: steps, done: 0 });
      return run;
    },
    train_on: (id) => {
      const run = runs.get(id);
      const count = Math.min(2, run.left);
      run.left -= count;
      return { left: run.left, history: Array.from({ length: count }, () => ({ step: (run.done += 1) })) };
    },
    train_end: (id) => {
      runs.delete(id);
      return { loss: 0.5, accuracy: 0.75 };
    },
  };
  const { api } = await loaded({
    answer: ({ name, prepared }) => {
      if (name !== 'model_call') return 7;
      const call = received(prepared);
      names.push(call.name);
      if (call.name === fails) throw failed(call.name);
      return answers[call.name](call.request);
    },
  });
  return { model: await api.model({}), runs, names };
}

test('a run is asked for until nothing is left, and each step is told once', async () => {
  const { model, runs, names } = await trained();
  const heard = [];
  const result = await model.train({ steps: 5, onProgress: ({ step }) => heard.push(step) });
  assert.deepEqual(heard, [1, 2, 3, 4, 5]);
  assert.deepEqual({ ...result, history: result.history.length }, { steps: 5, loss: 0.5, accuracy: 0.75, history: 5 });
  assert.deepEqual(names, ['train', 'train_on', 'train_on', 'train_on', 'train_end']);
  assert.equal(runs.size, 0);
});

test('a signal ends a run, which keeps what it has', async () => {
  const { model, runs } = await trained();
  const controller = new AbortController();
  const { steps } = await model.train({ steps: 100, signal: controller.signal, onProgress: ({ step }) => step === 4 && controller.abort() });
  assert.deepEqual([steps, runs.size], [4, 0]);
  assert.equal((await model.train({ signal: AbortSignal.abort() })).steps, 0);
});

test('a callback that throws ends the run: a typed refusal says so, with what was thrown as its cause', async () => {
  const { model, runs, names } = await trained();
  const error = await model.train({ onProgress: thrown }).catch((error) => error);
  assert.deepEqual([error.name, error.code, error.field, error.value, error.cause], ['AttentionError', 'aborted', 'onProgress', 'Error: of the caller', THROWN]);
  assert.equal(error.message, 'onProgress: the callback threw, which ended the training; got Error: of the caller');
  assert.deepEqual([names.at(-1), runs.size], ['train_end', 0]);
  const odd = { toString: thrown };
  assert.equal((await refused(model.train({ onProgress: () => { throw odd; } }))).value, 'object');
  assert.equal((await refused(model.train({ onProgress: () => { throw 'x'.repeat(1000); } }))).value.length, 61);
});

test('a step that the engine refuses ends the run, and is what the caller hears', async () => {
  const { model, runs, names } = await trained({ fails: 'train_on' });
  assert.deepEqual(await refused(model.train({})), { name: 'AttentionError', code: 'not_finite', field: 'train_on', value: 'NaN', message: 'train_on', isError: true });
  assert.deepEqual([names, runs.size], [['train', 'train_on', 'train_end'], 0]);
});

test('of 200 runs that end in every way none is left', async () => {
  const { model, runs } = await trained();
  const ways = [{}, { onProgress: thrown }, { signal: AbortSignal.abort() }, { steps: 0 }];
  for (let at = 0; at < 200; at++) await refused(model.train(ways[at % ways.length]));
  assert.equal(runs.size, 0);
});

test('what cannot be read is refused by name, and no run begins', async () => {
  const { model, names } = await trained();
  for (const [field, request] of [
    ['signal', { get signal() { return thrown(); } }],
    ['signal', { signal: 3 }],
    ['signal', { signal: { get aborted() { return thrown(); } } }],
    ['onProgress', { get onProgress() { return thrown(); } }],
    ['onProgress', { onProgress: 3 }],
    ['onProgress', { onProgress: Symbol('progress') }],
    ['onProgress', { onProgress: { toString: thrown } }],
  ]) {
    const found = await refused(model.train(request));
    assert.deepEqual([found.name, found.code, found.field, found.isError], ['AttentionError', 'unknown_option', field, true]);
  }
  assert.deepEqual(names, []);
});

test('a getter that throws is a placeholder in the request; what is no request is left to the engine', async () => {
  const seen = [];
  const { api } = await loaded({
    answer: ({ name, prepared }) => {
      if (name === 'model_call') seen.push(received(prepared));
      return { left: 0, history: [] };
    },
  });
  const model = await api.model({});
  await model.train({ get task() { return thrown(); }, steps: 3 });
  assert.ok(seen[0].request.task instanceof Error);
  assert.equal(seen[0].request.steps, 3);
  for (const given of [null, undefined, 3, 'sort', [1]]) {
    seen.length = 0;
    await model.train(given);
    assert.deepEqual(seen[0].request, given);
  }
});

test('a signal that can no longer be read ends the run', async () => {
  const { model, runs } = await trained();
  let count = 0;
  const signal = { get aborted() { return (count += 1) > 2 ? thrown() : false; }, addEventListener() {}, removeEventListener() {} };
  assert.equal((await model.train({ steps: 100, signal })).steps, 2);
  assert.equal(runs.size, 0);
});

test('a getter that trains with its own request comes to an end', async () => {
  const { model, runs } = await trained();
  const inner = [];
  const request = { get task() {
    inner.push(refused(model.train(request)));
    return 'sort';
  } };
  assert.equal(await refused(model.train(request)), null);
  const last = (await Promise.all(inner)).filter(Boolean);
  assert.deepEqual([inner.length, last.length, last[0].field, runs.size], [8, 1, 'request', 0]);
});
