"""Runs programs one after the other and says what each left: a line of JSON for each.

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
    """What a program left, and what it printed."""
    printed = io.StringIO()
    os.chdir(os.path.dirname(os.path.abspath(path)))
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("error")
        left = runpy.run_path(path)
    return left, printed.getvalue()


def main(report):
    """Prints what `report` says of each file of the command line."""
    for path in sys.argv[1:]:
        try:
            said = json.dumps(report(path), allow_nan=False)
        except BaseException as error:
            said = json.dumps({"path": path, "error": f"{type(error).__name__}: {error}"})
        print(said, flush=True)
