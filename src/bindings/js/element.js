// <attention-playground>: a page of ours in a shadow root of somebody else's. Attributes and properties are the settings by their keys
// in links; docs/element.md describes them.

import { load, onStopped, page, unavailable, useWorker } from './library.js';
import { keepOwnEvents } from './own_events.js';
import { fillPlace, makePlace, placeStyles } from './room.js';

/** Every setting that an element has; a test compares them with those of links. */
export const KEYS = [
  'text', 'source', 'weights', 'seed', 'layers', 'layer', 'trained', 'd_model', 'd_k', 'heads', 'kv_heads', 'mask', 'valid', 'pad_rows', 'window', 'stride', 'first', 'rule', 'paint',
  'hiding', 'scoring', 'scaled', 'positions', 'align', 'linformer', 'projected', 'temperature', 'head', 'step', 'view', 'cell', 'open', 'against',
  'colours', 'scale', 'range', 'code', 'task', 'task_text', 'task_seed', 'task_temperature', 'task_step', 'lesson', 'lesson_step', 'lesson_text', 'data', 'before', 'lang', 'theme', 'backend', 'embed', 'show', 'lock',
];

/** Other names, which come first where the element writes an attribute by itself. */
const ALIASES = { tokens: 'text', controls: 'show', language: 'lang', panel: 'open' };
const NAMES = [...Object.keys(ALIASES), ...KEYS];
const LISTS = new Set(['mask', 'show', 'lock', 'open']);
const SWITCHES = new Set(['scaled', 'linformer', 'pad_rows', 'embed']);
// Written by the element only where somebody has written it before: how it is laid out is not what it shows.
const UNWRITTEN = new Set(['embed', 'lang']);

const keyOf = (name) => ALIASES[name] ?? name;
const aliasOf = (key) => Object.keys(ALIASES).find((alias) => ALIASES[alias] === key) ?? key;

/** An attribute as a link writes it: names with commas between them or the word for none, a switch that is merely there is on. */
const written = (key, value) => {
  if (LISTS.has(key)) return value.trim().split(/[\s,]+/).join(',') || 'none';
  return SWITCHES.has(key) && value === '' ? '1' : value;
};

/** A value of a setting as an attribute. */
const plain = (value) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value));

// A language that the page does not speak is the text's around, not a setting.
const isSpoken = (tag) => /^(en|zh)\b/i.test(tag ?? '');
/** The language of a tag, which is the name of the chunk with its texts where they have one. */
const languageOf = (tag) => (tag ?? '').toLowerCase().split(/[-_]/)[0];

let parts = null;

/** Markup and style sheet, made once from our own file. */
function furnish() {
  parts ??= import('./shadow.js').then(({ markup, styles }) => {
    const [template, sheet] = [document.createElement('template'), new CSSStyleSheet()];
    try {
      template.innerHTML = markup;
    } catch (error) {
      throw unavailable(`The page around requires Trusted Types, which this element does not use. ${error.message}`);
    }
    sheet.replaceSync(styles);
    return { content: template.content, sheet };
  });
  parts.catch(() => (parts = null));
  return parts;
}

const deferred = () => {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  // Who waits for it learns why it failed; who does not is told by the element itself.
  ends.promise.catch(() => {});
  return ends;
};

/** The next task, so that none is long: the page around is not kept waiting. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const Base = globalThis.HTMLElement ?? class {};

export class AttentionPlayground extends Base {
  static observedAttributes = NAMES;

  #root = null;
  #place = null;
  #mount = null;
  #page = null;
  /** What is to be set once the page is open, by key; null for the default. */
  #given = new Map();
  /** Every setting as it was when attributes were last written, by key. */
  #shown = new Map();
  #whole = null;
  #ready = deferred();
  #isReflecting = false;
  #isQueued = false;
  #isOpening = false;
  #unwatch = null;

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open' });
    this.#root.adoptedStyleSheets = [placeStyles()];
    keepOwnEvents(this.#root);
    giveBack(this.#root);
  }

  connectedCallback() {
    for (const name of NAMES.filter((name) => !(name in Base.prototype) && Object.hasOwn(this, name))) upgrade(this, name);
    for (const name of ['settings', 'state'].filter((name) => Object.hasOwn(this, name))) upgrade(this, name);
    // Moved within the document: it was never away.
    if (this.#page) return void this.#page.look_around();
    this.#hold();
    void this.#open();
  }

  disconnectedCallback() {
    queueMicrotask(() => {
      if (!this.isConnected) this.#close();
    });
  }

  attributeChangedCallback(name, before, value) {
    if (this.#isReflecting || before === value) return;
    const key = keyOf(name);
    if (name === 'lang' && value !== null && !isSpoken(value)) value = null;
    this.#given.set(key, value === null ? null : written(key, value));
    if (!this.#page || this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => this.#flush());
  }

  /** Resolves with the element when its first picture is on screen. */
  get ready() {
    return this.#ready.promise;
  }

  /** The state as a link, without `#`. */
  get state() {
    this.#flush();
    return this.#page?.fragment() ?? this.#whole ?? '';
  }

  set state(fragment) {
    const text = String(fragment).replace(/^#/, '');
    this.#given.clear();
    if (!this.#page) {
      this.#whole = text;
      return;
    }
    this.#refuse(this.#page.restore(text));
    this.#shown.clear();
    this.#reflect();
  }

  /** Every setting by its key; what is set leaves the others as they are. */
  get settings() {
    this.#flush();
    return this.#page?.settings() ?? Object.fromEntries(this.#given);
  }

  set settings(settings) {
    const entries = Object.entries(settings ?? {}).map(([name, value]) => [keyOf(name), value]);
    this.#give(Object.fromEntries(entries));
  }

  /** What is on screen: tokens, the chosen cell, measures of the head. */
  get snapshot() {
    this.#flush();
    return this.#page?.snapshot() ?? null;
  }

  /** Chooses a cell, a row without `key`, or nothing; both count from 0. */
  select(query, key) {
    this.#flush();
    const place = (value) => (Number.isInteger(value) && value >= 0 ? value : undefined);
    if (this.#page) this.#refuse(this.#page.select(place(query), place(key)));
  }

  /** Shows the numbers of files (`File`s), as if a reader had chosen them; resolves when they are on screen. */
  async load(...files) {
    const page = await this.#pageWithAll();
    await page.load(files);
    await this.#computed();
    return this;
  }

  /** A tensor of what is on screen by its name, such as `weights`: `{ shape, data }`, or `undefined`. */
  async tensor(name) {
    const page = await this.#pageWithAll();
    await this.#computed();
    return page.tensor(String(name));
  }

  /** The map as a file: bytes of an SVG or a PNG, at most so many millimetres wide. */
  async figure(format = 'svg', { width = 85 } = {}) {
    const page = await this.#pageWithAll('models');
    await this.#computed();
    return page.figure(String(format), Number(width));
  }

  /** The page with all that such calls need, and further chunks. */
  async #pageWithAll(...chunks) {
    await this.ready;
    const { glue } = await load();
    await glue.loadChunks('more', 'host', ...chunks);
    this.#flush();
    if (!this.#page) throw unavailable('The element is no longer in the page.');
    return this.#page;
  }

  /** Resolves when the numbers of the settings are on screen, in the task after. */
  async #computed() {
    while (this.#page && !this.#page.snapshot().computed) await new Promise((resolve) => this.addEventListener('change', resolve, { once: true }));
    await nextTask();
  }

  #get(key) {
    this.#flush();
    return this.#page ? this.#page.settings()[key] : this.#given.get(key);
  }

  #give(settings) {
    if (!this.#page) {
      for (const [key, value] of Object.entries(settings ?? {})) this.#given.set(key, value ?? null);
      return;
    }
    this.#flush();
    this.#refuse(this.#page.apply_settings(settings));
    for (const key of Object.keys(settings ?? {})) this.#shown.delete(key);
    this.#reflect();
  }

  #flush() {
    this.#isQueued = false;
    if (!this.#page || !this.#given.size) return;
    const given = Object.fromEntries(this.#given);
    this.#given.clear();
    this.#refuse(this.#page.apply_settings(given));
  }

  /** Keeps the room of what is to be opened. */
  #hold() {
    this.#mount = null;
    this.#place = makePlace(new URLSearchParams(this.#link()));
    this.#root.replaceChildren(this.#place);
  }

  async #open() {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      const language = languageOf(this.getAttribute('language') ?? this.closest('[lang]')?.lang ?? navigator.language);
      // A lesson comes with the first picture: it is most of the height.
      const lesson = new URLSearchParams(this.#link()).has('lesson') ? ['lessons', language === 'zh' ? 'lessons_zh' : 'lessons_en'] : [];
      const chunks = ['host', language, ...lesson];
      const [{ engine, glue }, parts] = await Promise.all([load(...chunks), furnish()]);
      await glue.loadChunks(...chunks);
      await nextTask();
      // Again where it was taken away and put back meanwhile.
      while (this.isConnected && !this.#page) await this.#fill(engine, glue, parts);
    } catch (error) {
      void this.#stopped(error.code ? error : unavailable(error.message));
    } finally {
      this.#isOpening = false;
    }
  }

  /** Lays the markup out, mounts the page and opens it in three tasks. */
  async #fill(engine, { Playground }, parts) {
    this.#draw(parts);
    const mount = this.#mount;
    const isThere = () => this.isConnected && this.#mount === mount;
    mount.getBoundingClientRect();
    await nextTask();
    if (!isThere()) return;
    const mounted = new Playground(mount, engine, this.#fullPage());
    await nextTask();
    if (!isThere()) return void mounted.free();
    const opens = this.#link();
    this.#given.clear();
    this.#unwatch = onStopped((error) => void this.#stopped(error));
    mounted.open(opens, (name, by, state) => this.#heard(name, by, state));
    this.#page = mounted;
    const refused = Playground.refused(opens);
    for (const { field } of refused) this.#shown.set(field, this.#value(field));
    this.#refuse(refused);
  }

  /** The address of the whole page: what the attribute says, or where these files are from; `undefined` where nobody knows. */
  #fullPage() {
    const given = this.getAttribute('page') ?? '';
    return /^https?:/i.test(given) && URL.canParse(given) ? given : page ?? undefined;
  }

  /** What is to be opened, as a link. */
  #link() {
    const link = new URLSearchParams(this.#whole ?? '');
    if (!link.has('embed')) link.set('embed', '1');
    for (const [key, value] of this.#given) {
      if (value === null) link.delete(key);
      else link.set(key, Array.isArray(value) ? written(key, value.join(',')) : plain(value));
    }
    return link.toString();
  }

  /** The markup, as new: what a page has left behind is of no use to another. */
  #draw({ content, sheet }) {
    this.#root.adoptedStyleSheets = [placeStyles(), sheet];
    this.#mount = document.createElement('div');
    this.#mount.className = 'mount';
    // The page sets it as well, once all has been laid out.
    this.#mount.dataset.layout = new URLSearchParams(this.#link()).get('embed') === '0' ? 'page' : 'embed';
    this.#mount.append(document.importNode(content, true));
    this.#place.append(this.#mount);
    // Sizes follow the reader's own setting, not what the page around makes of its root.
    const size = getComputedStyle(this.#mount).fontSize;
    if (size !== '16px') this.#mount.style.setProperty('--rem', size);
  }

  #close() {
    if (!this.#page) return;
    this.#flush();
    this.#whole = this.#page.fragment();
    this.#unwatch();
    this.#page.free();
    this.#page = null;
    this.#mount = null;
    this.#root.replaceChildren();
    this.#ready = deferred();
  }

  async #stopped(error) {
    this.#ready.reject(error);
    this.#tell('failed', { error });
    const parts = await furnish().catch(() => null);
    if (!parts) return void this.#root.replaceChildren(`Attention Playground: ${error.message}`);
    if (!this.#mount) this.#draw(parts);
    fillPlace(this.#place);
    const find = (selector) => this.#mount.querySelector(selector);
    find('[data-failure-cause]').textContent = error.message;
    for (const part of this.#mount.querySelectorAll('[data-failure-when]')) part.hidden = !RegExp(part.dataset.failureWhen, 'i').test(error.message);
    find('[data-failure]').hidden = false;
    for (const element of this.#mount.querySelectorAll('[data-failure] .is-page')) element.hidden = true;
    for (const element of this.#mount.querySelectorAll('[data-failure] .is-element')) element.hidden = false;
  }

  #heard(name, by, state) {
    // In a turn of its own: the page is not at work then, and may be taken away by who hears of it.
    queueMicrotask(() => {
      if (!this.#page) return;
      this.#reflect();
      if (name === 'ready') {
        fillPlace(this.#place);
        this.#ready.resolve(this);
      }
      this.#tell(name, by ? { by, state } : { state });
    });
  }

  #refuse(refused) {
    for (const detail of refused) this.#tell('refused', detail);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  static {
    // What every element has already, such as `lang` and `before`, stays what it is; it is set by attribute and among the settings.
    for (const name of NAMES.filter((name) => !(name in Base.prototype))) {
      const key = keyOf(name);
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get() {
          return this.#get(key);
        },
        set(value) {
          this.#give({ [key]: typeof value === 'string' ? written(key, value) : value });
        },
      });
    }
  }

  /** A setting as an attribute says it; null where it has nothing to say. */
  #value(key, settings = this.#page.settings(), link = new URLSearchParams(this.#page.fragment())) {
    return link.get(key) ?? (settings[key] == null ? null : plain(settings[key]));
  }

  /** Writes the settings that have changed: those that are not at their default, and those that an attribute names. What was refused
   * changes none, so that it stays as somebody has written it. */
  #reflect() {
    this.#flush();
    const [settings, link] = [this.#page.settings(), new URLSearchParams(this.#page.fragment())];
    this.#isReflecting = true;
    for (const key of KEYS) {
      const value = this.#value(key, settings, link);
      if (this.#shown.has(key) && this.#shown.get(key) === value) continue;
      this.#shown.set(key, value);
      const present = NAMES.find((name) => keyOf(name) === key && name !== 'lang' && this.hasAttribute(name));
      if (present || (link.has(key) && !UNWRITTEN.has(key))) write(this, present ?? aliasOf(key), key, value);
    }
    this.#isReflecting = false;
  }
}

/** Writes an attribute whose meaning is another one now. */
function write(element, name, key, value) {
  const now = element.getAttribute(name);
  if (value === null) element.removeAttribute(name);
  else if (now === null || written(key, now) !== value) element.setAttribute(name, value);
}

/** A property that was set before there was an element of this kind. */
function upgrade(element, name) {
  const value = element[name];
  delete element[name];
  element[name] = value;
}

/** Whoever opened a popover has the focus again when it closes. Browsers see to that themselves, but not inside a shadow tree. */
function giveBack(root) {
  let [opener, isInside] = [null, false];
  root.addEventListener('beforetoggle', ({ target, newState }) => {
    if (newState === 'open') opener = root.activeElement;
    else isInside = target.contains(root.activeElement);
  }, true);
  root.addEventListener('toggle', ({ target, newState }) => {
    // What is hidden loses the focus with the next frame.
    const isLost = !root.activeElement || target.contains(root.activeElement);
    if (target.popover && newState === 'closed' && isInside && isLost) opener?.focus();
  }, true);
}

/** Makes the element known by this name; a second time does nothing. */
export function define(name = 'attention-playground', worker) {
  if (worker) useWorker(worker);
  if (globalThis.customElements && !customElements.get(name)) {
    customElements.define(name, name === 'attention-playground' ? AttentionPlayground : class extends AttentionPlayground {});
  }
}
