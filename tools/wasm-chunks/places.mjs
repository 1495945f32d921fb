// Where the sources say that a function belongs (`chunk!`).

import { sectionOf } from './linking.mjs';

/** `"later" of "crate::module": "Writer, ::other"`, as the macro writes it. */
const DECLARATION = /^(\w+) of ([\w:]+):\s*(.*)$/s;

/** The places that a linked module declares, as `{ chunk, path, isImpl }`. */
export function declaredIn(wasm) {
  const declarations = sectionOf(wasm, 'chunks').toString().split(';').map((text) => text.trim()).filter(Boolean);
  return declarations.flatMap((text) => {
    const [, chunk, module, items] = DECLARATION.exec(text) ?? [];
    if (!chunk) throw new Error(`this is no declaration of a chunk: ${text}`);
    return items === '' ? [{ chunk, path: module, isImpl: false }] : items.split(',').map((item) => placeOf(chunk, module, item));
  });
}

function placeOf(chunk, module, item) {
  const [, isImpl, own] = /^\s*(impl\b\s*)?(.*)$/s.exec(item);
  const path = own.replaceAll(/\s/g, '');
  return { chunk, path: path.startsWith('::') ? path.slice(2) : `${module}::${path}`, isImpl: Boolean(isImpl) };
}

/** Says of functions where they belong, by what is declared. */
export class Places {
  /** `isKept(path, isInTable)` says what stays in the engine unless the very path is declared. */
  constructor(declared, isKept = () => false) {
    this.isKept = isKept;
    this.impls = new Map(declared.filter(({ isImpl }) => isImpl).map(({ path, chunk }) => [path, chunk]));
    this.paths = new Map(declared.filter(({ isImpl }) => !isImpl).map(({ path, chunk }) => [path, chunk]));
    const crates = new Set(declared.map(({ path }) => /^\w+/.exec(path)[0]));
    this.own = new RegExp(String.raw`\b(?:${[...crates].join('|')})(?:::(?:\w+|<impl [^>]*>|\{\{closure\}\}))+`);
  }

  /** The path of the function `name` in the sources: the first that is declared anything of, which is a type's in the name of a trait's method. */
  pathOf(name) {
    return this.own.exec(name)?.[0].replace(/::(<impl [^>]*>|\{\{closure\}\}|h[0-9a-f]{16}(?=$|::))/g, '') ?? '';
  }

  /** The chunk of a function; `null` for one of the engine, and for one of which nothing is declared. */
  chunkOf(name, isInTable = false) {
    const path = this.pathOf(name);
    const chunk = this.impls.get(path) ?? this.paths.get(path) ?? (this.isKept(path, isInTable) ? ENGINE : this.around(path));
    return chunk === ENGINE ? null : chunk;
  }

  around(path) {
    for (let end = path.lastIndexOf('::'); end > 0; end = path.lastIndexOf('::', end - 1)) {
      const chunk = this.paths.get(path.slice(0, end));
      if (chunk) return chunk;
    }
    return ENGINE;
  }
}

/** The module that is left. */
export const ENGINE = 'engine';
