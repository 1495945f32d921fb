import numpy as np
import openvino
import openvino.opset13 as ops
from case import Function


def dot_product_attention(case):
    given = [x[None, None] for x in case.arrays(scaled=False)] + ([] if case.mask is None else [case.mask[None, None]])
    inputs = [ops.parameter(x.shape, x.dtype) for x in given]
    scale = ops.constant(np.float32(1))
    attention = ops.scaled_dot_product_attention(*inputs[:3], *(inputs[3:] or [None]), scale=scale, causal=case.causal)
    model = openvino.compile_model(openvino.Model([attention], inputs), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return model(given)[0][0, 0]


FUNCTIONS = {"openvino-sdpa": Function(dot_product_attention)}
