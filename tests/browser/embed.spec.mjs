// The compact page in a frame: as high as what is in it, at home in its host's page, and never in the way.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PARTS, violations } from './axe.mjs';
import { watched } from './chunk-watch.mjs';
import { subset } from './extent.mjs';
import { link, number } from './helpers.mjs';
import { brightness } from './helpers-pixels.mjs';
import { ask, expect, heard, point, settled, test } from './hosts.mjs';
import { idle, openPage, SUB_FOLDER } from './fixture.mjs';
import { serve } from './server.mjs';

const EXAMPLE = fileURLToPath(new URL('../../docs/embed-example.html', import.meta.url));
const WIDTHS = [320, 390, 520, 640, 800, 1000, 1200];

/** How much of the frame's document is out of sight, and how wide it is. */
const hidden = (frame) => frame.locator(':root').evaluate((root) => ({
  down: root.scrollHeight - innerHeight,
  right: root.scrollWidth - innerWidth,
  bar: innerWidth - root.clientWidth,
}));

const NOTHING = { down: 0, right: 0, bar: 0 };

// Scrollbars that take room, as on most desks: a test without them could not miss one.
test.use({ launchOptions: async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }) });

test.describe('height', () => {
  const SHOWN = {
    'what a link shows that says nothing': 'embed&v=1',
    'the map alone': 'embed&v=1&show=map',
    'two sliders, a mask and the steps': 'embed&v=1&show=heads,d_k,mask,small,steps,reading&mask=causal',
    'everything': 'embed&v=1&show=all&open=steps,compare,analysis,cost',
    'two sentences and a locked cell, in Chinese': `embed&${link({ text: '猫 坐在 垫子 上', source: 'the cat sat on the mat', cell: '2,3', lang: 'zh', weights: 'random' })}`,
  };
  // The least and the most that is shown; all of them at every width in `./dev soak`.
  for (const [name, fragment] of subset(Object.entries(SHOWN), (_, at) => [1, 3].includes(at))) {
    test(`is as high as what is in it: ${name}`, async ({ page, host }) => {
      test.slow();
      const frame = await host.open(page, fragment);
      for (const width of [...subset(WIDTHS, (width) => [320, 800, 1200].includes(width)), 320]) {
        await page.setViewportSize({ width: width + 15, height: 700 });
        await expect.poll(() => page.locator('#frame').evaluate((frame) => frame.clientWidth)).toBe(width);
        await expect.poll(() => frame.locator(':root').evaluate(() => innerWidth)).toBe(width);
        await expect.poll(() => hidden(frame), `${width} px`).toEqual(NOTHING);
      }
      // Both at once: it may still become lower, as when a line is no longer needed. Where it never changed, `ready` has told it.
      const [told, height] = await page.evaluate(() => [
        globalThis.heard.findLast(({ height }) => height).height,
        document.getElementById('frame').clientHeight,
      ]);
      expect(told).toBe(height);
    });
  }

  test('keeps its scrollbar where the host gives it no room', async ({ page, host }) => {
    const frame = await host.open(page, 'embed&v=1', { follows: false });
    await heard(page, 'resize');
    expect((await hidden(frame)).bar).toBeGreaterThan(0);
  });
});

/** The frames that a document hands on, `[fragment, height]`; of lessons, which differ in their text alone, the first. */
async function snippets(document) {
  const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
  const frames = [...text.matchAll(/<iframe\b[^>]*#(embed[^"`]*)"[^>]*>/g)];
  const all = frames.map(([tag, fragment]) => [fragment.replaceAll('&amp;', '&'), Number(tag.match(/ height="(\d+)"/)?.[1] ?? 560)]);
  const lesson = all.find(([fragment]) => fragment.includes('lesson='));
  return all.filter((one) => one === lesson || !one[0].includes('lesson='));
}

/** What a link has chosen and what is not in the frame's window, as it stands there: the map, controls, and the bars where they are beside the map. */
const outside = (frame) => frame.locator(':root').evaluate((root) => {
  const chosen = [...root.querySelectorAll(`#map, .setup [data-control], .setup fieldset${innerWidth < 560 ? '' : ', #bars'}`)];
  return chosen.flatMap((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height > 0 && (top < 0 || bottom > innerHeight) ? [`${one.id || one.className || one.dataset.control}: ${top} to ${bottom} of ${innerHeight}`] : [];
  });
});

test('whatever a document hands on, nothing chosen is outside its frame', async ({ page, host }) => {
  test.slow();
  const handed = (await Promise.all(['README.md', 'docs/messages.md', 'docs/embed-example.html', 'docs/course.md', 'docs/course.zh.md'].map(snippets))).flat();
  expect(handed.length).toBeGreaterThan(4);
  const frames = [
    ...handed,
    ['embed&v=1', 560],
    ['embed&v=1&show=heads,mask', 400],
    ['embed&v=1&show=map', 400],
    ['embed&v=1&show=map', 320],
    ['embed&v=1&lang=zh&show=sentence,heads,temperature', 480, 390],
    ['embed&v=1&show=heads,mask,reading', 420, 900],
  ];
  for (const [fragment, height, width = 760] of frames) {
    const named = `${fragment} in ${width} × ${height}`;
    const frame = await host.open(page, fragment, { follows: false, style: `iframe { width: ${width}px; height: ${height}px; }` });
    await expect.poll(() => outside(frame), named).toEqual([]);
    const map = await frame.locator('#map').boundingBox();
    // 200 less what whole cells leave.
    expect(map.height, named).toBeGreaterThan(185);
    // The map alone leaves neither a scrollbar nor much of the frame empty.
    if (fragment.endsWith('show=map')) {
      await expect.poll(() => hidden(frame), named).toEqual(NOTHING);
      expect(map.height, named).toBeGreaterThan(height * 0.6);
      expect((await frame.locator('#map .picture').boundingBox()).width, named).toBeGreaterThan(width * 0.7);
      expect((await ask(page, { type: 'hello' })).height, named).toBeGreaterThan(height);
    }
  }
});

test('a snippet that is taken at once fits its frame', async ({ page, host }) => {
  await openPage(page, link({ text: 'the cat sat on the mat and the dog sat on the rug' }));
  await page.locator('#share-open').click();
  await page.locator('label:has([name=share-form][value=iframe])').click();
  const snippet = await page.locator('#share-text').inputValue();
  expect(snippet).toContain(' height="560"');
  host.pages.set('/lesson', { body: `<!doctype html><html lang="en"><title>lesson</title><link rel="icon" href="data:,"><div style="width: 640px">${snippet}</div></html>` });
  await page.goto(`${host.origin}/lesson`);
  const frame = page.frameLocator('iframe');
  await idle(frame);
  await expect.poll(() => outside(frame)).toEqual([]);
});

test('the map is the largest thing there is, and the whole page one click away', async ({ page, host, server }) => {
  const fragment = 'embed&v=1&heads=2&show=heads,lang&lock=all&theme=host&origins=https://a.example';
  const frame = await host.open(page, fragment);
  for (const width of [320, 640, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(async () => {
      const { width: own, height } = await frame.locator('#map .picture').boundingBox();
      expect(own).toBeGreaterThan(Math.min(width * 0.5, 500));
      expect(own).toBeLessThan(width);
      expect(height).toBeLessThan(760);
    }).toPass();
  }
  for (const absent of ['.head h1', '#text', '#backend', '#panel-steps']) await expect(frame.locator(absent)).not.toBeInViewport();
  const whole = frame.locator('#whole');
  await expect(whole).toHaveAttribute('href', `${server.origin}/#v=1&heads=2`);
  await expect(whole).toHaveAttribute('target', '_blank');
  await expect(whole).toHaveAttribute('rel', 'noopener');
  await point(whole);
  const [opened] = await Promise.all([page.waitForEvent('popup'), whole.click()]);
  await idle(opened);
  await expect(opened.locator('h1')).toBeVisible();
  await expect(opened.locator('#heads')).toHaveValue('2');
  await expect(opened.locator('#heads')).toBeEnabled();
  await opened.close();
});

test('a wheel over the map scrolls the page around', async ({ page, host }) => {
  const frame = await host.open(page, 'embed&v=1');
  await expect.poll(() => hidden(frame)).toEqual(NOTHING);
  await frame.locator('#map').hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(400);
  expect(await frame.locator(':root').evaluate(() => scrollY)).toBe(0);
  expect(await frame.locator('#map').evaluate((map) => getComputedStyle(map).touchAction)).toBe('manipulation');
});

/** Whatever gets the focus on a page and in its frames, in order, as each tells it: `document.activeElement` is late where the focus goes from one process to another. */
async function watchFocus(page) {
  const seen = [];
  await page.exposeFunction('seeFocus', (name) => void seen.push(name));
  await page.addInitScript(() => addEventListener('focusin', ({ target }) => target.localName !== 'iframe' && globalThis.seeFocus(target.id || target.tagName)));
  return seen;
}

test('takes no focus by itself, and Tab goes in and out', async ({ page, host }) => {
  const seen = await watchFocus(page);
  const frame = await host.open(page, `embed&v=1&show=map,small&origins=${host.origin}`);
  await ask(page, { type: 'set', settings: { cell: '2,3', text: 'one two three' } });
  await settled(page, { text: 'one two three' });
  expect(seen).toEqual([]);
  expect(await page.evaluate(() => document.activeElement.tagName)).toBe('BODY');
  await page.locator('#before').focus();
  await expect.poll(() => seen).toEqual(['before']);
  const press = async (key) => {
    const before = seen.length;
    await page.keyboard.press(key);
    await expect.poll(() => seen.length, `${key} after ${seen}`).toBeGreaterThan(before);
  };
  while (seen.at(-1) !== 'after' && seen.length < 12) await press('Tab');
  expect(seen).toContain('map');
  expect(seen).toContain('whole');
  expect(seen.at(-1)).toBe('after');
  await press('Shift+Tab');
  expect(seen.at(-1)).toBe('whole');
  await expect(frame.locator('#whole')).toBeFocused();
});

test('axe finds nothing in it, and nothing sticks', async ({ page, host }) => {
  for (const [width, fragment, colorScheme] of subset([
    [320, 'embed&v=1&lang=zh', 'light'],
    [1200, 'embed&v=1&show=all&lock=heads&mask=causal&cell=8,2', 'dark'],
  ], (_, at) => at === 1)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const frame = await host.open(page, fragment);
    expect(await violations(page.frames().at(-1))).toEqual([]);
    const positions = await frame.locator('.page, .page *').evaluateAll((all) => all
      .filter((one) => one.getClientRects().length && ['sticky', 'fixed'].includes(getComputedStyle(one).position) && getComputedStyle(one).top !== 'auto')
      .map((one) => one.id || one.className || one.tagName));
    expect(positions).toEqual([]);
  }
});

test('a sandbox needs no more than scripts and an origin of its own, and a folder may be any', async ({ page, host }) => {
  await host.open(page, 'embed&v=1', { sandbox: 'allow-scripts allow-same-origin', folder: SUB_FOLDER });
  expect(await settled(page)).toMatchObject({ computed: true });
});

test.describe('a sandbox without an origin', () => {
  test('is enough where the site of the files lets every origin read them', async ({ page, host }) => {
    const fragment = `embed&v=1&heads=2&show=sentence,heads,save&origins=${host.origin}`;
    const frame = await host.open(page, fragment, { sandbox: 'allow-scripts allow-downloads' });
    expect(await settled(page, { heads: 2 })).toMatchObject({ backend: 'cpu' });
    expect(await frame.locator(':root').evaluate(() => {
      try {
        return [origin, localStorage.length];
      } catch ({ name }) {
        return [origin, name];
      }
    })).toEqual(['null', 'SecurityError']);
    await expect.poll(() => hidden(frame)).toEqual(NOTHING);
    await frame.locator('#heads').press('ArrowRight');
    await settled(page, { heads: 3 });
    await frame.locator('#text').fill('one two three');
    expect((await settled(page, { text: 'one two three' })).tokens.keys).toEqual(['one', 'two', 'three']);
    expect(await ask(page, { type: 'set', settings: { heads: 1, head: 1 } })).toMatchObject({ type: 'reply', refused: [] });
    await settled(page, { heads: 1 });
    await frame.locator('#save').press('Enter');
    const [download] = await Promise.all([page.waitForEvent('download'), frame.locator('#save-take').press('Enter')]);
    expect(await download.failure()).toBeNull();
  });

  for (const colorScheme of subset(['light', 'dark'], (scheme) => scheme === 'dark')) {
    test(`is told in plain words where it does not, ${colorScheme}`, async ({ page, host, quiet }) => {
      const bare = await serve({ isShared: false });
      quiet.allow(new RegExp(`CORS policy|ERR_FAILED|was preloaded|to another origin: ${bare.origin}/`));
      await page.emulateMedia({ colorScheme });
      const frame = await host.open(page, 'embed&v=1', { sandbox: 'allow-scripts', site: bare.origin, ready: false, style: 'iframe { height: 400px; }' });
      const words = frame.locator('.stranded');
      for (const said of ['could not start', 'allow-same-origin', 'Access-Control-Allow-Origin: *', '注意力游乐场未能启动']) await expect(words).toContainText(said);
      await expect(words.locator('p').first()).toBeInViewport();
      await expect(frame.locator('#text')).toBeHidden();
      expect(await words.locator('p').first().evaluate((one) => getComputedStyle(one).fontFamily)).toContain('sans-serif');
      expect(await violations(page.frames().at(-1), ':root', PARTS)).toEqual([]);
      await bare.close();
    });
  }
});

test('is compact without a frame as well, and says nothing to itself', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 700 });
  await page.addInitScript(() => addEventListener('message', ({ data }) => data?.source === 'attention-playground' && data.type !== 'set' && console.error('said something')));
  await openPage(page, 'embed&v=1');
  await expect(page.locator('#whole')).toBeVisible();
  await expect(page.locator('h1')).not.toBeInViewport();
  await page.evaluate(() => postMessage({ source: 'attention-playground', v: 1, type: 'set', settings: { heads: 1 } }, '*'));
  await page.locator('#map').press('ArrowLeft');
  await expect(page.locator('#all-heads button')).toHaveCount(4);
});

test('the page of the example works as it stands', async ({ page, host, server }) => {
  const text = await readFile(EXAMPLE, 'utf8');
  host.pages.set('/', { body: text.replace('https://playground.example/', `${server.origin}/`).replace('https://course.example', host.origin) });
  await page.goto(`${host.origin}/`);
  const [frame, readout] = [page.frameLocator('#attention'), page.locator('#readout')];
  await expect(readout).toHaveText('4 heads, mask none, “it”');
  await expect.poll(() => hidden(frame)).toEqual(NOTHING);

  await page.getByRole('button', { name: '“it” looks at “animal”' }).click();
  await expect(readout).toHaveText(/“it” → “animal”: 0\.\d{3}$/);
  const shown = number(await frame.locator('#cell .value').textContent());
  expect(await readout.textContent()).toContain(shown.toFixed(3));

  await page.getByRole('button', { name: 'Causal mask' }).click();
  await expect(readout).toHaveText(/mask causal/);
  await page.getByRole('button', { name: 'One head' }).click();
  await expect(readout).toHaveText(/^1 heads/);
  await expect(frame.locator('#heads')).toHaveValue('1');

  await frame.locator('#heads').press('ArrowRight');
  await expect(readout).toHaveText(/^2 heads/);

  const scheme = () => frame.locator(':root').evaluate((root) => getComputedStyle(root).colorScheme);
  // By keyboard: right after the page around was scrolled, a browser may still send a click to the frame that lay there.
  for (const theme of ['dark', 'light']) {
    await page.getByRole('button', { name: 'Dark or light' }).press('Enter');
    await expect.poll(scheme).toBe(theme);
  }
  await expect.poll(() => hidden(frame)).toEqual(NOTHING);
  expect(await violations(page)).toEqual([]);
});

test('a frame hears that it is printed, and is as light as the paper around it', async ({ page, host }) => {
  await host.open(page, 'embed&v=1&mask=causal');
  const [, frame] = page.frames();
  await frame.evaluate(`globalThis.brightness = ${brightness}`);
  const seen = () => [globalThis.brightness(), getComputedStyle(document.body).color];
  const [light, ink] = await frame.evaluate(seen);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => frame.evaluate(brightness)).toBeLessThan(light - 60);
  await frame.evaluate(`matchMedia('print').addEventListener('change', ({ matches }) => { if (matches) globalThis.printed = (${seen})(); })`);
  await page.pdf();
  const [paper, inkOnPaper] = await frame.evaluate(() => globalThis.printed);
  // As light as on a light screen, at whatever size it is drawn.
  expect(Math.abs(paper - light)).toBeLessThan(20);
  expect(inkOnPaper).toBe(ink);
});

test('a frame has what its host calls before it calls, and nothing else', async ({ page, host, backend }) => {
  const { asked } = await watched(page);
  const frame = await host.open(page, 'embed&v=1&show=map');
  await ask(page, { type: 'get' });
  expect(await frame.locator(':root').evaluate(() => globalThis.awaited)).toEqual([]);
  if (backend === 'cpu') expect([...new Set(asked)].sort()).toEqual(['host', 'input']);
});
