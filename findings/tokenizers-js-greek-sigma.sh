#!/usr/bin/env bash
# Guess:  Greek in capitals has the same tokens in BERT's tokenizer for Python and for JavaScript: both lower it by Unicode.
# Seen:   @huggingface/tokenizers 0.2.0 (npm), tokenizers 0.23.3 (Python), 2026-11-28: for ΟΔΟΣ Python gives οδοσ, since it lowers one character at a
#         time; JavaScript lowers the whole text and gives οδος, with the sigma that stands at the end of a word. A text in small letters is the same in both.
# So:     a heading in capitals has other ids, and so other numbers, by the place where it was tokenized.
# Needs:  Node 20 or newer, Python 3.11 or newer with venv.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"type": "module", "private": true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/tokenizers@0.2.0
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check tokenizers==0.23.3
cat >python.py <<'PY'
import json
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "οδοσ": 1, "οδος": 2}, unk_token="[UNK]"))
tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
tokenizer.save("tokenizer.json")
print(json.dumps([tokenizer.encode(text).ids for text in ("ΟΔΟΣ", "οδος")], separators=(",", ":")))
PY
cat >javascript.mjs <<'JS'
import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
const tokenizer = new Tokenizer(JSON.parse(readFileSync("tokenizer.json")), {});
console.log(JSON.stringify(["ΟΔΟΣ", "οδος"].map((text) => tokenizer.encode(text).ids)));
JS
python=$(env/bin/python python.py)
javascript=$(node javascript.mjs)
echo "οδοσ is 1, οδος is 2; ΟΔΟΣ and οδος are:"
echo "Python:     $python"
echo "JavaScript: $javascript"
[ "$python $javascript" = '[[1],[2]] [[2],[2]]' ] ||
  { echo "This differs from what was seen on 2026-11-28." >&2 && exit 1; }
echo "ok: as seen on 2026-11-28"
