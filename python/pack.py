"""Packs the element into attention_playground/element.tar.xz: the npm package's files in FOLDER, and what uses them without a server.

    python pack.py ../target/package

The same files give the same bytes. What opens a checkpoint from files is left out: Python opens those, and the wheel would be a third larger.
"""

import lzma
import sys
import tarfile
from io import BytesIO
from pathlib import Path

PACKED = Path(__file__).parent / "attention_playground" / "element.tar.xz"
LEFT_OUT = {"engine-checkpoints.wasm", "index.js", "define.js"}
# For code of WebAssembly, whose instructions have no alignment.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "lc": 4}]


def files(folder):
    """Modules and chunks, those that are alike beside each other."""
    found = [path for path in (folder / "files").iterdir() if path.suffix in {".js", ".wasm"} and path.name not in LEFT_OUT]
    found += (folder / "in-memory").iterdir()
    return sorted(found, key=lambda path: (path.suffix, path.name))


def pack(folder, to=PACKED):
    plain = BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in files(folder):
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.name)
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    to.write_bytes(lzma.compress(plain.getvalue(), filters=FILTERS))


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
