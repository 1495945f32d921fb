#!/usr/bin/env bash
# Guess:  a causal mask of 0 and −inf, passed as `mask` to Flax's attention, hides what follows or is refused.
# Seen:   flax 0.12.8, jax 0.10.2, 2026-11-29: non-zero shows, so that −inf shows and 0 hides. Of three tokens the first sees the two after it and not
#         itself, the second only the third, and the third, which hides nothing, all of them alike; rows sum to 1 and nothing is said. The same
#         array as `bias` is right. `linen` and `nnx` agree; jax.nn.dot_product_attention, to which nnx passes it as booleans, refuses floats.
# So:     numbers that were added in another library are a `bias` here, never a `mask`; a map that leaves out its diagonal shows the mistake.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check flax==0.12.8 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cat >mask.py <<'PY'
import jax, jax.numpy as jnp, numpy as np
from flax import linen, nnx
qk, v = jnp.zeros((1, 3, 1, 3)), jnp.eye(3)[None, :, None]
added = jnp.where(jnp.tril(jnp.ones((3, 3), bool)), 0.0, -jnp.inf)[None, None]
def rows(attention, **given):
    return np.asarray(attention(qk, qk, v, **given)[0, :, 0], float).round(2).tolist()
seen = {name: [rows(library.dot_product_attention, **{given: added}) for library in (linen, nnx)] for given, name in [("mask", "as mask"), ("bias", "as bias")]}
for name, (of_linen, of_nnx) in seen.items():
    print(f"{name}: linen {of_linen}, nnx {of_nnx}")
try:
    print("jax.nn:", rows(jax.nn.dot_product_attention, mask=added))
    refused = False
except ValueError as error:
    print("jax.nn:", error)
    refused = True
future, past = [[0, 0.5, 0.5], [0, 0, 1], [0.33] * 3], [[1, 0, 0], [0.5, 0.5, 0], [0.33] * 3]
assert seen == {"as mask": [future] * 2, "as bias": [past] * 2} and refused, "this differs from what was seen"
print("ok: as seen on 2026-11-29")
PY
JAX_PLATFORMS=cpu env/bin/python mask.py
