// Languages that nobody speaks, as PhET tests with them: what a page says is said in another way, and has to find room there. Texts are
// compiled into the module, so a page that stands is spoken over.

import { idle } from './fixture.mjs';

/** What becomes of each text; of a row's worth of letters in a button as well. */
const LENGTH = 50;

/**
 * In the page: says all texts in another language. What the page has said since is said over as well; what has been said over begins
 * with its own text again.
 */
function speak({ language, length }) {
  // Typed, written by a program, or a formula; charts measure their words themselves when they are drawn.
  const FOREIGN = '[translate=no], #story, #bars, #most, .token, math, svg, script, style, textarea, pre, code, [contenteditable]';
  const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt'];
  const said = globalThis.saidOver ??= new Map();
  const ways = {
    own: (text) => text,
    doubled: (text) => `${text} ${text}`,
    long: (text) => `${text} `.repeat(length).slice(0, length).replace(/ $/, '.'),
    X: () => 'X',
    mirrored: (text) => text,
  };
  const over = (text) => {
    const [, before, own, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
    // Numbers, arrows and symbols are the same in every language.
    return /\p{L}/u.test(own) ? before + ways[language](own) + after : text;
  };
  const say = (holder, name, read, write) => {
    const told = said.get(holder) ?? said.set(holder, {}).get(holder);
    const own = told[name]?.now === read() ? told[name].own : read();
    told[name] = { own, now: over(own) };
    if (told[name].now !== read()) write(told[name].now);
  };
  document.documentElement.dir = language === 'mirrored' ? 'rtl' : 'ltr';
  const walker = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(FOREIGN)) continue;
    const own = node;
    say(own, 'text', () => own.data, (text) => { own.data = text; });
  }
  for (const name of ATTRIBUTES) {
    for (const own of document.querySelectorAll(`.page [${name}]`)) say(own, name, () => own.getAttribute(name), (text) => own.setAttribute(name, text));
  }
}

/** Has the page speak `language`, and waits for what it makes of the room that is left. */
export async function spoken(page, language) {
  await page.evaluate(speak, { language, length: LENGTH });
  await idle(page);
}

export const MADE_UP = ['doubled', 'long', 'X', 'mirrored'];
