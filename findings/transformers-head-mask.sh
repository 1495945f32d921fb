#!/usr/bin/env bash
# Guess:  `model(ids, head_mask=…)` with a 0 for a head leaves that head out, as it did for years, or raises a TypeError.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28: BERT, GPT-2, DistilBERT and T5 take the argument, and every number stays what it was, also where
#         all heads are 0, with eager attention too. So does any name that no model knows: it goes into `**kwargs`.
# So:     an ablation of heads written for version 4 shows heads that nobody needs; it has to be made with hooks, and tested on a head of zeros.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >head_mask.py <<'PY'
import torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
small = {"vocab_size": 31, "attn_implementation": "eager"}
MODELS = {
    tf.BertModel: tf.BertConfig(**small, initializer_range=0.5, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24),
    tf.GPT2Model: tf.GPT2Config(**small, initializer_range=0.5, n_embd=16, n_layer=2, n_head=2, n_positions=32, bos_token_id=0, eos_token_id=0),
    tf.DistilBertModel: tf.DistilBertConfig(**small, initializer_range=0.5, dim=16, n_layers=2, n_heads=2, hidden_dim=24),
    tf.T5EncoderModel: tf.T5Config(**small, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_heads=2),
}
ids = torch.tensor([[3, 17, 8, 28, 3, 11]])
for kind, config in MODELS.items():
    model = kind(config).eval()
    plain = model(ids).last_hidden_state
    masked = model(ids, head_mask=torch.zeros(2, 2)).last_hidden_state
    misspelt = model(ids, no_such_argument=1).last_hidden_state
    changes = [(other - plain).abs().max().item() for other in (masked, misspelt)]
    print(f"{kind.__name__}: largest change without all heads {changes[0]}, with an unknown argument {changes[1]}")
    assert masked.equal(plain) and misspelt.equal(plain), "this differs from what was seen"
model = tf.BertModel(MODELS[tf.BertModel]).eval()
plain = model(ids).last_hidden_state
for layer in model.encoder.layer:
    layer.attention.self.register_forward_hook(lambda module, inputs, output: (torch.zeros_like(output[0]), *output[1:]))
apart = (model(ids).last_hidden_state - plain).abs().max().item()
print(f"BERT with the heads' output set to 0 by hooks: {apart:.3f}")
assert apart > 0.1, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" head_mask.py
