// Code splitting: takes functions that opening a page does not call out of the engine's module, into modules of their own, the chunks. A call into
// one leads there through `chunks.js`, whether it is loaded or not, so a wrong guess here costs time, and stops the page where the file of the
// chunk cannot be had. Sources name only those that parts of the page wait for (`browser/chunk_loader.rs`).

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moduleOf, textOf } from './binaryen.mjs';
import { plainName } from './calls.mjs';
import { numbersIn, takeData } from './chunk_data.mjs';
import { shortenGlue, shortenItems } from './glue_names.mjs';
import { digest } from './integrity.mjs';
import { linked } from './linking.mjs';
import { itemsOf, namesIn } from './wat.mjs';

const TARGET = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../../target', import.meta.url));
/** The names of functions in chunks, with those in the sources: for people who look for what a page had to wait for. */
const NAMES = join(TARGET, 'chunks.txt');
/** The engine as the linker has written it. */
const LINKED = join(TARGET, 'wasm32-unknown-unknown/release/attention-playground.wasm');

/** Names of functions that a visit does not call before its first input, by the chunk for them: written by `./dev calls`. */
const UNCALLED = JSON.parse(await readFile(new URL('uncalled.json', import.meta.url), 'utf8'));
const LATER = new Map(['input', 'more'].flatMap((chunk) => UNCALLED[chunk].map((name) => [name, chunk])));
/** Names of functions that common settings call, whatever their paths say. */
const COMMON = new Set(UNCALLED.common);

/**
 * What is in a chunk: everything in these modules and types of the sources, then what `UNCALLED` names, and what only they call. A function
 * belongs to the first of these paths in its name, which is that of the type for a method of a trait. Windows load those that are `isForInput`
 * at their first input, and others when they are known to be needed; workers load each at its first call. The chunk of a language has its name,
 * which is how `boot.js` and `element.js` ask for it. A chunk is loaded with the one that it `needs`, where what they share is.
 */
const CHUNKS = {
  input: {
    isForInput: true,
    holds: [
      // What a changed layer answers.
      'app::present::learned::answers::Made', 'app::present::learned::answers::likeliest',
      // What says that another chunk could not be loaded.
      'page::browser::chunk_loader::ChunkLoader::load', 'page::browser::field_value', 'page::browser::panels::lesson', 'page::browser::chunk_loader::Inner', 'app::update::lesson::use_lesson', 'app::update::lesson::end_lesson', 'app::update::settings::chunk_came', 'page::browser::panels::registry::MissingNote',
      'page::browser::panels::registry::PanelPlace::say_missing', 'app::views::lesson_missing', 'app::views::missing',
    ],
  },
  gpu: {
    holds: [
      'attention::reference', 'gpu', 'page::bindings::worker::gpu::drive', 'page::bindings::worker::gpu::finish_on_gpu', 'page::bindings::worker::gpu::lost', 'engine::gpu_job',
      'engine::latency_model', 'engine::probe', 'engine::runs::device', 'engine::verified_gpu::VerifiedGpu::open',
      'engine::verified_gpu::VerifiedGpu::verify', 'wgpu', 'wgpu_types',
    ],
  },
  host: {
    needs: 'input',
    holds: [
      'page::bindings::js_tree::Converter', 'page::bindings::parent_channel', 'page::browser::element', 'page::browser::iframe_bridge',
      'app::update::hosts', 'page::browser::page_api', 'app::protocol', 'app::state::origins',
    ],
  },
  models: {
    needs: 'more',
    holds: [
      'model', 'formats::encoding::zlib', 'miniz_oxide::deflate', 'page::api::model',
      'page::bindings::js_tree::model_request', 'page::bindings::js_tree::with_arrays', 'page::bindings::worker::models',
      'page::browser::panels::app_panel', 'page::browser::panels::painting', 'page::browser::panels::head_canvases', 'engine::fit_run', 'engine::model_file',
      'engine::practice', 'engine::training_run', 'app::export::codegen::model', 'app::present::continuation', 'app::present::draw',
      'app::present::model_export', 'app::present::painted_grid', 'app::present::panel', 'app::present::training', 'app::present::training_charts',
      'app::present::training_lab', 'app::present::training_panel', 'app::state::learned::layer::LearnedLayer::new', 'app::state::learned::models', 'app::views::draw', 'app::views::painted_cell',
      'app::update::panels', 'app::views::training',
    ],
  },
  zh: { isForInput: true, holds: ['app::i18n::lines::zh'] },
  lessons_en: { holds: ['app::present::lesson::files::en'] },
  lessons_zh: { holds: ['app::present::lesson::files::zh'] },
  lesson_writing: {
    needs: 'lessons',
    holds: [
      'bumpalo', 'lesson_markup', 'app::update::lesson_writing', 'app::present::lesson::files::source', 'app::present::lesson::files::source_en',
      'app::present::lesson::files::source_zh', 'app::present::lesson::writing', 'app::views::lesson::writing', 'pulldown_cmark', 'pulldown_cmark_escape',
      'pulldown_latex', 'unicase',
    ],
  },
  lessons: {
    needs: 'more',
    holds: ['lessons', 'app::update::lesson_taking', 'app::present::lesson', 'app::views::lesson'],
  },
  more: {
    isForInput: true,
    needs: 'input',
    holds: [
      'attention::complexity::sparse', 'attention::cpu::f64_scores::Wide', 'attention::cpu::f64_scores::project',
      'attention::cpu::f64_scores::queries', 'attention::cpu::f64_scores::rotated', 'attention::error::Error', 'attention::request::Request::from_heads', 'formats', 'miniz_oxide', 'ndarray::linalg', 'page::api',
      'page::bindings::client::calls::call', 'page::bindings::client::local_calls', 'page::bindings::error', 'page::bindings::js_tree::request',
      'page::bindings::response', 'page::bindings::worker::compare_backends', 'page::bindings::worker::cpu::start_second',
      'page::bindings::worker::half_result', 'page::bindings::worker::read_file', 'page::bindings::worker::second_worker', 'page::bindings::worker::weights_stream', 'page::browser::clipboard',
      'page::browser::download::Download', 'page::browser::engine::Engine::ask_beside', 'page::browser::engine::Engine::compare',
      'page::browser::export', 'page::browser::import', 'page::browser::map::pointer::fingers', 'page::browser::page::copying',
      'app::update::settings::import', 'page::browser::page::saving::compose', 'page::browser::page::saving::save',
      'page::browser::page::use_share', 'page::browser::panels::analysis', 'page::browser::panels::backend_check', 'page::browser::panels::code',
      'page::browser::panels::code::Code::new', 'page::browser::panels::comparison', 'page::browser::panels::cost',
      'page::browser::panels::cost::benchmark_runner::listen', 'page::browser::panels::cost::growth_chart::listen', 'page::browser::panels::curves',
      'page::browser::panels::data', 'page::browser::panels::player::Player', 'page::browser::panels::streaming', 'page::browser::share',
      'engine::halves', 'engine::runs::second_worker', 'engine::worker_choice', 'app::export', 'app::import', 'app::present::comparison', 'app::present::imported_text::labelling', 'app::present::cost', 'app::present::head_table',
      'app::present::small_chart', 'app::present::steps::explain', 'app::present::streaming', 'app::scene::chart', 'app::scene::curves', 'app::scene::figure',
      'app::scene::svg', 'app::share', 'app::state::cell_tracking', 'app::state::comparison', 'app::state::imported::ImportedData::new',
      'app::state::imported::cache', 'app::state::imported::constraints::apply', 'app::state::imported::constraints::fixed_value',
      'app::state::imported::serialize', 'app::state::imported::url::MissingData', 'app::state::imported::validate', 'app::state::overrides',
      'app::state::painting', 'app::state::presets::pair_for', 'app::state::request_builder::same_anywhere', 'app::state::validate::shown_as',
      'app::views::analysis', 'app::views::comparison', 'app::views::import_dialog', 'app::views::inspector', 'app::views::program',
      'app::views::share_parts', 'app::views::similar_heads', 'app::views::tensor_table', 'qrcodegen',
    ],
  },
};

/** What stays in the engine all the same, unless it is listed itself: opening a page calls it. */
const KEPT = [
  // Constructors of what stands on the page, and observers, which tell at once how things are.
  /^page::browser::.*::(new|default|find|watch)$/,
  /^(page::browser::(export::keep_in_place|import::banner)|engine::latency_model::Workload|app::(export::tensors::inputs|share::whole|state::comparison::ComparisonAction))/,
  /^(page::(bindings::error::Refusal|browser::(panels::(analysis|cost|streaming)::(heads::)?|iframe_bridge::)Inner)|app::state::(painting::Painting|overrides::Overrides|imported::ImportedData)|page::browser::panels::(app_panel::AppPanel|lesson::LessonPanel(::show)?)|app::present::panel::PanelEvent)$/,
  // One function with everything else that does nothing, with everything that drops two vectors, one text that may be there, or one counted value.
  /^(model::(part::(attention::NoSink|cross_entropy::Score)|pass::Paths)|formats::nested::Shape|app::present::training_panel::Problem|page::browser::share::ShareAction|app::present::lesson::progress::Progress|wgpu::api::instance::Instance)$/,
  // What looks whether there is a host.
  /^page::browser::(page_api::(HostListeners|Event|tell_height|measure)|page::page_api::is_settled|iframe_bridge::Inner::now)/,
];

/** What sets listeners stays as well; what it hands on to be called later, which stands in a table, does not. */
const LISTENERS = /^page::browser::.*::(listen|listeners|drops)$/;

/** What only the build calls (`opening.mjs`): without its export it is not in the engine, nor is what only it calls. */
const BUILD_ONLY = /^ \(export "opening"/;

const OWN = /\b(?:app|attention_playground|attention|engine|formats|gpu|lesson_markup|lessons|model|ndarray|wgpu_types|wgpu|miniz_oxide|qrcodegen|pulldown_cmark|pulldown_cmark_escape|pulldown_latex|bumpalo|unicase)(?:::(?:\w+|<impl [^>]*>|\{\{closure\}\}))+/;

/** The path of the function `name` in the sources; of a method of a trait, that of its type. */
const pathOf = (name) => OWN.exec(name)?.[0].replace(/::(<impl [^>]*>|\{\{closure\}\}|h[0-9a-f]{16}(?=$|::))/g, '').replace(/^attention_playground/, 'page') ?? '';

/** The chunk that the sources' paths give a function. */
export function chunkOfPath(name, isInTable = false) {
  const path = pathOf(name);
  const listed = Object.keys(CHUNKS).find((chunk) => CHUNKS[chunk].holds.includes(path));
  if (listed || KEPT.some((pattern) => pattern.test(path)) || (LISTENERS.test(path) && !isInTable)) return listed ?? null;
  const isIn = (holder) => path === holder || path.startsWith(`${holder}::`);
  return Object.keys(CHUNKS).find((chunk) => CHUNKS[chunk].holds.some(isIn)) ?? null;
}

const chunkOf = (name, isInTable) => (COMMON.has(plainName(name)) ? 'input' : chunkOfPath(name, isInTable) ?? LATER.get(plainName(name)) ?? null);

/** A chunk and those that are loaded with it, from the one that it needs on. */
const withNeeded = (chunk) => (chunk ? [chunk, ...withNeeded(CHUNKS[chunk].needs)] : []);

/** The first chunk that is there whenever one of `chunks` is. */
function commonChunk(chunks) {
  const [first, ...others] = [...chunks].map(withNeeded);
  return first?.find((chunk) => others.every((loaded) => loaded.includes(chunk)));
}

/** The chunk of each function that is in one. */
function assigned(functions, items) {
  const homes = new Map();
  const callers = new Map([...functions.keys()].map((name) => [name, new Set()]));
  // JavaScript, which stands between modules, cannot pass a vector on.
  const named = (wanted) => new Set(items.filter(({ kind }) => kind === wanted).flatMap(({ text }) => namesIn(text)));
  const [inTables, exported] = [named('elem'), named('export')];
  const movable = [...functions.values()].filter(({ name, signature }) => !exported.has(name) && !signature.includes('v128')).map(({ name }) => name);
  for (const name of movable) {
    const chunk = chunkOf(name, inTables.has(name));
    if (chunk) homes.set(name, chunk);
  }
  for (const { name, references } of functions.values()) {
    for (const called of references) if (called !== name) callers.get(called)?.add(name);
  }
  // What tables name may be called by anybody.
  for (let before = -1; before !== homes.size;) {
    before = homes.size;
    for (const name of movable.filter((name) => !homes.has(name) && !inTables.has(name))) {
      const chunk = commonChunk(new Set([...callers.get(name)].map((caller) => homes.get(caller))));
      if (chunk) homes.set(name, chunk);
    }
  }
  return homes;
}

/** The texts of the engine and of its chunks, the names that functions have between them, and those of the glue. */
function split(text, data) {
  const whole = itemsOf(text).filter(({ lines }) => !BUILD_ONLY.test(lines[0]));
  const glue = shortenItems(whole);
  const functions = new Map(whole.filter(({ kind }) => kind === 'func').map((item) => [item.name, item]));
  const homes = assigned(functions, whole);
  const homeOf = (name) => homes.get(name) ?? 'engine';
  const { left: items, taken } = takeData(whole, ({ name }) => homeOf(name), data);
  const all = ['engine', ...Object.keys(CHUNKS)];
  const texts = new Map(all.map((home) => [home, { imports: [], exports: [], rest: [] }]));
  const keys = new Map();
  const keyOf = (name) => keys.get(name) ?? keys.set(name, `_${keys.size.toString(36)}`).get(name);
  const wanted = new Map(all.map((home) => [home, new Set()]));
  const want = (home, name) => {
    if (functions.has(name) && homeOf(name) !== home) wanted.get(home).add(name);
  };
  for (const item of items) {
    const home = item.kind === 'func' ? homeOf(item.name) : 'engine';
    for (const name of item.references) want(home, name);
    if (item.kind === 'elem') for (const name of namesIn(item.text)) want(home, name);
  }
  const exported = new Set();
  for (const [home, names] of wanted) {
    for (const name of names) {
      texts.get(home).imports.push(` (import "${homeOf(name)}" "${keyOf(name)}" (func ${name}${functions.get(name).signature}))`);
      if (!exported.has(name)) texts.get(homeOf(name)).exports.push(` (export "${keyOf(name)}" (func ${name}))`);
      exported.add(name);
    }
  }
  for (const item of items) place(item, texts, homeOf, keyOf);
  for (const [chunk, data] of taken) texts.get(chunk).rest.push(...data.map(({ text }) => text));
  return { texts: new Map([...texts].map(([home, { imports, exports, rest }]) => [home, ['(module', ...imports, ...rest, ...exports, ')'].join('\n')])), keys, glue };
}

/** Puts an item where it belongs: types and imports into every module, memory, tables and globals into the engine, which exports them to the chunks. */
function place(item, texts, homeOf, keyOf) {
  const { engine, ...chunks } = Object.fromEntries(texts);
  const exported = /^ \((memory|table|global) (\S+) (.*)\)$/.exec(item.lines[0]);
  if (item.kind === 'type' || item.kind === 'import') texts.forEach(({ imports }) => imports.push(item.text));
  else if (item.kind === 'func') texts.get(homeOf(item.name)).rest.push(item.text);
  else engine.rest.push(item.text);
  if (!exported) return;
  const [, kind, name, type] = exported;
  const declared = kind === 'global' ? type.replace(/ \(\w+\.const [^)]*\)$/, '') : type;
  for (const { imports } of Object.values(chunks)) imports.push(` (import "engine" "${keyOf(`${kind} ${name}`)}" (${kind} ${name} ${declared}))`);
  engine.exports.push(` (export "${keyOf(`${kind} ${name}`)}" (${kind} ${name}))`);
}

/**
 * The bytes of the engine and of each chunk, a list of the names between them, and the names that the glue has from then on. `data` is what the
 * linker knows of the module's data.
 */
export async function splitModule(wasm, data) {
  const { texts, keys, glue } = split(await textOf(wasm), data);
  const passes = ['remove-unused-module-elements', 'reorder-functions-by-name', 'strip-debug', 'strip-producers'].map((pass) => `--${pass}`);
  const files = new Map(await Promise.all([...texts].map(async ([home, text]) => [home, await moduleOf(text, ...passes)])));
  return { files, glue, names: [...keys].map(([name, key]) => `${key} ${name}\n`).join('') };
}

/** What the linker knows of the engine's data. */
async function linkedData() {
  const wasm = await readFile(LINKED);
  return { ...linked(wasm), numbers: new Set(numbersIn(await textOf(wasm))) };
}

export default async function chunks(site) {
  const listed = [];
  if (site.isSplit) {
    const { files, names, glue } = await splitModule(site.files.get('engine.wasm'), await linkedData());
    await writeFile(NAMES, names);
    site.write('engine.js', shortenGlue(site.text('engine.js'), glue));
    site.files.set('engine.wasm', files.get('engine'));
    for (const [chunk, { isForInput = false, needs = '' }] of Object.entries(CHUNKS)) {
      site.files.set(`engine-${chunk}.wasm`, files.get(chunk));
      listed.push(`  ${chunk}: { isForInput: ${isForInput}, needs: '${needs}', url: new URL('./engine-${chunk}.wasm', import.meta.url).href, integrity: '${digest(files.get(chunk))}' },\n`);
    }
  }
  site.replace('engine.js', 'const imports = __wbg_get_imports();', 'const imports = withChunks(__wbg_get_imports());', 2);
  site.write('engine.js', `${site.text('engine.js')}\nconst CHUNKS = {\n${listed.join('')}};\n${site.text('chunks.js')}`);
  site.files.delete('chunks.js');
}
