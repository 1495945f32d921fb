// Checkpoints as files of a disk: shared by the tests with tiny ones and with real ones.

import { copyFile, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In the page: how a promise ends, and all weights of a text as one list. */
function helpers() {
  globalThis.picked = {};
  globalThis.ending = (promise) => promise.then(() => 'went on', ({ code, field }) => `${code} ${field}`);
  globalThis.weightsOf = async (model, text) => {
    const { layers } = await model.forward({ text, want: ['weights'] });
    return layers.flatMap(({ weights }) => [...weights.data]);
  };
}

export const putHelpers = (page) => page.evaluate(helpers);

/** Chooses files of the disk, paths by name, as a reader does; `picked[name]` in the page has them by these names. */
export async function pick(page, name, paths) {
  const input = await page.evaluateHandle(() => Object.assign(document.createElement('input'), { type: 'file', multiple: true }));
  await input.asElement().setInputFiles(Object.values(paths));
  await input.evaluate(({ files }, [name, names]) => {
    globalThis.picked[name] = Object.fromEntries(names.map((own, at) => [own, files[at]]));
  }, [name, Object.keys(paths)]);
}

/** Copies of files, paths by name, last changed long ago, for `use`: browsers compare times of files by the second. */
export async function withCopies(paths, use) {
  const folder = await mkdtemp(join(tmpdir(), 'checkpoint-'));
  try {
    const copies = Object.fromEntries(Object.keys(paths).map((name) => [name, join(folder, name)]));
    for (const [name, copy] of Object.entries(copies)) {
      await copyFile(paths[name], copy);
      await utimes(copy, 1e9, 1e9);
    }
    return await use(copies);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How many times an opening tells how far it is. */
export const stepsOf = (page, name) => page.evaluate(async (name) => {
  let steps = 0;
  const model = await attentionPlayground.open(picked[name], { onProgress: () => { steps += 1; } });
  model.free();
  return steps;
}, name);

/** How an opening ends that is ended before it begins, at once, at step `at`, and while the bytes after that step are read. */
export const endedOpenings = (page, name, at) => page.evaluate(async ([name, at]) => {
  const opening = (when) => {
    const stop = new AbortController();
    let heard = 0;
    const onProgress = () => (++heard === at ? when.step?.(stop) : null);
    if (when.before) stop.abort();
    const own = attentionPlayground.open(picked[name], { signal: stop.signal, onProgress });
    if (when.once) stop.abort();
    // One that was ended too late is a model.
    return ending(own.then((model) => model.free()));
  };
  return [
    await opening({ before: true }),
    await opening({ once: true }),
    await opening({ step: (stop) => stop.abort() }),
    await opening({ step: (stop) => setTimeout(() => stop.abort()) }),
  ];
}, [name, at]);

/** How a pass ends that is ended at once, and a continuation that is ended after its second word; the model then still answers. */
export const endedCalls = (page, name, text) => page.evaluate(async ([name, text]) => {
  const model = await attentionPlayground.open(picked[name]);
  const stop = new AbortController();
  const pass = model.forward({ text, want: ['weights'], signal: stop.signal });
  stop.abort();
  const ended = [await ending(pass)];
  if (model.config.mask === 'causal') {
    const enough = new AbortController();
    let heard = 0;
    ended.push(await ending((async () => {
      for await (const _ of model.generate({ text, signal: enough.signal })) if (++heard === 2) enough.abort();
    })()), heard);
  }
  const { ids } = await model.encode(text);
  const { tokens } = await model.forward({ text, want: [] });
  model.free();
  return { ended, isWhole: JSON.stringify(tokens) === JSON.stringify([ids]) };
}, [name, text]);

const changes = new WeakMap();

/** Has `change` done when the page asks for `./change`. One route for all of them: the page waits for it with its thread stopped, and a route that
 * is taken back and set again between two requests may leave the second without an answer. */
async function onRequest(page, change) {
  const isRouted = changes.has(page);
  changes.set(page, change);
  if (isRouted) return;
  await page.route('**/change', async (route) => {
    await changes.get(page)();
    await route.fulfill({ body: 'changed' });
  });
}

/** How an opening ends while `change` happens to its files on the disk, after step `at`. */
export async function changedOpening(page, name, at, change) {
  await onRequest(page, change);
  return page.evaluate(([name, at]) => {
    let heard = 0;
    // No next piece is asked for until the change has happened.
    const onProgress = () => {
      if (++heard !== at) return;
      const request = new XMLHttpRequest();
      request.open('GET', './change', false);
      request.send();
    };
    return ending(attentionPlayground.open(picked[name], { onProgress }));
  }, [name, at]);
}

/** Two models one after the other, both at once, and one after the other was freed: whether each has its own weights all the time. */
export const together = (page, names, text) => page.evaluate(async ([names, text]) => {
  const { open } = attentionPlayground;
  const isSame = (one, other) => one.length === other.length && one.every((weight, at) => weight === other[at]);
  const alone = [];
  for (const name of names) {
    const model = await open(picked[name]);
    alone.push(await weightsOf(model, text));
    model.free();
  }
  const models = await Promise.all(names.map((name) => open(picked[name])));
  const both = await Promise.all(models.map((model) => weightsOf(model, text)));
  models[0].free();
  const left = await weightsOf(models[1], text);
  models[1].free();
  return {
    sizes: alone.map(({ length }) => length),
    both: both.map((weights, at) => isSame(weights, alone[at])),
    left: isSame(left, alone[1]),
    freed: await Promise.all(models.map((model) => ending(model.encode(text)))),
  };
}, [names, text]);
