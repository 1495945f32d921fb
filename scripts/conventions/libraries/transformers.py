import torch
import transformers
from case import Function
from transformers import masking_utils
from transformers.cache_utils import DynamicCache


def model(attention, case):
    """A layer of Mistral, which is one of Llama with a window, whose attention puts out its weights: embedding, W_V and W_O are the identity, and
    W_Q is 0, so that scores are equal whatever they are asked to be."""
    width = 2 * -(-case.keys // 2)
    sizes = dict(vocab_size=width, hidden_size=width, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1, num_key_value_heads=1)
    made = transformers.MistralModel(transformers.MistralConfig(**sizes, sliding_window=case.window, attn_implementation=attention)).eval()
    layer = made.layers[0].self_attn
    with torch.no_grad():
        made.embed_tokens.weight.copy_(torch.eye(width))
        layer.q_proj.weight.zero_()
        layer.v_proj.weight.copy_(torch.eye(width) / width**0.5)
        layer.o_proj.weight.copy_(torch.eye(width))
    return made


@torch.no_grad()
def rows(attention, case):
    """The rows of the last queries. A mask is one of keys, its last row. Without a cache, queries are as many as keys."""
    if case.window and not case.causal:
        return two_sided(case)
    asked, seen = model(attention, case), []
    asked.layers[0].self_attn.register_forward_hook(lambda layer, given, result: seen.append(result[0]))
    ids, cache = torch.arange(case.keys)[None], DynamicCache()
    mask = None if case.mask is None else torch.from_numpy(case.mask[-1:])
    past = case.keys - case.queries
    if past and mask is None:
        asked(ids[:, :past], past_key_values=cache)
    asked(ids[:, past if mask is None else 0:], attention_mask=mask, past_key_values=cache)
    return seen[-1][0, -case.queries:, :case.keys].numpy()


def two_sided(case):
    """The mask of encoders with a window, divided by the number of visible keys."""
    config = transformers.MistralConfig(sliding_window=case.window, attn_implementation="sdpa")
    mask = masking_utils.create_bidirectional_sliding_window_mask(config, torch.zeros(1, case.keys, 8), None)[0, 0].numpy()
    return mask / mask.sum(-1, keepdims=True)


def hidden(attention):
    """As the mask of a model says; one of booleans removes what it hides."""
    config = transformers.MistralConfig(attn_implementation=attention)
    padded = torch.tensor([[False, True]])
    mask = masking_utils.create_causal_mask(config, torch.zeros(1, 2, 8), padded, None)
    return (None, None) if mask.dtype == torch.bool else (mask.min().item(), "added")


FUNCTIONS = {
    "transformers-eager": Function(lambda case: rows("eager", case), windows=("causal", "two-sided"), hidden=lambda: hidden("eager")),
    "transformers-sdpa": Function(lambda case: rows("sdpa", case), windows=("causal", "two-sided"), hidden=lambda: hidden("sdpa")),
}
