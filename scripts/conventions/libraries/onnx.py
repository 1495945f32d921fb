import standard
from case import Function
from onnx.reference import ReferenceEvaluator


def reference_attention(case):
    model, given = standard.attention(case)
    return ReferenceEvaluator(model).run(["y"], given)[0][0, 0]


FUNCTIONS = {"onnx-reference": Function(reference_attention, cache=True, windows=("causal", "two-sided"))}
