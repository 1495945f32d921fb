"""What is read of one's own numbers: which shapes, from which libraries, and what is refused in which words."""

import warnings
from collections import OrderedDict

import numpy as np
import pytest

import attention_playground as ap


def weights(*shape, seed=1):
    """Rows that sum to 1."""
    numbers = np.random.default_rng(seed).random(shape, dtype=np.float32) + 0.01
    return numbers / numbers.sum(axis=-1, keepdims=True)


def layers_of(widget):
    return [layer["weights"] for layer in widget._numbers.layers]


@pytest.mark.parametrize("shape", [(3, 5), (2, 3, 5), (4, 2, 3, 5)])
def test_weights_of_every_number_of_axes(shape):
    given = weights(*shape)
    widget = ap.show(given)
    assert np.array_equal(np.stack(layers_of(widget)), given.reshape((1,) * (4 - len(shape)) + shape))
    assert np.array_equal(widget.weights, given.reshape((-1, *given.shape[-3:]) if given.ndim == 4 else (1, 1, *shape) if given.ndim == 2 else (1, *shape))[0])


def test_the_layer_that_is_chosen_is_the_one_whose_weights_there_are():
    given = weights(3, 2, 4, 4)
    widget = ap.show(given, layer=2)
    assert np.array_equal(widget.weights, given[1])
    widget.layer = 3
    assert np.array_equal(widget.weights, given[2])
    with pytest.raises(ValueError, match="layer: 4, but there are layers 1 to 3"):
        widget.layer = 4
    assert widget.layer == 3


def test_a_tuple_of_layers_has_a_batch_axis_which_is_named_where_there_are_several():
    layers = tuple(weights(2, 3, 4, 4, seed=at) for at in range(5))
    widget = ap.show(layers, batch=1)
    assert np.array_equal(np.stack(layers_of(widget)), np.stack([layer[1] for layer in layers]))
    with pytest.raises(ValueError, match="^weights, layer 1: a batch of 2; say which one is meant with batch=0 … 1$"):
        ap.show(layers)
    with pytest.raises(ValueError, match="^batch: 2, but there is a batch of 2, counted from 0$"):
        ap.show(layers, batch=2)
    one = ap.show([layer[:1] for layer in layers])
    assert np.array_equal(layers_of(one)[4], layers[4][0])
    assert np.array_equal(layers_of(ap.show([layer[0] for layer in layers]))[2], layers[2][0])


def test_statistics_are_those_of_each_head():
    given = np.array([[[1, 0], [0.5, 0.5]]], dtype=np.float32)
    stats = ap.show(given).stats
    assert stats["entropy_mean"] == pytest.approx([np.log(2) / 2])
    assert stats["diagonal_mean"] == pytest.approx([0.75])
    assert stats["off_diagonal_mean"] == pytest.approx([0.25])
    assert "diagonal_mean" not in ap.show(weights(2, 3, 4)).stats


def test_tokens_go_into_the_file_with_the_numbers():
    from io import BytesIO

    widget = ap.show(weights(2, 2, 3), query_tokens=["who", "is"], key_tokens=["it", "##s", "中"])
    file = np.load(BytesIO(widget._numbers.file(1)))
    assert list(file["query_tokens"]) == ["who", "is"]
    assert list(file["key_tokens"]) == ["it", "##s", "中"]
    assert np.array_equal(file["weights"], widget.weights) and file["weights"].dtype == np.float32


def test_queries_keys_and_values_with_a_mask():
    rng = np.random.default_rng(2)
    q, k, v = (rng.standard_normal(shape) for shape in [(4, 5, 8), (2, 6, 8), (2, 6, 3)])
    added = np.where(rng.random((5, 6)) < 0.5, 0, -np.inf)
    arrays = ap.show(q=q, k=k, v=v, mask=added)._numbers.layers[0]
    assert np.array_equal(arrays["q"], q.astype(np.float32)) and arrays["v"].shape == (2, 6, 3)
    assert np.array_equal(arrays["mask"], (added == 0).astype(np.float32))
    truth = ap.show(q=q, k=k, v=v, mask=added == 0)._numbers.layers[0]["mask"]
    assert np.array_equal(truth, arrays["mask"])
    plain = ap.show(q=q[0], k=k[0], v=v[0])._numbers.layers[0]
    assert plain["q"].shape == (1, 5, 8) and "mask" not in plain


def test_input_rows_with_the_weights_of_a_layer():
    rng = np.random.default_rng(3)
    x, w_q, w_k, w_v, w_o = (rng.standard_normal(shape) for shape in [(5, 6), (6, 8), (6, 8), (6, 8), (8, 6)])
    arrays = ap.show(x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=4)._numbers.layers[0]
    assert set(arrays) == {"x", "w_q", "w_k", "w_v", "w_o", "num_heads"}
    assert arrays["num_heads"] == 4 and np.array_equal(arrays["w_o"], w_o.astype(np.float32))


class Outputs(OrderedDict):
    """As those of transformers: a mapping whose entries are attributes as well."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def test_outputs_of_transformers_by_the_kind_of_attention():
    encoder, cross = (tuple(weights(1, 2, *size, seed=size[0]) for _ in range(3)) for size in [(4, 4), (3, 4)])
    outputs = Outputs(encoder_attentions=encoder, cross_attentions=cross)
    assert np.array_equal(layers_of(ap.show(outputs, attention="cross"))[2], cross[2][0])
    assert np.array_equal(layers_of(ap.show(outputs, attention="encoder"))[0], encoder[0][0])
    with pytest.raises(ValueError, match="^attention: one of 'encoder', 'cross'; these outputs have several$"):
        ap.show(outputs)
    with pytest.raises(ValueError, match="^attention: 'decoder', but these outputs have 'encoder', 'cross'$"):
        ap.show(outputs, attention="decoder")
    assert np.array_equal(layers_of(ap.show(Outputs(attentions=encoder)))[1], encoder[1][0])
    with pytest.raises(ValueError, match="output_attentions=True and attn_implementation='eager'"):
        ap.show(Outputs(logits=np.zeros(3)))
    with pytest.raises(ValueError, match="layer 2 is None; transformers returns weights with attn_implementation='eager'"):
        ap.show(Outputs(attentions=(encoder[0], None)))


def test_patterns_of_a_cache_by_layer():
    patterns = {f"blocks.{layer}.attn.hook_pattern": weights(1, 2, 4, 4, seed=layer) for layer in [1, 0, 10, *range(2, 10)]}
    widget = ap.show({**patterns, "blocks.0.hook_resid_pre": np.zeros((1, 4, 8))}, tokens=list("abcd"))
    assert np.array_equal(layers_of(widget)[10], patterns["blocks.10.attn.hook_pattern"][0])
    del patterns["blocks.3.attn.hook_pattern"]
    with pytest.raises(ValueError, match="^cache: blocks.3.attn.hook_pattern is missing, but blocks.10 is there$"):
        ap.show(patterns)


class OnDevice:
    """A tensor that has to be detached and brought to the processor, in a type that NumPy does not know."""

    def __init__(self, numbers, steps=()):
        self.numbers, self.steps = numbers, steps

    def detach(self):
        return OnDevice(self.numbers, (*self.steps, "detach"))

    def cpu(self):
        return OnDevice(self.numbers, (*self.steps, "cpu"))

    def __dlpack__(self, **_):
        raise BufferError("no such type")

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")

    def float(self):
        assert self.steps == ("detach", "cpu")
        return self.numbers


class Exchanged:
    """An array that is given by DLPack alone."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __dlpack__(self, **options):
        return self.numbers.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.numbers.__dlpack_device__()


@pytest.mark.parametrize("wrap", [OnDevice, Exchanged, lambda numbers: OnDevice(Exchanged(numbers)), lambda numbers: numbers.tolist(), lambda numbers: numbers.astype(np.float16)])
def test_arrays_of_any_library(wrap):
    given = weights(2, 3, 3)
    assert ap.show(wrap(given)).weights == pytest.approx(given, abs=1e-3)


REFUSED = [
    (lambda: ap.show(weights(12, 8, 8), tokens=list("abcdefghi")), "weights: 12 heads of 8 × 8, but 9 tokens"),
    (lambda: ap.show(weights(3, 4), tokens=list("abc")), "weights: 1 head of 3 × 4, so tokens cannot name both sides; give query_tokens and key_tokens"),
    (lambda: ap.show(weights(3, 4), key_tokens=list("abc")), "weights: 1 head of 3 × 4, but 3 key tokens"),
    (lambda: ap.show(weights(2, 2), tokens="ab"), "tokens: a text; give a list of texts, one for each token"),
    (lambda: ap.show(weights(2, 2), tokens=["a", 5]), "tokens: int at [1]; each is a text, such as tokenizer.convert_ids_to_tokens makes"),
    (lambda: ap.show(weights(2, 2), ["a", "b"], key_tokens=["a", "b"]), "tokens: given beside query_tokens or key_tokens; it names both sides"),
    (lambda: ap.show(np.zeros(3)), "weights: 3, but [n, m], [H, n, m] and [L, H, n, m] have 2 to 4 axes"),
    (lambda: ap.show(np.zeros((2, 0, 3))), "weights: 2 × 0 × 3, so there is nothing in it"),
    (lambda: ap.show(weights(2, 2), batch=0), "batch: 0, but weights of 2 × 2 have no batch axis; a tuple of layers has one"),
    (lambda: ap.show(weights(65, 2, 2)), "weights: 65 heads, and 64 is the most"),
    (lambda: ap.show(np.broadcast_to(np.float32(1 / 1025), (2, 1025))), "weights: 1025 keys, and 1024 is the most"),
    (lambda: ap.show(np.broadcast_to(np.float32(1e-3), (17, 1024, 1000))), "weights: 17408000 numbers in a layer, and 16777216 is the most"),
    (lambda: ap.show([weights(2, 3, 3), weights(2, 4, 4)]), "weights: layer 2 is 2 × 4 × 4, but layer 1 is 2 × 3 × 3"),
    (lambda: ap.show(np.array([["a", "b"]])), "weights: holds <U1, not numbers"),
    (lambda: ap.show(object()), "weights: object is no array of numbers"),
    (lambda: ap.show(np.array([[0.5, np.inf]])), "weights: inf at [0, 0, 1], counted from 0"),
    (lambda: ap.show(weights(2, 2), mask=np.ones((2, 2))), "mask: given beside finished weights, which it would not change"),
    (lambda: ap.show(weights(2, 2), attention="cross"), "attention: 'cross', but ndarray has one kind of weights only"),
    (lambda: ap.show(q=np.ones((2, 3)), k=np.ones((2, 3))), "v: missing; q, k and v are given together"),
    (lambda: ap.show(q=np.ones((2, 3)), k=np.ones((2, 4)), v=np.ones((2, 3))), "k: rows of 4 numbers, but q has rows of 3"),
    (lambda: ap.show(q=np.ones((3, 2, 3)), k=np.ones((2, 2, 3)), v=np.ones((2, 2, 3))), "k: 2 heads, which do not divide the 3 of q"),
    (lambda: ap.show(q=np.ones((2, 3)), k=np.ones((4, 3)), v=np.ones((5, 3))), "v: 1 head of 5 rows, but k has 1 of 4"),
    (lambda: ap.show(q=np.full((2, 3), np.nan), k=np.ones((2, 3)), v=np.ones((2, 3))), "q: nan at [0, 0, 0], counted from 0"),
    (lambda: ap.show(q=np.ones((2, 3)), k=np.ones((2, 3)), v=np.ones((2, 3)), mask=np.ones((2, 3))), "mask: 2 × 3, but there are 2 queries and 2 keys"),
    (lambda: ap.show(q=np.ones((2, 3)), k=np.ones((2, 3)), v=np.ones((2, 3)), mask=np.full((2, 2), 0.5)), "mask: neither truth values, nor 0 and 1, nor 0 and −∞ to be added to scores"),
    (lambda: ap.show(np.ones((2, 3)), w_q=np.ones((4, 3)), w_k=np.ones((3, 3)), w_v=np.ones((3, 3))), "w_q: 4 × 3, but x has rows of 3 numbers"),
    (lambda: ap.show(np.ones((2, 3)), w_q=np.ones((3, 3)), w_k=np.ones((3, 3))), "w_v: missing; w_q, w_k and w_v are given together"),
    (lambda: ap.show(np.ones((2, 3)), w_q=np.ones((3, 4)), w_k=np.ones((3, 4)), w_v=np.ones((3, 4)), heads=3), "heads: 3, which does not divide the 4 columns of w_q"),
    (lambda: ap.show("a text", ["a", "text"]), "tokens: given beside a text, which the page splits and computes itself"),
    (lambda: ap.show(weights(2, 2), hedas=2), "hedas: no setting has this name; docs/element.md lists them"),
    (lambda: ap.show(weights(2, 2), weights=weights(2, 2)), "weights: given twice"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_what_is_wrong_is_refused_by_name_axis_and_value(make, sentence):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_a_setting_of_another_type_is_refused_by_name():
    with pytest.raises(ValueError, match="'temperature' trait"):
        ap.show("a text", temperature="warm")


def test_rows_that_are_odd_are_shown_and_said():
    given = weights(2, 3, 3)
    given[1, 2, 0] += 0.5
    given[0, 1, 2] = np.nan
    with pytest.warns(UserWarning) as said:
        widget = ap.show(given)
    assert [str(note.message) for note in said] == [
        "weights: 1 NaN, the first at [0, 1, 2]; drawn as 0",
        f"weights: 2 rows that do not sum to 1, the first at [0, 1] with {given[0, 1, :2].sum():g}",
    ]
    assert widget.weights[0, 1, 2] == 0 and widget.weights[1, 2, 0] == given[1, 2, 0]
    with pytest.warns(UserWarning, match="from -1 to 2, and not 0 to 1"):
        ap.show(np.array([[-1, 2.0]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What a mask hides altogether has no weights, and is no mistake.
        ap.show(np.array([[0, 0], [0.5, 0.5]]))
