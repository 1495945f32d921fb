"""The element's files, as they are sent to a page, or stand in one."""

import gzip
import tarfile
from functools import lru_cache
from importlib import resources

# The page as one file, without the modules.
ONE_FILE = "one_file.html"


@lru_cache(maxsize=1)
def _unpacked():
    packed = resources.files(__package__) / "element.tar.xz"
    if not packed.is_file():
        raise FileNotFoundError("attention_playground holds no element: install it from a wheel, or run python/pack.py on a build.")
    with packed.open("rb") as file, tarfile.open(fileobj=file, mode="r:xz") as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}


@lru_cache(maxsize=2)
def files(level=4):
    """Name of each module, and its bytes as gzip, which browsers unpack."""
    return {name: gzip.compress(content, level, mtime=0) for name, content in _unpacked().items() if name != ONE_FILE}


def one_file():
    """The page as one file, without the modules."""
    return _unpacked()[ONE_FILE].decode()
