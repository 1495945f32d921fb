// ./dev models: which files are taken, and the list that hosts and the page read.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { entry, isKept, keep, merged, modelOf, MODELS, offer } from '../../scripts/models.mjs';

const sum = (text) => createHash('sha256').update(text).digest('hex');
const file = (name, from, text) => ({ name, from, bytes: text.length, sha256: sum(text) });
/** Two models as in scripts/models.json, of a few bytes each. */
const TWO = {
  one: { name: 'One', package: 'p', version: '1', licence: 'MIT', files: [file('config.json', 'p/model/config.json', '{}'), file('model.safetensors', 'p/model/weights', 'abc')] },
  two: { name: 'Two', package: 'q', version: '2', licence: 'Apache-2.0', files: [file('model.gguf', 'q/Two.Q4_1.gguf', 'numbers')] },
};

let folder;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'models-')); });
afterEach(() => rm(folder, { recursive: true, force: true }));

const inside = (...names) => join(folder, ...names);

async function write(path, text) {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}

async function unpack() {
  await write(inside('unpacked/p/model/config.json'), '{}');
  await write(inside('unpacked/p/model/weights'), 'abc');
  await write(inside('unpacked/q/Two.Q4_1.gguf'), 'numbers');
}

const keepAll = async () => {
  await unpack();
  for (const id of ['one', 'two']) await keep(id, inside('unpacked'), inside('cache'), TWO);
};
const offered = async () => JSON.parse(await readFile(inside('site/models.json'), 'utf8'));

test('each model that can be had names a package, a licence, and files with size and check sum', () => {
  assert.deepEqual(Object.keys(MODELS), ['minilm', 'smollm2']);
  for (const [id, { name, package: own, version, licence, files }] of Object.entries(MODELS)) {
    for (const text of [name, own, licence]) assert.match(text, /^[\w.-]+$/, id);
    assert.match(version, /^\d+(\.\d+)+$/);
    for (const { name, from, bytes, sha256 } of files) {
      assert.ok(Number.isInteger(bytes) && bytes > 0, name);
      assert.match(sha256, /^[0-9a-f]{64}$/, name);
      assert.match(from, /^\w[\w./-]*$/, name);
    }
  }
  assert.deepEqual(MODELS.minilm.files.map(({ name }) => name), ['config.json', 'tokenizer.json', 'model.safetensors']);
  assert.throws(() => modelOf('toString'), /no model 'toString': minilm, smollm2/);
});

test('the list has a name, files by relative path, their sizes and sums, and a licence', () => {
  assert.deepEqual(entry('two', TWO), {
    name: 'Two',
    id: 'two',
    files: [{ name: 'model.gguf', path: 'models/two/Two.Q4_1.gguf', bytes: 7, sha256: sum('numbers') }],
    licence: 'Apache-2.0',
  });
});

test('no name of a file is one that the service worker takes for a part of the page', () => {
  for (const id of Object.keys(MODELS)) for (const { path } of entry(id).files) assert.doesNotMatch(path, /-[0-9a-f]{16}\.\w+$/);
});

test('an entry takes the place of the one with its id; others stay as they are', () => {
  const own = { id: 'own', name: "The host's own", files: [], licence: 'CC-BY-4.0', note: 'kept' };
  const list = { models: [{ id: 'one', name: 'older' }, own], about: 'kept' };
  const found = merged(list, [entry('one', TWO), entry('two', TWO)]);
  assert.deepEqual(found, { models: [entry('one', TWO), own, entry('two', TWO)], about: 'kept' });
  assert.deepEqual(merged(found, [entry('two', TWO)]), found);
  assert.deepEqual(merged({ models: [] }, []), { models: [] });
});

test('a package is taken with its pinned files only, all or none', async () => {
  await unpack();
  await write(inside('unpacked/p/model/weights'), 'abd');
  await assert.rejects(keep('one', inside('unpacked'), inside('cache'), TWO), new RegExp(`weights has the SHA-256 ${sum('abd')}, not ${sum('abc')}`));
  assert.deepEqual((await readdir(folder)).sort(), ['unpacked']);
  await rm(inside('unpacked/q/Two.Q4_1.gguf'));
  await assert.rejects(keep('two', inside('unpacked'), inside('cache'), TWO), /ENOENT.*Two\.Q4_1\.gguf/);
});

test('what is kept is looked at each time', async () => {
  assert.equal(await isKept('one', inside('cache'), TWO), false);
  await keepAll();
  assert.deepEqual([await isKept('one', inside('cache'), TWO), await isKept('two', inside('cache'), TWO)], [true, true]);
  await write(inside('cache/one/weights'), 'ab');
  assert.deepEqual([await isKept('one', inside('cache'), TWO), await isKept('two', inside('cache'), TWO)], [false, true]);
});

test('models stand beside the page, one after another, linked to what is kept', async () => {
  await keepAll();
  await offer(['two'], inside('cache'), inside('site'), TWO);
  assert.deepEqual(await offered(), { models: [entry('two', TWO)] });
  await offer(['one'], inside('cache'), inside('site'), TWO);
  await offer(['one', 'two'], inside('cache'), inside('site'), TWO);
  const { models } = await offered();
  assert.deepEqual(models, [entry('two', TWO), entry('one', TWO)]);
  for (const { path, bytes, sha256 } of models.flatMap(({ files }) => files)) {
    const found = await readFile(inside('site', path));
    assert.deepEqual([found.length, sum(found)], [bytes, sha256], path);
  }
  assert.equal((await stat(inside('site/models/two/Two.Q4_1.gguf'))).ino, (await stat(inside('cache/two/Two.Q4_1.gguf'))).ino);
});

test('a list that cannot be read is left alone', async () => {
  await keepAll();
  for (const text of ['{', '[]', 'null', '{ "models": {} }']) {
    await write(inside('site/models.json'), text);
    await assert.rejects(offer(['two'], inside('cache'), inside('site'), TWO), /models\.json is not a list of models/);
    assert.equal(await readFile(inside('site/models.json'), 'utf8'), text);
  }
});
