import haiku as hk
import jax
import jax.numpy as jnp
from case import Function


def multi_head_attention(case):
    q, k, v = (jnp.asarray(x)[None] for x in case.arrays())
    mask = None if case.mask is None else jnp.asarray(case.mask)[None, None]
    layer = hk.transform(lambda: hk.MultiHeadAttention(1, case.keys, w_init=hk.initializers.Identity())(q, k, v, mask=mask))
    return jax.device_get(layer.apply(layer.init(jax.random.key(0)), None))[0]


FUNCTIONS = {"haiku-mha": Function(multi_head_attention, flag=False)}
