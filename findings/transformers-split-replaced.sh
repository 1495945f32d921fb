#!/usr/bin/env bash
# Guess:  `AutoTokenizer.from_pretrained(folder)` gives the ids of the folder's tokenizer.json, as `Tokenizer.from_file` does.
# Seen:   transformers 5.24.0, tokenizers 0.23.2, 2026-11-28: where tokenizer_config.json names GPT2Tokenizer (as SmolLM2's does), vocabulary and merges are
#         taken and the file's pre-tokenizer is not: GPT-2's stands in its place. A file that splits digits apart gives 1, 2 for "12" and AutoTokenizer
#         the one token "12". With "PreTrainedTokenizerFast" as the class both agree. Nothing is logged.
# So:     reference ids of a folder come from `Tokenizer.from_file`.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check transformers==5.24.0 tokenizers==0.23.2
cat >split.py <<'PY'
import json
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoTokenizer
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
vocabulary = {piece: id for id, piece in enumerate([*letters, "12", "<|endoftext|>"])}
tokenizer = Tokenizer(models.BPE(vocabulary, [("1", "2")]))
tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
tokenizer.save("tokenizer.json")
def tokens(kind):
    ends = dict.fromkeys(["bos_token", "eos_token", "unk_token"], "<|endoftext|>")
    json.dump({"tokenizer_class": kind, **ends}, open("tokenizer_config.json", "w"))
    return AutoTokenizer.from_pretrained(".").tokenize("a12")
seen = {"Tokenizer.from_file": Tokenizer.from_file("tokenizer.json").encode("a12").tokens}
seen |= {f"AutoTokenizer, {kind}": tokens(kind) for kind in ("GPT2Tokenizer", "PreTrainedTokenizerFast")}
for name, found in seen.items():
    print(f"{name}: 'a12' -> {found}")
assert list(seen.values()) == [["a", "1", "2"], ["a", "12"], ["a", "1", "2"]], "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
HF_HUB_OFFLINE=1 env/bin/python split.py
