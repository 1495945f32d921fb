#!/usr/bin/env bash
# Guess:  column j of the attention weights of a generation step is token j, as in the forward pass over the whole text.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28: Mistral with a window of 4 gives, for the tenth token with a cache, rows of 4 numbers: those of
#         tokens 6 to 9. From ten tokens at once the row has ten. Nothing in the output says where column 0 is. `generate` mixes both: [10, 10]
#         for the first step, [1, 4] after.
# So:     maps of steps are put together by the window's end, not by column; a heat map labelled from the first token is wrong.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >columns.py <<'PY'
import torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
tf.logging.set_verbosity_error()
config = tf.MistralConfig(vocab_size=31, hidden_size=16, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2,
                          max_position_embeddings=64, sliding_window=4, initializer_range=0.5, attn_implementation="eager")
model = tf.MistralForCausalLM(config).eval()
ids = torch.tensor([[3, 17, 8, 28, 3, 11, 25, 9, 17, 2]])
cached = model(ids[:, :9], use_cache=True).past_key_values
step = model(ids[:, 9:], cache=cached, output_attentions=True).attentions[0][0, 0, 0]
whole = model(ids, output_attentions=True).attentions[0][0, 0, -1]
made = model.generate(ids, max_new_tokens=3, do_sample=False, output_attentions=True, return_dict_in_generate=True)
shapes = [list(layers[0].shape[2:]) for layers in made.attentions]
print("with a cache:", [round(x, 4) for x in step.tolist()])
print("all at once: ", [round(x, 4) for x in whole.tolist()])
print("shapes from generate:", shapes)
assert step.shape == (4,) and whole.shape == (10,) and (step - whole[6:]).abs().max() < 1e-5, "this differs from what was seen"
assert shapes == [[10, 10], [1, 4], [1, 4]], "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" columns.py
