/** Names with commas or blanks between them, or a list. */
export type Names<Name extends string> = string | readonly Name[];
export type MaskName = 'none' | 'causal' | 'padding' | 'local' | 'strided' | 'first';

/** Every setting by its key in links; docs/element.md lists them. */
export interface Settings {
  text: string;
  /** The second text of a cross-attention. */
  source: string | null;
  weights: string;
  seed: number;
  /** Layers of a learned model. */
  layers: number;
  /** Which of them is looked at, from 1. */
  layer: number;
  /** Training steps that it has taken. */
  trained: number;
  d_model: number;
  d_k: number;
  heads: number;
  kv_heads: number;
  mask: Names<MaskName>;
  valid: number;
  /** Whether padding hides the rows of padded tokens too. */
  pad_rows: boolean;
  window: number;
  stride: number;
  first: number;
  /** A rule of the mask in words; `""` is none. */
  rule: string;
  paint: string;
  hiding: string;
  scoring: 'dot' | 'additive';
  scaled: boolean;
  positions: string;
  /** Whether queries line up with the first keys or with the last. */
  align: 'first' | 'last';
  linformer: boolean;
  projected: number;
  temperature: number;
  /** The chosen head, from 1. */
  head: number;
  /** Row and column of the chosen cell, from 1: `"2,3"`. */
  cell: string | null;
  step: string;
  /** What the large picture is: the map, or the weights as curves. */
  view: 'map' | 'curves';
  /** Panels that are open. */
  open: Names<string>;
  against: string;
  colours: string;
  scale: string;
  /** Whose largest weight the colours reach up to. */
  range: 'auto' | 'head' | 'all';
  /** Which library the code is written for. */
  code: string;
  /** What a model learns in the training lab, the text for the task "text", the seed of its numbers and examples, the temperature at which it goes on with a text, and the step that is looked at. */
  task: string;
  task_text: string;
  task_seed: number;
  task_temperature: number;
  task_step: number;
  /** A lesson, by its name, and its step; the text of a lesson of one's own, which is called `own`. */
  lesson: string;
  lesson_step: number;
  lesson_text: string;
  /** Numbers that were brought along, as a link writes them. */
  data: string | null;
  /** What brought numbers have taken the place of, as a link writes it. */
  before: string | null;
  theme: 'auto' | 'light' | 'dark' | 'host';
  backend: 'auto' | 'webgpu' | 'cpu';
  embed: boolean;
  /** What is shown beside the map; `null` for the compact layout's own choice. */
  show: Names<string> | null;
  /** What is shown but cannot be moved by hand. */
  lock: Names<string>;
}

/** Friendlier names of settings. */
export interface Aliases {
  tokens: string;
  controls: Names<string> | null;
  language: 'auto' | 'en' | 'zh';
  panel: Names<string>;
}

/** Settings that are given: any of them, `null` for the default. */
export type Given = { [Key in keyof (Settings & Aliases)]?: (Settings & Aliases)[Key] | null };

/** What is on screen. */
export interface State {
  /** The settings as a link. */
  fragment: string;
  settings: Settings & { lang: string };
  /** Whether the numbers of these settings are on screen; without them there are no tokens, weights and measures. */
  computed: boolean;
  tokens: { queries: string[]; keys: string[] };
  cell: Cell | null;
  measures: Measures | null;
  backend: 'cpu' | 'webgpu' | null;
}

/** The chosen cell; places count from 0. */
export interface Cell {
  query: number;
  key: number | null;
  query_token: string;
  key_token: string | null;
  weight: number | null;
  hidden: boolean;
}

/** The chosen head in numbers. */
export interface Measures {
  entropy_mean: number;
  entropy_share: number | null;
  diagonal_mean: number | null;
  off_diagonal_mean: number | null;
}

/** A setting that was not taken as it was given. */
export interface Refused {
  code: string;
  field: string;
  value: string | null;
  message: string;
}

export interface AttentionPlaygroundEventMap {
  /** The first numbers are on screen. */
  ready: CustomEvent<{ state: State }>;
  /** Settings have changed, and their numbers are on screen. */
  change: CustomEvent<{ by: 'host' | 'person'; state: State }>;
  /** Another cell was chosen, or none. */
  select: CustomEvent<{ by: 'host' | 'person'; state: State }>;
  /** A setting could not be. */
  refused: CustomEvent<Refused>;
  /** The engine could not be loaded or has stopped. */
  failed: CustomEvent<{ error: Error }>;
}

type Events = Omit<HTMLElementEventMap, keyof AttentionPlaygroundEventMap> & AttentionPlaygroundEventMap;

/** `<attention-playground>`. A property that is set goes to its default with `null`; a refused one stays as it was. */
export interface AttentionPlayground extends Omit<Settings, 'before'>, Aliases {}
export class AttentionPlayground extends HTMLElement {
  /** Resolves with the element when its first picture is on screen. */
  readonly ready: Promise<this>;
  /** The state as a link, without `#`. */
  state: string;
  /** Every setting; what is set leaves the others as they are. */
  get settings(): Settings & { lang: string };
  set settings(settings: Given);
  /** What is on screen; `null` before the element is ready. */
  readonly snapshot: State | null;
  /** Chooses a cell, a row without `key`, or nothing; both count from 0. */
  select(query?: number, key?: number): void;
  /** Shows the numbers of files, assigned as they are likeliest meant; resolves when they are on screen, rejects with why they are not shown. */
  load(...files: File[]): Promise<this>;
  /** A tensor of what is on screen by its name in the compute API, such as `weights`; `undefined` where there is none of that name. */
  tensor(name: string): Promise<{ shape: number[]; data: Float32Array } | undefined>;
  /** The map as a file: bytes of an SVG or a PNG [svg], at most so many millimetres wide, 20 to 400 [85]. */
  figure(format?: 'svg' | 'png', options?: { width?: number }): Promise<Uint8Array>;

  addEventListener<Type extends keyof Events>(
    type: Type,
    listener: (this: AttentionPlayground, event: Events[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof Events>(
    type: Type,
    listener: (this: AttentionPlayground, event: Events[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** Makes the element known, by this name; a second time does nothing. */
export function define(name?: string): void;

declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
}
