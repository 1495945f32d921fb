#!/usr/bin/env bash
# Guess:  in a causal model a text's logits stay what they are when words are added after it; so a cache gives the numbers of one pass.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28, Phi-3 with "longrope" and an original length of 16: with 16 tokens logits of the first 12 are those
#         of 12 alone; with a seventeenth they all change, since the long factors then turn every position. With a cache that was begun
#         below the limit the keys keep the short ones: a third set of numbers.
# So:     figures for such a model (Phi-3 and 4 at 128k) name the length of the whole text and whether it was read at once.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >longrope.py <<'PY'
import torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
tf.logging.set_verbosity_error()
rope = {"rope_type": "longrope", "rope_theta": 10000.0, "original_max_position_embeddings": 16, "short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
config = tf.Phi3Config(vocab_size=31, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2,
                       pad_token_id=0, bos_token_id=0, eos_token_id=0, max_position_embeddings=64,
                       original_max_position_embeddings=16, rope_parameters=rope, initializer_range=0.5)
model = tf.Phi3ForCausalLM(config).eval()
ids = torch.randint(0, 31, (1, 17))
def largest(a, b):
    return (a - b).abs().max().item()
short, within, beyond = (model(ids[:, :n]).logits[0] for n in (12, 16, 17))
cached = model(ids[:, 12:], cache=model(ids[:, :12], use_cache=True).past_key_values).logits[0, -1]
seen = [largest(short, within[:12]), largest(short, beyond[:12]), largest(cached, beyond[-1])]
print("first 12 rows of 12 tokens against 16: {:.6f}; against 17: {:.3f}; last row with a cache against one pass over 17: {:.3f}".format(*seen))
assert seen[0] < 1e-4 and seen[1] > 0.1 and seen[2] > 0.1, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" longrope.py
