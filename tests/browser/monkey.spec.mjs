// 2,000 random things that a person could do. After each: nothing has stopped, the console is clean, rows sum to 1 and the picture
// belongs to the state. In the end the heap is as it was. MONKEY_SEED and MONKEY_ACTIONS choose another run.

import { expect, openPage, test } from './fixture.mjs';
import { act, random } from './helpers-monkey.mjs';
import { computed, isSettled, link, meant } from './helpers.mjs';
import { memory } from './memory.mjs';

const SEED = Number(process.env.MONKEY_SEED ?? 20261121);
const ACTIONS = Number(process.env.MONKEY_ACTIONS ?? 2000);
/** Runs side by side, each with a share of the actions, to use both cores. */
const RUNS = 2;

// Whatever waits for longer than a person would has found something.
test.use({ actionTimeout: 10_000 });

/** Everything that is looked at after each action, read at once. */
const look = (page) => page.evaluate(() => {
  const clipped = (part) => part.parentElement && (getComputedStyle(part.parentElement).overflowX !== 'visible' || clipped(part.parentElement));
  const { rows, columns, run } = document.querySelector('#map').dataset;
  const table = document.querySelector('#as-table table');
  const failure = document.querySelector('[data-failure]');
  const controls = {};
  for (const field of document.querySelectorAll('#text, #second, input.number, input[type="checkbox"], input[type="radio"]:checked')) {
    // What is being typed may not be a value yet.
    if (field !== document.activeElement && field.name !== 'mask') controls[field.id || field.name] = field.type === 'checkbox' ? String(Number(field.checked)) : field.value;
  }
  controls.mask = [...document.querySelectorAll('input[name="mask"]:checked')].map((box) => box.value).join(',');
  controls.positions = document.querySelector('#positions').value;
  controls.open = [...document.querySelectorAll('.panel-body:not([hidden])')].map((body) => body.id.replace('-body', '')).join(',') || 'none';
  return {
    run,
    address: location.hash.slice(1),
    size: [Number(rows), Number(columns)],
    controls,
    head: document.querySelector('#all-heads button[aria-pressed="true"]')?.dataset.head,
    lines: table && [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
    stopped: failure.hidden ? '' : failure.querySelector('[data-failure-cause]').textContent || 'stopped',
    hasNotices: document.querySelector('#notices li') !== null,
    widths: [document.documentElement.scrollWidth, document.documentElement.clientWidth],
    outside: [...document.querySelectorAll('.page *')]
      .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !clipped(part))
      .map((part) => `${part.localName}#${part.id}.${part.getAttribute('class') ?? ''}`),
  };
});

/** Which setting stands in which control. */
const CONTROLS = { text: 'text', source: 'second', seed: 'seed', d_model: 'd-model-number', d_k: 'd-k-number', heads: 'heads-number', kv_heads: 'kv-heads-number', valid: 'valid-number', window: 'window-number', stride: 'stride-number', first: 'first-number', mask: 'mask', hiding: 'hiding', scoring: 'scoring', linformer: 'linformer', projected: 'projected-number', temperature: 'temperature-number', weights: 'origin', scaled: 'scaled', positions: 'positions', scale: 'scale', open: 'open' };

/** What the numbers themselves get wrong; rows sum to 1 where they are weights that nothing was taken from. */
function faultsOf(lines, [rows, columns], { step, hiding }) {
  const areWhole = step === 'weights' && hiding !== 'after';
  if (!lines) return [];
  const found = lines.length === rows && lines.every((line) => line.length === columns) ? [] : ['table and map differ in size'];
  for (const [at, line] of lines.entries()) {
    const visible = line.filter((cell) => /^\d/.test(cell)).map(Number);
    const sum = visible.reduce((sum, cell) => sum + cell, 0);
    if (areWhole && visible.length && !(Math.abs(sum - 1) < 0.0005 * visible.length + 1e-6)) found.push(`row ${at + 1} sums to ${sum}`);
    if (line.some((cell) => /NaN|∞|undefined/.test(cell))) found.push(`row ${at + 1} holds ${line}`);
  }
  return found;
}

/** What is wrong with the page as it stands, as words; nothing where all is well. `refused` holds addresses that were not taken as they are. */
function faults({ run, address, size, controls, head, lines, stopped, widths, outside }, refused) {
  if (stopped) return [`stopped: ${stopped}`];
  if (run === undefined) return ['no picture'];
  const settings = { scale: 'linear', ...meant(run) };
  const found = faultsOf(lines, size, settings);
  for (const [setting, control] of Object.entries(CONTROLS)) {
    const [is, says] = [settings[setting], controls[control]];
    if (is !== undefined && says !== undefined && is !== says) found.push(`the picture has ${setting}=${is}, its control says ${says}`);
  }
  if (head !== undefined && Number(head) + 1 !== Number(settings.head)) found.push(`the picture shows head ${settings.head}, thumbnail ${head} is pressed`);
  if (computed(run) !== computed(address) && !refused.has(address)) found.push(`the picture is ${run}, the address ${address}`);
  if (widths[0] > widths[1]) found.push(`${widths[0]} px wide in a window of ${widths[1]}: ${outside.slice(0, 8).join(' ')} at ${address}`);
  return found;
}

const openTable = (page) => page.locator('#as-table').evaluate((details) => void (details.open = true));

/** The page as on a first visit, after a run larger than any of the monkey's with every panel open: WebAssembly memory grows to what the
 * largest needs, and a panel keeps the nodes that it once made. */
async function rest(page) {
  await page.setViewportSize({ width: 1280, height: 900 });
  const open = 'steps,curves,streaming,compare,analysis,cost';
  const large = link({ text: 'large '.repeat(500).trim(), weights: 'random', heads: '16', against: 'mask=causal', open });
  for (const fragment of [large, link({ heads: '8', against: 'mask=causal', open }), 'v=1']) {
    await page.evaluate((fragment) => void (location.hash = fragment), fragment);
    await expect.poll(() => isSettled(page), { timeout: 30_000 }).toBe(true);
    await page.waitForTimeout(1000);
  }
}

for (let run = 0; run < RUNS; run++) {
  test(`a monkey finds nothing, run ${run + 1}`, async ({ page, quiet }) => {
    test.setTimeout(15 * 60_000);
    const seed = SEED + run;
    console.log(`monkey run ${run + 1}: MONKEY_SEED=${seed}`);
    const [r, log, refused] = [random(seed), [], new Set()];
    await openPage(page);
    await openTable(page);
    let early;
    for (let count = 1; count <= ACTIONS / RUNS; count++) {
      log.push(await act(page, r));
      if (log.at(-1).startsWith('reload')) await openTable(page);
      const context = () => `after action ${count} with MONKEY_SEED=${seed}; the last ones: ${log.slice(-8).join(' | ')}`;
      await expect(async () => {
        const seen = await look(page);
        if (seen.hasNotices && /^(link|back|forward|reload)/.test(log.at(-1))) refused.add(seen.address);
        expect(faults(seen, refused), context()).toEqual([]);
      }).toPass({ intervals: [2, 5, 20, 50, 100, 200], timeout: 10_000 });
      expect(quiet.problems(), context()).toEqual([]);
      if (count === Math.floor(ACTIONS / RUNS / 5)) {
        await rest(page);
        early = await memory(page);
      }
    }
    await rest(page);
    const late = await memory(page);
    console.log(`monkey run ${run + 1}: ${JSON.stringify(early)} → ${JSON.stringify(late)}`);
    expect(late.javascript, 'bytes of JavaScript after collection').toBeLessThan(1.15 * early.javascript + 200_000);
    expect(late.nodes, 'nodes after collection').toBeLessThan(1.15 * early.nodes + 300);
    expect(late.wasm, 'bytes of WebAssembly memory').toBeLessThan(1.25 * early.wasm);
  });
}
