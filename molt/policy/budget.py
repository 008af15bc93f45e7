"""How much a rule does for one commit: whoever makes a commit decides what there is to do."""

from __future__ import annotations


class TooMuch(Exception):
    """There is more to do than is done for one commit."""


class Budget:
    """What may still be done of something that is counted."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, count: int) -> bool:
        """Whether there is as much left; from the first time on that there is not, nothing is."""
        self.left = self.left - count if self.left >= 0 else self.left
        return self.left >= 0

    def spend(self, count: int) -> None:
        """Raises TooMuch where there is less left than that."""
        if not self.take(count):
            raise TooMuch
