// The badge tells the truth about the run on screen, and its panel says why, lets choose, and compares. What the worker says of
// WebGPU is put into its mouth here, so that every reason is seen on every machine; the first tests leave it alone.

import { violations } from './axe.mjs';
import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { absent, badge, because, CARD, COMPARISON, openPanel, say, standIn } from './helpers-backend.mjs';
import { address, choose, drag, expectShown, link, named, picture } from './helpers.mjs';
import { withPicture } from './pictures.mjs';
import { difference, plot } from './helpers-pixels.mjs';

const ON_CARD = { name: 'WebGPU', beside: 'Example Graphics 7', backend: 'webgpu', reason: undefined };

const sentence = (page) => page.locator('#backend-sentence');
const notices = (page) => page.locator('#notices li');

test('without an adapter the processor computes, and the panel says why', async ({ page }) => {
  await openPage(page);
  await idle(page);
  expect((await badge(page)).reason).toMatch(/^no_(webgpu|adapter)$/);
  expect(await badge(page)).toMatchObject({ name: 'CPU', backend: 'cpu' });
  expect(await picture(page)).toMatchObject({ backend: 'cpu' });
  await openPanel(page);
  await expect(sentence(page)).toHaveText(/^Your processor computed this picture\. (This browser has no WebGPU|The browser has WebGPU, but)/);
  await expect(page.locator('#backend-adapter')).toHaveText('none');
  await expect(page.locator('#compare')).toBeDisabled();
  await expect(page.locator('#compare-note')).not.toBeEmpty();
});

test('where there is no graphics card it can be chosen all the same, and the processor computes', async ({ page }) => {
  await openPage(page);
  const before = await plot(page);
  await openPanel(page);
  await choose(page, 'backend', 'webgpu');
  await expectShown(page, { backend: 'webgpu' });
  await expect(page.locator('input[name="backend"][value="webgpu"]')).toBeChecked();
  await idle(page);
  expect((await badge(page)).reason).toMatch(/^no_(webgpu|adapter)$/);
  expect(difference(before, await plot(page))).toBe(0);
  expect(named(await address(page)).backend).toBe('webgpu');
  await choose(page, 'backend', 'cpu');
  await expectShown(page, { backend: 'cpu' });
  await idle(page);
  expect((await badge(page)).reason).toBe('chosen');
  await choose(page, 'backend', 'auto');
  await idle(page);
  expect(await address(page), 'a default is left out').toBe('v=1');
  await idle(page);
});

isolated('on WebGPU the badge names the adapter, and both can be compared', async ({ page }) => {
  await standIn(page, CARD);
  await openPage(page);
  expect(await badge(page)).toEqual(ON_CARD);
  expect(await picture(page)).toMatchObject({ backend: 'webgpu' });
  await openPanel(page);
  await expect(sentence(page)).toHaveText('Your graphics card computed this picture, through WebGPU.');
  await expect(page.locator('#comparison')).toBeHidden();
  await page.locator('#compare').click();
  await expect(page.locator('#comparison-verdict')).toHaveText('The largest difference between weights is 2.4×10⁻⁷, within the promised 10⁻⁴.');
  const cells = await page.locator('#comparison tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  expect(cells).toEqual([
    ['head 1: it → animal', 'weight', 'time'],
    ['processor', '0.65301210', '1.52\u202fms'],
    ['graphics card', '0.65301228', '212\u202fms'],
  ]);
  await expect(page.locator('#compare')).toBeFocused();
});

isolated('a comparison goes with its picture, and one beyond the promise stands out', async ({ page }) => {
  await standIn(page, { ...CARD, comparison: { ...COMPARISON, difference: 0.033, webgpu: 0.62 } });
  await openPage(page);
  await openPanel(page);
  await page.locator('#compare').click();
  await expect(page.locator('#comparison-verdict')).toContainText('0.033, more than the promised');
  await expect(page.locator('#comparison')).toHaveAttribute('data-beyond', '');
  await choose(page, 'backend', 'webgpu');
  await expectShown(page, { backend: 'webgpu' });
  await expect(page.locator('#comparison'), 'the same numbers elsewhere').toBeVisible();
  await page.evaluate(() => void (location.hash = 'v=1&d_k=8'));
  await expectShown(page, { d_k: '8' });
  await expect(page.locator('#comparison')).toBeHidden();
});

isolated('a comparison that fails says so, and can be asked for again', async ({ page }) => {
  await standIn(page, { ...CARD, error: { code: 'backend_unavailable', message: 'the graphics device was lost', field: 'backend', value: '"webgpu"' } });
  await openPage(page);
  await openPanel(page);
  await page.locator('#compare').click();
  await expect(page.locator('#compare-note')).toContainText('the graphics device was lost');
  await say(page, { error: null });
  await page.locator('#compare').click();
  await expect(page.locator('#comparison')).toBeVisible();
});

/** Opens a page that waits for WebGPU, and so is not idle, and waits for its first picture and for the worker, which alone knows of WebGPU. */
async function openWhileChecking(page) {
  await openPage(page, '', { map: false });
  await page.evaluate(() => attentionPlayground.ready);
  await expect(page.locator('#map')).toHaveAttribute('data-step', 'weights');
  await expect(page.locator(':root')).not.toHaveAttribute('data-idle');
}

isolated('when WebGPU is ready after the first picture, the picture is computed there', async ({ page }) => {
  const checking = because('checking');
  await standIn(page, { status: { ...CARD.status, state: 'checking', adapter: null }, ran: { backend: 'cpu', adapter: null, reason: checking } });
  await openWhileChecking(page);
  expect(await badge(page)).toMatchObject({ name: 'CPU', reason: 'checking' });
  await say(page, CARD);
  await idle(page);
  expect(await badge(page)).toEqual(ON_CARD);
  await expect(notices(page), 'nothing was lost, so nothing is told').toHaveCount(0);
});

isolated('when WebGPU turns out to be missing, nothing is computed twice', async ({ page }) => {
  await standIn(page, { status: { ...CARD.status, state: 'checking', adapter: null }, ran: { backend: 'cpu', adapter: null, reason: because('checking') } });
  await openWhileChecking(page);
  const before = await page.evaluate(() => globalThis.asked.page);
  await say(page, { status: absent('no_adapter').status });
  await idle(page);
  expect((await badge(page)).reason).toBe('no_adapter');
  expect(await page.evaluate(() => globalThis.asked.page)).toBe(before);
});

isolated('a run that was under way when the check ended is brought up to date', async ({ page }) => {
  const checking = { backend: 'cpu', adapter: null, reason: because('checking') };
  await standIn(page, { status: CARD.status, ran: checking });
  // Long enough for the worker: a short first run is the window's.
  await openPage(page, link({ text: 'word '.repeat(150) }));
  expect(await page.evaluate(() => globalThis.asked.page), 'asked again, once').toBe(2);
  await say(page, { status: absent('no_adapter').status });
  await idle(page);
  expect((await badge(page)).reason).toBe('no_adapter');
  await page.locator('#new-seed').click();
  await idle(page);
  expect((await badge(page)).reason, 'what is known by now').toBe('no_adapter');
});

const LOST = because('lost', { detail: 'Device was destroyed.' });
const lost = { status: { ...CARD.status, state: 'lost', reason: LOST }, ran: { backend: 'cpu', adapter: null, reason: LOST } };

for (const [width, height] of subset([[1280, 900], [390, 844]], (_, at) => at === 1)) {
  isolated(`a lost device is told once, moves nothing, and stays told while a slider moves: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await standIn(page, CARD);
    await openPage(page);
    const [before, box, opened] = [await plot(page), await page.locator('#map').boundingBox(), await address(page)];
    await say(page, lost);
    await expect(notices(page)).toHaveCount(1);
    await expect(notices(page)).toContainText('The graphics card was lost.');
    await expect.poll(() => badge(page)).toMatchObject({ name: 'CPU', backend: 'cpu', reason: 'lost' });
    expect(difference(before, await plot(page)), 'the picture stays').toBe(0);
    expect(await page.locator('#map').boundingBox(), 'and where it is').toEqual(box);
    expect(await address(page)).toBe(opened);
    // While the device is to come back, the page is not idle.
    await withPicture(page, () => drag(page, 'd-k', 0.9));
    await expect(notices(page)).toHaveCount(1);
    for (let fault = 0; fault < 5; fault++) {
      await say(page, CARD);
      await expect(notices(page)).toHaveText(/is back/);
      await say(page, lost);
      await expect(notices(page)).toHaveText(/was lost/);
    }
    await expect(notices(page), 'they do not pile up').toHaveCount(1);
    const own = await notices(page).boundingBox();
    expect(own.x >= 0 && own.x + own.width <= width && own.y + own.height <= height).toBe(true);
    await notices(page).locator('button').click();
    await expect(notices(page)).toHaveCount(0);
    await withPicture(page, () => drag(page, 'd-k', 0.1));
    await expect(notices(page), 'what was dismissed stays away').toHaveCount(0);
  });
}

isolated('another language changes what is told of the device, on badge, panel and notice', async ({ page }) => {
  await standIn(page, CARD);
  await openPage(page);
  await say(page, lost);
  await expect(notices(page)).toHaveCount(1);
  await choose(page, 'language', 'zh');
  await expect(notices(page)).toHaveText(/^与显卡失去了连接/);
  await openPanel(page);
  await expect(sentence(page)).toHaveText(/^这张图由你的处理器算出。/);
  await choose(page, 'language', 'en');
  await expect(notices(page)).toHaveText(/^The graphics card was lost\./);
});

isolated('the panel with the keyboard alone', async ({ page }) => {
  await standIn(page, CARD);
  await openPage(page);
  await page.locator('#open-menu').focus();
  await page.keyboard.press('Enter');
  for (const id of ['en', 'backend']) {
    await page.keyboard.press('Tab');
    await expect(page.locator(`#page-menu :is([value="${id}"], #${id})`)).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.locator('#backend-panel')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.locator('input[name="backend"][value="auto"]')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expectShown(page, { backend: 'cpu' });
  await page.keyboard.press('Tab');
  await expect(page.locator('#compare')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#comparison')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#backend-panel')).toBeHidden();
  await expect(page.locator('#backend')).toBeFocused();
});

test('a click beside the panel closes it', async ({ page }) => {
  await openPage(page);
  await openPanel(page);
  await page.mouse.click(20, 500);
  await expect(page.locator('#backend-panel')).toBeHidden();
});

const LONG = 'ANGLE (Vendor Corporation, A Rather Long Adapter Name Super 16 GB, Vulkan 1.4.303)';
/** Axe looks at one that is light and one that is dark: its rules depend on nothing else that differs here. All are in `./dev soak`. */
const LOOKS = [
  { width: 1280, said: CARD, isForAxe: true },
  { width: 1280, fragment: link({ theme: 'dark' }), said: absent('probe_failed', { difference: 0.031, allowed: 1e-4 }) },
  { width: 768, said: { status: { ...CARD.status, adapter: LONG }, ran: { ...CARD.ran, adapter: LONG } } },
  { width: 390, fragment: link({ lang: 'zh', theme: 'dark' }), said: CARD, isForAxe: true },
  { width: 390, said: absent('insecure') },
  { width: 320, said: absent('no_device', { detail: 'x'.repeat(400) }) },
];

for (const [at, { width, fragment, said, isForAxe }] of subset([...LOOKS.entries()], ([at]) => [3, 5].includes(at))) {
  isolated(`the open panel fits and pushes nothing${isForAxe ? ', and axe finds nothing' : ''}: ${width} px, ${at + 1}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await standIn(page, said);
    await openPage(page, fragment);
    const box = await page.locator('#map').boundingBox();
    const head = await page.locator('.head').evaluate((head) => head.scrollWidth - head.clientWidth);
    expect(head, 'nothing sticks out of the header').toBeLessThanOrEqual(0);
    await openPanel(page);
    if (said === CARD) await page.locator('#compare').click();
    if (said === CARD) await expect(page.locator('#comparison')).toBeVisible();
    expect(await page.locator('#map').boundingBox()).toEqual(box);
    const panel = await page.locator('#backend-panel').evaluate((panel) => {
      const { left, right, bottom } = panel.getBoundingClientRect();
      return { left, right, bottom, hides: panel.scrollWidth - panel.clientWidth, page: document.documentElement.scrollWidth };
    });
    expect(panel.left).toBeGreaterThanOrEqual(0);
    expect(panel.right).toBeLessThanOrEqual(width);
    expect(panel.bottom).toBeLessThanOrEqual(844);
    expect(panel.hides).toBeLessThanOrEqual(0);
    expect(panel.page).toBeLessThanOrEqual(width);
    if (isForAxe) expect(await violations(page)).toEqual([]);
  });
}

test('the panel stays at its badge when the window changes', async ({ page }) => {
  await openPage(page);
  await openPanel(page);
  await page.setViewportSize({ width: 420, height: 800 });
  const gap = () => page.evaluate(() => {
    const [badge, panel] = ['backend', 'backend-panel'].map((id) => document.getElementById(id).getBoundingClientRect());
    return [panel.top - badge.bottom, panel.left, innerWidth - panel.right].map(Math.round);
  });
  // As wide as it is everywhere, from the left margin on: its badge is too near to it for the panel to end there.
  await idle(page);
  expect(await gap()).toEqual([4, 16, 420 - 16 - 344]);
});

isolated('while a slider moves, badge and panel are left alone', async ({ page }) => {
  await standIn(page, CARD);
  await openPage(page);
  await page.evaluate(() => {
    globalThis.changes = 0;
    const count = new MutationObserver((records) => (globalThis.changes += records.length));
    for (const id of ['backend', 'backend-panel']) count.observe(document.getElementById(id), { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await drag(page, 'd-k', 0.9);
  await drag(page, 'heads', 0.3);
  await idle(page);
  expect(await page.evaluate(() => globalThis.changes)).toBe(0);
});
