// Takes functions that are loaded later out of a WebAssembly module, into modules of their own, the chunks (README.md).

import { moduleOf, textOf } from './binaryen.mjs';
import { numbersIn, takeData } from './data.mjs';
import { linked } from './linking.mjs';
import { ENGINE } from './places.mjs';
import { itemsOf, namesIn } from './wat.mjs';

/** The first chunk that is there whenever one of `wanted` is: `chunks` says which one each needs. */
function commonChunk(wanted, chunks) {
  const withNeeded = (chunk) => (chunk ? [chunk, ...withNeeded(chunks[chunk].needs)] : []);
  const [first, ...others] = [...wanted].map(withNeeded);
  return first?.find((chunk) => others.every((loaded) => loaded.includes(chunk)));
}

/** The chunk of each function that is in one. */
function assigned(functions, items, { chunks, chunkOf }) {
  const homes = new Map();
  const callers = new Map([...functions.keys()].map((name) => [name, new Set()]));
  // JavaScript, which stands between modules, cannot pass a vector on.
  const named = (wanted) => new Set(items.filter(({ kind }) => kind === wanted).flatMap(({ text }) => namesIn(text)));
  const [inTables, exported] = [named('elem'), named('export')];
  const movable = [...functions.values()].filter(({ name, signature }) => !exported.has(name) && !signature.includes('v128')).map(({ name }) => name);
  for (const name of movable) {
    const chunk = chunkOf(name, inTables.has(name));
    if (chunk) homes.set(name, chunk);
  }
  for (const { name, references } of functions.values()) {
    for (const called of references) if (called !== name) callers.get(called)?.add(name);
  }
  // What tables name may be called by anybody.
  for (let before = -1; before !== homes.size;) {
    before = homes.size;
    for (const name of movable.filter((name) => !homes.has(name) && !inTables.has(name))) {
      const chunk = commonChunk(new Set([...callers.get(name)].map((caller) => homes.get(caller))), chunks);
      if (chunk) homes.set(name, chunk);
    }
  }
  return homes;
}

/** The texts of the engine and of its chunks, and the names that functions have between them. */
function split(whole, plan, data) {
  const functions = new Map(whole.filter(({ kind }) => kind === 'func').map((item) => [item.name, item]));
  const homes = assigned(functions, whole, plan);
  const homeOf = (name) => homes.get(name) ?? ENGINE;
  const { left: items, taken } = takeData(whole, ({ name }) => homeOf(name), data);
  const all = [ENGINE, ...Object.keys(plan.chunks)];
  const texts = new Map(all.map((home) => [home, { imports: [], exports: [], rest: [] }]));
  const keys = new Map();
  const keyOf = (name) => keys.get(name) ?? keys.set(name, `_${keys.size.toString(36)}`).get(name);
  const wanted = new Map(all.map((home) => [home, new Set()]));
  const want = (home, name) => {
    if (functions.has(name) && homeOf(name) !== home) wanted.get(home).add(name);
  };
  for (const item of items) {
    const home = item.kind === 'func' ? homeOf(item.name) : ENGINE;
    for (const name of item.references) want(home, name);
    if (item.kind === 'elem') for (const name of namesIn(item.text)) want(home, name);
  }
  const exported = new Set();
  for (const [home, names] of wanted) {
    for (const name of names) {
      texts.get(home).imports.push(` (import "${homeOf(name)}" "${keyOf(name)}" (func ${name}${functions.get(name).signature}))`);
      if (!exported.has(name)) texts.get(homeOf(name)).exports.push(` (export "${keyOf(name)}" (func ${name}))`);
      exported.add(name);
    }
  }
  for (const item of items) place(item, texts, homeOf, keyOf);
  for (const [chunk, data] of taken) texts.get(chunk).rest.push(...data.map(({ text }) => text));
  return { texts: new Map([...texts].map(([home, { imports, exports, rest }]) => [home, ['(module', ...imports, ...rest, ...exports, ')'].join('\n')])), keys };
}

/** Puts an item where it belongs: types and imports into every module, memory, tables and globals into the engine, which exports them to the chunks. */
function place(item, texts, homeOf, keyOf) {
  const { engine, ...chunks } = Object.fromEntries(texts);
  const exported = /^ \((memory|table|global) (\S+) (.*)\)$/.exec(item.lines[0]);
  if (item.kind === 'type' || item.kind === 'import') texts.forEach(({ imports }) => imports.push(item.text));
  else if (item.kind === 'func') texts.get(homeOf(item.name)).rest.push(item.text);
  else engine.rest.push(item.text);
  if (!exported) return;
  const [, kind, name, type] = exported;
  const declared = kind === 'global' ? type.replace(/ \(\w+\.const [^)]*\)$/, '') : type;
  for (const { imports } of Object.values(chunks)) imports.push(` (import "engine" "${keyOf(`${kind} ${name}`)}" (${kind} ${name} ${declared}))`);
  engine.exports.push(` (export "${keyOf(`${kind} ${name}`)}" (${kind} ${name}))`);
}

/** What the linker knows of the data of the module that it has written. */
export const linkedData = async (wasm) => ({ ...linked(wasm), numbers: new Set(numbersIn(await textOf(wasm))) });

/**
 * The bytes of the engine and of each chunk, and a list of the names between them. `plan` has `chunks`, by their names, with the one that each
 * `needs`; `chunkOf(name, isInTable)`, the chunk of a function; and `prepare(items)`, the items of the module to split. `data` is what the linker
 * knows of the module's data.
 */
export async function splitModule(wasm, { prepare = (items) => items, ...plan }, data) {
  const { texts, keys } = split(prepare(itemsOf(await textOf(wasm))), plan, data);
  const passes = ['remove-unused-module-elements', 'reorder-functions-by-name', 'strip-debug', 'strip-producers'].map((pass) => `--${pass}`);
  const files = new Map(await Promise.all([...texts].map(async ([home, text]) => [home, await moduleOf(text, ...passes)])));
  return { files, names: [...keys].map(([name, key]) => `${key} ${name}\n`).join('') };
}
