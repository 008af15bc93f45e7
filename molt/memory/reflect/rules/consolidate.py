"""Phase 3 of a reflection by rules alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material import ReflectionMaterial
    from molt.memory.reflect.meta import Guidance
    from molt.memory.reflect.survey import Survey


def consolidate(
    _material: ReflectionMaterial, _survey: Survey, _guidance: Guidance
) -> tuple[Operation, ...]:
    """The operations that rules propose, the weightiest first."""
    return ()
