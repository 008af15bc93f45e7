"""An operation with what decides whether a night has room for it."""

from __future__ import annotations

from molt.formats.reflections.plan import Operation
from molt.values import Value


class RankedOperation(Value):
    """An operation with its weight: the heavier, the sooner it is proposed."""

    weight: float
    operation: Operation
