#!/usr/bin/env bash
# Guess:  with truncation on, `overflowing` has the rest of a long text in windows, as it had in every version before.
# Seen:   tokenizers 0.23.2, 2026-11-28: for one text it is empty, with a stride or without, from the left or the right; for a pair it has only some of
#         the windows. Encoding ends as soon as there are enough tokens for the first window. 0.22.2 and 0.23.3 give all of them.
# So:     with this version a long text is cut by the caller, by offsets; "no overflow" does not mean that the text was short.
# Needs:  Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >windows.py <<'PY'
import json
from tokenizers import Tokenizer, models, pre_tokenizers
words = "zero one two three four five six seven eight nine".split()
tokenizer = Tokenizer(models.WordLevel({word: id for id, word in enumerate([*words, "[UNK]"])}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer.enable_truncation(max_length=4, stride=1)
encoding = tokenizer.encode(" ".join(words))
print(json.dumps([encoding.ids, *[window.ids for window in encoding.overflowing]]))
PY
every='[[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9]]'
declare -A wanted=([0.22.2]=$every [0.23.2]='[[0, 1, 2, 3]]' [0.23.3]=$every)
for version in 0.22.2 0.23.2 0.23.3; do
  python3 -m venv "$version" && "$version/bin/pip" install --quiet --disable-pip-version-check "tokenizers==$version"
  seen=$("$version/bin/python" windows.py)
  echo "tokenizers $version, ten words, windows of 4 that share 1: $seen"
  [ "$seen" = "${wanted[$version]}" ] || { echo "This differs from what was seen on 2026-11-28." >&2 && exit 1; }
done
echo "ok: as seen on 2026-11-28"
