// What was done is undone, done again and put back, by buttons, by keys and by the browser's own Back, as one history.

import { expect, idle, isolated, openPage, test } from './fixture.mjs';
import { choose, drag, enter, expectShown, link, shown } from './helpers.mjs';

/** Which of undo, redo and reset do something. */
const can = (page) => page.locator('.undo button').evaluateAll((all) => all.filter((own) => own.ariaDisabled === 'false' && !own.disabled).map(({ id }) => id));

const press = async (page, id) => {
  await page.locator(`#${id}`).click();
  await idle(page);
};

isolated('every change is a step, a drag is one, and each adds one entry to the history', async ({ page }) => {
  await openPage(page);
  expect(await can(page)).toEqual(['reset']);
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  await drag(page, 'd-k', 0.2);
  const dragged = (await shown(page)).d_k;
  await choose(page, 'mask', 'causal');
  await expectShown(page, { mask: 'causal' });
  expect(await entries()).toBe(before + 2);
  expect(await can(page)).toEqual(['undo', 'reset']);
  await press(page, 'undo');
  await expectShown(page, { mask: 'none', d_k: dragged });
  await press(page, 'undo');
  await expectShown(page, { mask: 'none', d_k: '16' });
  expect(await can(page)).toEqual(['redo', 'reset']);
  await press(page, 'redo');
  await press(page, 'redo');
  await expectShown(page, { mask: 'causal', d_k: dragged });
  // To what a first visit opens on.
  await press(page, 'reset');
  await expectShown(page, { mask: 'none', d_k: '8', weights: 'learned' });
  expect(await can(page)).toEqual(['undo']);
  await press(page, 'undo');
  await expectShown(page, { mask: 'causal', d_k: dragged });
});

test('keys do the same, in the sentence too, where what was typed is a part of the one history', async ({ page }) => {
  await openPage(page);
  const text = page.locator('#text');
  await text.focus();
  await text.evaluate((own) => own.setSelectionRange(0, 0));
  await page.keyboard.type('Yesterday ');
  await expectShown(page, { cell: '9' });
  await enter(page, 'd-k-number', 8);
  await expectShown(page, { d_k: '8' });
  await text.focus();
  await page.keyboard.press('Control+z');
  await expectShown(page, { d_k: '16' });
  await expect(text).toHaveValue(/^Yesterday The/);
  await page.keyboard.press('Control+z');
  await expect(text).toHaveValue(/^The animal/);
  await idle(page);
  expect(await text.evaluate((own) => own.selectionStart)).toBe(0);
  await page.keyboard.press('Control+Shift+z');
  await expect(text).toHaveValue(/^Yesterday The/);
  expect(await text.evaluate((own) => own.selectionStart)).toBe('Yesterday '.length);
  await page.keyboard.press('Control+y');
  await expectShown(page, { d_k: '8' });
  // A number that is half typed is the field's own to undo.
  await page.locator('#d-k-number').fill('77');
  await page.keyboard.press('Control+z');
  await idle(page);
  await expect(text).toHaveValue(/^Yesterday The/);
  await expect(page.locator('#d-k-number')).not.toHaveValue('77');
});

test('back and forward of the browser are undo and redo', async ({ page }) => {
  await openPage(page);
  await enter(page, 'd-k-number', 8);
  await enter(page, 'd-k-number', 4);
  await page.goBack();
  await expectShown(page, { d_k: '8' });
  expect(await can(page)).toEqual(['undo', 'redo', 'reset']);
  await press(page, 'redo');
  await expectShown(page, { d_k: '4' });
  await page.goBack();
  await expectShown(page, { d_k: '8' });
  await press(page, 'undo');
  await expectShown(page, { d_k: '16' });
});

test('a locked page has nothing to undo, and a link can leave the buttons out', async ({ page }) => {
  await openPage(page, link({ lock: 'all', d_k: '8' }));
  expect(await can(page)).toEqual([]);
  await expect(page.locator('#reset')).toBeDisabled();
  await page.keyboard.press('Control+z');
  await expectShown(page, { d_k: '8' });
  await openPage(page, link({ show: 'title,heads' }));
  await expect(page.locator('.undo')).toBeHidden();
});

test('a comparison that changes A says so, and is undone where that is said', async ({ page }) => {
  await openPage(page, link({ open: 'compare' }));
  const notice = page.locator('#versus-changed');
  await page.locator('input[name="versus-set-up"][value="causal"]').click();
  await idle(page);
  await expect(notice).toBeEmpty();
  await page.locator('input[name="versus-set-up"][value="scaled"]').click();
  await expectShown(page, { weights: 'random', d_k: '128' });
  await expect(notice).toContainText('This comparison changed A:');
  await expect(notice).toContainText('128');
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expectShown(page, { weights: 'teaching', d_k: '16', against: 'mask=causal' });
  await expect(notice).toBeEmpty();
});
