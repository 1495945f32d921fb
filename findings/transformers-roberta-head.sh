#!/usr/bin/env bash
# Guess:  the head for masked words has the activation that config.json names, in every encoder that has such a head.
# Seen:   transformers 5.24.0, torch 2.15.0, 2026-11-28, `hidden_act: "relu"`: BERT's and DistilBERT's heads have ReLU, RoBERTa's and XLM-RoBERTa's have
#         GELU all the same: no setting changes it.
# So:     a reader that takes the head's activation from the settings gives other words for RoBERTa, and says nothing of it.
# Needs:  Python 3.11 or newer with venv; PyTorch's 4 GB, or FINDINGS_PYTHON (see README.md).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib/torch.sh
. "$(dirname "$0")/lib/torch.sh"
cat >head.py <<'PY'
import torch, transformers as tf
from torch.nn.functional import gelu, relu
torch.manual_seed(0), torch.set_grad_enabled(False)
sizes = dict(vocab_size=31, hidden_size=32, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2, hidden_act="relu", initializer_range=0.5)
bert, distilbert = tf.BertForMaskedLM(tf.BertConfig(**sizes)).eval(), tf.DistilBertForMaskedLM(
    tf.DistilBertConfig(vocab_size=31, dim=32, hidden_dim=24, n_layers=1, n_heads=2, activation="relu", initializer_range=0.5)).eval()
roberta, xlm = tf.RobertaForMaskedLM(tf.RobertaConfig(**sizes)).eval(), tf.XLMRobertaForMaskedLM(tf.XLMRobertaConfig(**sizes)).eval()
def parts(model):
    if model is bert:
        own = bert.cls.predictions
        return own.transform.dense, own.transform.LayerNorm, own.decoder
    if model is distilbert:
        return distilbert.vocab_transform, distilbert.vocab_layer_norm, distilbert.vocab_projector
    return model.lm_head.dense, model.lm_head.layer_norm, model.lm_head.decoder
ids = torch.tensor([[3, 17, 8, 28, 3, 11, 25, 9]])
found = {}
for name, model in {"BERT": bert, "DistilBERT": distilbert, "RoBERTa": roberta, "XLM-RoBERTa": xlm}.items():
    out, (dense, norm, decoder) = model(ids, output_hidden_states=True), parts(model)
    rows = out.hidden_states[-1]
    differences = {how.__name__: (decoder(norm(how(dense(rows)))) - out.logits).abs().max().item() for how in (relu, gelu)}
    found[name] = min(differences, key=differences.get)
    print(f"{name}: logits differ by " + ", ".join(f"{value:.6f} from a head with {how}" for how, value in differences.items()))
    assert min(differences.values()) < 1e-5 and max(differences.values()) > 1e-3, "one of the two is not told from the other"
assert found == {"BERT": "relu", "DistilBERT": "relu", "RoBERTa": "gelu", "XLM-RoBERTa": "gelu"}, "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
"$python" head.py
