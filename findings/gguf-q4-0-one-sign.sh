#!/usr/bin/env bash
# Guess:  Q4_0, which stores no offset, treats both signs alike: a block of 1 and −1 comes back as x and −x.
# Seen:   gguf 0.19.0, 2026-11-28: the number of the largest magnitude becomes −8 steps, and there are only 7 to the other side. A block with 1 and
#         −1 comes back as 1 and −.875, one with −1 and 1 as −1 and .875: which of two equal magnitudes is kept is told by which of them stands
#         first. Q8_0 treats both alike. Q5_0 does as Q4_0, by 1 of 16.
# So:     two heads with mirrored weights are not mirrored in the file, and a test of a quantised block needs both orders.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check gguf==0.19.0 numpy==2.4.6
cat >sign.py <<'PY'
import numpy as np
from gguf import GGMLQuantizationType as Kind
from gguf.quants import dequantize, quantize
def back(first, second, kind):
    block = np.zeros(32, np.float32)
    block[[0, 20]] = first, second
    return dequantize(quantize(block, kind), kind)[[0, 20]].round(4).astype(float).round(4).tolist()
seen = {kind.name: [back(1, -1, kind), back(-1, 1, kind)] for kind in (Kind.Q4_0, Kind.Q5_0, Kind.Q8_0)}
for name, pairs in seen.items():
    print(f"{name}: 1, -1 -> {pairs[0]}; -1, 1 -> {pairs[1]}")
wanted = {"Q4_0": [[1, -0.875], [-1, 0.875]], "Q5_0": [[1, -0.9375], [-1, 0.9375]], "Q8_0": [[0.9999, -0.9999], [-0.9999, 0.9999]]}
assert seen == wanted, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python sign.py
