// Scripts as browsers need them: names that nobody asks for are short, and what only people read is gone. The npm package keeps its own as
// they are, for bundlers to do the same.

import { createRequire } from 'node:module';

const { transform } = createRequire(new URL('../../tests/browser/package.json', import.meta.url))('esbuild');

// Not the service worker: its list of files is written last.
const SCRIPTS = ['boot.js', 'element.js', 'engine.js', 'offline.js', 'start.js'];

export default async function minify(site) {
  for (const name of SCRIPTS) {
    const { code } = await transform(site.text(name), { minify: true, target: 'esnext', charset: 'utf8', legalComments: 'none' });
    site.write(name, code);
  }
}
