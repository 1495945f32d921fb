// The walk through the steps, the head as curves, and the softmax tile by tile.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, choose, link, named, table } from './helpers.mjs';

const step = async (page) => named(await address(page)).step ?? 'weights';

test.describe('the walk', () => {
  test('goes step by step, as far as the steps go', async ({ page }) => {
    await openPage(page, link({ step: 'input' }));
    const [previous, next, says] = ['previous', 'next', 'says'].map((part) => page.locator(`#player-${part}`));
    await expect(previous).toHaveAttribute('aria-disabled', 'true');
    await expect(says).toContainText('it');
    const seen = [await step(page)];
    for (let press = 0; press < 30 && (await next.getAttribute('aria-disabled')) === null; press++) {
      const before = await says.textContent();
      await next.press('Enter');
      await expect(says).not.toHaveText(before);
      await idle(page);
      expect(await step(page)).not.toBe(seen.at(-1));
      seen.push(await step(page));
    }
    expect(seen).toEqual(['input', 'positions', 'q', 'k', 'v', 'scores', 'scaled', 'weights', 'context', 'heads', 'output']);
    await expect(page.locator('#player-at')).toHaveText('11 / 11');
    await previous.click();
    await idle(page);
    expect(await step(page)).toBe('heads');
  });

  test('marks the row of its query in every step that has one', async ({ page }) => {
    await openPage(page, link({ step: 'scores', cell: '2', open: 'steps' }));
    const pixels = async () => {
      const found = {};
      for (const step of ['input', 'q', 'k', 'weights', 'output']) {
        found[step] = (await readCanvas(page.locator(`.step[data-step="${step}"] canvas`))).data.toString('base64');
      }
      return found;
    };
    await expect(page.locator('#player-says')).toContainText('“animal”');
    const before = await pixels();
    await page.locator('#most button').nth(4).click();
    await expect(page.locator('#player-says')).toContainText('“the”');
    // The strip may follow the sentence in a frame of its own.
    const moved = async () => {
      const after = await pixels();
      return Object.keys(before).filter((step) => before[step] !== after[step]);
    };
    await idle(page);
    expect(await moved(), 'the rows of K are keys').toEqual(['input', 'q', 'weights', 'output']);
  });

  test('goes on with the strip closed', async ({ page }) => {
    await openPage(page, link({ step: 'context', open: 'none' }));
    const [previous, next] = ['previous', 'next'].map((part) => page.locator(`#player-${part}`));
    await next.press('Enter');
    await next.press('Enter');
    await idle(page);
    expect(await step(page)).toBe('output');
    await expect(next).toHaveAttribute('aria-disabled', 'true');
    for (let press = 0; press < 3; press++) await previous.click();
    await idle(page);
    expect(await step(page)).toBe('weights');
    await expect(page.locator('#head-name')).toContainText('weights');
    await openPage(page, link({ step: 'input', open: 'none' }));
    await expect(previous).toHaveAttribute('aria-disabled', 'true');
  });

  test('without a word there is nobody to walk with, and it says so', async ({ page }) => {
    await openPage(page, link({ text: '', open: 'steps' }));
    await expect(page.locator('#player-says')).toHaveText('There are no words to compare yet: type some above.');
  });

  isolated('plays and pauses, and no timer runs while it does not play', async ({ page }) => {
    await page.addInitScript(() => {
      const [start, stop] = [setInterval, clearInterval];
      globalThis.timers = new Set();
      // Faster than for a reader, once the worker has come up, which is waited for with a timer as well.
      globalThis.setInterval = (act, pause, ...more) => { const id = start(act, pause > 500 && globalThis.walked ? 100 : pause, ...more); timers.add(id); return id; };
      globalThis.clearInterval = (id) => { timers.delete(id); stop(id); };
    });
    await openPage(page, link({ step: 'input' }));
    await page.evaluate(() => {
      const map = document.querySelector('#map');
      globalThis.walked = [];
      new MutationObserver(() => walked.push(map.dataset.step)).observe(map, { attributeFilter: ['data-step'] });
    });
    const timers = () => page.evaluate(() => globalThis.timers.size);
    const play = page.locator('#player-play');
    // From here on it knows its steps.
    await expect(page.locator('#player-says')).not.toBeEmpty();
    expect(await timers()).toBe(0);
    await play.click();
    await expect(play).toHaveText('Pause');
    await expect.poll(timers).toBe(1);
    // It does not wait for who looks on slowly.
    const walked = () => page.evaluate(() => globalThis.walked.slice(0, 2));
    await expect.poll(walked, 'the first step at once, the next by itself').toEqual(['positions', 'q']);
    await play.press('p');
    await expect(play).toHaveText('Play');
    await expect.poll(timers).toBe(0);
  });

  test('moves by hand alone where motion is reduced', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openPage(page, link({ open: 'steps,streaming' }));
    await expect(page.locator('#player-next')).toBeVisible();
    await expect(page.locator('#player-play')).toBeHidden();
    await expect(page.locator('#streaming-play')).toBeHidden();
  });
});

test.describe('curves', () => {
  const tokens = (page, side) => page.locator(`#curves-${side} button`);
  const weights = (page, side) => tokens(page, side).locator('.value').allTextContents();

  test('show the weights of the chosen row, and of the token that is pointed at', async ({ page }) => {
    await openPage(page, link({ view: 'curves' }));
    const { cells } = await table(page);
    const near = async (side, wanted) => {
      await idle(page);
      const found = (await weights(page, side)).map(Number);
      expect(found).toHaveLength(wanted.length);
      for (const [at, weight] of wanted.entries()) expect(Math.abs(found[at] - weight)).toBeLessThan(0.0056);
    };
    await near('keys', cells[7]);
    await tokens(page, 'queries').nth(2).hover();
    await expect(page.locator('#curves')).toHaveAttribute('data-isolated', '');
    await near('keys', cells[2]);
    await tokens(page, 'keys').nth(1).hover();
    await near('queries', cells.map((row) => row[1]));
    await page.mouse.move(0, 0);
    await expect(page.locator('#curves')).not.toHaveAttribute('data-isolated');
    await near('keys', cells[7]);
  });

  test('a query is chosen as the row, a key as the cell, by pointer and by keyboard', async ({ page }) => {
    // As a link said it when curves were a panel.
    await openPage(page, link({ open: 'curves', step: 'q' }));
    await expect(page.locator('#curves')).toBeVisible();
    await tokens(page, 'queries').nth(3).click();
    await idle(page);
    expect(named(await address(page)).cell).toBe('4');
    await expect(tokens(page, 'queries').nth(3)).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(tokens(page, 'queries').nth(5)).toBeFocused();
    await page.keyboard.press('Enter');
    await idle(page);
    expect(named(await address(page)).cell).toBe('6');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expect(tokens(page, 'keys').nth(10)).toBeFocused();
    await page.keyboard.press('Enter');
    await idle(page);
    expect(named(await address(page))).toMatchObject({ cell: '6,11' });
    await expect(page.locator('#inspector')).toBeVisible();
  });

  test('stand in the place of the map, and the walk leads back to it', async ({ page }) => {
    await openPage(page);
    await expect(page.locator('#map')).toBeVisible();
    await choose(page, 'view', 'curves');
    await idle(page);
    for (const gone of ['#map', '#colour-bar']) await expect(page.locator(gone)).toBeHidden();
    await expect(tokens(page, 'keys')).toHaveCount(11);
    expect(named(await address(page)).view).toBe('curves');
    await page.locator('#skip-map').press('Enter');
    await expect(tokens(page, 'queries').nth(7)).toBeFocused();
    await page.locator('#undo').click();
    await idle(page);
    await expect(page.locator('#map')).toBeVisible();
    await page.locator('input[name="view"][value="map"]').press('ArrowRight');
    await idle(page);
    await expect(page.locator('#curves')).toBeVisible();
    await page.locator('#player-next').click();
    await idle(page);
    expect(await step(page)).toBe('context');
    await expect(page.locator('#map')).toBeVisible();
    await expect(page.locator('#curves')).toBeHidden();
    await page.locator('#skip-map').press('Enter');
    await expect(page.locator('#map')).toBeFocused();
    // The map is drawn to the room that there was for the curves.
    await choose(page, 'view', 'curves');
    await page.setViewportSize({ width: 1000, height: 800 });
    await idle(page);
    await page.locator('#paint').click();
    await idle(page);
    await expect(page.locator('#map[data-painting]')).toBeVisible();
    const [map, around] = await Promise.all(['#map .picture', '#map'].map((part) => page.locator(part).boundingBox()));
    expect(map.width).toBeGreaterThan(300);
    expect(map.width).toBeLessThanOrEqual(around.width);
  });

  test('the row that is chosen beside the map is the row of the curves', async ({ page }) => {
    await openPage(page, link({ view: 'curves' }));
    await page.locator('#most button').nth(4).click();
    await expect(tokens(page, 'queries').nth(4)).toHaveAttribute('aria-pressed', 'true');
  });
});

test.describe('tile by tile', () => {
  const lines = (page, state) => page.locator(`#streaming-tiles .is-${state}`);

  test('tiles light up in order and end in the weights of the map', async ({ page }) => {
    await openPage(page, link({ open: 'streaming' }));
    const { cells } = await table(page);
    const [play, next, says] = ['previous', 'next', 'says'].map((part) => page.locator(`#streaming-${part}`));
    await expect(page.locator('#streaming-tiles tbody tr')).toHaveCount(3);
    for (let press = 0; press < 3; press++) await play.click();
    await expect(lines(page, 'to-come')).toHaveCount(3);
    for (let tile = 1; tile <= 3; tile++) {
      await next.press('Enter');
      await expect(lines(page, 'now')).toHaveCount(1);
      await expect(lines(page, 'done')).toHaveCount(tile - 1);
      await expect(says).toContainText(`Tile ${tile}`);
    }
    const expectWeights = async () => {
      const found = (await page.locator('#streaming-tiles .value').allTextContents()).map(Number);
      for (const [at, weight] of cells[7].entries()) expect(Math.abs(found[at] - weight)).toBeLessThan(0.0011);
    };
    await expectWeights();
    await expect(says).toContainText('the weights are those of the map');
    await expect(says).toContainText(/difference is (0|[\d.]+×10⁻([⁷⁸⁹]|¹[⁰-⁹]))\./);
    // One by one, the second key rescales the first.
    await page.locator('#tile-width').fill('1');
    await expect(page.locator('#streaming-tiles tbody tr')).toHaveCount(11);
    await expectWeights();
  });

  test('follows the chosen row, the mask and a width that is no number', async ({ page }) => {
    await openPage(page, link({ open: 'streaming', mask: 'causal', cell: '2' }));
    await expect(page.locator('#streaming-of')).toContainText('animal');
    await expect(page.locator('#streaming-tiles .value').nth(5)).toHaveText('–');
    await page.locator('#most button').nth(4).click();
    await expect(page.locator('#streaming-of')).toContainText('the');
    await page.locator('#tile-width').fill('');
    await expect(page.locator('#streaming-tiles tbody tr')).toHaveCount(11);
  });
});
