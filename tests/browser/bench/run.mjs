// Benchmark of the release build in Chromium, with real input: `node tests/browser/bench/run.mjs [--quick] [--readme]`.
// Prints a table and writes target/bench/browser.json; --readme puts the table into README.md. Judges nothing: machines differ.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from '../browsers.mjs';
import { DIST, serve } from '../server.mjs';
import { ALL_PANELS, burst, changes, linkTo, mapTimes, presses } from './measure.mjs';
import { intoFile, intoReadme, machine, median, sorted } from './report.mjs';

const QUICK = process.argv.includes('--quick');
const TOKENS = [11, 64, 256];
/** What is measured: so many tokens, with the panels that are open at first, or with every one of them. */
const SETTINGS = [...TOKENS.map((tokens) => ({ tokens })), ...TOKENS.slice(0, 2).map((tokens) => ({ tokens, open: ALL_PANELS }))];

const p95 = (times) => sorted(times)[Math.ceil(0.95 * times.length) - 1];

const launch = () => driver.launch({ executablePath: chromium(), args: chromiumFlags });

/** Opens a page of its own, hands it to `measure` and closes everything. */
async function inPage(origin, fragment, measure) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${origin}/${fragment}`);
  const times = await mapTimes(page);
  await page.waitForTimeout(QUICK ? 200 : 1000);
  const result = await measure(page, times, browser);
  await browser.close();
  return result;
}

/** Milliseconds from the start of navigation to the first painted map and to the engine's; browser, cache and all fresh each time. */
async function coldStarts(origin) {
  const times = [];
  for (let run = 0; run < (QUICK ? 2 : 9); run++) times.push(await inPage(origin, '', async (_, maps) => maps));
  return times;
}

/** Files that a first visit asks for, with their bytes as they are and as brotli (level 11). */
async function transferred(origin) {
  const browser = await launch();
  const page = await browser.newPage();
  const names = new Set();
  page.on('response', (response) => {
    const { protocol, pathname } = new URL(response.url());
    if (protocol.startsWith('http')) names.add(pathname === '/' ? '/index.html' : pathname);
  });
  await page.goto(`${origin}/`);
  await mapTimes(page);
  await page.waitForTimeout(500);
  await browser.close();
  const files = await Promise.all([...names].map(async (name) => {
    const bytes = await readFile(join(DIST, name));
    return { name, raw: bytes.length, brotli: (await promisify(brotliCompress)(bytes)).length };
  }));
  const sum = (kind) => files.reduce((sum, file) => sum + file[kind], 0);
  return { files, raw: sum('raw'), brotli: sum('brotli') };
}

async function browserVersion() {
  const browser = await launch();
  const version = browser.version();
  await browser.close();
  return version;
}

async function measureAll(origin) {
  const count = QUICK ? 8 : 60;
  const results = { machine: machine(await browserVersion()), answers: [] };
  results.transferred = await transferred(origin);
  results.coldStarts = await coldStarts(origin);
  for (const setting of SETTINGS) {
    const link = linkTo(setting.tokens, setting.open);
    results.answers.push({
      ...setting,
      ...await inPage(origin, link, (page) => presses(page, count)),
      burst: await inPage(origin, link, burst),
    });
  }
  results.changes = await inPage(origin, '', (page) => changes(page, QUICK ? 50 : 500));
  return results;
}

const ms = (time) => `${time.toFixed(1)} ms`;
const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const coldStart = (map, times) => `| Navigation → ${map}, fresh browser, nothing cached | median ${ms(median(times))}, slowest of ${times.length}: ${ms(Math.max(...times))} |`;

function table({ machine, answers, transferred, coldStarts, changes }) {
  const name = ({ tokens, open }) => `${tokens} tokens${tokens === TOKENS[0] ? ' (the opening sentence)' : ''}${open ? ', every panel open' : ''}`;
  const rows = answers.flatMap(({ drawn, shown, burst, ...setting }) => {
    const { seconds, frames, pictures, longestGap } = burst;
    return [
      [`Key press on a slider → map drawn, ${name(setting)}`, `median ${ms(median(drawn))}, 95 % within ${ms(p95(drawn))}`],
      ['… → in a frame handed to the screen (60 Hz)', `median ${ms(median(shown))}, 95 % within ${ms(p95(shown))}`],
      [`200 slider events sent over 2 s, ${name(setting)}`, `${seconds.toFixed(2)} s, ${pictures} pictures, ${frames} frames, longest gap ${longestGap.toFixed(0)} ms`],
    ];
  });
  const { before, after } = changes;
  return [
    `Measured on: ${machine}.`,
    '',
    '| What | Measured |',
    '|---|---|',
    coldStart('first map', coldStarts.map(({ first }) => first)),
    coldStart('the engine’s own map', coldStarts.map(({ engine }) => engine)),
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    `| JavaScript heap after collection, before → after ${QUICK ? 50 : 500} changes | ${mb(before.javascript)} → ${mb(after.javascript)} |`,
    `| WebAssembly memory, page and worker, before → after | ${mb(before.wasm)} → ${mb(after.wasm)} |`,
    `| Transferred for a first visit | ${kb(transferred.raw)}, as brotli ${kb(transferred.brotli)} |`,
  ].join('\n');
}

const server = await serve();
try {
  const results = await measureAll(server.origin);
  await intoFile('browser.json', results);
  console.log(table(results));
  if (process.argv.includes('--readme')) await intoReadme('benchmarks', './dev bench --readme', table(results));
} finally {
  await server.close();
}
