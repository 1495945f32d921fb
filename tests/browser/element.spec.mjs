// <attention-playground> in somebody else's page, which is on another origin than its files.

import { examine, PARTS } from './axe.mjs';
import { watched } from './chunk-watch.mjs';
import { allReady, expect, expectPicture, expectTold, test, told, withElement } from './element.mjs';
import { subset } from './extent.mjs';
import { drag, number, readout } from './helpers.mjs';

const PLAIN = '<attention-playground tokens="the cat sat" heads="4" mask="causal" controls="heads mask"></attention-playground>';
const element = (page) => page.locator('attention-playground').first();

test('attributes are settings, and nothing of the host is touched', async ({ page, host }) => {
  await host.open(page, PLAIN);
  expect(await withElement(page, (one) => [one.tokens, one.text, one.heads, one.mask, one.controls])).toEqual(['the cat sat', 'the cat sat', 4, 'causal', 'heads,mask']);
  await expectPicture(element(page), 'text=the+cat+sat&mask=causal');
  await expect(page.locator('#heads')).toHaveValue('4');
  expect(await withElement(page, (one) => [typeof one.before, typeof one.append, one.lang])).toEqual(['function', 'function', '']);
  await expect(page.locator('#seed')).toBeHidden();
  const left = await page.evaluate(() => ({
    title: document.title,
    hash: location.hash,
    entries: history.length,
    stored: localStorage.length,
    globals: Object.keys(globalThis).filter((name) => /attention|wasm|playground/i.test(name)),
    root: [...document.documentElement.attributes].map(({ name }) => name),
    sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
    marks: performance.getEntriesByType('mark').length,
  }));
  expect(left).toEqual({ title: 'A lecture', hash: '', entries: 2, stored: 0, globals: [], root: ['lang'], sheets: 0, marks: 0 });
});

test('properties set, reflect and tell; a hand does the same', async ({ page, host }) => {
  await host.open(page, PLAIN);
  await withElement(page, (one) => void (one.heads = 8));
  await expect(element(page)).toHaveAttribute('heads', '8');
  await expectTold(page, 'change', { by: 'host', state: { computed: true, settings: { heads: 8 } } });
  await expect(page.locator('#heads')).toHaveValue('8');
  await drag(page, 'heads', 0);
  await expectTold(page, 'change', { by: 'person', state: { settings: { heads: 1 } } });
  await expect(element(page)).toHaveAttribute('heads', '1');
  expect(await withElement(page, (one) => [one.heads, one.state])).toEqual([1, expect.stringContaining('heads=1')]);
  await element(page).evaluate((one) => one.setAttribute('mask', 'local causal'));
  await expectPicture(element(page), 'mask=causal,local');
  await element(page).evaluate((one) => one.removeAttribute('mask'));
  await expect.poll(() => withElement(page, (one) => one.mask)).toBe('none');
  await withElement(page, (one) => void (one.settings = { tokens: 'two words', mask: ['causal'], scaled: false }));
  await expectPicture(element(page), 'text=two+words&heads=1&mask=causal&scaled=0');
  await expect(element(page)).toHaveAttribute('tokens', 'two words');
  await expect(element(page)).toHaveAttribute('scaled', '0');
  await withElement(page, (one) => void (one.state = '#v=1&text=a+b+c+d&seed=7'));
  await expectPicture(element(page), 'text=a+b+c+d&seed=7');
  expect(await withElement(page, (one) => [one.heads, one.getAttribute('seed'), one.getAttribute('mask')])).toEqual([4, '7', 'none']);
});

test('a cell is chosen from both sides', async ({ page, host }) => {
  await host.open(page, PLAIN);
  await withElement(page, (one) => one.select(2, 1));
  await expectTold(page, 'select', { by: 'host', state: { cell: { query: 2, key: 1, query_token: 'sat', key_token: 'cat' } } });
  expect(number((await readout(page)).value)).toBeCloseTo((await withElement(page, (one) => one.snapshot.cell.weight)), 5);
  await page.locator('#map').focus();
  for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expectTold(page, 'select', { by: 'person', state: { cell: { query: 1, key: 1 } } });
  await expect(element(page)).toHaveAttribute('cell', '2,2');
  await withElement(page, (one) => one.select());
  await expectTold(page, 'select', { state: { cell: null } });
});

test('what cannot be is refused in words, inside and by an event, and changes nothing', async ({ page, host }) => {
  await host.open(page, '<attention-playground tokens="the cat sat" heads="many" mask="causal sideways"></attention-playground>');
  expect((await told(page, 'refused')).map(({ field, code, value }) => [field, code, value])).toEqual([
    ['heads', 'wrong_type', 'many'],
    ['mask', 'unknown_option', 'sideways'],
  ]);
  await expect(page.locator('#notices li').first()).toContainText('heads');
  for (const value of [99, -1, NaN, {}, [1, 2], 'x'.repeat(600), () => 1]) {
    const before = await page.evaluate(() => globalThis.told.length);
    await element(page).evaluate((one, [value]) => void (one.heads = value === 'function' ? () => 1 : value), [typeof value === 'function' ? 'function' : value]);
    expect(await page.evaluate((before) => globalThis.told.slice(before).map(({ type }) => type), before), String(value)).toEqual(['refused']);
    expect(await withElement(page, (one) => one.heads)).toBe(4);
  }
  await expect(page.locator('#notices li').first()).toContainText('heads');
  await withElement(page, (one) => void (one.heads = 2));
  await expect(page.locator('#notices li')).toHaveCount(0);
  await element(page).evaluate((one) => one.setAttribute('nonsense', '1'));
  expect((await told(page, 'failed'))).toEqual([]);
});

test('an attribute that is refused stays as it is written until its setting changes', async ({ page, host }) => {
  await host.open(page, '<attention-playground tokens="the cat sat" heads="999" mask="sideways" controls="heads mask"></attention-playground>');
  const written = () => withElement(page, (one) => [one.getAttribute('heads'), one.getAttribute('mask'), one.heads, one.mask]);
  expect(await written()).toEqual(['999', 'sideways', 4, 'none']);
  await withElement(page, (one) => void (one.seed = 5));
  await expectPicture(element(page), 'seed=5');
  expect(await written()).toEqual(['999', 'sideways', 4, 'none']);
  await drag(page, 'heads', 0);
  await expect(element(page)).toHaveAttribute('heads', '1');
  const before = (await told(page, 'refused')).length;
  await element(page).evaluate((one) => one.setAttribute('heads', 'many'));
  await expect.poll(async () => (await told(page, 'refused')).slice(before)).toMatchObject([{ field: 'heads', code: 'wrong_type', value: 'many' }]);
  await withElement(page, (one) => void (one.seed = 6));
  await expectPicture(element(page), 'seed=6&heads=1');
  expect(await written()).toEqual(['many', 'sideways', 1, 'none']);
  // What is set by property always stands in the attribute, even where it was so before.
  await withElement(page, (one) => { one.heads = 1; one.mask = 'none'; });
  expect(await written()).toEqual(['1', 'none', 1, 'none']);
  await element(page).evaluate((one) => one.setAttribute('heads', '-3'));
  await withElement(page, (one) => void (one.state = 'v=1&text=a+b&heads=1'));
  expect(await written()).toEqual(['1', 'none', 1, 'none']);
});

test('a refusal is said in the language of the element', async ({ page, host }) => {
  await host.open(page, '<attention-playground heads="many" language="zh"></attention-playground>');
  await expect(page.locator('#notices li').first()).toContainText('未采用：heads = “many”。必须是整数。');
});

test('what was set before the element was known counts', async ({ page, host }) => {
  const script = `<script>addEventListener('DOMContentLoaded', () => {
    const one = document.querySelector('attention-playground');
    one.tokens = 'set early on';
    one.settings = { heads: 2 };
  });</script>`;
  await host.open(page, '<attention-playground seed="9"></attention-playground>', { head: script });
  await expectPicture(element(page), 'text=set+early+on&seed=9&heads=2');
});

test('a list of nothing is none, before the element is open and after, and so is an empty attribute', async ({ page, host }) => {
  const script = `<script>addEventListener('DOMContentLoaded', () => { document.querySelector('attention-playground').open = []; });</script>`;
  await host.open(page, '<attention-playground mask=""></attention-playground>', { head: script });
  expect(await withElement(page, (one) => [one.open, one.mask])).toEqual(['none', 'none']);
  await withElement(page, (one) => { one.mask = ['causal']; one.mask = []; });
  expect(await withElement(page, (one) => one.mask)).toBe('none');
  expect(await told(page, 'refused')).toEqual([]);
});

test('several share one engine and one worker, and each has its own numbers', async ({ page, host }) => {
  const many = [1, 2, 4, 8].map((heads) => `<attention-playground id="h${heads}" tokens="the cat sat on it" heads="${heads}" controls="heads"></attention-playground>`);
  const wasm = [];
  page.on('request', (request) => /engine-[0-9a-f]+\.wasm$/.test(request.url()) && wasm.push(request.url()));
  await host.open(page, many.join(''));
  await expect.poll(() => page.workers().length, 'first maps do not wait for it').toBe(1);
  expect(wasm).toHaveLength(1);
  for (const heads of [1, 2, 4, 8]) {
    const own = page.locator(`#h${heads}`);
    if (heads === 4) continue;
    await expectPicture(own, `heads=${heads}`);
  }
  // All at once, again and again: whoever is not the newest of its own element is overtaken, and nobody by another.
  await page.evaluate(() => {
    const all = [...document.querySelectorAll('attention-playground')];
    for (let round = 1; round <= 20; round++) all.forEach((one, at) => { one.seed = 100 * at + round; });
  });
  for (const [at, heads] of [1, 2, 4, 8].entries()) {
    await expectPicture(page.locator(`#h${heads}`), `seed=${100 * at + 20}`);
    await expect(page.locator(`#h${heads}`)).toHaveAttribute('seed', String(100 * at + 20));
  }
});

test('keys typed into it stay in it; the page around keeps its own', async ({ page, host }) => {
  await host.open(page, '<attention-playground tokens="the cat sat" controls="sentence heads"></attention-playground>', {
    head: '<script>globalThis.seen = ""; addEventListener("keydown", ({ key }) => { seen += key; });</script>',
  });
  await page.locator('#text').focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' sk');
  await expectPicture(element(page), 'text=the+cat+sat+sk');
  expect(await page.evaluate(() => globalThis.seen)).not.toMatch(/[sk]/);
  await page.locator('#before').focus();
  await page.keyboard.press('s');
  expect(await page.evaluate(() => globalThis.seen)).toMatch(/s$/);
});

test('everything in it is reached with Tab, and left again', async ({ page, host }) => {
  await host.open(page, PLAIN);
  await page.locator('#before').focus();
  const stops = [];
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const inner = document.activeElement.shadowRoot?.activeElement;
      return inner ? inner.id || inner.name || inner.className : document.activeElement.id;
    });
    stops.push(stop);
    if (stop === 'after') break;
  }
  expect(stops).toEqual(expect.arrayContaining(['map', 'heads', 'heads-number', 'mask', 'after']));
});

for (const [name, open, scheme] of subset([
  ['light', PLAIN, 'light'],
  ['dark', `<div style="color-scheme: dark">${PLAIN}</div>`, 'dark'],
  ['Chinese', PLAIN.replace('heads="4"', 'heads="4" language="zh"'), 'light'],
], ([name]) => name === 'dark')) {
  test(`axe finds nothing: ${name}`, async ({ page, host }) => {
    await host.open(page, open);
    const paper = await page.locator('.mount').evaluate((mount) => getComputedStyle(mount).backgroundColor);
    expect(paper).toBe(scheme === 'dark' ? 'rgb(20, 22, 28)' : 'rgb(252, 251, 248)');
    const { faults, passed } = await examine(page, ':root', PARTS);
    expect(passed).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });
}

for (const [name, style, dark] of subset([
  ['a dark page', ':root { color-scheme: dark } body { background: #181a20; color: #ddd }', true],
  ['a dark section of a light page', 'main { color-scheme: dark; background: oklch(0.25 0.05 270); color: #ddd }', true],
  ['a light section of a dark page', ':root { color-scheme: dark } main { color-scheme: light; background: #fff; color: #222 }', false],
  ['a page that follows the system', ':root { color-scheme: light dark }', false],
  ['a page that says nothing', '', false],
], ([name]) => / of a |follows/.test(name))) {
  test(`the host's theme can be read on ${name}`, async ({ page, host }) => {
    await host.open(page, PLAIN.replace('heads="4"', 'heads="4" theme="host"'), { head: `<style>${style}</style>` });
    const ink = () => page.locator('.mount > .page').evaluate((own) => getComputedStyle(own).color);
    expect(await ink()).toBe(dark ? 'rgb(237, 235, 230)' : 'rgb(28, 27, 24)');
    const { background, scheme } = await page.locator('.mount').evaluate((mount) => {
      const { backgroundColor, colorScheme } = getComputedStyle(mount);
      return { background: backgroundColor, scheme: colorScheme };
    });
    expect(background).toBe('rgba(0, 0, 0, 0)');
    expect(scheme).toContain(dark ? 'dark' : '');
  });
}

test('what opens above the page goes by the window, not by the narrow element', async ({ page, host }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await host.open(page, `<div style="width: 360px; overflow: hidden; contain: paint; margin-left: 300px">${PLAIN.replace(/controls="[^"]*"/, 'controls="heads backend save share"')}</div>`);
  const box = (selector) => page.locator(selector).boundingBox();
  const inWindow = ({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= 1440 && y + height <= 900;
  await page.locator('.backend').click();
  const backend = await box('.backend-panel');
  expect(inWindow(backend) && backend.width <= 344, JSON.stringify(backend)).toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('#save').click();
  await expect(async () => {
    const [panel, sheet, choices] = [await box('#save-panel'), await box('.save-sheet'), await box('#save-picture .save-choices')];
    expect(inWindow(panel) && panel.width === 640, JSON.stringify(panel)).toBe(true);
    expect(choices.x, 'beside the picture').toBeGreaterThan(sheet.x + sheet.width);
  }).toPass({ timeout: 15_000 });
  await page.locator('#save-panel .sheet-head button').click();
  await expect(page.locator('#save-panel')).toBeHidden();
  await page.locator('#share-open').click();
  const [dialog, text, code] = [await box('#share'), await box('#share-text'), await box('#share-code')];
  expect(inWindow(dialog), JSON.stringify(dialog)).toBe(true);
  expect(code.x, 'beside the text').toBeGreaterThan(text.x + text.width);
});

test('language and colours follow the page around, at once when those change', async ({ page, host }) => {
  await host.open(page, `<div id="around">${PLAIN.replace('heads="4"', 'heads="4" theme="host"')}</div>`, { lang: 'zh-Hant' });
  const ink = () => page.locator('.mount > .page').evaluate((own) => getComputedStyle(own).color);
  await expect(page.locator('.setup h2')).toHaveText('设置');
  expect(await ink()).toBe('rgb(28, 27, 24)');
  const picture = () => page.locator('#map canvas').first().evaluate((canvas) => canvas.toDataURL());
  const light = await picture();
  await page.locator('#around').evaluate((around) => { around.style.colorScheme = 'dark'; });
  expect(await ink()).toBe('rgb(237, 235, 230)');
  await expect.poll(picture).not.toBe(light);
  await withElement(page, (one) => void (one.theme = 'light'));
  expect(await ink()).toBe('rgb(28, 27, 24)');
  await element(page).evaluate((one) => { one.lang = 'en'; });
  await expect(page.locator('.setup h2')).toHaveText('Set-up');
});

test('an element has what its host calls before it calls, in its language, and nothing else', async ({ page, host, backend }) => {
  const { asked, awaited } = await watched(page);
  await host.open(page, PLAIN, { lang: 'zh' });
  await withElement(page, (one) => {
    one.settings = { heads: 2 };
    return [one.snapshot, one.state];
  });
  expect(await awaited()).toEqual([]);
  // What window and worker call comes to each.
  if (backend === 'cpu') expect([...new Set(asked)].sort()).toEqual(['host', 'input', 'zh']);
});

test('on the ground of its host, as in a notebook, it waits for no chunk, nor does its picture', async ({ page, host }) => {
  const { awaited } = await watched(page);
  await host.open(page, '<attention-playground tokens="the cat sat" theme="host"></attention-playground>');
  expect(await withElement(page, ({ state }) => state)).toContain('theme=host');
  for (const format of ['svg', 'png']) await withElement(page, (one, format) => one.figure(format).then(({ length }) => length), format);
  expect(await awaited()).toEqual([]);
});
