#!/usr/bin/env bash
# Guess:  padding in front hides the same keys from jax.nn.dot_product_attention with `is_causal` whether it is a boolean mask or a bias of −inf.
# Seen:   jax 0.10.2, 2026-11-29, four tokens of which two are padding: rows with a visible key agree. Rows of the padding do not: with booleans they
#         are .25 for every key; with the bias they are spread over all keys after the query and 0 up to it, the very opposite of causal. The
#         causal mask writes −2.4e38 over what it hides, −inf too, which makes those keys the largest of the row.
# So:     padding goes into the boolean mask, and rows without a visible key are left out when maps are compared.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
cat >bias.py <<'PY'
import jax, jax.numpy as jnp, numpy as np
qk, v = jnp.zeros((1, 4, 1, 4)), jnp.eye(4)[None, :, None]
shows = (jnp.arange(4) >= 2)[None, None, None]
def rows(**given):
    return np.asarray(jax.nn.dot_product_attention(qk, qk, v, is_causal=True, **given)[0, :, 0], float).round(2).tolist()
mask, bias = rows(mask=shows), rows(bias=jnp.where(shows, 0.0, -jnp.inf))
print("boolean mask:", mask)
print("bias of −inf:", bias)
assert mask[2:] == bias[2:] == [[0, 0, 1, 0], [0, 0, 0.5, 0.5]], "this differs from what was seen"
assert mask[:2] == [[0.25] * 4] * 2 and bias[:2] == [[0, 0.33, 0.33, 0.33], [0, 0, 0.5, 0.5]], "this differs from what was seen"
print("ok: as seen on 2026-11-29")
PY
JAX_PLATFORMS=cpu env/bin/python bias.py
