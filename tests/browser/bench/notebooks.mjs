// One's own attention in a notebook: from the call to a drawn map, and what is written into the notebook, here, with bertviz and with attnview, in
// turns, in JupyterLab; then what only this project is asked for, 12 layers of 512 tokens. Peers are installed into a temporary folder. bertviz needs
// PyTorch, which PYTORCH_PYTHON names, and asks a CDN for three scripts: it is given them here, from npm, at once.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openNotebook, PYTHON, startServer } from '../jupyter.mjs';
import { launch } from './builds.mjs';
import { machine, mb, median, ms, sorted, table } from './report.mjs';

const PEERS = ['bertviz==1.4.1', 'attnview==0.5.1'];
/** What bertviz asks a CDN for. npm has no jQuery 2.0.0. */
const SCRIPTS = { 'requirejs@2.3.6': ['require.js/', 'requirejs/require.js'], 'd3@5.7.0': ['/d3/', 'd3/dist/d3.min.js'], 'jquery@2.1.4': ['/jquery/', 'jquery/dist/jquery.min.js'] };
/** How long a map may take. */
const PATIENCE_MS = 180_000;
const SIZE = [12, 12, 128, 128];
const LARGE = [12, 12, 512, 512];

const { values: OPTIONS } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const execute = promisify(execFile);

const arrays = ([layers, heads, n]) => `import numpy as np, sys
rng = np.random.default_rng(1)
weights = rng.random((${layers}, ${heads}, ${n}, ${n}), dtype="f4")
weights /= weights.sum(-1, keepdims=True)
tokens = [f"t{at}" for at in range(${n})]
`;

const CONTESTANTS = [
  {
    name: 'this project',
    prepare: 'import attention_playground as ap',
    call: 'ap.show(weights, tokens=tokens)',
    isDrawn: () => document.querySelector('[data-lm-suppress-shortcuts] > :defined:not(label, style)')?.snapshot?.computed === true,
  },
  {
    name: 'bertviz 1.4.1 head_view',
    prepare: (torch) => `sys.path.append(${JSON.stringify(torch)}); import torch; from bertviz import head_view; layers = [torch.tensor(layer.tolist())[None] for layer in weights]`,
    call: 'head_view(layers, tokens)',
    isDrawn: () => document.querySelectorAll('#vis svg line').length > 0,
  },
  {
    name: 'attnview 0.5.1',
    prepare: 'import attnview; cache = {f"blocks.{at}.attn.hook_pattern": layer[None] for at, layer in enumerate(weights)}',
    call: 'attnview.display_cache(cache, tokens=tokens)',
    isDrawn: () => document.querySelectorAll('#weights tr').length > 0,
  },
];

/** Runs the next cell, and waits until its code has ended. */
const runCell = (page) => page.evaluate(async () => {
  await jupyterapp.commands.execute('notebook:run-cell-and-select-next');
});

/** What the page's thread was kept from doing, in ms: the longest task. */
const watchTasks = (page) => page.evaluate(() => {
  globalThis.longest = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => { globalThis.longest = Math.max(globalThis.longest, duration); })).observe({ type: 'longtask' });
});

/** Bytes that all processes of a page's own hold in memory, the largest of the browser's renderers. */
async function rendererBytes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(async ({ id }) => Number((await readFile(`/proc/${id}/statm`, 'utf8').catch(() => '0 0')).split(' ')[1]) * 4096));
  return Math.max(...sizes);
}

/** `{ drawn, longest, saved, grown }` of a call in a notebook of its own. */
async function measured(browser, lab, { prepare, call, isDrawn }, size, { torch, scripts }) {
  const page = await browser.newPage();
  try {
    for (const [part, file] of scripts) await page.route((url) => url.hostname === 'cdnjs.cloudflare.com' && url.pathname.includes(part), (route) => route.fulfill({ path: file, contentType: 'text/javascript' }));
    const name = `own-${Date.now()}.ipynb`;
    await openNotebook(page, lab, [arrays(size) + (typeof prepare === 'function' ? prepare(torch) : prepare), call], name);
    await runCell(page);
    // bertviz needs it at once, and JupyterLab runs its script before what it has asked for has come: without this nothing is drawn.
    await page.addScriptTag({ path: scripts[0][1] });
    await watchTasks(page);
    const before = await rendererBytes(browser);
    const start = await page.evaluate(() => performance.now());
    await Promise.all([runCell(page), page.waitForFunction(isDrawn, null, { timeout: PATIENCE_MS, polling: 'raf' })]);
    const [end, longest] = await page.evaluate(() => [performance.now(), globalThis.longest]);
    const grown = (await rendererBytes(browser)) - before;
    // The picture for the saved notebook is made when nothing has changed for a while.
    await page.waitForTimeout(3_000);
    await page.evaluate(() => jupyterapp.commands.execute('docmanager:save'));
    const { size: saved } = await stat(join(lab.folder, name));
    await page.evaluate(() => jupyterapp.shell.currentWidget.sessionContext.shutdown());
    return { drawn: end - start, longest, saved, grown };
  } finally {
    await page.close();
  }
}

async function torchFolder() {
  const { stdout } = await execute(process.env.PYTORCH_PYTHON || '/usr/bin/python3', ['-c', 'import os, torch; print(os.path.dirname(os.path.dirname(torch.__file__)))']).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

async function installed(folder) {
  await execute(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', join(folder, 'python'), ...PEERS]);
  await execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...Object.keys(SCRIPTS)]);
  return { torch: await torchFolder(), scripts: Object.values(SCRIPTS).map(([part, file]) => [part, join(folder, 'node_modules', file)]) };
}

const spread = (times) => `${ms(median(times))} (${ms(sorted(times)[0])}–${ms(sorted(times).at(-1))})`;

function rows(contestants, all) {
  const own = all.map((round) => round[0]);
  const ratio = (rounds, key) => median(rounds.map((round, at) => round[key] / own[at][key]));
  return contestants.map(({ name }, at) => {
    const rounds = all.map((round) => round[at]);
    const of = (key) => rounds.map((round) => round[key]);
    return [name, spread(of('drawn')), `${ratio(rounds, 'drawn').toFixed(1)} ×`, ms(median(of('longest'))), mb(median(of('saved'))), `${ratio(rounds, 'saved').toFixed(1)} ×`];
  });
}

async function main(folder) {
  const found = await installed(folder);
  const contestants = CONTESTANTS.filter(({ name }) => found.torch || !/bertviz/.test(name));
  if (!found.torch) console.log('bertviz is left out: no PyTorch is here.');
  const lab = await startServer({ beside: [join(folder, 'python')] });
  const browser = await launch();
  try {
    const all = [];
    for (let round = 0; round < Number(OPTIONS.rounds); round++) {
      all.push([]);
      for (const contestant of contestants) all[round].push(await measured(browser, lab, contestant, SIZE, found));
    }
    console.log(`${machine(browser.version(), false)}; JupyterLab; ${SIZE.join(' × ')} in 32 bits (9.4 MB); ${OPTIONS.rounds} rounds, each in turns\n`);
    console.log(table(['', 'call → drawn', '÷ ours', 'longest task', 'saved notebook', '÷ ours'], rows(contestants, all)));
    const large = await measured(browser, lab, CONTESTANTS[0], LARGE, found);
    const bytes = 4 * LARGE.reduce((product, length) => product * length);
    console.log(`\n${LARGE.join(' × ')} (${mb(bytes)}), this project: drawn in ${ms(large.drawn)}, longest task ${ms(large.longest)}, memory of the page grown by ${mb(large.grown)} (${(large.grown / bytes).toFixed(2)} × the numbers), saved ${mb(large.saved)}`);
  } finally {
    await browser.close();
    await lab.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'peers-'));
try {
  await main(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
