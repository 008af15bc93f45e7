"""Procedures: front matter, trigger, steps, notes, what was learned."""

from __future__ import annotations

from molt.formats import bullets, frontmatter, lines
from molt.formats.fields import (
    bullet_lines,
    front_fields,
    list_words,
    pinned_flag,
    render_note,
    section_items,
    section_text,
    text_field,
    text_list,
    title_of,
)
from molt.formats.frontmatter import metadata
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROCEDURE_SECTIONS = ("Trigger", "Steps", "Notes", "Learned From")


class Procedure(Value):
    """A learned workflow: its front matter and its sections."""

    id: str
    label: str
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = False
    trigger: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    type: str = "procedure"
    source: str = ""
    origin: str = ""


def parse_procedure(text: str, stem: str) -> Procedure:
    """The procedure in a file named `stem`.md; never raises."""
    data = metadata(text)
    trigger, steps, notes, learned = PROCEDURE_SECTIONS
    return Procedure(
        id=text_field(data, "id", stem),
        label=text_field(data, "label") or title_of(text, stem),
        tags=text_list(data, "tags"),
        created=text_field(data, "created"),
        updated=text_field(data, "updated"),
        pinned=pinned_flag(data),
        trigger=section_text(text, trigger),
        steps=section_items(text, steps),
        notes=section_items(text, notes),
        learned=section_items(text, learned),
        type=text_field(data, "type", "procedure"),
        source=text_field(data, "source"),
        origin=text_field(data, "origin"),
    )


def render_procedure(procedure: Procedure) -> str:
    """The canonical text of a procedure."""
    steps = [f"{n}. {lines.one_line(step)}" for n, step in enumerate(procedure.steps, 1)]
    contents = (
        list_words(procedure.trigger),
        steps,
        bullet_lines(procedure.notes),
        bullet_lines(procedure.learned),
    )
    return render_note(
        front_fields(procedure, procedure.label),
        list(zip(PROCEDURE_SECTIONS, contents, strict=True)),
    )


def replace_steps(text: str, steps: Sequence[str], date: str) -> str:
    """Return the text of a procedure with other steps, updated on a day; all else stays."""
    rows = [f"{n}. {lines.one_line(step)}" for n, step in enumerate(steps, 1)]
    found = bullets.section(text, "Steps")
    if found is None:
        body = "\n".join(("## Steps", *rows))
        return frontmatter.set_updated(f"{text.rstrip()}\n\n{body}\n", date)
    tail = [""] if found.end < len(lines.split_lines(text)) else []
    return frontmatter.set_updated(
        lines.splice_lines(text, found.start, found.end, [*rows, *tail]), date
    )


def add_note(text: str, note: str, date: str) -> str:
    """The text of a procedure with a note of a day; unchanged if it has that note."""
    found = bullets.add_bullet(text, "Notes", note, PROCEDURE_SECTIONS)
    return text if found == text else frontmatter.set_updated(found, date)
