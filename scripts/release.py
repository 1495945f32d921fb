"""Packs dist/ into release/ as .tar.gz and .zip, beside the npm tarball and the wheel, with their check sums: VERSION SECONDS [PACKAGE…].

The same files give the same bytes on every machine: names in order, no owner, and one time for all, SECONDS since 1970, which is that of the
commit. A time that is too old would do harm: where a host says nothing of caching, browsers keep a file the longer the older it is.
"""

import gzip
import hashlib
import shutil
import sys
import tarfile
import time
import zipfile
from io import BytesIO
from pathlib import Path

FOLDER = Path("release")
LICENCES = [Path("LICENSE-MIT"), Path("LICENSE-APACHE")]


def files_of(site, top):
    """Every file below `site` and the licences: its name under a folder called `top`, and its bytes."""
    named = {f"{top}/{path.relative_to(site).as_posix()}": path for path in site.rglob("*") if path.is_file()}
    named |= {f"{top}/{path.name}": path for path in LICENCES}
    return [(name, named[name].read_bytes()) for name in sorted(named)]


def tar_gz(to, files, seconds):
    with to.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), seconds
            archive.addfile(entry, BytesIO(content))


def zip_up(to, files, seconds):
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            # A plain file that everybody may read, of no system in particular.
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def main(version, seconds, *packages):
    name = f"attention-playground-{version}"
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    files = files_of(Path("dist"), name)
    made = [FOLDER / f"{name}.tar.gz", FOLDER / f"{name}.zip"]
    for path, pack in zip(made, [tar_gz, zip_up]):
        pack(path, files, int(seconds))
    made += [Path(shutil.copy(package, FOLDER)) for package in packages]
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (FOLDER / "SHA256SUMS").write_text("".join(sums))
    print(*made, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
