#!/usr/bin/env bash
# Guess:  `return_attention_scores=True` makes Keras' MultiHeadAttention return one array more and changes nothing else.
# Seen:   keras 3.15.1, jax 0.10.2, 2026-11-29: it changes the output. A query that may see no key gets the mean of all values, hidden ones too,
#         without scores, and 0 with them. A dropout of 0.1 does the same, though nothing is dropped in inference: both leave the fused function
#         for a softmax that sets hidden weights to 0. Rows with a visible key agree.
# So:     a map taken from a model is that of a run with scores; its output for padded queries is not the one that was computed without.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check keras==3.15.1 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cat >scores.py <<'PY'
import keras, numpy as np
qk, v = np.zeros((1, 3, 3), "float32"), np.eye(3, dtype="float32")[None]
mask = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0]]], bool)
def output(dropout, scores):
    layer = keras.layers.MultiHeadAttention(1, 3, use_bias=False, dropout=dropout)
    layer(qk, v, qk)
    layer.set_weights([np.eye(3).reshape(weight.shape) for weight in layer.get_weights()])
    given = layer(qk, v, qk, attention_mask=mask, return_attention_scores=scores, training=False)
    return np.asarray(given[0] if scores else given, float)[0].round(2).tolist()
seen = {(dropout, scores): output(dropout, scores) for dropout in (0.0, 0.1) for scores in (False, True)}
for (dropout, scores), rows in seen.items():
    print(f"dropout {dropout}, scores {scores}: {rows}")
assert all(rows[1:] == [[1, 0, 0], [0.5, 0.5, 0]] for rows in seen.values()), "this differs from what was seen"
assert [rows[0] for rows in seen.values()] == [[0.33] * 3, [0] * 3, [0] * 3, [0] * 3], "this differs from what was seen"
print("ok: as seen on 2026-11-29")
PY
KERAS_BACKEND=jax JAX_PLATFORMS=cpu env/bin/python scores.py
