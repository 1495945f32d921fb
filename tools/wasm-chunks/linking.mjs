// What the linker knows of a module that it has written with `--emit-relocs` (https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md):
// where each datum lies, and which one is meant where an address is written.

const [CUSTOM, CODE, DATA] = [0, 10, 11];
const SYMBOL_TABLE = 8;
const SYMBOL = { data: 1, section: 3 };
const [UNDEFINED, EXPLICIT_NAME] = [0x10, 0x40];
/** Relocations that write the address of a datum, those that write a function's place in the table, and the others that hold an addend. */
const OF_DATA = [3, 4, 5];
const OF_TABLE = { inCode: 1, inData: 2 };
const OTHERS_WITH_ADDEND = [8, 9];

/** Reads numbers and names one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    let [value, scale, byte] = [0, 1, 0];
    do {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte & 0x80);
    return value;
  }

  /** A number that may be below zero. */
  signed() {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return shift < 32 && byte & 0x40 ? value | (-1 << shift) : value;
  }

  name() {
    const length = this.number();
    return this.bytes.toString('utf8', this.at, this.at += length);
  }

  list(read) {
    return Array.from({ length: this.number() }, () => read(this));
  }
}

/** The sections of a module as `{ id, name, at, end }`; only custom ones have a name. */
function sectionsOf(bytes) {
  const [sections, reader] = [[], new Reader(bytes, 8)];
  while (reader.at < bytes.length) {
    const [id, length] = [reader.byte(), reader.number()];
    const end = reader.at + length;
    const name = id === CUSTOM ? reader.name() : '';
    sections.push({ id, name, at: reader.at, end });
    reader.at = end;
  }
  return sections;
}

/** The bytes of a custom section; none where there is no such section. */
export function sectionOf(wasm, wanted) {
  const section = sectionsOf(wasm).find(({ name }) => name === wanted);
  return section ? wasm.subarray(section.at, section.end) : Buffer.alloc(0);
}

/** Each segment of data as `{ address, place, length }`, `place` from the beginning of the section. */
function segmentsOf(bytes, section) {
  return new Reader(bytes, section.at).list((reader) => {
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Error('a segment of data is not active');
    const address = reader.signed();
    if (reader.byte() !== 0x0b) throw new Error('the address of a segment is computed');
    const length = reader.number();
    const place = reader.at - section.at;
    reader.at += length;
    return { address, place, length };
  });
}

function symbol(reader, segments) {
  const [kind, flags] = [reader.byte(), reader.number()];
  if (kind === SYMBOL.section) {
    reader.number();
    return null;
  }
  if (kind !== SYMBOL.data) {
    reader.number();
    if (!(flags & UNDEFINED) || flags & EXPLICIT_NAME) reader.name();
    return null;
  }
  const name = reader.name();
  if (flags & UNDEFINED) return null;
  const [segment, offset, size] = [reader.number(), reader.number(), reader.number()];
  return size > 0 ? { name, start: segments[segment].address + offset, size } : null;
}

function symbolsOf(bytes, section, segments) {
  const reader = new Reader(bytes, section.at);
  reader.number();
  while (reader.at < section.end) {
    const [kind, length] = [reader.byte(), reader.number()];
    if (kind === SYMBOL_TABLE) return reader.list(() => symbol(reader, segments));
    reader.at += length;
  }
  throw new Error('the module has no table of symbols');
}

/** What is written where: each address of a datum as `{ place, symbol, addend }`, each place in the table as `{ place, isSlot }`. */
function relocationsOf(bytes, section, symbols) {
  const reader = new Reader(bytes, section.at);
  reader.number();
  return reader.list(() => {
    const [type, place, index] = [reader.byte(), reader.number(), reader.number()];
    const hasAddend = OF_DATA.includes(type) || OTHERS_WITH_ADDEND.includes(type);
    const addend = hasAddend ? reader.signed() : 0;
    if (Object.values(OF_TABLE).includes(type)) return { place, isSlot: true };
    return OF_DATA.includes(type) && symbols[index] ? { place, symbol: symbols[index], addend } : null;
  }).filter(Boolean);
}

/**
 * The data of a linked module: `symbols`, each `{ name, start, size }`; `meant`, the symbols by the addresses that code writes for them;
 * `points`, the symbols whose addresses each symbol holds; `slots`, the places in the table that each symbol holds, as tables of methods do, and
 * `codeSlots`, those that code writes; and `holds(address, bytes)`, whether these bytes are at this address.
 */
export function linked(bytes) {
  const sections = sectionsOf(bytes);
  const section = (name) => sections.find((own) => own.name === name) ?? (() => { throw new Error(`the module has no section ${name}`); })();
  const segments = segmentsOf(bytes, sections.find(({ id }) => id === DATA));
  const symbols = symbolsOf(bytes, section('linking'), segments);
  const data = symbols.filter(Boolean).sort((one, other) => one.start - other.start);
  const meant = new Map();
  const code = sections.find(({ id }) => id === CODE);
  const codeSlots = new Set();
  for (const { place, symbol, addend, isSlot } of relocationsOf(bytes, section('reloc.CODE'), symbols)) {
    if (isSlot) {
      codeSlots.add(new Reader(bytes, code.at + place).signed());
      continue;
    }
    const address = symbol.start + addend;
    meant.set(address, (meant.get(address) ?? new Set()).add(symbol));
  }
  const [points, slots] = [0, 1].map(() => new Map(data.map((own) => [own, new Set()])));
  const { at } = sections.find(({ id }) => id === DATA);
  for (const { place, symbol, isSlot } of relocationsOf(bytes, section('reloc.DATA'), symbols)) {
    const segment = segments.find((own) => place >= own.place && place < own.place + own.length);
    const address = segment.address + place - segment.place;
    const held = isSlot ? [slots, bytes.readUInt32LE(at + place)] : [points, symbol];
    for (const holder of data.filter(({ start, size }) => start <= address && address < start + size)) held[0].get(holder).add(held[1]);
  }
  const holds = (address, held) => segments.some((own) => {
    const from = at + own.place + address - own.address;
    const isInside = address >= own.address && address + held.length <= own.address + own.length;
    return isInside && bytes.subarray(from, from + held.length).equals(held);
  });
  return { symbols: data, meant, points, slots, codeSlots, holds };
}
