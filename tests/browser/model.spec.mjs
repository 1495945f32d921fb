// A model opened from files: dropped, chosen, offered by the site; its heads, its answer, and why.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { violations } from './axe.mjs';
import { watched } from './chunk-watch.mjs';
import { test as inElement } from './element.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';

const ROOT = new URL('../../', import.meta.url);
const path = (own) => fileURLToPath(new URL(own, ROOT));
const LLAMA = path('tests/golden/checkpoints/llama.gguf');
const TEXT = 'one two three one two';

const folder = async (name, own = name) => Promise.all(Object.entries({
  'model.safetensors': `tests/golden/checkpoints/${own}/model.safetensors`,
  'config.json': `tests/golden/checkpoints/${own}/config.json`,
  'tokenizer.json': `crates/tokenizer/tests/golden/${name}.tokenizer.json`,
}).map(async ([file, own]) => ({ name: file, mimeType: '', buffer: await readFile(path(own)) })));

/** Opens the page with the panel, and a model of files. */
async function openModel(page, files, settings = {}) {
  await openPage(page, link({ text: TEXT, weights: 'random', open: 'model', ...settings }));
  await page.locator('#model-files').setInputFiles(files);
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await idle(page);
}

const chosen = (page) => page.locator('#model-pointed').textContent();
const rows = (page) => page.locator('.model-most .of').allTextContents();

test('files that are chosen put a layer on the map, with measures of all heads and what is said next', async ({ page }) => {
  await openModel(page, LLAMA);
  await expect(page.locator('.model-about')).toContainText('2 layers × 4 heads');
  await expect(page.locator('.model-field .cell')).toHaveCount(8);
  await expect(page.locator('#head-name, #story').first()).not.toBeEmpty();
  await expect(page.locator('.model-words').first().locator('li')).toHaveCount(5);
  await expect(page.locator('.model-lens li').last()).toBeVisible();
  await expect(page.locator('.model-parts').first().locator('.sum')).toBeVisible();
  // Every measure sorts the heads anew.
  const orders = new Set();
  for (const name of ['previous', 'first', 'entropy', 'reach']) {
    await page.locator(`[data-do="by-${name}"]`).click();
    await idle(page);
    orders.add((await rows(page)).join());
  }
  expect(orders.size).toBeGreaterThan(2);
  expect(await violations(page, '.plate')).toEqual([]);
});

test('a dropped file opens with the panel closed, and a press shows another head', async ({ page }) => {
  await openPage(page, link({ text: TEXT, weights: 'random' }));
  const bytes = (await readFile(LLAMA)).toString('base64');
  await page.locator('#playground').evaluate((element, bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], 'tiny.gguf'));
    for (const kind of ['dragover', 'drop']) element.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
  }, bytes);
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await idle(page);
  const before = await chosen(page);
  const box = await page.locator('.model-field').boundingBox();
  // The last head of the last layer.
  await page.mouse.click(box.x + box.width - 6, box.y + box.height - 6);
  await idle(page);
  expect(await chosen(page)).toMatch(/^layer 2 · head 4/);
  expect(await chosen(page)).not.toBe(before);
  await page.locator('#undo').click();
  await idle(page);
  expect(await chosen(page)).toBe(before);
});

test('the keyboard goes through the field, and what it points at is said', async ({ page }) => {
  await openModel(page, LLAMA);
  await page.locator('.model-field').focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'Home']) await page.keyboard.press(key);
  await idle(page);
  expect(await chosen(page)).toMatch(/^layer 1 · head 1: \d\.\d\d$/);
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await idle(page);
  expect(await chosen(page)).toMatch(/^layer 2 · head 2/);
  await expect(page.locator('.model-field')).toBeFocused();
});

test('without a head the answer changes, in a sentence', async ({ page }) => {
  await openModel(page, LLAMA);
  await page.locator('[data-do="off"]').click();
  await idle(page);
  await expect(page.locator('.model-changed')).toContainText(/^Without layer \d · head \d: “.*” .* → .*\.$/);
  await page.locator('[data-do="off"]').click();
  await idle(page);
  await expect(page.locator('.model-changed')).toBeEmpty();
  await page.locator('[data-do="need"]').click();
  await idle(page);
  await expect(page.locator('.model-needs li')).toHaveCount(5);
});

test('an encoder from a folder is shown too, and says that it says nothing', async ({ page }) => {
  await openModel(page, await folder('bert'), { lang: 'zh' });
  await expect(page.locator('.model-answer')).toContainText('不说词语');
  await expect(page.locator('[data-do="by-repeats"]')).toHaveCount(0);
});

test('an encoder with its head for masked words says what stands in the place of the mask', async ({ page }) => {
  await openModel(page, await folder('bert', 'bert_masked'), { text: 'the [MASK] is here' });
  await expect(page.locator('#model-place option:checked')).toHaveText('3 · [MASK]');
  await expect(page.locator('.model-words').first().locator('li')).toHaveCount(5);
  await expect(page.locator('.model-lens li').last()).toBeVisible();
  await expect(page.locator('.model-write')).toBeHidden();
});

test('what each layer would say is a table of layers and tokens', async ({ page }) => {
  await openModel(page, LLAMA);
  await page.locator('[data-do="layers"]').click();
  await idle(page);
  const table = page.locator('.model-layers table');
  const tokens = await table.locator('thead button').count();
  await expect(table.locator('tbody tr')).toHaveCount(3);
  await expect(table.locator('td[data-weight]')).toHaveCount(3 * tokens);
  await table.locator('thead button').first().click();
  await expect(page.locator('#model-place')).toHaveValue('0');
  // The last row is what the model says there.
  await idle(page);
  const said = await page.locator('.model-words .of').first().textContent();
  await expect(table.locator('tbody tr').last().locator('td').first()).toHaveText(said);
});

test('what is no model is refused by name, and the page stays', async ({ page }) => {
  await openPage(page, link({ text: TEXT, weights: 'random', open: 'model' }));
  await page.locator('#model-files').setInputFiles({ name: 'broken.gguf', mimeType: '', buffer: Buffer.from('GGUF but not really') });
  await expect(page.locator('.model-problem').last()).toContainText('broken.gguf');
  await idle(page);
  await page.locator('#model-files').setInputFiles(LLAMA);
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await idle(page);
  // What is open stays where another file is refused.
  await page.locator('.model-tools [data-do="another"]').click();
  await page.locator('#model-files').setInputFiles({ name: 'other.gguf', mimeType: '', buffer: Buffer.from('GGUF but not really') });
  await expect(page.locator('.model-problem').last()).toContainText('other.gguf');
  await page.locator('[data-do="by-previous"]').click();
  await page.locator('.model-most button').last().click();
  await idle(page);
  await expect(page.locator('.model-most [aria-pressed="true"]')).toHaveCount(1);
  await expect(page.locator('.model-words').first().locator('li')).toHaveCount(5);
  await page.locator('.model-tools [data-do="close"]').click();
  await idle(page);
  await expect(page.locator('.model-opener')).toBeVisible();
  await expect(page.locator('.rail')).toBeVisible();
});

/** Copies files into a folder of the origin's own, whose handles are as those of a picker, and has pickers give them. */
async function pickersGive(page, files) {
  const bytes = Object.fromEntries(files.map(({ name, buffer }) => [name, buffer.toString('base64')]));
  await page.evaluate(async (bytes) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('llama', { create: true });
    for (const [name, text] of Object.entries(bytes)) {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
      await stream.close();
    }
    window.showDirectoryPicker = async () => folder;
    window.showOpenFilePicker = async () => { throw new DOMException('given up', 'AbortError'); };
    // Those of the origin's own folder need no permission.
    FileSystemHandle.prototype.requestPermission ??= async () => 'granted';
  }, bytes);
}

isolated('a model that was opened is opened again with one press, is told when it is gone, and is forgotten', async ({ page }) => {
  const opener = link({ text: TEXT, weights: 'random', open: 'model' });
  await openPage(page, opener);
  await pickersGive(page, await folder('llama'));
  await expect(page.locator('.model-before')).toBeHidden();
  // Nothing is picked: nothing happens.
  await page.locator('#model-files + span').click();
  await page.locator('#model-folder + span').click();
  await expect(page.locator('.model-about b')).toHaveText('llama');
  await idle(page);
  await page.reload();
  await idle(page);
  await page.locator('[data-do="again-0"]').click();
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await expect(page.locator('.model-about b')).toHaveText('llama');
  await idle(page);
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('llama', { recursive: true }));
  await page.locator('.model-tools [data-do="another"]').click();
  await page.locator('[data-do="again-0"]').click();
  await expect(page.locator('.model-problem').last()).toHaveText('llama is no longer where it was, or may not be read.');
  await page.locator('[data-do="forget"]').click();
  await expect(page.locator('.model-before')).toBeHidden();
  await idle(page);
  await page.reload();
  await expect(page.locator('.model-opener')).toBeVisible();
  await idle(page);
  await expect(page.locator('.model-before')).toBeHidden();
});

inElement('in a page of somebody else nothing is remembered', async ({ page, host }) => {
  await host.open(page, `<attention-playground embed="0" open="model" text="${TEXT}"></attention-playground>`);
  await pickersGive(page, await folder('llama'));
  await page.locator('#model-folder + span').click();
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await expect(page.locator('.model-about b')).toHaveText('llama');
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});

for (const kind of ['handles', 'entries']) {
  isolated(`a folder that is dropped is opened, by its ${kind}`, async ({ page }) => {
    await openPage(page, link({ text: TEXT, weights: 'random', open: 'model' }));
    await pickersGive(page, await folder('llama'));
    await page.evaluate(async (kind) => {
      const handle = await showDirectoryPicker();
      const files = [];
      for await (const file of handle.values()) files.push({ isFile: true, file: (tell) => file.getFile().then(tell) });
      const entry = { isDirectory: true, name: 'llama', createReader: () => ({ readEntries: (tell) => tell(files.splice(0, 2)) }) };
      const item = kind === 'handles' ? { kind: 'file', getAsFileSystemHandle: async () => handle } : { kind: 'file', webkitGetAsEntry: () => entry };
      const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() });
      // No script makes items of a folder.
      for (const [name, value] of Object.entries({ items: [item], types: ['Files'] })) Object.defineProperty(event.dataTransfer, name, { value });
      document.querySelector('#playground').dispatchEvent(event);
    }, kind);
    await expect(page.locator('.model-about b')).toHaveText('llama');
    await expect(page.locator('.model-field .chosen')).toBeVisible();
    await idle(page);
  });
}

isolated('a model that the site offers opens with one press', async ({ page }) => {
  const bytes = await readFile(LLAMA);
  const offer = { name: 'Tiny Llama', id: 'tiny', licence: 'MIT', files: [{ name: 'model.gguf', path: 'models/tiny/model.gguf', bytes: bytes.length, sha256: '' }] };
  await page.route('**/models.json', (route) => route.fulfill({ json: { models: [offer] } }));
  await page.route('**/models/tiny/model.gguf', (route) => route.fulfill({ body: bytes }));
  await openPage(page, link({ text: TEXT, weights: 'random', open: 'model' }));
  await page.locator('[data-do="offer-0"]').click();
  await expect(page.locator('.model-field .chosen')).toBeVisible();
  await idle(page);
  await expect(page.locator('.model-about')).toContainText('Tiny Llama');
});

isolated('the window computes nothing of an opened model, and waits for none of the code that does', async ({ page }) => {
  const { asked, awaited } = await watched(page);
  await openModel(page, LLAMA);
  for (const name of ['by-first', 'off', 'off', 'need']) {
    await page.locator(`[data-do="${name}"]`).click();
    await idle(page);
  }
  await page.locator('#text').fill('another text');
  await idle(page);
  await expect(page.locator('.model-parts').first().locator('.sum')).toBeVisible();
  expect(await awaited()).toEqual([]);
  expect(asked).toContain('model');
});

for (const width of [1024, 1280, 1700]) {
  isolated(`beside a lesson, in a window of ${width} px, nothing covers what belongs to the model`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, link({ lesson: '17-your-own-model' }));
    await page.locator('#model-files').setInputFiles(LLAMA);
    await expect(page.locator('.model-field .chosen')).toBeVisible();
    await idle(page);
    await page.locator('#map canvas').first().click({ position: { x: 160, y: 160 }, force: true });
    await expect(page.locator('#inspector')).toBeVisible();
    await idle(page);
    const overlaps = await page.evaluate(() => {
      const boxes = ['.model-bar', '.model-heads', '.plate > .map', '.model-most', '.model-answer', '.model-layers', '.reading', '#lesson'].map((own) => [own, document.querySelector(own)]).filter(([, own]) => own?.checkVisibility());
      const crosses = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return boxes.flatMap(([name, own], at) => boxes.slice(at + 1).filter(([, other]) => crosses(own.getBoundingClientRect(), other.getBoundingClientRect())).map(([other]) => `${name} ${other}`));
    });
    expect(overlaps).toEqual([]);
    // Each can be pressed where it is seen.
    for (const part of ['.model-most button', '.model-parts button', '[data-do="off"]', '[data-do="layers"]', '#lesson [data-lesson-do="next"]']) {
      await page.locator(part).first().click({ timeout: 5_000 });
      await idle(page);
    }
  });
}

test('on a phone everything is there, below the map', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openModel(page, LLAMA);
  const [map, field, answer] = await Promise.all(['#map', '.model-heads', '.model-answer'].map((own) => page.locator(own).boundingBox()));
  expect(field.y).toBeGreaterThan(map.y);
  expect(answer.y).toBeGreaterThan(map.y);
  for (const { x, width } of [field, answer]) expect(x + width).toBeLessThanOrEqual(390);
});
