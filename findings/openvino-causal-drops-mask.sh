#!/usr/bin/env bash
# Guess:  OpenVINO's ScaledDotProductAttention with `causal=True` and a mask hides what either of them hides, or refuses the two together.
# Seen:   openvino 2026.4.1, CPU, 2026-11-29: the mask is dropped without a word. Of four tokens with two of padding in front, the rows are those of
#         causal alone, and real tokens give padding half of their weight and more. The same mask with causal in it and without the flag is
#         right, but for rows without a key, which are NaN.
# So:     one boolean mask with all that is to be hidden, and no flag beside it.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check openvino==2026.4.1 numpy==2.4.6
cat >causal.py <<'PY'
import numpy as np, openvino, openvino.opset13 as ops
def rows(mask, causal):
    zeros = np.zeros((1, 1, 4, 4), np.float32)
    given = [zeros, zeros, np.eye(4, dtype=np.float32)[None, None], mask[None, None]]
    inputs = [ops.parameter(array.shape, array.dtype) for array in given]
    model = openvino.Model([ops.scaled_dot_product_attention(*inputs, causal=causal)], inputs)
    return np.float64(openvino.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(given)[0][0, 0]).round(2).tolist()
padding, causal = np.tile(np.arange(4) >= 2, (4, 1)), np.tril(np.ones((4, 4), bool))
seen = {"padding and the flag": rows(padding, True), "the flag, nothing hidden": rows(np.ones((4, 4), bool), True), "one mask": rows(padding & causal, False)}
for name, found in seen.items():
    print(f"{name}: {found}")
flag, other, mask = seen.values()
assert flag == other == [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.33] * 3 + [0], [0.25] * 4], "this differs from what was seen"
assert mask[2:] == [[0, 0, 1, 0], [0, 0, 0.5, 0.5]] and np.isnan(mask[:2]).all(), "this differs from what was seen"
print("ok: as seen on 2026-11-29")
PY
env/bin/python causal.py
