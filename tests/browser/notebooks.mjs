// A JupyterLab of one's own, with notebooks in which the Python package is used.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, isolated } from './fixture.mjs';

export { expect };

export const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PYTHON = process.env.PYTHON || 'python3';

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Settings and kernels of nobody else. */
export const surroundings = (folder) => ({
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
export const test = isolated.extend({
  lab: async ({ page, quiet }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'notebook-'));
    const origin = `http://127.0.0.1:${await freePort()}`;
    const options = [...OPTIONS, `--ServerApp.port=${new URL(origin).port}`, `--ServerApp.root_dir=${folder}`];
    const server = spawn(PYTHON, ['-m', 'jupyterlab', ...options], { env: surroundings(folder), cwd: folder, stdio: 'ignore' });
    await expect.poll(() => fetch(`${origin}/api`).then(({ ok }) => ok, () => false), { timeout: 60_000 }).toBe(true);
    // Of the server's own origin everything is allowed, and what JupyterLab itself says; nothing of any other.
    quiet.allow(new RegExp(`^request to another origin: ${origin}/|^status \\d+: ${origin}/|^console (warning|error): (?!.*attention)`));
    // JupyterLab leaves calls of a kernel that is shut down to nobody.
    quiet.allow(/^uncaught: .*(Canceled|canceled|disposed|Kernel|kernel)/);
    await use({ folder, origin });
    await page.goto('about:blank');
    // One that is starting a kernel does not listen.
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  },
});

const notebook = (cells) => JSON.stringify({
  cells: cells.map((source, at) => ({ cell_type: 'code', id: `cell-${at}`, metadata: {}, execution_count: null, outputs: [], source })),
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** Opens a notebook of these cells, and runs them. */
export async function opened(page, { folder, origin }, cells) {
  await writeFile(join(folder, 'own.ipynb'), notebook(cells));
  await page.goto(`${origin}/lab/tree/own.ipynb`);
  await page.waitForFunction(() => globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle', null, { timeout: 90_000 });
  await page.evaluate(() => jupyterapp.commands.execute('notebook:run-all-cells'));
}

/** Elements of the package, in order. */
export const widgets = (page) => page.locator('[data-lm-suppress-shortcuts] > :defined:not(label, style)');

/** Waits until so many widgets show what fits, which is given the element. */
export async function expectDrawn(page, count, fits = () => true) {
  await expect(widgets(page)).toHaveCount(count, { timeout: 60_000 });
  for (let at = 0; at < count; at++) {
    await expect.poll(() => widgets(page).nth(at).evaluate((one, fits) => !!one.snapshot?.computed && (0, eval)(fits)(one), String(fits)), { timeout: 60_000 }).toBe(true);
  }
}

/** What a kernel says to code, as JSON. */
export const asked = (page, code) => page.evaluate(async (code) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const future = kernel.requestExecute({ code: `import json; print(json.dumps(${code}))` });
  let said = '';
  future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ''; };
  await future.done;
  return JSON.parse(said);
}, code);

export const IMPORTS = 'import numpy as np, attention_playground as ap\nrng = np.random.default_rng(1)\n';
export const FINISHED = `${IMPORTS}weights = rng.random((3, 4, 6, 6), dtype="f4"); weights /= weights.sum(-1, keepdims=True)
widget = ap.show(weights, tokens="the cat sat on a mat".split(), head=2)
widget`;
export const COMPUTED = 'computed = ap.show(q=rng.standard_normal((2, 5, 4)), k=rng.standard_normal((2, 5, 4)), v=rng.standard_normal((2, 5, 3)), mask=np.tri(5))\ncomputed';

export const tensor = (page, at, name) => widgets(page).nth(at).evaluate(async (one, name) => {
  const { shape, data } = await one.tensor(name);
  return { shape, data: [...data] };
}, name);

export const array = (page, name) => asked(page, `{"shape": ${name}.shape, "data": ${name}.ravel().tolist()}`);

export const set = (page, at, settings) => widgets(page).nth(at).evaluate((one, settings) => void (one.settings = settings), settings);
