"""Runs programs of models one after the other and says what each left: a line of JSON for each.

    python model.py FILE…

A program runs in the folder of its file, as it would by hand, with warnings as errors.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import warnings


def run(path):
    printed = io.StringIO()
    os.chdir(os.path.dirname(os.path.abspath(path)))
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("error")
        left = runpy.run_path(path)
    return {
        "weights": [A[0].tolist() for A in left.get("weights", [])],
        "losses": left.get("losses", []),
        "loss": left["loss"].item(),
        "right": left["right"].item(),
        "printed": printed.getvalue(),
    }


for path in sys.argv[1:]:
    try:
        said = json.dumps(run(path), allow_nan=False)
    except BaseException as error:
        said = json.dumps({"path": path, "error": f"{type(error).__name__}: {error}"})
    print(said, flush=True)
