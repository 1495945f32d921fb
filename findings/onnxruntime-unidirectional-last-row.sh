#!/usr/bin/env bash
# Guess:  `unidirectional` of ONNX Runtime's com.microsoft.MultiHeadAttention hides the future from every query, also where keys are more than queries.
# Seen:   onnxruntime 1.32.0, CPU, 2026-11-29: three queries over five keys see 1, 2 and 5 keys: the diagonal begins at the first key, but nothing is
#         hidden from the last query. With two of the five keys as a cache the same three see 3, 4 and 5. With as many keys as queries nothing
#         is to be seen of it, since the last row has no future.
# So:     with other keys than its own (cross-attention, chunks without a cache) the flag is neither of the two alignments: use a mask.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6
cat >unidirectional.py <<'PY'
import numpy as np, onnxruntime
from onnx import parser
V = np.eye(5, dtype=np.float32)
def counts(keys, past):
    new = keys - past
    cached = f", float[1,1,{past},5] past_k, float[1,1,{past},5] past_v" if past else ""
    results = f", float[1,1,{keys},5] all_k, float[1,1,{keys},5] all_v" if past else ""
    node = '''y{1} = com.microsoft.MultiHeadAttention<num_heads=1, unidirectional=1>(q, k, v{0})'''
    node = node.format(", , , , past_k, past_v", ", all_k, all_v") if past else node.format("", "")
    model = parser.parse_model(f"""<ir_version: 11, opset_import: ["": 24, "com.microsoft": 1]>
        attention (float[1,3,5] q, float[1,{new},5] k, float[1,{new},5] v{cached}) => (float[1,3,5] y{results}) {{ {node} }}""")
    zeros = lambda *shape: np.zeros(shape, np.float32)
    given = {"q": zeros(1, 3, 5), "k": zeros(1, new, 5), "v": V[None, past:keys]}
    if past:
        given |= {"past_k": zeros(1, 1, past, 5), "past_v": V[None, None, :past]}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return (session.run(["y"], given)[0][0] > 1e-6).sum(-1).tolist()
seen = {name: counts(keys, past) for name, keys, past in [("five keys", 5, 0), ("five keys, two of a cache", 5, 2), ("three keys", 3, 0)]}
for name, visible in seen.items():
    print(f"{name}: the three queries see {visible}")
assert list(seen.values()) == [[1, 2, 5], [3, 4, 5], [1, 2, 3]], "this differs from what was seen"
print("ok: as seen on 2026-11-29")
PY
env/bin/python unidirectional.py
