// The page as it opens without a link: drawn before the engine is there, and taken over by it without a change.

import { subset } from './extent.mjs';
import { expect, idle, isolated as test, openPage } from './fixture.mjs';
import { address, link, shown } from './helpers.mjs';

const ENGINE = /\/engine-[0-9a-f]+\.wasm$/;

/** Opens the page and holds its engine back; the function that is returned lets it come. */
async function openWithoutEngine(page, path = '') {
  let letCome;
  const held = new Promise((resolve) => { letCome = resolve; });
  await page.route(ENGINE, (route) => held.then(() => route.continue()));
  await page.goto(`./${path}`, { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-awake');
  return async () => {
    letCome();
    await idle(page);
  };
}

const drawn = (page) => page.waitForFunction(() => performance.getEntriesByName('first-map').length === 1);

/** The pixels of the canvases. */
const canvases = (page) => page.locator('.rail canvas, #map .picture, #map .overlay, #colour-bar canvas').evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));

/** Where everything is in the window that has a name. How long it took is known to the engine alone. */
const boxes = (page) => page.locator('main [id]:not(#numbers)').evaluateAll((all) => {
  const inSight = all.map((element) => [element.id, element.getBoundingClientRect()]).filter(([, { width, top }]) => width > 0 && top < innerHeight);
  return Object.fromEntries(inSight.map(([id, { x, y, width, height }]) => [id, [x, y, width, height]]));
});

/** What is seen of parts of the page. */
async function pictures(page) {
  const all = await Promise.all(['.sentences', '.rail', '.map', '.reading'].map((part) => page.locator(part).boundingBox()));
  const { height: bottom } = page.viewportSize();
  // On a phone the rail has no box of its own, and some parts are out of sight.
  const inSight = all.filter((box) => box && box.y < bottom).map((box) => ({ ...box, height: Math.min(box.height, bottom - box.y) }));
  return Promise.all(inSight.map(async (clip) => (await page.screenshot({ clip })).toString('base64')));
}

const seen = async (page) => {
  // The arc grows as the page opens.
  await page.evaluate(() => Promise.all(document.getAnimations().map((own) => own.finished)));
  await page.locator('#numbers').evaluateAll((all) => all.forEach((own) => { own.style.visibility = 'hidden'; }));
  return { boxes: await boxes(page), canvases: await canvases(page), pictures: await pictures(page) };
};

/** Compares what was seen, and names what differs: the pixels themselves tell nobody anything. */
function expectSame(before, after) {
  expect(after.boxes).toEqual(before.boxes);
  for (const kind of ['canvases', 'pictures']) expect(after[kind].map((picture, at) => picture === before[kind][at]), kind).toEqual(before[kind].map(() => true));
}

/** Whose words are written from now on. */
const watchWords = (page) => page.evaluate(() => {
  globalThis.written = [];
  const note = (records) => globalThis.written.push(...records.map(({ target }) => target.getAttribute('data-t')).filter(Boolean));
  new MutationObserver(note).observe(document.querySelector('#playground'), { childList: true, subtree: true });
});

const marks = (page) => page.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name));

/** Opens the page, and compares what is there before the engine with what the engine draws: the words too are those that stand there already. */
async function expectTakenOver(page) {
  const letCome = await openWithoutEngine(page);
  await drawn(page);
  expect(await marks(page)).toEqual(['first-map']);
  const before = await seen(page);
  await watchWords(page);
  await letCome();
  expectSame(before, await seen(page));
  expect(await page.evaluate(() => globalThis.written), 'words are not written again').toEqual([]);
  expect(await marks(page)).toEqual(['first-map', 'engine-map']);
}

/** `./dev soak` has each with each; in `./dev test` every size, theme and language is there, and with one of them a denser screen. */
const SIZES = [[1440, 900], [390, 844], [1024, 700], [360, 640]];
const LOOKS = SIZES.flatMap(([width, height], at) => ['light', 'dark'].flatMap((colorScheme, dark) => ['en', 'zh-CN'].map((locale, other) => (
  { viewport: { width, height }, colorScheme, locale, deviceScaleFactor: at === 2 ? 1.5 : 1, isTested: dark === at % 2 && other === at >> 1 }
))));

for (const { isTested: _, ...look } of subset(LOOKS, ({ isTested }) => isTested)) {
  const { viewport: { width, height }, colorScheme, locale, deviceScaleFactor } = look;
  test.describe(`${width} × ${height}, ${colorScheme}, ${locale}, ${deviceScaleFactor}×`, () => {
    test.use(look);
    test('what is there before the engine is what the engine draws, pixel by pixel', async ({ page }) => {
      await expectTakenOver(page);
    });
  });
}

test.describe('a language that the page does not speak, and nothing that moves', () => {
  test.use({ locale: 'fr', contextOptions: { reducedMotion: 'reduce' } });
  test('has the picture of the page in English', async ({ page }) => {
    await expectTakenOver(page);
  });
});

for (const [reducedMotion, growing] of [['no-preference', ['arc-grows', 'tip-comes']], ['reduce', []]]) {
  test.describe(`where motion is ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });
    test(`the arc ${growing.length > 0 ? 'grows from the word that looks' : 'is there at once'}`, async ({ page }) => {
      await page.addInitScript(() => addEventListener('animationstart', ({ animationName }) => (globalThis.begun ??= []).push(animationName), true));
      await page.goto('./');
      await idle(page);
      expect(await page.evaluate(() => globalThis.begun ?? [])).toEqual(growing);
    });
  });
}

test('the engine is compiled in one task and started in another', async ({ page }) => {
  await page.addInitScript(() => {
    const order = [];
    globalThis.order = order;
    const { compileStreaming } = WebAssembly;
    WebAssembly.compileStreaming = (...given) => compileStreaming(...given).then((module) => {
      order.push('compiled');
      setTimeout(() => order.push('another task'));
      return module;
    });
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        order.push('started');
        super(...given);
      }
    };
  });
  await openPage(page);
  expect(await page.evaluate(() => globalThis.order)).toEqual(['compiled', 'another task', 'started']);
});

for (const [what, path] of [['a link', `#${link({ heads: 3 })}`], ['a compact page', '#embed']]) {
  test(`${what} opens without the picture of another page`, async ({ page }) => {
    const letCome = await openWithoutEngine(page, path);
    await page.waitForFunction(() => document.readyState !== 'loading');
    await expect(page.locator('#playground')).not.toHaveAttribute('hidden');
    await expect(page.locator('.plate')).not.toHaveAttribute('data-drawn');
    await letCome();
    expect(await page.evaluate(() => performance.getEntriesByName('first-map').length)).toBe(1);
  });
}

test('the link that the page writes of its opening has the picture, and one of another row the numbers that came with it', async ({ page }) => {
  await openPage(page, '');
  for (const press of [() => page.locator('#temperature').press('ArrowRight'), () => page.locator('#undo').click()]) {
    await press();
    await idle(page);
  }
  const own = new URL(page.url()).hash;
  const other = own.replace(/cell=\d+/, 'cell=9');
  const asked = [];
  page.on('request', (request) => asked.push(...(/opening-\w+-\w+\.f32$|engine-models-/.exec(request.url()) ?? [])));
  for (const [link, isDrawn] of [[own, true], [other, false]]) {
    await page.goto('about:blank');
    const letCome = await openWithoutEngine(page, link);
    await (isDrawn ? drawn(page) : page.waitForFunction(() => document.readyState !== 'loading'));
    await expect(page.locator('.plate[data-drawn]')).toHaveCount(Number(isDrawn));
    await letCome();
    await expect(page.locator('#learned-answer')).toContainText('animal');
    expect(asked.splice(0)).toEqual([expect.stringMatching(/^opening-en/)]);
  }
});

test('language and theme that were chosen before are those of the picture', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    localStorage.setItem('attention-playground-language', 'zh');
    localStorage.setItem('attention-playground-theme', 'dark');
  });
  const letCome = await openWithoutEngine(page, '?again');
  await drawn(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(page.locator('#story')).toContainText('它');
  const before = await seen(page);
  await letCome();
  expectSame(before, await seen(page));
});

test('a key on a slider, a word and a press before the engine is there are done when it is', async ({ page }) => {
  const letCome = await openWithoutEngine(page);
  await drawn(page);
  await page.locator('#heads').press('ArrowRight');
  await page.locator('#text').fill('the fox was too hungry');
  await page.locator('#all-heads [data-head="2"]').click();
  await page.locator('input[name=mask][value=causal]').setChecked(true, { force: true });
  await letCome();
  expect(await shown(page)).toMatchObject({ heads: '5', text: 'the fox was too hungry', head: '3', layer: '1', mask: 'causal' });
  expect(await address(page)).toContain('heads=5');
  await page.locator('#undo').click();
  await idle(page);
  expect(await shown(page)).toMatchObject({ mask: 'none', head: '3' });
});

test('a picture that does not come is not missed', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  await page.route(/\/opening-\w+-\w+\.js$/, (route) => route.abort());
  await openPage(page);
  await expect(page.locator('#story')).toContainText('animal');
  await expect(page.locator('[data-failure]')).toBeHidden();
});

test('a picture that is late holds nothing back: the engine shows the page', async ({ page }) => {
  let letPictureCome;
  const held = new Promise((resolve) => { letPictureCome = resolve; });
  await page.route(/\/opening-\w+-\w+\.js$/, (route) => held.then(() => route.continue()));
  const letCome = await openWithoutEngine(page);
  await expect(page.locator('main')).toBeHidden();
  await letCome();
  await expect(page.locator('#story')).toBeVisible();
  await expect(page.locator('#story')).toContainText('animal');
  letPictureCome();
});

test('a reload keeps the scroll position', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => scrollTo(0, 500));
  await page.reload();
  await idle(page);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(490);
});

test('a hidden tab starts its engine all the same', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    globalThis.requestAnimationFrame = () => 0;
  });
  await page.goto('./');
  await expect(page.locator('html')).not.toHaveAttribute('data-opening');
  await page.evaluate(() => attentionPlayground.ready);
});
