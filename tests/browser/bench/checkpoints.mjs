// Real checkpoints, opened from the disk by this project and by wllama (llama.cpp in WebAssembly), in turns, in one browser. wllama is installed
// into a temporary folder; it reads GGUF alone, so MiniLM is written as such a file for it. Options: see USAGE.

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
const PYTHON = ['gguf==0.19.0', 'numpy==2.4.6', 'safetensors==0.8.0'];
/** 16 tokens of SmolLM2, 18 of MiniLM. */
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
  const pass = async (want) => (await timed(() => model.forward({ text, want: [want] })))[0];
  await pass('weights');
  const found = { open, maps: await pass('weights'), pass: await pass('hidden'), ids: (await model.encode(text)).ids.length };
  if (model.config.mask === 'causal') {
    const goOn = () => timedWords(model.generate({ text, temperature: 0, steps: words }));
    await goOn();
    const [[first, ...next], said] = await goOn();
    Object.assign(found, { first, next, said: said.map(({ token }) => token.replaceAll('Ġ', ' ').replaceAll('Ċ', '\n')).join('') });
  }
  model.free();
  return found;
}

/** In a bare page: wllama, which gives no maps: of an encoder it gives the mean of the last rows, once all layers have been computed. */
async function wllama([text, words, threads, isEncoder]) {
  const { Wllama } = await import('/peer/esm/index.js');
  const silent = Object.fromEntries(['debug', 'log', 'warn', 'error'].map((name) => [name, () => {}]));
  const own = new Wllama({ default: '/peer/esm/wasm/wllama.wasm' }, { suppressNativeLog: true, logger: silent });
  const [open] = await timed(() => own.loadModel(Object.values(chosen), { n_ctx: 512, n_gpu_layers: 0, n_threads: threads, embeddings: isEncoder }));
  const found = { open, threads: own.getNumThreads() };
  if (isEncoder) {
    const rows = () => timed(() => own.createEmbedding({ input: text }));
    const [pass, { usage }] = [await rows(), await rows()][1];
    Object.assign(found, { pass, ids: usage.prompt_tokens });
  } else {
    const goOn = async () => timedWords(await own.createCompletion({ prompt: text, max_tokens: words, temperature: 0, top_k: 1, cache_prompt: false, stream: true }));
    await goOn();
    const [[first, ...next], chunks] = await goOn();
    const said = chunks.map(({ choices }) => choices[0]?.text ?? '').join('');
    Object.assign(found, { first, next: next.slice(0, words - 1), said, ids: chunks.at(-1).timings?.prompt_n });
  }
  await own.exit();
  return found;
}

const CONTESTANTS = [
  { name: 'ours', model: 'smollm2', path: '/ours/', run: ours },
  { name: 'ours, one worker', model: 'smollm2', path: '/one-core/ours/', run: ours },
  { name: 'wllama, one thread', model: 'smollm2', path: BARE, run: wllama, threads: 1 },
  { name: 'wllama, two threads', model: 'smollm2', path: BARE, run: wllama, threads: 2 },
  { name: 'ours', model: 'minilm', path: '/ours/', run: ours },
  { name: 'ours, one worker', model: 'minilm', path: '/one-core/ours/', run: ours },
  { name: 'wllama, one thread', model: 'minilm', files: 'minilm-gguf', path: BARE, run: wllama, threads: 1 },
  { name: 'wllama, two threads', model: 'minilm', files: 'minilm-gguf', path: BARE, run: wllama, threads: 2 },
];

async function measured(browser, origin, { model, files = model, path, run, threads }, models) {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  try {
    await page.addInitScript(helpers);
    await page.goto(origin + path);
    await choose(page, models[files]);
    return await page.evaluate(run, [TEXT, WORDS, threads, model === 'minilm']);
  } finally {
    await page.close();
  }
}

/** Paths of the files by name, by the model's id. */
async function offered(folder) {
  const { models } = JSON.parse(await readFile(join(folder, 'models.json'), 'utf8'));
  return Object.fromEntries(models.map(({ id, files }) => [id, Object.fromEntries(files.map(({ name, path }) => [name, resolve(folder, path)]))]));
}

const execute = promisify(execFile);

/** MiniLM as a file that the peer reads. */
async function writeGguf(folder) {
  const [python, file] = [join(folder, 'python'), join(folder, 'minilm.gguf')];
  await execute('python3', ['-m', 'venv', python]);
  await execute(join(python, 'bin/python'), ['-m', 'pip', 'install', '--disable-pip-version-check', ...PYTHON]);
  await execute(join(python, 'bin/python'), [join(ROOT, 'tests/browser/bench/minilm_gguf.py'), join(OPTIONS.models, 'models/minilm'), file]);
  return file;
}

const spread = (times) => (times.length ? `${ms(median(times))} (${ms(sorted(times)[0])}–${ms(sorted(times).at(-1))})` : '');

function rows(all) {
  return CONTESTANTS.map(({ name, model }, at) => {
    const rounds = all.map((round) => round[at]);
    const times = (key) => rounds.flatMap((round) => round[key] ?? []);
    return [model, name, ...['open', 'maps', 'pass', 'first', 'next'].map((key) => spread(times(key)))];
  });
}

async function main(peer) {
  const builds = [OPTIONS.dist];
  const mounts = { ...mountsOf(builds), '/peer/': join(peer, 'node_modules', PEER[0]) };
  const server = await serve({ folder: ROOT.replace(/\/$/, ''), mounts, headers: ISOLATED, instead: workerOnOneCore(builds) });
  const browser = await launch();
  try {
    const models = { ...await offered(OPTIONS.models), 'minilm-gguf': { 'minilm.gguf': await writeGguf(peer) } };
    const all = [];
    for (let round = 0; round < Number(OPTIONS.rounds); round++) {
      all.push([]);
      for (const contestant of CONTESTANTS) all[round].push(await measured(browser, server.origin, contestant, models));
    }
    CONTESTANTS.forEach(({ name, model }, at) => console.log(`${model}, ${name}: ${JSON.stringify({ ...all[0][at], next: undefined })}`));
    console.log(`\n${machine(browser.version(), false)}; wllama ${PEER[1]}; ${OPTIONS.rounds} rounds, each in turns\n`);
    console.log(table(['model', '', 'opened', 'all maps', 'pass without maps', 'first word', 'next word'], rows(all)));
  } finally {
    await browser.close();
    await server.close();
  }
}

const peer = await mkdtemp(join(tmpdir(), 'peer-'));
try {
  await execute('npm', ['install', '--prefix', peer, '--no-audit', '--no-fund', '--ignore-scripts', PEER.join('@')]);
  await main(peer);
} finally {
  await rm(peer, { recursive: true, force: true });
}
