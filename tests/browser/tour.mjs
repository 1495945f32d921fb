// The way through the whole page: every panel, every step, every dialog, and the settings that bring out what is otherwise hidden.
// The tour's tests and its screenshots follow the same way.

import { idle } from './idle.mjs';
import { CARD, standIn } from './helpers-backend.mjs';
import { reveal } from './reveal.mjs';

export const LANGUAGES = ['en', 'zh'];
export const THEMES = ['light', 'dark'];
export const WIDTHS = [1440, 390];

const HEIGHT = 900;

const fragment = (settings) => `v=1&${new URLSearchParams({ open: 'none', ...settings })}`;

/** What is computed: short, so that charts, tables and snapshots stay short. */
const SHORT = { text: 'the cat sees it' };

const MASKED = { ...SHORT, mask: 'causal,padding,local,strided,first', valid: '3', hiding: 'after' };
const ADDITIVE = { ...SHORT, weights: 'random', heads: '16', kv_heads: '4', scoring: 'additive', positions: 'alibi', scale: 'log', temperature: '2' };
const LINFORMER = { ...SHORT, linformer: '1', positions: 'alibi', mask: 'causal' };
/** A model of one head in each layer that has hardly learned: nothing is as good as equal in its numbers. */
const LEARNED = { text: "the fox didn't reach the river because it was too ill.", weights: 'learned', heads: '1', d_k: '8', trained: '20', cell: '8' };
const CROSS = { text: 'two cats', source: 'deux chats noirs', weights: 'random' };
const AGAINST = { against: 'mask=causal,first&d_k=8&scaled=0' };

/** A matrix with a row that does not sum to 1, which the page remarks on. */
const MATRIX = JSON.stringify({ attention: [[[0.5, 0.5], [0.1, 0.4]]] });
const QUERIES_AND_KEYS = { q: [[[1, 0], [0, 1]]], k: [[[1, 0], [0, 1]]], v: [[[1, 2], [3, 4]]] };

/** Steps of the strip, in its order; `mask` and `scaled` are there where there are such. */
const STEPS = ['input', 'q', 'k', 'v', 'scores', 'scaled', 'mask', 'weights', 'context', 'heads', 'output'];

async function unfold(page, root) {
  if (root === '.setup') await page.locator('#all-settings[aria-expanded="false"]').evaluateAll((all) => all.forEach((button) => button.click()));
  await page.locator(`${root} details`).evaluateAll((all) => all.forEach((details) => { details.open = true; }));
}

const press = async (page, selector) => {
  await (await reveal(page.locator(selector))).click();
  await idle(page);
};

const pick = (page, name, value) => press(page, `label:has(input[name="${name}"][value="${value}"])`);

/** A panel that is open alone, with whatever in it folds. */
const panel = (name, { settings = SHORT, visit } = {}) => ({
  name,
  root: `#panel-${name}`,
  settings: { ...settings, open: name },
  async visit(page) {
    await page.locator(`#panel-${name}`).scrollIntoViewIfNeeded();
    await unfold(page, `#${name}-body`);
    await visit?.(page);
  },
});

/** A stop that begins where the one before has left the page. */
const further = (stop) => ({ ...stop, isFurther: true });

const closeDialog = (selector) => (page) => press(page, selector);

const choices = (page) => page.locator('#import-file');
const bring = async (page, files) => {
  await choices(page).setInputFiles(files.map(([name, content]) => ({ name, mimeType: '', buffer: Buffer.from(content) })));
  await page.locator('#import-dialog[open]').waitFor();
  await idle(page);
};

/**
 * The stops, in order: `settings` are those of the address; `root` is what is looked at; `visit` brings it out, `leave` puts away what
 * lies over the page.
 */
export const STOPS = [
  { name: 'first visit', root: '.page', settings: { text: "The animal didn't cross the street because it was too tired" } },
  further({
    name: 'backend',
    root: '#backend-panel',
    async visit(page) {
      await press(page, '#backend');
      await press(page, '#compare');
    },
    async leave(page) {
      for (const opener of ['#backend', '#open-menu']) await press(page, opener);
    },
  }),
  { name: 'masks', root: '.setup', settings: MASKED, visit: (page) => unfold(page, '.setup') },
  further({ name: 'brush', root: '.setup', visit: (page) => press(page, '#paint'), leave: closeDialog('#paint') }),
  { name: 'reading', root: '.reading', settings: { ...SHORT, cell: '3,1' }, visit: (page) => unfold(page, '.reading') },
  { name: 'why not', root: '.reading', settings: { ...MASKED, hiding: 'out', cell: '1,4' } },
  { name: 'table', root: '.map', settings: SHORT, visit: (page) => unfold(page, '.map') },
  { name: 'curves', root: '.map', settings: { ...SHORT, view: 'curves' } },
  { name: 'sixteen heads', root: 'main', settings: ADDITIVE, visit: (page) => unfold(page, '.setup') },
  { name: 'learned', root: 'main', settings: LEARNED, visit: (page) => unfold(page, '.setup') },
  { name: 'a text that a model cannot read', root: '.sentences', settings: { weights: 'learned', text: 'the cat sees it' } },
  { name: 'Linformer', root: 'main', settings: LINFORMER, visit: (page) => unfold(page, '.setup') },
  { name: 'two sentences and a notice', root: 'main', settings: { ...CROSS, mask: 'causal', x: '1' }, leave: (page) => page.locator('#notices button').evaluateAll((all) => all.forEach((button) => button.click())) },
  { name: 'locked', root: '.page', settings: { ...SHORT, lock: 'all', mask: 'local' } },
  ...STEPS.map((step) => ({
    name: `step ${step}`, root: '.map', settings: { ...SHORT, mask: 'causal', step, cell: '2,1' }, isLight: true,
  })),
  { name: 'lessons', root: '#lesson', settings: { lesson: 'list' } },
  { name: 'a lesson', root: '.page', settings: { lesson: '06-masks' } },
  further({ name: 'a question of a lesson', root: '#lesson', visit: (page) => press(page, '[data-lesson-do=next]') }),
  further({ name: 'its answer', root: '#lesson', visit: (page) => press(page, '[data-lesson-choice="0"]') }),
  panel('steps', { settings: { ...SHORT, mask: 'causal' } }),
  panel('streaming'),
  panel('training'),
  panel('draw', { visit: (page) => press(page, '#draw-find') }),
  panel('compare', { settings: { ...SHORT, ...AGAINST } }),
  panel('analysis'),
  panel('cost', {
    async visit(page) {
      await page.locator('#cost-most').selectOption('128');
      await press(page, '#cost-run');
    },
  }),
  panel('code'),
  further({ name: 'code with PyTorch', root: '#panel-code', visit: (page) => pick(page, 'library', 'pytorch') }),
  panel('data'),
  further({
    name: 'import refused',
    root: '#import-dialog',
    visit: (page) => bring(page, [['q.csv', '1,2\n3,x\n']]),
    leave: closeDialog('#import-dialog-leave'),
  }),
  further({
    name: 'import of parts',
    root: '#import-dialog',
    async visit(page) {
      await bring(page, [['layer.json', JSON.stringify(QUERIES_AND_KEYS)]]);
      await unfold(page, '#import-dialog');
    },
    leave: closeDialog('#import-dialog-leave'),
  }),
  further({
    name: 'import of a matrix',
    root: '#import-dialog',
    async visit(page) {
      await bring(page, [['matrix.json', MATRIX]]);
      await unfold(page, '#import-dialog');
    },
    leave: closeDialog('#import-dialog-take'),
  }),
  further({ name: 'own numbers', root: '.page', visit: (page) => page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' })), leave: closeDialog('#imported-clear') }),
  {
    name: 'save',
    root: '#save-panel',
    settings: { ...SHORT, cell: '3,1' },
    async visit(page) {
      await press(page, '#save');
      await pick(page, 'save-format', 'png');
      await pick(page, 'text-form', 'plain');
      await pick(page, 'text-extent', 'row');
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  { name: 'share', root: '#share', settings: SHORT, visit: (page) => press(page, '#share-open') },
  further({
    name: 'share, chosen parts',
    root: '#share',
    async visit(page) {
      await pick(page, 'share-form', 'iframe');
      await press(page, '#share-wishes > summary');
      await page.locator('[name="share-extent"][value="chosen"]').check();
      await idle(page);
    },
  }),
  further({
    name: 'share, preview',
    root: '#share',
    async visit(page) {
      await press(page, '#share-wishes > summary');
      await press(page, '#share-preview > summary');
      // Which width it begins with depends on the room.
      await pick(page, 'share-width', '320');
      const frame = await page.locator('#share-frame iframe').elementHandle();
      await idle(await frame.contentFrame());
      await idle(page);
    },
    leave: (page) => press(page, '#share-preview > summary'),
  }),
  further({
    name: 'share, QR code',
    root: '#share-large',
    visit: (page) => press(page, '#share-enlarge'),
    async leave(page) {
      await press(page, '#share-large-close');
      await press(page, '#share-close');
    },
  }),
];

/** Settings as they stand in the address of a stop. */
const addressOf = (stop, language) => fragment({ ...stop.settings, lang: language });

/**
 * Opens the page and goes from stop to stop; `look` is called at each. The page asks the system for its theme, so that a theme changes
 * nothing of what it says.
 */
export async function tour(page, { theme, language, width }, look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: HEIGHT });
  // Names and times of this machine's graphics stay out of what is compared.
  await standIn(page, CARD);
  await page.goto(`/#${addressOf(STOPS[0], language)}`);
  await idle(page);
  for (const stop of STOPS) {
    const { isOutdated = false } = stop;
    if (!stop.isFurther) {
      await page.evaluate((next) => {
        scrollTo({ top: 0, behavior: 'instant' });
        document.activeElement?.blur();
        for (const details of document.querySelectorAll('details[open]')) details.open = false;
        location.hash = next;
      }, addressOf(stop, language));
      await idle(page, { isOutdated });
    }
    await stop.visit?.(page);
    // Maps and curves follow the pointer, which each width leaves over something else.
    await page.mouse.move(0, 0);
    await idle(page, { isOutdated });
    await look(stop);
    await stop.leave?.(page);
    await idle(page, { isOutdated });
  }
}
