"""What a reflection does to procedures."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, frontmatter, ids, lines, origin, paths, procedure
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
    found = bullets.section(before, "Steps")
    if found is None:
        raise Outdated("the procedure is prose without `## Steps`; edit it by hand")
    known = procedure.parse_procedure(before, "")
    if known.steps == steps:
        return before
    rows = [f"{number}. {lines.one_line(step)}" for number, step in enumerate(steps, 1)]
    every = lines.bare_lines(before)
    stop = found.end
    while stop > found.start and not every[stop - 1].strip():
        stop -= 1
    text = lines.splice_lines(before, found.start, stop, rows)
    for memory in one.evidence:
        text = bullets.add_bullet(text, "Learned From", memory, procedure.PROCEDURE_SECTIONS)
    return frontmatter.set_updated(text, stamp.date)
