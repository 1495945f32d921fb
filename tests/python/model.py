"""Runs programs of models one after the other and says what each left: a line of JSON for each.

    python model.py FILE…
"""

from programs import main, run


def report(path):
    left, printed = run(path)
    return {
        "weights": [A[0].tolist() for A in left.get("weights", [])],
        "losses": left.get("losses", []),
        "loss": left["loss"].item(),
        "right": left["right"].item(),
        "printed": printed,
    }


main(report)
