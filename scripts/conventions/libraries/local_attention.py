import torch
from case import Function
from local_attention import LocalAttention


def local(case):
    """Queries are as many as keys, and a mask has the keys alone; the last rows are taken. Without a window, one block holds all."""
    q, k, v = (torch.from_numpy(x)[None, None] for x in case.arrays())
    causal = case.causal or (case.mask is not None and case.queries > 1)
    size = case.window or case.keys
    layer = LocalAttention(size, causal=causal, look_forward=0 if causal else 1, autopad=True, use_rotary_pos_emb=False).eval()
    queries = q[:, :, -1:].expand(-1, -1, case.keys, -1)
    mask = None if case.mask is None else torch.from_numpy(case.mask[-1:])
    return layer(queries, k, v, mask=mask)[0, 0, -case.queries:].numpy()


FUNCTIONS = {"local-attention": Function(local, windows=("causal", "two-sided"), scored=False, equal_lengths=True)}
