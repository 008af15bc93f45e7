"""A share of cases that came out right, how sure it is, and the bound that it is held to."""

from __future__ import annotations

import math
from typing import NamedTuple


class Figure(NamedTuple):
    """So many of so many cases."""

    name: str
    right: int
    of: int

    @property
    def share(self) -> float:
        """The share of the cases."""
        return self.right / self.of

    @property
    def error(self) -> float:
        """Its standard error; of a share of all or none, as if one case had come out otherwise."""
        smoothed = (self.right + 1) / (self.of + 2)
        return math.sqrt(smoothed * (1 - smoothed) / self.of)

    def __str__(self) -> str:
        return f"{self.name}: {self.share:.3f} ± {self.error:.3f} ({self.right} of {self.of})"

    def check_least(self, bound: float) -> None:
        """Fail with the figure where it is below a bound."""
        print(f"{self}, at least {bound}")
        assert self.share >= bound, f"{self}: at least {bound}"

    def check_most(self, bound: float) -> None:
        """Fail with the figure where it is above a bound."""
        print(f"{self}, at most {bound}")
        assert self.share <= bound, f"{self}: at most {bound}"
