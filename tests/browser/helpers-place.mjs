// Where things stand on the page, and what of them can be seen.

/** What sticks out of the window, is cut off, or lies over something else. */
export const misplaced = (page, root = '.page') => page.evaluate((root) => {
  const faults = [];
  const name = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
  const isSeen = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && !element.closest('.unseen') && element.getBoundingClientRect().width > 1;
  // What scrolls by itself, or ends in an ellipsis, may hold more than it shows; notices and the names of the panels lie over the page.
  const holdsMore = (element) => {
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    return ['auto', 'scroll'].includes(overflowX) || (overflowX === 'hidden' && textOverflow === 'ellipsis') || position === 'fixed' || element.matches('.panel-names');
  };
  const inside = new Set([...document.querySelectorAll(`${root} *`)].filter(holdsMore).flatMap((element) => [...element.querySelectorAll('*')]));
  // A panel out of sight is laid out only once it comes into sight.
  const bodies = [...document.querySelectorAll('.panel-body')];
  bodies.forEach((body) => { body.style.contentVisibility = 'visible'; });
  const all = [...document.querySelectorAll(`${root} *`)].filter((element) => isSeen(element) && !inside.has(element));
  const width = document.documentElement.clientWidth;
  for (const element of all) {
    const box = element.getBoundingClientRect();
    if (box.left < -0.5 || box.right > width + 0.5) faults.push(`outside the window: ${name(element)}`);
    const style = getComputedStyle(element);
    const clips = ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis';
    if (clips && element.scrollWidth > element.clientWidth + 1) faults.push(`cut off: ${name(element)}`);
  }
  // Words stay within what they stand in. Drawings and formulas have a room of their own, and upright words the height of theirs.
  const boxOf = (element) => (/^(inline|contents)$/.test(getComputedStyle(element).display) ? boxOf(element.parentElement) : element);
  const range = new Range();
  for (const element of all.filter((one) => !one.closest('svg, math') && getComputedStyle(one).writingMode === 'horizontal-tb')) {
    const box = boxOf(element);
    if (holdsMore(box)) continue;
    const { left, right } = box.getBoundingClientRect();
    for (const text of [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) {
      range.selectNodeContents(text);
      const beyond = [...range.getClientRects()].some((own) => own.width > 0.5 && (own.right > right + 1 || own.left < left - 1));
      if (beyond) faults.push(`sticks out: ${name(element)}`);
    }
  }
  // Things that a hand or an eye goes to must not lie over each other.
  const parts = all.filter((element) => element.matches('button, select, input, textarea, label.tick, .choice label, h1, h2, .control, #map, .legend > *, .bars li, .most li, .measures > *'));
  const fieldOf = (element) => element.closest('label, .control, .paper, .heads li, .most li');
  const boxes = parts.map((part) => part.getBoundingClientRect());
  for (const [at, a] of parts.entries()) {
    for (let other = at + 1; other < parts.length; other++) {
      const [b, p, q] = [parts[other], boxes[at], boxes[other]];
      const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (across <= 1.5 || down <= 1.5 || a.contains(b) || b.contains(a) || (fieldOf(a) && fieldOf(a) === fieldOf(b))) continue;
      faults.push(`over each other: ${name(a)} and ${name(b)}`);
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  const scroller = document.querySelector(root);
  if (scroller.scrollWidth > scroller.clientWidth + 1 && holdsMore(scroller)) faults.push(`scrolls sideways: ${name(scroller)}`);
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
  bodies.forEach((body) => { body.style.contentVisibility = ''; });
  return faults;
}, root);
