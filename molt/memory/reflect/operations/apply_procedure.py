"""What a reflection does to procedures."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, ids, origin, paths, procedure
from molt.memory.reflect.operations.applied import Applied, Outdated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.operations.applied import ReflectionStamp
    from molt.trees import Tree


def upsert_procedure(tree: Tree, one: Operation, stamp: ReflectionStamp) -> Applied:
    """A new procedure, or other steps of one."""
    title = " ".join(one.text("title").split())
    stem = ids.slug(title)
    path = f"{paths.PROCEDURES}{stem}.md"
    steps = tuple(" ".join(step.split()) for step in one.texts("steps"))
    before = trees.read_strict(tree, path)
    text = _rewrite(before, one, steps, stamp) if before else _make(stem, title, one, stamp)
    return Applied(
        {path: text.encode()}, path, "EDIT" if before else "CREATE", (ids.procedure(stem),)
    )


def _make(stem: str, title: str, one: Operation, stamp: ReflectionStamp) -> str:
    made = procedure.Procedure(
        stem,
        title,
        tags=one.texts("tags"),
        created=stamp.date,
        updated=stamp.date,
        trigger=" ".join(one.text("trigger").split()),
        steps=tuple(" ".join(step.split()) for step in one.texts("steps")),
        learned=one.evidence,
        source="reflection",
        origin=origin.class_of("reflection"),
    )
    return procedure.render_procedure(made)


def _rewrite(before: str, one: Operation, steps: tuple[str, ...], stamp: ReflectionStamp) -> str:
    """The procedure with other steps, and with what they were learned from."""
    made = procedure.Procedure("", "", steps=steps, learned=one.evidence, updated=stamp.date)
    if procedure.parse_procedure(before, "").steps == steps:
        return before
    if bullets.section(before, "Steps") is None:
        raise Outdated("the procedure is prose without `## Steps`; edit it by hand")
    return procedure.refine_procedure(before, made)
