// For everyone: axe can find faults (the tour asks it everywhere), and everything can be done with the keyboard.

import { violations } from './axe.mjs';
import { soakOnly } from './extent.mjs';
import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { address, expectShown, link, named, readout } from './helpers.mjs';

soakOnly(test)('the watch can see: axe finds a fault that is made', async ({ page }) => {
  await openPage(page);
  await page.locator('#seed').evaluate((field) => document.querySelector(`label[for="${field.id}"]`).remove());
  expect((await violations(page, '.setup')).join('\n')).toMatch(/^label: <input[^>]* id="seed"/m);
});

/** What has the focus: its id, or the name of its group and its value. */
const focused = (page) => page.evaluate(() => {
  const { id, name, value, dataset, parentElement, tagName } = document.activeElement;
  return id || (name && `${name}=${value}`) || (dataset.head && `head ${dataset.head}`) || `${tagName} in ${parentElement?.id || parentElement?.className}`;
});

test('Tab reaches everything once, in reading order, and every stop can be seen', async ({ page }) => {
  await openPage(page, link({ mask: 'local' }));
  const stops = [];
  for (let press = 0; press < 120; press++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (stop.startsWith('BODY') || stop === stops[0]) break;
    stops.push(stop);
    const isMarked = await page.evaluate(() => {
      const parts = [document.activeElement, document.activeElement.parentElement, document.activeElement.nextElementSibling, document.activeElement.closest('label, .paper, .choice')];
      return parts.some((part) => {
        if (!part) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
    });
    expect(isMarked, `${stop} shows its focus`).toBe(true);
  }
  const wanted = ['skip-map', 'skip-reading', 'skip-setup', 'undo', 'text', 'open-examples', 'head 0', 'view=map', 'save', 'map',
    'open-colours', 'player-previous', 'heads-number', 'heads', 'd-k-number', 'd-k',
    'mask=none', 'mask=local', 'mask=first', 'window-number', 'window', 'mask-map', 'paint', 'scaled',
    'origin=teaching', 'seed', 'new-seed', 'all-settings', 'open-lessons', 'open-steps', 'open-cost'];
  expect(stops.filter((stop) => wanted.includes(stop))).toEqual(wanted);
  expect(new Set(stops.filter((stop) => wanted.includes(stop))).size).toBe(wanted.length);
});

test('at most ten stops of Tab lead to the map', async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page);
    const stops = [];
    for (let press = 0; press < 60 && stops.at(-1) !== 'map'; press++) {
      await page.keyboard.press('Tab');
      stops.push(await focused(page));
    }
    const before = stops.filter((stop) => !stop.startsWith('skip-')).slice(0, -1);
    expect(before.length, `${width} px: ${before.join(', ')}`).toBeLessThanOrEqual(10);
  }
});

test('arrow keys go through a toolbar, and Tab comes back to where they left', async ({ page }) => {
  await openPage(page);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await idle(page);
    return focused(page);
  };
  await page.locator('#undo').focus();
  expect(await press('ArrowLeft')).toBe('undo');
  expect(await press('ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('open-theme');
  // What a menu holds is no part of the toolbar.
  expect(await press('Enter', 'Tab')).toBe('theme=auto');
  expect(await press('Escape')).toBe('open-theme');
  expect(await press('ArrowDown')).toBe('open-menu');
  expect(await press('Enter', 'Tab')).toBe('language=en');
  expect(await press('ArrowDown')).toBe('language=zh');
  await expect(page.locator(':root')).toHaveAttribute('lang', /zh/);
  await press('ArrowUp');
  await expect(page.locator(':root')).toHaveAttribute('lang', 'en');
  expect(await press('Escape')).toBe('open-menu');
  expect(await press('ArrowRight')).toBe('share-open');
  expect(await press('End')).toBe('share-open');
  expect(await press('Tab')).toBe('text');
  expect(await press('Shift+Tab')).toBe('share-open');
  expect(await press('Home')).toBe('undo');
  await page.locator('#open-examples').focus();
  expect(await press('ArrowRight')).toBe('learn');
  expect(await press('Tab')).toBe('head 0');
  expect(await press('ArrowDown', 'ArrowRight', 'Enter')).toBe('head 2');
  expect(named(await address(page)).head).toBe('3');
  expect(await press('Tab')).toBe('view=map');
  expect(await press('Shift+Tab')).toBe('head 2');
  expect(await press('Home')).toBe('head-previous');
  expect(await press('Enter', 'ArrowRight')).toBe('head-next');
  expect(named(await address(page)).head).toBe('2');
  await page.locator('#skip-setup').press('Enter');
  expect(await press('Tab')).toBe('about-heads');
});

test('a toolbar keeps a stop where the first of it is left out or locked', async ({ page }) => {
  // A page that was used before keeps where its toolbars were left.
  await openPage(page, link({ show: 'sentence,theme,lang,presets', lock: 'lang' }), { isFresh: true });
  const stops = () => page.locator('[role=toolbar] [tabindex="0"]').evaluateAll((all) => all.filter((own) => own.checkVisibility()).map((own) => own.id || own.value));
  expect(await stops()).toEqual(['open-theme', 'open-examples']);
});

test('the whole job with the keyboard alone', async ({ page }) => {
  await openPage(page);
  const to = async (stop) => {
    for (let press = 0; press < 120 && (await focused(page)) !== stop; press++) await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(stop);
  };
  await to('text');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('she sees it');
  await expectShown(page, { text: 'she sees it' });
  await to('d-k');
  await page.keyboard.press('ArrowRight');
  await expectShown(page, { d_k: '32' });
  await to('mask=causal');
  await page.keyboard.press('Space');
  await expectShown(page, { mask: 'causal' });
  await to('scaled');
  await page.keyboard.press('Space');
  await expectShown(page, { scaled: '0' });
  await to('origin=teaching');
  await page.keyboard.press('ArrowDown');
  await expectShown(page, { weights: 'random' });
  await to('new-seed');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(named(await address(page)).seed).not.toBeUndefined();
  await to('map');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await idle(page);
  expect(await readout(page)).toMatchObject({ query: 'it', key: 'sees' });
  expect(named(await address(page)).cell).toBe('3,2');
  await page.keyboard.press('Escape');
  await idle(page);
  expect(named(await address(page)).cell).not.toBe('3,2');
  await page.locator('#text').focus();
  for (let press = 0; press < 9 && !(await focused(page)).startsWith('head '); press++) await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expectShown(page, { head: '3' });
});

isolated('at twice the text size nothing is lost', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; }));
  await openPage(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
});

test('what a control does is said at its question mark by keyboard, and under a finger that rests on its name', async ({ page }) => {
  await openPage(page);
  const text = page.locator('#help-heads');
  await page.locator('#heads-number').focus();
  await page.keyboard.press('Shift+Tab');
  await expect(text).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(text).toBeHidden();

  const name = page.locator('[data-control="heads"] label').first();
  const finger = (type, at) => name.evaluate((label, [type, at]) => {
    const event = new PointerEvent(type, { bubbles: true, composed: true, pointerType: 'touch', isPrimary: true });
    Object.defineProperty(event, 'timeStamp', { value: at });
    label.dispatchEvent(event);
  }, [type, at]);
  await finger('pointerdown', 1000);
  await finger('pointerup', 1400);
  await expect(text).toBeHidden();
  await finger('pointerdown', 2000);
  await finger('pointerup', 2600);
  await expect(text).toBeVisible();
});
