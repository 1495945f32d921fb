"""Arrays of any library as NumPy arrays of 32-bit floats; none of those libraries is imported."""

import numpy as np


def refuse(sentence):
    raise ValueError(sentence)


def shape_of(array):
    """`12 × 8 × 8`."""
    return " × ".join(str(length) for length in array.shape) or "no axes"


def to_numpy(name, value):
    """Numbers as a C-ordered array of 32-bit floats; refuses what holds none."""
    array = _array(name, value)
    if array.dtype.kind not in "fiub":
        # Types such as bfloat16 are no kind that NumPy knows, and know themselves how to become one.
        try:
            array = array.astype(np.float32)
        except (TypeError, ValueError):
            what = f"{type(value).__name__} is no array of" if array.dtype == object else f"holds {array.dtype}, not"
            refuse(f"{name}: {what} numbers")
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)


def _array(name, value):
    if isinstance(value, np.ndarray):
        return value
    # Tensors that are being learned, or on a device, have to be asked for plain numbers.
    for step in ("detach", "cpu"):
        if hasattr(value, step):
            value = getattr(value, step)()
    # What NumPy cannot take as it is, such as torch's bfloat16, may be turned into single precision first.
    for ask in (_from_dlpack, np.asarray, lambda own: _from_dlpack(own.float()), lambda own: np.asarray(own.float()), lambda own: own.numpy()):
        try:
            return ask(value)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
            continue
    return refuse(f"{name}: {type(value).__name__} is no array of numbers")


def _from_dlpack(value):
    if not hasattr(value, "__dlpack__"):
        raise TypeError("no DLPack")
    return np.from_dlpack(value)
