"""What a function of attention is asked, and how its answers are classified. Every query has the same scores and V is the identity, so that an
output row holds the weights."""

from dataclasses import dataclass
from typing import Callable

import numpy as np


@dataclass(frozen=True)
class Case:
    """One head, `queries` rows over len(scores) keys.

    mask    [queries, keys], boolean, float or integer, as the function is to get it
    window  what is written as the width of the window
    past    how many of the keys come from a cache; the queries belong to the rest
    """

    queries: int
    scores: tuple
    mask: np.ndarray | None = None
    causal: bool = False
    window: int | None = None
    past: int = 0

    @property
    def keys(self):
        return len(self.scores)

    def arrays(self, scaled=True, width=None):
        """Q [n, width], K [m, width] and V [m, width] (width = m unless said otherwise) in float32, with query · key / √width = score. Where
        the function is told to leave the scores unscaled, query · key = score."""
        width = width or self.keys
        q, k = np.zeros((self.queries, width), np.float32), np.zeros((self.keys, width), np.float32)
        q[:, 0] = np.sqrt(width) if scaled else 1
        k[:, 0] = self.scores
        return q, k, np.eye(self.keys, width, dtype=np.float32)


@dataclass(frozen=True)
class Function:
    """How a library's function is asked.

    rows     the weights [queries, keys] of a case; any exception means that the function refuses it
    flag     whether it has a causal flag, or is always causal
    cache    whether it takes keys of earlier steps and also, without them, more keys than queries
    windows  which of "causal" and "two-sided" its window can be
    hidden   the score of a hidden cell and how it gets there, where scores cannot be chosen but the mask can be seen
    scored   whether the score of a hidden cell can be seen at all
    equal_lengths  whether queries must be as many as keys
    """

    rows: Callable[[Case], np.ndarray]
    flag: bool = True
    cache: bool = False
    windows: tuple = ()
    hidden: Callable[[], tuple] | None = None
    scored: bool = True
    equal_lengths: bool = False


def added(mask):
    """A boolean mask, True = visible, as numbers to add."""
    return np.where(mask, np.float32(0), np.float32(-np.inf))
