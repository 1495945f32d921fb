#!/usr/bin/env bash
# Guess:  NumPy's mean of an array of bfloat16 is off by its rounding at most, as that of float16 is.
# Seen:   ml_dtypes 0.6.0, NumPy 2.4.6, 2026-11-28: the mean of 4,096 ones is 0.0625 and their sum 256, since every partial sum is rounded to
#         8 bits, and 256 + 1 is 256; the dot product with themselves is 4,096 all the same. The same ones as float16 have the mean 1 and the sum
#         4,096: for its own type NumPy adds in pairs and takes means in float32.
# So:     row sums, means and norms of weights that are stored as bfloat16 are taken after widening.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check ml_dtypes==0.6.0 numpy==2.4.6
cat >mean.py <<'PY'
import ml_dtypes, numpy as np
def seen(kind):
    ones = np.ones(4096, kind)
    return [float(ones.mean()), float(ones.sum()), float(ones @ ones)]
brain, half, wide = seen(ml_dtypes.bfloat16), seen(np.float16), float(np.ones(4096, ml_dtypes.bfloat16).astype(np.float32).mean())
print("mean, sum and dot product with themselves of 4,096 ones")
print("bfloat16:", brain, "; widened first, the mean is", wide)
print("float16: ", half)
assert brain == [0.0625, 256, 4096] and half == [1, 4096, 4096] and wide == 1, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python mean.py
