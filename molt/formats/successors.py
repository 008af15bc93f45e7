"""Which memory has taken the place of which, as the files say it.

An entry of a day's log is never edited: what supersedes it names it (`supersedes:episode:…` in its
heading, `(supersedes: …)` behind a fact or bullet, `supersedes` in front matter). Any other memory
is marked where it stands: a bullet is struck through and names its successor as its source, a file
has `superseded_by` in its front matter.
"""

from __future__ import annotations

from molt.formats import bullets, episodes, facts, frontmatter, ids, origin, paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FIELD = origin.SUPERSEDES
BY = "superseded_by"
"""The field of front matter that names what has taken the place of the file's memory."""

SHOWN = "superseded-by"
"""The field that a heading gets in what is printed: the file itself has none."""

_MARKS = (FIELD, BY, "~~")
_FILES = ("procedural", "vault")


class Successor(Value):
    """The id of a memory that was superseded, and of the one that took its place."""

    old: str
    new: str


def list_successors(path: str, text: str) -> Iterator[Successor]:
    """Return what a file says of memories that were superseded, in its order."""
    if not any(mark in text for mark in _MARKS):
        return
    date, store = paths.date_of(path), paths.store_of(path)
    if date is not None:
        for entry in episodes.parse(text, date):
            yield from (Successor(value, entry.id) for key, value in entry.fields if key == FIELD)
    elif path == paths.CORE:
        for bullet in bullets.core_bullets(text):
            yield from _read_bullet(bullet.text, bullet.id)
    elif store == "semantic":
        own = ids.entity(path.removeprefix(paths.ENTITIES).removesuffix(".md"))
        for fact in bullets.bullets(text, "Facts"):
            old = facts.read_aside(fact.text, FIELD) if facts.holds(fact.text) else ""
            yield from (Successor(one, own) for one in (old,) if one)
    elif store in _FILES:
        yield from _read_front(path, text)


def _read_bullet(text: str, own: str) -> Iterator[Successor]:
    if facts.holds(text):
        if old := facts.read_aside(text, FIELD):
            yield Successor(old, own)
        return
    new = text.rpartition("; now: ")[2].rpartition("(source: ")[2].partition(")")[0]
    if text.endswith("))") and new:
        yield Successor(own, new)


def _read_front(path: str, text: str) -> Iterator[Successor]:
    front = frontmatter.metadata(text)
    stem = path.rpartition("/")[2].removesuffix(".md")
    kind = ids.procedure if path.startswith(paths.PROCEDURES) else ids.vault
    if old := str(front.get(FIELD, "")):
        yield Successor(old, kind(stem))
    if new := str(front.get(BY, "")):
        yield Successor(kind(stem), new)


def mark_entries(text: str, date: str, known: dict[str, str]) -> str:
    """Return a day's log in which each entry that was superseded says so in its heading, and
    stands behind its successor where that is in the same log. `known` are successors by id.
    """
    entries = episodes.parse(text, date)
    if not any(one.id in known for one in entries):
        return text
    rows = text.splitlines(keepends=True)
    stops = [*(one.start - 1 for one in entries[1:]), len(rows)]
    parts = {
        one.id: "".join(rows[one.start - 1 : stop]).rstrip("\n") + "\n\n"
        for one, stop in zip(entries, stops, strict=True)
    }
    old = {one.id: known[one.id] for one in entries if one.id in known}
    ordered = [name for name in parts if old.get(name) not in parts]
    # A chain: what was superseded twice stands last.
    for name in (name for name in reversed(parts) if name not in ordered):
        ordered.insert(ordered.index(old[name]) + 1, name)
    head = "".join(rows[: entries[0].start - 1])
    marked = "".join(_mark_heading(parts[name], old.get(name, "")) for name in ordered)
    return head + marked.rstrip("\n") + "\n"


def _mark_heading(part: str, by: str) -> str:
    row, end, rest = part.partition("\n")
    return f"{row.rstrip()} | {SHOWN}:{by}{end}{rest}" if by else part


def sort_struck(text: str) -> str:
    """Return a core memory in which the struck bullets of a block stand behind the others."""
    rows = text.splitlines(keepends=True)
    every = bullets.core_bullets(text)
    for block in {one.block for one in every if not facts.holds(one.text)}:
        own = [one for one in every if one.block == block]
        struck = [one for one in own if not facts.holds(one.text)]
        moved = ["".join(rows[one.start - 1 : one.end]) for one in struck]
        last = own[-1].end - 1
        for one in struck:
            rows[one.start - 1 : one.end] = [""] * (one.end - one.start + 1)
        rows[last] = "".join((rows[last], *(f"{one.rstrip()}\n" for one in moved)))
    return "".join(rows)
