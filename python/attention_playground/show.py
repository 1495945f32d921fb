"""`show`: what is given, and the widget of it."""

import re
import warnings
from collections.abc import Mapping

from . import numbers
from .arrays import refuse
from .widget import Playground

ATTENTIONS = {"self": "attentions", "encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
PATTERN = re.compile(r"(?:^|\.)blocks\.(\d+)\.attn\.hook_pattern$")
OF_LAYER = numbers.PARTS


def show(given=None, tokens=None, *, weights=None, q=None, k=None, v=None, mask=None, x=None, heads=None, batch=None,
         query_tokens=None, key_tokens=None, attention=None, **more):
    """Shows attention in the notebook, and returns the widget.

    given: weights `[n, m]`, `[H, n, m]` or `[L, H, n, m]` (rows are queries), or a tuple of layers, such as `outputs.attentions`;
        outputs of transformers; a cache with `blocks.L.attn.hook_pattern`; input rows `x`, with `w_q=`, `w_k=`, `w_v=`; or a text, for the
        page's own heads.
    tokens: a text for each token; `query_tokens` and `key_tokens` where the sides differ.
    q, k, v: rows `[H, n, d]`, with a `mask` if there is one: truth values, 1 for visible, or what is added to scores.
    batch: which entry of a batch, from 0, where there are several.
    attention: "self", "encoder", "decoder" or "cross" of outputs that have several.
    Everything else is a setting by its name in links, such as `head=2`, `theme="dark"`, `controls=["map"]`.
    """
    parts = {name: more.pop(name) for name in OF_LAYER if name in more}
    layer = more.pop("layer", 1)
    if weights is not None:
        given = _only(given, "weights", weights)
    if x is not None:
        given = _only(given, "x", x)
    sides = {"tokens": tokens, "query_tokens": query_tokens, "key_tokens": key_tokens}
    if isinstance(given, str) or (given is None and q is None and k is None and v is None and not parts):
        return _of_text(given, sides, {"q": q, "batch": batch, "attention": attention, **parts}, {"heads": heads, "mask": mask, **more})
    if parts or x is not None:
        made = numbers.of_layer(_needed(given, "x"), parts, 1 if heads is None else heads, mask, tokens)
    elif given is None:
        made = numbers.of_heads(q, k, v, mask, **sides, batch=batch)
    else:
        for name, value in {"q": q, "k": k, "v": v, "mask": mask, "heads": heads}.items():
            if value is not None:
                refuse(f"{name}: given beside finished weights, which it would not change")
        made = numbers.of_weights(_weights(given, attention), **sides, batch=batch)
    for note in made.notes:
        warnings.warn(note, stacklevel=2)
    if made.source:
        more.setdefault("source", made.source)
    return Playground(made, layer=layer, **more)


def _only(given, name, value):
    if given is not None:
        refuse(f"{name}: given twice")
    return value


def _needed(value, name):
    return refuse(f"{name}: missing") if value is None else value


def _of_text(text, sides, others, settings):
    for name, value in {**sides, **others}.items():
        if value is not None:
            refuse(f"{name}: given beside a text, which the page splits and computes itself")
    settings = {name: value for name, value in settings.items() if value is not None}
    return Playground(None, text=text, **settings)


def _weights(given, attention):
    """Finished weights of what libraries return."""
    layers = _of_cache(given) if isinstance(given, Mapping) or hasattr(given, "cache_dict") else None
    if layers is not None:
        return layers
    present = {name: field for name, field in ATTENTIONS.items() if _field(given, field) is not None}
    is_outputs = present or isinstance(given, Mapping) or any(hasattr(given, field) for field in ATTENTIONS.values())
    if not is_outputs:
        if attention is not None:
            refuse(f"attention: {attention!r}, but {type(given).__name__} has one kind of weights only")
        return given
    if not present:
        refuse("outputs: no attention weights in it; run the model with output_attentions=True and attn_implementation='eager'")
    if attention is None and len(present) > 1:
        refuse(f"attention: one of {', '.join(map(repr, present))}; these outputs have several")
    if attention is not None and attention not in present:
        refuse(f"attention: {attention!r}, but these outputs have {', '.join(map(repr, present))}")
    return _field(given, present[attention or next(iter(present))])


def _field(given, name):
    if isinstance(given, Mapping):
        return given[name] if name in given else None
    return getattr(given, name, None)


def _of_cache(cache):
    """Patterns of a cache by layer; `None` where there is none in it."""
    found = {}
    for name in cache.keys():
        match = PATTERN.search(name) if isinstance(name, str) else None
        if match:
            found[int(match[1])] = cache[name]
    if not found:
        return None
    if sorted(found) != list(range(len(found))):
        missing = next(at for at in range(len(found) + 1) if at not in found)
        refuse(f"cache: blocks.{missing}.attn.hook_pattern is missing, but blocks.{max(found)} is there")
    return [found[at] for at in range(len(found))]
