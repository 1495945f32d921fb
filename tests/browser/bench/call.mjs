// Where the milliseconds of a long call on the processor go: what window and both workers do when, from marks around their messages.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ISOLATED, launch, serveMarked } from './builds.mjs';
import { inputOf, shapeOf, weightsOf } from './inputs.mjs';
import { median, table } from './report.mjs';

const SIZES = [128, 512, 1024, 2048];
/** Calls before those that count: after the first long one the second worker starts, and each number of workers is tried. */
const WARM_UPS = 8;

/** In a worker's script: spans of work, `[what, from, to]`, and messages that leave, in milliseconds that all threads share. */
const NOTE = `
const callNotes = [];
const callNow = () => performance.timeOrigin + performance.now();
const callChannel = new BroadcastChannel('call-notes');
callChannel.onmessage = ({ data }) => data === 'tell' && callChannel.postMessage(callNotes);
const callSpan = (what, act) => { const from = callNow(); try { return act(); } finally { callNotes.push([what, from, callNow()]); } };
for (const { prototype } of [globalThis.MessagePort, globalThis.Worker].filter(Boolean)) {
  const { set, get } = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
  const what = prototype === MessagePort.prototype ? 'slice' : 'answer of the second';
  Object.defineProperty(prototype, 'onmessage', { get, set(act) { set.call(this, act && ((event) => callSpan(what, () => act.call(this, event)))); } });
}
for (const owner of [globalThis, globalThis.Worker?.prototype].filter(Boolean)) {
  const post = owner.postMessage;
  owner.postMessage = function (...given) { const from = callNow(); post.apply(this, given); callNotes.push([owner === globalThis ? 'post' : 'post to the second', from, callNow()]); };
}
`;

/** Where the pages of a build lie on its server, with the script of both workers marked. */
const marked = (build) => (path) => {
  if (!/^\/ours\/worker-\w+\.js$/.test(path ?? '')) return null;
  const script = readFileSync(join(build, basename(path)), 'utf8');
  const body = script.replace(/(\w+)\.receive\((\w+)\)/, 'callSpan("receive", () => $1.receive($2))');
  if (body === script) throw new Error('the worker hands its messages over in another way');
  return { body: [NOTE + body], headers: { 'content-type': 'text/javascript', ...ISOLATED } };
};

/** In the page: calls one after the other, each with its begin, what it took to send it, and its end. */
async function calls({ shape: { n, dModel, heads }, x, matrices, count }) {
  const now = () => performance.timeOrigin + performance.now();
  const weights = Object.fromEntries(Object.entries(matrices).map(([name, data]) => [name, { shape: [dModel, dModel], data: Float32Array.from(data) }]));
  const layer = await attentionPlayground.layer({ weights, heads, backend: 'cpu' });
  const queries = { shape: [n, dModel], data: Float32Array.from(x) };
  const marks = [];
  for (let at = 0; at < count; at++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const from = now();
    const answer = layer.compute({ queries, mask: { kind: 'causal' }, want: ['weights', 'output'] });
    const sent = now();
    const { elapsed_ms: elapsed } = await answer;
    marks.push({ from, sent, to: now(), elapsed });
  }
  layer.free();
  return marks;
}

const length = (spans) => spans.reduce((sum, [, from, to]) => sum + to - from, 0);

/** Milliseconds of each part of a call. */
function parts({ from, sent, to, elapsed }, first, second) {
  const during = (notes) => notes.filter(([, begin]) => begin >= from && begin <= to);
  const [one, two] = [first, second].map(during);
  const works = (notes) => notes.filter(([what]) => !what.startsWith('post'));
  const [ones, twos] = [one, two].map(works);
  if (ones.length === 0) return null;
  const begun = Math.min(...ones.map(([, begin]) => begin));
  const answered = Math.max(...one.filter(([what]) => what === 'post').map(([, begin]) => begin));
  const handed = one.find(([what]) => what === 'post to the second');
  const woken = twos.length > 0 && handed ? Math.min(...twos.map(([, begin]) => begin)) : null;
  const ended = twos.length > 0 ? Math.max(...twos.map(([, , end]) => end)) : null;
  return {
    'the whole call': to - from,
    'window: read, copy, send': sent - from,
    'on its way to the first worker': begun - sent,
    'first worker: until the second is told': handed ? handed[2] - begun : 0,
    'on its way to the second': woken ? woken - handed[2] : 0,
    'first worker at work': length(ones.filter(([what]) => what !== 'answer of the second')),
    'and taking the half of the second': length(ones.filter(([what]) => what === 'answer of the second')),
    'first worker idle': answered - begun - length(ones),
    'second worker at work': length(twos),
    'of it sending': length(two.filter(([what]) => what === 'post')),
    'second ends after the first has begun': ended ? ended - begun : 0,
    'answer on its way to the caller': to - answered,
    'said of itself (elapsed_ms)': elapsed,
  };
}

/** In the page: what both workers have noted; the first one is the one that tells another. */
async function notes() {
  const channel = new BroadcastChannel('call-notes');
  const all = [];
  channel.onmessage = ({ data }) => Array.isArray(data) && all.push(data);
  channel.postMessage('tell');
  await new Promise((resolve) => setTimeout(resolve, 500));
  channel.close();
  const isFirst = (notes) => notes.some(([what]) => what === 'post to the second');
  return [all.find(isFirst) ?? all[0], all.find((notes) => !isFirst(notes)) ?? []];
}

export async function measure({ builds, isQuick }) {
  const browser = await launch();
  const { origin, close } = await serveMarked(builds, marked(builds[0]));
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.goto(`${origin}/ours/`);
  await page.waitForFunction(() => 'idle' in document.documentElement.dataset);
  const sizes = {};
  for (const n of SIZES) {
    const shape = shapeOf(n);
    const matrices = Object.fromEntries(Object.entries(weightsOf(shape)).map(([name, data]) => [name, [...data]]));
    const marks = await page.evaluate(calls, { shape, x: [...inputOf(shape)], matrices, count: WARM_UPS + (isQuick ? 5 : 21) });
    const noted = await page.evaluate(notes);
    const split = marks.slice(WARM_UPS).map((call) => parts(call, ...noted)).filter(Boolean);
    // A call of one worker now and then finds out whether two are still sooner.
    const shared = split.filter((call) => call['second worker at work'] > 0);
    const counted = shared.length > 0 ? shared : split;
    sizes[n] = Object.fromEntries(Object.keys(counted[0]).map((part) => [part, median(counted.map((call) => call[part]))]));
  }
  await browser.close();
  await close();
  return { sizes };
}

export function markdown({ sizes }) {
  const columns = Object.keys(sizes);
  const rows = Object.keys(sizes[columns[0]]).map((part) => [part, ...columns.map((n) => sizes[n][part].toFixed(2))]);
  return [
    'A call at width 512 with 8 heads, causal, X → weights and output, on the processor; median milliseconds of calls that two workers share.',
    '',
    table(['ms', ...columns.map((n) => `n = ${n}`)], rows),
  ].join('\n');
}
