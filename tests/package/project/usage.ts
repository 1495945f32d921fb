// What the types have to allow: everything that docs/api.md and docs/element.md show.

import { compute, define, layer, backends, model, open, ready, version } from 'attention-playground';
import type { AttentionError, AttentionPlayground, Attribution, Backends, Mask, Model, Source, Tensor, Trace } from 'attention-playground';
import { AttentionPlayground as Defined } from 'attention-playground/element';

export async function results(signal: AbortSignal): Promise<number[]> {
  await ready;
  const whole = await compute({ q: [[[1, 0], [0, 1]]], k: [[[1, 0], [0, 1], [1, 1]]], v: [[[1], [2], [3]]] });
  const shape: number[] = whole.weights.shape;
  const data: Float32Array = whole.output.data;
  const part: Trace<'weights'> = await compute({
    queries: { shape: [2, 4], data: new Float32Array(8) },
    keys_values: [new Float32Array(4), [1, 2, 3, 4]],
    weights: { w_q: [[1]], w_k: [[1]], w_v: [[1]], w_o: null, b_q: [0] },
    heads: 2, kv_heads: 1, scoring: 'additive', position: 'rotary', temperature: 0.5, masked_score: -1e9,
    mask: [{ kind: 'causal' }, { any: [{ kind: 'local', window: 2 }, [[1, 0], [1, 1]]] }, { rule: 'causal' }],
    linformer: { e: [[1]], f: [[1]] }, want: ['weights'], backend: 'cpu', signal, transfer: true,
  });
  const booleans: Mask = [[true, false], [true, true]];
  const many = await layer({ weights: { w_q: [[1]], w_k: [[1]], w_v: [[1]] }, heads: 4, position: 'alibi', alibi_strength: 2, slopes: 'power' });
  const { output }: { output: Tensor } = await many.compute({ queries: [[1]], mask: booleans, want: ['output'] });
  many.free();
  const kept = await compute({
    q: [[[0]]], k: [[[0], [0]]], v: [[[0], [1]]], position: 'rotary', pairs: 'halves', base: 50, rotary_columns: 0,
    query_start: 'end', positions: [3, 4], bias: [[0, -1e9]],
    mask: [
      { kind: 'padding', valid: [1], side: 'left' }, { kind: 'key_padding', visible: [true, false] }, { kind: 'key_padding', hidden: [[0, 1]] },
      { kind: 'prefix', length: 1 }, { kind: 'documents', lengths: new Int32Array([1, 1]) }, { kind: 'padding', valid: 1 },
    ],
  });
  return [...kept.weights.shape, ...shape, ...data, ...part.weights.shape, ...output.shape, part.elapsed_ms, part.empty_rows, version.length];
}

export async function say(): Promise<string> {
  const { webgpu }: Backends = await backends();
  return webgpu.reason ? `${webgpu.reason.code}: ${webgpu.reason.message}` : (webgpu.adapter ?? 'unnamed');
}

export async function why(file: Blob): Promise<string[]> {
  const opened = await open({ 'model.gguf': file });
  const cell = { text: 'one two', layer: 1, head: 0, query: 1, key: 0 };
  const { score, parts }: Attribution<Source> = await opened.attribute({ ...cell, by: 'query', off: [{ layer: 0, head: 1 }] });
  const pairs = await opened.attribute({ ...cell, by: 'pairs' });
  const { logit } = await opened.attribute({ tokens: [[1, 2]], position: 1, token: 5 });
  await opened.forward({ text: 'one two', want: ['logits'], patch: [{ layer: 0, head: 1, text: 'two one' }] });
  const named = (source: Source): string => (source.kind === 'head' ? `${source.layer}/${source.head}` : source.kind);
  return [...parts.map(({ source, value }) => named(source) + value / score), ...pairs.parts.map(({ source: { query, key } }) => named(query) + named(key)), `${logit}`];
}

export const halves = (): Promise<Model> => model({ config: { d_model: 8, layers: 1, heads: 2, base: 500, pairs: 'neighbours', slopes: 'power' }, task: 'pronoun' });

export const explain = (error: AttentionError): string => (error.code === 'shape_mismatch' ? error.field : error.message);

export async function element(): Promise<void> {
  define();
  const made: AttentionPlayground = document.createElement('attention-playground');
  const found: Defined | null = document.querySelector('attention-playground');
  made.tokens = 'the cat sat';
  made.heads = 8;
  made.mask = ['causal', 'local'];
  made.controls = 'heads mask';
  made.linformer = false;
  made.theme = 'host';
  made.settings = { d_k: 8, cell: null, language: 'zh', lock: ['heads'] };
  made.state = 'v=1&heads=2';
  document.body.append(made);
  const ready: AttentionPlayground = await made.ready;
  ready.select(2, 1);
  ready.select();
  ready.addEventListener('change', ({ detail: { by, state } }) => console.log(by === 'person', state.settings.heads + 1, state.tokens.queries));
  ready.addEventListener('select', function ({ detail }) {
    console.log(this.heads, detail.state.cell?.weight ?? 0);
  });
  ready.addEventListener('refused', ({ detail }) => console.log(detail.field, detail.message));
  ready.addEventListener('failed', ({ detail }) => console.log(detail.error.message), { once: true });
  ready.addEventListener('pointerdown', (event) => console.log(event.clientX));
  console.log(found?.snapshot?.measures?.entropy_mean, found?.settings.lang);
}
