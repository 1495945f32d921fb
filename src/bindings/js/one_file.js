// Boot script of the single-file page: unpacks the element's modules from the document's data blocks, and mounts the element.

import { importFrom, workerFrom } from './in_memory.js';
import { layerField } from './layer_field.js';

/** Settings of a link that apply before imported numbers are loaded. */
const LOOK = ['embed', 'lang', 'theme', 'show', 'lock'];
/** Settings of a link that imported numbers replace. */
const NUMBERS = ['v', 'data', 'before', 'text'];

const element = document.querySelector('attention-playground');
const blocks = (kind) => [...document.querySelectorAll(`script[data-${kind}]`)];

const bytesOf = ({ type, textContent }) => (type === 'application/json' ? new TextEncoder().encode(textContent) : fromBase64(textContent));
const fromBase64 = (textContent) => Uint8Array.fromBase64?.(textContent) ?? Uint8Array.from(atob(textContent), (letter) => letter.charCodeAt(0));
const unpacked = (block) => new Response(new Blob([bytesOf(block)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

/** A link without `embed` is that of the whole page. */
function linkOf(given) {
  const link = new URLSearchParams(given);
  if (!link.has('embed')) link.set('embed', '0');
  return link;
}

/** Loads imported numbers, then applies the remaining settings of `link`. */
async function show(numbers, link) {
  await element.load(numbers);
  element.settings = Object.fromEntries([...link].filter(([key]) => !NUMBERS.includes(key)));
}

/** Adds a field that switches between the layers in the file. */
function offer(layers, first) {
  const { label, show: showInField } = layerField(layers.length, document.documentElement.lang, async (layer) => {
    const { head, cell } = element.settings;
    await element.load(layers[layer - 1]);
    element.settings = { head, cell };
    showInField(layer);
  });
  label.style.marginInline = '32px';
  showInField(first);
  element.before(label);
}

async function start() {
  const link = linkOf(location.hash.slice(1) || element.dataset.link);
  document.documentElement.lang = link.get('lang') ?? (/^zh\b/.test(navigator.language) ? 'zh-Hans' : 'en');
  // The page around the element has its theme.
  document.documentElement.style.colorScheme = { light: 'light', dark: 'dark' }[link.get('theme')] ?? '';
  const files = new Map(await Promise.all(blocks('module').map(async (block) => [block.dataset.module, await unpacked(block)])));
  const numbers = blocks('numbers').map((block) => new File([bytesOf(block)], block.dataset.numbers));
  const { define } = await importFrom(files, 'element.js');
  // Settings of numbers mean nothing before these are there.
  const first = numbers.length > 0 ? [...link].filter(([key]) => LOOK.includes(key)) : link;
  element.state = new URLSearchParams(first).toString();
  element.replaceChildren();
  element.style.visibility = numbers.length > 0 ? 'hidden' : '';
  define('attention-playground', () => workerFrom(files));
  await element.ready;
  const layer = Number(element.dataset.layer ?? 1);
  if (numbers.length > 0) await show(numbers[layer - 1], link);
  if (numbers.length > 1) offer(numbers, layer);
  element.style.visibility = '';
}

start().catch((error) => {
  element.style.visibility = '';
  element.textContent = error.message;
});
