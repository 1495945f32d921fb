#!/usr/bin/env bash
# Guess:  `rope_theta` at the top level of config.json is the rotary base, for GPT-NeoX as for Llama.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28: Llama takes it; GPT-NeoX goes on with 10,000 unless the base is in `rope_parameters` or is called
#         `rotary_emb_base` (which Llama, in turn, passes over). Nothing is logged, and `config.rope_theta` shows the number that is not used.
# So:     a reader takes the name of the base from the family.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >base.py <<'PY'
import json, torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
tf.logging.disable_progress_bar()
sizes = dict(vocab_size=31, hidden_size=32, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=64, initializer_range=0.5)
def opened(kind, more, changes):
    kind(kind.config_class(**sizes, **more)).save_pretrained("model")
    config = json.load(open("model/config.json"))
    del config["rope_parameters"]
    json.dump({**config, **more, **changes}, open("model/config.json", "w"))
    model = kind.from_pretrained("model").eval()
    used = round(model.base_model.rotary_emb.inv_freq[1].item() ** -8, -2)
    print(f"{kind.__name__} with {changes} turns by a base of {used}; config.rope_theta {getattr(model.config, 'rope_theta', 'is not there')}")
    return used
seen = {}
for name, kind, more in [("llama", tf.LlamaForCausalLM, {}), ("neox", tf.GPTNeoXForCausalLM, {"rotary_pct": 1.0})]:
    for key in ["rope_theta", "rotary_emb_base"]:
        seen[name, key] = opened(kind, more, {key: 500000.0})
assert list(seen.values()) == [5e5, 1e4, 1e4, 5e5], "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" base.py
