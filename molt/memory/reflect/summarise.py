"""Phase 5 of a reflection: what it would change and why, for people."""

from __future__ import annotations

from difflib import unified_diff

from molt import trees
from molt.formats import paths
from molt.formats.reflections import plan
from molt.formats.reflections import summary as summaries
from molt.formats.reflections.parts import Part
from molt.formats.reflections.summary import Summary
from molt.memory.reflect.meta import Guidance
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.evidence import Dropped
    from molt.memory.reflect.material import ReflectionMaterial
    from molt.trees import Edits

_SECTION_OF = {
    "upsert-entity": "knowledge",
    "add-fact": "knowledge",
    "supersede-fact": "knowledge",
    "upsert-procedure": "knowledge",
    "accept-proposal": "knowledge",
    "add-relation": "connections",
    "merge-entities": "connections",
    "archive": "archival",
    "reinforce": "archival",
    "pin": "archival",
    "contradiction": "contradictions",
    "rewrite-core": "core",
    "insight": "evolution",
    "question": "questions",
}


class Harvest(Value):
    """What came of a reflection: its operations, what was dropped and cut, the edits of all of
    them together, and the tokens that they take.
    """

    material: ReflectionMaterial
    guidance: Guidance
    operations: tuple[Operation, ...]
    dropped: tuple[Dropped, ...]
    cut: tuple[Operation, ...]
    edits: Edits
    tokens: int


def make_summary(harvest: Harvest) -> Summary:
    """The summary for people, in the seven sections of a reflection."""
    material = harvest.material
    bodies = {name: list[str]() for name in summaries.SECTIONS}
    for one in harvest.operations:
        bodies[_SECTION_OF[one.op]].append(f"- {one.n}. {plan.describe_operation(one)}")
    bodies["core"] += _diff_core(harvest)
    sections = tuple(
        Part(title, "\n".join(bodies[name]) or "- None this cycle")
        for name, title in summaries.SECTIONS.items()
    )
    return Summary(
        date=material.day,
        sections=sections,
        number=material.number,
        budget=f"{harvest.tokens:,} / {material.config.reflection_budget:,}",
        processed=f"{len(material.fresh)} episodes",
        reviewed=f"{len(material.log)} past reflections",
        note=summaries.REPLY,
    )


def _diff_core(harvest: Harvest) -> list[str]:
    before = trees.read_text(harvest.material.tree, paths.CORE)
    after = trees.read_text(Overlay(harvest.material.tree, harvest.edits), paths.CORE)
    if before == after:
        return []
    rows = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return ["```diff", *(row for row in rows if not row.startswith(("---", "+++", "@@"))), "```"]


def tell_milestone(harvest: Harvest) -> str:
    """What a milestone puts into evolution.md."""
    return f"Reflection {harvest.material.number}: {harvest.guidance.milestone}"
