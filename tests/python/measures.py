"""Runs a program that the page wrote and measures the weights it leaves, by definitions written out once more: a line of JSON.

    python measures.py FILE…

Nothing here is the page's own: weights, mask and outputs are the program's, in 64 bit.
"""

import contextlib
import io
import json
import math
import runpy
import sys

import numpy as np


def mean(values):
    values = [float(value) for value in values]
    return math.fsum(values) / len(values) if values else None


def entropy(row):
    return -math.fsum(w * math.log(w) for w in row if w > 0)


def similarity(one, other):
    """1 − JSD / ln 2, the divergence of two rows taken as shares."""
    if one.sum() == 0 or other.sum() == 0:
        return None
    p, q = one / one.sum(), other / other.sum()
    m = (p + q) / 2
    divergence = (entropy(m) - (entropy(p) + entropy(q)) / 2)
    return 1 - divergence / math.log(2)


def reachable(left, shape, is_written):
    """Which keys each query's weight can go to."""
    visible = np.broadcast_to(left.get("M", True), shape)
    return visible | (is_written & ~visible.any(-1, keepdims=True))


def sink(A, visible):
    """The largest mean weight of a key, over the rows that see it and another."""
    rows = [i for i in range(len(A)) if A[i].sum() > 0 and visible[i].sum() > 1]
    seeing = [[i for i in rows if visible[i, k]] for k in range(A.shape[1])]
    means = [mean(A[i, k] for i in on) for k, on in enumerate(seeing) if on and len(on) >= 0.9 * len(rows)]
    return max(means, default=None)


def of_head(A, visible):
    keys = visible.sum(-1)
    n, m = A.shape
    rows = [i for i in range(n) if A[i].sum() > 0]
    entropies = [entropy(row) for row in A]
    own = [A[i, i] if i < m else 0.0 for i in range(n)]
    spread = [h / math.log(k) for h, k in zip(entropies, keys) if k > 1]
    # Only a distribution has an entropy: a mask after the softmax takes some of it away.
    is_distribution = bool((A >= 0).all()) and all(abs(s - 1) <= 1e-3 or s == 0 for s in A.sum(-1))
    histogram = [0] * 20
    for weight in A[visible]:
        histogram[min(int(weight * 20), 19)] += 1
    return {
        "mean self-attention": mean(A[i, i] for i in range(min(n, m))),
        "mean attention to others": mean(A[i, j] for i in range(n) for j in range(m) if i != j) or 0.0,
        "mean entropy": mean(entropies) if is_distribution else None,
        "… of the maximum": None if not spread or not is_distribution else 100 * mean(spread),
        "sink": sink(A, visible),
        "previous token": mean(A[i, i - 1] for i in rows if 0 < i <= m),
        "next token": mean(A[i, i + 1] for i in rows if i + 1 < m),
        "mean distance": mean((A[i] * abs(np.arange(m) - i)).sum() / A[i].sum() for i in rows),
        "entropy": entropies,
        "limits": [math.log(max(k, 1)) for k in keys],
        "itself": own,
        "first": A[:, 0].tolist(),
        "histogram": histogram,
    }


def measure(path):
    with contextlib.redirect_stdout(io.StringIO()):
        left = runpy.run_path(path)
    A, is_written = left["A"], "-1e9" in open(path, encoding="utf8").read().replace("-1e+09", "-1e9")
    visible = reachable(left, A.shape[1:], is_written)
    alike = lambda one, other: mean(s for s in map(similarity, one, other) if s is not None)
    return {
        "heads": [of_head(head, visible) for head in A],
        "similarity": [[alike(one, other) for other in A] for one in A],
    }


for path in sys.argv[1:]:
    print(json.dumps(measure(path)))
