// Which functions of a module are called: a module that counts, and the names by which lists know its functions.

import { itemsOf } from './wat.mjs';

/** The name of a function without hashes, which every release of a crate or of the compiler changes. Several may have one. */
export const plainName = (name) => name.replace(/^\$"?|"$/g, '').replace(/(::h[0-9a-f]{16}|\[[0-9a-f]{16}\])/g, '').replace(/(_|\.)\d+$/, '');

/** The text of a module whose functions each call `calls.count` with their place among `names`. */
export function counting(text) {
  const names = [];
  const lines = itemsOf(text).flatMap(({ kind, name, lines }) => {
    if (kind !== 'func') return lines;
    const count = `  (call $count_calls (i32.const ${names.push({ name, length: lines.join('').length }) - 1}))`;
    const body = lines.findIndex((line, at) => at > 0 && !line.startsWith('  (local '));
    return lines.toSpliced(body, 0, count);
  });
  return { names, text: ['(module', ' (import "calls" "count" (func $count_calls (param i32)))', ...lines, ')'].join('\n') };
}
