export { AttentionPlayground, define } from './element.js';
export type * from './element.js';

/** Numbers in row-major order with a shape, or nested lists that form a full grid. */
export type TensorLike = { shape: readonly number[]; data: NumberArray | readonly number[] } | Nested;
export type NumberArray =
  | Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array;
export type Nested = readonly (number | Nested)[] | NumberArray;

/** A returned tensor; it belongs to the caller. */
export interface Tensor {
  shape: number[];
  data: Float32Array;
}

export type BackendChoice = 'auto' | 'webgpu' | 'cpu';
export type Scoring = 'dot' | 'additive';
export type Position = 'none' | 'sinusoidal' | 'rotary' | 'alibi';
/** Columns that are rotated together: `2c` and `2c + 1`, or `c` and `c + floor(r/2)` of `r` rotated ones. */
export type Pairs = 'neighbours' | 'halves';
/** The paper's, with those of its authors for other numbers of heads than powers of two; or one power for every number. */
export type Slopes = 'paper' | 'power';
export type ResultName = 'q' | 'k' | 'v' | 'scores' | 'weights' | 'context' | 'output' | 'stats';

/** `y = x·w + b`; head `g` owns columns `g·d_k … (g+1)·d_k`. */
export interface Weights {
  w_q: TensorLike;
  w_k: TensorLike;
  w_v: TensorLike;
  w_o?: TensorLike | null;
  b_q?: TensorLike | null;
  b_k?: TensorLike | null;
  b_v?: TensorLike | null;
  b_o?: TensorLike | null;
  /** For additive scores: `[d_k]` or `[d_k, 1]`. */
  w_a?: TensorLike | null;
}

/** What may stand beside given `q`, `k` and `v`. */
export type LaterWeights = Pick<Weights, 'w_o' | 'b_o' | 'w_a'>;

export type MaskTensor = TensorLike | { shape: readonly number[]; data: readonly boolean[] } | NestedBooleans;
export type NestedBooleans = readonly (boolean | NestedBooleans)[];
export type MaskRule =
  | { kind: 'causal' }
  /** Real keys, of all batch entries or of each; the others are padding on the right, or on the left. */
  | { kind: 'padding'; valid: number | Lengths; side?: 'right' | 'left' | null }
  /** `[m]` or `[batch, m]`; the name says what 1 means. */
  | { kind: 'key_padding'; visible: MaskTensor; hidden?: null }
  | { kind: 'key_padding'; hidden: MaskTensor; visible?: null }
  | { kind: 'padded_queries'; valid: number }
  | { kind: 'local'; window: number }
  | { kind: 'strided'; stride: number }
  /** Keys that every query sees; what follows is causal. */
  | { kind: 'prefix'; length: number }
  /** Documents one after the other, which do not see each other; the lengths add up to `m`. */
  | { kind: 'documents'; lengths: Lengths };
/** Whole numbers, a tensor with one axis. */
export type Lengths = TensorLike;
/** A rule, a tensor in which 1 is visible and any axis may be 1, a list of which all must allow a cell, or `any` of which one must. */
export type Mask = MaskRule | MaskTensor | readonly Mask[] | { any: readonly Mask[] } | { rule: string };

/** How inputs become scores; fixed with a layer. */
export interface Mechanism {
  /** Query heads; 1, or as many as `q` has. */
  heads?: number | null;
  /** A divisor of `heads`. */
  kv_heads?: number | null;
  scoring?: Scoring | null;
  /** The factor on dot scores; `1/√d_k`. */
  scale?: number | null;
  position?: Position | null;
  alibi_strength?: number | null;
  /** Of ALiBi; 'paper'. */
  slopes?: Slopes | null;
  /** Of rotary positions; 'neighbours'. */
  pairs?: Pairs | null;
  /** Of rotary positions; 10000. */
  base?: number | null;
  /** Leading columns of a head that are rotated; all. */
  rotary_columns?: number | null;
  backend?: BackendChoice | null;
}

/** What a call is beside its numbers. */
export interface CallOptions {
  signal?: AbortSignal | null;
  /** Moves the buffers of typed arrays instead of copying them. */
  transfer?: boolean | null;
}

/** What scores become. */
export interface Hiding<Want extends ResultName = ResultName> extends CallOptions {
  mask?: Mask | null;
  /** Where the first query stands among the keys, for rules of masks and for positions; 'end' is `m − n`. */
  query_start?: number | 'end' | null;
  /** Of the keys, `[m]` or `[batch, m]`; query `i` has that of key `query_start + i`. Masks count rows all the same. */
  positions?: TensorLike | null;
  /** Added to the scaled scores: `[n, m]`, `[heads, n, m]` or `[batch, heads, n, m]`. */
  bias?: TensorLike | null;
  /** Written over hidden scores; `null` leaves hidden cells out. */
  masked_score?: number | null;
  mask_after_softmax?: boolean | null;
  /** Scores are divided by it before the softmax. */
  temperature?: number | null;
  /** Both `[k, m]`: keys and values shortened along the sequence. */
  linformer?: { e: TensorLike; f: TensorLike } | null;
  /** Which results to return; all where it is left out. */
  want?: readonly Want[] | null;
}

/** Rows of a layer's inputs. */
export interface Inputs {
  /** `[n, d_model]` or `[batch, n, d_model]`. */
  queries: TensorLike;
  /** `[m, d_model]`, with a batch where `queries` has one: cross-attention. */
  keys_values?: TensorLike | null;
}

export interface FromInputs<Want extends ResultName = ResultName> extends Mechanism, Hiding<Want>, Inputs {
  weights: Weights;
  q?: null;
  k?: null;
  v?: null;
}

export interface FromHeads<Want extends ResultName = ResultName> extends Mechanism, Hiding<Want> {
  /** `[heads, n, d_k]`. */
  q: TensorLike;
  /** `[kv_heads, m, d_k]`. */
  k: TensorLike;
  /** `[kv_heads, m, d_v]`. */
  v: TensorLike;
  weights?: LaterWeights | null;
  queries?: null;
  keys_values?: null;
}

export type Request<Want extends ResultName = ResultName> = FromInputs<Want> | FromHeads<Want>;

/** Measures of one head. */
export interface HeadStats {
  diagonal_mean: number;
  /** Over the cells off the diagonal. */
  off_diagonal_mean: number;
  /** In nats. */
  entropy_per_query: number[];
  entropy_mean: number;
  /** 20 counts over 0 … 1. */
  histogram: number[];
  most_attended_other: number[];
  most_attended_other_weight: number[];
  self_weight: number[];
}

export interface Tensors {
  q: Tensor;
  k: Tensor;
  v: Tensor;
  /** Scaled, with ALiBi's penalty and a bias, unmasked. */
  scores: Tensor;
  /** `[heads, n, m]`, with a batch in front where the request has one. */
  weights: Tensor;
  context: Tensor;
  output: Tensor;
  /** One for each head; with a batch, such a list for each entry. */
  stats: HeadStats[] | HeadStats[][];
}

export interface Facts {
  backend: 'webgpu' | 'cpu';
  /** Rows of the mask that see nothing. */
  empty_rows: number;
  elapsed_ms: number;
}

/** What was wanted, and how it came about. */
export type Trace<Want extends ResultName = ResultName> = Facts & Pick<Tensors, Want>;

export interface LayerOptions extends Mechanism, CallOptions {
  weights: Weights;
}

export interface LayerRequest<Want extends ResultName = ResultName> extends Inputs, Hiding<Want> {}

/** Weights that stay with the engine. */
export interface Layer {
  compute<Want extends ResultName = ResultName>(request: LayerRequest<Want>): Promise<Trace<Want>>;
  /** Later calls are refused with `freed`. */
  free(): void;
}

export type ReasonCode =
  | 'no_webgpu' | 'insecure' | 'no_adapter' | 'no_device' | 'probe_failed' | 'lost' | 'out_of_memory' | 'rejected' | 'too_large';

export interface Backends {
  cpu: true;
  webgpu: {
    available: boolean;
    adapter: string | null;
    is_software: boolean;
    reason: { code: ReasonCode; message: string } | null;
  };
}

export type ErrorCode =
  | 'shape_mismatch' | 'not_finite' | 'heads_do_not_divide' | 'kv_heads_do_not_divide' | 'unknown_option' | 'too_large'
  | 'backend_unavailable' | 'not_applicable' | 'missing_field' | 'aborted' | 'freed';

/** What every promise here is rejected with. */
export interface AttentionError extends Error {
  name: 'AttentionError';
  code: ErrorCode;
  field: string;
  value: string;
}

/** Computes attention and returns every intermediate result that is wanted. */
export function compute<Want extends ResultName = ResultName>(request: Request<Want>): Promise<Trace<Want>>;
/** Makes a layer whose weights are checked and copied once. */
export function layer(options: LayerOptions): Promise<Layer>;
/** What a model is made of. Fields that are left out have the defaults in brackets. */
export interface ModelConfig {
  /** Number of words; of the task, where one is given. */
  vocabulary?: number;
  /** Longest sequence; of the task, where one is given. */
  length?: number;
  d_model: number;
  layers: number;
  heads: number;
  /** Key/value heads [heads]. */
  kv_heads?: number | null;
  /** Width of a head's queries, keys and values [d_model / heads]. */
  d_k?: number | null;
  /** ["none"] */
  mask?: 'none' | 'causal' | null;
  /** ["learned"] */
  positions?: 'none' | 'learned' | 'sinusoidal' | 'rotary' | 'alibi' | null;
  /** Of rotary positions [10000]; `rotary_base` is the same. */
  base?: number | null;
  rotary_base?: number | null;
  /** Of rotary positions ["halves"] */
  pairs?: Pairs | null;
  /** Of ALiBi ["paper"] */
  slopes?: Slopes | null;
  /** ["none"] */
  norm?: 'none' | 'layer' | 'rms' | null;
  /** ["before"] */
  norm_place?: 'before' | 'after' | 'both' | null;
  /** A norm before the unembedding [false]. */
  final_norm?: boolean | null;
  /** [1e-5] */
  epsilon?: number | null;
  /** Hidden width, 0 for none [0]. */
  mlp?: number | null;
  /** ["gelu"] */
  activation?: 'relu' | 'gelu' | 'gelu_tanh' | 'silu' | null;
  /** [false] */
  gated?: boolean | null;
  /** On every linear part of the layers [false]. */
  biases?: boolean | null;
  /** The unembedding is the embedding transposed [false]. */
  tied?: boolean | null;
  /** [true] */
  residual?: boolean | null;
  /** Scores are divided by √d_k [true]. */
  scaled?: boolean | null;
  /** Factor on the scores in place of 1/√d_k [null]. */
  score_scale?: number | null;
  /** Soft caps, `cap·tanh(x/cap)`, of scores and of logits [null]. */
  score_cap?: number | null;
  logit_cap?: number | null;
  /** Queries and keys have RMS norms of their own, head by head, before they are rotated [false]. */
  qk_norm?: boolean | null;
  /** Leading columns of a head that are rotated, all without [null]. */
  rotary_columns?: number | null;
  /** The model has numbers that the rotary angles are divided by [false]. */
  rotary_divisors?: boolean | null;
  /** Words to each side that local layers see: all layers, or all but every `full_every`th, or those from `full_before` on [null]. */
  window?: number | null;
  full_every?: number | null;
  full_before?: number | null;
  /** Rotary base of local layers [that of the others]. */
  local_base?: number | null;
  /** Attention and MLP read the same rows, `x + attention(norm(x)) + mlp(norm(x))` [false]. */
  parallel?: boolean | null;
  /** Queries, keys and values have biases, also without `biases` [false]. */
  qkv_biases?: boolean | null;
  /** Factor on the words' vectors [1]. */
  embedding_scale?: number | null;
  /** A norm after the embedding [false]. */
  embedding_norm?: boolean | null;
  /** Kinds of words, each with a vector; all words are of the first [0]. */
  token_types?: number | null;
  /** Place of the first word among the learned positions [0]. */
  first_position?: number | null;
  /** Rows go through `norm(act(x·W + b))` before the unembedding, and every word's logit has a bias: the head for masked words [false]. */
  masked_head?: boolean | null;
  /** Without, the model ends in the rows after its last layer [true]. */
  logits?: boolean | null;
}

/** What can be learned: the name of one of `tasks`, or the next character of a text. */
export type Task = string | { name: 'text'; text: string };

/** Kept by a model from step to step. */
export interface Optimizer {
  /** ["adamw"] */
  kind?: 'adamw' | 'sgd';
  /** [1e-3] */
  rate?: number;
  /** Of AdamW [0.9, 0.999]. */
  betas?: [number, number];
  /** Of AdamW [1e-8]. */
  epsilon?: number;
  /** Decoupled, of AdamW; plain descent has none [0]. */
  weight_decay?: number;
  /** Steps until the rate is reached [0]. */
  warmup?: number;
  /** The largest norm of all gradients together [null]. */
  clip?: number | null;
}

/** Numbers of words, `[batch][n]`, or a text where the model has words. */
export type Words = { tokens: number[][] } | { text: string };
/** With what is to be predicted, `[batch][n]`; -1 takes no part. */
export type Examples = Words & { targets: number[][]; backend?: BackendChoice };
export type NamedTensors = Record<string, { shape: number[]; data: Float32Array }>;
/** Mean cross-entropy in nats, and the share of targets that have the largest logit. */
export interface Score {
  loss: number;
  accuracy: number;
}
/** `norm` is that of all gradients before clipping, `rate` the learning rate. */
export type Step = Score & { norm: number; rate: number };
export type HistoryEntry = Step & { step: number };

/** A head, and the words that its output is taken from. */
export type Patch = Words & { layer: number; head: number };

/** What writes to the residual path of a model, or to a score: layers and heads from 0. */
export type Source =
  | { kind: 'token' | 'position' | 'token_type' }
  | { kind: 'head'; layer: number; head: number }
  | { kind: 'mlp'; layer: number }
  /** Biases of attention and shifts of norms: what belongs to none of the others. */
  | { kind: 'bias' }
  /** The penalty of a distance (ALiBi). */
  | { kind: 'distance' };

/** What a number is the sum of, strongest first. */
export interface Attribution<S> {
  /** The number that is split. */
  score: number;
  parts: Array<{ source: S; value: number }>;
}

/** A pass over one sequence, with what is changed in it. */
export type Attributed = Words & {
  off?: Array<{ layer: number; head: number }>;
  hidden_cells?: Array<{ layer: number; head: number; query: number; key: number }>;
  patch?: Patch[];
  /** Refused where it is "webgpu". */
  backend?: BackendChoice;
};

/** Where it was computed. */
export type Placed = { backend: 'webgpu' | 'cpu' };

export interface Model {
  /** Logits `[batch, n, vocabulary]` and weights `[batch, heads, n, n]` of each layer. */
  forward(request: Words & {
    want?: Array<'logits' | 'weights' | 'hidden'>;
    /** Weights of these alone; those of other layers are left out, and heads stand in this order. */
    layers?: number[];
    heads?: number[];
    /** Heads that are switched off, and cells that a head does not see. */
    off?: Array<{ layer: number; head: number }>;
    hidden_cells?: Array<{ layer: number; head: number; query: number; key: number }>;
    /** Heads whose outputs are those that they have on other words, as many as there are here. */
    patch?: Patch[];
    backend?: BackendChoice;
  }): Promise<Placed & {
    logits?: { shape: number[]; data: Float32Array };
    /** Rows after the last layer and the final norm, `[batch, n, d_model]`. */
    hidden?: { shape: number[]; data: Float32Array };
    layers: Array<{ weights?: { shape: number[]; data: Float32Array } }>;
    tokens: number[][];
  }>;
  /** A score before the softmax and before a cap, split over all pairs of what its query and its key are made of. */
  attribute(request: Attributed & { layer: number; head: number; query: number; key: number; by: 'pairs' }): Promise<Attribution<{ query: Source; key: Source }>>;
  /** The same over what its key is made of, or its query ["key"]. Norms are taken as they are in this pass. */
  attribute(request: Attributed & { layer: number; head: number; query: number; key: number; by?: 'key' | 'query' | null }): Promise<Attribution<Source>>;
  /** The logit of a word at a position, before a cap; `score` is the same. Refused by models without logits. */
  attribute(request: Attributed & { position: number; token: number }): Promise<Attribution<Source> & { logit: number }>;
  loss(request: Examples): Promise<Score & Placed>;
  gradients(request: Examples): Promise<Score & Placed & { norm: number; tensors: NamedTensors }>;
  /** Answers what was before the step. Refused, it leaves the model as it was. */
  step(request: Examples & { optimizer?: Optimizer }): Promise<Step & Placed>;
  /** Loss and accuracy of the result are measured on 256 examples that it has not trained on, of a text on pieces of it; `signal` ends it early. */
  train(request: {
    task: Task; optimizer?: Optimizer; batch?: number; steps?: number; seed?: number; signal?: AbortSignal; onProgress?: (entry: HistoryEntry) => void;
    backend?: BackendChoice;
  }): Promise<Score & Placed & { steps: number; history: HistoryEntry[] }>;
  /** Goes on after a text, word by word; of a causal model. Greedy at temperature 0, drawn from the `top` likeliest otherwise [1, all]. */
  generate(request: Words & { temperature?: number; top?: number; seed?: number; steps?: number; signal?: AbortSignal }): AsyncGenerator<{
    id: number; token: string | null; probability: number;
  }>;
  tensors(): Promise<NamedTensors>;
  /** A safetensors file, which `model({ config, tensors })` opens again. */
  save(): Promise<Uint8Array>;
  free(): void;
}

/** Makes a model of given numbers, or of random ones. */
export function model(request: {
  config: ModelConfig; task?: Task;
  /** Of calls that do not say so themselves ["cpu"]. */
  backend?: BackendChoice;
} & (
  { tensors: Record<string, Tensor> | Uint8Array } | { seed?: number; init?: 'xavier' | 'normal'; std?: number }
)): Promise<Model>;
/** The tokens of a text: rows of the embedding, strings of the vocabulary, and `[begin, end)` of each in code points of the text. */
export interface Encoding {
  ids: number[];
  tokens: string[];
  offsets: Array<[number, number]>;
}

/** A model that was opened from files. */
export interface Checkpoint extends Model {
  family: 'bert' | 'distilbert' | 'roberta' | 'gpt2' | 'gpt_neox' | 'llama' | 'mistral' | 'qwen2' | 'qwen3' | 'gemma2' | 'gemma3_text';
  /** Types of its tensors, such as `["q4_1", "f32", "q8_0"]`. */
  dtype: string[];
  config: ModelConfig;
  encode(text: string): Promise<Encoding>;
}

/** Opens a checkpoint: a GGUF file, or `config.json`, `tokenizer.json` and safetensors, one or a list of shards, by name. The files stay where they are. */
export function open(files: Record<string, Blob | Blob[]>, options?: {
  /** Hears of bytes of weights, as they are read; ends the opening where it throws. */
  onProgress?: (progress: { read: number; total: number }) => void;
  signal?: AbortSignal;
}): Promise<Checkpoint>;
/** What can be learned; nothing before the engine is ready. */
export function tasks(): Array<{ name: string; words: string[]; length: number; about: string }>;
/** What there is to compute with; waits until WebGPU was checked. */
export function backends(): Promise<Backends>;
/** Resolves when the engine can compute. The engine is loaded when somebody waits for it, or at the first call. */
export const ready: Promise<void>;
export const version: string;
