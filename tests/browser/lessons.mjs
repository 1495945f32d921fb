// Lessons on a page: their names, and what is done with them.

import { readdirSync } from 'node:fs';
import { idle } from './idle.mjs';

/** The names of all lessons, as links have them, in their order. */
export const LESSONS = readdirSync(new URL('../../content/en/lessons', import.meta.url)).map((name) => name.replace('.md', '')).sort();

export const lesson = (page) => page.locator('#lesson');
export const tool = (page, name) => lesson(page).locator(`[data-lesson-do=${name}]`);
export const press = async (page, name) => {
  await tool(page, name).click();
  await idle(page);
};

/** Where the page is in its lesson. */
export const at = (page) => lesson(page).locator('.lesson-at');
