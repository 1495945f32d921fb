#!/usr/bin/env bash
# Guess:  safetensors.numpy saves the numbers of the array it is given, also of a transposed view, or refuses a view as its PyTorch side does.
# Seen:   safetensors 0.8.0, NumPy 2.4.6, 2026-11-28: of `w.T` it writes the shape [3, 2] with the bytes of `w` in their old order, without a
#         word; the file is valid, and every reader gets another matrix. A square weight keeps its shape and so looks right:
#         it comes back untransposed.
# So:     a layer that is saved from NumPy as `x @ W.T` wants it needs `np.ascontiguousarray(W.T)`; a reader cannot tell afterwards.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check safetensors==0.8.0 numpy==2.4.6
cat >transposed.py <<'PY'
import numpy as np
from safetensors.numpy import load_file, save_file
wide = np.arange(6, dtype=np.float32).reshape(2, 3)
square = np.arange(4, dtype=np.float32).reshape(2, 2)
save_file({"view": wide.T, "copy": np.ascontiguousarray(wide.T), "square": square.T}, "w.safetensors")
back = {name: array.tolist() for name, array in load_file("w.safetensors").items()}
print("wide.T is", wide.T.tolist())
for name, array in back.items():
    print("saved as", name, "it comes back as" if name != "square" else f"{square.T.tolist()} comes back as", array)
assert back["copy"] == wide.T.tolist() and back["view"] == wide.reshape(3, 2).tolist() and back["square"] == square.tolist(), "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python transposed.py
