// Short names between the engine and its glue. wasm-bindgen ends each with 16 digits of a hash, which are in the module and in the glue and
// cannot be compressed: 10 kB of brotli together.

/** What the engine calls its glue. */
const GLUE = './attention-playground_bg.js';
const IMPORT = /^ \(import "\.\/attention-playground_bg\.js" "(\w+)" \(func /;
const EXPORT = /^ \(export "(wasm_bindgen__\w+)" \(func /;

/** Renames in the items of a module what it takes from its glue, and the closures that the glue calls; the new names by the old ones. */
export function shortenItems(items) {
  const names = { imports: new Map(), exports: new Map() };
  const rename = (item, pattern, map) => {
    const [, name] = pattern.exec(item.text) ?? [];
    if (!name) return;
    map.set(name, `${map === names.imports ? 'i' : 'e'}${map.size.toString(36)}`);
    item.text = item.text.replace(`"${name}"`, `"${map.get(name)}"`).replace(`"${GLUE}"`, '"glue"');
    item.lines = item.text.split('\n');
  };
  for (const item of items) {
    rename(item, IMPORT, names.imports);
    rename(item, EXPORT, names.exports);
  }
  return names;
}

/** The same names in the text of the glue. */
export function shortenGlue(glue, { imports, exports }) {
  const missing = new Set([...imports.keys(), ...exports.keys()]);
  const renamed = (map) => (all, before, name, after) => {
    if (!map.has(name)) return all;
    missing.delete(name);
    return `${before}${map.get(name)}${after}`;
  };
  const text = glue.replace(/(\n {8})(\w+)(: )/g, renamed(imports)).replace(/(\bwasm\.)(wasm_bindgen__\w+)(\b)/g, renamed(exports)).replaceAll(`"${GLUE}"`, '"glue"');
  if (missing.size > 0) throw new Error(`engine.js does not have ${[...missing].join(', ')}`);
  return text;
}
