// Modules as text and back, by Binaryen's tools.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TOOLS = fileURLToPath(new URL('../../tests/browser/node_modules/.bin/', import.meta.url));
// Without relaxed-simd, whose results differ between machines: a module that has it is refused when it is made of its text.
const FEATURES = ['simd', 'bulk-memory', 'reference-types', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'multivalue'].map((feature) => `--enable-${feature}`);

/** What `tool` makes of a file with `bytes`. */
async function made(tool, bytes, ...options) {
  const folder = await mkdtemp(join(tmpdir(), 'binaryen-'));
  const [before, after] = ['before', 'after'].map((name) => join(folder, name));
  try {
    await writeFile(before, bytes);
    await run(join(TOOLS, tool), [...FEATURES, ...options, before, '-o', after]);
    return await readFile(after);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text of a module. */
export const textOf = async (wasm) => (await made('wasm-dis', wasm)).toString();

/** The module of a text, after passes of the optimiser. */
export const moduleOf = (text, ...passes) => made('wasm-opt', text, ...passes);
