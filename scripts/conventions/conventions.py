"""Measures the conventions of one function: which keys its causal flag and its window leave, what a row without a key becomes, what a mask of each
type means, and what is put in the place of a hidden score."""

import numpy as np
from case import Case, added

FLOAT32_MIN = float(np.finfo(np.float32).min)
LONG = 24
SHARE = 0.05
FLOATS = {"shows": "true-shows", "hides": "true-hides"}


def fields(function):
    """Name → value of all that is measured but version and output."""
    masks = {name: mask_meaning(function, kind) for name, kind in [("bool", np.bool_), ("float", np.float32), ("int", np.int32)]}
    found = {"alignment": alignment(function), **window_counts(function), "empty_row": empty_row(function, masks)}
    found |= {"polarity": polarity(masks), "float_mask": FLOATS.get(masks["float"], masks["float"]), "int_mask": masks["int"]}
    return found | hidden_score(function, masks)


def visible(row):
    return np.flatnonzero(row > 1e-6).tolist()


def equal(keys):
    return (0.0,) * keys


def alignment(function):
    """Where the diagonal of a causal mask is for two queries over five keys."""
    if not function.flag:
        return "mask-only"
    if function.equal_lengths:
        return "equal-lengths"
    plain = aligned(function.rows(Case(2, equal(5), causal=True)))
    if not function.cache:
        return plain
    cached = aligned(function.rows(Case(2, equal(5), causal=True, past=3)))
    names = {("start", "end"): "end-with-cache", ("start-last-row-open", "end"): "start-last-row-open"}
    return plain if plain == cached else names[plain, cached]


def aligned(rows):
    seen = tuple(map(len, map(visible, rows)))
    return {(1, 2): "start", (4, 5): "end", (1, 5): "start-last-row-open"}[seen]


def window_counts(function):
    """Keys that the last of many queries sees under a causal window of "2", and a middle one under a two-sided window; 0 = there is none."""
    counts = {}
    for kind, row in [("causal", LONG - 1), ("two-sided", LONG // 2)] if function.windows else []:
        case = Case(LONG, equal(LONG), causal=kind == "causal", window=2)
        counts["window_" + kind.replace("-", "_")] = len(visible(function.rows(case)[row])) if kind in function.windows else 0
    return counts


def mask_meaning(function, kind):
    """What a mask 1 0 0 of a type does to equal scores."""
    mask = np.array([[1, 0, 0]]).astype(kind)
    try:
        row = function.rows(Case(1, equal(3), mask=mask))[0]
    except Exception:
        return "refused"
    more = np.exp([1, 0, 0])
    meanings = {"shows": [1, 0, 0], "hides": [0, 0.5, 0.5], "added": more / more.sum(), "ignored": [1 / 3] * 3}
    return next(name for name, weights in meanings.items() if np.allclose(row, weights, atol=1e-4))


def polarity(masks):
    return {"shows": "true-shows", "hides": "true-hides", "refused": "added"}[masks["bool"]]


def in_type(shows, masks):
    """A boolean mask, True = visible, as the function takes masks."""
    if masks["bool"] != "refused":
        return shows if masks["bool"] == "shows" else ~shows
    return shows.astype(np.int32) if masks["int"] == "shows" else added(shows)


def empty_row(function, masks):
    """The first row of a causal mask over three keys of which the first is padding, at scores 0, 1 and 2."""
    shows = np.tril(np.ones((3, 3), bool)) & np.array([False, True, True])
    row = function.rows(Case(3, (0.0, 1.0, 2.0), mask=in_type(shows, masks)))[0]
    scores = np.exp([0, 1, 2])
    kinds = {"zero": [0] * 3, "mean": [1 / 3] * 3, "nan": [np.nan] * 3, "unmasked": scores / scores.sum(), "mean-with-padding": [-1 / 3] * 3}
    return next(name for name, weights in kinds.items() if np.allclose(row, weights, atol=1e-3, equal_nan=True))


def hidden_score(function, masks):
    """The number of a hidden cell, and whether it is added to the score or written over it; nothing where it cannot be seen from outside."""
    if not function.scored:
        return {}
    value, how = function.hidden() if function.hidden else probed(function, masks)
    return {"hidden_score": "-inf"} if how is None else {"hidden_score": named(value), "hidden_by": how}


def probed(function, masks):
    """With four keys √width is 2, which divides the largest score without rounding, but a product before that division overflows from half of
    the largest number on. Where that is what was found, √2 leaves more room."""
    value, how = probed_among(4, function, masks)
    return probed_among(2, function, masks) if how and abs(value / (FLOAT32_MIN / 2) - 1) < 1e-3 else (value, how)


def probed_among(keys, function, masks):
    """Visible keys with the score −s beside a hidden one with s, then with −s: the hidden one gets weight from s = |value| / 2 on where the value
    is added, and from |value| on, both times, where it is written over the score."""
    mask = in_type(np.array([[True] * (keys - 1) + [False]]), masks)

    def weight(s, hidden):
        return function.rows(Case(1, (-s,) * (keys - 1) + (hidden * s,), mask=mask))[0, -1]

    high, low = (threshold(lambda s: weight(s, sign)) for sign in (1, -1))
    if high is None and low is None:
        return None, None
    return (-high, "written") if low and abs(high / low - 1) < 1e-3 else (-2 * high, "added")


def threshold(weight):
    """The least s at which a hidden key gets a share of the weight, None if it never does. NaN is an overflow, above any threshold."""
    least, most = 1.0, -FLOAT32_MIN
    for _ in range(40):
        middle = float(np.sqrt(least) * np.sqrt(most))
        least, most = (middle, most) if weight(middle) < SHARE else (least, middle)
    return most if weight(most) >= SHARE else None


def named(value):
    if abs(value / FLOAT32_MIN - 1) < 1e-3:
        return "finfo.min"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"
