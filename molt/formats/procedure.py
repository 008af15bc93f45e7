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
    contents = (
        list_words(procedure.trigger),
        _number(procedure.steps),
        bullet_lines(procedure.notes),
        bullet_lines(procedure.learned),
    )
    return render_note(
        front_fields(procedure, procedure.label),
        list(zip(PROCEDURE_SECTIONS, contents, strict=True)),
    )


def add_note(text: str, note: str, date: str) -> str:
    """The text of a procedure with a note of a day; unchanged if it has that note."""
    found = bullets.add_bullet(text, "Notes", note, PROCEDURE_SECTIONS)
    return text if found == text else frontmatter.set_updated(found, date)


def refine_procedure(text: str, made: Procedure) -> str:
    """Return the text of a procedure with the steps of another one, with its trigger if it has one,
    and with its notes and what it was learned from added to those that are there.
    """
    fresh = set_section(text, "Steps", _number(made.steps))
    if made.trigger:
        fresh = set_section(fresh, "Trigger", list_words(made.trigger))
    for title, items in (("Notes", made.notes), ("Learned From", made.learned)):
        for item in items:
            fresh = bullets.add_bullet(fresh, title, item, PROCEDURE_SECTIONS)
    return text if fresh == text else frontmatter.set_updated(fresh, made.updated)


def set_section(text: str, title: str, rows: Sequence[str]) -> str:
    """Return the text of a procedure with other lines in a section, at its end if it is new."""
    found = bullets.section(text, title)
    if found is None:
        return "\n".join((text.rstrip(), "", f"## {title}", *rows, ""))
    every = lines.bare_lines(text)
    stop = found.end
    while stop > found.start and not every[stop - 1].strip():
        stop -= 1
    return lines.splice_lines(text, found.start, stop, rows)


def _number(steps: Sequence[str]) -> list[str]:
    return [f"{number}. {lines.one_line(step)}" for number, step in enumerate(steps, 1)]
