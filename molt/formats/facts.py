"""The facts of an entity: added, and struck through when they are no longer true."""

from __future__ import annotations

from molt.formats import lines
from molt.formats.bullets import add_bullet, bullets, item_lines
from molt.formats.frontmatter import set_updated

SECTIONS = ("Summary", "Facts", "Timeline", "Open Questions", "Relations")


def add_fact(text: str, fact: str, date: str) -> str:
    """The entity with a fact at the end of its list, updated on `date`; unchanged if known."""
    added = add_bullet(text, "Facts", fact, SECTIONS)
    return text if added == text else set_updated(added, date)


def holds(fact: str) -> bool:
    """Whether a fact is believed now, and not struck through."""
    return not fact.startswith("~~")


def supersede_fact(text: str, fact: str, date: str, by: str = "") -> str:
    """The entity with a fact struck through, what replaced it told beside it and added.

    The fact is given by its text, with or without its source; unchanged if there is none that
    holds. Nothing is lost: the file shows what is believed now, and what was before.
    """
    wanted = _normalize_spaces(fact)
    known = (one for one in bullets(text, "Facts") if holds(one.text))
    found = next(
        (one for one in known if wanted in (_normalize_spaces(one.text), _strip_source(one.text))),
        None,
    )
    if found is None or wanted in (_normalize_spaces(by), _strip_source(by)):
        return text
    now = f"; now: {lines.one_line(by)}" if by else ""
    struck = "\n".join(map(_strike_through, found.text.split("\n")))
    rows = item_lines(f"{struck} (until {date}{now})")
    changed = lines.splice_lines(text, found.start - 1, found.end, rows)
    added = add_bullet(changed, "Facts", by, SECTIONS) if by else changed
    return set_updated(added, date)


def _strike_through(row: str) -> str:
    mark = row[:2] if row.startswith(("- ", "* ", "+ ")) else ""
    # A line of tildes would end the striking in its midst.
    inner = row[len(mark) :].replace("~~", "")
    return f"{mark}~~{inner}~~"


def _normalize_spaces(fact: str) -> str:
    return " ".join(fact.split())


def _strip_source(fact: str) -> str:
    """A fact without the source at its end."""
    said = _normalize_spaces(fact)
    return said.rpartition(" (source: ")[0] or said
