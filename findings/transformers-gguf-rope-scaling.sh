#!/usr/bin/env bash
# Guess:  transformers opens a GGUF file of a Llama with the file's own rotary frequencies, or refuses what it does not know.
# Seen:   transformers 5.24.0, gguf 0.19.0, torch 2.15.0, 2026-11-28: `rope_freqs.weight` (what Llama 3.1 and later files have: divisors of the
#         frequencies) and `llama.rope.scaling.type` and `.factor` are passed over without a word: logits are those of the file without them, and
#         `rope_parameters` say "default". The same weights with a linear factor of 4 in config.json give others.
# So:     transformers is no reference for a GGUF file with scaled frequencies.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >scaling.py <<'PY'
import gguf, numpy as np, torch, transformers as tf
torch.set_grad_enabled(False)
tf.logging.disable_progress_bar()
D, HEADS, D_K, WORDS, MLP = 32, 2, 16, 31, 24
SIZES = {"vocab_size": WORDS, "context_length": 64, "embedding_length": D, "block_count": 1, "feed_forward_length": MLP, "rope.dimension_count": D_K,
         "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "attention.layer_norm_rms_epsilon": 1e-5, "rope.freq_base": 10000.0}
SHAPES = {"attn_q": (D, D), "attn_k": (D, D), "attn_v": (D, D), "attn_output": (D, D), "ffn_gate": (MLP, D), "ffn_up": (MLP, D), "ffn_down": (D, MLP)}
def tensors():
    random = np.random.default_rng(5)
    normal = lambda *shape: random.standard_normal(shape).astype(np.float32)
    ones = lambda: np.ones(D, np.float32)
    layer = {f"blk.0.{name}.weight": normal(*shape) / 4 for name, shape in SHAPES.items()}
    norms = {"blk.0.attn_norm.weight": ones(), "blk.0.ffn_norm.weight": ones(), "output_norm.weight": ones()}
    return {"token_embd.weight": normal(WORDS, D), "output.weight": normal(WORDS, D) / 4, **norms, **layer}
def write(name, more_sizes={}, more_tensors={}):
    writer = gguf.GGUFWriter(name, "llama")
    add = {int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
    for key, value in {**SIZES, **more_sizes}.items():
        add[type(value)](f"llama.{key}", value)
    for key, tensor in {**tensors(), **more_tensors}.items():
        writer.add_tensor(key, tensor)
    writer.write_header_to_file(), writer.write_kv_data_to_file(), writer.write_tensors_to_file(), writer.close()
def logits(model):
    return model.eval()(torch.tensor([[3, 17, 8, 28, 3, 11, 25]])).logits[0, -1]
def opened(name):
    model = tf.AutoModelForCausalLM.from_pretrained(".", gguf_file=name, dtype=torch.float32)
    print(f"{name}: {model.config.rope_parameters}, {[round(x, 3) for x in logits(model)[:3].tolist()]}")
    return model
write("plain.gguf")
write("divided.gguf", more_tensors={"rope_freqs.weight": np.full(D_K // 2, 4, np.float32)})
write("linear.gguf", {"rope.scaling.type": "linear", "rope.scaling.factor": 4.0})
plain, divided, linear = map(opened, ["plain.gguf", "divided.gguf", "linear.gguf"])
scaled = tf.LlamaForCausalLM(tf.LlamaConfig(**{**plain.config.to_dict(), "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0}}))
scaled.load_state_dict(plain.state_dict())
apart = (logits(scaled) - logits(plain)).abs().max().item()
print(f"with a factor of 4 in the config the largest difference of a logit is {apart:.2f}")
assert logits(plain).equal(logits(divided)) and logits(plain).equal(logits(linear)) and apart > 0.1, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" scaling.py
