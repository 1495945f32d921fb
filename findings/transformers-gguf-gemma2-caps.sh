#!/usr/bin/env bash
# Guess:  transformers opens a GGUF file of Gemma 2 with the soft caps that the file states.
# Seen:   transformers 5.24.0, gguf 0.19.0, torch 2.15.0, 2026-11-28: the window of the file is taken and its `attn_logit_softcapping` and
#         `final_logit_softcapping` are not: with 2 and 3 in the file the model has 50 and 30, the numbers of Google's own, and logits beyond the cap
#         of 3. Nothing is logged.
# So:     reference numbers for such a file need the caps set by hand; they look right for as long as the file has Google's.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
lib=$(cd "$(dirname "$0")" && pwd)/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=lib/torch.sh
. "$lib/torch.sh"
cat >caps.py <<'PY'
import gguf, numpy as np, torch, transformers as tf
torch.set_grad_enabled(False)
tf.logging.disable_progress_bar()
D, HEADS, D_K, WORDS, MLP = 32, 2, 16, 31, 24
SETTINGS = {"vocab_size": WORDS, "context_length": 64, "embedding_length": D, "block_count": 1, "feed_forward_length": MLP, "attention.key_length": D_K,
            "attention.value_length": D_K, "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "attention.layer_norm_rms_epsilon": 1e-5,
            "attention.sliding_window": 3, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0}
SHAPES = {"attn_q": (D, D), "attn_k": (D, D), "attn_v": (D, D), "attn_output": (D, D), "ffn_gate": (MLP, D), "ffn_up": (MLP, D), "ffn_down": (D, MLP)}
random = np.random.default_rng(5)
writer = gguf.GGUFWriter("tiny.gguf", "gemma2")
for key, value in SETTINGS.items():
    (writer.add_uint32 if isinstance(value, int) else writer.add_float32)(f"gemma2.{key}", value)
writer.add_tensor("token_embd.weight", random.standard_normal((WORDS, D)).astype(np.float32))
for name, shape in SHAPES.items():
    writer.add_tensor(f"blk.0.{name}.weight", random.standard_normal(shape).astype(np.float32) / 4)
for name in ["output_norm", *(f"blk.0.{norm}" for norm in ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"])]:
    writer.add_tensor(f"{name}.weight", np.ones(D, np.float32))
writer.write_header_to_file(), writer.write_kv_data_to_file(), writer.write_tensors_to_file(), writer.close()
model = tf.AutoModelForCausalLM.from_pretrained(".", gguf_file="tiny.gguf", dtype=torch.float32, tie_word_embeddings=True).eval()
config, largest = model.config, model(torch.tensor([[3, 17, 8, 28]])).logits.abs().max().item()
seen = config.sliding_window, config.attn_logit_softcapping, config.final_logit_softcapping
print(f"the file says window, caps (3, 2.0, 3.0); the model has {seen}, and its largest logit is {largest:.2f}")
assert seen == (3, 50.0, 30.0) and largest > 3, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" caps.py
