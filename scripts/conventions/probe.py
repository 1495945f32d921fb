"""`probe.py PACKAGE ID < PROGRAM`, in a Python that has the package: prints version, measured fields and the program's output as JSON.
libraries/PACKAGE.py says under FUNCTIONS how the function of a row is called."""

import contextlib
import importlib
import io
import json
import os
import sys
import warnings
from importlib.metadata import version

os.environ |= {"KERAS_BACKEND": "jax", "HF_HUB_OFFLINE": "1", "JAX_PLATFORMS": "cpu"}
# tinygrad compiles for the CPU with clang, which may be missing, and interprets in Python without it.
os.environ.setdefault("DEV", "PYTHON")


def output_of(program):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return "\n".join(line.rstrip() for line in printed.getvalue().strip("\n").split("\n"))


def main():
    warnings.filterwarnings("ignore")
    package, row = sys.argv[1:]
    program = sys.stdin.read()
    import conventions

    function = importlib.import_module("libraries." + package.replace("-", "_")).FUNCTIONS[row]
    with contextlib.redirect_stdout(sys.stderr):
        measured = conventions.fields(function)
    print(json.dumps({"version": version(package), **measured, "output": output_of(program)}))


main()
