import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { mountsOf } from '../browser/bench/builds.mjs';
import { adapterOf } from '../browser/bench/peers/adapter.mjs';
import { BACKENDS, contestantsOn, namesOf } from '../browser/bench/peers/contestants.mjs';
import { ratio } from '../browser/bench/report.mjs';
import { serve } from '../browser/server.mjs';

const named = (contestants) => contestants.map(({ name }) => name);

test('numbers of builds that exist are not written into the documents', async () => {
  const dev = fileURLToPath(new URL('../../dev', import.meta.url));
  for (const builds of [['--dist', 'a'], ['--dist=a']]) {
    await assert.rejects(promisify(execFile)(dev, ['bench', '--write', ...builds], { timeout: 10_000 }), /--write needs measurements of this build/);
  }
});

test('two builds take part side by side, each from its own path, and each kept to one worker as well', () => {
  const builds = ['/a/dist', '/b/dist'];
  const found = contestantsOn('wasm', builds, null).filter(({ folder }) => folder);
  assert.deepEqual(found.map(({ name, frame }) => [name, frame, mountsOf(builds)[frame]]), [
    ['ours', '/ours/', '/a/dist'], ['ours-one-worker', '/one-core/ours/', '/a/dist'],
    ['ours-2', '/ours-2/', '/b/dist'], ['ours-2-one-worker', '/one-core/ours-2/', '/b/dist'],
  ]);
  assert.ok(found.every(({ options }) => options.backend === 'cpu'));
});

test('every peer of a backend takes part unless some are named', () => {
  for (const backend of Object.keys(BACKENDS)) {
    const all = named(contestantsOn(backend, ['dist'], null));
    assert.deepEqual(all.filter((name) => !name.startsWith('ours')), Object.keys(BACKENDS[backend].peers));
    assert.ok(all.every((name) => namesOf(['dist']).has(name)));
  }
  assert.deepEqual(named(contestantsOn('wasm', ['dist'], ['onnxruntime-web-2'])), ['onnxruntime-web-2']);
});

test('contestants have one adapter; where none was noted in a frame, that of the page', async () => {
  // A page whose frames have noted these adapters, and that itself is given `own`.
  const pageWith = (own, ...frames) => ({
    frames: () => frames.map((adapters) => ({ evaluate: async () => adapters })),
    evaluate: async () => void frames[0].push(...own),
  });
  assert.equal(await adapterOf(pageWith(['unasked'], [], ['one'], ['one'])), 'one');
  assert.equal(await adapterOf(pageWith(['one'], [], [])), 'one');
  await assert.rejects(adapterOf(pageWith([], [], ['one'], ['other'])), /not one adapter for all: one, other/);
  await assert.rejects(adapterOf(pageWith([], [])), /not one adapter for all: none/);
});

test('a ratio is taken round by round, so that a slow round counts for both', () => {
  assert.equal(ratio([2, 20, 2], [1, 10, 4]), 2);
});

test('the server has other folders below their paths, and sends the headers of an isolated page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mount-'));
  await writeFile(join(folder, 'index.html'), 'the other build');
  const server = await serve({ mounts: { '/ours-2/': folder }, headers: { 'cross-origin-opener-policy': 'same-origin' } });
  try {
    const response = await fetch(`${server.origin}/ours-2/`);
    assert.equal(await response.text(), 'the other build');
    assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal((await fetch(`${server.origin}/ours-2/../../${folder}`)).status, 404);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

test('the server sends the compressed copy of a file to whoever takes it, and the file to others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compressed-'));
  await writeFile(join(folder, 'index.html'), 'plain');
  await writeFile(join(folder, 'index.html.br'), brotliCompressSync('packed'));
  const server = await serve({ folder, isCompressed: true });
  const ask = async (encoding) => {
    const response = await fetch(`${server.origin}/`, { headers: { 'accept-encoding': encoding } });
    return [response.headers.get('content-encoding'), response.headers.get('content-type'), await response.text()];
  };
  try {
    assert.deepEqual(await ask('gzip, br'), ['br', 'text/html; charset=utf-8', 'packed']);
    assert.deepEqual(await ask('gzip'), [null, 'text/html; charset=utf-8', 'plain']);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
