// The panels below the map: opened and closed by pointer and keyboard, kept in the link, and nothing while they are closed.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, enter, link, named } from './helpers.mjs';
import { addOnPicture } from './pictures.mjs';

const PANELS = ['steps', 'streaming', 'compare', 'analysis', 'cost', 'data'];

const open = (page) => page.locator('.panel-body:visible').evaluateAll((bodies) => bodies.map((body) => body.id.replace('-body', '')));

test('a first visit has the steps open, and every name opens its panel in place', async ({ page }) => {
  await openPage(page);
  expect(await open(page)).toEqual(['steps']);
  for (const panel of PANELS.slice(1)) {
    await page.locator(`#open-${panel}`).click();
    await expect(page.locator(`#open-${panel}`)).toHaveAttribute('aria-expanded', 'true');
    await expect(page.locator(`#open-${panel}`)).toHaveAttribute('aria-controls', `${panel}-body`);
  }
  expect(await open(page)).toEqual(PANELS);
  await idle(page);
  expect(named(await address(page)).open).toBe(PANELS.join(','));
});

test('keys open and close them, and back undoes it', async ({ page }) => {
  await openPage(page);
  await page.locator('#open-cost').press('Enter');
  await page.locator('#open-steps').press('Space');
  expect(await open(page)).toEqual(['cost']);
  await expect(page.locator('#open-steps')).toBeFocused();
  await page.locator('#open-cost').press('Enter');
  await idle(page);
  expect(named(await address(page)).open).toBe('none');
  await page.goBack();
  await idle(page);
  expect(await open(page)).toEqual(['cost']);
});

test('a link says which are open, in every language', async ({ page }) => {
  await openPage(page, link({ open: 'analysis,compare', lang: 'zh' }));
  expect(await open(page)).toEqual(['compare', 'analysis']);
  await expect(page.locator('#open-compare')).toHaveText('并排对比');
});

/** A panel far below the map, with a program that names d_k. */
const FAR = link({ open: 'steps,streaming,analysis,cost,code' });

/**
 * Moves the slider of d_k by a stop and waits for its picture; what the program then says of d_k, without letting anything else
 * happen first: before and after `then`, which may be an event to be told to the window, or to an element.
 */
const moveAndRead = async (page, then) => {
  await page.evaluate(addOnPicture);
  return page.evaluate((then) => new Promise((resolve) => {
    const [slider, code] = ['d-k', 'code-text'].map((id) => document.getElementById(id));
    const says = () => code.textContent.match(/\bd_k = (\d+)/)?.[1];
    onPicture(() => {
      const before = says();
      if (then) (then.on ? document.querySelector(then.on) : window).dispatchEvent(new Event(then.event, { bubbles: true }));
      resolve({ now: document.getElementById('d-k-number').value, before, after: says() });
    });
    slider.value = String(Number(slider.value) + 1);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }), then);
};

const program = (page) => page.evaluate(() => document.getElementById('code-text').textContent);

test('a panel out of sight does not keep the map waiting, and is up to date when the hand rests', async ({ page }) => {
  await openPage(page, FAR);
  await idle(page);
  expect(await program(page)).toContain('d_k = 16');
  await idle(page);
  const { now, before } = await moveAndRead(page);
  expect([now, before], 'the picture is there, the panel waits').toEqual(['32', '16']);
  await idle(page);
  expect(await program(page), 'to be found, and to be read aloud').toContain('d_k = 32');
  expect(await page.evaluate(() => scrollY), 'nobody has looked at it').toBe(0);
});

test('what is printed is up to date', async ({ page }) => {
  await openPage(page, FAR);
  await idle(page);
  expect(await program(page)).toContain('d_k = 16');
  await idle(page);
  const { now, before, after } = await moveAndRead(page, { event: 'beforeprint' });
  expect([now, before, after]).toEqual(['32', '16', '32']);
});

test('what is saved or copied with a press is up to date', async ({ page }) => {
  await openPage(page, FAR);
  await idle(page);
  expect(await program(page)).toContain('d_k = 16');
  await idle(page);
  const { now, before, after } = await moveAndRead(page, { event: 'click', on: '#code-deeds' });
  expect([now, before, after]).toEqual(['32', '16', '32']);
});

test('a panel that was out of sight is up to date where it is scrolled to, and copied from', async ({ page }) => {
  await openPage(page, FAR);
  await idle(page);
  await page.locator('#d-k').press('ArrowRight');
  await page.locator('#code-body').scrollIntoViewIfNeeded();
  await expect(page.locator('#code-text')).toContainText('d_k = 32');
  const copied = await page.evaluate(() => {
    getSelection().selectAllChildren(document.getElementById('code-text'));
    return String(getSelection());
  });
  expect(copied).toContain('d_k = 32');
});

/**
 * Counts, while `globalThis.counts` is there, what the worker is asked and what it answers, what is written or drawn in each panel,
 * and frames that are asked for.
 */
const count = (page) => page.addInitScript(() => {
  const note = (name) => { if (globalThis.counts) globalThis.counts[name] = (globalThis.counts[name] ?? 0) + 1; };
  const body = (element) => element?.closest?.('.panel-body');
  globalThis.Worker = class extends Worker {
    set onmessage(hear) {
      super.onmessage = hear && ((event) => {
        const { result } = event.data;
        if (result?.weights) note(['answered', ...['output', 'parts'].filter((name) => result[name])].join(' '));
        hear(event);
      });
    }

    postMessage(message, ...rest) {
      note(`asked ${message.kind}${message.is_side ? ' beside' : ''}`);
      super.postMessage(message, ...rest);
    }
  };
  for (const name of ['clearRect', 'drawImage', 'fillRect', 'fillText', 'putImageData', 'stroke']) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function drawn(...all) {
      if (body(this.canvas)) note(body(this.canvas).id);
      return draw.apply(this, all);
    };
  }
  const frame = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (act) => { note('frames'); return frame(act); };
  new MutationObserver((records) => {
    for (const { target } of records) {
      const own = body(target.parentElement);
      if (own) note(own.id);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
});

/** What a few changes cost, and a moment of rest after them. */
async function changes(page) {
  await page.evaluate(() => { globalThis.counts = {}; });
  for (const [id, number] of [['d-k-number', 8], ['heads-number', 2], ['d-k-number', 32], ['seed', 7]]) {
    await enter(page, id, number);
    await idle(page);
  }
  await page.locator('#all-heads button').nth(1).click();
  await page.locator('#map').hover({ position: { x: 90, y: 90 } });
  // Panels out of sight follow once the hand has rested.
  await idle(page);
  const counted = () => page.evaluate(() => globalThis.counts);
  const moved = await counted();
  await page.evaluate(() => { globalThis.counts = {}; });
  await page.waitForTimeout(200);
  return { ...moved, ['at rest']: await counted() };
}

const EVERY = [...PANELS, 'code'];

isolated('an open panel is written, and what it shows is asked for', async ({ page }) => {
  await count(page);
  await openPage(page, link({ open: EVERY }));
  const found = await changes(page);
  for (const panel of EVERY) expect(found[`${panel}-body`], panel).toBeGreaterThan(0);
  expect(found).toMatchObject({ 'asked page beside': expect.any(Number), 'answered output parts': expect.any(Number) });
});

isolated('closed panels cost nothing, whatever was open before', async ({ page }) => {
  await count(page);
  await openPage(page, link({ open: EVERY }));
  // The last answer that an open panel waits for.
  await expect(page.locator('#versus-summary')).not.toBeEmpty();
  for (const panel of EVERY) {
    await expect(page.locator(`#${panel}-body`)).not.toBeEmpty();
    await page.locator(`#open-${panel}`).click();
  }
  expect(await open(page)).toEqual([]);
  await idle(page);
  const { 'asked page': asked, answered, frames, ...more } = await changes(page);
  expect(more, 'nothing in any panel, and nothing at rest').toEqual({ 'at rest': {} });
  expect(answered).toBeGreaterThanOrEqual(4);
  expect(asked).toBeGreaterThanOrEqual(answered);
  expect(frames).toBeGreaterThan(0);
});
