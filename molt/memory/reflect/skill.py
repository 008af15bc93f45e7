"""A procedure that was proved by repetition, as a skill for the host of an agent.

A skill is a folder with a SKILL.md: front matter with a name and when to use it, then what to do. A
person installs it; nothing here puts it where a host would load it.
"""

from __future__ import annotations

from molt import errors, trees
from molt.formats import episodes, frontmatter, ids, paths, procedure
from molt.formats import lines as textlines
from molt.memory import shown
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.procedure import Procedure
    from molt.memory.workspace import Workspace
    from molt.trees import Tree

PROVED = 2
"""Days on which a procedure was learned, from which it is one that repeats."""
_NAME, _DESCRIPTION = 64, 1024
"""Characters that hosts take of a skill's name and description."""


class ExportedSkill(Value):
    """A skill: the name of its folder, the text of its SKILL.md, and on how many days what it says
    was learned.
    """

    name: str
    text: str
    days: int


def make_skill(ws: Workspace, name: str, *, least: int = PROVED) -> ExportedSkill:
    """The skill of a procedure, by its id or the name of its file.

    Raises NotFound where there is none, Refused where it was learned on fewer than `least` days.
    """
    tree = shown.list_committed(ws)
    stem = name.removeprefix("procedure:").removesuffix(".md")
    path = f"{paths.PROCEDURES}{stem}.md"
    text = trees.read_text(tree, path) if "/" not in stem else ""
    if not text:
        raise errors.NotFound(f"no procedure {name!r}", "`molt procedure list` has all")
    found = procedure.parse_procedure(text, stem)
    days = count_days(tree, found)
    if not found.steps:
        raise errors.Refused(f"{stem} has no steps", f"write `## Steps` in {path}")
    if days < least:
        said = f"{stem} was learned on {days} day{'s' * (days != 1)}; one that repeats has {PROVED}"
        raise errors.Refused(said, "`--unproved` takes it all the same")
    skill = _name_skill(stem)
    return ExportedSkill(skill, _render_skill(skill, found, stem), days)


def list_procedures(ws: Workspace) -> tuple[tuple[str, Procedure, int], ...]:
    """All procedures with their ids, and on how many days each was learned."""
    tree = shown.list_committed(ws)
    rows = []
    for path in sorted(tree.entries()):
        if paths.kind_of(path) != "procedure":
            continue
        stem = path.removeprefix(paths.PROCEDURES).removesuffix(".md")
        found = procedure.parse_procedure(trees.read_text(tree, path), stem)
        rows.append((ids.procedure(stem), found, count_days(tree, found)))
    return tuple(rows)


def count_days(tree: Tree, found: Procedure) -> int:
    """On how many days a procedure was learned, by those of its episodes that are there."""
    days: set[str] = set()
    for memory in found.learned:
        kind, _, key = memory.partition(":")
        date = key[:10]
        if kind == "episode":
            text = trees.read_text(tree, f"{paths.EPISODES}{date}.md")
            days.update(one.date for one in episodes.parse(text, date) if one.id == memory)
    return len(days)


def _name_skill(stem: str) -> str:
    """A name as hosts take it: lower-case letters, digits and hyphens of ASCII."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem.lower())
    name = "-".join(filter(None, kept.split("-")))[:_NAME].strip("-")
    return name or f"procedure-{ids.digest(stem)}"


def _render_skill(name: str, found: Procedure, stem: str) -> str:
    title = textlines.one_line(found.label).strip() or stem
    when = textlines.one_line(found.trigger).strip()
    about = f"{title}. Use it when: {when}" if when else title
    rows = ["---", f"name: {name}", f"description: {frontmatter.render(about[:_DESCRIPTION])}"]
    rows += ["---", "", f"# {title}", ""]
    rows += [when, ""] if when else []
    rows += [f"{at}. {textlines.one_line(step).strip()}" for at, step in enumerate(found.steps, 1)]
    notes = [f"- {textlines.one_line(note).strip()}" for note in found.notes]
    rows += ["", "## Notes", "", *notes] if notes else []
    rows += ["", f"Learned as `procedure:{stem}`, from {', '.join(found.learned) or 'nothing'}."]
    return "\n".join(rows) + "\n"
