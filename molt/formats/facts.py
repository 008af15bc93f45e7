"""The facts of an entity: added, and struck through when they are no longer true."""

from __future__ import annotations

from molt.formats import lines, times
from molt.formats.bullets import add_bullet, bullets, item_lines
from molt.formats.frontmatter import set_updated

SECTIONS = ("Summary", "Facts", "Timeline", "Open Questions", "Relations")


def name_source(fact: str, origin: str) -> str:
    """Return a fact that says at its end whose word it is: the user's or an agent's. What came from
    outside is marked as that instead.
    """
    return f"{fact} (source: {origin})" if origin in SOURCES else fact


SOURCES = ("user", "agent")


def add_fact(text: str, fact: str, date: str) -> str:
    """The entity with a fact at the end of its list, updated on `date`; unchanged if known."""
    wanted = _drop_source(fact)
    if any(_drop_source(one.text) == wanted for one in bullets(text, "Facts")):
        return text
    added = add_bullet(text, "Facts", fact, SECTIONS)
    return text if added == text else set_updated(added, date)


def date_fact(fact: str, since: str = "", until: str = "") -> str:
    """A fact that says in brackets at its end from which day on it holds, and on which last one."""
    said = [f"{name}: {day}" for name, day in (("since", since), ("until", until)) if day]
    return f"{fact} ({', '.join(said)})" if said else fact


def read_span(fact: str) -> tuple[str, str]:
    """The first and the last day on which a fact holds (`YYYY-MM-DD`), as brackets at its end say;
    empty for one that nobody told.
    """
    found: dict[str, str] = {}
    for said in _list_brackets(fact):
        for part in said.split(","):
            key, colon, day = part.partition(":")
            if colon and times.is_date(day.strip()):
                found.setdefault(key.strip().casefold(), day.strip())
    return found.get("since", ""), found.get("until", "")


def holds(fact: str, day: str = "") -> bool:
    """Whether a fact is believed, and not struck through; with a `day`, on that one."""
    if fact.startswith("~~"):
        return False
    since, until = read_span(fact) if day else ("", "")
    return (not since or since <= day) and (not until or day <= until)


def supersede_fact(text: str, fact: str, date: str, by: str = "") -> str:
    """The entity with a fact struck through, what replaced it told beside it and added.

    The fact is given by its text, with or without its source and its days; unchanged if there is
    none that holds. Nothing is lost: the file shows what is believed now, and what was before.
    """
    if _normalize_spaces(fact) in _list_forms(by):
        return text
    struck = strike_fact(text, fact, date, by)
    return add_bullet(struck, "Facts", by, SECTIONS) if by and struck != text else struck


def strike_text(text: str, date: str, by: str = "") -> str:
    """Return a fact or bullet struck through, with the day and the words that replaced it."""
    now = f"; now: {lines.one_line(by)}" if by else ""
    struck = "\n".join(map(_strike_through, text.split("\n")))
    return f"{struck} (until {date}{now})"


def strike_fact(text: str, fact: str, date: str, by: str = "") -> str:
    """Return the entity with a fact struck through that another memory has replaced, as
    `supersede_fact` gives it, but without the new words among its facts.
    """
    wanted = _normalize_spaces(fact)
    known = (one for one in bullets(text, "Facts") if holds(one.text))
    found = next((one for one in known if wanted in _list_forms(one.text)), None)
    if found is None:
        return text
    rows = item_lines(strike_text(found.text, date, by))
    return set_updated(lines.splice_lines(text, found.start - 1, found.end, rows), date)


def read_aside(fact: str, key: str) -> str:
    """Return what a bracket at the end of a fact or bullet says under a key; empty for none."""
    for said in _list_brackets(fact):
        name, _, value = said.partition(":")
        if name == key:
            return value.strip()
    return ""


def dispute_fact(text: str, fact: str, other: str, date: str) -> str:
    """The entity with a fact marked as one of two that contradict each other; unchanged if there is
    none that holds, or if it says so already. The fact is given as for `supersede_fact`.
    """
    wanted = _normalize_spaces(fact)
    known = (one for one in bullets(text, "Facts") if holds(one.text))
    found = next((one for one in known if wanted in _list_forms(one.text)), None)
    if found is None or f"(contradicts: {_quote_fact(other)})" in found.text:
        return text
    rows = item_lines(mark_disputed(found.text, other))
    return set_updated(lines.splice_lines(text, found.start - 1, found.end, rows), date)


def mark_disputed(fact: str, other: str) -> str:
    """A fact that says at its end that it is not sure, and what it contradicts."""
    return f"{fact.rstrip()} (confidence: low) (contradicts: {_quote_fact(other)})"


def _quote_fact(fact: str) -> str:
    """A fact as it can stand in brackets at the end of another one."""
    plain = _normalize_spaces(strip_asides(fact))
    return plain.translate({ord("("): "[", ord(")"): "]", ord(","): ";"})


def _strike_through(row: str) -> str:
    mark = row[:2] if row.startswith(("- ", "* ", "+ ")) else ""
    # A line of tildes would end the striking in its midst.
    inner = row[len(mark) :].replace("~~", "")
    return f"{mark}~~{inner}~~"


def _normalize_spaces(fact: str) -> str:
    return " ".join(fact.split())


def _list_forms(fact: str) -> tuple[str, str]:
    """The words by which a fact is named: with what brackets say of it, and without."""
    plain = _normalize_spaces(fact)
    return plain, strip_asides(plain)


def _drop_source(fact: str) -> str:
    """A fact in small letters without whose word it is."""
    plain = _normalize_spaces(fact)
    for name in SOURCES:
        plain = plain.replace(f" (source: {name})", "")
    return plain.casefold()


def strip_asides(fact: str) -> str:
    """A fact or bullet without what brackets at its end say of it: its source, its days, its
    origin. One that is nothing else stays as it is.
    """
    said = fact.rstrip()
    for inner in _list_brackets(said):
        said = said.removesuffix(f" ({inner})").rstrip()
    return said or fact


def _list_brackets(fact: str) -> list[str]:
    """What the brackets at the end of a fact say of it, from the last one on."""
    said, found = fact.rstrip(), list[str]()
    while said.endswith(")"):
        at = _find_opening(said)
        inner = said[at + 1 : -1]
        if at < 1 or said[at - 1] != " " or not inner.startswith(_ASIDES):
            break
        found.append(inner)
        said = said[: at - 1].rstrip()
    return found


def _find_opening(said: str) -> int:
    """Where the bracket opens that the last character closes; -1 where none does. A source may
    have brackets of its own: `(source: plan (old).md)`.
    """
    depth = 0
    for at in range(len(said) - 1, -1, -1):
        depth += (said[at] == ")") - (said[at] == "(")
        if depth == 0:
            return at
    return -1


_ASIDES = (
    *("source:", "since:", "until:", "origin:", "confidence:", "contradicts:"),
    "supersedes:",
)
"""What brackets begin with that say where a fact is from, when it holds, and what denies it."""
