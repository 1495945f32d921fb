#!/usr/bin/env bash
# Guess:  `add_tokens` gives a new token an id that no other token has.
# Seen:   tokenizers 0.23.3, 2026-11-28 (0.22.2 and 0.23.2 alike): the new id is the number of tokens, not one more than the largest id. In a
#         vocabulary with a hole (ids 0, 1, 3) the added token gets 3, which is another token's; both are encoded as 3, and 3 is decoded
#         as the added one. `get_vocab` has 3 twice. Nothing is said.
# So:     vocabularies whose ids are not 0 … n − 1 (cut down, or with places kept free) get new tokens by hand, or none.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check tokenizers==0.23.3
cat >taken.py <<'PY'
from tokenizers import Tokenizer, models, pre_tokenizers
tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "cat": 1, "mat": 3}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
added = tokenizer.add_tokens(["dog"])
ids = tokenizer.encode("cat mat dog").ids
text = tokenizer.decode(ids)
print(f"{added} token was added; 'cat mat dog' -> {ids} -> {text!r}; {sorted(tokenizer.get_vocab().items())}")
assert (added, ids, text) == (1, [1, 3, 3], "cat dog dog"), "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python taken.py
