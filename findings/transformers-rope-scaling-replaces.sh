#!/usr/bin/env bash
# Guess:  a `rope_scaling` in config.json says how the frequencies are scaled; their base stays the `rope_theta` of `rope_parameters`.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28: it takes the place of `rope_parameters` as a whole: with {"rope_type": "linear",
#         "factor": 2} beside a base of 500,000 the base is 10,000, Llama's default, and nothing is logged. With the base at the top level, as
#         in files of version 4, or within `rope_scaling`, it is 500,000.
# So:     whoever lengthens the context of a model that version 5 has saved changes `rope_parameters`; readers follow this order.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >scaling.py <<'PY'
import json, torch, transformers as tf
torch.manual_seed(0), torch.set_grad_enabled(False)
tf.logging.disable_progress_bar()
sizes = dict(vocab_size=31, hidden_size=32, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64)
tf.LlamaForCausalLM(tf.LlamaConfig(**sizes, initializer_range=0.5)).save_pretrained("model")
config = json.load(open("model/config.json"))
inner, scaling = {"rope_type": "default", "rope_theta": 500000.0}, {"rope_type": "linear", "factor": 2.0}
def opened(**changes):
    rest = {key: value for key, value in config.items() if key != "rope_parameters"}
    json.dump({**rest, **changes}, open("model/config.json", "w"))
    model = tf.AutoModelForCausalLM.from_pretrained("model").eval()
    print(changes, "->", model.config.rope_parameters)
    return model.config.rope_parameters["rope_theta"], model(torch.tensor([[3, 17, 8, 28, 3, 11]])).logits[0, -1]
both, logits = opened(rope_parameters=inner, rope_scaling=scaling)
small, same = opened(rope_parameters={**scaling, "rope_theta": 10000.0})
large, others = opened(rope_parameters={**inner, **scaling})
top, at_top = opened(rope_theta=500000.0, rope_scaling=scaling)
within, _ = opened(rope_parameters=inner, rope_scaling={**scaling, "rope_theta": 500000.0})
assert [both, small, large, top, within] == [1e4, 1e4, 5e5, 5e5, 5e5], "this differs from what was seen"
print(f"both keys give the logits of a base of 10,000; those of 500,000 differ by up to {(others - logits).abs().max().item():.3f}")
assert logits.equal(same) and at_top.equal(others) and (others - logits).abs().max() > 1e-2, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" scaling.py
