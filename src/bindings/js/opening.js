// Draws the page as it opens without a link, before the engine is there. The build makes one script of this for each language, with what the engine
// itself says of that page (`present::opening`, `views::opening`): numbers, colours, words. Only what depends on the widths of texts and of the
// window is worked out here, as `scene::layout` and `scene::marks` do it; `opening.spec.mjs` holds both to the same pixels. Where the map
// does not fit as a plain one, everything is left to the engine.

attentionPlayground.host.open(() => {
  const OPENING = {/* the build */};
  const { map, styled } = OPENING;

  // As in `scene::layout`.
  const LABEL_SIZES = [14, 12];
  const VALUE_SIZES = [[14, 12], [12, 10], [10]];
  const SAMPLES = ['0.00', '0.0', '0.'];
  const TITLE_SIZE = 14;
  const TITLE_LINE = 20;
  const FULL_SCREEN = 72;
  const LABEL_GAP = 6;
  const EDGE = 2;

  const find = (selector) => document.querySelector(selector);
  const range = (count) => [...Array(count).keys()];
  const most = (numbers) => numbers.reduce((one, other) => Math.max(one, other), 0);
  const [rows, columns] = map.labels;
  const dpr = devicePixelRatio;
  const up = (length) => Math.ceil(length * dpr) / dpr;
  const line = (css) => Math.max(Math.round(css * dpr), 1) / dpr;

  // Before the first read of a style or a size, so that the browser computes styles and layout once.
  const plate = find('.plate');
  plate.dataset.drawn = '';
  writeWords();
  writeParts();

  // Colours are asked for as those of an element, since a custom property may be a pair of them.
  const probe = find('#probe');
  const computed = getComputedStyle(probe);
  const read = (property, name) => {
    probe.style.setProperty(property, `var(${name})`);
    return computed.getPropertyValue(property);
  };
  const [sans, serif] = ['--sans', '--serif'].map((name) => read('font-family', name));
  const [ink, soft, faint, rule, edge, paper, query, key] = ['ink', 'ink-soft', 'ink-faint', 'rule', 'edge', 'paper', 'query', 'key'].map((name) => read('color', `--${name}`));
  const theme = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const ground = map.grounds[theme === 'dark' ? 1 : 0];
  const [table, inks] = [ground.table, ground.inks].map(bytes);
  const codes = map.codes.map(bytes);
  const colour = (code) => `rgb(${table.subarray(3 * code, 3 * code + 3).join()})`;

  const canvas = (selector) => find(selector).getContext('2d');
  const [picture, overlay] = ['#map .picture', '#map .overlay'].map(canvas);
  // To set a font, the browser works out the style of the page.
  const fonts = new Map();
  const setFont = (context, font) => {
    if (fonts.get(context) !== font) context.font = font;
    fonts.set(context, font);
  };
  const measure = (text, size) => {
    setFont(picture, `600 ${size}px ${sans}`);
    return picture.measureText(text).width;
  };

  /** Labels of `size` and the cells beside them; nothing where one is cut or left out. */
  function draft(room, size) {
    const widths = [rows, columns].map((labels) => labels.map((label) => measure(label, size)));
    if (most(widths[0]) > Math.min(0.28 * room.width, 140) || most(widths[1]) > 110) return null;
    const title = Math.min(measure(map.titles[0], TITLE_SIZE), room.width / 2);
    const gutter = Math.max(most(widths[0]), title) + LABEL_GAP;
    const wide = Math.max(room.width - gutter - EDGE, 1);
    const { degrees, cell } = turned(room, wide, widths[1], size);
    const height = 1.2 * size;
    const isComplete = cell.height >= height && cell.width >= (degrees === -45 ? height * Math.SQRT2 : height);
    return isComplete ? { size, widths: widths[1], gutter, degrees, cell } : null;
  }

  function turned(room, wide, widths, size) {
    const [cell, height] = [cellIn(room, wide), 1.2 * size];
    if (most(widths) + 8 <= cell.width || most(widths) <= height) return { degrees: 0, cell };
    const over = overhang(widths, size, cell.width);
    const slanted = cellIn(room, Math.max(wide - over, 1));
    return over <= 0.1 * room.width && slanted.width >= height * Math.SQRT2 ? { degrees: -45, cell: slanted } : { degrees: -90, cell };
  }

  /** Width and height of a cell where all may be `wide`: square, but where a side would be too short to be seen. */
  function cellIn(room, wide) {
    const [across, down] = [wide / columns.length, Math.min(room.height, wide) / rows.length].map((side) => Math.min(side, 72));
    const square = Math.min(across, down);
    return { width: Math.max(square, Math.min(across, 16)), height: Math.max(square, Math.min(down, 16)) };
  }

  const overhang = (widths, size, cell) => most(widths.toReversed().map((width, at) => (width + size / 2) * Math.SQRT1_2 - cell * (at + 0.5)));

  /** Device pixels that the cells of one side take, equally many for each if that costs little. */
  function axis(cells, cell) {
    const all = Math.floor(cell * cells * dpr + 1e-6);
    const even = Math.floor(all / cells) * cells;
    const pixels = even >= 0.8 * all ? even : all;
    return { pixels, edge: (at) => Math.floor((2 * at * pixels + cells) / (2 * cells)) };
  }

  function layout(room) {
    const drafted = draft(room, LABEL_SIZES[0]) ?? draft(room, LABEL_SIZES[1]);
    if (!drafted) return null;
    const { size, widths, gutter, degrees, cell } = drafted;
    const [down, across] = [axis(rows.length, cell.height), axis(columns.length, cell.width)];
    const height = 1.2 * size;
    const labels = { 0: height, '-45': (most(widths) + height) * Math.SQRT1_2, '-90': Math.max(most(widths), height) }[degrees];
    const title = measure(map.titles[1], TITLE_SIZE);
    const plot = { x: up(gutter), y: up(Math.max(LABEL_GAP + labels, 2 * TITLE_LINE)), width: across.pixels / dpr, height: down.pixels / dpr };
    const isStacked = title <= gutter - LABEL_GAP && !reaches(drafted, plot, room.width - FULL_SCREEN);
    if (!isStacked) plot.y = up(TITLE_LINE + LABEL_GAP + labels);
    const out = degrees === -45 ? overhang(widths, size, plot.width / columns.length) : 0;
    const width = up(plot.x + Math.max(plot.width + Math.max(out, EDGE), title));
    return { size, degrees, down, across, isStacked, plot, width, height: up(plot.y + plot.height + EDGE), values: valuesIn(plot) };
  }

  /** Whether a label above the plot reaches into the first line right of `limit`. */
  function reaches({ size, degrees, widths }, plot, limit) {
    const [line, cell] = [1.2 * size, plot.width / columns.length];
    const ends = (width) => ({ 0: [width / 2, line], '-45': Array(2).fill((width + line / 2) * Math.SQRT1_2), '-90': [line / 2, width] })[degrees];
    return widths.some((width, at) => {
      const [right, height] = ends(width);
      return plot.x + (at + 0.5) * cell + right > limit && plot.y - LABEL_GAP - height < TITLE_LINE;
    });
  }

  function valuesIn(plot) {
    const [across, down] = [plot.width / columns.length, plot.height / rows.length];
    const styles = SAMPLES.flatMap((sample, style) => VALUE_SIZES[style].map((size) => ({ sample, style, size })));
    return styles.find(({ sample, size }) => measure(sample, size) <= 0.7 * across && size <= 0.7 * down);
  }

  function clear(context, width, height) {
    const { canvas: own } = context;
    [own.width, own.height] = [Math.round(width * dpr), Math.round(height * dpr)];
    [own.style.width, own.style.height] = [`${width}px`, `${height}px`];
    fonts.delete(context);
  }

  const place = (context) => context.setTransform(dpr, 0, 0, dpr, 0, 0);

  /** A text with the middle of its height at a place, however it is turned. */
  function write(context, text, [x, y], { size, fill, font = `${size}px ${sans}`, align = 'left', degrees = 0 }) {
    const [turn, drop] = [degrees * Math.PI / 180, 0.35 * size];
    place(context);
    setFont(context, font);
    Object.assign(context, { textAlign: align, fillStyle: fill });
    const at = [x - drop * Math.sin(turn), y + drop * Math.cos(turn)];
    if (degrees === 0) return context.fillText(text, ...at);
    context.translate(...at);
    context.rotate(turn);
    context.fillText(text, 0, 0);
  }

  /** A line around the outside of a rectangle, with a thickness above, below and beside. */
  function frame(context, { x, y, width, height }, [above, below, beside], fill) {
    place(context);
    context.fillStyle = fill;
    context.fillRect(x - beside, y - above, width + 2 * beside, above);
    context.fillRect(x - beside, y + height, width + 2 * beside, below);
    context.fillRect(x - beside, y, beside, height);
    context.fillRect(x + width, y, beside, height);
  }

  const grown = ({ x, y, width, height }, [above, below, beside]) => ({ x: x - beside, y: y - above, width: width + 2 * beside, height: height + above + below });

  /** Inner edge, ring and outer edge where there is room for so many device pixels, as `scene/marks/cross.rs` has them. */
  function layers(room) {
    const [full, halo] = [line(2) * dpr, line(1) * dpr];
    const most = Math.min(room, full + 2 * halo);
    const outer = Math.min(halo, Math.floor(most / 2));
    const ring = Math.min(full, most - outer);
    return [Math.max(most - outer - ring, 0), ring, outer].map((pixels) => pixels / dpr);
  }

  /** A ring around a row, which covers little of the rows beside it. */
  function ringed(context, row, plot) {
    const pixels = plot.height / rows.length * dpr;
    const between = pixels < 4 ? 0 : Math.max(Math.floor(Math.max(pixels / 8, Math.min(dpr, pixels / 4))), 1);
    const [top, bottom] = [map.row === 0, map.row === rows.length - 1].map((isOuter) => layers(isOuter ? Infinity : between));
    const beside = layers(Infinity);
    let inner = row;
    for (const [at, fill] of [paper, ink, paper].entries()) {
      const by = [top, bottom, beside].map((side) => side[at]);
      frame(context, inner, by, fill);
      inner = grown(inner, by);
    }
  }

  /** Lines from the label of the key that the row looks at down to it. */
  function downTo(context, across, row, plot) {
    const [left, right] = [map.link, map.link + 1].map((at) => plot.x + across.edge(at) / dpr);
    place(context);
    context.fillStyle = key;
    for (const x of [left - line(1), right]) context.fillRect(x, plot.y, line(1), row.y - plot.y);
  }

  /** Calls `each` with every cell, its row and its column. */
  const cells = (each) => rows.forEach((_, row) => columns.forEach((_, column) => each(row * columns.length + column, row, column)));

  function drawMap({ size, degrees, down, across, isStacked, plot, width, height, values }, head) {
    const row = { ...plot, y: plot.y + down.edge(map.row) / dpr, height: (down.edge(map.row + 1) - down.edge(map.row)) / dpr };
    const middle = ({ edge }, at) => (edge(at) / dpr) + ((edge(at + 1) - edge(at)) / dpr) / 2;
    clear(picture, width, height);
    clear(overlay, width, height);
    find('#map').style.height = `${height}px`;
    const [left, top] = [Math.round(plot.x * dpr), Math.round(plot.y * dpr)];
    cells((cell, row, column) => {
      const [x, y] = [across.edge(column), down.edge(row)];
      picture.fillStyle = colour(codes[head][cell]);
      picture.fillRect(left + x, top + y, across.edge(column + 1) - x, down.edge(row + 1) - y);
    });
    if (values) {
      cells((cell, row, column) => write(picture, map.values[values.style][cell], [plot.x + middle(across, column), plot.y + middle(down, row)], { size: values.size, align: 'center', fill: [soft, '#000', '#fff', faint][inks[cell]] }));
    }
    frame(picture, plot, [line(1), line(1), line(1)], rule);
    const title = (at, align) => ({ size: TITLE_SIZE, font: `${map.isItalic[at] ? 'italic ' : ''}${TITLE_SIZE}px ${serif}`, fill: [query, key][at], align });
    const [end, above] = [plot.x - LABEL_GAP, plot.y - LABEL_GAP - TITLE_SIZE / 2];
    write(picture, map.titles[0], [end, above], title(0, 'right'));
    if (isStacked) write(picture, map.titles[1], [end, above - TITLE_LINE], title(1, 'right'));
    else write(picture, map.titles[1], [plot.x, TITLE_SIZE / 2 + 1], title(1, 'left'));
    rows.forEach((label, at) => write(overlay, label, [plot.x - LABEL_GAP, plot.y + middle(down, at)], { size, align: 'right', ...(at === map.row ? { font: `600 ${size}px ${sans}`, fill: query } : { fill: soft }) }));
    columns.forEach((label, at) => write(overlay, label, [plot.x + middle(across, at), plot.y - LABEL_GAP - (degrees === 0 ? size / 2 : 0)], { size, degrees, align: degrees === 0 ? 'center' : 'left', ...(at === map.link ? { font: `600 ${size}px ${sans}`, fill: key } : { fill: soft }) }));
    if (map.link !== null) downTo(overlay, across, row, plot);
    ringed(overlay, row, plot);
  }

  /** The colour bar with as many ticks as fit. */
  function drawBar() {
    const [bar, size] = [find('#colour-bar'), 12];
    const context = canvas('#colour-bar canvas');
    const width = bar.clientWidth;
    const rect = { x: 1, y: 1, width: Math.max(width - 2, 0), height: 10 };
    clear(context, width, 10 + 6 + 1.2 * size + 1);
    const [long, left, high] = [rect.width, rect.x, rect.height].map((css) => Math.round(css * dpr));
    const last = Math.max(long - 1, 1);
    for (const x of range(long)) {
      context.fillStyle = colour(Math.floor((x * 510 + last) / (2 * last)));
      context.fillRect(left + x, left, 1, high);
    }
    const hairline = line(1);
    const ticks = map.ticks[Math.min(Math.max(Math.floor(rect.width / 36), 2), map.ticks.length + 1) - 2];
    const marks = roomy(rect, ticks, (label) => measure(label, size));
    frame(context, rect, [hairline, hairline, hairline], rule);
    for (const [t, label, align, x] of marks) {
      place(context);
      context.fillStyle = edge;
      context.fillRect(rect.x + t * (rect.width - hairline), rect.y + rect.height, hairline, 4);
      write(context, label, [x, rect.y + rect.height + 4 + 2 + 0.6 * size], { size, align, fill: soft });
    }
  }

  function roomy({ x: left, width }, ticks, widthOf) {
    const [[first, ...between], last] = [ticks.slice(0, -1), ticks.at(-1)];
    const kept = [[...first, 'left', left]];
    const end = left + width - widthOf(last[1]) - 8;
    let taken = left + widthOf(first[1]) + 8;
    for (const tick of between) {
      const [centre, half] = [left + tick[0] * width, widthOf(tick[1]) / 2];
      if (centre - half < taken || centre + half > end) continue;
      kept.push([...tick, 'center', centre]);
      taken = centre + half + 8;
    }
    return [...kept, [...last, 'right', left + width]];
  }

  function drawHeads() {
    document.querySelectorAll('#all-heads canvas').forEach((own, head) => {
      const context = own.getContext('2d');
      [own.width, own.height] = [columns.length, rows.length];
      cells((cell, row, column) => {
        context.fillStyle = colour(codes[head][cell]);
        context.fillRect(column, row, 1, 1);
      });
    });
    // As `browser::panels::heads` does it where they are in a strip.
    const [strip, chosen] = ['#all-heads', '#all-heads [aria-pressed="true"]'].map(find);
    if (chosen) strip.scrollLeft = chosen.offsetLeft - Math.trunc((strip.clientWidth - chosen.offsetWidth) / 2);
  }

  /** The arc from the chosen row's word to what it looks at, as `scene::arc` has it. */
  function drawArc() {
    const words = [...find('#text-shade').querySelectorAll('span')].map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => (
      { top: offsetTop, bottom: offsetTop + offsetHeight, height: offsetHeight, middle: offsetLeft + offsetWidth / 2 }
    ));
    const [from, to, last] = [words[map.row], words[map.link], words.at(-1)];
    if (!to) return;
    const [isUp, isDown] = [to.bottom <= from.top, from.bottom <= to.top];
    const below = Math.max(from.bottom, to.bottom) + 3;
    const [y, goal] = isUp ? [from.top + 3, to.bottom - 3] : isDown ? [from.bottom - 3, to.top + 3] : [below, below];
    const depth = goal + to.height / 2 < last.bottom ? 10 : Math.min(Math.max(Math.abs(to.middle - from.middle) * 0.06, 10), 22);
    const bend = isUp || isDown ? (goal - y) / 2 : depth * 4 / 3;
    const side = goal + (isDown ? -6 : 6);
    const path = (...parts) => parts.map((part) => typeof part === 'string' ? part : part.map((at) => at.toFixed(1)).join(' ')).join('');
    const [start, end] = [[from.middle, y], [to.middle, goal]];
    const paths = {
      line: path('M', start, 'C', [from.middle, y + bend, to.middle, isUp || isDown ? goal - bend : goal + bend, ...end]),
      tip: path('M', [to.middle - 5, side], 'L', end, 'L', [to.middle + 5, side]),
      foot: path('M', start, 'L', start),
    };
    for (const [name, d] of Object.entries(paths)) find(`#arc .${name}`).setAttribute('d', d);
  }

  /** Writes texts of another language where `index.html` has English ones, as `browser::language` does. */
  function writeWords() {
    // To set the same language again would invalidate every style.
    if (document.documentElement.lang !== OPENING.tag) document.documentElement.lang = OPENING.tag;
    const words = new Map(OPENING.words);
    if (words.size === 0) return;
    for (const [name, attribute] of [['data-t'], ['data-t-label', 'aria-label'], ['data-t-title', 'title'], ['data-t-placeholder', 'placeholder'], ['data-t-content', 'content']]) {
      for (const element of document.querySelectorAll(`[${name}]:not([lang])`)) {
        const text = words.get(element.getAttribute(name));
        if (attribute) element.setAttribute(attribute, text);
        else element.textContent = text;
      }
    }
    document.querySelector(`input[name=language][value="${OPENING.language}"]`).checked = true;
  }

  function writeParts() {
    for (const [selector, markup] of OPENING.parts) {
      const part = find(selector);
      part.innerHTML = markup;
      for (const [name, property] of styled) for (const element of part.querySelectorAll(`[${name}]`)) element.style.setProperty(property, element.getAttribute(name));
    }
    for (const [selector, name, value] of OPENING.attributes) {
      for (const element of document.querySelectorAll(selector)) {
        if (name.startsWith('--')) element.style.setProperty(name, value);
        else if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }
    find('#text').value = OPENING.text;
  }

  const isWide = innerWidth >= 900;
  const room = { width: Math.min(find('#map').clientWidth, 720), height: isWide ? Math.max(innerHeight - 480, 390) : Math.max(0.45 * innerHeight, 280) };
  const laidOut = layout(room);
  if (!laidOut) {
    delete plate.dataset.drawn;
    return null;
  }
  drawMap(laidOut, map.head);
  drawHeads();
  drawBar();
  drawArc();
  find('#player-play').hidden = matchMedia('(prefers-reduced-motion: reduce)').matches;
  find('#full-screen').hidden = !document.fullscreenEnabled;
  // The task after the next frame's callbacks: by then the picture has been painted. A hidden tab runs no animation frames.
  const { port1, port2 } = new MessageChannel();
  const tell = () => port2.postMessage(null);
  if (document.hidden) tell();
  else requestAnimationFrame(tell);
  document.addEventListener('visibilitychange', tell, { once: true });
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      performance.mark('first-map');
      resolve();
    };
  });
});
