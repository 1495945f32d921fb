"""What is shown of one's own numbers: checked, layer by layer, before anything is sent."""

import numpy as np

from . import npz
from .arrays import refuse, shape_of, to_numpy

# What the page takes at most: heads, tokens, numbers of a layer.
MOST_HEADS = 64
MOST_TOKENS = 1024
MOST_NUMBERS = 16 << 20
# The widest input or head.
WIDEST = 16384
# Runs of hidden cells along rows that the page keeps of a mask.
MOST_STRETCHES = 4096

# A row of weights sums to 1 up to this.
CLOSE = 1e-2

PARTS = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")


class Numbers:
    """Arrays of each layer by their names in files of the page, and the tokens."""

    def __init__(self, layers, texts, notes=()):
        self.layers = layers
        self.texts = {name: texts for name, texts in texts.items() if texts is not None}
        self.notes = list(notes)

    @property
    def weights(self):
        """Finished weights `[L, H, n, m]`; `None` where the page computes them."""
        return self.layers[0].get("weights") if self.layers else None

    @property
    def source(self):
        """The second text, where as many keys as queries have other names: without one the page takes both for the same tokens."""
        queries, keys = self.texts.get("query_tokens"), self.texts.get("key_tokens")
        is_other = queries is not None and keys is not None and len(queries) == len(keys) and list(queries) != list(keys)
        return " ".join(keys) if is_other else None

    def file(self, layer):
        """The file of a layer, from 1."""
        return npz.write({**self.layers[layer - 1], **self.texts})


def of_weights(weights, tokens, query_tokens, key_tokens, batch):
    """Finished weights: `[n, m]`, `[H, n, m]`, `[L, H, n, m]`, or a list of layers, with a batch axis or without."""
    layers = _layers(weights, batch)
    heads, rows, columns = layers[0].shape
    _check_size("weights", heads, rows, columns)
    texts = _texts(tokens, query_tokens, key_tokens, rows, columns, f"weights: {_count(heads, 'head')} of {rows} × {columns}")
    cleaned, notes = _cleaned(layers)
    return Numbers([{"weights": layer} for layer in cleaned], texts, notes)


def of_heads(q, k, v, mask, tokens, query_tokens, key_tokens, batch):
    """Projected rows: q `[H, n, d]`, k `[G, m, d]`, v `[G, m, e]`, each without heads as well."""
    given = {"q": q, "k": k, "v": v}
    for name, value in given.items():
        if value is None:
            refuse(f"{name}: missing; q, k and v are given together")
    q, k, v = (_with_heads(name, to_numpy(name, value), batch, "[n, d] and [H, n, d] have 2 or 3 axes") for name, value in given.items())
    if q.shape[2] != k.shape[2]:
        refuse(f"k: rows of {k.shape[2]} numbers, but q has rows of {q.shape[2]}")
    if k.shape[:2] != v.shape[:2]:
        refuse(f"v: {_count(v.shape[0], 'head')} of {v.shape[1]} rows, but k has {k.shape[0]} of {k.shape[1]}")
    if q.shape[0] % k.shape[0]:
        refuse(f"k: {_count(k.shape[0], 'head')}, which do not divide the {q.shape[0]} of q")
    rows, columns = q.shape[1], k.shape[1]
    _check_size("q", q.shape[0], rows, columns)
    for name, array in (("q", q), ("k", k), ("v", v)):
        _check_finite(name, array)
    texts = _texts(tokens, query_tokens, key_tokens, rows, columns, f"q, k: {rows} queries and {columns} keys")
    return Numbers([{"q": q, "k": k, "v": v, **_mask(mask, rows, columns)}], texts)


def of_layer(x, parts, heads, mask, tokens):
    """Input rows `[n, d_model]` and the weights of a layer, `[d_model, heads · d]`."""
    x = to_numpy("x", x)
    if x.ndim != 2:
        refuse(f"x: {shape_of(x)}, but [n, d_model] has 2 axes")
    for name in ("w_q", "w_k", "w_v"):
        if parts.get(name) is None:
            refuse(f"{name}: missing; w_q, w_k and w_v are given together")
    arrays = {name: to_numpy(name, value) for name, value in parts.items() if value is not None}
    for name, array in {"x": x, **arrays}.items():
        _check_finite(name, array)
    for name in ("w_q", "w_k", "w_v"):
        if arrays[name].ndim != 2 or arrays[name].shape[0] != x.shape[1]:
            refuse(f"{name}: {shape_of(arrays[name])}, but x has rows of {x.shape[1]} numbers")
    if not isinstance(heads, int) or heads < 1 or arrays["w_q"].shape[1] % heads:
        refuse(f"heads: {heads}, which does not divide the {arrays['w_q'].shape[1]} columns of w_q")
    rows = len(x)
    _check_size("x", heads, rows, rows)
    texts = _texts(tokens, None, None, rows, rows, f"x: {rows} rows")
    return Numbers([{"x": x, **arrays, "num_heads": np.float32(heads), **_mask(mask, rows, rows)}], texts)


def _layers(weights, batch):
    """Layers as `[H, n, m]`, one after the other."""
    if isinstance(weights, (list, tuple)) and len(weights) and _is_list_of_arrays(weights):
        layers = [_layer(f"weights, layer {at}", layer, batch) for at, layer in enumerate(weights, 1)]
        for at, layer in enumerate(layers, 1):
            if layer.shape != layers[0].shape:
                refuse(f"weights: layer {at} is {shape_of(layer)}, but layer 1 is {shape_of(layers[0])}")
        return layers
    array = to_numpy("weights", weights)
    if array.ndim == 5:
        array = np.stack([_entry("weights", layer, batch) for layer in array])
    elif array.ndim < 5 and batch is not None:
        refuse(f"batch: {batch}, but weights of {shape_of(array)} have no batch axis; a tuple of layers has one")
    if array.ndim not in (2, 3, 4, 5):
        refuse(f"weights: {shape_of(array)}, but [n, m], [H, n, m] and [L, H, n, m] have 2 to 4 axes")
    if 0 in array.shape:
        refuse(f"weights: {shape_of(array)}, so there is nothing in it")
    return list(array.reshape((1,) * (4 - array.ndim) + array.shape))


def _is_list_of_arrays(weights):
    if any(layer is None for layer in weights):
        at = next(at for at, layer in enumerate(weights, 1) if layer is None)
        refuse(f"weights: layer {at} is None; transformers returns weights with attn_implementation='eager'")
    return not any(isinstance(layer, (list, tuple, int, float)) for layer in weights)


def _layer(name, layer, batch):
    return _with_heads(name, to_numpy(name, layer), batch, "a layer is [n, m], [H, n, m] or [batch, H, n, m]")


def _entry(name, array, batch):
    """One entry of a batch, which has to be named where there are several."""
    entries = len(array)
    if batch is None and entries != 1:
        refuse(f"{name}: a batch of {entries}; say which one is meant with batch=0 … {entries - 1}")
    if batch is not None and not (isinstance(batch, int) and 0 <= batch < entries):
        refuse(f"batch: {batch}, but there is a batch of {entries}, counted from 0")
    return array[batch or 0]


def _with_heads(name, array, batch, axes):
    """One entry of a batch, with an axis of heads."""
    if array.ndim == 4:
        array = _entry(name, array, batch)
    if array.ndim not in (2, 3):
        refuse(f"{name}: {shape_of(array)}, but {axes}")
    if 0 in array.shape:
        refuse(f"{name}: {shape_of(array)}, so there is nothing in it")
    return array.reshape((1,) * (3 - array.ndim) + array.shape)


def _check_size(name, heads, rows, columns):
    if heads > MOST_HEADS:
        refuse(f"{name}: {heads} heads, and {MOST_HEADS} is the most")
    for axis, length in (("queries", rows), ("keys", columns)):
        if length > MOST_TOKENS:
            refuse(f"{name}: {length} {axis}, and {MOST_TOKENS} is the most")
    if heads * rows * columns > MOST_NUMBERS:
        refuse(f"{name}: {heads * rows * columns} numbers in a layer, and {MOST_NUMBERS} is the most")


def _check_finite(name, array):
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        refuse(f"{name}: {array[tuple(wrong[0])]} at {_place(wrong[0])}, counted from 0")


def _place(index):
    return "[" + ", ".join(str(int(at)) for at in index) + "]"


def _count(count, thing):
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _texts(tokens, query_tokens, key_tokens, rows, columns, what):
    """Tokens of each side, as many as there are rows and columns."""
    if tokens is not None and (query_tokens is not None or key_tokens is not None):
        refuse("tokens: given beside query_tokens or key_tokens; it names both sides")
    if tokens is not None and rows != columns:
        refuse(f"{what}, so tokens cannot name both sides; give query_tokens and key_tokens")
    given = {"tokens": (tokens, rows), "query_tokens": (query_tokens, rows), "key_tokens": (key_tokens, columns)}
    return {name: _names(name, texts, length, what) for name, (texts, length) in given.items()}


def _names(name, texts, length, what):
    if texts is None:
        return None
    if isinstance(texts, str):
        refuse(f"{name}: a text; give a list of texts, one for each token")
    texts = list(texts)
    for at, text in enumerate(texts):
        if not isinstance(text, str):
            refuse(f"{name}: {type(text).__name__} at [{at}]; each is a text, such as tokenizer.convert_ids_to_tokens makes")
    if len(texts) != length:
        refuse(f"{what}, but {len(texts)} {name.replace('_', ' ')}")
    # NumPy takes zeros at the end of a text away, and an empty list of texts has no type.
    return np.array([text.replace("\0", "␀") for text in texts], dtype=str)


def _mask(mask, rows, columns):
    """1 where a key is visible: from truth values, 0 and 1, or what is added to scores."""
    if mask is None:
        return {}
    array = to_numpy("mask", mask)
    while array.ndim > 2 and array.shape[0] == 1:
        array = array[0]
    if array.shape != (rows, columns):
        refuse(f"mask: {shape_of(array)}, but there are {rows} queries and {columns} keys")
    if np.isin(array, (0, 1)).all():
        visible = array
    elif ((array == 0) | (array < -1e4)).all():
        visible = (array == 0).astype(np.float32)
    else:
        refuse("mask: neither truth values, nor 0 and 1, nor 0 and −∞ to be added to scores")
    is_causal = np.array_equal(visible, np.tri(rows, columns, dtype=np.float32)) and rows == columns
    begins = np.diff(visible, axis=1, prepend=1) < 0
    if not is_causal and begins.sum() > MOST_STRETCHES:
        refuse(f"mask: {begins.sum()} runs of hidden cells along its rows, and {MOST_STRETCHES} is the most")
    return {"mask": np.ascontiguousarray(visible)}


def _cleaned(layers):
    """Weights that can be drawn, and what is odd about them."""
    notes, cleaned = [], []
    for at, layer in enumerate(layers, 1):
        where = f", layer {at}" if len(layers) > 1 else ""
        wrong = np.argwhere(np.isinf(layer))
        if len(wrong):
            refuse(f"weights{where}: {layer[tuple(wrong[0])]} at {_place(wrong[0])}, counted from 0")
        missing = np.isnan(layer)
        if missing.any():
            notes.append(f"weights{where}: {_count(int(missing.sum()), 'NaN')}, the first at {_place(np.argwhere(missing)[0])}; drawn as 0")
            layer = np.where(missing, np.float32(0), layer)
        if layer.min() < 0 or layer.max() > 1 + CLOSE:
            notes.append(f"weights{where}: from {layer.min():g} to {layer.max():g}, and not 0 to 1")
        sums = layer.sum(axis=-1)
        odd = (np.abs(sums - 1) > CLOSE) & (sums != 0)
        if odd.any():
            place = np.argwhere(odd)[0]
            notes.append(f"weights{where}: {_count(int(odd.sum()), 'row')} that do not sum to 1, the first at {_place(place)} with {sums[tuple(place)]:g}")
        cleaned.append(layer)
    return cleaned, notes
