// Data that only a chunk's functions read goes along with them: it is put where it was when the chunk is loaded. Functions read what their
// addresses are those of, which the linker knows (`linking.mjs`), and whatever that leads to.

import { ENGINE } from './places.mjs';
import { dataItem, dataOf } from './wat.mjs';

/** Every number in the text of a module that may be an address. */
export const numbersIn = (text) => [...text.matchAll(/(?:i32\.const |offset=)(\d+)/g)].map(([, written]) => Number(written));

/** A piece of fewer bytes is not worth what it costs to say where it belongs. */
const LEAST = 32;
/** What lies between two data that are aligned. */
const PADDING = 16;

/** The data whose addresses an item writes. */
export function readersOf({ symbols, meant, numbers }) {
  // What the linker has seen as a number is none; what it has not seen at all may be an address that was changed since.
  const around = (address) => (numbers.has(address) ? [] : symbols.filter(({ start, size }) => start <= address && address < start + size));
  const [first, last] = symbols.length > 0 ? [symbols[0].start, symbols.at(-1).start + symbols.at(-1).size] : [0, -1];
  const isAddress = (number) => first <= number && number <= last;
  return ({ text }) => new Set(numbersIn(text).filter(isAddress).flatMap((address) => [...meant.get(address) ?? around(address)]));
}

/** Where each symbol is read: one chunk, or the engine, as is what several read. A symbol that nothing reads is in neither. */
function homesOf(items, homeOf, linked) {
  const readers = new Map();
  const read = (symbol, home) => {
    const before = readers.get(symbol);
    const now = before === undefined || before === home ? home : ENGINE;
    if (before === now) return;
    readers.set(symbol, now);
    linked.points.get(symbol).forEach((other) => read(other, now));
  };
  const dataOfItem = readersOf(linked);
  for (const item of items.filter(({ kind }) => kind !== 'data')) {
    for (const symbol of dataOfItem(item)) read(symbol, homeOf(item));
  }
  return readers;
}

/** Pieces of memory that belong to one chunk, as `{ chunk, start, end }` in their order. */
function piecesOf(readers, symbols) {
  const pieces = [];
  for (const symbol of symbols) {
    const [chunk, start, end] = [readers.get(symbol) ?? ENGINE, symbol.start, symbol.start + symbol.size];
    const before = pieces.at(-1);
    if (before && start < before.end) {
      // Two names for the same bytes.
      if (before.chunk !== chunk) before.chunk = ENGINE;
      before.end = Math.max(before.end, end);
    } else if (before && before.chunk === chunk && start - before.end < PADDING) {
      before.end = end;
    } else {
      pieces.push({ chunk, start, end });
    }
  }
  return pieces.filter(({ chunk, start, end }) => chunk !== ENGINE && end - start >= LEAST);
}

/**
 * Takes the data of chunks out of a module's items: the items that are left, and those of each chunk. `homeOf` is the home of an item, `linked`
 * what the linker knows, with all `numbers` in the module that it wrote.
 */
export function takeData(items, homeOf, linked) {
  const pieces = piecesOf(homesOf(items, homeOf, linked), linked.symbols);
  const taken = new Map(pieces.map(({ chunk }) => [chunk, []]));
  const left = items.flatMap((item) => {
    const data = dataOf(item);
    if (data && !linked.holds(data.address, data.bytes)) throw new Error('the linker knows another module than the one that is split');
    // A piece may lie in several items: what is zero is in none.
    const within = ({ chunk, start, end }) => ({ chunk, start: Math.max(start, data.address), end: Math.min(end, data.address + data.bytes.length) });
    const own = data ? pieces.map(within).filter(({ start, end }) => start < end) : [];
    if (own.length === 0) return [item];
    const part = (start, end) => dataItem(`$data.${start}`, start, data.bytes.subarray(start - data.address, end - data.address));
    const rest = [];
    let done = data.address;
    for (const { chunk, start, end } of own) {
      if (start > done) rest.push(part(done, start));
      taken.get(chunk).push(part(start, end));
      done = end;
    }
    if (done < data.address + data.bytes.length) rest.push(part(done, data.address + data.bytes.length));
    return rest;
  });
  return { left, taken };
}
