// Real checkpoints, opened from the disk by this project and by wllama (llama.cpp in WebAssembly), in turns, in one browser. wllama is installed
// into a temporary folder; it reads GGUF alone, so MiniLM's folder has no peer. Options: see USAGE.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { DIST, serve } from '../server.mjs';
import { BARE, ISOLATED, launch, mountsOf, workerOnOneCore } from './builds.mjs';
import { machine, median, ms, ROOT, sorted, table } from './report.mjs';

const USAGE = 'node tests/browser/bench/checkpoints.mjs --models DIR [--rounds N] [--dist DIR]; DIR as made by ./dev models --into DIR minilm smollm2';
const PEER = ['@wllama/wllama', '3.13.0'];
/** 16 tokens of SmolLM2. */
const TEXT = 'The animal didn\'t cross the street because it was too tired to go on.';
const WORDS = 16;

const { values: OPTIONS } = parseArgs({
  options: { models: { type: 'string' }, rounds: { type: 'string', default: '5' }, dist: { type: 'string', default: DIST } },
});
if (!OPTIONS.models) throw new Error(USAGE);

/** In the page: how long something takes. */
function helpers() {
  globalThis.timed = async (act) => {
    const start = performance.now();
    const value = await act();
    return [performance.now() - start, value];
  };
  /** Times between the words of an async iterator, and the words. */
  globalThis.timedWords = async (iterator) => {
    const [times, words] = [[], []];
    let last = performance.now();
    for await (const word of iterator) {
      times.push(performance.now() - last);
      words.push(word);
      last = performance.now();
    }
    return [times, words];
  };
}

async function choose(page, paths) {
  const input = await page.evaluateHandle(() => Object.assign(document.createElement('input'), { type: 'file', multiple: true }));
  await input.asElement().setInputFiles(Object.values(paths));
  await input.evaluate(({ files }, names) => {
    globalThis.chosen = Object.fromEntries(names.map((name, at) => [name, files[at]]));
  }, Object.keys(paths));
}

/** In a page of ours: everything once, and the passes once more, since the first pays for what it is the first to need. */
async function ours([text, words]) {
  await attentionPlayground.ready;
  const [open, model] = await timed(() => attentionPlayground.open(chosen));
  const maps = async () => (await timed(() => model.forward({ text, want: ['weights'] })))[0];
  const found = { open, maps: [await maps(), await maps()][1], ids: (await model.encode(text)).ids.length };
  if (model.config.mask === 'causal') {
    const goOn = () => timedWords(model.generate({ text, temperature: 0, steps: words }));
    await goOn();
    const [[first, ...next], said] = await goOn();
    Object.assign(found, { first, next, said: said.map(({ token }) => token.replaceAll('Ġ', ' ').replaceAll('Ċ', '\n')).join('') });
  }
  model.free();
  return found;
}

/** In a bare page: wllama, which gives no maps. */
async function wllama([text, words, threads]) {
  const { Wllama } = await import('/peer/esm/index.js');
  const silent = Object.fromEntries(['debug', 'log', 'warn', 'error'].map((name) => [name, () => {}]));
  const own = new Wllama({ default: '/peer/esm/wasm/wllama.wasm' }, { suppressNativeLog: true, logger: silent });
  const [open] = await timed(() => own.loadModel(Object.values(chosen), { n_ctx: 512, n_gpu_layers: 0, ...(threads && { n_threads: threads }) }));
  const goOn = async () => timedWords(await own.createCompletion({ prompt: text, max_tokens: words, temperature: 0, top_k: 1, cache_prompt: false, stream: true }));
  await goOn();
  const [[first, ...next], chunks] = await goOn();
  const said = chunks.map(({ choices }) => choices[0]?.text ?? '').join('');
  const found = { open, first, next: next.slice(0, words - 1), said, threads: own.getNumThreads(), ids: chunks.at(-1)?.usage?.prompt_tokens ?? chunks.at(-1)?.timings?.prompt_n };
  await own.exit();
  return found;
}

const CONTESTANTS = [
  { name: 'ours', model: 'smollm2', path: '/ours/', run: ours },
  { name: 'ours, one worker', model: 'smollm2', path: '/one-core/ours/', run: ours },
  { name: 'wllama, one thread', model: 'smollm2', path: BARE, run: wllama, threads: 1 },
  { name: 'wllama, two threads', model: 'smollm2', path: BARE, run: wllama, threads: 2 },
  { name: 'ours', model: 'minilm', path: '/ours/', run: ours },
];

async function measured(browser, origin, { model, path, run, threads = null }, models) {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  try {
    await page.addInitScript(helpers);
    await page.goto(origin + path);
    await choose(page, models[model]);
    return await page.evaluate(run, [TEXT, WORDS, threads]);
  } finally {
    await page.close();
  }
}

/** Paths of the files by name, by the model's id. */
async function offered(folder) {
  const { models } = JSON.parse(await readFile(join(folder, 'models.json'), 'utf8'));
  return Object.fromEntries(models.map(({ id, files }) => [id, Object.fromEntries(files.map(({ name, path }) => [name, resolve(folder, path)]))]));
}

const spread = (times) => (times.length ? `${ms(median(times))} (${ms(sorted(times)[0])}–${ms(sorted(times).at(-1))})` : '');

function rows(all) {
  return CONTESTANTS.map(({ name, model }, at) => {
    const rounds = all.map((round) => round[at]);
    const times = (key) => rounds.flatMap((round) => round[key] ?? []);
    return [model, name, spread(times('open')), spread(times('maps')), spread(times('first')), spread(times('next'))];
  });
}

async function main(peer) {
  const builds = [OPTIONS.dist];
  const mounts = { ...mountsOf(builds), '/peer/': join(peer, 'node_modules', PEER[0]) };
  const server = await serve({ folder: ROOT.replace(/\/$/, ''), mounts, headers: ISOLATED, instead: workerOnOneCore(builds) });
  const browser = await launch();
  try {
    const models = await offered(OPTIONS.models);
    const all = [];
    for (let round = 0; round < Number(OPTIONS.rounds); round++) {
      all.push([]);
      for (const contestant of CONTESTANTS) all[round].push(await measured(browser, server.origin, contestant, models));
    }
    CONTESTANTS.forEach(({ name, model }, at) => console.log(`${model}, ${name}: ${JSON.stringify({ ...all[0][at], next: undefined })}`));
    console.log(`\n${machine(browser.version(), false)}; wllama ${PEER[1]}; ${OPTIONS.rounds} rounds, each in turns\n`);
    console.log(table(['model', '', 'opened', `maps of ${all[0][0].ids} tokens`, 'first word', 'next word'], rows(all)));
  } finally {
    await browser.close();
    await server.close();
  }
}

const peer = await mkdtemp(join(tmpdir(), 'peer-'));
try {
  await promisify(execFile)('npm', ['install', '--prefix', peer, '--no-audit', '--no-fund', '--ignore-scripts', PEER.join('@')]);
  await main(peer);
} finally {
  await rm(peer, { recursive: true, force: true });
}
