"""The figures as a table in Markdown: what was measured, where, and whether it is as it should."""

from __future__ import annotations

from typing import NamedTuple

HEAD = "| row | what | measured | target | holds | environment |"


class Target(NamedTuple):
    """A bound: a figure is at most, or at least, so much; without a number it is only told."""

    sense: str
    bound: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a figure is within the bound."""
        if self.bound is None:
            return True
        return value <= self.bound if self.sense == "≤" else value >= self.bound


def at_most(bound: float) -> Target:
    return Target("≤", bound)


def at_least(bound: float) -> Target:
    return Target("≥", bound)


TOLD = Target("")


class Figure(NamedTuple):
    """One number: of what, in which unit, what it should be, and in which environment it is so."""

    what: str
    value: float
    unit: str
    target: Target
    environment: str

    def render(self, row: str) -> str:
        """The line of the table."""
        bound = self.target.bound
        wanted = f"{self.target.sense} {_round(bound)} {self.unit}" if bound is not None else ""
        holds = "" if bound is None else "yes" if self.target.holds(self.value) else "**no**"
        cells = (row, self.what, f"{_round(self.value)} {self.unit}", wanted, holds)
        return f"| {' | '.join((*cells, self.environment))} |"


def _round(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
