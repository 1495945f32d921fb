// Which functions of the engine the build may leave for later: visits to a build that counts its calls. `node tests/browser/calls.mjs DIST NAMES LIST`
// writes to LIST what no visit called before its first input: `input` is what common settings and links call then, `more` is what none called.
// `common` is what common settings call although its path says that it belongs elsewhere: a page whose other chunks cannot be had still hears of them.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium as driver } from '@playwright/test';
import { declaredPlaces } from '../../scripts/dist/chunks.mjs';
import { plainName } from '../../tools/wasm-chunks/calls.mjs';
import { NAMES } from './bench/mechanisms.mjs';
import { chromiumFlags, gpuFlags, headlessShell } from './browsers.mjs';
import { atRest, PATIENCE_MS } from './idle.mjs';
import { reveal } from './reveal.mjs';
import { serve } from './server.mjs';

const [dist, names, list] = process.argv.slice(2);
if (!list) throw new Error('node tests/browser/calls.mjs DIST NAMES LIST');

const FUNCTIONS = JSON.parse(readFileSync(names));
const places = await declaredPlaces();
/** Called as often in one visit, it may stand in a loop over rows or cells: a call into a chunk takes longer. */
const OFTEN = 2_000;
/** Shorter ones are not worth their lines: characters of the module's text. */
const SHORT = 400;
/** Called where a worker takes long to come up, as on a busy machine. */
const WHERE_SLOW = /attention_playground::bindings::client::watch::Alarm::/;
/** What computes and was not called may stand in a loop as well. */
const COMPUTES = /^(<?(attention|kernels|ndarray|matrixmultiply|libm|rand_chacha)\b|<f(32|64)>)/;

const LINKS = [
  'v=1&weights=teaching', 'embed&v=1&show=map', 'v=1&lang=zh&theme=dark', 'v=1&weights=random&heads=3&mask=causal%2Clocal&positions=rotary', 'v=1&weights=random&heads=4&kv_heads=2&mask=strided,padding&positions=alibi&scaled=0',
  'v=1&weights=random&scoring=additive&temperature=0.5', 'v=1&weights=random&linformer=1&projected=3', 'v=1&weights=teaching&source=the+black+cat&text=le+chat+noir&hiding=after&mask=first', 'v=1&layers=2&weights=random',
  'v=1&weights=teaching&head=2&cell=3,2&step=scores', 'v=1&weights=teaching&view=heads', 'v=1&weights=random&text=', 'v=1&weights=learned&text=the+red+cat', 'v=1&open=none', 'v=1&lesson=list', 'v=1&lesson=06-masks', 'v=1&view=curves',
  // Of the first version, and with what is no setting.
  'weights=teaching', 'heads=99&mask=lies&seed=x', 'text=&lock=heads', 'v=1&weights=random&paint=AAIB&mask=paint', 'v=1&weights=teaching&colours=viridis&scale=log&range=shown&step=nowhere', `v=1&weights=random&text=${'word+'.repeat(300)}`,
];

/** Somebody else's pages, and what they ask first. */
const HOSTS = [
  ['<iframe src="/#embed&v=1&show=map"></iframe>', () => new Promise((resolve) => {
    addEventListener('message', ({ data }) => data.id === 'get' && resolve());
    frames[0].postMessage({ source: 'attention-playground', v: 1, type: 'get', id: 'get' }, '*');
  })],
  ['<script type="module" src="/attention-playground.js"></script><attention-playground lang="zh"></attention-playground>', async () => {
    await customElements.whenDefined('attention-playground');
    const one = document.querySelector('attention-playground');
    await one.ready;
    const changed = new Promise((resolve) => { one.addEventListener('change', resolve, { once: true }); });
    one.settings = { heads: 2 };
    await changed;
    return [one.snapshot, one.state].length;
  }],
  // As in notebooks.
  ['<script type="module" src="/attention-playground.js"></script><attention-playground theme="host"></attention-playground>', async () => {
    await customElements.whenDefined('attention-playground');
    await document.querySelector('attention-playground').ready;
  }],
];

const LOOKS = [
  {}, { locale: 'zh-CN' }, { locale: 'de', colorScheme: 'dark', viewport: { width: 1600, height: 1000 } }, { forcedColors: 'active', reducedMotion: 'reduce', viewport: { width: 800, height: 700 } },
  { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
];

const first = new Set();
const later = new Set();
/** Called in windows while their controls are used. */
const used = new Set();
const often = new Set();

const idle = (page) => page.evaluate(atRest, PATIENCE_MS);

/** What has been called since the last time, in the page's windows and in its workers. */
async function noteCalls(page, called, inWindows) {
  const take = () => { const counts = [...globalThis.calls ?? []]; globalThis.calls?.fill(0); return counts; };
  const note = async (own, ...sets) => {
    (await own.evaluate(take)).forEach((count, at) => {
      if (count > 0) for (const set of sets) set.add(at);
      if (count > OFTEN) often.add(at);
    });
  };
  await Promise.all([...page.frames().map((own) => note(own, called, inWindows ?? called)), ...page.workers().map((own) => note(own, called))]);
}

/** What is no input to the page's controls, and what a browser does by itself. */
async function lookAround(page) {
  const { width, height } = page.viewportSize();
  for (let y = 10; y < height; y += 60) for (let x = 10; x < width; x += 120) await page.mouse.move(x, y);
  await page.mouse.wheel(0, 400);
  await page.mouse.wheel(0, -800);
  for (let stop = 0; stop < 60; stop++) await page.keyboard.press('Tab');
  await page.setViewportSize({ width: width - 20, height: height - 20 });
  for (const colorScheme of ['light', 'dark']) await page.emulateMedia({ colorScheme });
}

/** What most people do first. */
async function useControls(page) {
  await page.locator('#all-settings').click();
  for (const slider of await page.locator('.setup input[type=range]').all()) {
    if (!await slider.isVisible()) continue;
    await slider.press('ArrowRight');
    await slider.press('ArrowLeft');
  }
  for (const number of await page.locator('.setup input[type=number]').all()) {
    if (!await number.isVisible() || !await number.isEnabled()) continue;
    for (const typed of ['3', '9999']) {
      await number.fill(typed);
      await number.press('Enter');
    }
  }
  for (const choice of await page.locator('.setup label:has(input), .sentences label:has(input), .switches label:has(input), .map-head label:has(input), .legend label:has(input)').all()) {
    if (await choice.isEnabled()) await reveal(choice).then(() => choice.click({ timeout: 500 })).catch(() => {});
  }
  for (const select of await page.locator('.setup select, .legend select, #presets').all()) {
    if (!await select.isEnabled()) continue;
    await reveal(select).catch(() => {});
    for (const index of [1, 2]) await select.selectOption({ index }).catch(() => {});
  }
  await idle(page);
  // The last choice was of curves.
  await page.locator('label:has(input[name=view][value=map])').click({ timeout: 500 }).catch(() => {});
  await idle(page);
  await page.locator('#map').scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator('#map').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.click(x + width / 2, y + height / 2);
  for (const key of ['ArrowDown', 'ArrowRight', 'Home', 'Control+End', 'Enter', 'Escape']) await page.keyboard.press(key);
  for (const text of ['The cat sat on a mat', '', "The animal didn't cross the street because it was too wide", 'word '.repeat(40)]) {
    await page.locator('#text').fill(text);
    await idle(page);
  }
  const buttons = ['#undo', '#redo', '#head-next', '#player-next', '#reset', '#undo', '#new-seed', '#learn', '#coach .act', '#watch', '#open-steps', '#open-steps'];
  for (const button of buttons) await page.locator(button).first().click({ timeout: 500 }).catch(() => {});
  await idle(page);
  await page.evaluate(() => { location.hash = 'v=1&weights=random&heads=2'; });
  await idle(page);
  await page.goBack();
  await idle(page);
}

async function visit(browser, origin, look, { fragment = '', slowdown = 1, isUsed = false }) {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', viewport: { width: 1280, height: 900 }, serviceWorkers: 'block', ...look });
  const page = await context.newPage();
  page.on('pageerror', (error) => { throw error; });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(fragment ? `/#${fragment}` : '/');
  await idle(page);
  if (!fragment) await lookAround(page);
  await idle(page);
  await noteCalls(page, fragment ? later : first);
  if (isUsed) {
    await useControls(page);
    await noteCalls(page, later, used);
  }
  await context.close();
}

async function visitHost(browser, origin, body, ask) {
  const page = await browser.newPage({ baseURL: origin, serviceWorkers: 'block' });
  await page.route('/host', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>host</title>${body}` }));
  await page.goto('/host');
  for (const frame of page.frames().slice(1)) await frame.evaluate(atRest, PATIENCE_MS);
  await page.evaluate(ask);
  await noteCalls(page, later);
  await page.close();
}

/** A call of each mechanism, so large that whatever stands in a loop is called often. */
async function callMechanisms(browser, origin) {
  const page = await browser.newPage({ baseURL: origin, serviceWorkers: 'block' });
  await page.goto('/#v=1');
  await idle(page);
  for (const mechanism of NAMES) {
    await page.evaluate(async (mechanism) => {
      const [{ open }, { inputOf, weightsOf }] = await Promise.all(['/bench/ours.mjs', '/bench/inputs.mjs'].map((module) => import(module)));
      const shape = { n: 200, dModel: 64, heads: 4, dK: 16 };
      const layer = await open({ ...shape, x: inputOf(shape), matrices: weightsOf(shape) }, { backend: 'cpu', mechanism });
      await layer.run();
      layer.close();
    }, mechanism);
    await noteCalls(page, later);
  }
  await page.close();
}

const launch = (flags = []) => driver.launch({ executablePath: headlessShell(), args: [...chromiumFlags, ...flags] });

async function visits(browser, origin, plans) {
  for (const [look, plan] of plans) await visit(browser, origin, look, plan);
}

const server = await serve({ folder: dist, mounts: { '/bench/': fileURLToPath(new URL('bench', import.meta.url)) } });
const plain = await launch();
await visits(plain, server.origin, [
  ...LOOKS.map((look) => [look, { isUsed: true }]),
  ...LOOKS.map((look) => [look, { slowdown: 8 }]),
  ...LINKS.map((fragment) => [{}, { fragment, isUsed: fragment.includes('random') }]),
]);
for (const [body, ask] of HOSTS) await visitHost(plain, server.origin, body, ask);
await callMechanisms(plain, server.origin);
await plain.close();
const withGpu = await launch(gpuFlags);
await visits(withGpu, server.origin, [[{}, { isUsed: true }], [{}, { slowdown: 4 }]]);
await withGpu.close();
await server.close();

const namesOf = (places) => new Set([...places].map((at) => plainName(FUNCTIONS[at].name)));
const [calledFirst, calledLater, calledOften] = [first, later, often].map(namesOf);
const lengths = new Map();
for (const { name, length } of FUNCTIONS.filter(({ name }) => !places.chunkOf(name) && !name.includes(' shim'))) lengths.set(plainName(name), (lengths.get(plainName(name)) ?? 0) + length);
const isLeft = ([name, length]) => length >= SHORT && !calledFirst.has(name) && !calledOften.has(name) && !WHERE_SLOW.test(name);
const left = [...lengths].filter(isLeft).map(([name]) => name).sort();
/** What becomes of a worker that has ended is needed where other chunks cannot be had. */
const ENDS = /attention_playground::bindings::(client::(ClientState|watch)|panics|pending_calls|worker_lock)\b/;
const isForInput = (name) => calledLater.has(name) || ENDS.test(name);
const input = left.filter(isForInput);
const more = left.filter((name) => !isForInput(name) && !COMPUTES.test(name));
// The numbers of a chosen cell and the curves say so themselves where their chunk cannot be had.
const SAY_SO = /app::(present::(steps::explain|token_curves)|scene::(curves|svg)|views::(curves|inspector))|attention_playground::browser::panels::curves\b/;
const elsewhere = (at) => ['more', 'models'].includes(places.chunkOf(FUNCTIONS[at].name)) && !SAY_SO.test(FUNCTIONS[at].name);
const common = [...namesOf([...used].filter(elsewhere))].sort();
writeFileSync(list, `${JSON.stringify({ input, more, common }, null, 1)}\n`);
console.log(`${FUNCTIONS.length} functions: ${first.size} called before the first input, ${later.size} later, ${often.size} often; ${input.length} names for "input", ${more.length} for "more", ${common.length} in common`);
