// The names of all lessons, as links have them, in their order.

import { readdirSync } from 'node:fs';

export const LESSONS = readdirSync(new URL('../../content/en/lessons', import.meta.url)).map((name) => name.replace('.md', '')).sort();
