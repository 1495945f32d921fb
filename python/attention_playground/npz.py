"""Arrays as a file that the page reads, in memory."""

from io import BytesIO

import numpy as np


def write(arrays):
    """Bytes of an NPZ archive of arrays, and of lists of texts."""
    file = BytesIO()
    np.savez(file, **{name: np.asarray(value) for name, value in arrays.items()})
    return file.getvalue()
