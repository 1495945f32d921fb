// The service worker's list: the page and every file that it names, directly or through another, each with its digest, and a version that
// changes with any of them. The page says its version too, so that one from an older build is not taken for this one's.

import { createHash } from 'node:crypto';
import { digest } from './integrity.mjs';
import { isText } from './site.mjs';

const QUOTED = /["'`]\.\/([\w./-]+)["'`]/g;

/** Names of the files that `name` leads to, itself among them. */
function reached(site, name, seen = new Set()) {
  if (seen.has(name) || !site.files.has(name)) return seen;
  seen.add(name);
  if (isText(name)) for (const [, other] of site.text(name).matchAll(QUOTED)) reached(site, other, seen);
  return seen;
}

export default function offline(site) {
  if (site.isServed) {
    site.files.delete('sw.js');
    return;
  }
  const page = site.text('index.html');
  const names = [...reached(site, 'index.html')].filter((name) => !['index.html', 'sw.js'].includes(name)).sort();
  const files = Object.fromEntries(names.map((name) => [name, digest(site.files.get(name))]));
  const version = createHash('sha256').update(site.text('sw.js')).update(page).update(JSON.stringify(files)).digest('hex').slice(0, 16);
  site.replace('sw.js', '{ /* the build */ }', JSON.stringify({ version, files }, null, 2));
  site.replace('index.html', '</head>', `<meta name="build" content="${version}">\n</head>`);
}
