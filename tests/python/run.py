"""Runs programs one after the other and says what each left: a line of JSON for each.

    python run.py FILE…
"""

from programs import main, run


def report(path):
    left, printed = run(path)
    return {
        "path": path,
        "weights": left["A"].tolist(),
        "output": left["O"].tolist(),
        "queries": left["queries"],
        "keys": left["keys"],
        "printed": printed,
    }


main(report)
