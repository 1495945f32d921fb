// A hand on a page, whoever drives the browser: what the monkey needs, and nothing that waits by itself.

const KEYS = { Space: ' ' };

class Hands {
  constructor(page) {
    this.page = page;
  }

  evaluate(act, given) { return this.page.evaluate(act, given); }

  async press(keys) {
    const parts = keys === '+' ? ['+'] : keys.split('+');
    const last = parts.pop();
    for (const held of parts) await this.page.keyboard.down(held);
    await this.page.keyboard.press(this.key(last));
    for (const held of parts.reverse()) await this.page.keyboard.up(held);
  }

  type(text) { return this.page.keyboard.type(text); }

  /** Has the page listen to the hand. */
  attend() {}

  /** Has what is looked at in sight. */
  face() {}

  /** Where a hand may go. */
  place(x, y) { return [x, y]; }

  async click(x, y) {
    await this.page.mouse.move(...this.place(x, y));
    await this.page.mouse.down();
    await this.page.mouse.up();
  }

  async stroke(from, to) {
    await this.page.mouse.move(...this.place(...from));
    await this.page.mouse.down();
    await this.page.mouse.move(...this.place(...to), { steps: 3 });
    await this.page.mouse.up();
  }

  point(x, y) { return this.page.mouse.move(...this.place(x, y)); }

  /** One of the things that can be reached, as `monkey.reach` says it. */
  reach(share, selector) {
    return this.page.evaluate(([share, selector]) => monkey.reach(share, selector ?? undefined), [share, selector ?? null]);
  }
}

/** On a page of Playwright. */
export class PlaywrightHands extends Hands {
  key(name) { return name; }
  insert(text) { return this.page.keyboard.insertText(text); }
  wheel(by) { return this.page.mouse.wheel(0, by); }
  resize(width, height) { return this.page.setViewportSize({ width, height }); }
  back() { return this.page.goBack({ timeout: 60_000 }); }
  forward() { return this.page.goForward({ timeout: 60_000 }); }
  reload() { return this.page.reload(); }
}

/** In a frame of a page of Playwright. */
export class FrameHands extends PlaywrightHands {
  constructor(page, frame) {
    super(page);
    this.frame = frame;
  }

  evaluate(act, given) { return this.frame.evaluate(act, given); }

  /** A key may have scrolled the host to its end, and a browser lets a frame that is out of sight wait with painting. */
  face() {
    return this.page.evaluate(() => {
      const frame = document.querySelector('#frame');
      const { top, bottom } = frame.getBoundingClientRect();
      if (bottom <= 0 || top >= innerHeight) frame.scrollIntoView({ behavior: 'instant' });
    });
  }

  async reach(share, selector) {
    const part = await this.frame.evaluate(([share, selector]) => monkey.reach(share, selector ?? undefined), [share, selector ?? null]);
    const element = part && (await this.frame.frameElement());
    const box = await element?.boundingBox();
    const { width, height } = this.page.viewportSize();
    if (!box) return null;
    const placed = { ...part, left: part.left + box.x, top: part.top + box.y };
    const isInView = placed.left >= 0 && placed.top >= 0 && placed.left + part.width <= width && placed.top + part.height <= height;
    return isInView ? placed : null;
  }
}

/** On a page of Puppeteer. */
export class PuppeteerHands extends Hands {
  key(name) { return KEYS[name] ?? name; }
  /** Tab leads out of the page, to Firefox's own controls. A person's next click leads back in; for a driver only another tab does. */
  async attend() {
    if (await this.page.evaluate(() => document.hasFocus())) return;
    const other = await this.page.browser().newPage();
    await other.close();
    await this.page.bringToFront();
  }
  /** Firefox refuses to move the pointer out of its window. */
  place(x, y) {
    const { width, height } = this.page.viewport();
    return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  }
  insert(text) { return this.page.evaluate((text) => void document.execCommand('insertText', false, text), text); }
  wheel(by) { return this.page.mouse.wheel({ deltaY: by }); }
  resize(width, height) { return this.page.setViewport({ width, height }); }
  // At an end of the history this is an error here, and nothing at all for a person.
  back() { return this.page.goBack().catch(() => {}); }
  forward() { return this.page.goForward().catch(() => {}); }
  reload() { return this.page.reload(); }
}
