"""ONNX models of one node, for the libraries that run them."""

import numpy as np
from onnx import TensorProto, helper

OPSET = 25


def model_of(operator, given, outputs, opset=OPSET, domain="", **attributes):
    """One node: `given` is a list of (name, array), None where an optional input is left out."""
    kind = lambda array: helper.np_dtype_to_tensor_dtype(array.dtype)
    inputs = [helper.make_tensor_value_info(name, kind(array), array.shape) for name, array in given if array is not None]
    names = [name if array is not None else "" for name, array in given]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    node = helper.make_node(operator, names, outputs, domain=domain, **attributes)
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    return helper.make_model(helper.make_graph([node], "attention", inputs, results), opset_imports=imports, ir_version=11)


def attention(case):
    """The operator Attention of the standard and its inputs, for a case."""
    q, k, v = (x[None, None] for x in case.arrays(scaled=False))
    past = case.past or None
    given = [("q", q), ("k", k[:, :, case.past:]), ("v", v[:, :, case.past:]), ("mask", case.mask)]
    given += [("past_key", past and k[:, :, :case.past]), ("past_value", past and v[:, :, :case.past])]
    windows = {} if case.window is None else {"left_window_size": case.window, "right_window_size": -1 if case.causal else case.window}
    outputs = ["y", "present_key", "present_value"] if past else ["y"]
    return model_of("Attention", given, outputs, scale=1.0, is_causal=int(case.causal), **windows), fed(given)


def fed(given):
    return {name: np.ascontiguousarray(array) for name, array in given if array is not None}
