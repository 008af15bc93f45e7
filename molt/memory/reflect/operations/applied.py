"""What an operation of a reflection is stamped with, and what comes of it."""

from __future__ import annotations

from molt import errors
from molt.config import DEFAULT, Config
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.graph.successive import SuccessiveGraphs
    from molt.memory.graph.table import Cache
    from molt.trees import Edits


class Outdated(errors.MoltError):
    """The memory is no longer such that an operation applies to it."""


class Overfull(Outdated):
    """Core memory has no room for what an operation adds."""


class ReflectionStamp(Value):
    """With what operations are applied: the reflection's id, its day (`YYYY-MM-DD`), the settings,
    and what spares parsing all entities for each of them.
    """

    reflection: str
    date: str
    config: Config = DEFAULT
    graphs: SuccessiveGraphs | None = None

    @property
    def cache(self) -> Cache | None:
        """What the clone keeps of entities that were parsed; None for nothing."""
        return self.graphs.cache if self.graphs else None


class Applied(Value):
    """The edits of an operation, the file that its commit names, the action, and the ids of the
    memories that it is about; `told` is the operation as far as it was carried out, None for all.
    """

    edits: Edits
    path: str
    action: str
    memories: tuple[str, ...] = ()
    told: Operation | None = None
