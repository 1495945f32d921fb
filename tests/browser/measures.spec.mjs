// Every measure of the analysis beside one made without the page: the setting as a program, run by Python, which measures what it left.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, openPage, test } from './fixture.mjs';
import { DEFAULTS, link } from './helpers.mjs';

const PYTHON = process.env.PYTHON || 'python3';
const MEASURE = join(import.meta.dirname, '../python/measures.py');

/** What Python measures of programs, one after the other: to start it takes longer than to measure them all. */
async function measured(programs) {
  const folder = await mkdtemp(join(tmpdir(), 'measures-'));
  const paths = programs.map((_, at) => join(folder, `attention-${at}.py`));
  await Promise.all(paths.map((path, at) => writeFile(path, programs[at])));
  const ran = spawnSync(PYTHON, [MEASURE, ...paths], { encoding: 'utf8', timeout: 120_000 });
  await rm(folder, { recursive: true });
  expect(ran.error, `${PYTHON}: './dev setup' or './dev test python' makes it`).toBeUndefined();
  expect(ran.status, ran.stderr).toBe(0);
  const lines = ran.stdout.trim().split('\n');
  expect(lines).toHaveLength(programs.length);
  return lines.map((line) => JSON.parse(line));
}

/** The table of all heads: a record of shown cells for each, by the name of the column. */
const table = (page) => page.locator('#analysis-heads').evaluate((table) => {
  const shown = [...table.tHead.rows[0].cells].map((cell, at) => ({ at, name: cell.querySelector('button').textContent, hidden: cell.hidden })).filter(({ hidden }) => !hidden);
  return [...table.tBodies[0].rows].map((row) => Object.fromEntries(shown.map(({ at, name }) => [name, row.cells[at].textContent])));
});

/** What a chart says of each of its bars, read by keyboard; nothing where there is no such chart. */
async function bars(page, name) {
  const plot = page.locator(`#chart-${name} .plot`);
  if (!await plot.isVisible()) return undefined;
  await plot.focus();
  await page.keyboard.press('Home');
  await expect(plot).toHaveAttribute('aria-valuetext', /\d/);
  const [said, count] = [[], Number(await plot.getAttribute('aria-valuemax'))];
  for (let bar = 1; bar <= count; bar++) {
    await expect(plot).toHaveAttribute('aria-valuenow', String(bar));
    said.push(await plot.getAttribute('aria-valuetext'));
    await page.keyboard.press('ArrowRight');
  }
  return said;
}

/** Holds what is written to a number, as far as its digits go. */
function same(written, number, what) {
  if (number === null) return expect(written, what).toBe('–');
  expect(written, what).not.toMatch(/^[-−–]/);
  const digits = written.match(/^\d+(?:\.(\d+))?/)[1]?.length ?? 0;
  return expect(Math.abs(Number.parseFloat(written) - number), `${what}: ${written}, and ${number}`).toBeLessThan(0.51 * 10 ** -digits);
}

/** Figures of the head that is looked at: ids, and the columns that say the same. */
const CARDS = [['diagonal', 'mean self-attention'], ['off-diagonal', 'mean attention to others'], ['entropy', 'mean entropy'], ['entropy-share', '… of the maximum']];
const SELF = ['mean self-attention', 'mean attention to others', 'mean entropy', '… of the maximum', 'first token', 'previous token', 'next token', 'mean distance'];
const CROSS = ['mean entropy', '… of the maximum', 'first token'];
const MIXED = ['mean entropy', '… of the maximum'];

const CASES = [
  ['hand-built heads', { text: DEFAULTS.text, heads: '8', head: '8' }, SELF],
  ['random heads of odd sizes under a causal mask', { weights: 'random', heads: '7', head: '5', text: 'a b c d e', d_k: '3', d_model: '11', mask: 'causal' }, SELF],
  ['rows that see nothing', { weights: 'random', mask: 'causal,padding,local', valid: '3', window: '1', heads: '3', head: '2' }, SELF],
  ['nothing to be seen', { heads: '2', mask: 'padding', valid: '0' }, SELF],
  ['nothing to be seen, written over', { weights: 'random', heads: '2', mask: 'padding', valid: '0', hiding: 'written' }, SELF],
  ['written over', { heads: '4', head: '2', mask: 'causal', hiding: 'written' }, SELF],
  ['a mask after the softmax', { weights: 'random', heads: '3', head: '3', mask: 'causal,local', window: '1', hiding: 'after' }, SELF],
  ['one token', { text: 'alone', weights: 'random', heads: '3' }, SELF],
  ['more keys than queries', { text: 'x y z', source: 'a b c d e f g h', weights: 'random', heads: '5', head: '4' }, CROSS],
  ['fewer keys, some hidden', { source: 'a b c', mask: 'padding', valid: '2', heads: '8', head: '3' }, CROSS],
  ['Linformer', { linformer: '1', projected: '3', weights: 'random', heads: '5', head: '4', d_model: '16' }, MIXED],
];

/** What the page says of a case, and the program that it writes for it. */
async function read(page, settings) {
  await openPage(page, link({ open: 'analysis,code', text: 'the cat saw that it was', d_model: '32', ...settings }));
  await expect(page.locator('#code-text')).toContainText('A[head]');
  const cards = await Promise.all(CARDS.map(async ([id]) => {
    const card = page.locator(`#${id}`);
    return [id, await card.isVisible() ? await card.textContent() : null];
  }));
  const charts = {};
  for (const chart of ['entropy', 'itself', 'first', 'weights']) charts[chart] = await bars(page, chart);
  return {
    program: await page.locator('#code-text').textContent(),
    rows: await table(page),
    pairs: await page.locator('#chart-similar tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.getAttribute('aria-label').replace(/^.*: /, '')))),
    cards: Object.fromEntries(cards),
    charts,
  };
}

/** Holds everything that the page says of a case to what was measured. */
function expectMeasured({ rows, pairs, cards, charts }, settings, columns, { heads, similarity }) {
  expect(rows).toHaveLength(heads.length);
  for (const [head, row] of rows.entries()) {
    expect(Object.keys(row)).toEqual(['head', 'what it does', ...columns, 'most similar']);
    for (const column of columns) same(row[column], heads[head][column], `head ${head + 1}, ${column}`);
    const others = similarity[head].filter((alike, other) => other !== head && alike !== null);
    same(row['most similar'].replace(/^.*, /, ''), others.length ? Math.max(...others) : null, `head ${head + 1}, most similar`);
  }
  for (const [one, line] of pairs.entries()) for (const [other, alike] of line.entries()) same(alike, similarity[one][other], `heads ${one + 1} and ${other + 1}`);

  const own = heads[Number(settings.head ?? 1) - 1];
  for (const [id, column] of CARDS) {
    if (columns.includes(column)) same(cards[id], own[column], id);
    else expect(cards[id], id).toBeNull();
  }
  expect(charts.entropy).toHaveLength(own.entropy.length);
  for (const [row, said] of charts.entropy.entries()) {
    const [, value, most] = said.match(/: ([\d.]+) nats of at most ([\d.]+)$/);
    same(value, own.entropy[row], `entropy of row ${row + 1}`);
    same(most, own.limits[row], `largest entropy of row ${row + 1}`);
  }
  for (const [chart, isThere] of [['itself', columns === SELF], ['first', columns !== MIXED]]) {
    const said = charts[chart];
    expect(said?.length, chart).toBe(isThere ? own[chart].length : undefined);
    for (const [row, written] of (said ?? []).entries()) same(written.replace(/^.*: /, ''), own[chart][row], `${chart}, row ${row + 1}`);
  }
  expect(charts.weights.map((said) => Number(said.match(/: (\d+) of/)[1]))).toEqual(own.histogram);
}

test('Python measures the same', async ({ page }) => {
  test.slow();
  const said = [];
  for (const [name, settings] of CASES) await test.step(`read: ${name}`, async () => said.push(await read(page, settings)));
  const found = await measured(said.map(({ program }) => program));
  for (const [at, [name, settings, columns]] of CASES.entries()) {
    await test.step(name, () => expectMeasured(said[at], settings, columns, found[at]));
  }
});
