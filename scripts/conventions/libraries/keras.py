import keras
import numpy as np
from case import Function


def multi_head_attention(case, return_attention_scores=False):
    q, k, v = (x[None] for x in case.arrays())
    layer = keras.layers.MultiHeadAttention(1, case.keys, use_bias=False, sliding_window=case.window)
    asked = dict(key=k, attention_mask=None if case.mask is None else case.mask[None], use_causal_mask=case.causal)
    layer(q, v, **asked)
    layer.set_weights([np.eye(case.keys, dtype=np.float32).reshape(weight.shape) for weight in layer.get_weights()])
    seen = layer(q, v, return_attention_scores=return_attention_scores, **asked)
    return np.asarray(seen[1][0, 0] if return_attention_scores else seen[0])


def attention(case):
    """Takes a mask of keys alone; where all rows of the mask are not the same, causal gives the others."""
    q, k, v = (x[None] for x in case.arrays(scaled=False))
    mask = None if case.mask is None else [None, case.mask[-1:]]
    causal = case.causal or (case.mask is not None and case.queries > 1)
    return np.asarray(keras.layers.Attention()([q, v, k], mask=mask, use_causal_mask=causal)[0])


FUNCTIONS = {
    "keras-mha": Function(multi_head_attention, windows=("causal", "two-sided")),
    "keras-mha-scores": Function(lambda case: multi_head_attention(case, True), windows=("causal", "two-sided")),
    "keras-attention": Function(attention),
}
