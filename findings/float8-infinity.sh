#!/usr/bin/env bash
# Guess:  a mask of 0 and −inf that is stored as float8 (e4m3fn) hides the same keys whichever library made the numbers narrow.
# Seen:   2026-11-28: ml_dtypes 0.6.0 turns −inf into NaN, since the format has no infinity, and the whole row of a softmax with it; ONNX Runtime
#         1.32.0's Cast turns it into −448 (`saturate`, which is 1 where it is left out, holds for infinities too). In e5m2, which has
#         infinities, ml_dtypes keeps it and Cast writes −57344.
# So:     masks go out as booleans, and finite numbers are not taken as proof that nothing was hidden.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check ml_dtypes==0.6.0 numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0
cat >infinity.py <<'PY'
import ml_dtypes, numpy as np, onnxruntime
from onnx import TensorProto as T, helper as h
row = np.array([0, -np.inf, 500], np.float32)
def by_onnx(kind):
    ends = [h.make_tensor_value_info(name, T.FLOAT, [3]) for name in ("x", "y")]
    nodes = [h.make_node("Cast", ["x"], ["narrow"], to=kind), h.make_node("Cast", ["narrow"], ["y"], to=T.FLOAT)]
    model = h.make_model(h.make_graph(nodes, "casts", ends[:1], ends[1:]), opset_imports=[h.make_opsetid("", 21)], ir_version=10)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, {"x": row})[0].tolist()
def by_numpy(kind):
    return row.astype(kind).astype(np.float32).tolist()
seen = [by_numpy(ml_dtypes.float8_e4m3fn), by_onnx(T.FLOAT8E4M3FN), by_numpy(ml_dtypes.float8_e5m2), by_onnx(T.FLOAT8E5M2)]
for name, found in zip(["ml_dtypes e4m3fn", "onnxruntime e4m3fn", "ml_dtypes e5m2", "onnxruntime e5m2"], seen):
    print(f"{name}: {row.tolist()} -> {found}")
wanted = [[0, "nan", "nan"], [0, -448, 448], [0, -np.inf, 512], [0, -57344, 512]]
assert [[x if x == x else "nan" for x in found] for found in seen] == wanted, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python infinity.py
