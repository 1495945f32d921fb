// A module that is split into chunks computes what it computed whole.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { moduleOf } from '../binaryen.mjs';
import { Places } from '../places.mjs';
import { splitModule } from '../split.mjs';

const AS = fileURLToPath(new URL('../../../tests/browser/node_modules/.bin/wasm-as', import.meta.url));

// Numbers that stand in one function each, so that bytes tell where it is.
const [READ, HELP, BOTH, CLOSURE, VECTOR, STEP, SHARED] = [1111111, 2222222, 3333333, 4444444, 5555555, 7777777, 8888888];
const [SENT, EVERYWHERE] = [2323232, 3434343];
const [METHOD, INHERITED, POINTER, PING, PONG, PANG, LISTED, HANDED, CALLED] = [4141414, 4242424, 4343434, 5151515, 5252525, 5353535, 6161616, 7171717, 7272727];
/** The crate `files` is loaded later, `model` after that, and `page::send` beside both. */
const CHUNKS = { early: {}, model: { needs: 'late' }, host: { needs: 'early' }, late: { needs: 'early' } };
const DECLARED = [['late', 'files'], ['model', 'model'], ['host', 'page::send']].map(([chunk, path]) => ({ chunk, path, isImpl: false }));
const TEXT = `(module
  (type $unary (func (param i32) (result i32)))
  (import "./glue.js" "add" (func $add (param i32 i64) (result i32)))
  (global $stack (mut i32) (i32.const 64))
  (memory $memory 1)
  (export "memory" (memory $memory))
  (data (i32.const 0) "\\07")
  (data (i32.const 100) "${'a'.repeat(40)}${'e'.repeat(10)}${'c'.repeat(40)}${'b'.repeat(40)}\\00'${'d'.repeat(18)}")
  (data (i32.const 252) "${'d'.repeat(20)}\\5c\\ff${'f'.repeat(40)}${'g'.repeat(40)}")
  (table $table 7 7 funcref)
  (elem (i32.const 1) $"files::read::{{closure}}::h0123456789abcdef" $core::method $core::inherited $core::pointer $other::handed $other::called)
  (export "main" (func $page::main))
  (func $page::main (param $0 i32) (result i32)
    (i32.add
      (call $files::read (call $model::step (call $page::send (local.get $0))) (i64.const 5000000000))
      (i32.add (i32.add (i32.and (i32.load8_u (i32.const 100)) (i32.const 195)) (i32.load8_u (i32.const 150))) (i32.add (call_indirect $table (type $unary) (local.get $0) (i32.const 1)) (call $core::both (call $core::listed (call $other::called (call_indirect $table (type $unary) (local.get $0) (i32.const 4)))))))))
  (func $files::read (param $0 i32) (param $1 i64) (result i32)
    (global.set $stack (i32.add (global.get $stack) (i32.const 1)))
    (global.set $stack (i32.add (global.get $stack) (i32.load8_u (i32.const 140))))
    (global.set $stack (i32.add (global.get $stack) (i32.load8_u offset=190 (i32.const 0))))
    (global.set $stack (i32.add (global.get $stack) (i32.add (i32.load8_u (i32.const 151)) (i32.load8_u offset=32 (i32.const 300)))))
    (global.set $stack (i32.add (global.get $stack) (i32.add (call_indirect $table (type $unary) (local.get $0) (i32.const 2)) (call_indirect $table (type $unary) (local.get $0) (i32.const 3)))))
    (global.set $stack (i32.add (global.get $stack) (call $core::pointer (call $core::ping (i32.const 3)))))
    (i32.add (i32.add (call $core::help (call $core::shared (call $core::everywhere (local.get $0)))) (call $add (i32.const ${READ}) (local.get $1))) (call $core::both (i32.load8_u (i32.const 0)))))
  (func $"files::read::{{closure}}::h0123456789abcdef" (param $0 i32) (result i32) (i32.add (i32.add (local.get $0) (global.get $stack)) (i32.const ${CLOSURE})))
  (func $core::help (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.add (i32.const ${HELP}) (i8x16.extract_lane_s 0 (call $files::vector (i8x16.splat (local.get $0)))))))
  (func $model::step (param $0 i32) (result i32) (i32.add (call $core::shared (local.get $0)) (i32.const ${STEP})))
  (func $page::send (param $0 i32) (result i32) (i32.xor (call $core::everywhere (local.get $0)) (i32.const ${SENT})))
  (func $core::everywhere (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${EVERYWHERE})))
  (func $core::shared (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${SHARED})))
  (func $core::both (param $0 i32) (result i32) (i32.mul (local.get $0) (i32.const ${BOTH})))
  (func $core::method (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${METHOD})))
  (func $core::inherited (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${INHERITED})))
  (func $core::pointer (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${POINTER})))
  (func $other::handed (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${HANDED})))
  (func $other::called (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${CALLED})))
  (func $core::listed (param $0 i32) (result i32) (i32.xor (local.get $0) (i32.const ${LISTED})))
  (func $core::ping (param $0 i32) (result i32) (if (result i32) (local.get $0) (then (call $core::pong (i32.sub (local.get $0) (i32.const 1)))) (else (i32.const ${PING}))))
  (func $core::pong (param $0 i32) (result i32) (i32.xor (call $core::pang (local.get $0)) (i32.const ${PONG})))
  (func $core::pang (param $0 i32) (result i32) (i32.xor (call $core::ping (local.get $0)) (i32.const ${PANG})))
  (func $files::vector (param $0 v128) (result v128) (i32x4.add (local.get $0) (i32x4.splat (i32.const ${VECTOR}))))
)`;

const places = new Places(DECLARED);
const PLAN = {
  chunks: CHUNKS,
  chunkOf: (name, isInTable) => places.chunkOf(name, isInTable),
  pointerOf: (name) => (name.startsWith('$other::') ? 'late' : null),
  // A name that all instances of a generic function have says less than who calls this one.
  laterOf: (name) => (['$core::listed', '$core::ping'].includes(name) ? 'early' : null),
};

/** What the linker says of it: each datum is called by its letter. */
function linked() {
  const symbol = (name, start, size) => ({ name, start, size });
  const [a, e, c, b, d, f, g] = [symbol('a', 100, 40), symbol('e', 140, 10), symbol('c', 150, 40), symbol('b', 190, 40), symbol('d', 232, 40), symbol('f', 272, 40), symbol('g', 312, 40)];
  const points = new Map([a, e, c, b, d, f, g].map((own) => [own, new Set(own === b ? [d] : [])]));
  // 300 is written for a datum that begins after it, 151 was never written, and 195 is a number.
  const meant = new Map([[100, a], [140, e], [150, c], [190, b], [300, g]].map(([address, own]) => [address, new Set([own])]));
  const slots = new Map([a, e, c, b, d, f, g].map((own) => [own, new Set({ b: [2], d: [3] }[own.name] ?? [])]));
  return { symbols: [a, e, c, b, d, f, g], meant, points, slots, codeSlots: new Set([4, 5, 6]), numbers: new Set([195]), holds: () => true };
}

const add = (count, large) => Number(BigInt(count) + large / 1000000n);

async function split(data = linked()) {
  const folder = await mkdtemp(join(tmpdir(), 'chunks-test-'));
  try {
    await writeFile(join(folder, 'whole.wat'), TEXT);
    execFileSync(AS, ['--all-features', '-g', join(folder, 'whole.wat'), '-o', join(folder, 'whole.wasm')]);
    const whole = await readFile(join(folder, 'whole.wasm'));
    const { files, names } = await splitModule(whole, PLAN, data);
    return { whole, files, names };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const run = (bytes, imports) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { './glue.js': { add }, ...imports }).exports;

/** `number` as a module holds it, in seven bits to a byte. */
function constant(number) {
  const bytes = [0x41];
  for (let rest = number; ;) {
    const low = rest & 127;
    rest >>= 7;
    if (rest === 0 && low < 64) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}

test('what only a chunk needs is in it, and the numbers stay', async () => {
  const { whole, files } = await split();
  assert.deepEqual([...files.keys()].sort(), ['early', 'engine', 'host', 'late', 'model']);
  const holders = (number) => [...files].filter(([, bytes]) => bytes.includes(constant(number))).map(([name]) => name);
  assert.deepEqual([READ, HELP, BOTH, CLOSURE].map(holders), [['late'], ['late'], ['engine'], ['late']]);
  assert.deepEqual([STEP, SHARED].map(holders), [['model'], ['late']], 'what two chunks share is in the one that the other needs');
  assert.deepEqual([SENT, EVERYWHERE].map(holders), [['host'], ['early']], '… or in the one that both need');
  assert.deepEqual(holders(VECTOR), ['engine'], 'JavaScript cannot pass a vector on');
  assert.deepEqual([METHOD, INHERITED].map(holders), [['late'], ['late']], 'methods in tables that only a chunk reads');
  assert.deepEqual(holders(POINTER), ['engine'], 'what code has in the table may be called by anybody');
  assert.deepEqual([PING, PONG, PANG].map(holders), [['late'], ['late'], ['late']], 'what calls each other, and what its caller says before its name does');
  assert.deepEqual(holders(LISTED), ['early'], 'by its name');
  assert.deepEqual([HANDED, CALLED].map(holders), [['late'], ['engine']], 'a pointer of a package that a chunk is built on, unless the engine calls it');
  const loaded = {};
  const chunks = (own) => Object.fromEntries(Object.keys(CHUNKS).filter((name) => name !== own).map((name) => [name, stubs(name)]));
  const imports = (name) => ({ engine, ...chunks(name) });
  const stubs = (name) => new Proxy({}, { get: (_, key) => (...given) => (loaded[name] ??= run(files.get(name), imports(name)))[key](...given) });
  const engine = run(files.get('engine'), chunks());
  const expected = run(whole);
  for (const given of [0, 3, -70000]) assert.equal(engine.main(given), expected.main(given), `main(${given})`);
});

test('the same module gives the same chunks, without names for people', async () => {
  const [one, other] = [await split(), await split()];
  assert.deepEqual(one.files, other.files);
  for (const [name, bytes] of one.files) assert.equal(bytes.includes('files::'), false, name);
  assert.match(one.names, /^_\w+ \$files::read$/m);
});

test('data that only a chunk reads is not in the engine, and is where it was once the chunk is there', async () => {
  const { whole, files } = await split();
  const memoryOf = (exports) => Buffer.from((exports.memory ?? Object.values(exports).find((one) => one instanceof WebAssembly.Memory)).buffer);
  const expected = memoryOf(run(whole)).subarray(0, 400);
  const absent = new Proxy({}, { get: () => () => 0 });
  const engine = run(files.get('engine'), { late: absent, model: absent, host: absent, early: absent });
  const found = () => memoryOf(engine).subarray(0, 400);
  const letters = () => [...'acebdfg'].filter((letter) => found().includes(letter.repeat(10))).join('');
  assert.equal(letters(), 'acef', 'what the engine reads, what both read, what is short, and what nobody reads');
  run(files.get('late'), { engine, model: absent, early: absent });
  assert.equal(letters(), 'acebdfg');
  assert.deepEqual(found(), expected);
});

test('a module is not split by what the linker knows of another one', async () => {
  await assert.rejects(split({ ...linked(), holds: () => false }), /another module/);
});

test('instructions whose results differ between machines are refused', async () => {
  const text = (name) => `(module (func (export "f") (param v128 v128) (result v128) (${name} (local.get 0) (local.get 1))))`;
  await moduleOf(text('f32x4.pmin'));
  await assert.rejects(moduleOf(text('f32x4.relaxed_min')), /validating|features/);
});
