// The page as it opens without a link, drawn before the engine is there: the engine itself says, here, what is on that page, and
// `opening.js` becomes a script for each language that draws it.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digest } from './integrity.mjs';

const { transform } = createRequire(new URL('../../tests/browser/package.json', import.meta.url))('esbuild');
const LANGUAGES = readdirSync(new URL('../../content', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
const KEY = /\bdata-t(?:-\w+)?="([\w-]+)"/g;
/** The function of the engine that only the build calls, in its glue. */
const GLUE = /\/\*\*(?:(?!\*\/)[^])*\*\/\nexport function opening\([^]*?\n\}\n/;

/** What the engine says of the page in `language`; JSON has no bytes, so they become text. */
const asJson = (opening) => JSON.stringify(opening, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value));

async function engineOf(site) {
  const glue = site.text('engine.js');
  const engine = await import(`data:text/javascript;base64,${Buffer.from(glue).toString('base64')}`);
  engine.initSync({ module: site.files.get('engine.wasm') });
  return engine;
}

async function scripts(site) {
  const engine = await engineOf(site);
  const keys = [...new Set([...site.text('index.html').matchAll(KEY)].map(([, key]) => key))];
  const template = site.text('opening.js');
  return Promise.all(LANGUAGES.map(async (language) => {
    // The page's own words are English.
    const opening = engine.opening(language, language === 'en' ? [] : keys);
    if (!opening) throw new Error(`the page in "${language}" opens with a map that opening.js cannot draw`);
    const filled = template.replace('{/* the build */}', () => asJson(opening));
    const { code } = await transform(filled, { minify: true, target: 'esnext', charset: 'utf8', legalComments: 'none' });
    return [language, code];
  }));
}

export default async function opening(site) {
  const listed = [];
  for (const [language, code] of site.isDrawn ? await scripts(site) : []) {
    site.write(`opening-${language}.js`, code);
    listed.push(`${language}: ['./opening-${language}.js', '${digest(site.files.get(`opening-${language}.js`))}']`);
  }
  site.replace('boot.js', '{/* the build */}', `{ ${listed.join(', ')} }`);
  site.files.delete('opening.js');
  if (site.isDrawn && site.isSplit) site.replace('engine.js', new RegExp(GLUE, 'g'), '');
}
