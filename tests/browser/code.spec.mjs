// The setting as a program: it is taken from the page and run by Python, which finds what the map shows.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, link, named, table } from './helpers.mjs';

const PYTHON = process.env.PYTHON || 'python3';
const RUN = join(import.meta.dirname, '../python/run.py');

/** Runs a program beside its files, and returns what it leaves: weights, output, tokens, what it prints. */
async function run(files) {
  const folder = await mkdtemp(join(tmpdir(), 'program-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const ran = spawnSync(PYTHON, [RUN, join(folder, 'attention.py')], { encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 28 });
  await rm(folder, { recursive: true });
  expect(ran.error, `${PYTHON}: './dev setup' or './dev test python' makes it`).toBeUndefined();
  const said = JSON.parse(ran.stdout);
  expect(said.error).toBeUndefined();
  return said;
}

async function program(page) {
  await expect(page.locator('#code-text')).not.toBeEmpty();
  return page.locator('#code-text').textContent();
}

/** The file that a button gives. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(button).click()]);
  const stream = await download.createReadStream();
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { name: download.suggestedFilename(), content: Buffer.concat(parts) };
}

/** What the program found for the head on screen is what the table says. */
async function expectSame(page, left) {
  const head = Number((await named(await address(page))).head ?? 1) - 1;
  const { cells, rows, columns } = await table(page);
  expect(left.queries).toEqual(rows);
  expect(left.keys).toEqual(columns);
  for (const [query, row] of cells.entries()) {
    for (const [key, weight] of row.entries()) {
      const found = left.weights[head][query][key];
      expect(Math.abs(found - (weight ?? 0)), `${query}, ${key}: ${found}`).toBeLessThan(0.00051);
    }
  }
  expect(left.printed).toContain(`A[${head}] =`);
}

test('NumPy finds what the map shows', async ({ page }) => {
  await openPage(page, link({ open: 'code', head: '3' }));
  await expectSame(page, await run({ 'attention.py': await program(page) }));
});

test('copied, saved, and as a notebook it is the same', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, link({ open: 'code', text: 'say "hi" \\ 猫', weights: 'random' }));
  const text = await program(page);
  await page.locator('#code-copy').click();
  await expect(page.locator('#code-said')).toHaveText('The program is copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  const file = await saved(page, '#code-save');
  expect([file.name, file.content.toString()]).toEqual(['attention.py', text]);
  await expect(page.locator('#code-said')).toHaveText('Saved: attention.py');
  const notebook = await saved(page, '#code-notebook');
  expect(notebook.name).toBe('attention.ipynb');
  const { cells } = JSON.parse(notebook.content.toString());
  expect(cells.map(({ source }) => source).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
});

isolated('where the browser gives no clipboard it is copied the old way, and else selected', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read']);
  await page.addInitScript(() => {
    const { clipboard } = navigator;
    globalThis.pasted = () => clipboard.readText();
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await openPage(page, link({ open: 'code', text: 'one two' }));
  const text = await program(page);
  await page.locator('#code-copy').click();
  await expect(page.locator('#code-said')).toHaveText('The program is copied.');
  expect(await page.evaluate(() => globalThis.pasted())).toBe(text);
  await expect(page.locator('#code-copy')).toBeFocused();
  await page.evaluate(() => { document.execCommand = () => false; });
  await page.locator('#code-copy').click();
  await expect(page.locator('#code-said')).toContainText('press Ctrl+C');
  expect(await page.evaluate(() => getSelection().toString())).toBe(text.trimEnd());
});

test('with the keyboard: opened, another library chosen, scrolled', async ({ page }) => {
  await openPage(page, link({ open: 'none' }));
  await page.locator('#open-code').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#code-text')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#code-text')).toContainText('import torch');
  for (let press = 0; press < 4; press++) await page.keyboard.press('Tab');
  await expect(page.locator('#code-text')).toBeFocused();
  await page.keyboard.press('End');
  // The browser scrolls in a frame of its own, after the page is idle.
  await expect.poll(() => page.locator('#code-text').evaluate((own) => own.scrollTop)).toBeGreaterThan(100);
});
