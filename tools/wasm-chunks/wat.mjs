// WebAssembly's text format as far as splitting a module takes it: the top-level items, what they name, and the bytes of data.

const NAME = String.raw`(\$"(?:[^"\\]|\\.)*"|\$[^\s()]+)`;
const FUNCTION = new RegExp(String.raw`^ \(func ${NAME}((?: \(param [^)]*\))*(?: \(result [^)]*\))?)`);
const REFERENCE = new RegExp(String.raw`\((?:return_call|call|ref\.func) ${NAME}`, 'g');

/** Every name in a text. */
export const namesIn = (text) => text.match(new RegExp(NAME, 'g')) ?? [];

/** The top-level items of a module's text. */
export function itemsOf(text) {
  const items = [];
  for (const line of text.split('\n').slice(1)) {
    if (!line.startsWith(' ') || line.startsWith(' ;;')) continue;
    if (line.startsWith(' (')) items.push({ kind: /\w+/.exec(line)[0], lines: [line] });
    else items.at(-1).lines.push(line);
  }
  for (const item of items) {
    item.text = item.lines.join('\n');
    item.references = new Set([...item.text.matchAll(REFERENCE)].map(([, name]) => name));
    if (item.kind !== 'func') continue;
    [, item.name, item.signature] = FUNCTION.exec(item.lines[0]);
    item.signature = item.signature.replace(/\$\S+ /g, '');
  }
  return items;
}

const DATA = /^ \(data (\S+) \(i32\.const (\d+)\) "((?:[^"\\]|\\.)*)"\)$/;
const ESCAPES = { t: '\t', n: '\n', r: '\r', '"': '"', "'": "'", '\\': '\\' };

/** Address and bytes of an item that puts data into memory; `null` of any other. */
export function dataOf(item) {
  const [, name, address, written] = item.kind === 'data' ? DATA.exec(item.text) ?? [] : [];
  if (name === undefined) return null;
  const bytes = written.replace(/\\([0-9a-f]{2}|.)/g, (_, code) => ESCAPES[code] ?? String.fromCharCode(parseInt(code, 16)));
  return { name, address: Number(address), bytes: Buffer.from(bytes, 'latin1') };
}

/** The item that puts `bytes` at an address. */
export function dataItem(name, address, bytes) {
  const written = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
  const text = ` (data ${name} (i32.const ${address}) "${written}")`;
  return { kind: 'data', lines: [text], text, references: new Set() };
}
