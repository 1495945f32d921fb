#!/usr/bin/env bash
# Guess:  adding a token that the vocabulary has already changes nothing: there is nothing to add.
# Seen:   tokenizers 0.23.3, 2026-11-28: `add_tokens(["he"])` says 1, the size of the vocabulary and the id stay, and from then on "he" is cut out of
#         every text before the model sees it, within words too: "the" was one token and is now "t", "he"; "then" becomes "t", "he", "[UNK]".
#         With `single_word` words stay whole.
# So:     marking known words as tokens (delimiters, probes) changes the ids of other words, and the model sees what it was never trained on.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check tokenizers==0.23.3
cat >known.py <<'PY'
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
def tokens(*added):
    vocabulary = {word: id for id, word in enumerate(["[UNK]", "the", "then", "he", "t"])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    count = tokenizer.add_tokens(list(added))
    return count, tokenizer.get_vocab_size(), tokenizer.encode("he the then").tokens
seen = [tokens(), tokens("he"), tokens(AddedToken("he", single_word=True))]
for what, (count, size, found) in zip(["as it is", '"he" added', "added as a single word"], seen):
    print(f"{what}: {count} added, vocabulary of {size}, 'he the then' -> {found}")
whole, cut = ["he", "the", "then"], ["he", "t", "he", "t", "he", "[UNK]"]
assert seen == [(0, 5, whole), (1, 5, cut), (1, 5, whole)], "this differs from what was seen"
print("ok: as seen on 2026-11-28")
PY
env/bin/python known.py
