import numpy as np
import paddle
from case import Function


def dot_product_attention(case):
    q, k, v = (paddle.to_tensor(x)[None, :, None] for x in case.arrays())
    mask = None if case.mask is None else paddle.to_tensor(case.mask)[None, None]
    attention = paddle.nn.functional.scaled_dot_product_attention
    return attention(q, k, v, attn_mask=mask, is_causal=case.causal, training=False).numpy()[0, :, 0]


def identities(layer, names, width):
    for name in names:
        layer.__getattr__(name).weight.set_value(np.eye(width, dtype=np.float32))


def multi_head_attention(case):
    q, k, v = (paddle.to_tensor(x)[None] for x in case.arrays())
    layer = paddle.nn.MultiHeadAttention(case.keys, 1, bias_attr=False)
    identities(layer, ["q_proj", "k_proj", "v_proj", "out_proj"], case.keys)
    mask = None if case.mask is None else paddle.to_tensor(case.mask)[None, None]
    return layer(q, k, v, attn_mask=mask).numpy()[0]


def compat_multihead_attention(case):
    q, k, v = (paddle.to_tensor(x)[None] for x in case.arrays())
    layer = paddle.compat.nn.MultiheadAttention(case.keys, 1, bias=False, batch_first=True)
    layer.in_proj_weight.set_value(np.concatenate([np.eye(case.keys, dtype=np.float32)] * 3))
    identities(layer, ["out_proj"], case.keys)
    mask = None if case.mask is None else paddle.to_tensor(case.mask)
    return layer(q, k, v, attn_mask=mask, is_causal=case.causal)[0].numpy()[0]


FUNCTIONS = {
    "paddle-sdpa": Function(dot_product_attention),
    "paddle-mha": Function(multi_head_attention, flag=False),
    "paddle-compat-mha": Function(compat_multihead_attention),
}
