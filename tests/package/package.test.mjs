// The npm package as somebody else gets it: its archive installed into a fresh Vite project, type-checked, and run in a browser from
// Vite's development server and from its build.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium as driver } from '../browser/node_modules/@playwright/test/index.mjs';
import { chromium, chromiumFlags } from '../browser/browsers.mjs';
import { goldens, requestsOf, wantedOf } from '../browser/goldens.mjs';

const TEMPLATE = fileURLToPath(new URL('project/', import.meta.url));
const PACKAGES = process.env.PLAYGROUND_PACKAGES ?? fileURLToPath(new URL('../../target/package/', import.meta.url));
const PROJECT = join(PACKAGES, 'project');

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: PROJECT, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

const vite = join(PROJECT, 'node_modules/vite/bin/vite.js');

/** Starts a server of Vite's and resolves to its address. */
async function serve(...args) {
  const server = spawn(process.execPath, [vite, ...args, '--port', '0', '--host', '127.0.0.1'], { cwd: PROJECT, env: { ...process.env, NO_COLOR: '1' } });
  let said = '';
  const address = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      const [found] = said.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [];
      if (found) resolve(found);
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.on('exit', () => reject(new Error(said)));
  });
  return { address, stop: () => server.kill() };
}

let browser;

before(async () => {
  const [archive] = (await readdir(PACKAGES)).filter((name) => name.endsWith('.tgz'));
  assert.ok(archive, 'an archive: ./dev package makes it');
  await rm(PROJECT, { recursive: true, force: true });
  await mkdir(PROJECT, { recursive: true });
  await cp(TEMPLATE, PROJECT, { recursive: true });
  await cp(join(PACKAGES, archive), join(PROJECT, 'attention-playground.tgz'));
  run('npm', 'install', '--no-audit', '--no-fund', '--no-package-lock');
  browser = await driver.launch({ executablePath: chromium(), args: chromiumFlags });
});

after(() => browser?.close());

/** The modules that the engine loads by name. */
const modules = async () => [...(await readFile(join(PROJECT, 'node_modules/attention-playground/engine.js'), 'utf8')).matchAll(/\bengine(?:-\w+)?\.wasm\b/g)].map(([name]) => name);

test('the archive holds what it needs and nothing else', async () => {
  const names = await readdir(join(PROJECT, 'node_modules/attention-playground'));
  const wanted = [
    ...['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'calls.js', 'define.d.ts', 'define.js', 'element.d.ts', 'element.js', 'engine.js', 'index.d.ts', 'index.js'],
    ...['library.js', 'own_events.js', 'package.json', 'room.js', 'shadow.js', 'worker.js'],
    ...(await modules()),
  ];
  assert.deepEqual(names.sort(), wanted.sort());
});

test('its types allow what is documented and refuse what is wrong', () => {
  run(process.execPath, join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', '.');
});

test('importing it in Node does nothing', () => {
  const code = "const { compute, version } = await import('attention-playground'); await import('attention-playground/element'); console.log(typeof compute, version);";
  assert.match(run(process.execPath, '--input-type=module', '-e', code), /^function \d+\.\d+\.\d+\n$/);
});

/** What a course page does with it. */
async function works(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address);
  const ready = await page.evaluate(() => document.querySelector('attention-playground').ready.then((one) => one.state));
  assert.match(ready, /text=the\+cat\+sat/);
  // A short text does not wait for it.
  if (page.workers().length === 0) await page.waitForEvent('worker');
  assert.equal(page.workers().length, 1, 'one worker');
  assert.equal(await page.locator('attention-playground #heads-number').count(), 1);
  // Nobody has said where the whole page is, so there is no link to hand on.
  assert.equal(await page.locator('attention-playground #share-open').evaluate((button) => button.hidden), true);
  await page.evaluate(() => void (document.querySelector('attention-playground').heads = 2));
  await page.waitForFunction(() => globalThis.course.told.includes('change by host, 2 heads'));
  await page.locator('attention-playground #map').focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.waitForFunction(() => globalThis.course.told.some((one) => one.startsWith('select')));
  assert.equal(await page.locator('attention-playground').getAttribute('heads'), '2');

  const file = (await goldens()).find(({ name }) => name === 'multi_head_causal');
  const wanted = wantedOf(file).weights;
  for (const request of requestsOf(file)) {
    const weights = await page.evaluate(async (request) => {
      const { compute, ready } = globalThis.course;
      await ready;
      return [...(await compute({ ...request, backend: 'cpu' })).weights.data];
    }, request);
    const off = weights.map((weight, at) => Math.abs(weight - wanted.data[at]));
    assert.equal(weights.length, wanted.data.length);
    assert.ok(Math.max(...off) <= 1e-5, `off by ${Math.max(...off)}`);
  }
  const refused = await page.evaluate(() => globalThis.course.compute({ q: 1, k: [[[1]]], v: [[[1]]] }).catch(({ name, code, field }) => ({ name, code, field })));
  assert.deepEqual(refused, { name: 'AttentionError', code: 'shape_mismatch', field: 'q' });
  const strangers = requests.filter((url) => url.startsWith('http') && !url.startsWith(address));
  assert.deepEqual(strangers, []);
  assert.deepEqual(problems, []);
  await context.close();
  return requests;
}

describe('in a browser', { timeout: 240_000 }, () => {
  test("from Vite's development server", async () => {
    const { address, stop } = await serve();
    try {
      await works(address);
    } finally {
      stop();
    }
  });

  test("from Vite's build", async () => {
    run(process.execPath, vite, 'build');
    const { address, stop } = await serve('preview');
    try {
      const requests = await works(address);
      const wasm = new Set(requests.filter((url) => url.endsWith('.wasm')));
      assert.equal(wasm.size, 5, `one engine is enough, and every chunk but the GPU's after a key: ${[...wasm].join(', ')}`);
      const assets = await readdir(join(PROJECT, 'dist/assets'));
      assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, (await modules()).length, assets.join(', '));
    } finally {
      stop();
    }
  });
});
