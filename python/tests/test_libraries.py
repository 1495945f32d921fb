"""What libraries really return: tensors of PyTorch, and outputs of models of transformers with random weights, so that nothing is fetched.

A library that the Python of the tests lacks is taken from one of the same version that TRANSFORMERS_PYTHON or PYTORCH_PYTHON names, and what needs
it is skipped where none has it.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

import attention_playground as ap

# What libraries say of each other's versions is no fault of ours.
pytestmark = pytest.mark.filterwarnings("ignore")

FOLDERS = "import sys; print('\\n'.join(path for path in sys.path if path.endswith('-packages')))"
SIZES = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 30}


def folders_of(python):
    return subprocess.run([python, "-c", FOLDERS], capture_output=True, text=True, check=True).stdout.split("\n") if python else []


@pytest.fixture(scope="module")
def torch():
    beside = [folder for name in ("TRANSFORMERS_PYTHON", "PYTORCH_PYTHON") for folder in folders_of(os.environ.get(name)) if folder]
    with pytest.MonkeyPatch.context() as patch:
        # Last, so that what the tests have themselves comes first.
        patch.setattr(sys, "path", [*sys.path, *beside])
        library = pytest.importorskip("torch", reason="PyTorch is not here; PYTORCH_PYTHON=… names a Python that has it", exc_type=ImportError)
        library.manual_seed(1)
        yield library


@pytest.fixture(scope="module")
def transformers(torch):
    reason = "transformers is not here; TRANSFORMERS_PYTHON=… names a Python that has it"
    return pytest.importorskip("transformers", reason=reason, exc_type=ImportError)


def numbers(tensor):
    """The numbers of a tensor, without any of the ways that are tested."""
    return np.array(tensor.tolist(), dtype=np.float32)


def expect_layers(widget, tensors):
    shown = [layer["weights"] for layer in widget._numbers.layers]
    assert len(shown) == len(tensors) > 0
    for layer, tensor in zip(shown, tensors):
        assert np.array_equal(layer, numbers(tensor)) and layer.dtype == np.float32


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("is_learned", [False, True])
def test_tensors_of_every_type_that_are_learned_or_not(torch, kind, is_learned):
    # Each type has these numbers as they are.
    given = torch.tensor([[[0.5, 0.25, 0.25], [0.125, 0, 0.875]], [[1, 0, 0], [0.75, 0.125, 0.125]]], dtype=getattr(torch, kind))
    expect_layers(ap.show(given.requires_grad_(is_learned)), [given])


def test_tensors_that_do_not_lie_in_order(torch):
    given = torch.softmax(torch.randn(5, 4, 3), dim=0).permute(2, 1, 0)
    assert not given.is_contiguous()
    expect_layers(ap.show(given), [given])


def test_queries_keys_and_values_with_a_mask_of_truth_values(torch):
    q, k, v = (torch.randn(2, 4, 3, requires_grad=True) for _ in range(3))
    mask = torch.ones(4, 4).tril().bool()
    arrays = ap.show(q=q, k=k, v=v, mask=mask)._numbers.layers[0]
    for name, tensor in {"q": q, "k": k, "v": v, "mask": mask}.items():
        assert np.array_equal(arrays[name], numbers(tensor))


def bert(transformers):
    return transformers.BertModel(transformers.BertConfig(**SIZES, attn_implementation="eager")).eval()


def gpt2(transformers):
    return transformers.GPT2Model(transformers.GPT2Config(n_embd=16, n_layer=3, n_head=4, vocab_size=30, attn_implementation="eager")).eval()


@pytest.mark.parametrize("make", [bert, gpt2])
def test_a_model_with_one_kind_of_attention(torch, transformers, make):
    texts = torch.arange(12).reshape(2, 6)
    outputs = make(transformers)(texts[:1], output_attentions=True)
    assert outputs.attentions[0].requires_grad and outputs.attentions[0].shape == (1, 4, 6, 6)
    for given in (outputs, outputs.attentions):
        expect_layers(ap.show(given, tokens=list("abcdef")), [layer[0] for layer in outputs.attentions])
    both = make(transformers)(texts, output_attentions=True)
    expect_layers(ap.show(both, batch=1), [layer[1] for layer in both.attentions])


def test_a_model_in_half_precision(torch, transformers):
    outputs = bert(transformers).to(torch.bfloat16)(torch.arange(6)[None], output_attentions=True)
    assert outputs.attentions[0].dtype == torch.bfloat16
    expect_layers(ap.show(outputs), [layer[0] for layer in outputs.attentions])


def test_an_encoder_and_a_decoder_by_the_kind_of_attention(torch, transformers):
    settings = transformers.T5Config(d_model=16, d_kv=4, d_ff=16, num_layers=2, num_heads=4, vocab_size=30, attn_implementation="eager")
    model = transformers.T5Model(settings).eval()
    outputs = model(input_ids=torch.arange(5)[None], decoder_input_ids=torch.arange(3)[None], output_attentions=True)
    for kind, queries, keys in [("encoder", 5, 5), ("decoder", 3, 3), ("cross", 3, 5)]:
        layers = [layer[0] for layer in outputs[f"{kind}_attentions"]]
        assert layers[0].shape == (4, queries, keys)
        expect_layers(ap.show(outputs, attention=kind, query_tokens=list("abcde")[:queries], key_tokens=list("vwxyz")[:keys]), layers)
    with pytest.raises(ValueError, match="^attention: one of 'encoder', 'decoder', 'cross'; these outputs have several$"):
        ap.show(outputs)


def test_a_model_that_was_not_asked_for_its_attention(torch, transformers):
    outputs = bert(transformers)(torch.arange(6)[None])
    with pytest.raises(ValueError, match="output_attentions=True and attn_implementation='eager'"):
        ap.show(outputs)
