import jax
import jax.numpy as jnp
from case import Function
from flax import linen, nnx


def asked(attention, case, **more):
    q, k, v = (jnp.asarray(x)[None, :, None] for x in case.arrays())
    mask = None if case.mask is None else jnp.asarray(case.mask)[None, None]
    return jax.device_get(attention(q, k, v, mask=mask, **more))[0, :, 0]


FUNCTIONS = {
    "flax-nnx": Function(lambda case: asked(nnx.dot_product_attention, case, is_causal=case.causal)),
    "flax-linen": Function(lambda case: asked(linen.dot_product_attention, case), flag=False),
}
