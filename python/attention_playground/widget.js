// The element in a notebook. Its files, and one's own numbers, come from the kernel as messages: a notebook that is saved holds neither, and
// nothing is asked of a network.

const TEXTS = { en: ['Layer', 'of'], zh: ['层', '/'] };
/** How long nothing may have changed before the picture for the saved notebook is made. */
const REST_MS = 400;
/** How long nothing may have been typed before a layer is fetched. */
const TYPED_MS = 250;

/** Files that have come as a widget of their own, which is then over. */
async function unwrap(model, name) {
  const parcel = await model.widget_manager.get_model(name);
  const contents = parcel.get('contents');
  model.send({ type: 'taken', parcel: name });
  return contents;
}

/** Asks the kernel for a message of a type. */
const ask = (model, request, isAnswer = () => true) => new Promise((resolve) => {
  const hear = async (message, buffers) => {
    if (message.type !== request.type || !isAnswer(message)) return;
    model.off('msg:custom', hear);
    resolve({ message, buffers: message.parcel ? await unwrap(model, message.parcel) : buffers });
  };
  model.on('msg:custom', hear);
  model.send({ ...request, opens_parcels: typeof model.widget_manager?.get_model === 'function' });
});

const unpack = (packed) => new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

/** In the order in which they import each other. */
const MODULES = ['own_events.js', 'room.js', 'calls.js', 'shadow.js', 'engine.js', 'worker.js', 'library.js', 'element.js'];
/** No request is made for what the package leaves out. */
const NOTHING = 'data:,';

/** The element's class, from its files: each gets an address in memory, and the others name it by that. */
async function build({ message: { names }, buffers }) {
  const contents = await Promise.all(buffers.map(unpack));
  const files = new Map(names.map((name, at) => [name, contents[at]]));
  const addresses = new Map();
  const keep = (name, content, type) => addresses.set(name, URL.createObjectURL(new Blob([content], { type })));
  for (const [name, content] of files) if (name.endsWith('.wasm')) keep(name, content, 'application/wasm');
  const written = (name) => JSON.stringify(addresses.get(name) ?? NOTHING);
  for (const name of MODULES) {
    const source = new TextDecoder().decode(files.get(name))
      .replace(/new URL\('\.\/([\w.-]+)', import\.meta\.url\)/g, (_, other) => `new URL(${written(other)})`)
      .replace(/(from |import\()'\.\/([\w.-]+)'/g, (_, how, other) => how + written(other));
    keep(name, source, 'text/javascript');
  }
  return import(addresses.get('element.js'));
}

/** The name of the element; its files come once into a page, however many widgets and kernels it has. */
async function defined(model) {
  const print = model.get('_element');
  const home = Symbol.for(`attention-playground ${print}`);
  globalThis[home] ??= ask(model, { type: 'files' }).then(build);
  const { define } = await globalThis[home];
  define(`attention-playground-${print}`);
  return `attention-playground-${print}`;
}

/** What views of one widget share, each of which is given a model of its own: views, and files of layers, which travel once. */
const widgets = new Map();

function sharedOf(model) {
  const name = model.get('_still');
  if (!widgets.has(name)) widgets.set(name, { views: new Set(), files: new Map() });
  return widgets.get(name);
}

function fileOf(model, layer) {
  const { files } = sharedOf(model);
  if (!files.has(layer)) {
    const answer = ask(model, { type: 'numbers', layer }, (message) => message.layer === layer);
    files.set(layer, answer.then(({ buffers: [numbers] }) => new File([numbers], `layer-${layer}.npz`)));
  }
  return files.get(layer);
}

const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Whether the notebook is dark: JupyterLab, VS Code and marimo each say it otherwise; nothing where none does. */
function ground() {
  const { body, documentElement } = document;
  const { jpThemeLight, vscodeThemeKind } = body.dataset;
  if (jpThemeLight) return jpThemeLight === 'false' ? 'dark' : 'light';
  if (vscodeThemeKind) return /dark|high-contrast$/.test(vscodeThemeKind) ? 'dark' : 'light';
  for (const { classList } of [body, documentElement]) if (classList.contains('dark')) return 'dark';
  return '';
}

function followGround(el) {
  const follow = () => { el.style.colorScheme = ground(); };
  const watcher = new MutationObserver(follow);
  for (const watched of [document.body, document.documentElement]) watcher.observe(watched, { attributes: true });
  follow();
  return () => watcher.disconnect();
}

/** Hides the picture that the notebook keeps of this widget, and the room of its output, while the widget is alive. */
function hideStill(model, el) {
  const still = `[data-attention-playground="${model.get('_still')}"]`;
  const style = document.createElement('style');
  style.textContent = `${still}, .jp-OutputArea-child:has(${still}) { display: none }`;
  el.append(style);
}

/** A field for the layer, where there are several. */
function layerField(model, lang) {
  const [layer, of] = TEXTS[lang === 'zh' ? 'zh' : 'en'];
  const label = document.createElement('label');
  const field = Object.assign(document.createElement('input'), { type: 'number', min: 1, max: model.get('_layers') });
  field.style.cssText = 'inline-size: 4.5em; margin-inline: .4em; font: inherit';
  label.style.cssText = 'display: block; margin-block: .3em; font: 14px system-ui, sans-serif';
  label.append(`${layer} `, field, ` ${of} ${model.get('_layers')}`);
  const show = () => { field.value = model.get('layer'); };
  let timer = 0;
  const choose = () => {
    const typed = Math.round(Number(field.value));
    if (typed < 1 || typed > model.get('_layers')) return;
    model.set('layer', typed);
    model.save_changes();
  };
  // JupyterLab 4.6 lets no `change` come from a field in an output when Enter is pressed.
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(choose, TYPED_MS);
  });
  field.addEventListener('blur', show);
  model.on('change:layer', show);
  show();
  return { label, leave: () => model.off('change:layer', show) };
}

class View {
  #model;
  #element;
  #names;
  #timer = 0;
  #shown = 0;
  #all;
  #isStarted = false;
  #isGone = false;

  constructor(model, element) {
    this.#model = model;
    this.#element = element;
    this.#all = sharedOf(model).views.add(this);
    this.#names = Object.entries(model.get('_names'));
    if (model.get('_layers') === 0) this.#names.push(['layer', 'layer']);
  }

  /** What was set in Python, by keys of links; where there are own numbers, what they say comes first. */
  #given(names = this.#names) {
    const all = names.map(([name, key]) => [key, this.#model.get(name)]);
    return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
  }

  async start() {
    const [model, element] = [this.#model, this.#element];
    const hasNumbers = model.get('_layers') > 0;
    const LOOK = ['lang', 'theme', 'embed', 'controls', 'lock', 'backend'];
    element.settings = this.#given(hasNumbers ? this.#names.filter(([name]) => LOOK.includes(name)) : undefined);
    element.addEventListener('refused', ({ detail }) => queueMicrotask(() => this.#refuse(detail.message)));
    await element.ready;
    if (hasNumbers) {
      await this.#load();
      element.settings = this.#given();
    }
    for (const [name] of this.#names) model.on(`change:${name}`, this.#follow);
    if (hasNumbers) model.on('change:layer', this.#turn);
    for (const type of ['change', 'select']) element.addEventListener(type, this.#tell);
    this.#isStarted = true;
    this.#tell();
  }

  async #load() {
    const layer = this.#model.get('layer');
    const file = await fileOf(this.#model, layer);
    if (this.#isGone) return;
    await this.#element.load(file).catch((error) => this.#refuse(error.message));
    this.#shown = layer;
  }

  /** Another layer, with head and cell where they are. */
  #turn = async () => {
    const { head, cell } = this.#element.settings;
    await this.#load();
    this.#element.settings = { head, cell };
    this.#tell();
  };

  /** Python has set something. */
  #follow = () => {
    const settings = this.#element.settings;
    const changed = this.#names.filter(([name, key]) => !isSame(this.#model.get(name), settings[key]));
    if (changed.length === 0) return;
    this.#model.set('refused', '');
    this.#element.settings = Object.fromEntries(changed.map(([name, key]) => [key, this.#model.get(name)]));
    this.#model.save_changes();
  };

  /** Something has changed on screen. */
  #tell = () => {
    const settings = this.#element.settings;
    for (const [name, key] of this.#names) {
      if (key in settings && !isSame(this.#model.get(name), settings[key])) this.#model.set(name, settings[key] ?? null);
    }
    this.#model.save_changes();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw().catch(() => {}), REST_MS);
  };

  /** Says why, and what is on screen in its place. */
  #refuse(sentence) {
    this.#model.set('refused', sentence);
    if (this.#isStarted) this.#tell();
    else this.#model.save_changes();
  }

  /** Sends the picture, and what was computed, to the kernel. */
  async #draw() {
    const [model, element] = [this.#model, this.#element];
    // One of them tells.
    if (this.#isGone || [...this.#all][0] !== this) return;
    const buffers = [await element.figure('svg'), await element.figure('png')];
    const arrays = {};
    for (const name of model.get('_computes') ? ['weights', 'output'] : []) {
      const tensor = await element.tensor(name);
      if (!tensor) continue;
      arrays[name] = tensor.shape;
      buffers.push(tensor.data);
    }
    model.send({ type: 'drawn', fragment: element.state, layer: this.#shown, arrays }, undefined, buffers.map(({ buffer }) => buffer));
  }

  leave() {
    this.#isGone = true;
    this.#all.delete(this);
    clearTimeout(this.#timer);
    for (const [name] of this.#names) this.#model.off(`change:${name}`, this.#follow);
    this.#model.off('change:layer', this.#turn);
  }
}

async function render({ model, el }) {
  const ends = [followGround(el)];
  // Keys that are pressed in it are no shortcuts of JupyterLab.
  el.dataset.lmSuppressShortcuts = 'true';
  const element = document.createElement(await defined(model));
  const view = new View(model, element);
  ends.push(() => view.leave());
  if (model.get('_layers') > 1) {
    const { label, leave } = layerField(model, model.get('lang') ?? document.documentElement.lang.slice(0, 2));
    ends.push(leave);
    el.append(label);
  }
  el.append(element);
  hideStill(model, el);
  view.start().catch((error) => { element.textContent = error.message; });
  return () => ends.forEach((end) => end());
}

/** What was shared goes with the widget. */
const initialize = ({ model }) => () => widgets.delete(model.get('_still'));

export default { initialize, render };
