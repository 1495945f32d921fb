"""Reads files of tensors with other programs' readers and says what is in each: a line of JSON for each file.

    python read.py FILE…
"""

import ast
import csv
import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file


def table(path):
    """Labels stand in quotes and numbers do not."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    shape = [ast.literal_eval(line.removeprefix("# shape: ")) for line in lines if line.startswith("# shape: ")]
    rows = csv.reader((line for line in lines if not line.startswith("#")), quoting=csv.QUOTE_NONNUMERIC)
    numbers = [[cell for cell in row if isinstance(cell, float)] for row in rows]
    array = np.array([row for row in numbers if row], dtype="f4")
    return array.reshape(shape[0]) if shape else array


def read(path):
    if path.suffix == ".csv":
        return {path.stem: table(path)}
    if path.suffix == ".json":
        tensors = json.loads(path.read_text(encoding="utf-8"))
        return {name: np.array(t["data"], dtype="f4").reshape(t["shape"]) for name, t in tensors.items()}
    if path.suffix == ".npy":
        return {path.stem: np.load(path, allow_pickle=False)}
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            return dict(archive)
    return load_file(path)


for path in map(Path, sys.argv[1:]):
    tensors = read(path)
    said = [{"name": name, "shape": a.shape, "dtype": str(a.dtype), "bits": a.astype("f4").tobytes().hex()} for name, a in tensors.items()]
    print(json.dumps(sorted(said, key=lambda one: one["name"])), flush=True)
