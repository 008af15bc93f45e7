"""Vectors as int8."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

# Fewer take plain Python less time than NumPy takes to be imported.
_MANY = 8


def quantise(values: Sequence[float]) -> bytes:
    """A vector as int8, scaled to its largest component; empty for a zero vector."""
    import array

    largest = max(map(abs, values), default=0.0)
    if not largest:
        return b""
    scale = 127 / largest
    return array.array("b", [round(value * scale) for value in values]).tobytes()


def quantise_all(rows: Sequence[Sequence[float]]) -> list[bytes]:
    """Many vectors of one length; NumPy is imported where they are many."""
    if len(rows) < _MANY:
        return [quantise(row) for row in rows]
    import numpy as np

    return quantise_rows(np.asarray(rows, np.float32))


def quantise_rows(values: NDArray[np.float32]) -> list[bytes]:
    """The rows of a matrix."""
    import numpy as np

    largest = np.abs(values).max(axis=1)
    scale = 127 / np.where(largest > 0, largest, 1)
    small = np.rint(values * scale[:, None]).astype(np.int8)
    return [row.tobytes() if top > 0 else b"" for row, top in zip(small, largest, strict=True)]
