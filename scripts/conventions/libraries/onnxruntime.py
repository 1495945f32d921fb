import numpy as np
import onnxruntime
import standard
from case import Function

CONTRIBUTED = "com.microsoft"


def run(model, given):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"]).run(["y"], given)[0]


def attention(case):
    return run(*standard.attention(case))[0, 0]


def multi_head_attention(case):
    """Integers are a key_padding_mask, floats the attention_bias; a boolean mask has no input."""
    q, k, v = (x[None] for x in case.arrays(scaled=False))
    past = (x[:, None, :case.past] if case.past else None for x in (k, v))
    mask = case.mask if case.mask is None or case.mask.dtype != np.float32 else None
    bias = case.mask if mask is None else None
    given = [("q", q), ("k", k[:, case.past:]), ("v", v[:, case.past:]), ("bias", None), ("mask", mask if mask is None else mask[None])]
    given += [("scores", bias if bias is None else bias[None, None]), *zip(("past_key", "past_value"), past)]
    outputs = ["y", "present_key", "present_value"] if case.past else ["y"]
    attributes = {"num_heads": 1, "scale": 1.0, "unidirectional": int(case.causal)}
    model = standard.model_of("MultiHeadAttention", given, outputs, domain=CONTRIBUTED, **attributes)
    return run(model, standard.fed(given))[0]


def group_query_attention(case):
    """Always causal. All keys but those of the queries come from the cache. Heads are a multiple of 8 wide: V is the identity with columns of 0."""
    q, k, v = (x[None] for x in case.arrays(scaled=False, width=-(-case.keys // 8) * 8))
    past = case.keys - case.queries
    bias = None if case.mask is None else case.mask[None, None]
    given = [("q", q), ("k", k[:, past:]), ("v", v[:, past:]), ("past_key", k[:, None, :past]), ("past_value", v[:, None, :past])]
    given += [("seqlens_k", np.array([case.keys - 1], np.int32)), ("total", np.array(case.keys, np.int32))]
    given += [("cos", None), ("sin", None), ("positions", None), ("scores", bias)]
    windows = {} if case.window is None else {"local_window_size": case.window}
    attributes = {"num_heads": 1, "kv_num_heads": 1, "scale": 1.0, **windows}
    model = standard.model_of("GroupQueryAttention", given, ["y", "present_key", "present_value"], domain=CONTRIBUTED, **attributes)
    return run(model, standard.fed(given))[0, :, :case.keys]


FUNCTIONS = {
    "onnxruntime-attention": Function(attention, cache=True, windows=("causal", "two-sided")),
    "onnxruntime-mha": Function(multi_head_attention, cache=True),
    "onnxruntime-gqa": Function(group_query_attention, windows=("causal",)),
}
