// What becomes of trunk's output before it is dist/: run by trunk's post_build hook over its staging folder, so that every build,
// quick or not, makes the same files. Plain Node; the same input gives the same bytes.
//
// A step is a file of this folder whose default export takes the site and changes it. Until `names` runs, files have plain names
// (`engine.js`), and one says another's as './name' in quotes; `names` gives each its final name and puts that in all quotes.

import { readFile } from 'node:fs/promises';
import about, { address } from './about.mjs';
import compress from './compress.mjs';
import element from './element.mjs';
import engine from './engine.mjs';
import icons from './icons.mjs';
import integrity from './integrity.mjs';
import manifest from './manifest.mjs';
import minify from './minify.mjs';
import names from './names.mjs';
import offline from './offline.mjs';
import oneFile from './one_file.mjs';
import pack from './package.mjs';
import policy from './policy.mjs';
import { open } from './site.mjs';
import styles from './styles.mjs';

const STEPS = [styles, engine, pack, oneFile, element, icons, manifest, about, policy, minify, names, address, integrity, offline, compress];

/** All steps over the files in `folder`. */
export async function finish(folder, options = {}) {
  const site = await open(folder, options);
  for (const step of STEPS) await step(site);
  await site.close();
}

if (process.env.TRUNK_STAGING_DIR) {
  await finish(process.env.TRUNK_STAGING_DIR, {
    // ./dev serve: trunk's own reload script stands in the page, and nothing may be kept that is about to change.
    isServed: process.env.PLAYGROUND_SERVE === '1',
    // Only where somebody will host it: both take seconds.
    isSplit: process.env.PLAYGROUND_COMPRESS === '1',
    isCompressed: process.env.PLAYGROUND_COMPRESS === '1',
    // The first picture is drawn by the engine as it is built.
    isDrawn: true,
    // Where to write the names of the engine's functions, if each is to count its calls.
    counted: process.env.PLAYGROUND_COUNTED,
    // Where the npm package is put together, if it is wanted.
    package: process.env.PLAYGROUND_PACKAGE,
    // Where it will stand, with a slash at the end, if that is known.
    address: process.env.PLAYGROUND_ADDRESS,
    repository: /^repository = "(https:[^"]+)"$/m.exec(await readFile(new URL('../../Cargo.toml', import.meta.url), 'utf8'))?.[1],
  });
}
