// Beside every file that gains by it, the same as .br and .gz, for servers that hand those out. The page as one file is packed inside.

import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ONE_FILE } from './one_file.mjs';
import { isText } from './site.mjs';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

export default async function compress(site) {
  if (!site.isCompressed) return;
  const names = [...site.files.keys()].filter((name) => (isText(name) && name !== ONE_FILE) || name.endsWith('.wasm'));
  await Promise.all(names.map(async (name) => {
    const bytes = site.files.get(name);
    const mode = isText(name) ? zlib.constants.BROTLI_MODE_TEXT : zlib.constants.BROTLI_MODE_GENERIC;
    const params = { [zlib.constants.BROTLI_PARAM_MODE]: mode, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const smaller = { br: await brotli(bytes, { params }), gz: await gzip(bytes, { level: 9 }) };
    for (const [ending, packed] of Object.entries(smaller)) {
      if (packed.length < bytes.length) site.files.set(`${name}.${ending}`, packed);
    }
  }));
}
