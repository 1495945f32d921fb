import { defaultDevice, init, jit, nn, numpy as np, tree, valueAndGrad } from './node_modules/@jax-js/jax/dist/index.js';
import { ADAM, BATCH, CONFIG, contestant, EPSILON, examples, tensors } from './training-problem.mjs';

const { vocabulary, length, d_model: width, layers, heads } = CONFIG;
const [beta1, beta2] = ADAM.betas;
const d_k = width / heads;

/** Each use of an array but the last takes a `ref`. */
function attention(own, layer, rows) {
  const normed = nn.standardize(rows.ref, -1, { epsilon: EPSILON }).mul(own[`layers.${layer}.norm_1.scale`]).add(own[`layers.${layer}.norm_1.shift`]);
  const byHead = (x, name) => np.matmul(x, own[`layers.${layer}.${name}`]).reshape([BATCH, length, heads, d_k]);
  const scores = np.einsum('bqhd,bkhd->bhqk', byHead(normed.ref, 'w_q'), byHead(normed.ref, 'w_k')).mul(1 / Math.sqrt(d_k));
  const context = np.einsum('bhqk,bkhd->bqhd', nn.softmax(scores, -1), byHead(normed, 'w_v')).reshape([BATCH, length, width]);
  return rows.add(np.matmul(context, own[`layers.${layer}.w_o`]));
}

/** Mean cross-entropy; words come as one of `vocabulary` columns that is 1. */
function loss(own, words, wanted) {
  let rows = np.matmul(words, own.tokens).add(own.positions);
  for (let layer = 0; layer < layers; layer++) rows = attention(own, layer, rows);
  return nn.logSoftmax(np.matmul(rows, own.unembedding), -1).mul(wanted).sum().mul(-1 / (BATCH * length));
}

/** One step of Adam: `[loss, tensors, first and second moments]`. `bias` undoes that moments begin at 0. */
function step(own, first, second, bias, words, wanted) {
  const [value, gradients] = valueAndGrad(loss)(tree.ref(own), words, wanted);
  const next = [{}, {}, {}];
  for (const name of Object.keys(own)) {
    const gradient = gradients[name];
    const [m, v] = [first[name].mul(beta1).add(gradient.ref.mul(1 - beta1)), second[name].mul(beta2).add(np.square(gradient).mul(1 - beta2))];
    const [mean, spread] = [m.ref.mul(bias[0].ref), np.sqrt(v.ref.mul(bias[1].ref)).add(ADAM.epsilon)];
    [next[0][name], next[1][name], next[2][name]] = [own[name].sub(mean.div(spread).mul(ADAM.rate)), m, v];
  }
  bias.forEach((one) => one.dispose());
  return [value, ...next];
}

const columns = (words) => {
  const data = new Float32Array(BATCH * length * vocabulary);
  words.flat().forEach((word, at) => { data[at * vocabulary + word] = 1; });
  return np.array(data, { shape: [BATCH, length, vocabulary] });
};

export async function open(_, { backend }) {
  await init(backend);
  defaultDevice(backend);
  const given = tensors();
  const arrays = (of) => Object.fromEntries(Object.entries(given).map(([name, tensor]) => [name, np.array(of(tensor), { shape: tensor.shape })]));
  const zeros = () => arrays(({ data }) => new Float32Array(data.length));
  let state = [arrays(({ data }) => data), zeros(), zeros()];
  const { tokens, targets } = examples();
  const [words, wanted] = [columns(tokens), columns(targets)];
  const compiled = jit(step);
  let taken = 0;
  const take = async () => {
    taken += 1;
    const bias = [beta1, beta2].map((beta) => np.array(1 / (1 - beta ** taken)));
    const [value, ...next] = compiled(...state, bias, words.ref, wanted.ref);
    state = next;
    return (await value.data())[0];
  };
  return contestant(take, () => {
    tree.dispose([state, words, wanted]);
    compiled.dispose();
  });
}
