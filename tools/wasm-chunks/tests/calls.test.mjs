// A build whose functions count their calls, and the names that they have in lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleOf } from '../binaryen.mjs';
import { counting, plainName } from '../calls.mjs';

test('every call is counted where it is made, and nothing else changes', async () => {
  const { names, text } = counting(`(module
 (type $0 (func (param i32) (result i32)))
 (export "main" (func $main))
 (func $main (param $0 i32) (result i32)
  (local $1 i32)
  (local.set $1
   (call $twice
    (local.get $0)
   )
  )
  (call $twice
   (local.get $1)
  )
 )
 (func $twice (param $0 i32) (result i32)
  (i32.mul
   (local.get $0)
   (i32.const 2)
  )
 )
 (func $never
  (nop)
 )
)`);
  const counted = names.map(() => 0);
  const { main } = new WebAssembly.Instance(new WebAssembly.Module(await moduleOf(text)), { calls: { count: (at) => { counted[at]++; } } }).exports;
  assert.equal(main(3), 12);
  assert.deepEqual(names.map(({ name }, at) => [name, counted[at]]), [['$main', 1], ['$twice', 2], ['$never', 0]]);
});

test('a name in a list has no hash and no number, and the rest of it', () => {
  for (const [name, wanted] of [
    ['$attention::sort::sort::h9830ec2881098c4c', 'attention::sort::sort'],
    ['$"attention::sort::sort::{{closure}}::h3f6da8ca2e324877_2"', 'attention::sort::sort::{{closure}}'],
    ['$"alloc[3ca501edff3f0c7c]::boxed::box_new_uninit.16"', 'alloc::boxed::box_new_uninit'],
    ['$"core[c5930c85a12de822]::fmt::float::show::<f64>"', 'core::fmt::float::show::<f64>'],
    ['$<f64>::exp', '<f64>::exp'],
  ]) assert.equal(plainName(name), wanted);
});
