// A JupyterLab of one's own, with settings and kernels of nobody else.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PYTHON = process.env.PYTHON || 'python3';

/** How long a server, and a kernel, may take to begin. */
const PATIENCE_MS = 90_000;

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Variables of programs that keep everything in `folder`; `beside` are folders of further Python packages. */
export const surroundings = (folder, beside = []) => ({
  ...process.env,
  PYTHONPATH: [join(ROOT, 'python'), ...beside].join(':'),
  IPYTHONDIR: join(folder, '.ipython'),
  JUPYTER_CONFIG_DIR: join(folder, '.config'),
  JUPYTER_DATA_DIR: join(folder, '.data'),
  JUPYTER_RUNTIME_DIR: join(folder, '.runtime'),
  JUPYTERLAB_SETTINGS_DIR: join(folder, '.lab'),
  JUPYTERLAB_WORKSPACES_DIR: join(folder, '.workspaces'),
});

const OPTIONS = ['--no-browser', '--expose-app-in-browser', '--allow-root', '--ServerApp.token=', '--ServerApp.password=', '--ServerApp.ip=127.0.0.1', '--ServerApp.port_retries=0'];

const jupyter = (port, folder) => [...OPTIONS, `--ServerApp.port=${port}`, `--ServerApp.root_dir=${folder}`];

const answers = (address) => fetch(address).then(({ ok }) => ok, () => false);

/**
 * `{ folder, origin, stop }` of a server that has started, with a folder of its own: JupyterLab, or the `program` of `python`, whose options are made
 * of its port and folder.
 */
export async function startServer({ python = PYTHON, program = 'jupyterlab', options = jupyter, beside } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'notebook-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(python, ['-m', program, ...options(port, folder)], { env: surroundings(folder, beside), cwd: folder, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill();
    // One that is starting a kernel does not listen.
    const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
    await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  };
  const end = Date.now() + PATIENCE_MS;
  while (!(await answers(origin))) {
    if (Date.now() > end || server.exitCode !== null) {
      await stop();
      throw new Error(`${program} of ${python} has not started.`);
    }
    await pause(100);
  }
  return { folder, origin, stop };
}

const notebook = (cells) => JSON.stringify({
  cells: cells.map((source, at) => ({ cell_type: 'code', id: `cell-${at}`, metadata: {}, execution_count: null, outputs: [], source })),
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** Opens a notebook of these cells, under a name and below a path, and waits for its kernel. */
export async function openNotebook(page, { folder, origin }, cells, name = 'own.ipynb', path = 'lab/tree') {
  await writeFile(join(folder, name), notebook(cells));
  // Without what was open before.
  await page.goto(`${origin}/${path}/${name}?reset`);
  await page.waitForFunction(() => globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle', null, { timeout: PATIENCE_MS });
}
