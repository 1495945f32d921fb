import torch
from case import Function
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def dot_product_attention(case):
    q, k, v = (torch.from_numpy(x)[None, None] for x in case.arrays(scaled=False))
    mask = None if case.mask is None else torch.from_numpy(case.mask)[None, None]
    rows = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=1.0, is_causal=case.causal)
    return rows[0, 0].numpy()


def multihead_attention(case):
    q, k, v = (torch.from_numpy(x)[None] for x in case.arrays())
    layer = torch.nn.MultiheadAttention(case.keys, 1, bias=False, batch_first=True).eval()
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(case.keys).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(case.keys))
        return layer(q, k, v, attn_mask=None if case.mask is None else torch.from_numpy(case.mask))[0][0].numpy()


def flex(case):
    """The mask is what mask_mod returns."""
    q, k, v = (torch.from_numpy(x)[None, None] for x in case.arrays(scaled=False))
    block = None
    if case.mask is not None:
        mask = torch.from_numpy(case.mask)
        block = create_block_mask(lambda batch, head, query, key: mask[query, key], None, None, *mask.shape, device="cpu")
    return flex_attention(q, k, v, block_mask=block, scale=1.0)[0, 0].numpy()


FUNCTIONS = {
    "torch-sdpa": Function(dot_product_attention),
    "torch-mha": Function(multihead_attention, flag=False),
    "torch-flex": Function(flex, flag=False),
}
