// Data that only a chunk's functions read goes along with them: it is put where it was when the chunk is loaded. What a function reads cannot
// be told from a finished module, so this is done for long texts that are known: shaders, and the texts of a language.

import { readdir, readFile } from 'node:fs/promises';
import { dataItem, dataOf } from './wat.mjs';

const SHADERS = new URL('../../crates/gpu/shaders/', import.meta.url);
/** The texts of a language in the module, as `build/lines.rs` writes them. */
const LANGUAGE = /\x02(\w+)\n[^\x03]*\x03/g;

/** The shaders as the module holds them (`crates/gpu/build.rs`). */
export async function shaders() {
  const names = (await readdir(SHADERS)).filter((name) => name.endsWith('.wgsl')).sort();
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, SHADERS), 'utf8')));
  return sources.map((source) => source.split('\n').map((line) => line.split('//')[0].trim()).filter(Boolean).map((line) => `${line}\n`).join(''));
}

/** Where in `bytes` there is what goes into a chunk. */
function places(bytes, chunks, contents) {
  const found = [];
  const add = (chunk, start, end) => found.push({ chunk, start, end });
  for (const [chunk, texts] of Object.entries(contents)) {
    for (const text of texts) {
      const start = bytes.indexOf(text);
      if (start >= 0) add(chunk, start, start + Buffer.byteLength(text));
    }
  }
  const characters = bytes.toString('latin1');
  for (const { 0: all, 1: language, index } of characters.matchAll(LANGUAGE)) {
    if (chunks.includes(language)) add(language, index, index + all.length);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Takes the data of chunks out of a module's items: the items that are left, and those of each chunk. `contents` are texts by chunk. */
export function takeData(items, chunks, contents) {
  const taken = new Map(chunks.map((chunk) => [chunk, []]));
  const left = items.flatMap((item) => {
    const data = dataOf(item);
    const cuts = data ? places(data.bytes, chunks, contents) : [];
    if (cuts.length === 0) return [item];
    const rest = [];
    let done = 0;
    const piece = (start, end) => dataItem(`$data.${data.address + start}`, data.address + start, data.bytes.subarray(start, end));
    for (const { chunk, start, end } of cuts) {
      if (start < done) continue;
      if (start > done) rest.push(piece(done, start));
      taken.get(chunk).push(piece(start, end));
      done = end;
    }
    if (done < data.bytes.length) rest.push(piece(done, data.bytes.length));
    return rest;
  });
  return { left, taken };
}
