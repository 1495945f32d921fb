// A folder as .tar.gz and .zip with the same bytes on every machine: names in order, no owner, and one time for all: that of the commit.
// A time that is too old would do harm: where a host says nothing of caching, browsers keep a file the longer the older it is.

import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { crc32 } from './crc32.mjs';

/** `[name, bytes]` of every file below `folder`, under a folder called `top`. */
export async function filesOf(folder, top) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const named = paths.map((path) => [`${top}/${relative(folder, path).split(sep).join('/')}`, path]);
  named.sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(named.map(async ([name, path]) => [name, await readFile(path)]));
}

const octal = (number, length) => `${number.toString(8).padStart(length - 1, '0')}\0`;

function tarHeader(name, size, seconds) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for a tar archive`);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(seconds, 12), 100);
  header.write('        0', 148); // The sum is taken as if it were blanks; 0 is a plain file.
  header.write('ustar\x0000', 257);
  const sum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** `seconds` since 1970. */
export function tarGz(files, seconds) {
  const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
  const blocks = files.flatMap(([name, bytes]) => [tarHeader(name, bytes.length, seconds), padded(bytes)]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
  packed[9] = 255; // The system that packed it is nobody's business.
  return packed;
}

/** Time and date as zip has them since 1980, in universal time. */
function dosTime(seconds) {
  const at = new Date(seconds * 1000);
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

/** What a file's own header and its entry in the directory share. */
function zipFields(name, bytes, packed, seconds) {
  const [time, date] = dosTime(seconds);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0); // needs version 2.0
  fields.writeUInt16LE(0x0800, 2); // the name is UTF-8
  fields.writeUInt16LE(8, 4); // deflated
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

export function zip(files, seconds) {
  const [bodies, entries] = [[], []];
  let offset = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const fields = zipFields(name, bytes, packed, seconds);
    const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14); // comment, disk and attributes: none
    place.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), fields, place, Buffer.from(name)]));
    bodies.push(body);
    offset += body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}
