// Builds of this project that are measured side by side, and the isolated page in which contestants take turns.

import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { chromium as driver } from '@playwright/test';
import { chromium, chromiumFlags } from '../browsers.mjs';
import { serve } from '../server.mjs';
import { ROOT } from './report.mjs';

/** Where contestants are that are no page of ours; the page that holds all frames as well. */
export const BARE = '/tests/browser/bench/frame.html';
const TURNS = '/tests/browser/bench/turns.mjs';
/** Without these a browser gives no page memory that threads share. */
export const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Below this path the workers of a build see one core (`navigator.hardwareConcurrency`), so that none starts a second worker. */
const ONE_CORE = '/one-core';

/** `ours` is served below /ours/, the second build below /ours-2/. */
export const nameOf = (at) => (at === 0 ? 'ours' : `ours-${at + 1}`);
const pathOf = (at) => `/${nameOf(at)}/`;

/** Where the server finds each build, by path. */
export const mountsOf = (builds) =>
  Object.fromEntries(builds.flatMap((folder, at) => ['', ONE_CORE].map((where) => [where + pathOf(at), resolve(folder)])));

/** The contestant that build `at` is, with what it is asked for; kept to one worker where `workers` is 1. */
export const ours = (folder, at, options) =>
  ({ name: nameOf(at), frame: (options.workers === 1 ? ONE_CORE : '') + pathOf(at), module: './ours.mjs', options, folder });

const served = (builds, options) => serve({ folder: ROOT.replace(/\/$/, ''), mounts: mountsOf(builds), ...options });

/** For a worker's script below ONE_CORE: the script, after a line that sets the number of cores. Null for every other path. */
export const workerOnOneCore = (builds) => (path) => {
  const at = builds.findIndex((_, at) => path?.startsWith(ONE_CORE + pathOf(at)));
  if (at < 0 || !/^worker-\w+\.js$/.test(basename(path))) return null;
  const script = readFileSync(join(builds[at], basename(path)), 'utf8');
  const body = `Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 });\n${script}`;
  return { body: [body], headers: { 'content-type': 'text/javascript', ...ISOLATED } };
};

/** For contestants that take turns. */
export const serveIsolated = (builds) => served(builds, { headers: ISOLATED, instead: workerOnOneCore(builds) });

/** With `instead` in place of some files. */
export const serveMarked = (builds, instead) => served(builds, { headers: ISOLATED, instead });

/** As a host would: compressed, and kept for ten minutes. `onRequest` is told every path, those that workers ask for as well. */
export const serveAsHost = (builds, onRequest) => served(builds, { headers: { 'cache-control': 'max-age=600' }, isCompressed: true, instead: onRequest });

export const launch = (flags = []) => driver.launch({ executablePath: chromium(), args: [...chromiumFlags, ...flags] });

/** The page with the frames. What a service worker keeps for later would be fetched while others compute. */
export async function openBare(browser, origin, script = () => {}) {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.addInitScript(script);
  await page.goto(origin + BARE);
  return page;
}

/** One size: see `measure` of turns.mjs. */
export const measureInTurns = (page, given) => page.evaluate(async ([turns, given]) => (await import(turns)).measure(given), [TURNS, given]);
