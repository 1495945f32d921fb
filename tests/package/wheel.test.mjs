// The wheel of the Python package: what is in it, and how large it is.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const FOLDER = process.env.PLAYGROUND_PACKAGES;
const MOST_BYTES = 1_500_000;

/** Names and sizes of the element's files in the wheel, and names of all of the wheel's files. */
const LIST = `
import io, json, sys, tarfile, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
element = tarfile.open(fileobj=io.BytesIO(wheel.read("attention_playground/element.tar.xz")), mode="r:xz")
print(json.dumps([wheel.namelist(), {entry.name: entry.size for entry in element}]))
`;

test('the wheel holds the element with its chunks, and is small enough to be installed in a lecture', async () => {
  const [name, ...others] = (await readdir(FOLDER)).filter((name) => name.endsWith('.whl'));
  assert.match(name, /^attention_playground-[\d.]+-py3-none-any\.whl$/);
  assert.deepEqual(others, []);
  const { size } = await stat(join(FOLDER, name));
  assert.ok(size <= MOST_BYTES, `${size} bytes`);
  const [files, element] = JSON.parse(execFileSync('python3', ['-c', LIST, join(FOLDER, name)], { encoding: 'utf8' }));
  for (const file of ['__init__.py', 'widget.js', 'widget.py']) assert.ok(files.includes(`attention_playground/${file}`), file);
  assert.ok(!files.some((file) => /test/.test(file)), 'no tests');
  const leftOut = ['define.js', 'engine-checkpoints.wasm', 'index.js'];
  const modules = (await readdir(join(FOLDER, 'files'))).filter((file) => /\.(js|wasm)$/.test(file) && !leftOut.includes(file));
  const packed = [...modules.map((file) => join(FOLDER, 'files', file)), ...['in_memory.js', 'layer_field.js', 'one_file.html'].map((file) => join(FOLDER, 'in-memory', file))];
  const sizes = await Promise.all(packed.map(async (file) => [basename(file), (await stat(file)).size]));
  assert.deepEqual(element, Object.fromEntries(sizes));
});
