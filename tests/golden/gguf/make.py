"""Made the files beside it with the reference library: gguf 0.19.0, NumPy 2.4.

    python tests/golden/gguf/make.py
"""

import csv
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter
from gguf.quants import dequantize, quantize

HERE = Path(__file__).parent
RANDOM = np.random.default_rng(44)

# Where the 16-bit scales of a block are.
SCALES = {
    "Q8_0": [0],
    "Q4_0": [0],
    "Q4_1": [0, 2],
    "Q5_0": [0],
    "Q5_1": [0, 2],
    "IQ4_NL": [0],
    "Q2_K": [80, 82],
    "Q3_K": [108],
    "Q4_K": [0, 2],
    "Q5_K": [0, 2],
    "Q6_K": [208],
}
RANDOM_BLOCKS = {32: 9, 256: 3}

# Zeros, the smallest and the largest subnormal, the smallest normal, the largest, infinities, NaN.
EDGES = [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00]


def random_blocks(kind, count):
    length, size = GGML_QUANT_SIZES[kind]
    blocks = RANDOM.integers(0, 256, (count, size), dtype=np.uint8)
    for at in SCALES.get(kind.name, []):
        scales = blocks[:, at : at + 2].copy().view(np.uint16)
        scales[(scales & 0x7C00) == 0x7C00] ^= 0x4000
        blocks[:, at : at + 2] = scales.view(np.uint8)
    return blocks


def edge_blocks(kind):
    size = GGML_QUANT_SIZES[kind][1]
    blocks = []
    for which, edge in enumerate(EDGES):
        block = random_blocks(kind, 1)[0]
        if which in (3, 5, 6):
            block[:] = 0xFF if which == 5 else 0
        for at in SCALES[kind.name]:
            block[at : at + 2] = [edge & 0xFF, edge >> 8]
        blocks.append(block)
    return np.array(blocks + [np.zeros(size, np.uint8)])


def numbers(kind):
    """Single numbers: any bits, then zeros, subnormal, largest, infinite and NaN ones."""
    size = GGML_QUANT_SIZES[kind][1]
    edges = np.array(EDGES, np.uint16)
    if kind.name != "F16":
        edges = np.array([0, 0x8000, 1, 0x8001, 0x7F, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0], np.uint16)
    if size == 4:
        edges = edges.astype(np.uint32) << 16
    return np.concatenate([random_blocks(kind, 20), edges.view(np.uint8).reshape(-1, size)])


def blocks():
    """Blocks of a type, then their numbers as 32-bit floats."""
    names = ["F32", "F16", "BF16", *SCALES]
    for name in names:
        kind = GGMLQuantizationType[name]
        length = GGML_QUANT_SIZES[kind][0]
        made = numbers(kind) if length == 1 else np.concatenate(
            [random_blocks(kind, RANDOM_BLOCKS[length]), edge_blocks(kind)]
        )
        with np.errstate(all="ignore"):
            wide = dequantize(made, kind)
        assert wide.size == len(made) * length
        (HERE / "blocks" / f"{name}.bin").write_bytes(made.tobytes() + wide.astype("<f4").tobytes())


def types():
    """Every type of the library: its number, its name, numbers and bytes of a block."""
    with open(HERE / "types.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        for kind in GGMLQuantizationType:
            rows.writerow([kind.value, kind.name, *GGML_QUANT_SIZES[kind]])


def every_type_of_values(writer):
    """Metadata: the ends of each type's range, and an array of each."""
    for bits in (8, 16, 32, 64):
        getattr(writer, f"add_uint{bits}")(f"uint{bits}", 2**bits - 1)
        getattr(writer, f"add_int{bits}")(f"int{bits}", -(2 ** (bits - 1)))
        for sign, least, most in [("uint", 0, 2**bits - 1), ("int", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)]:
            kind = GGUFValueType[f"{sign}{bits}".upper()]
            writer.add_key_value(f"{sign}{bits}s", [least, 7, most], GGUFValueType.ARRAY, kind)
    writer.add_float32("float32", 0.1)
    writer.add_float64("float64", 0.1)
    writer.add_array("float32s", [0.1, -0.0, float("inf")])
    writer.add_key_value("float64s", [0.1], GGUFValueType.ARRAY, GGUFValueType.FLOAT64)
    writer.add_bool("true", True)
    writer.add_bool("false", False)
    writer.add_array("bools", [True, False, True])
    writer.add_string("text", "caf\u00e9 \U00020000")
    # A token that is a byte order mark, one that begins with it, an empty one, one with a zero.
    writer.add_array("texts", ["\ufeff", "\ufeffa", "", "a\0b", "\u2581the"])
    # The library writes bytes as they come; these are no UTF-8.
    writer.add_string("broken", b"\xff\xfe")
    writer.add_array("brokens", ["whole", b"\xc3", b"\x80"])


def tensors(writer):
    """Tensors of several types; of one axis, of four, and a single number."""
    ramp = lambda *shape: (np.arange(np.prod(shape, dtype=int)).reshape(shape) / 4 - 1).astype(np.float32)
    writer.add_tensor("single", ramp(3, 5))
    writer.add_tensor("half", ramp(7).astype(np.float16))
    for name, shape in [("BF16", (2, 3)), ("Q8_0", (2, 64)), ("Q4_1", (1, 3, 2, 32))]:
        kind = GGMLQuantizationType[name]
        writer.add_tensor(name.lower(), quantize(ramp(*shape), kind), raw_dtype=kind)
    kind = GGMLQuantizationType.Q4_K
    writer.add_tensor("q4_k", random_blocks(kind, 2).reshape(2, -1), raw_dtype=kind)
    writer.add_tensor("ids", np.arange(5, dtype=np.int64))
    writer.add_tensor("number", np.float32(2.5).reshape(()))


def file():
    """A file of every type of values and several types of tensors, and its numbers as one list."""
    path = HERE / "tiny.gguf"
    writer = GGUFWriter(path, "llama")
    writer.add_custom_alignment(64)
    every_type_of_values(writer)
    tensors(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    read = GGUFReader(path).tensors
    wide = [dequantize(tensor.data, tensor.tensor_type).ravel() for tensor in read if tensor.name != "ids"]
    (HERE / "tiny.bin").write_bytes(np.concatenate(wide).astype("<f4").tobytes())


blocks()
types()
file()
