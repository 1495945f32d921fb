// The walk through the steps, and the head as curves.

import { expect, idle, isolated, openPage, readCanvas, test } from './fixture.mjs';
import { address, choose, link, named, reveal } from './helpers.mjs';

const step = async (page) => named(await address(page)).step ?? 'weights';

test.describe('the walk', () => {

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
    await (await reveal(page.locator('#most button').nth(4))).click();
    await expect(page.locator('#player-says')).toContainText('“the”');
    // The strip may follow the sentence in a frame of its own.
    const moved = async () => {
      const after = await pixels();
      return Object.keys(before).filter((step) => before[step] !== after[step]);
    };
    await idle(page);
    expect(await moved(), 'the rows of K are keys').toEqual(['input', 'q', 'weights', 'output']);
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
    await expect(play).toHaveText('Show how it is computed');
    await expect.poll(timers).toBe(0);
  });
});

test.describe('curves', () => {
  const tokens = (page, side) => page.locator(`#curves-${side} button`);
  const weights = (page, side) => tokens(page, side).locator('.value').allTextContents();

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
});
