// The page as it opens without a link, or with the link that it writes of that, drawn before the engine is there: the engine itself says,
// here, what is on that page, and `opening.js` becomes a script for each language that draws it. What the model of that page has learned is
// a file beside it, in 32 bits.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digest } from './integrity.mjs';

const { transform } = createRequire(new URL('../../tests/browser/package.json', import.meta.url))('esbuild');
const LANGUAGES = readdirSync(new URL('../../content', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
const KEY = /\bdata-t(?:-\w+)?="([\w-]+)"/g;
const CONDITION = /\bdata-when="([^"]+)"/g;
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

/** What stands in attributes of the page, each once. */
const written = (site, attribute) => [...new Set([...site.text('index.html').matchAll(attribute)].map(([, value]) => value.replaceAll('&amp;', '&')))];

async function openings(site) {
  const engine = await engineOf(site);
  const [keys, conditions] = [KEY, CONDITION].map((attribute) => written(site, attribute));
  const template = site.text('opening.js');
  return Promise.all(LANGUAGES.map(async (language) => {
    // The page's own words are English.
    const { layer, link, ...opening } = engine.opening(language, language === 'en' ? [] : keys, conditions) ?? {};
    if (!opening.map || !layer) throw new Error(`the page in "${language}" opens with a map that opening.js cannot draw`);
    const filled = template.replace('{/* the build */}', () => asJson(opening));
    const { code } = await transform(filled, { minify: true, target: 'esnext', charset: 'utf8', legalComments: 'none' });
    return { language, link, files: { [`opening-${language}.js`]: code, [`opening-${language}.f32`]: new Uint8Array(layer.buffer) } };
  }));
}

export default async function opening(site) {
  const listed = [];
  for (const { language, link, files } of site.isDrawn ? await openings(site) : []) {
    for (const [name, content] of Object.entries(files)) site.write(name, content);
    const named = Object.keys(files).map((name) => `['./${name}', '${digest(site.files.get(name))}']`);
    listed.push(`${language}: [${named.join(', ')}, ${JSON.stringify(link)}]`);
  }
  site.replace('boot.js', '{/* the build */}', `{ ${listed.join(', ')} }`);
  site.files.delete('opening.js');
  if (site.isDrawn && site.isSplit) site.replace('engine.js', new RegExp(GLUE, 'g'), '');
}
