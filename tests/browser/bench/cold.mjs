// A first visit: a fresh browser, nothing cached; on this machine, and over a network of 20 Mbit/s with round trips of 50 ms.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { launch } from './builds.mjs';
import { noteStart, readStart } from './cold-watch.mjs';
import { kb, median, ms, table } from './report.mjs';

const NETWORKS = {
  local: null,
  '20 Mbit/s, 50 ms': { offline: false, latency: 50, downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 },
};
const VIEWPORTS = { '1280 × 900': { width: 1280, height: 900 }, '390 × 844': { width: 390, height: 844 } };

/** The engine's modules and the learned layer, which the opening picture does not need. */
const OF_THE_ENGINE = /\.(wasm|f32)$/;

/**
 * One visit to the first build, which ends `rest` milliseconds after the page has become idle. Where `hasEngine` is false, files of the engine do
 * not arrive, and the visit ends after the first map instead.
 */
async function visit(origin, { network = null, viewport = VIEWPORTS['1280 × 900'], rest = 0, hasEngine = true } = {}) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport, serviceWorkers: 'block' });
    // The handler neither answers nor aborts, as on a network that is too slow.
    if (!hasEngine) await page.route(OF_THE_ENGINE, () => {});
    if (network) {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', network);
    }
    await page.addInitScript(noteStart);
    await page.goto(`${origin}/ours/`);
    await page.waitForFunction((hasEngine) => (!hasEngine || 'idle' in document.documentElement.dataset) && performance.getEntriesByName('first-map').length > 0, hasEngine);
    await page.waitForTimeout(rest);
    return await page.evaluate(readStart);
  } finally {
    await browser.close();
  }
}

const ended = (resources, pattern) => resources.find(({ path }) => pattern.test(path))?.responseEnd;

/** Milliseconds since navigation by phase, in the order in which they are expected; absent where a page has no such phase. */
export function phases({ html, resources, times, marks, paints, idle }) {
  return {
    HTML: html,
    CSS: ended(resources, /\.css$/),
    'first contentful paint': paints['first-contentful-paint'],
    'module fetched': ended(resources, /\/engine-\w+\.wasm$/),
    ...Object.fromEntries(['DOMContentLoaded', 'compilation asked for', 'module compiled', 'worker made', 'worker ready', 'run posted', 'run answered'].map((kind) => [kind, times[kind]])),
    'first map': marks['first-map'],
    'map drawn by the engine': times['map drawn by the engine'],
    idle,
  };
}

/** Bytes as brotli (level 11) of what has been asked for until a moment. */
async function transferred(folder, requests, until) {
  const asked = requests.filter(({ path, time }) => path.startsWith('/ours/') && time < until);
  const names = new Set(asked.map(({ path }) => path.slice('/ours/'.length) || 'index.html'));
  const files = await Promise.all([...names].map(async (name) => {
    const bytes = await readFile(join(resolve(folder), name));
    return { name, raw: bytes.length, brotli: (await promisify(brotliCompress)(bytes)).length };
  }));
  const sum = (kind) => files.reduce((sum, file) => sum + file[kind], 0);
  return { files, raw: sum('raw'), brotli: sum('brotli') };
}

/**
 * Bytes that the first map needs, that are requested before it, and that are requested until the page has been idle for a second: by then it has
 * opened a graphics device, if there is one.
 */
async function bytes({ origin, builds, requests }) {
  const until = (moment) => transferred(builds[0], requests, moment);
  requests.length = 0;
  const withoutEngine = await visit(origin, { hasEngine: false });
  const forMap = await until(withoutEngine.origin + withoutEngine.marks['first-map']);
  requests.length = 0;
  const start = await visit(origin, { rest: 1000 });
  return { forMap, untilMap: await until(start.origin + start.marks['first-map']), untilIdle: await until(Infinity) };
}

const shift = ({ shifts }) => shifts.reduce((sum, { value }) => sum + value, 0);
const longest = ({ tasks }) => Math.max(0, ...tasks.map(({ duration }) => duration));

async function visits({ origin, isQuick, rounds }) {
  const networks = Object.fromEntries(Object.keys(NETWORKS).map((name) => [name, []]));
  for (let round = 0; round < (rounds ?? (isQuick ? 2 : 9)); round++) {
    for (const [name, network] of Object.entries(NETWORKS)) {
      const start = await visit(origin, { network });
      networks[name].push({ phases: phases(start), longest: longest(start) });
    }
  }
  return networks;
}

export async function measure(context) {
  const shifts = {};
  for (const [name, viewport] of Object.entries(VIEWPORTS)) shifts[name] = shift(await visit(context.origin, { viewport }));
  return { networks: await visits(context), shifts, ...await bytes(context) };
}

/** The middle of the visits that have a number. */
const middle = (numbers) => {
  const present = numbers.filter((number) => Number.isFinite(number));
  return present.length === 0 ? '–' : ms(median(present));
};

export function markdown({ networks, shifts, forMap, untilMap, untilIdle }) {
  const names = Object.keys(networks);
  const all = Object.keys(networks[names[0]][0].phases);
  const rows = [
    ...all.map((phase) => [phase, ...names.map((name) => middle(networks[name].map((visit) => visit.phases[phase])))]),
    ['first map, slowest', ...names.map((name) => ms(Math.max(...networks[name].map((visit) => visit.phases['first map']))))],
    ['longest task (under 50 ms is not reported by browsers)', ...names.map((name) => {
      const task = median(networks[name].map(({ longest }) => longest));
      return task === 0 ? 'under 50 ms' : ms(task);
    })],
  ];
  return [
    `Fresh browser, nothing cached, files sent as brotli; since navigation, median of ${networks[names[0]].length}.`,
    '',
    table(['', ...names], rows),
    '',
    `Transferred as brotli: the first map needs ${kb(forMap.brotli)}; until it is there ${kb(untilMap.brotli)} are asked for (${kb(untilMap.raw)} unpacked), ${kb(untilIdle.brotli)} until the page is idle. `
      + `Layout shift: ${Object.entries(shifts).map(([name, value]) => `${value.toFixed(3)} at ${name}`).join(', ')}.`,
  ].join('\n');
}
