// The room that an element takes in the page around: its width in every kind of container, and its height before there is anything in it.

import { readdir } from 'node:fs/promises';
import { subset } from './extent.mjs';
import { allReady, expect, expectPicture, test, withElement } from './element.mjs';
import { choose } from './helpers.mjs';

const MAP = '<attention-playground tokens="the cat sat" controls="map"></attention-playground>';
const box = (style, inner = MAP) => `<div style="${style}">${inner}</div>`;

/** Containers with the width that an element has in a page 1000 px wide: where the container goes by its content, 640. */
const CONTAINERS = {
  block: [box('width: 700px'), 700],
  'flex row': [box('display: flex'), 640],
  'flex row beside a text': [box('display: flex; gap: 20px', `<p style="width: 300px; flex: none">beside</p>${MAP}`), 640],
  'flex row with too little room': [box('display: flex; width: 400px'), 400],
  'flex column, centred': [box('display: flex; flex-direction: column; align-items: center'), 640],
  'flex column, stretched': [box('display: flex; flex-direction: column; width: 800px'), 800],
  'flex row, growing': [box('display: flex; width: 800px', MAP.replace('><', ' style="flex: 1"><')), 800],
  'grid of one column': [box('display: grid; width: 800px'), 800],
  'grid of two': [box('display: grid; grid-template-columns: 1fr 1fr; width: 900px'), 450],
  'grid, centred': [box('display: grid; justify-items: center'), 640],
  float: [box('float: left'), 640],
  'inline block': [box('display: inline-block'), 640],
  'table cell': [`<table style="border-spacing: 0"><tr><td style="padding: 0">${MAP}</td></tr></table>`, 640],
  'fit-content': [box('width: fit-content'), 640],
  'max-content': [box('width: max-content'), 640],
  absolute: [`<div style="height: 500px">${box('position: absolute')}</div>`, 640],
  dialog: [`<dialog open style="position: static; border: 0; padding: 0">${MAP}</dialog>`, 640],
  stack: [box('display: grid; place-items: center', `<div style="grid-area: 1 / 1">${MAP}</div>`), 640],
};

test('in eighteen kinds of containers it is as wide as its place, or as it needs to be', async ({ page, host }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1000, height: 800 });
  const parts = Object.entries(CONTAINERS).map(([name, [html]]) => `<div class="one" data-name="${name}" style="clear: both; display: flow-root">${html}</div>`);
  await host.open(page, parts.join(''), { head: '<style>body { margin: 0 }</style>' });
  const widths = await page.evaluate(() => [...document.querySelectorAll('.one')].map((one) => [one.dataset.name, one.querySelector('attention-playground').getBoundingClientRect().width]));
  expect(Object.fromEntries(widths)).toEqual(Object.fromEntries(Object.entries(CONTAINERS).map(([name, [, width]]) => [name, width])));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1000);
});

const WORDS = 'the animal didn’t cross the street because it was too tired to walk home and so it sat down on the road'.split(' ');
const tokens = (count) => WORDS.slice(0, count).join(' ');
const CASES = [
  {}, { tokens: tokens(3) }, { tokens: tokens(20) }, { tokens: '小猫坐在垫子上', language: 'zh' },
  { tokens: tokens(3), controls: 'map' }, { controls: 'map' }, { tokens: tokens(5), controls: 'heads mask' },
  { controls: 'legend reading' }, { controls: 'steps analysis' }, { lesson: 'list' },
];

/** Elements one after the other, each as high as the room kept for it, and as it is once it is there. */
const roomOf = (page, cases, width) => page.evaluate(async ([cases, width]) => {
  const place = document.getElementById('place');
  place.style.width = `${width}px`;
  const found = [];
  for (const settings of cases) {
    const one = document.createElement('attention-playground');
    for (const [name, value] of Object.entries(settings)) one.setAttribute(name, value);
    place.replaceChildren(one);
    const kept = one.offsetHeight;
    await one.ready;
    const mount = one.shadowRoot.querySelector('.mount');
    while (!mount.hasAttribute('data-idle')) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    found.push([JSON.stringify(settings), kept, one.offsetHeight]);
  }
  return found;
}, [cases, width]);

/** What is too far from what came; for a lesson `LESSONS` in `room.js` is to be changed. */
const wrong = (found, share) => found.filter(([, kept, came]) => Math.abs(kept - came) > share * came);

test('before there is a picture it is about as high as with it, and shows what stands between its tags', async ({ page, host }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await host.open(page, '<div id="place"></div>');
  for (const width of subset([360, 680, 980], (width) => width === 680)) expect(wrong(await roomOf(page, CASES, width), 0.15), `${width} px`).toEqual([]);
  const lessons = (await readdir(new URL('../../content/en/lessons', import.meta.url))).map((name) => ({ lesson: name.replace('.md', '') }));
  expect(lessons.length).toBeGreaterThan(10);
  expect(wrong(await roomOf(page, subset(lessons, (_, at) => at < 3), 720), 0.1)).toEqual([]);
});

test('a page that is opened at a place below an element stays there, and its link is seen until the picture is', async ({ page, host }) => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/engine-[0-9a-f]+\.wasm$/, async (route) => { await held; await route.continue(); });
  const link = '<a href="https://a.example/" id="own">Lesson 1</a>';
  await host.open(page, `<attention-playground lesson="01-what-attention-is">${link}</attention-playground><h2 id="below">Below</h2><p style="height: 2000px"></p>`, { ready: false });
  await expect.poll(() => withElement(page, (one) => one.offsetHeight)).toBeGreaterThan(1000);
  await expect(page.locator('#own')).toBeVisible();
  await page.evaluate(() => { location.hash = 'below'; });
  const top = () => page.locator('#below').evaluate((one) => Math.abs(Math.round(one.getBoundingClientRect().top)));
  await expect.poll(top).toBe(0);
  release();
  await allReady(page);
  await expectPicture(page.locator('attention-playground'), 'lesson=01');
  await expect(page.locator('#own')).toBeHidden();
  await expect.poll(top).toBe(0);
});

test('a site that changes its pages by itself: the script comes with the page that needs it, and again', async ({ page, host }) => {
  await host.open(page, '<attention-playground tokens="a b" heads="2" controls="share"></attention-playground>');
  await page.locator('#share-open').click();
  await choose(page, 'share-form', 'element');
  await expect(page.locator('#share-text')).toHaveValue(/<attention-playground/);
  const snippet = await page.locator('#share-text').inputValue();
  await host.open(page, '<div id="place"></div>', { script: false });
  // As React adds it: a script with "async" as an element, everything else as markup, in which no script runs.
  const visit = (fragment) => page.evaluate(([fragment]) => {
    const place = document.getElementById('place');
    place.innerHTML = fragment;
    for (const { src, type } of place.querySelectorAll('script[async]')) document.head.append(Object.assign(document.createElement('script'), { src, type, async: true }));
  }, [fragment]);
  for (const _ of ['first', 'again']) {
    await visit(snippet);
    await allReady(page);
    await expectPicture(page.locator('attention-playground'), 'text=a+b&heads=2');
    await visit('<p>another page</p>');
    await expect(page.locator('attention-playground')).toHaveCount(0);
  }
});
