// A script of `src/bindings/js` as a module: its name does not say that it is one, and only newer versions of Node find out.

import { readFile } from 'node:fs/promises';

export const source = (name) => readFile(new URL(`../../src/bindings/js/${name}`, import.meta.url), 'utf8');

export const imported = (text) => import(`data:text/javascript,${encodeURIComponent(text)}`);
