"""Tiny random checkpoints of every family, saved by transformers itself, and what it computes from them.

usage: make.py [NAME ...]
Made with transformers 5.24.0, torch 2.15.0 and safetensors 0.8.0 on Python 3.11, on the CPU, with eager attention. `expected.safetensors` has what
the same weights give in 64 bit: `weights` [layers, heads, n, n], `hidden` [n, d_model] (after the last norm), `logits` [n, vocabulary] where the
model has a head for words, and `ids` [n]. Printed is the largest difference of the 32-bit run from it.
"""

import json
import pathlib
import sys

import torch
import transformers as tf
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).parent
IDS = [3, 17, 8, 28, 3, 11, 25, 9, 17, 2, 14, 6, 3]
SIZES = dict(vocab_size=29, hidden_size=24, num_hidden_layers=3, num_attention_heads=4, intermediate_size=27, max_position_embeddings=31)
# Texts begin and end with no token of their own.
NONE = dict(bos_token_id=None, eos_token_id=None, pad_token_id=None)
DECODER = dict(**SIZES, **NONE, num_key_value_heads=2, head_dim=10, rms_norm_eps=1e-5)


def rope(base, **more):
    return {"rope_type": "default", "rope_theta": base, **more}


CASES = {
    "distilbert": (tf.DistilBertModel, tf.DistilBertConfig(vocab_size=29, dim=24, n_layers=3, n_heads=4, hidden_dim=27, max_position_embeddings=31)),
    "roberta": (tf.RobertaModel, tf.RobertaConfig(**{**SIZES, "max_position_embeddings": 33}, type_vocab_size=1, layer_norm_eps=1e-5)),
    "bert_masked": (tf.BertForMaskedLM, tf.BertConfig(**{**SIZES, "vocab_size": 228})),
    "distilbert_masked": (
        tf.DistilBertForMaskedLM,
        tf.DistilBertConfig(vocab_size=29, dim=24, n_layers=3, n_heads=4, hidden_dim=27, max_position_embeddings=31, tie_word_embeddings=False),
    ),
    "roberta_masked": (tf.RobertaForMaskedLM, tf.RobertaConfig(**{**SIZES, "max_position_embeddings": 33}, type_vocab_size=1, layer_norm_eps=1e-5)),
    "gpt_neox": (tf.GPTNeoXForCausalLM, tf.GPTNeoXConfig(**{**SIZES, "hidden_size": 32}, **NONE, rope_parameters=rope(90.0, partial_rotary_factor=0.5))),
    "gpt_neox_serial": (
        tf.GPTNeoXForCausalLM,
        tf.GPTNeoXConfig(**SIZES, **NONE, use_parallel_residual=False, attention_bias=False, rope_parameters=rope(90.0, partial_rotary_factor=1.0)),
    ),
    "llama3": (
        tf.LlamaForCausalLM,
        tf.LlamaConfig(
            **{**DECODER, "head_dim": 14},
            attention_bias=True,
            rope_parameters={
                "rope_type": "llama3",
                "rope_theta": 400.0,
                "factor": 4.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 100,
            },
        ),
    ),
    "mistral": (tf.MistralForCausalLM, tf.MistralConfig(**DECODER, sliding_window=4, rope_parameters=rope(70.0))),
    "qwen2": (tf.Qwen2ForCausalLM, tf.Qwen2Config(**{k: v for k, v in DECODER.items() if k != "head_dim"}, tie_word_embeddings=True, rope_parameters=rope(70.0))),
    "qwen2_window": (
        tf.Qwen2ForCausalLM,
        tf.Qwen2Config(
            **{k: v for k, v in DECODER.items() if k != "head_dim"},
            use_sliding_window=True,
            sliding_window=3,
            max_window_layers=1,
            rope_parameters=rope(70.0),
        ),
    ),
    "qwen3": (tf.Qwen3ForCausalLM, tf.Qwen3Config(**DECODER, tie_word_embeddings=True, rope_parameters=rope(70.0))),
    "gemma2": (
        tf.Gemma2ForCausalLM,
        tf.Gemma2Config(
            **DECODER, sliding_window=3, query_pre_attn_scalar=10, attn_logit_softcapping=2.0, final_logit_softcapping=3.0, rope_parameters=rope(70.0)
        ),
    ),
    "gemma3": (
        tf.Gemma3ForCausalLM,
        tf.Gemma3TextConfig(
            **DECODER,
            sliding_window=3,
            sliding_window_pattern=2,
            query_pre_attn_scalar=10,
            rope_parameters={
                "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 70.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 20.0},
            },
        ),
    ),
    "gemma3_both_sides": (
        tf.Gemma3TextModel,
        tf.Gemma3TextConfig(**DECODER, sliding_window=4, sliding_window_pattern=3, query_pre_attn_scalar=10, use_bidirectional_attention=True),
    ),
}


def randomize(model, is_gemma):
    """Numbers of a size at which weights are neither even nor all of a row in one cell; norms far enough from 1 to be missed."""
    generator = torch.Generator().manual_seed(11)
    for name, tensor in model.named_parameters():
        normal = torch.randn(tensor.shape, generator=generator)
        if "norm" in name.lower() or ".ln_" in name:
            centre = 0.0 if is_gemma or name.endswith("bias") else 1.0
            tensor.data = centre + 0.3 * normal
        elif tensor.dim() == 1:
            tensor.data = 0.3 * normal
        elif "embed" in name and tensor.shape[0] != tensor.shape[1]:
            tensor.data = 0.7 * normal
        else:
            tensor.data = 1.3 * normal / tensor.shape[1] ** 0.5


def run(model):
    out = model(input_ids=torch.tensor([IDS]), output_attentions=True, output_hidden_states=True)
    hidden = out.last_hidden_state if hasattr(out, "last_hidden_state") else out.hidden_states[-1]
    made = {"weights": torch.cat(out.attentions), "hidden": hidden[0]}
    if hasattr(out, "logits"):
        made["logits"] = out.logits[0]
    return made


def make(name):
    kind, config = CASES[name]
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    model = kind(config).eval()
    randomize(model, name.startswith("gemma"))
    folder = HERE / name
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    single = run(kind.from_pretrained(folder, attn_implementation="eager"))
    exact = run(kind.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64))
    for what, tensor in exact.items():
        print(f"{name}: {what} {(single[what].double() - tensor).abs().max():.1e} of {tensor.abs().max():.2f}")
    exact = {what: tensor.double().contiguous() for what, tensor in exact.items()}
    save_file({**exact, "ids": torch.tensor(IDS)}, folder / "expected.safetensors")


torch.set_grad_enabled(False)
for name in sys.argv[1:] or CASES:
    make(name)
