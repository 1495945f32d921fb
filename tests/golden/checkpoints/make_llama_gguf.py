"""Writes llama.gguf: the folder `llama` with its tokenizer as one file.

Rows of q and k are put in the order that the architecture `llama` has there: rotary pairs are neighbours.
Run with gguf 0.19.0 and numpy: python make_llama_gguf.py TOKENIZER_JSON
"""

import json
import sys
from pathlib import Path

import gguf
import numpy as np

HERE = Path(__file__).parent
FOLDER = HERE / "llama"
config = json.loads((FOLDER / "config.json").read_text())
vocabulary = json.loads(Path(sys.argv[1]).read_text())


def tensors():
    data = (FOLDER / "model.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = (8 + length + place for place in entry["data_offsets"])
            yield name, np.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"])


def neighbours(rows, heads):
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
ORDER = {"q_proj": heads, "k_proj": kv_heads}
names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config["num_hidden_layers"])
file = gguf.GGUFWriter(HERE / "llama.gguf", "llama")
file.add_block_count(config["num_hidden_layers"])
file.add_context_length(config["max_position_embeddings"])
file.add_embedding_length(config["hidden_size"])
file.add_feed_forward_length(config["intermediate_size"])
file.add_head_count(heads)
file.add_head_count_kv(kv_heads)
file.add_key_length(config["head_dim"])
file.add_value_length(config["head_dim"])
file.add_rope_dimension_count(config["head_dim"])
file.add_layer_norm_rms_eps(config["rms_norm_eps"])
file.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
file.add_vocab_size(config["vocab_size"])

ids = {**vocabulary["model"]["vocab"], **{token["content"]: token["id"] for token in vocabulary["added_tokens"]}}
tokens = sorted(ids, key=ids.get)
special = {token["content"] for token in vocabulary["added_tokens"] if token["special"]}
file.add_tokenizer_model("gpt2")
file.add_tokenizer_pre("llama-bpe")
file.add_token_list(tokens)
file.add_token_types([gguf.TokenType.CONTROL if token in special else gguf.TokenType.NORMAL for token in tokens])
merges = vocabulary["model"]["merges"]
file.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
file.add_bos_token_id(0)
for name, tensor in tensors():
    order = next((own for part, own in ORDER.items() if part in name), None)
    file.add_tensor(names.get_name(name, (".weight", ".bias")), neighbours(tensor, order) if order else tensor)
file.write_header_to_file()
file.write_kv_data_to_file()
file.write_tensors_to_file()
file.close()
