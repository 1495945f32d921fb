// How a number came about: the same numbers as the compute API's, and a way to each number that went into them.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, expectShown, link, named, shown } from './helpers.mjs';
import { outputWeights, request } from './helpers-seeded.mjs';

const TOKENS = ['one', 'small', 'dog', 'saw', 'the', 'other'];
const SETTINGS = {
  weights: 'random', text: TOKENS.join(' '), heads: '2', d_k: '8', d_model: '16', head: '2', mask: 'causal', positions: 'sinusoidal',
};
const HEAD = 1;

/** A number as the page writes it exactly: "−0.618034", "1.23457×10⁻⁸". */
function number(written) {
  const [mantissa, power = ''] = written.replace('−', '-').split('×10');
  const exponent = [...power].map((sign) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(sign) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign) : '-')).join('');
  return Number(mantissa) * 10 ** Number(exponent || 0);
}

const value = async (page) => number(await page.locator('#inspector-cell .value').textContent());

/** The terms that are shown: the numbers of each line, last the term itself. */
const terms = (page) => page.locator('#inspector-body tbody tr').evaluateAll((rows) =>
  rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

const sum = async (page) => number(await page.locator('#inspector-body tfoot tr:last-child td').textContent());

/** Opens another step and cell of the page that is open. */
async function go(page, step, row, column, settings = SETTINGS) {
  const fragment = link({ ...settings, step, cell: `${row + 1},${column + 1}` });
  await page.evaluate((fragment) => { location.hash = fragment; }, fragment);
  await expectShown(page, { step, cell: `${row + 1},${column + 1}` });
  await expect(page.locator('#map')).toHaveAttribute('data-step', step);
  await expect(page.locator('#inspector')).toBeVisible();
}

/** Six digits are shown of a number. */
const close = (found, wanted, what) => expect(Math.abs(found - wanted), `${what}: ${found} for ${wanted}`).toBeLessThan(2e-6 + 1e-5 * Math.abs(wanted));

/** Everything that the compute API gives, asked from within the page, as a function of name and indices. */
async function trace(page) {
  const settings = await shown(page);
  const asked = { ...request(settings, TOKENS, TOKENS), want: ['q', 'k', 'v', 'scores', 'weights', 'context', 'output'] };
  asked.weights.w_o = outputWeights(settings);
  const tensors = await page.evaluate(async (asked) => {
    await attentionPlayground.ready;
    const found = await attentionPlayground.compute(asked);
    return Object.fromEntries(asked.want.map((name) => [name, { shape: found[name].shape, data: [...found[name].data] }]));
  }, asked);
  return (name, ...place) => {
    const { shape, data } = tensors[name];
    return data[place.reduce((at, index, axis) => at * shape[axis] + index, 0)];
  };
}

/** Settings, and which step's cell is which number of a trace: of the head, or for the output of all. */
const CASES = {
  'causal, with positions added': [{}, [
    ['q', 'q', 3, 5], ['k', 'k', 0, 7], ['v', 'v', 5, 2], ['scaled', 'scores', 4, 1], ['weights', 'weights', 4, 2], ['context', 'context', 5, 6],
    ['output', 'output', 2, 11],
  ]],
  'turned by positions': [{ positions: 'rotary' }, [['q_rotated', 'q', 3, 5], ['k_rotated', 'k', 5, 2], ['weights', 'weights', 5, 4]]],
  'ALiBi': [{ positions: 'alibi' }, [['biased', 'scores', 5, 1], ['weights', 'weights', 5, 1]]],
  'ALiBi on additive scores': [{ positions: 'alibi', scoring: 'additive' }, [['biased', 'scores', 5, 1], ['weights', 'weights', 5, 1]]],
  'additive, at another temperature': [{ scoring: 'additive', temperature: '2.5' }, [['scores', 'scores', 4, 1], ['weights', 'weights', 4, 1]]],
  'Linformer': [{ linformer: '1', projected: '3', mask: 'none' }, [['weights', 'weights', 3, 2], ['context', 'context', 3, 6]]],
  'overwritten': [{ hiding: 'written' }, [['weights', 'weights', 1, 4], ['weights', 'weights', 5, 4]]],
  'masked too late': [{ hiding: 'after' }, [['weights', 'weights', 1, 4], ['weights', 'weights', 3, 1]]],
};

for (const [name, [settings, cells]] of Object.entries(CASES)) {
  test(`the numbers in the cell inspector equal those of the compute API: ${name}`, async ({ page }) => {
    const all = { ...SETTINGS, ...settings };
    await openPage(page, link({ ...all, step: cells[0][0], cell: '1,1' }));
    const api = await trace(page);
    for (const [step, tensor, row, column] of cells) {
      await go(page, step, row, column, all);
      const wanted = tensor === 'output' ? api(tensor, row, column) : api(tensor, HEAD, row, column);
      await idle(page);
      close(await value(page), wanted, step);
    }
  });
}

isolated('what a number was made of are the numbers of the compute API, and they make it', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2' }));
  const api = await trace(page);
  await expect(page.locator('#inspector-body tbody tr')).toHaveCount(8);
  const columns = await page.locator('#inspector-body tbody th').allTextContents();
  for (const [at, [q, k, product]] of (await terms(page)).entries()) {
    const column = Number(columns[at]) - 1;
    close(number(q), api('q', HEAD, 4, column), `q, column ${column}`);
    close(number(k), api('k', HEAD, 1, column), `k, column ${column}`);
    close(number(product), number(q) * number(k), `product ${column}`);
  }
  close(await sum(page), await value(page), 'the sum of all products');
  close((await sum(page)) / Math.sqrt(8), api('scores', HEAD, 4, 1), 'the scaled score');

  await go(page, 'context', 5, 6);
  const weighted = await terms(page);
  expect(weighted).toHaveLength(TOKENS.length);
  const whole = weighted.reduce((sum, [a, v]) => sum + number(a) * number(v), 0);
  close(whole, api('context', HEAD, 5, 6), 'rows of V, each times its weight');

  await go(page, 'weights', 4, 2);
  const exponentials = await terms(page);
  expect(exponentials, 'a causal row sees itself and what stands before it').toHaveLength(5);
  const largest = Math.max(...exponentials.map(([score]) => number(score)));
  const total = exponentials.reduce((sum, [score]) => sum + Math.exp(number(score) - largest), 0);
  close(await sum(page), total, 'the sum of exponentials');
  close(Math.exp(api('scores', HEAD, 4, 2) - largest) / total, await value(page), 'the quotient');
});

test('what is left over is counted, and the sum is complete', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'q', cell: '2,3' }));
  await expect(page.locator('#inspector-body tbody tr')).toHaveCount(8);
  const rest = page.locator('#inspector-body tfoot tr:first-child');
  await expect(rest).toContainText('8 more');
  const shownTerms = (await terms(page)).map((cells) => number(cells.at(-1)));
  const sizes = shownTerms.map(Math.abs);
  expect(sizes, 'the largest come first').toEqual([...sizes].sort((a, b) => b - a));
  const whole = shownTerms.reduce((a, b) => a + b, 0) + number(await rest.locator('td').textContent());
  close(whole, await sum(page), 'shown and left over');
  close(await sum(page), await value(page), 'the sum and the number');
});

test('every term can be shown, in its order, by pointer and by keyboard', async ({ page }) => {
  const unfold = page.locator('#inspector-body [data-unfold]');
  const names = () => page.locator('#inspector-body tbody th').allTextContents();
  await openPage(page, link({ ...SETTINGS, d_k: '32', step: 'scores', cell: '5,2' }));
  const [all, some] = [await unfold.textContent(), await names()];
  expect(all).toBe('show all 32');
  expect(some).toHaveLength(8);
  await unfold.click();
  await idle(page);
  expect(await names()).toEqual(Array.from({ length: 32 }, (_, at) => String(at + 1)));
  await expect(unfold).toHaveAttribute('aria-expanded', 'true');
  const products = (await terms(page)).map(([q, k]) => number(q) * number(k));
  close(products.reduce((a, b) => a + b, 0), await value(page), 'all products');
  await expect(unfold, 'the focus has not gone with the button').toBeFocused();
  await page.keyboard.press('Enter');
  await idle(page);
  expect(await names()).toEqual(some);
  await expect(unfold).toBeFocused();
  await page.keyboard.press('Enter');
  await idle(page);
  expect((await names()).length).toBe(32);
  await page.locator('#map').focus();
  await page.keyboard.press('ArrowRight');
  await idle(page);
  expect((await names()).length, 'another cell begins with the largest').toBe(8);
});

test('the cells that a number came from are seen beside it, and those of a term that is pointed at', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2', open: 'none' }));
  const pixels = async (step) => (await readCanvas(page.locator(`.source[data-of="${step}"] canvas`))).data.toString('base64');
  const sources = () => page.locator('.source').evaluateAll((all) => all.map(({ dataset }) => dataset.of));
  expect(await sources()).toEqual(['q', 'k']);
  await expect(page.locator('.source').first()).toBeInViewport();
  const [q, k] = [await pixels('q'), await pixels('k')];
  const [query, key] = ['q', 'k'].map((step) => page.locator(`#inspector-body tbody button[data-step="${step}"]`).first());
  await query.hover();
  await idle(page);
  expect(await pixels('q')).not.toBe(q);
  const one = await pixels('q');
  await key.focus();
  await idle(page);
  expect(await pixels('k')).not.toBe(k);
  await page.locator('#inspector-body tbody th').nth(1).hover();
  await idle(page);
  expect(await pixels('q'), 'a line lights both of its numbers').not.toBe(one);
  await page.mouse.move(0, 0);
  await page.locator('#text').focus();
  await idle(page);
  expect(await pixels('q')).toBe(q);
  expect(await pixels('k')).toBe(k);
  await go(page, 'weights', 4, 2);
  await idle(page);
  expect(await sources()).toEqual(['masked']);
  await go(page, 'q', 1, 2);
  await idle(page);
  expect(await sources()).toEqual(['input', 'positions']);
  await go(page, 'input', 1, 2);
  await idle(page);
  expect(await sources()).toEqual([]);
});

test('a number leads to where it stands, by pointer and by keyboard', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2' }));
  const first = page.locator('#inspector-body tbody tr').first().locator('button');
  const [written, column] = [await first.nth(1).textContent(), await first.nth(1).getAttribute('data-column')];
  await first.nth(1).click();
  await idle(page);
  expect(named(await address(page))).toMatchObject({ step: 'k', cell: `2,${Number(column) + 1}` });
  await expect(page.locator('#inspector-cell .value')).toHaveText(written);
  await expect(page.locator('#inspector'), 'the focus has not gone with the button').toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.locator('#inspector-close')).toBeFocused();
  await page.keyboard.press('Tab');
  const place = await page.evaluate(() => ({ ...document.activeElement.dataset }));
  await page.keyboard.press('Enter');
  const wanted = { step: place.step, cell: `${Number(place.row) + 1},${Number(place.column) + 1}` };
  await idle(page);
  expect(named(await address(page))).toMatchObject(wanted);
  await expect(page.locator('#inspector')).toBeFocused();

  await page.locator('#inspector-close').press('Enter');
  await expect(page.locator('#inspector')).toBeHidden();
  await expect(page.locator('#map')).toBeFocused();
});

test('the position that is added to a key beyond the last query leads to its row of the encoding', async ({ page }) => {
  const words = ['we', 'saw'];
  const other = ['one', 'small', 'dog', 'there', 'again'];
  const settings = { ...SETTINGS, text: words.join(' '), source: other.join(' '), mask: 'none', open: 'steps' };
  await openPage(page, link({ ...settings, step: 'k', cell: '4,3' }));
  await expect(page.locator('#steps-strip [data-step="positions"] .shape')).toHaveText(/^5 × 16\s*max\(n, m\)/);
  const added = page.locator('#inspector-body tbody button[data-step="positions"]').first();
  await expect(page.locator('#inspector-cell .is-key-text').first(), 'a key has its hue').toHaveText('there');
  const [written, column] = [await added.textContent(), Number(await added.getAttribute('data-column'))];
  await added.click();
  await idle(page);
  expect(named(await address(page))).toMatchObject({ step: 'positions', cell: `4,${column + 1}` });
  await expect(page.locator('#inspector-cell .value')).toHaveText(written);
  const angle = 3 / 10_000 ** ((column - column % 2) / 16);
  close(await value(page), column % 2 ? Math.cos(angle) : Math.sin(angle), 'the encoding of the fourth position');
  await expect(page.locator('#inspector-cell span').first()).toHaveText('4 – / there');

  await page.locator('#as-table').evaluate((details) => void (details.open = true));
  await expect(page.locator('#as-table th[scope="row"]')).toHaveText(['1 we / one', '2 saw / small', '3 – / dog', '4 – / there', '5 – / again']);
  // No query is at this position, so that the one before is still read.
  await expect(page.locator('#story')).toContainText('we');
  await go(page, 'positions', 1, 0, settings);
  await expect(page.locator('#inspector-cell span').first(), 'a position is neither').toHaveAttribute('class', '');
  await expect(page.locator('#story')).toContainText('saw');
});

test('numbers that are pointed at are lit where they stand, by pointer and by keyboard', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, step: 'scores', cell: '5,2', open: 'steps' }));
  const pixels = async (step) => (await readCanvas(page.locator(`.step[data-step="${step}"] canvas`))).data.toString('base64');
  const [q, k] = [await pixels('q'), await pixels('k')];
  const [query, key] = ['q', 'k'].map((step) => page.locator(`#inspector-body tbody button[data-step="${step}"]`).first());
  await query.hover();
  await idle(page);
  expect(await pixels('q')).not.toBe(q);
  expect(await pixels('k')).toBe(k);
  await key.focus();
  await idle(page);
  expect(await pixels('k')).not.toBe(k);
  expect(await pixels('q')).toBe(q);
  await page.locator('#text').focus();
  await idle(page);
  expect(await pixels('k')).toBe(k);
});

isolated('hidden cells say which rule hides them', async ({ page }) => {
  const masked = { ...SETTINGS, mask: 'causal,local', window: '1' };
  await openPage(page, link({ ...masked, step: 'mask', cell: '2,4' }));
  const answers = page.locator('#inspector-body dd');
  await expect(answers).toHaveText(['no', 'no']);
  await expect(page.locator('#inspector-cell .value')).toHaveText('0');
  await page.goto(`/#${link({ ...masked, step: 'mask', cell: '4,2' })}`);
  await expect(answers).toHaveText(['yes', 'no']);
  await page.goto(`/#${link({ ...masked, step: 'weights', cell: '2,4' })}`);
  await expect(page.locator('#inspector-body p').first()).toHaveText('“saw” is hidden from “small”, so it has no weight.');
});

for (const width of [1440, 390]) {
  test(`the map stays where it is when a cell is explained: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page);
    const box = () => page.locator('#map').evaluate((map) => JSON.stringify(map.getBoundingClientRect()));
    await page.locator('#map').focus();
    const before = await box();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.locator('#inspector')).toBeVisible();
    expect(await box()).toBe(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  });
}

test('an explanation is in the language of the page', async ({ page }) => {
  await openPage(page, link({ ...SETTINGS, lang: 'zh', step: 'weights', cell: '5,2' }));
  await expect(page.locator('#inspector-title')).toHaveText('这个数是怎么算出来的');
  const left = await page.locator('#inspector').evaluate((section) => {
    const texts = [...section.querySelectorAll('*')].filter((element) => !element.closest('[translate="no"], math, var'))
      .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data));
    return texts.filter((text) => /\p{Script=Latin}{2}/u.test(text) && !/\p{Script=Han}/u.test(text));
  });
  expect(left.filter((text) => !/max/.test(text))).toEqual([]);
});
