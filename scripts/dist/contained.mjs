// A style sheet that was written for a page, for an element of it: what asked for the width of the window asks for that of the element,
// and sizes in rem follow a size of the element's own, as somebody else's root may have any.

const WIDTH = /\((?:(?:min|max)-)?width\b[^()]*\)/;

/** The end of the block whose `{` stands at `open`. */
function close(css, open) {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++;
    if (css[at] === '}' && --depth === 0) return at;
  }
  throw new Error(`a block of the style sheet is not closed: ${css.slice(open, open + 60)}`);
}

/** A query of the window as one of the element, around `body`. */
function asked(query, body) {
  const features = query.split(/\band\b/).map((feature) => feature.trim());
  if (query.includes(',')) throw new Error(`a list cannot be asked of the window and of the element: @media ${query}`);
  const [widths, others] = [true, false].map((is) => features.filter((feature) => WIDTH.test(feature) === is));
  const inner = `@container mount ${widths.join(' and ')} {${body}}`;
  return others.length ? `@media ${others.join(' and ')} {${inner}}` : inner;
}

function queries(css) {
  let [made, rest] = ['', css];
  for (;;) {
    const found = rest.match(/@media\s+([^{]*?)\s*\{/);
    if (!found) return made + rest;
    const open = found.index + found[0].length - 1;
    const end = close(rest, open);
    const body = queries(rest.slice(open + 1, end));
    const query = WIDTH.test(found[1]) ? asked(found[1], body) : `@media ${found[1]} {${body}}`;
    made += rest.slice(0, found.index) + query;
    rest = rest.slice(end + 1);
  }
}

export const contained = (css) => queries(css).replace(/(?<![\w.#-])(-?\d*\.?\d+)rem\b/g, 'calc($1 * var(--rem, 16px))');
