// The element in a notebook. Its files, and one's own numbers, come from the kernel as messages: a notebook that is saved holds neither, and
// nothing is asked of a network.

/** How long nothing may have changed before the picture for the saved notebook is made. */
const REST_MS = 400;

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

/** What the files give: `define` for the element, and `layerField`. */
async function build({ message: { names }, buffers }) {
  const contents = await Promise.all(buffers.map(unpack));
  const files = new Map(names.map((name, at) => [name, contents[at]]));
  const address = URL.createObjectURL(new Blob([files.get('in_memory.js')], { type: 'text/javascript' }));
  const { importFrom, workerFrom } = await import(address);
  const [{ define }, { layerField }] = await Promise.all(['element.js', 'layer_field.js'].map((name) => importFrom(files, name)));
  return { define: (name) => define(name, () => workerFrom(files)), layerField };
}

/** The name of the element, and the field; the files come once into a page, however many widgets and kernels it has. */
async function built(model) {
  const print = model.get('_element');
  const home = Symbol.for(`attention-playground ${print}`);
  globalThis[home] ??= ask(model, { type: 'files' }).then(build);
  const { define, layerField } = await globalThis[home];
  define(`attention-playground-${print}`);
  return { name: `attention-playground-${print}`, layerField };
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

class View {
  #model;
  #element;
  #names;
  #timer = 0;
  #shown = 0;
  #all;
  #isStarted = false;
  #isTelling = false;
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
    if (this.#isTelling) return;
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
    // Each is heard of as it is set, when the model still has the others as they were.
    this.#isTelling = true;
    for (const [name, key] of this.#names) {
      if (key in settings && !isSame(this.#model.get(name), settings[key])) this.#model.set(name, settings[key] ?? null);
    }
    this.#isTelling = false;
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
  const { name, layerField } = await built(model);
  const element = document.createElement(name);
  const view = new View(model, element);
  ends.push(() => view.leave());
  if (model.get('_layers') > 1) {
    const { label, show } = layerField(model.get('_layers'), model.get('lang') ?? document.documentElement.lang, (layer) => {
      model.set('layer', layer);
      model.save_changes();
    });
    const follow = () => show(model.get('layer'));
    model.on('change:layer', follow);
    ends.push(() => model.off('change:layer', follow));
    follow();
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
