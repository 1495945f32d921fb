// Takes functions that are loaded later out of a WebAssembly module, into modules of their own, the chunks (README.md).

import { moduleOf, textOf } from './binaryen.mjs';
import { numbersIn, readersOf, takeData } from './data.mjs';
import { linked } from './linking.mjs';
import { ENGINE } from './places.mjs';
import { itemsOf, namesIn } from './wat.mjs';

/** The first chunk that is there whenever one of `wanted` is: `chunks` says which one each needs. */
function commonChunk(wanted, chunks) {
  const withNeeded = (chunk) => (chunk ? [chunk, ...withNeeded(chunks[chunk].needs)] : []);
  const [first, ...others] = [...wanted].map(withNeeded);
  return first?.find((chunk) => others.every((loaded) => loaded.includes(chunk)));
}

/** The functions of the table by their places, where it is filled as the linker has filled it. */
function tableOf(items) {
  const filled = items.filter(({ kind }) => kind === 'elem').flatMap(({ text }) => {
    const start = /\(i32\.const (\d+)\)/.exec(text);
    return start ? namesIn(text.slice(start.index)).map((name, at) => [Number(start[1]) + at, name]) : [];
  });
  return new Map(filled);
}

/** What functions lead to besides those that they call: the methods in the tables that they read, and what only such tables name. */
function methods(items, linked) {
  const table = tableOf(items);
  const [reads, reached] = [readersOf(linked), new Map()];
  const methodsOf = (symbol) => {
    if (reached.has(symbol)) return reached.get(symbol);
    const all = new Set([...linked.slots.get(symbol)].map((slot) => table.get(slot)).filter(Boolean));
    reached.set(symbol, all);
    for (const other of linked.points.get(symbol)) methodsOf(other).forEach((name) => all.add(name));
    return all;
  };
  const written = new Set([...linked.codeSlots].map((slot) => table.get(slot)));
  const held = new Set([...linked.slots.values()].flatMap((slots) => [...slots]).map((slot) => table.get(slot)));
  return { of: (item) => [...reads(item)].flatMap((symbol) => [...methodsOf(symbol)]), isInDataAlone: (name) => held.has(name) && !written.has(name) };
}

/** The chunk of each function that is in one: the declared one, that of what alone leads there, or that of its name. */
function assigned(functions, items, { chunks, chunkOf, pointerOf, laterOf }, linked) {
  const homes = new Map();
  // JavaScript, which stands between modules, cannot pass a vector on.
  const named = (wanted) => new Set(items.filter(({ kind }) => kind === wanted).flatMap(({ text }) => namesIn(text)));
  const [inTables, exported, own] = [named('elem'), named('export'), methods(items, linked)];
  const movable = [...functions.values()].filter(({ name, signature }) => !exported.has(name) && !signature.includes('v128')).map(({ name }) => name);
  const led = new Map([...functions.values()].map((item) => [item.name, [...item.references, ...own.of(item)]]));
  const others = items.filter(({ kind }) => kind !== 'func' && kind !== 'data' && kind !== 'elem').flatMap(own.of);
  // Functions that are alike are one, by the name of any of them: who calls it knows better.
  const calledByEngine = () => new Set([...functions.values()].filter(({ name }) => !homes.has(name)).flatMap(({ references }) => [...references]));
  const pointers = (name, isInTable, called) => (isInTable && !called.has(name) ? pointerOf(name) : null);
  for (const wanted of [chunkOf, pointers, laterOf]) {
    const called = calledByEngine();
    for (const name of movable.filter((name) => !homes.has(name))) {
      const chunk = wanted(name, inTables.has(name), called);
      if (chunk) homes.set(name, chunk);
    }
    // What code has in the table may be called by anybody.
    const free = new Set(movable.filter((name) => !homes.has(name) && (!inTables.has(name) || own.isInDataAlone(name))));
    for (const [name, chunk] of followers(led, homes, free, [chunks, others])) homes.set(name, chunk);
  }
  return homes;
}

/** Functions of `free` that chunks alone lead to, directly or by each other, with the chunk that is there whenever one of these is. */
function followers(led, homes, free, [chunks, others]) {
  const reachedBy = new Map([...free].map((name) => [name, new Set()]));
  const reach = (found, home) => {
    const from = [...found];
    for (const name of from) {
      const known = reachedBy.get(name);
      if (!known || known.has(home)) continue;
      known.add(home);
      from.push(...led.get(name));
    }
  };
  const fixed = [...led.keys()].filter((name) => !free.has(name));
  for (const home of [ENGINE, ...Object.keys(chunks)]) reach(fixed.filter((name) => (homes.get(name) ?? ENGINE) === home).flatMap((name) => led.get(name)), home);
  reach(others, ENGINE);
  const homeOf = (name) => (reachedBy.get(name).has(ENGINE) ? ENGINE : commonChunk(reachedBy.get(name), chunks));
  // What chunks share that have none in common is the engine's, and so is what it leads to.
  for (let left; (left = [...free].filter((name) => reachedBy.get(name).size > 0 && homeOf(name) === undefined)).length > 0;) reach(left, ENGINE);
  return [...free].map((name) => [name, homeOf(name)]).filter(([, home]) => home !== undefined && home !== ENGINE);
}

/** The texts of the engine and of its chunks, and the names that functions have between them. */
function split(whole, plan, data) {
  const functions = new Map(whole.filter(({ kind }) => kind === 'func').map((item) => [item.name, item]));
  const homes = assigned(functions, whole, plan, data);
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
 * `needs`; `chunkOf(name, isInTable)`, the chunk that a function is declared to be in, `pointerOf(name)`, that of one which the engine does not call by its name, and
 * `laterOf(name)`, that of one which no chunk alone leads to; and `prepare(items)`, the items of the module to split. `data` is what the linker
 * knows of the module's data.
 */
export async function splitModule(wasm, { prepare = (items) => items, ...plan }, data) {
  const { texts, keys } = split(prepare(itemsOf(await textOf(wasm))), plan, data);
  const passes = ['remove-unused-module-elements', 'reorder-functions-by-name', 'strip-debug', 'strip-producers'].map((pass) => `--${pass}`);
  const files = new Map(await Promise.all([...texts].map(async ([home, text]) => [home, await moduleOf(text, ...passes)])));
  return { files, names: [...keys].map(([name, key]) => `${key} ${name}\n`).join('') };
}
