// Names for files that may be kept for ever: a part of each is the hash of its final bytes. Files that people and browsers ask for by
// a fixed name stay as they are and are the only ones that must be asked for anew.

import { createHash } from 'node:crypto';
import { isText } from './site.mjs';

/** What keeps its name. */
const FIXED = /^(index\.html|one-file\.html|sw\.js|attention-playground\.js|manifest\.webmanifest|models\.json)$/;
const QUOTED = /(["'`])\.\/([\w./-]+)\1/g;

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const hashed = (name, bytes) => name.replace(/(\.\w+)$/, `-${hash(bytes)}$1`);

export default function names(site) {
  const done = new Map();

  // A file's bytes hold the names of others, so those come first.
  const settle = (name) => {
    if (done.has(name)) return done.get(name);
    done.set(name, null);
    if (isText(name)) {
      site.write(name, site.text(name).replace(QUOTED, (all, quote, other) => (site.files.has(other) || done.has(other) ? `${quote}./${final(name, other)}${quote}` : all)));
    }
    const own = FIXED.test(name) ? name : hashed(name, site.files.get(name));
    done.set(name, own);
    return own;
  };
  const final = (from, name) => {
    const own = FIXED.test(name) ? name : settle(name);
    if (!own) throw new Error(`${from} and ${name} name each other: neither can have its hash in its name`);
    return own;
  };

  const plain = [...site.files.keys()];
  for (const name of plain) settle(name);
  site.files = new Map(plain.map((name) => [done.get(name), site.files.get(name)]));
  site.named = (name) => done.get(name);
}
