// What a person does with the page and what they read on it. Nothing here knows more of the page than its markup.

import { expect, idle, inside } from './fixture.mjs';
import { atRest, PATIENCE_MS } from './idle.mjs';
import { reveal } from './reveal.mjs';

export { reveal };

/** What a link that says nothing means; names as in links. */
export const DEFAULTS = {
  text: "The animal didn't cross the street because it was too tired",
  weights: 'teaching',
  seed: '42',
  d_model: '64',
  d_k: '16',
  heads: '4',
  mask: 'none',
  valid: '8',
  pad_rows: '0',
  window: '1',
  stride: '2',
  first: '1',
  rule: '',
  paint: 'none',
  hiding: 'out',
  scoring: 'dot',
  scaled: '1',
  positions: 'sinusoidal',
  align: 'first',
  linformer: '0',
  projected: '4',
  temperature: '1',
  head: '1',
  step: 'weights',
  view: 'map',
  open: 'steps',
};

/** What is otherwise where a model has learned. */
const OF_LEARNED = { d_model: '32', d_k: '8', positions: 'none' };

/** Settings that choose what is looked at or how; the others choose what is computed. */
const LOOKS = ['v', 'head', 'cell', 'step', 'view', 'open', 'against', 'code', 'task', 'task_text', 'task_seed', 'task_temperature', 'task_step', 'lesson', 'lesson_step', 'lesson_text', 'colours', 'scale', 'range', 'lang', 'theme', 'embed', 'show', 'lock', 'origins', 'before'];

/** The settings that a fragment names. */
export const named = (fragment) => Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));

/** A fragment of version 1 with these settings. */
export const link = (settings) => `v=1&${new URLSearchParams(settings)}`;

/** What a fragment says about the computation, for comparing. */
export const computed = (fragment) => {
  const entries = Object.entries(meant(fragment)).filter(([key]) => !LOOKS.includes(key));
  return JSON.stringify(entries.sort());
};

/** What the picture on screen says about itself, once the page is idle. */
export async function picture(page) {
  await idle(page);
  const { head, rows, columns, backend } = await inside(page).evaluate(() => ({ ...document.querySelector('#map').dataset }));
  return { head: Number(head), rows: Number(rows), columns: Number(columns), backend };
}

/** Everything that a fragment says or leaves to its default; every head has a key/value head of its own unless it says otherwise. */
export function meant(fragment) {
  const own = named(fragment);
  const settings = { ...DEFAULTS, ...(own.weights === 'learned' ? OF_LEARNED : {}), ...own };
  const positions = { 0: 'none', 1: 'sinusoidal' }[settings.positions] ?? settings.positions;
  return { kv_heads: settings.heads, ...settings, positions };
}

/** The fragment of a page or a frame. */
export const address = (page) => inside(page).evaluate(() => location.hash.slice(1));

/** Everything that the picture of an idle page was computed from, defaults included: its address has all of it. */
export async function shown(page) {
  await idle(page);
  return meant(await address(page));
}

/** Waits until the page is idle, which it is with these settings. */
export const expectShown = async (page, settings) => expect(await shown(page)).toMatchObject(settings);

/** Where the thumb of a slider stands when it is at `share` (0…1) of its track. */
async function placeOn(slider, share) {
  const box = await slider.boundingBox();
  const thumb = Math.min(box.height, 16);
  return { x: box.x + thumb / 2 + share * (box.width - thumb), y: box.y + box.height / 2 };
}

/** Drags a slider with the mouse from where its thumb stands to `share` of its track, by way of everything between; `lets` it go. */
export async function drag(page, id, share, { lets = true } = {}) {
  const slider = await reveal(page.locator(`#${id}`));
  await slider.scrollIntoViewIfNeeded();
  const at = await slider.evaluate((own) => (own.value - own.min) / Math.max(own.max - own.min, 1));
  const [from, to] = [await placeOn(slider, at), await placeOn(slider, share)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  if (lets) await page.mouse.up();
}

/** Types a number beside a slider, finished with Enter. */
export async function enter(page, id, number) {
  const field = await reveal(page.locator(`#${id}`));
  await field.fill(String(number));
  await field.press('Enter');
}

/** Chooses one of several by the words or sign that stand for it. */
export async function choose(page, name, value) {
  const label = await reveal(page.locator(`label:has(input[name="${name}"][value="${value}"])`));
  await label.click();
}

/** Head, rows and columns of the table below the map, and its numbers; `null` where the mask hides a cell. */
export async function table(page) {
  await inside(page).evaluate(() => { document.querySelector('#as-table').open = true; });
  await inside(page).evaluate(atRest, PATIENCE_MS);
  const text = await inside(page).evaluate(() =>
    [...document.querySelectorAll('#as-table table tr')].map((row) => [...row.cells].map((cell) => cell.textContent)));
  const cells = text.slice(1).map((row) => row.slice(1).map((cell) => (/^\d/.test(cell) ? Number(cell) : null)));
  return { columns: text[0].slice(1), rows: text.slice(1).map((row) => row[0]), cells };
}

/** Every row that sees something sums to 1, as far as three decimals can tell; one that sees nothing has only hidden cells. */
export function expectRowsSumToOne(cells) {
  for (const [at, row] of cells.entries()) {
    const visible = row.filter((cell) => cell !== null);
    const sum = visible.reduce((sum, cell) => sum + cell, 0);
    if (visible.length) expect(Math.abs(sum - 1), `row ${at} sums to ${sum}`).toBeLessThan(0.0005 * visible.length + 1e-6);
  }
}

/** The line below the map: both tokens and the value as written. */
export const readout = (page) => page.locator('#cell').evaluate((cell) => {
  const text = (name) => cell.querySelector(name)?.textContent ?? '';
  return { query: text('.is-query-text'), key: text('.is-key-text'), value: text('.value') };
});

/** A weight as the page writes it exactly: "0.618034", "1.23457×10⁻⁸". */
export function number(written) {
  const [mantissa, power] = written.split('×10');
  const digits = [...(power ?? '')].map((sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)).filter((digit) => digit >= 0).join('');
  return Number(mantissa) * 10 ** -Number(digits || 0);
}
