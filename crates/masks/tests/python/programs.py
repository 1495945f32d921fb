"""Runs programs with masks and says what each left: a line of JSON for each.

    python programs.py FILE

FILE has a line of JSON for each program: library, code, batch, heads, n, m. What is said is the weights, [batch, heads, n, m], as they would be if all
scores were equal, and how far the output is from weights times values; or that the library is not here, or too old for the program.
"""

import json
import sys
import warnings

import numpy as np

WIDTH = 8


def numbers(*shape):
    """Values that differ from row to row."""
    return np.sin(np.arange(np.prod(shape), dtype="f4")).reshape(shape)


def by_head(of, task, heads_at=1):
    """q, k and v of each head, the axis of the heads at `heads_at`; the scores, and the values."""
    b, h, n, m = (task[key] for key in ("batch", "heads", "n", "m"))
    q, k, v = numbers(b, h, n, WIDTH), numbers(b, h, m, WIDTH), 1 + numbers(b, h, m, WIDTH)[..., ::-1]
    place = lambda x: of(np.ascontiguousarray(np.moveaxis(x, 1, heads_at)))
    scores = q.astype("f8") @ k.swapaxes(-1, -2) / np.sqrt(WIDTH)
    return {"q": place(q), "k": place(k), "v": place(v)}, scores, v


def together(of, task):
    """q, k and v in one row for all heads, of which the layer makes queries of zeros."""
    given, scores, v = by_head(lambda x: x, task, 2)
    return {name: of(x.reshape(*x.shape[:2], -1)) for name, x in given.items()}, 0 * scores, v


def split(out, task):
    """The output of each head from rows for all."""
    out = np.asarray(out)
    return np.moveaxis(out.reshape(*out.shape[:2], task["heads"], WIDTH), 2, 1)


def numpy(task):
    return *by_head(lambda x: x, task), np.asarray


def jax(task):
    import jax.numpy as jnp

    return *by_head(jnp.asarray, task, 2), lambda out: np.moveaxis(np.asarray(out), 2, 1)


def torch(task):
    import torch

    return *by_head(torch.from_numpy, task), np.asarray


def multihead(task):
    import torch

    width = task["heads"] * WIDTH
    attention = torch.nn.MultiheadAttention(width, task["heads"], batch_first=True).eval()
    zeros, identity = torch.zeros(width, width), torch.eye(width)
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([zeros, zeros, identity]))
        attention.out_proj.weight.copy_(identity)
    given, scores, v = together(torch.from_numpy, task)
    return given | {"attention": attention}, scores, v, lambda out: split(out.detach(), task)


def keras(task):
    import keras

    heads, width = task["heads"], task["heads"] * WIDTH
    layer = keras.layers.MultiHeadAttention(heads, WIDTH, use_bias=False)
    given, scores, v = together(lambda x: x, task)
    layer(given["q"], given["v"], given["k"])
    identity = np.eye(width, dtype="f4")
    for weight in layer.weights:
        is_value = "value" in weight.path or "output" in weight.path
        weight.assign(identity.reshape(weight.shape) if is_value else np.zeros(weight.shape))
    return given | {"layer": layer}, scores, v, lambda out: split(out, task)


def onnx(task):
    import onnx  # noqa: F401

    return numpy(task)


def mlx(task):
    import mlx.core as mx

    return *by_head(mx.array, task), np.asarray


def transformers(task):
    import torch
    import transformers as tf

    torch.manual_seed(0)
    sizes = dict(vocab_size=31, hidden_size=task["heads"] * WIDTH, intermediate_size=24, num_hidden_layers=1)
    heads = dict(num_attention_heads=task["heads"], num_key_value_heads=task["heads"])
    model = tf.LlamaModel(tf.LlamaConfig(**sizes, **heads, attn_implementation="eager")).eval()
    torch.nn.init.zeros_(model.layers[0].self_attn.q_proj.weight)
    ids = torch.arange(task["batch"] * task["n"]).reshape(task["batch"], -1) % 31
    return {"q": ids, "model": model}, 0.0, None, None


GIVEN = {
    "NumPy": numpy,
    "TorchSdpa": torch,
    "TorchMultihead": multihead,
    "FlexAttention": torch,
    "Transformers": transformers,
    "Keras": keras,
    "Jax": jax,
    "Onnx": onnx,
    "Mlx": mlx,
}


def is_too_old(library):
    """Programs are for PyTorch 2.15; from 2.5 on there is all that they name."""
    import torch

    return library.startswith(("Torch", "Flex")) and tuple(map(int, torch.__version__.split(".")[:2])) < (2, 5)


def report(task):
    library = task["library"]
    try:
        given, scores, v, by_heads = GIVEN[library](task)
    except ImportError:
        return {"absent": library}
    left = dict(given)
    try:
        exec(task["code"], left)
    except (ImportError, AttributeError) as error:
        if library in ("NumPy", "Jax") or not is_too_old(library):
            raise error
        return {"absent": library}
    shape = [task[key] for key in ("batch", "heads", "n", "m")]
    weights = left["weights"]
    weights = np.broadcast_to(np.asarray(weights.detach() if hasattr(weights, "detach") else weights), shape)
    apart = 0.0 if v is None else float(np.abs(by_heads(left["out"]) - weights @ v).max())
    even = weights * np.exp(-scores)
    even = even / np.maximum(even.sum(-1, keepdims=True), 1e-30)
    return {"weights": even.ravel().tolist(), "apart": apart}


for text in open(sys.argv[1], encoding="utf8"):
    task = json.loads(text)
    try:
        with warnings.catch_warnings():
            if task["library"] == "NumPy":
                warnings.simplefilter("error")
            said = json.dumps(report(task), allow_nan=False)
    except BaseException as error:
        said = json.dumps({"error": f"{type(error).__name__}: {error}"})
    print(said, flush=True)
