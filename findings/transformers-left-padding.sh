#!/usr/bin/env bash
# Guess:  GPT-2's logits for a text that is padded at the left, with its `attention_mask`, are those of the text alone, from `forward` as from `generate`.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28: from `generate` they are; from `forward` they are others, since positions are counted from the
#         padding on. BERT's rows change likewise; OPT, which takes positions from the mask, gives the same rows.
# So:     whoever compares or draws attention of a padded batch pads at the right or passes `position_ids`; a test with OPT proves nothing for GPT-2.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >padding.py <<'PY'
import torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
tf.logging.set_verbosity_error()
ids = torch.tensor([[3, 17, 8, 28, 3, 11]])
padded = torch.cat([torch.full((1, 3), 30), ids], 1)
mask = (torch.arange(9) >= 3).long()[None]
ends = {"bos_token_id": 30, "eos_token_id": 30, "pad_token_id": 30}
gpt2 = tf.GPT2LMHeadModel(tf.GPT2Config(vocab_size=31, n_embd=16, n_layer=2, n_head=2, n_positions=32, initializer_range=0.5, **ends)).eval()
sizes = {"vocab_size": 31, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
opt = tf.OPTModel(tf.OPTConfig(**sizes, ffn_dim=24, max_position_embeddings=32, word_embed_proj_dim=16, init_std=0.5)).eval()
bert = tf.BertModel(tf.BertConfig(**sizes, intermediate_size=24, initializer_range=0.5)).eval()
last = lambda model, *given, **more: model(*given, **more)[0][0, -1]
step = gpt2.generate(padded, attention_mask=mask, max_new_tokens=1, do_sample=False, output_logits=True, return_dict_in_generate=True).logits[0][0]
apart = {"GPT-2, generate": step - last(gpt2, ids), "GPT-2, forward": last(gpt2, padded, attention_mask=mask) - last(gpt2, ids),
         "GPT-2, forward with position_ids": last(gpt2, padded, attention_mask=mask, position_ids=(mask.cumsum(1) - 1).clamp(0)) - last(gpt2, ids),
         "BERT, forward": last(bert, padded, attention_mask=mask) - last(bert, ids), "OPT, forward": last(opt, padded, attention_mask=mask) - last(opt, ids)}
apart = {name: difference.abs().max().item() for name, difference in apart.items()}
for name, difference in apart.items():
    print(f"{name}: {difference:.6f} from the text alone")
assert [difference > 0.1 for difference in apart.values()] == [False, True, False, True, False], "this differs from what was seen"
assert all(difference < 1e-4 or difference > 0.1 for difference in apart.values()), "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" padding.py
