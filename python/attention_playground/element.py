"""The element's files, as they are sent to a page."""

import gzip
import tarfile
from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def files():
    """Name of each file, and its bytes as gzip, which browsers unpack."""
    packed = resources.files(__package__) / "element.tar.xz"
    if not packed.is_file():
        raise FileNotFoundError("attention_playground holds no element: install it from a wheel, or run python/pack.py on a build.")
    with packed.open("rb") as file, tarfile.open(fileobj=file, mode="r:xz") as archive:
        members = [(entry.name, archive.extractfile(entry).read()) for entry in archive]
    return {name: gzip.compress(content, compresslevel=4, mtime=0) for name, content in members}
