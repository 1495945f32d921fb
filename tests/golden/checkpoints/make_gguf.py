"""Tiny random GGUF files, and what transformers computes from them.

usage: make_gguf.py [NAME ...]
Made with transformers 5.24.0 (which reads GGUF files of these architectures itself), gguf 0.19.0, torch 2.15.0 and safetensors 0.8.0 on Python 3.11.
The numbers are drawn as the GGUF file has them, so that it is transformers that puts them in its own order. A folder has `metadata.json` (key to
value), `tensors.safetensors` (names, axes and numbers of the file's tensors; axes with the last one first in GGUF) and `expected.safetensors` as
make.py describes it. Head widths of Qwen 3 and the MLP's width of GPT-2 are not taken from GGUF files: the first has no case here, the second the
usual width, with its vocabulary and length said beside the file.
"""

import json
import pathlib
import sys
import tempfile

import gguf
import numpy as np
import torch
import transformers as tf
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).parent
IDS = [3, 17, 8, 28, 3, 11, 25, 9, 17, 2, 14, 6, 3]
VOCABULARY, D, HEADS, KV_HEADS, D_K, MLP, LENGTH, LAYERS = 29, 24, 4, 2, 10, 27, 31, 3

# Name, architecture, norms of a layer, what is different.
CASES = {
    "gguf_llama": ("llama", ["attn_norm", "ffn_norm"], {}),
    "gguf_qwen2": ("qwen2", ["attn_norm", "ffn_norm"], {"d_k": 6, "biases": True, "tied": True}),
    "gguf_gemma2": ("gemma2", ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"], {"tied": True, "window": 3, "caps": (2.0, 3.0)}),
    "gguf_gemma3": (
        "gemma3",
        ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"],
        {"tied": True, "window": 3, "head_norms": True, "layers": 7},
    ),
    "gguf_gpt2": ("gpt2", ["attn_norm", "ffn_norm"], {"d_k": 6, "kv_heads": 4, "mlp": 96, "tied": True}),
}


def metadata(arch, case):
    d_k, kv_heads = case.get("d_k", D_K), case.get("kv_heads", KV_HEADS)
    is_gpt = arch == "gpt2"
    values = {
        "general.architecture": arch,
        f"{arch}.vocab_size": VOCABULARY,
        f"{arch}.context_length": LENGTH,
        f"{arch}.embedding_length": D,
        f"{arch}.block_count": case.get("layers", LAYERS),
        f"{arch}.feed_forward_length": case.get("mlp", MLP),
        f"{arch}.attention.head_count": HEADS,
    }
    if is_gpt:
        return {**values, f"{arch}.attention.layer_norm_epsilon": 1e-5}
    values |= {
        f"{arch}.attention.head_count_kv": kv_heads,
        f"{arch}.attention.layer_norm_rms_epsilon": 1e-5,
        f"{arch}.attention.key_length": d_k,
        f"{arch}.attention.value_length": d_k,
        f"{arch}.rope.dimension_count": d_k,
        f"{arch}.rope.freq_base": 70.0,
    }
    if "window" in case:
        values[f"{arch}.attention.sliding_window"] = case["window"]
    if "caps" in case:
        values[f"{arch}.attn_logit_softcapping"], values[f"{arch}.final_logit_softcapping"] = case["caps"]
    return values


def tensors(arch, norms, case):
    random = np.random.default_rng(5)
    normal = lambda *shape: random.standard_normal(shape).astype(np.float32)
    linear = lambda out, inner: (1.3 * normal(out, inner) / inner**0.5).astype(np.float32)
    norm = lambda width: (1 + 0.3 * normal(width)).astype(np.float32)
    small = lambda width: (0.3 * normal(width)).astype(np.float32)
    d_k, kv_heads = case.get("d_k", D_K), case.get("kv_heads", KV_HEADS)
    mlp = case.get("mlp", MLP)
    made = {"token_embd.weight": 0.7 * normal(VOCABULARY, D), "output_norm.weight": norm(D)}
    is_gpt = arch == "gpt2"
    if is_gpt:
        made |= {"position_embd.weight": 0.7 * normal(LENGTH, D), "output_norm.bias": small(D)}
    if not case.get("tied"):
        made["output.weight"] = linear(VOCABULARY, D)
    for layer in range(case.get("layers", LAYERS)):
        own = {f"{name}.weight": norm(D) for name in norms}
        own["attn_output.weight"] = linear(D, HEADS * d_k)
        own["ffn_up.weight"] = linear(mlp, D)
        own["ffn_down.weight"] = linear(D, mlp)
        if is_gpt:
            own["attn_qkv.weight"] = linear(3 * D, D)
            own["attn_qkv.bias"] = small(3 * D)
            own |= {f"{name}.bias": small(D) for name in [*norms, "attn_output", "ffn_down"]}
            own["ffn_up.bias"] = small(mlp)
        else:
            own["ffn_gate.weight"] = linear(mlp, D)
            for letter, heads in [("q", HEADS), ("k", kv_heads), ("v", kv_heads)]:
                own[f"attn_{letter}.weight"] = linear(heads * d_k, D)
                if case.get("biases"):
                    own[f"attn_{letter}.bias"] = small(heads * d_k)
        if case.get("head_norms"):
            own |= {f"attn_{letter}_norm.weight": norm(d_k) for letter in "qk"}
        made |= {f"blk.{layer}.{name}": tensor for name, tensor in own.items()}
    return {name: np.ascontiguousarray(tensor, dtype=np.float32) for name, tensor in made.items()}


def write(path, arch, values, numbers):
    writer = gguf.GGUFWriter(path, arch)
    for key, value in values.items():
        if key == "general.architecture":
            continue
        writer.add_float32(key, value) if isinstance(value, float) else writer.add_uint32(key, value)
    for name, tensor in numbers.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def as_llama_cpp(model, case):
    """transformers takes neither the caps nor the scale of the scores from a GGUF file: these are llama.cpp's."""
    cap, model.config.final_logit_softcapping = case.get("caps", (None, None))
    for layer in model.model.layers:
        layer.self_attn.attn_logit_softcapping = cap
        layer.self_attn.scaling = D_K**-0.5


def run(model):
    out = model(input_ids=torch.tensor([IDS]), output_attentions=True, output_hidden_states=True)
    return {"weights": torch.cat(out.attentions), "hidden": out.hidden_states[-1][0], "logits": out.logits[0]}


def make(name):
    arch, norms, case = CASES[name]
    values, numbers = metadata(arch, case), tensors(arch, norms, case)
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        write(f"{place}/tiny.gguf", arch, values, numbers)
        more = dict(vocab_size=VOCABULARY, n_positions=LENGTH) if arch == "gpt2" else {}
        model = tf.AutoModelForCausalLM.from_pretrained(place, gguf_file="tiny.gguf", attn_implementation="eager", dtype=torch.float32, **more).eval()
    if arch.startswith("gemma"):
        as_llama_cpp(model, case)
    single = run(model)
    exact = run(model.double())
    for what, tensor in exact.items():
        print(f"{name}: {what} {(single[what].double() - tensor).abs().max():.1e} of {tensor.abs().max():.2f}")
    (folder / "metadata.json").write_text(json.dumps(values, indent=1) + "\n")
    save_file(numbers, folder / "tensors.safetensors")
    expected = {what: tensor.double().contiguous().numpy() for what, tensor in exact.items()}
    save_file({**expected, "ids": np.array(IDS)}, folder / "expected.safetensors")


torch.set_grad_enabled(False)
for name in sys.argv[1:] or CASES:
    make(name)
