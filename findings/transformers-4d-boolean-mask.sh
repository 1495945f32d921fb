#!/usr/bin/env bash
# Guess:  a boolean mask [batch, 1, n, n] hides the same keys from a model whichever attention is chosen at loading.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28, Llama: with "sdpa" False hides. With "eager", which one has to choose to get attentions at all, the
#         mask is added to the scores as 0 and 1: keys after the query get weight, whole rows of it here; rows still sum to 1, and nothing is logged.
#         A mask of 0 and the type's least number is right in both.
# So:     4-D masks are passed as numbers to add; a map drawn by "eager" with a boolean one is not what "sdpa" computes.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >mask.py <<'PY'
import torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
sizes = dict(vocab_size=31, hidden_size=32, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, initializer_range=0.5)
made = lambda attention: tf.LlamaForCausalLM(tf.LlamaConfig(**sizes, attn_implementation=attention)).eval()
eager, sdpa = made("eager"), made("sdpa")
sdpa.load_state_dict(eager.state_dict())
ids = torch.tensor([[3, 17, 8, 28, 3, 11, 25, 9]])
shows = torch.ones(8, 8, dtype=torch.bool).tril()[None, None]
added = torch.where(shows, 0.0, torch.finfo(torch.float32).min)
def logits(model, mask):
    return model(ids, attention_mask=mask).logits
plain = logits(sdpa, None)
apart = {f"{name}, {kind}": (logits(model, mask) - plain).abs().max().item()
         for name, model in [("sdpa", sdpa), ("eager", eager)] for kind, mask in [("boolean", shows), ("0 and least number", added)]}
for name, difference in apart.items():
    print(f"{name}: logits differ by {difference:.6f} from those of the causal mask")
weights = eager(ids, attention_mask=shows, output_attentions=True).attentions[0]
future = weights.triu(1).sum(-1).max().item()
print(f"eager, boolean: the largest share of a row on keys after the query is {future:.3f}; rows sum to {weights.sum(-1).min():.4f} at least")
assert [difference > 1e-3 for difference in apart.values()] == [False, False, True, False] and future > 0.9, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" mask.py
