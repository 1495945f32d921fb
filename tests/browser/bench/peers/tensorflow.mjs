const DIST = new URL('./node_modules/@tensorflow/', import.meta.url);

/** The published bundles are classic scripts that set `tf`. */
async function load(backend) {
  for (const path of ['tfjs-core/dist/tf-core.min.js', `tfjs-backend-${backend}/dist/tf-backend-${backend}.min.js`]) {
    const script = Object.assign(document.createElement('script'), { src: new URL(path, DIST).href });
    await new Promise((resolve, reject) => {
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  const { tf } = globalThis;
  await tf.setBackend(backend);
  return tf;
}

let loaded;

function attention(tf, x, { n, dModel, heads, dK }, { w_q, w_k, w_v, w_o, bias }) {
  const byHead = (w) => tf.transpose(tf.reshape(tf.matMul(x, w), [n, heads, dK]), [1, 0, 2]);
  const scores = tf.matMul(tf.mul(byHead(w_q), 1 / Math.sqrt(dK)), byHead(w_k), false, true);
  const weights = tf.softmax(tf.add(scores, bias));
  const context = tf.transpose(tf.matMul(weights, byHead(w_v)), [1, 0, 2]);
  return [weights, tf.matMul(tf.reshape(context, [n, dModel]), w_o)];
}

export async function open(problem, { backend }) {
  const { n, dModel, x, matrices } = problem;
  const tf = await (loaded ??= load(backend));
  const held = Object.fromEntries(Object.entries(matrices).map(([name, data]) => [name, tf.tensor2d(data, [dModel, dModel])]));
  held.bias = tf.tidy(() => tf.mul(tf.sub(1, tf.linalg.bandPart(tf.ones([n, n]), -1, 0)), -1e9));
  return {
    async run() {
      const results = tf.tidy(() => attention(tf, tf.tensor2d(x, [n, dModel]), problem, held));
      const [weights, output] = await Promise.all(results.map((result) => result.data()));
      results.forEach((result) => result.dispose());
      return { weights, output };
    },
    close: () => Object.values(held).forEach((tensor) => tensor.dispose()),
  };
}
