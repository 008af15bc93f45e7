"""Multinomial logistic regression with an L2 penalty over texts' features, each text's scaled to a
length of one, fitted by accelerated gradient descent (Nesterov, 1983).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PENALTY = 1 / 30
"""The weight of half the squared length against the summed loss."""


class FeatureRows:
    """The known features of each text, divided by the length that `lengths` gives."""

    def __init__(
        self, texts: Sequence[set[int]], places: Mapping[int, int], lengths: Sequence[float]
    ) -> None:
        known = [sorted(places[one] for one in text if one in places) for text in texts]
        sizes = [len(one) for one in known]
        self.count, self.size = len(texts), len(places)
        self.features = np.array([one for each in known for one in each], np.int64)
        self.rows = np.repeat(np.arange(self.count), sizes)
        self.values = np.repeat(1 / np.array(lengths), sizes)

    def sum_weights(self, weights: np.ndarray) -> np.ndarray:
        """Return each text's sum of weights: a row for each text, a column for each class."""
        columns = [
            np.bincount(self.rows, self.values * column[self.features], self.count)
            for column in weights.T
        ]
        return np.stack(columns, axis=1)

    def spread(self, errors: np.ndarray) -> np.ndarray:
        """Return the gradient for each feature and class of each text's error for each class."""
        columns = [
            np.bincount(self.features, self.values * column[self.rows], self.size)
            for column in errors.T
        ]
        return np.stack(columns, axis=1)


def share_odds(odds: np.ndarray) -> np.ndarray:
    """Return the probabilities of each row of log-odds."""
    shares: np.ndarray = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def fit(
    samples: FeatureRows, labels: np.ndarray, counts: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights (features by classes) and the biases that predict the labels (numbers of
    classes), each text counted `counts` times.
    """
    size = int(labels.max()) + 1
    targets = np.eye(size)[labels]
    # The curvature of the loss is at most a half, and the sums of rows bound the product of
    # features that are not negative: a rare feature moves at once, a common one slowly.
    reach = (samples.sum_weights(np.ones((samples.size, 1)))[:, 0] + 1) * counts
    paces = 1 / (samples.spread(reach[:, None]) / 2 + PENALTY)
    bias_pace = 2 / float(reach.sum())
    weights, biases = np.zeros((samples.size, size)), np.zeros(size)
    ahead, ahead_biases, pace = weights, biases, 1.0
    for _ in range(steps):
        odds = samples.sum_weights(ahead) + ahead_biases
        errors = (share_odds(odds) - targets) * counts[:, None]
        moved = ahead - paces * (samples.spread(errors) + PENALTY * ahead)
        moved_biases = ahead_biases - bias_pace * errors.sum(axis=0)
        faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        share = (pace - 1) / faster
        ahead = moved + share * (moved - weights)
        ahead_biases = moved_biases + share * (moved_biases - biases)
        weights, biases, pace = moved, moved_biases, faster
    return weights, biases
