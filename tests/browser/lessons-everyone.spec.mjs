// Lessons for everyone: by keyboard alone, as the accessibility tree has them, zoomed into, and where nothing moves.

import { readFileSync, readdirSync } from 'node:fs';
import { isSoak } from './extent.mjs';
import { expect, idle, openPage, test } from './fixture.mjs';
import { address, link } from './helpers.mjs';
import { misplaced } from './helpers-place.mjs';

const FOLDER = new URL('../../content/en/lessons/', import.meta.url);

/** The first seven lessons, in `./dev test` two: the title of each, and kind, title and what brings about the goal of each step. */
const LESSONS = readdirSync(FOLDER).sort().slice(0, isSoak ? 7 : 2).map((file) => {
  const source = readFileSync(new URL(file, FOLDER), 'utf8');
  const steps = source.split(/^## (?=\w+: )/m).slice(1).map((step) => ({
    kind: step.match(/^\w+/)[0],
    reaches: step.match(/^reaches: (.+)$/m)?.[1],
    isNumber: /^number:/m.test(step),
  }));
  return { name: file.replace('.md', ''), title: source.match(/^title: ([^$\n]*[^$ \n])/m)[1], steps };
});

/** What has the focus, as it is read. */
const focused = (page) => page.evaluate(() => {
  const own = document.activeElement;
  return (own.ariaLabel ?? own.labels?.[0]?.textContent ?? own.textContent).trim();
});

/** Goes with a key from stop to stop until `isThere` knows the name of one. */
async function follow(page, key, isThere) {
  for (let stop = 0; stop < 20; stop++) {
    await page.keyboard.press(key);
    if (isThere(await focused(page))) return;
  }
  throw new Error(`${key} does not lead there`);
}

const pressed = async (page, key) => {
  await page.keyboard.press(key);
  await idle(page);
};

test('lessons by keyboard alone, as they are read', async ({ page }) => {
  test.setTimeout(120_000);
  await openPage(page, link({ lesson: 'list' }));
  const region = page.getByRole('region', { name: 'Lessons' });
  const read = () => region.ariaSnapshot();
  await region.focus();
  await follow(page, 'Tab', (name) => name === LESSONS[0].title);
  await pressed(page, 'Enter');
  for (const [place, { name, title, steps }] of LESSONS.entries()) {
    await expect(region, name).toBeFocused();
    for (const [at, { kind, reaches, isNumber }] of steps.entries()) {
      let tree = await read();
      expect(tree, name).toContain(`- heading "${title}" [level=2]`);
      expect(tree).toMatch(new RegExp(`- status: "Step ${at + 1} of ${steps.length} ?: `));
      if (kind === 'predict') {
        if (isNumber) {
          await follow(page, at ? 'Shift+Tab' : 'Tab', (stop) => stop === 'Your guess');
          await page.keyboard.type('0.5');
        } else {
          const choices = [...tree.matchAll(/- listitem:\n +- button "(.+)"/g)].map(([, choice]) => choice);
          await follow(page, at ? 'Shift+Tab' : 'Tab', (stop) => choices.includes(stop));
        }
        await pressed(page, 'Enter');
        tree = await read();
        expect(tree, `${name}, step ${at + 1}`).toMatch(/Right: that is what the page computes|The page computes something else/);
      } else if (kind === 'reach') {
        expect(tree, `${name}, step ${at + 1}`).toContain('Your turn');
        const settings = new URLSearchParams(await address(page));
        new URLSearchParams(reaches).forEach((value, key) => settings.set(key, value));
        await page.evaluate((next) => { location.hash = next; }, String(settings));
        await idle(page);
        tree = await read();
        expect(tree, `${name}, step ${at + 1}`).toContain('Reached.');
      }
      if (at + 1 === steps.length) break;
      if (await focused(page) !== 'Next') await follow(page, 'Tab', (stop) => stop === 'Next');
      await pressed(page, 'Enter');
      expect(await focused(page)).toBe('Next');
    }
    if (place + 1 === LESSONS.length) break;
    if (!(await focused(page)).startsWith('Next lesson')) await follow(page, steps.at(-1).kind === 'predict' ? 'Tab' : 'Shift+Tab', (stop) => stop.startsWith('Next lesson'));
    await pressed(page, 'Enter');
  }
});

/** Whether the middle of what is found is in sight, with nothing lying over it. */
const isFree = (locator) => locator.evaluate((own) => {
  own.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = own.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight - top) / 2);
  return own.contains(found);
});

// A window of 1280 × 1024 px, zoomed into.
for (const [zoom, width, height] of [[200, 640, 512], [400, 320, 256]]) {
  test(`at ${zoom} % a lesson leaves room for the map, and nothing is lost`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, link({ lesson: 'list' }));
    const region = page.getByRole('region', { name: 'Lessons' });
    for (const root of ['.page', '#lesson']) expect(await misplaced(page, root)).toEqual([]);
    await region.getByRole('button', { name: 'Masks', exact: true }).click();
    await idle(page);
    const next = region.getByRole('button', { name: 'Next', exact: true });
    expect(await isFree(page.locator('#map'))).toBe(true);
    const covered = await region.evaluate((own) => Math.min(innerHeight, own.getBoundingClientRect().bottom) - Math.max(0, own.getBoundingClientRect().top));
    expect(covered, 'beside the map').toBeLessThanOrEqual(height / 2);
    expect(await isFree(next)).toBe(true);
    await next.click();
    await idle(page);
    const choice = region.getByRole('button', { name: 'by the same factor' });
    expect(await isFree(choice)).toBe(true);
    await choice.click();
    await idle(page);
    expect(await isFree(region.getByText('computes', { exact: false }).first())).toBe(true);
    for (const root of ['.page', '#lesson']) expect(await misplaced(page, root)).toEqual([]);
  });
}

test('nothing of a lesson moves under reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page, link({ lesson: '06-masks' }));
  const watched = await page.evaluateHandle(() => {
    const moved = [];
    const note = (event) => moved.push(`${event.type} ${event.target.id || event.target.className}`);
    for (const kind of ['transitionrun', 'animationstart']) addEventListener(kind, note, true);
    return { moved, stop: () => ['transitionrun', 'animationstart'].forEach((kind) => removeEventListener(kind, note, true)) };
  });
  const region = page.getByRole('region', { name: 'Lessons' });
  const still = async (deed) => {
    await idle(page);
    expect(await page.evaluate(() => document.getAnimations().length), deed).toBe(0);
    expect(await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.page, .page *')].filter((own) => getComputedStyle(own).scrollBehavior !== 'auto').length), deed).toBe(0);
  };
  await region.getByRole('button', { name: 'Next', exact: true }).click();
  await still('the next step');
  await region.getByRole('button', { name: 'by the same factor' }).click();
  await still('an answer');
  await expect(page.locator('#player-play'), 'nothing is played').toBeHidden();
  await page.locator('#player-next').click();
  await still('the walk');
  await region.getByRole('button', { name: 'All lessons' }).click();
  await still('the list');
  expect(await watched.evaluate(({ moved, stop }) => (stop(), moved))).toEqual([]);
});
