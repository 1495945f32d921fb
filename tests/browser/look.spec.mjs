// Theme, language, small and large windows: nothing overlaps, nothing is cut off, every word changes.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { choose, DEFAULTS, expectShown, link, picture, reveal, shown, table } from './helpers.mjs';
import { brightness, expectPixelsSay, plot } from './helpers-pixels.mjs';
import { misplaced } from './helpers-place.mjs';

const background = (page) => page.evaluate(() => {
  const own = (element) => getComputedStyle(element).backgroundColor;
  return [document.querySelector('.page'), document.body, document.documentElement].map(own).find((colour) => !/, 0\)$/.test(colour));
});
const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;

/** Waits until the map is drawn for a theme that was chosen by hand, or for none: the rest of the page is in it sooner. */
const drawnIn = (page, theme) => expect.poll(async () => (await shown(page)).theme).toBe(theme);

test('the theme is chosen by hand, else the system chooses', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openPage(page);
  await idle(page);
  expect(light(await background(page))).toBeLessThan(60);
  const dark = await plot(page);
  await choose(page, 'theme', 'light');
  await drawnIn(page, 'light');
  await idle(page);
  expect(light(await background(page))).toBeGreaterThan(200);
  await choose(page, 'theme', 'dark');
  await drawnIn(page, 'dark');
  await idle(page);
  expect(light(await background(page))).toBeLessThan(60);
  await expectPixelsSay(page, (await table(page)).cells);
  expect((await plot(page)).width).toBe(dark.width);
  await page.emulateMedia({ colorScheme: 'light' });
  // The page is told of it before its next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(light(await background(page)), 'a choice by hand stays').toBeLessThan(60);
  await choose(page, 'theme', 'auto');
  await drawnIn(page, undefined);
  await idle(page);
  expect(light(await background(page))).toBeGreaterThan(200);
});

test('the system changes its theme while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openPage(page);
  const palest = async () => {
    const drawn = await plot(page);
    const at = 4 * ((drawn.top + 3) * drawn.image.width + drawn.left + drawn.width - 4);
    return drawn.image.data[at];
  };
  const before = await palest();
  await page.emulateMedia({ colorScheme: 'dark' });
  await idle(page);
  expect(await palest(), 'the canvas follows').toBeLessThan(before - 60);
});

/** Every text that can be seen or heard, in the order of the page, tokens left out. */
const words = (page) => page.evaluate(() => {
  const found = [];
  const skip = (element) => element.closest('[translate="no"], [lang]:not(html):not(.page), #text-shade, .table, #presets, #cell, #bars, #most, #story, #map-cell, .track, math, var');
  for (const element of document.querySelectorAll('body *')) {
    if (skip(element)) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
    for (const text of [own, element.title, element.getAttribute('aria-label'), element.placeholder]) {
      if (text && /\p{Script=Han}|\p{L}{2}/u.test(text)) found.push(text);
    }
  }
  return found;
});

isolated('the language switch changes every word, of every panel, and back', async ({ page }) => {
  // A sentence of one's own, which the language leaves alone.
  await openPage(page, link({ text: `${DEFAULTS.text} .`, open: 'steps,streaming,compare,analysis,cost,data' }));
  // The panel follows the map in frames of its own.
  await expect(page.locator('#steps-strip button')).not.toHaveCount(0);
  await expect(page.locator('#player-says')).not.toBeEmpty();
  const english = await words(page);
  expect(english.length).toBeGreaterThan(60);
  await choose(page, 'language', 'zh');
  await expect(page.locator('h1')).toHaveText(/\p{Script=Han}/u);
  // Names, units, and words of the sentence, which charts read aloud with a number and sinks are named by.
  const isOfNoLanguage = (text) => /^(EN|iframe$|Markdown$|CPU|cpu|FLOP|WebGPU|ALiBi|Linformer)/.test(text) || /^[\d.]+\s(k?FLOP|k?B)$/.test(text) || DEFAULTS.text.split(' ').includes(text.replace(/: [\d.]+$/, '').replace(/^“(.*)”(?: \(\d+\))? [\d.]+$/, '$1'));
  const left = (all) => all.filter((text) => !/\p{Script=Han}/u.test(text) && !isOfNoLanguage(text));
  await idle(page);
  expect(left(await words(page)), 'left in English').toEqual([]);
  expect((await words(page)).length).toBe(english.length);
  const lang = () => page.evaluate(() => document.querySelector('h1').closest('[lang]').lang);
  expect(await lang()).toMatch(/^zh/);
  expect(await page.title()).toMatch(/\p{Script=Han}/u);
  await expectPixelsSay(page, (await table(page)).cells);
  await choose(page, 'language', 'en');
  await expect(page.locator('h1')).toHaveText('Attention Playground');
  await idle(page);
  expect(await words(page)).toEqual(english);
  expect(await lang()).toBe('en');
  await expect(page).toHaveTitle('Attention Playground');
});

isolated('a choice of language is remembered at the next visit, and a link beats it', async ({ page }) => {
  await openPage(page);
  await choose(page, 'language', 'zh');
  await expect(page.locator('h1')).toHaveText(/\p{Script=Han}/u);
  await page.goto('about:blank');
  await openPage(page);
  await expect(page.locator('h1')).toHaveText(/\p{Script=Han}/u);
  await page.goto('about:blank');
  await openPage(page, link({ lang: 'en' }));
  await expect(page.locator('h1')).toHaveText('Attention Playground');
});

/** Notices stand in the window and not on the map, and each can be sent away. */
async function expectNoticesInPlace(page) {
  const [own, map] = [await page.locator('#notices').boundingBox(), await page.locator('#map').boundingBox()];
  expect(own.x >= 0 && own.x + own.width <= page.viewportSize().width, 'notices are in the window').toBe(true);
  const isApart = own.y + own.height <= map.y || own.y >= map.y + map.height || own.x >= map.x + map.width || own.x + own.width <= map.x;
  expect(isApart, 'notices leave the map free').toBe(true);
  for (let left = await page.locator('#notices li').count(); left > 0; left--) await page.locator('#notices button').first().click();
  await expect(page.locator('#notices li')).toHaveCount(0);
}

const STATES = {
  'the first visit': '',
  'Chinese, dark, cross-attention': link({ lang: 'zh', theme: 'dark', text: '我爱机器学习', source: 'I love machine learning', mask: 'strided' }),
  'many heads and long words': link({ heads: '16', weights: 'random', mask: 'local', text: 'Donaudampfschifffahrtsgesellschaft pneumonoultramicroscopicsilicovolcanoconiosis '.repeat(6).trim() }),
  'a link full of faults': 'v=1&heads=999&d_k=abc&mask=mystery&x=1&y=2',
  'one word': link({ text: 'x', heads: '1' }),
};

// The tour looks for the same at 390 and 1440 px; where notices stand is held on a phone here as well. `./dev soak` has every state at every width.
const TESTED = { 320: ['Chinese, dark, cross-attention', 'many heads and long words'], 390: ['a link full of faults'], 768: [], 1024: [] };
for (const width of [320, 390, 768, 1024]) {
  for (const name of subset(Object.keys(STATES), (name) => TESTED[width].includes(name))) {
    test(`at ${width} px nothing overlaps or is cut off: ${name}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await openPage(page, STATES[name]);
      if (name === 'a link full of faults') await expectNoticesInPlace(page);
      await page.locator('details').evaluateAll((all) => all.forEach((details) => { details.open = true; }));
      expect(await misplaced(page)).toEqual([]);
      const box = await page.locator('#map').boundingBox();
      expect(box.width, 'the map is the largest thing').toBeGreaterThan(name === 'one word' ? 40 : Math.min(0.35 * width, 400));
    });
  }
}

test('the map follows the window', async ({ page }) => {
  test.slow();
  await openPage(page);
  const own = () => page.locator('#map .picture').evaluate(({ width }) => width);
  const [wide, narrow] = [1600, 390];
  let before = 0;
  for (const width of [wide, narrow, 900]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === narrow) await expect.poll(own).toBeLessThan(before);
    else await expect.poll(own).toBeGreaterThan(before);
    await idle(page);
    // The arc swings to where its words stand now.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    expect(await misplaced(page)).toEqual([]);
    before = await own();
  }
  await expectPixelsSay(page, (await table(page)).cells);
});

isolated('nothing is painted and no frame is asked for while nobody does anything', async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.frames = 0;
    const own = requestAnimationFrame;
    globalThis.requestAnimationFrame = (call) => own((time) => (globalThis.frames++, call(time)));
    globalThis.paints = 0;
    globalThis.moments = 0;
    const every = setInterval;
    globalThis.setInterval = (call, ...values) => every(() => (globalThis.moments++, call()), ...values);
    for (const name of ['putImageData', 'fillRect', 'fillText', 'clearRect']) {
      const method = CanvasRenderingContext2D.prototype[name];
      CanvasRenderingContext2D.prototype[name] = function (...values) {
        globalThis.paints++;
        return method.apply(this, values);
      };
    }
  });
  // With panels out of sight, which wait until the hand rests.
  await openPage(page, link({ open: 'steps,streaming,training,draw,compare,analysis,cost,code,data' }));
  expect(await page.evaluate(() => globalThis.paints), 'the count counts').toBeGreaterThan(0);
  await page.locator('#d-k').press('ArrowRight');
  await expectShown(page, { d_k: '32' });
  await idle(page);
  expect(await page.evaluate(() => globalThis.moments), 'and so does this one').toBeGreaterThan(0);
  const count = () => page.evaluate(() => [globalThis.frames, globalThis.paints, globalThis.moments]);
  await idle(page);
  const before = await count();
  // Longer than any pause of the page.
  await page.waitForTimeout(600);
  expect(await count()).toEqual(before);
});

test('nothing moves under reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page);
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) => {
    const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
    const moves = transitionDuration.split(',').some((time) => parseFloat(time) > 0) || (animationName !== 'none' && parseFloat(animationDuration) > 0);
    return moves ? [element.tagName + element.className] : [];
  }));
  expect(moving).toEqual([]);
});

test('the map waits for its turn in a window that starts hidden in size', async ({ page }) => {
  await page.setViewportSize({ width: 200, height: 200 });
  await openPage(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await idle(page);
  await idle(page);
  expect((await plot(page)).width).toBeGreaterThan(300);
  expect(await picture(page)).toMatchObject({ rows: 11, columns: 11 });
});

test.describe('a theme chosen by hand', () => {
  test.use({ colorScheme: 'light' });

  for (const [from, fragment] of [['the visit before', ''], ['the link', 'v=1&theme=dark']]) {
    isolated(`is there before the module runs: from ${from}`, async ({ page }) => {
      await openPage(page);
      if (!fragment) await choose(page, 'theme', 'dark');
      // A module that is still on its way.
      await page.route('**/*.wasm', () => {});
      await page.goto('about:blank');
      await openPage(page, fragment, { map: false });
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      expect(light(await background(page))).toBeLessThan(80);
    });
  }
});

test('on a phone the map stays in sight while sliders move', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page);
  for (const id of ['heads', 'd-model']) {
    const slider = await reveal(page.locator(`#${id}`));
    await slider.focus();
    await expect(slider).toBeInViewport({ ratio: 0.9 });
    await expect(page.locator('#map')).toBeInViewport({ ratio: 0.9 });
    const room = () => slider.evaluate((own) => own.getBoundingClientRect().top - document.getElementById('map').getBoundingClientRect().bottom);
    await idle(page);
    expect(await room(), 'the map covers nothing that has the focus').toBeGreaterThanOrEqual(0);
    const before = await shown(page);
    await page.keyboard.press('ArrowLeft');
    expect(await shown(page)).not.toEqual(before);
  }
});

for (const lang of subset(['en', 'zh'], (lang) => lang === 'en')) {
  test(`on a phone the heads stand in one row, each role below its number: ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, link({ lang }));
    const tiles = await page.locator('#all-heads button').evaluateAll((all) => all.map((own) => {
      const box = (selector) => own.querySelector(selector).getBoundingClientRect();
      return { top: own.getBoundingClientRect().top, number: box('.which').bottom, role: box('.role').top, said: own.textContent };
    }));
    expect(new Set(tiles.map(({ top }) => top)).size).toBe(1);
    for (const { number, role, said } of tiles) {
      expect(role).toBeGreaterThanOrEqual(number - 2);
      expect(said, 'read aloud with a pause').toContain(' · ');
    }
  });
}

test('what closes a notice stays one word', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 844 });
  await openPage(page, 'v=1&lang=zh&mask=mystery');
  const button = page.locator('#notices button').first();
  expect(await button.evaluate((own) => own.getClientRects().length && own.getBoundingClientRect().height)).toBeLessThan(40);
});

test('quotes are as wide as the language sets them, in every face', async ({ page }) => {
  await openPage(page, link({ open: 'compare,cost' }));
  const set = () => page.locator('h1, #versus-summary, #cost-summary').evaluateAll((all) => [...new Set(all.map((own) => getComputedStyle(own).fontVariantEastAsian))]);
  expect(await set()).toEqual(['proportional-width']);
  await choose(page, 'language', 'zh');
  await idle(page);
  expect(await set()).toEqual(['normal']);
});

for (const colorScheme of subset(['light', 'dark'], (scheme) => scheme === 'dark')) {
  test(`a printed page keeps what is read on it: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openPage(page, link({ open: 'steps,cost,code' }));
    // A4 between its edges; browsers print as if the system were light. Nobody tells the page here.
    await page.setViewportSize({ width: 794, height: 1123 });
    await idle(page);
    await page.emulateMedia({ media: 'print' });
    expect(await background(page)).toBe('rgb(255, 255, 255)');
    const bar = page.locator('#bars .bar').first();
    expect(await bar.evaluate((own) => getComputedStyle(own).printColorAdjust)).toBe('exact');
    for (const panel of ['#cost-chart', '#code-text']) await expect(page.locator(panel)).not.toBeEmpty();
    const wider = () => page.locator('.panel-body :is(svg, table, pre, ol)').evaluateAll((all) => all.filter((own) => {
      const box = own.getBoundingClientRect();
      return own.checkVisibility() && (box.right > innerWidth + 1 || own.scrollWidth > own.clientWidth + 1 && getComputedStyle(own).overflowX !== 'visible');
    }).map((own) => own.id || own.className.baseVal || own.className || own.outerHTML.slice(0, 60)));
    // A chart is drawn anew for the room that it finds.
    await idle(page);
    expect(await wider(), 'nothing has to be scrolled').toEqual([]);
    await expect(page.locator('#share-open')).toBeHidden();
    await expect(page.locator('#panel-data')).toBeHidden();
  });
}

const PRINTED = [
  ['English', {}],
  ['eight heads, Chinese', { heads: 8, lang: 'zh', text: '小猫没有过街，因为它太累了。' }],
  ['embedded', { embed: 1, mask: 'causal' }],
  ['a lesson', { lesson: '06-masks' }],
  ['a lesson of a learned model', { lesson: '05-what-it-means' }],
];
// Those that have most to print; all of them in `./dev soak`.
for (const [name, settings] of subset(PRINTED, (_, at) => at === 4)) {
  isolated(`what is seen first is printed on one page: ${name}`, async ({ page }) => {
    await openPage(page, link(settings));
    for (const format of ['A4', 'Letter']) {
      const margin = Object.fromEntries(['top', 'right', 'bottom', 'left'].map((side) => [side, '1cm']));
      const pdf = await page.pdf({ format, margin });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
    }
  });
}

isolated('paper is light, and the screen is as dark as before afterwards', async ({ page }) => {
  const drawn = () => page.evaluate(() => [document.querySelector('#map canvas, canvas#map').toDataURL(), getComputedStyle(document.querySelector('.page')).backgroundColor]);
  await openPage(page, link({ mask: 'causal' }));
  await page.evaluate(`globalThis.brightness = ${brightness}`);
  const light = await page.evaluate(brightness);
  const ink = await page.locator('.page').evaluate((own) => getComputedStyle(own).color);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The ground changes before the map is drawn on it.
  await idle(page);
  expect(await page.evaluate(brightness)).toBeLessThan(light - 60);
  const dark = await drawn();
  await page.evaluate(() => addEventListener('beforeprint', () => {
    globalThis.printed = [globalThis.brightness(), getComputedStyle(document.querySelector('.page')).color];
  }));
  await page.pdf();
  const [paper, inkOnPaper] = await page.evaluate(() => globalThis.printed);
  expect(Math.abs(paper - light)).toBeLessThan(20);
  expect(inkOnPaper).toBe(ink);
  await idle(page);
  expect(await drawn()).toEqual(dark);
});
