// What stands where when the page is opened, before anything is done.

import { subset } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { link } from './helpers.mjs';

/** Where parts are in the window, from its top left corner. */
const boxes = (page) => page.evaluate(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
  return { map: box('#map .picture'), heads: box('#all-heads > :last-child'), walk: box('#walk'), story: box('#story'), setup: box('.setup'), reading: box('.reading') };
});

// The map is at least this wide: 400 px in a window of 1024 was too small.
for (const [width, height, least] of subset([[1024, 768, 440], [1440, 900, 480], [1920, 1080, 640]], (_, at) => at !== 1)) {
  isolated(`at ${width} × ${height} the headline stands above the map, which takes the room there is`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, '');
    const { map, heads, walk, story } = await boxes(page);
    expect(map.width).toBeGreaterThan(least);
    expect(story.bottom).toBeLessThanOrEqual(map.top);
    expect(await page.locator('#story .line').evaluate((own) => parseFloat(getComputedStyle(own).fontSize))).toBeGreaterThanOrEqual(26);
    expect(walk.top, 'the walk, whose sentence has as many lines as it needs, is below the map').toBeGreaterThanOrEqual(map.bottom);
    if (width < 1200) return;
    expect(heads.bottom, 'all heads are in the window').toBeLessThanOrEqual(height);
    expect(map.bottom, 'and the map').toBeLessThanOrEqual(height);
  });
}

for (const [width, height, locale] of subset([[1280, 720, 'en-GB'], [1440, 900, 'zh-CN'], [390, 844, 'en-GB'], [1280, 720, 'zh-CN'], [1440, 900, 'en-GB'], [390, 844, 'zh-CN']], (_, at) => at < 3)) {
  isolated.describe(`${width} × ${height}, ${locale}`, () => {
    isolated.use({ viewport: { width, height }, locale });
    isolated('the map stays where it is while a pointer crosses its rows and columns', async ({ page }) => {
      await openPage(page, '');
      const place = () => page.evaluate(() => {
        const box = document.querySelector('#map .picture').getBoundingClientRect();
        return [box.left, box.top + scrollY, box.width, box.height].join();
      });
      const [before, { plot, rows, top }] = [await place(), await page.evaluate(() => {
        const picture = document.querySelector('#map .picture').getBoundingClientRect();
        const { rows } = document.querySelector('#map').dataset;
        return { plot: picture, rows: Number(rows), top: picture.top };
      })];
      expect(rows).toBeGreaterThan(9);
      // Along both diagonals, from the labels on: every row and every column is pointed at twice.
      for (const step of Array(2 * rows).keys()) {
        const share = (step + 0.5) / (2 * rows);
        for (const [x, y] of [[share, share], [1 - share, share]]) {
          await page.mouse.move(plot.left + x * plot.width, top + y * plot.height);
          await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); }));
          expect(await place(), `at ${x.toFixed(2)}, ${y.toFixed(2)}`).toBe(before);
        }
      }
    });
  });
}

isolated.describe('on a phone', () => {
  isolated.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  isolated('the map, the heads and the button stand in the window, then the reading, then the set-up', async ({ page }) => {
    await openPage(page, '');
    const { map, setup, reading } = await boxes(page);
    expect(map.top, 'the map is in the first window').toBeLessThan(270);
    expect(map.bottom).toBeLessThan(reading.top);
    expect(reading.bottom).toBeLessThanOrEqual(setup.top);
    const [strip, chosen, bar] = await page.evaluate(() => ['#all-heads', '#all-heads [aria-pressed="true"]', '.panel-names'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    expect(strip.bottom).toBeLessThanOrEqual(bar.top);
    expect(chosen.left, 'the chosen head is in the strip').toBeGreaterThanOrEqual(strip.left);
    expect(chosen.right).toBeLessThanOrEqual(strip.right);
    await expect(page.locator('#watch')).toBeInViewport();
  });

  isolated('sheets lie over the lower half, with all of the map above them', async ({ page }) => {
    await openPage(page, '');
    const under = async (sheet) => {
      const [map, own, bar] = await page.evaluate((sheet) => ['#map', sheet, '.panel-names'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()), sheet);
      expect(map.top).toBeGreaterThanOrEqual(0);
      expect(map.bottom, `${sheet} is below the map`).toBeLessThanOrEqual(own.top);
      expect(own.bottom, 'and above the edge').toBeLessThanOrEqual(bar.bottom);
      expect(bar.bottom).toBe(844);
    };
    await page.locator('#skip-setup').tap();
    await under('.setup');
    await page.locator('#skip-reading').tap();
    await under('.reading');
    await page.locator('#more-panels').tap();
    await expect(page.locator('#more-panels')).toHaveAttribute('aria-expanded', 'true');
    await expect(page.locator('#open-cost')).toBeInViewport();
    await under('.panel-names');
    await page.locator('#open-cost').tap();
    await idle(page);
    await expect(page.locator('#title-cost')).toBeInViewport();
    await expect(page.locator('#open-cost')).not.toBeInViewport();
    // A cell that is tapped is taken apart below the map, wherever it was.
    await page.evaluate(() => scrollTo(0, 0));
    const { x, y, width, height } = await page.locator('#map .picture').boundingBox();
    await page.touchscreen.tap(x + 0.7 * width, y + 0.95 * height);
    await idle(page);
    await under('.reading');
    await expect(page.locator('#inspector')).toBeInViewport();
    await page.locator('#inspector-close').tap();
    await idle(page);
    await expect(page.locator('.plate > .reading')).not.toHaveCSS('position', 'fixed');
  });
});

test('the legend names what is on the map', async ({ page }) => {
  await openPage(page);
  await expect(page.locator('.legend .of-hidden')).toBeHidden();
  await openPage(page, link({ mask: 'causal' }));
  await expect(page.locator('.legend .of-hidden')).toBeVisible();
  await openPage(page, link({ mask: 'causal', step: 'input' }));
  await expect(page.locator('.legend .of-hidden')).toBeHidden();
});

test('a difference that is 0 everywhere has no colour bar', async ({ page }) => {
  await openPage(page, link({ open: 'compare' }));
  const bar = page.locator('.versus-maps .of-difference .bar');
  await expect(bar).toBeHidden();
  await page.locator('.versus-set-ups label').first().click();
  await idle(page);
  await expect(bar).toBeVisible();
});

test('a processor is a state, not a fault', async ({ page, backend }) => {
  test.skip(backend !== 'cpu', 'there is a graphics card');
  await openPage(page);
  await expect(page.locator('#backend-name')).toHaveText('CPU');
  await expect(page.locator('#backend-beside'), 'why stands in its panel').toBeHidden();
  await expect(page.locator('[role=alert]:visible')).toHaveCount(0);
});

test('the foot of the page leads to how it works, to lecturers’ notes and to a citation', async ({ page }) => {
  await openPage(page);
  for (const [id, said] of [['how', /softmax/], ['lecturers', /nothing to install/], ['cite', /@software|@misc/]]) {
    await page.locator(`footer [popovertarget=${id}], .foot [popovertarget=${id}]`).first().click();
    await expect(page.locator(`#${id}`)).toBeVisible();
    await expect(page.locator(`#${id}`)).toContainText(said);
    await page.keyboard.press('Escape');
    await expect(page.locator(`#${id}`)).toBeHidden();
  }
});

test('a finished matrix has no settings: their column goes to the map', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page);
  const before = await boxes(page);
  await page.locator('#open-own').click();
  await page.locator('#import-file').setInputFiles({ name: 'weights.json', mimeType: '', buffer: Buffer.from('[[0.7,0.2,0.1],[0.1,0.8,0.1],[0.2,0.3,0.5]]') });
  await page.locator('#import-dialog-take').click();
  await idle(page);
  await expect(page.locator('.setup .when-finished')).toBeVisible();
  const after = await boxes(page);
  expect(after.map.left).toBeLessThan(before.map.left - 200);
  expect(after.setup.top).toBeGreaterThan(after.reading.bottom - 1);
});
