// 2,000 random things that a person could do. After each: nothing has stopped, the console is clean, rows sum to 1 and the picture
// belongs to the state. In the end the heap is as it was. MONKEY_SEED and MONKEY_ACTIONS choose another run.

import { expect, openPage, test } from './fixture.mjs';
import { act, random } from './helpers-monkey.mjs';
import { isSettled } from './helpers.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261121);
const ACTIONS = Number(process.env.MONKEY_ACTIONS ?? 2000);
/** Runs side by side, each with a share of the actions, to use both cores. */
const RUNS = 2;

/** What is wrong with the page as it stands, as words; nothing where all is well. */
const faults = (page) => page.evaluate(() => {
  const found = [];
  if (!document.querySelector('[data-failure]').hidden) found.push(`stopped: ${document.querySelector('[data-failure-cause]').textContent}`);
  const { rows, columns, run } = document.querySelector('#map').dataset;
  if (run === undefined) found.push('no picture');
  const table = document.querySelector('#as-table table');
  const lines = table ? [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)) : [];
  if (table && (lines.length !== Number(rows) || (lines[0]?.length ?? Number(columns)) !== Number(columns))) found.push('table and map differ in size');
  for (const [at, line] of lines.entries()) {
    const visible = line.filter((cell) => /^\d/.test(cell)).map(Number);
    const sum = visible.reduce((sum, cell) => sum + cell, 0);
    if (visible.length && Math.abs(sum - 1) > 0.0005 * visible.length + 1e-6) found.push(`row ${at + 1} sums to ${sum}`);
    if (line.some((cell) => /NaN|∞|undefined/.test(cell))) found.push(`row ${at + 1} holds ${line}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth} px wide in a window of ${clientWidth}`);
  return found;
});

/** A link that was damaged stays in the address as it is, and notes say what was left out. */
const isRefused = (page) => page.evaluate(() => document.querySelectorAll('#notices li').length > 0);

/** Bytes in use after collection: objects of JavaScript, and WebAssembly memory of page and worker as far as it can be seen. */
async function heap(page) {
  const session = await page.context().newCDPSession(page);
  for (let pass = 0; pass < 3; pass++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { usedSize, nodes };
}

const openTable = (page) => page.locator('#as-table').evaluate((details) => void (details.open = true));

/** The page as on a first visit, everything on it used once, so that what is made only once is there. */
async function rest(page) {
  await page.evaluate(() => void (location.hash = 'v=1'));
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect.poll(() => isSettled(page)).toBe(true);
  await page.waitForTimeout(300);
}

for (let run = 0; run < RUNS; run++) {
  test(`a monkey finds nothing, run ${run + 1}`, async ({ page, quiet }) => {
    test.setTimeout(15 * 60_000);
    const seed = SEED + run;
    console.log(`monkey run ${run + 1}: MONKEY_SEED=${seed}`);
    const [r, log] = [random(seed), []];
    await openPage(page);
    await openTable(page);
    let early;
    for (let count = 1; count <= ACTIONS / RUNS; count++) {
      log.push(await act(page, r));
      if (log.at(-1) === 'reload') await openTable(page);
      const context = () => `after action ${count} with MONKEY_SEED=${seed}; the last ones: ${log.slice(-8).join(' | ')}`;
      await expect(async () => {
        expect(await isSettled(page) || await isRefused(page), `the picture belongs to the state ${context()}`).toBe(true);
        expect(await faults(page), context()).toEqual([]);
      }).toPass({ intervals: [5, 20, 50, 100, 200], timeout: 10_000 });
      expect(quiet.problems(), context()).toEqual([]);
      if (count === Math.floor(ACTIONS / RUNS / 5)) {
        await rest(page);
        early = await heap(page);
      }
    }
    await rest(page);
    const late = await heap(page);
    console.log(`monkey run ${run + 1}: heap ${early.usedSize} → ${late.usedSize} bytes, nodes ${early.nodes} → ${late.nodes}`);
    expect(late.usedSize, 'bytes after collection').toBeLessThan(1.15 * early.usedSize + 200_000);
    expect(late.nodes, 'nodes after collection').toBeLessThan(1.15 * early.nodes + 200);
  });
}
