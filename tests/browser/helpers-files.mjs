// Files that the page makes, read by other means than its own.

import { readFile } from 'node:fs/promises';
import { expect } from './fixture.mjs';

/** What `act` makes the browser save: name and bytes. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  expect(await download.failure()).toBeNull();
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

const floats = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true));
};

/** `{ shape, data }` of an NPY file of 32-bit floats in C order. */
export function npy(bytes) {
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x93NUMPY\x01\x00', 'latin1'));
  const length = bytes.readUInt16LE(8);
  expect((10 + length) % 64).toBe(0);
  const header = bytes.toString('latin1', 10, 10 + length);
  const [, shape] = /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n$/.exec(header);
  return { shape: shape.split(',').filter((part) => part.trim()).map(Number), data: floats(bytes.subarray(10 + length)) };
}

/** Tensors of an archive by name, read through its directory. */
export function npz(bytes) {
  const tensors = {};
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    expect(bytes.readUInt16LE(at + 10), 'stored').toBe(0);
    const size = bytes.readUInt32LE(at + 24);
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const file = bytes.readUInt32LE(at + 42);
    const start = file + 30 + bytes.readUInt16LE(file + 26) + bytes.readUInt16LE(file + 28);
    tensors[name.replace(/\.npy$/, '')] = npy(bytes.subarray(start, start + size));
    at += 46 + nameLength + extra + comment;
  }
  expect(at).toBe(end);
  return tensors;
}

export function safetensors(bytes) {
  const length = Number(bytes.readBigUInt64LE(0));
  expect(length % 8).toBe(0);
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
  const body = bytes.subarray(8 + length);
  const tensor = ({ dtype, shape, data_offsets: [from, to] }) => {
    expect(dtype).toBe('F32');
    return { shape, data: floats(body.subarray(from, to)) };
  };
  return Object.fromEntries(Object.entries(header).map(([name, entry]) => [name, tensor(entry)]));
}

/** Rows of cells: what stands in quotes as text, everything else as a number. Lines that begin with # are left out. */
export function csv(bytes) {
  const lines = bytes.toString('utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  const cell = (text) => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : Math.fround(Number(text)));
  return lines.map((line) => line.match(/"(?:[^"]|"")*"|[^,]+/g).map(cell));
}

/** The tensors, without the names of rows and columns. JSON's numbers have more digits than 32 bits hold. */
export const json = (bytes) => Object.fromEntries(Object.entries(JSON.parse(bytes.toString('utf8'))).filter(([, { shape }]) => shape).map(
  ([name, { shape, data }]) => [name, { shape, data: data.map(Math.fround) }],
));
