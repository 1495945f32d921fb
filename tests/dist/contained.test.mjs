// What asks for the width of the window in a page asks for that of the element in an element.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contained } from '../../scripts/dist/contained.mjs';

test('widths are asked of the element', () => {
  assert.equal(contained('@media (max-width: 699px) {.a {b: c}}d {e: f}'), '@container mount (max-width: 699px) {.a {b: c}}d {e: f}');
  assert.equal(contained('@media (min-width: 900px) and (max-width: 1199px) {.a {b: c}}'), '@container mount (min-width: 900px) and (max-width: 1199px) {.a {b: c}}');
});

test('what else is asked is asked of the window still', () => {
  assert.equal(contained('@media (max-width: 9px) and (min-height: 6px) {.a {b: c}}'), '@media (min-height: 6px) {@container mount (max-width: 9px) {.a {b: c}}}');
  assert.equal(contained('@media (pointer: coarse) {@media (min-width: 9px) {.a {b: c}}}'), '@media (pointer: coarse) {@container mount (min-width: 9px) {.a {b: c}}}');
});

test('what cannot be asked of both is not passed over', () => {
  assert.throws(() => contained('@media (max-width: 9px), print {.a {b: c}}'), /a list cannot be asked/);
  assert.throws(() => contained('@media (max-width: 9px) {.a {b: c}'), /not closed/);
});

test('sizes follow the element, and names that look like sizes stay', () => {
  assert.equal(contained('.a {b: 0.75rem; c: -1.5rem 2rem}'), '.a {b: calc(0.75 * var(--rem, 16px)); c: calc(-1.5 * var(--rem, 16px)) calc(2 * var(--rem, 16px))}');
  assert.equal(contained('.grid-2rem {b: var(--s-4rem)}'), '.grid-2rem {b: var(--s-4rem)}');
});
