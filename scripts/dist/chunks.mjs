// Code splitting: functions that opening a page does not call stand in modules of their own, the chunks. Sources say which (`chunk!`), `./dev calls`
// which others, and `tools/wasm-chunks` takes them out of the engine's module. A call into one leads there through `chunks.js`, whether it is
// loaded or not, so a wrong guess costs time, and stops the page where the file of the chunk cannot be had.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainName } from '../../tools/wasm-chunks/calls.mjs';
import { declaredIn, Places } from '../../tools/wasm-chunks/places.mjs';
import { linkedData, splitModule } from '../../tools/wasm-chunks/split.mjs';
import { shortenGlue, shortenItems } from './glue_names.mjs';
import { digest } from './integrity.mjs';

const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../../target', import.meta.url));
/** The names of functions in chunks, with those in the sources: for people who look for what a page had to wait for. */
const NAMES = join(TARGET, 'chunks.txt');
/** The engine as the linker has written it. */
const LINKED = join(TARGET, 'wasm32-unknown-unknown/release/attention-playground.wasm');

/** Names of functions that a visit does not call before its first input, by the chunk for them: written by `./dev calls`. */
const UNCALLED = JSON.parse(await readFile(new URL('uncalled.json', import.meta.url), 'utf8'));
const LATER = new Map(['input', 'more'].flatMap((chunk) => UNCALLED[chunk].map((name) => [name, chunk])));
/** Names of functions that common settings call, wherever they are declared to be. */
const COMMON = new Set(UNCALLED.common);

/**
 * The chunks. Windows load those that are `isForInput` at their first input, and others when they are known to be needed; workers load each at its
 * first call. The chunk of a language has its name, which is how `boot.js` and `element.js` ask for it. A chunk is loaded with the one that it
 * `needs`, where what they share is.
 */
const CHUNKS = {
  input: { isForInput: true },
  gpu: {},
  code: { needs: 'more' },
  host: { needs: 'input' },
  model: { needs: 'more' },
  models: { needs: 'more' },
  gpu_models: { needs: 'models' },
  checkpoints: { needs: 'models' },
  zh: { isForInput: true },
  lessons_en: {},
  lessons_zh: {},
  lesson_writing: { needs: 'lessons' },
  lessons: { needs: 'more' },
  more: { isForInput: true, needs: 'input' },
};

/** Packages that the chunk `checkpoints` is built on. What their code hands on as a pointer is called there, unless the engine calls it by its name. */
const OF_CHECKPOINTS = /^\$"?<?(?:[\w:]*<)?(?:ahash|aho_corasick|base64|bit_set|bit_vec|compact_str|crossbeam\w*|daachorse|dary_heap|esaxx_rs|fancy_regex|getrandom|memchr|monostate|nom|rand\w*|rayon\w*|regex\w*|serde\w*|smallvec|spm_precompiled|tokenizers|unicode_\w+)::/;

/** Constructors of what stands on the page, and observers, which tell at once how things are: opening a page calls them. */
const CONSTRUCTORS = /^attention_playground::browser::.*::(new|default|find|watch)$/;

/** What sets listeners stays as well; what it hands on to be called later, which stands in a table, does not. */
const LISTENERS = /^attention_playground::browser::.*::(listen|listeners|drops)$/;

/** What only the build calls (`opening.mjs`): without its export it is not in the engine, nor is what only it calls. */
const BUILD_ONLY = /^ \(export "opening"/;

/** Where the sources of the engine, as the linker has written it, say that its functions belong. */
export const declaredPlaces = async () => new Places(declaredIn(await readFile(LINKED)), (path, isInTable) => CONSTRUCTORS.test(path) || (LISTENERS.test(path) && !isInTable));

/** How the engine is split, with functions where `places` says. `glue` has the names that the glue has from then on, once that is done. */
export function planOf(places) {
  const glue = {};
  return {
    glue,
    chunks: CHUNKS,
    chunkOf: (name, isInTable) => (COMMON.has(plainName(name)) ? 'input' : places.chunkOf(name, isInTable)),
    pointerOf: (name) => (OF_CHECKPOINTS.test(name) ? 'checkpoints' : null),
    laterOf: (name) => LATER.get(plainName(name)),
    prepare(items) {
      const sent = items.filter(({ lines }) => !BUILD_ONLY.test(lines[0]));
      Object.assign(glue, shortenItems(sent));
      return sent;
    },
  };
}

export default async function chunks(site) {
  const listed = [];
  if (site.isSplit) {
    const plan = planOf(await declaredPlaces());
    const { files, names } = await splitModule(site.files.get('engine.wasm'), plan, await linkedData(await readFile(LINKED)));
    await writeFile(NAMES, names);
    site.write('engine.js', shortenGlue(site.text('engine.js'), plan.glue));
    site.files.set('engine.wasm', files.get('engine'));
    for (const [chunk, { isForInput = false, needs = '' }] of Object.entries(CHUNKS)) {
      site.files.set(`engine-${chunk}.wasm`, files.get(chunk));
      listed.push(`  ${chunk}: { isForInput: ${isForInput}, needs: '${needs}', url: new URL('./engine-${chunk}.wasm', import.meta.url).href, integrity: '${digest(files.get(chunk))}' },\n`);
    }
  }
  site.replace('engine.js', 'const imports = __wbg_get_imports();', 'const imports = withChunks(__wbg_get_imports());', 2);
  site.write('engine.js', `${site.text('engine.js')}\nconst CHUNKS = {\n${listed.join('')}};\n${site.text('chunks.js')}`);
  site.files.delete('chunks.js');
}
