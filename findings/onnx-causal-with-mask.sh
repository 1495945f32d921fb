#!/usr/bin/env bash
# Guess:  ONNX's reference of Attention, which other runtimes are compared with, gives the same with is_causal=1 and a boolean mask that shows
#         everything as with is_causal=1 alone.
# Seen:   onnx 1.22.0, 2026-11-29: every weight is NaN, since the mask becomes (1 − mask) · −inf, and 0 · −inf is NaN. Without is_causal the same mask
#         is right but for a row without a key, which is NaN. onnx 1.23.2: right, and such a row is 0.
# So:     a reference older than 1.23 gets one boolean mask with causal in it and no is_causal, and rows without a key are left out.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env
cat >causal.py <<'PY'
import sys, warnings
import numpy as np, onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator
warnings.simplefilter("ignore")
def rows(causal, mask):
    model = parser.parse_model(f"""<ir_version: 11, opset_import: ["": 23]> attention (float[1,1,3,3] q, float[1,1,3,3] k, float[1,1,3,3] v, bool[3,3] mask)
        => (float[1,1,3,3] y) {{ y = Attention<is_causal={causal}>(q, k, v, mask) }}""")
    zeros = np.zeros((1, 1, 3, 3), np.float32)
    given = {"q": zeros, "k": zeros, "v": np.eye(3, dtype=np.float32)[None, None], "mask": mask}
    return np.float64(ReferenceEvaluator(model).run(None, given)[0][0, 0]).round(2).tolist()
causal = np.tril(np.ones((3, 3), bool))
seen = [rows(1, np.ones((3, 3), bool)), rows(0, causal), rows(0, np.tril(causal, -1))]
for name, found in zip(["is_causal and a mask of True", "causal in the mask", "causal, without itself"], seen):
    print(f"onnx {onnx.__version__}, {name}: {found}")
right, later = [[1, 0, 0], [0.5, 0.5, 0], [0.33] * 3], [[1, 0, 0], [0.5, 0.5, 0]]
nan = [np.nan] * 3
due = {"1.22.0": [[nan] * 3, right, [nan, *later]], "1.23.2": [right, right, [[0] * 3, *later]]}[onnx.__version__]
assert np.array_equal(seen, due, equal_nan=True), "this differs from what was seen"
PY
for version in 1.22.0 1.23.2; do
  env/bin/pip install --quiet --disable-pip-version-check "onnx==$version" numpy==2.4.6
  env/bin/python causal.py
done
echo "ok: as seen on 2026-11-29"
