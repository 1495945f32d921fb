#!/usr/bin/env bash
# Guess:  the JavaScript package that reads a tokenizer.json obeys its added tokens' `single_word`, as the Rust one does.
# Seen:   @huggingface/tokenizers 0.2.0 (npm), tokenizers 0.23.3 (Python), 2026-11-28: for an added token "Foo" with `single_word` both give
#         "Foo" its id; in "Foobar" Python reads six letters, JavaScript cuts the token out of the word: Foo, b, a, r.
# So:     ids that were made in a browser by this package are no reference for a file with such tokens.
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
from tokenizers import AddedToken, Tokenizer, models
tokenizer = Tokenizer(models.BPE({letter: id for id, letter in enumerate("Foabr ")}, []))
tokenizer.add_tokens([AddedToken("Foo", single_word=True)])
tokenizer.save("tokenizer.json")
print(json.dumps([tokenizer.encode(text).tokens for text in ("Foobar", "a Foo")], separators=(",", ":")))
PY
cat >javascript.mjs <<'JS'
import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
const tokenizer = new Tokenizer(JSON.parse(readFileSync("tokenizer.json")), {});
console.log(JSON.stringify(["Foobar", "a Foo"].map((text) => tokenizer.encode(text).tokens)));
JS
python=$(env/bin/python python.py)
javascript=$(node javascript.mjs)
echo "Python:     $python"
echo "JavaScript: $javascript"
wanted='[["F","o","o","b","a","r"],["a"," ","Foo"]] [["Foo","b","a","r"],["a"," ","Foo"]]'
[ "$python $javascript" = "$wanted" ] || { echo "This differs from what was seen on 2026-11-28." >&2 && exit 1; }
echo "ok: as seen on 2026-11-28"
