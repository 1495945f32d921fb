#!/usr/bin/env bash
# Guess:  llama.cpp's tokenizer for BERT gives BERT's ids; it decomposes text and drops accents as BERT does.
# Seen:   node-llama-cpp 3.22.1 (llama.cpp prebuilt), tokenizers 0.23.3, 2026-11-28: a syllable of Hangul becomes its first consonant, for its decomposition is
#         a table with one character each: 한, 하 and 호 are one and the same token. BERT's normalizer keeps all parts. The same syllable that comes
#         decomposed already is kept whole, so that one text in two normal forms has two sets of ids. Accents of Latin letters agree.
# So:     embeddings of Korean text from a GGUF file of BERT's family are those of its consonants; ids of reference come from BERT's own normalizer.
# Needs:  Node 20 or newer on Linux x64, Python 3.11 or newer with venv; 200 MB.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"type": "module", "private": true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1
python3 -m venv env && env/bin/pip install --quiet --disable-pip-version-check gguf==0.19.0 numpy==2.4.6 tokenizers==0.23.3
cat >make.py <<'PY'
import gguf, json, unicodedata
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
apart = lambda text: unicodedata.normalize("NFD", text)
specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
words = ["\u1112", *map(apart, ["한", "하", "호"]), "cafe"]
writer = gguf.GGUFWriter("bert.gguf", "bert")
writer.add_block_count(1), writer.add_context_length(64), writer.add_embedding_length(16), writer.add_feed_forward_length(16)
writer.add_head_count(1), writer.add_layer_norm_eps(1e-12), writer.add_token_type_count(2)
writer.add_tokenizer_model("bert"), writer.add_tokenizer_pre("default")
writer.add_token_list(specials + ["▁" + word for word in words]), writer.add_token_types([3] * len(specials) + [1] * len(words))
writer.add_bos_token_id(2), writer.add_sep_token_id(3), writer.add_pad_token_id(0), writer.add_unk_token_id(1), writer.add_mask_token_id(4)
writer.write_header_to_file(), writer.write_kv_data_to_file(), writer.write_tensors_to_file(), writer.close()
bert = Tokenizer(models.WordPiece({word: id for id, word in enumerate(specials + words)}, unk_token="[UNK]"))
bert.normalizer, bert.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
texts = ["한", "하", "호", apart("한"), "café"]
json.dump(texts, open("texts.json", "w"))
print(json.dumps([bert.encode(text).ids for text in texts], separators=(",", ":")))
PY
cat >ids.mjs <<'JS'
import { readFileSync } from "node:fs";
import { getLlama } from "node-llama-cpp";
const llama = await getLlama({ gpu: false, build: "never", logLevel: "disabled" });
const model = await llama.loadModel({ modelPath: "bert.gguf", vocabOnly: true });
console.log(JSON.stringify(JSON.parse(readFileSync("texts.json")).map((text) => model.tokenize(text, false))));
await llama.dispose();
JS
hugging_face=$(env/bin/python make.py)
llama_cpp=$(node ids.mjs)
echo "한, 하, 호, 한 decomposed, café"
echo "BERT's normalizer: $hugging_face"
echo "llama.cpp:         $llama_cpp"
[ "$hugging_face $llama_cpp" = "[[6],[7],[8],[6],[9]] [[5],[5],[5],[6],[9]]" ] || { echo "This differs from what was seen on 2026-11-28." >&2 && exit 1; }
echo "ok: as seen on 2026-11-28"
