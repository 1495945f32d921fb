// `data-idle` itself, on which all other tests rely: it goes in the task in which work starts, and comes when all of it is done.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, link, named, readout } from './helpers.mjs';

/** In the page: whether it is idle before and right after an event that `act` causes, with nothing in between. */
const around = (page, act, given) => page.evaluate(`(() => {
  const isIdle = () => document.documentElement.hasAttribute('data-idle');
  const before = isIdle();
  (${act})(${JSON.stringify(given)});
  return [before, isIdle()];
})()`);

const slide = ([id, value, ...events]) => {
  const slider = document.getElementById(id);
  slider.value = value;
  for (const event of events) slider.dispatchEvent(new Event(event, { bubbles: true }));
};
const click = (selector) => document.querySelector(selector).click();

const ACTS = {
  'a slider that is let go': [slide, ['d-k', '5', 'input', 'change']],
  'a text that is typed': [slide, ['text', 'two words', 'input']],
  'another head': [click, '#all-heads button:nth-child(2), #all-heads li:nth-child(2) button'],
  'another step': [click, '#player-next'],
  'a panel that opens': [click, '#open-cost'],
  'another language': [click, 'input[name="language"][value="zh"]'],
  'a pointer on the map': [() => {
    const map = document.getElementById('map');
    const { left, top, width, height } = map.getBoundingClientRect();
    map.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, isPrimary: true, pointerType: 'mouse', clientX: left + width / 2, clientY: top + height / 2 }));
  }],
  'a key on the map': [() => document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))],
  'a dialog': [click, '#share-open'],
};

test('goes at once and comes back', async ({ page }) => {
  await openPage(page);
  for (const [name, [act, given]] of Object.entries(ACTS)) {
    expect(await around(page, act, given), name).toEqual([true, false]);
    await idle(page);
  }
});

test('comes after the address is written, while a slider is held', async ({ page }) => {
  await openPage(page);
  const hold = (values) => values.forEach((value) => {
    const slider = document.getElementById('d-k');
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(await around(page, hold, ['5', '2'])).toEqual([true, false]);
  await idle(page);
  expect(named(await address(page)).d_k).toBe(await page.locator('#d-k-number').inputValue());
});

isolated('comes after panels out of sight have followed', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 300 });
  await openPage(page, link({ open: 'steps' }));
  // What the panel says in the moment in which the page becomes idle.
  await page.evaluate(() => {
    const root = document.documentElement;
    new MutationObserver(() => {
      if (root.hasAttribute('data-idle')) globalThis.says ??= document.querySelector('#player-says').textContent;
    }).observe(root, { attributeFilter: ['data-idle'] });
  });
  // Nothing is written to the address for a pointer: only the panel is waited for.
  expect(await around(page, ...ACTS['a pointer on the map'])).toEqual([true, false]);
  await idle(page);
  expect(await page.evaluate(() => globalThis.says)).toContain(`“${(await readout(page)).query}”`);
});

test('is away while the steps play', async ({ page }) => {
  await openPage(page, link({ step: 'input' }));
  await page.locator('#player-play').click();
  await expect(page.locator('#map')).toHaveAttribute('data-step', 'positions');
  // Longer than all other pauses of the page, and shorter than a step.
  await page.waitForTimeout(600);
  await expect(page.locator(':root')).not.toHaveAttribute('data-idle');
  await page.locator('#player-play').click();
  await idle(page);
});

isolated('is away while numbers are on their way, and says of those that do not come that the picture is old', async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.Worker = class extends Worker {
      postMessage(message, ...rest) {
        if (message.kind === 'page' && globalThis.held) globalThis.held.push(() => this.hear(new MessageEvent('message', { data: { id: message.id, error: { code: 'too_large', message: 'on purpose', field: 'text', value: '1' } } })));
        else super.postMessage(message, ...rest);
      }

      set onmessage(hear) {
        this.hear = hear;
        super.onmessage = hear;
      }
    };
  });
  await openPage(page);
  await page.evaluate(() => { globalThis.held = []; });
  expect(await around(page, slide, ['d-k', '5', 'input', 'change'])).toEqual([true, false]);
  expect(await page.evaluate(() => globalThis.held.length)).toBe(1);
  // Longer than all other pauses of the page.
  await page.waitForTimeout(600);
  await expect(page.locator(':root')).not.toHaveAttribute('data-idle');
  await page.evaluate(() => globalThis.held.forEach((answer) => answer()));
  await idle(page, { isOutdated: true });
  await expect(page.locator('#notices')).toContainText('on purpose');
  await expect(idle(page), 'who expects a picture hears of it').rejects.toThrow('outdated');
});
