// The Python package in notebooks: a JupyterLab of its own, what a kernel and a page know of each other, and what an export shows.

import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, isolated } from './fixture.mjs';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = process.env.PYTHON || 'python3';

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Settings and kernels of nobody else. */
const surroundings = (folder) => ({
  ...process.env,
  PYTHONPATH: join(ROOT, 'python'),
  IPYTHONDIR: join(folder, '.ipython'),
  JUPYTER_CONFIG_DIR: join(folder, '.config'),
  JUPYTER_DATA_DIR: join(folder, '.data'),
  JUPYTER_RUNTIME_DIR: join(folder, '.runtime'),
  JUPYTERLAB_SETTINGS_DIR: join(folder, '.lab'),
  JUPYTERLAB_WORKSPACES_DIR: join(folder, '.workspaces'),
});

const OPTIONS = ['--no-browser', '--expose-app-in-browser', '--allow-root', '--ServerApp.token=', '--ServerApp.password=', '--ServerApp.ip=127.0.0.1', '--ServerApp.port_retries=0'];

/** `lab`: `{ folder, origin }` of a server with a folder of its own. */
const test = isolated.extend({
  lab: async ({ quiet }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'notebook-'));
    const origin = `http://127.0.0.1:${await freePort()}`;
    const options = [...OPTIONS, `--ServerApp.port=${new URL(origin).port}`, `--ServerApp.root_dir=${folder}`];
    const server = spawn(PYTHON, ['-m', 'jupyterlab', ...options], { env: surroundings(folder), cwd: folder, stdio: 'ignore' });
    await expect.poll(() => fetch(`${origin}/api`).then(({ ok }) => ok, () => false), { timeout: 60_000 }).toBe(true);
    // Of the server's own origin everything is allowed, and what JupyterLab itself says; nothing of any other.
    quiet.allow(new RegExp(`^request to another origin: ${origin}/|^status \\d+: ${origin}/|^console (warning|error): (?!.*attention)`));
    await use({ folder, origin });
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  },
});

test.describe.configure({ timeout: 240_000 });

const notebook = (cells) => JSON.stringify({
  cells: cells.map((source, at) => ({ cell_type: 'code', id: `cell-${at}`, metadata: {}, execution_count: null, outputs: [], source })),
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** Opens a notebook of these cells, and runs them. */
async function opened(page, { folder, origin }, cells) {
  await writeFile(join(folder, 'own.ipynb'), notebook(cells));
  await page.goto(`${origin}/lab/tree/own.ipynb`);
  await page.waitForFunction(() => globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle', null, { timeout: 90_000 });
  await page.evaluate(() => jupyterapp.commands.execute('notebook:run-all-cells'));
}

/** Elements of the package, in order. */
const widgets = (page) => page.locator('[data-lm-suppress-shortcuts] > :defined:not(label, style)');

/** Waits until so many widgets show what fits, which is given the element. */
async function expectDrawn(page, count, fits = () => true) {
  await expect(widgets(page)).toHaveCount(count, { timeout: 60_000 });
  for (let at = 0; at < count; at++) {
    await expect.poll(() => widgets(page).nth(at).evaluate((one, fits) => !!one.snapshot?.computed && (0, eval)(fits)(one), String(fits)), { timeout: 60_000 }).toBe(true);
  }
}

/** What a kernel says to code, as JSON. */
const asked = (page, code) => page.evaluate(async (code) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const future = kernel.requestExecute({ code: `import json; print(json.dumps(${code}))` });
  let said = '';
  future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ''; };
  await future.done;
  return JSON.parse(said);
}, code);

const IMPORTS = 'import numpy as np, attention_playground as ap\nrng = np.random.default_rng(1)\n';
const FINISHED = `${IMPORTS}weights = rng.random((3, 4, 6, 6), dtype="f4"); weights /= weights.sum(-1, keepdims=True)
widget = ap.show(weights, tokens="the cat sat on a mat".split(), head=2)
widget`;
const COMPUTED = 'computed = ap.show(q=rng.standard_normal((2, 5, 4)), k=rng.standard_normal((2, 5, 4)), v=rng.standard_normal((2, 5, 3)), mask=np.tri(5))\ncomputed';

const tensor = (page, at, name) => widgets(page).nth(at).evaluate(async (one, name) => {
  const { shape, data } = await one.tensor(name);
  return { shape, data: [...data] };
}, name);

const array = (page, name) => asked(page, `{"shape": ${name}.shape, "data": ${name}.ravel().tolist()}`);

const set = (page, at, settings) => widgets(page).nth(at).evaluate((one, settings) => void (one.settings = settings), settings);

test('the page shows the arrays that Python has, and Python has what the page computes', async ({ page, lab }) => {
  await opened(page, lab, [FINISHED, COMPUTED]);
  await expectDrawn(page, 2, (one) => !!one.settings.data);
  // Numbers on screen are those of the array, to the last bit.
  expect(await tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[0]'));
  expect(await widgets(page).first().evaluate(({ snapshot, settings }) => [snapshot.tokens.keys, settings.head])).toEqual([['the', 'cat', 'sat', 'on', 'a', 'mat'], 2]);
  // Python has set it, and what was not set.
  expect(await asked(page, '[widget.head, widget.heads, widget.view, computed.mask]')).toEqual([2, 4, 'map', 'causal']);
  const measures = await widgets(page).first().evaluate(({ snapshot }) => snapshot.measures);
  const stats = await asked(page, '{name: float(of_heads[1]) for name, of_heads in widget.stats.items()}');
  for (const name of Object.keys(stats)) expect(stats[name], name).toBeCloseTo(measures[name], 6);
  expect(Object.keys(stats)).toHaveLength(3);
  // What only the page computes.
  await expect.poll(() => asked(page, 'list(computed._arrays)')).toEqual(['weights', 'output']);
  for (const name of ['weights', 'output']) expect(await array(page, `computed.${name}`), name).toEqual(await tensor(page, 1, name));
  expect((await tensor(page, 1, 'weights')).data.slice(0, 5)).toEqual([1, 0, 0, 0, 0]);

  // A hand on the page, and a line in Python.
  await set(page, 1, { mask: 'none', temperature: 2 });
  await expect.poll(() => asked(page, '[computed.mask, computed.temperature, bool((computed.weights > 0).all())]')).toEqual(['none', 2, true]);
  expect(await array(page, 'computed.weights')).toEqual(await tensor(page, 1, 'weights'));
  await asked(page, '(setattr(widget, "head", 4), setattr(widget, "cell", "2,3"), setattr(widget, "layer", 3))');
  await expect.poll(() => widgets(page).first().evaluate(({ settings }) => [settings.head, settings.cell])).toEqual([4, '2,3']);
  await expect.poll(() => tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[2]'));
  expect(await array(page, 'widget.weights')).toEqual(await array(page, 'weights[2]'));
  const field = page.locator('[data-lm-suppress-shortcuts] > label > input');
  await field.fill('2');
  await field.press('Enter');
  await expect.poll(() => asked(page, 'widget.layer')).toBe(2);
  await expect.poll(() => tensor(page, 0, 'weights')).toEqual(await array(page, 'weights[1]'));
  expect(await asked(page, '[widget.head, widget.cell]')).toEqual([4, '2,3']);

  // What cannot be is said, and the trait is what is on screen.
  await asked(page, 'setattr(computed, "temperature", -3)');
  await expect.poll(() => asked(page, '[computed.temperature, computed.refused != ""]')).toEqual([2, true]);
  expect(await asked(page, '[computed.figure("svg", width_mm=100)[:4], computed.figure("png")[1:4].decode(), computed.link()[:7]]')).toEqual(['<svg', 'PNG', 'embed&v']);
});

test('one widget shown twice is one state, and numbers travel once', async ({ page, lab }) => {
  await opened(page, lab, [`${FINISHED.replace(/widget$/, '')}
sent = []
send = widget.send
widget.send = lambda content, buffers=None: (sent.append(content["type"]), send(content, buffers))
widget`, 'widget']);
  await expectDrawn(page, 2, (one) => !!one.settings.data);
  await set(page, 0, { head: 3 });
  await expect.poll(() => widgets(page).nth(1).evaluate(({ settings }) => settings.head)).toBe(3);
  await set(page, 1, { head: 1 });
  await expect.poll(() => widgets(page).nth(0).evaluate(({ settings }) => settings.head)).toBe(1);
  expect(await asked(page, '[widget.head, sent]')).toEqual([1, ['files', 'numbers']]);
});

test('a saved notebook, and its export, show the last picture; a kernel that has gone leaves the page alive', async ({ page, lab, quiet }) => {
  await opened(page, lab, [FINISHED]);
  await expectDrawn(page, 1, (one) => !!one.settings.data);
  const still = page.locator('[data-attention-playground]');
  await set(page, 0, { head: 3 });
  await expect(still.locator('figcaption')).toHaveText('Attention weights, layer 1 of 3: head 3 of 4, 6 × 6.');
  await expect(still, 'it stands for the widget where that is not alive').toBeHidden();
  await page.evaluate(() => jupyterapp.commands.execute('docmanager:save'));
  const saved = await readFile(join(lab.folder, 'own.ipynb'), 'utf8');
  const outputs = JSON.parse(saved).cells[0].outputs.map(({ data }) => Object.keys(data).sort());
  expect(outputs).toEqual([['application/vnd.jupyter.widget-view+json', 'text/plain'], ['image/png', 'text/html', 'text/plain']]);

  await page.evaluate(() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.shutdown());
  await set(page, 0, { head: 2, view: 'curves' });
  await expectDrawn(page, 1, ({ settings }) => settings.head === 2 && settings.view === 'curves');

  await run(PYTHON, ['-m', 'nbconvert', '--to', 'html', 'own.ipynb'], { cwd: lab.folder, env: surroundings(lab.folder) });
  const offline = await page.context().browser().newContext({ javaScriptEnabled: false });
  const reader = await offline.newPage();
  await reader.goto(`file://${join(lab.folder, 'own.html')}`);
  const picture = reader.locator('[data-attention-playground] img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 200))).toBe(true);
  await expect(reader.locator('figcaption')).toHaveText('Attention weights, layer 1 of 3: head 3 of 4, 6 × 6.');
  await offline.close();
  quiet.allow(/kernel|websocket/i);
});

test('the example runs without a page, and its export shows the weights', async ({ page, quiet }) => {
  const folder = await mkdtemp(join(tmpdir(), 'example-'));
  await cp(join(ROOT, 'docs/examples/notebook'), folder, { recursive: true });
  await run(PYTHON, ['-m', 'nbconvert', '--to', 'html', '--execute', 'widget.ipynb'], { cwd: folder, env: surroundings(folder) });
  const html = await readFile(join(folder, 'widget.html'), 'utf8');
  expect(html).toContain('(None, None)');
  await page.setContent(html.replaceAll(/<script[^]*?<\/script>/g, ''));
  await expect(page.locator('figcaption')).toHaveText(['Attention weights, layer 1 of 3: head 2 of 4, 6 × 6.', 'Attention from one\'s own numbers: head 1.', 'Attention of “the animal was tired”: head 1.']);
  const picture = page.locator('[data-attention-playground] img');
  await expect(picture).toHaveCount(1);
  await expect(picture).toBeVisible();
  quiet.allow(/./);
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});
