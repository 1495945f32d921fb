"""Writes what libraries print of arrays; each file names its library. Run with NumPy 2.4.6, PyTorch 2.15.0, TensorFlow 2.21.0 and pandas
3.1.1; `prints.R` with R 4.2.2."""

import pathlib

import numpy as np
import pandas as pd
import tensorflow as tf
import torch

FOLDER = pathlib.Path(__file__).parent
rows = (np.arange(48) % 7 + np.arange(48) / 64).reshape(2, 24).astype(np.float32)
deep = (np.arange(24) / 4).reshape(2, 3, 4).astype(np.float32)


def put(name, text):
    (FOLDER / f"{name}.txt").write_text(f"{text}\n")


put("numpy-wrapped", rows)
put("numpy-wrapped-repr", repr(rows))
put("numpy-deep", deep)
put("torch-wrapped", torch.tensor(rows))
put("torch-deep", torch.tensor(deep, requires_grad=True).clone())
put("tensorflow-deep", tf.constant(deep))
put("tensorflow-deep-repr", repr(tf.constant(deep)))
frame = pd.DataFrame(rows[:, :12], index=["the cat", "sat"])
put("pandas-wrapped", frame.to_string(line_width=60))
put("numpy-cut", np.zeros((60, 60), np.float32))
put("torch-cut", torch.zeros(60, 60))
put("pandas-cut", pd.DataFrame(np.zeros((70, 3))))
