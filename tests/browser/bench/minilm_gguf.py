"""MiniLM's folder as a GGUF file in 32 bits, for a peer that reads no other: the same numbers under the names of llama.cpp.
usage: minilm_gguf.py FOLDER FILE"""
import json
import pathlib
import sys

import gguf
import numpy as np
from safetensors.numpy import load_file

folder, file = pathlib.Path(sys.argv[1]), sys.argv[2]
config, words = (json.loads((folder / name).read_text()) for name in ("config.json", "tokenizer.json"))
CONTROL = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def spelled(word):
    """llama.cpp marks where a word begins, BERT where one goes on."""
    if word in CONTROL:
        return word
    return word[2:] if word.startswith("##") else "\u2581" + word


def names():
    for own, other in ("word_embeddings", "token_embd"), ("position_embeddings", "position_embd"), ("token_type_embeddings", "token_types"):
        yield f"embeddings.{own}.weight", f"{other}.weight"
    for part in "weight", "bias":
        yield f"embeddings.LayerNorm.{part}", f"token_embd_norm.{part}"
        for layer in range(config["num_hidden_layers"]):
            for own, other in LAYER.items():
                yield f"encoder.layer.{layer}.{own}.{part}", f"blk.{layer}.{other}.{part}"


ids = words["model"]["vocab"]
vocabulary = sorted(ids, key=ids.get)
writer = gguf.GGUFWriter(file, "bert")
writer.add_context_length(config["max_position_embeddings"])
writer.add_embedding_length(config["hidden_size"])
writer.add_feed_forward_length(config["intermediate_size"])
writer.add_block_count(config["num_hidden_layers"])
writer.add_head_count(config["num_attention_heads"])
writer.add_layer_norm_eps(config["layer_norm_eps"])
writer.add_causal_attention(False)
writer.add_pooling_type(gguf.PoolingType.MEAN)
writer.add_tokenizer_model("bert")
writer.add_token_list([spelled(word).encode() for word in vocabulary])
writer.add_token_types([gguf.TokenType.CONTROL if word in CONTROL else gguf.TokenType.NORMAL for word in vocabulary])
writer.add_token_type_count(config["type_vocab_size"])
for name, word in {"bos": "[CLS]", "eos": "[SEP]", "sep": "[SEP]", "unk": "[UNK]", "pad": "[PAD]", "mask": "[MASK]"}.items():
    getattr(writer, f"add_{name}_token_id")(ids[word])
tensors = load_file(folder / "model.safetensors")
for own, other in names():
    writer.add_tensor(other, np.ascontiguousarray(tensors[own].astype(np.float32)))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
