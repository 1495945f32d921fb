"""Made the files beside it, once, with NumPy 2 and safetensors: what other programs write is what has to be read.

    python tests/formats/samples/make.py
"""

import io
import json
from pathlib import Path

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

HERE = Path(__file__).parent
HALVES = np.arange(6).reshape(2, 3) - 2.5
WHOLE = np.arange(6).reshape(2, 3)
DEEP = np.arange(24).reshape(2, 3, 4) / 4


def npy(name, array, version=None):
    with open(HERE / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


class Pipe(io.RawIOBase):
    """Can only be written forwards, as standard output; sizes then stand behind the data."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.bytes += bytes(data)
        return len(data)


for name in ["f2", "f4", "f8"]:
    npy(name, HALVES.astype(f"<{name}"))
    npy(f"{name}-big", HALVES.astype(f">{name}"))
for name in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
    npy(name, WHOLE.astype(name))
npy("i4-big", WHOLE.astype(">i4"))
npy("negative", (WHOLE - 3).astype("i2"))
npy("bool", WHOLE % 2 == 1)
npy("fortran", np.asfortranarray(HALVES.astype("f4")))
npy("fortran-deep", np.asfortranarray(DEEP.astype("f4")))
npy("deep", DEEP)
npy("version-2", HALVES.astype("f4"), (2, 0))
npy("version-3", HALVES.astype("f4"), (3, 0))
npy("number", np.float64(1.5))
npy("nothing", np.zeros((0, 3), "f4"))

npy("object", np.array([{}], dtype=object))
npy("structured", np.zeros(2, dtype=[("a", "f4"), ("b", "f4")]))
npy("complex", WHOLE.astype("c8"))
npy("text", np.array(["a", "b"]))
npy("long", HALVES.astype("longdouble"))
npy("date", np.array(["2020-01-01"], dtype="M8[D]"))
npy("nan", np.array([[1, 2], [np.nan, 4]], "f4"))
npy("beyond", np.array([1e300]))

np.savez(HERE / "stored.npz", q=HALVES.astype("f4"), k=WHOLE)
np.savez_compressed(HERE / "compressed.npz", q=HALVES.astype("f4"), zeros=np.zeros((64, 64), "f4"))
pipe = Pipe()
np.savez_compressed(pipe, q=HALVES.astype("f4"))
(HERE / "piped.npz").write_bytes(pipe.bytes)
np.savez(HERE / "climbing.npz", **{"../q": WHOLE})

save_file(
    {
        "half": HALVES.astype("f2"),
        "brain": HALVES.astype(ml_dtypes.bfloat16),
        "single": HALVES.astype("f4"),
        "double": HALVES,
        "whole": WHOLE.astype("i8"),
        "byte": WHOLE.astype("u1"),
        "bool": WHOLE % 2 == 1,
        "nothing": np.zeros((0, 3), "f4"),
        "number": np.array(1.5, "f4"),
    },
    HERE / "types.safetensors",
    metadata={"made by": "NumPy"},
)
save_file({"complex": WHOLE.astype("c8")}, HERE / "complex.safetensors")

np.savetxt(HERE / "spaces.csv", HALVES)
np.savetxt(HERE / "commas.csv", HALVES, delimiter=",", header="a comment")
(HERE / "nested.json").write_text(json.dumps(DEEP.tolist()))
(HERE / "named.json").write_text(json.dumps({"q": HALVES.tolist(), "k": WHOLE.tolist()}))
(HERE / "nan.json").write_text(json.dumps([[1.0, float("nan")]]))
