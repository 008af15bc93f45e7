"""What a memory's own text says of its relevance: when it was written, by what right, and whether
it is pinned.
"""

from __future__ import annotations

from molt.formats import times
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.formats.episodes import Episode

BASE = 0.7
"""The base relevance of what was detected, and of what says nothing of its source."""

STATES = ("active", "fading", "dormant", "archived")
"""What a memory can be, from the freshest."""

BROUGHT = "brought"
"""The field of an imported entry that says on which day it was brought in."""

SUPERSEDES = "supersedes"
"""The field of a memory that names the one whose place it takes."""

CONTRADICTS = "contradicts"
"""The field of an entry that names a memory which says otherwise."""

FIELD = "origin"
"""The field of an entry, and of a note's front matter, that says whose word it is."""

OUTSIDE = ("tool", "web", "sub-agent", "import")
"""The classes of what came from elsewhere than the user and the agent itself."""

CLASSES = ("user", "agent", *OUTSIDE)

_WORDS = {
    "web": "webpage website www page site url link browser internet online article blog rss feed",
    "tool": "mcp api stdout email e-mail mail inbox newsletter",
    "sub-agent": "subagent sub_agent",
    "import": "imported importer",
}
MEANT = {word: kind for kind, words in _WORDS.items() for word in (kind, *words.split())}
"""What people and agents write for a class of outside."""

IMPORTED = "memory/imported/"
"""Where notes are that were brought in, whatever they say."""

UNTIL = "until"
"""The field of a memory that says the last day on which it holds."""
_BASES = {"user-explicit": 1.0, "reflection": 0.5, "inferred": 0.5}
"""What nobody said has half of the base relevance of what a person asks to keep."""
_PINNED_BLOCK = "core:critical-facts"


class Origin(Value):
    """`written` is the second at which a memory became one, None where its text does not say;
    `base` its base relevance; `pinned` that it never fades; `until` the second from which it holds
    no longer, None where it says none.
    """

    written: float | None = None
    base: float = BASE
    pinned: bool = False
    until: float | None = None


UNKNOWN = Origin()


def base_of(source: str) -> float:
    """The base relevance of a source: said explicitly, detected, or inferred (seed, section 9)."""
    return _BASES.get("inferred" if source.startswith("subagent:") else source, BASE)


def class_of(source: str) -> str:
    """The class of the origin of what has a source: `user`, `agent`, or one of `OUTSIDE`."""
    if source.startswith("subagent:"):
        return "sub-agent"
    if source in OUTSIDE:
        return source
    return "user" if source == "user-explicit" else "agent"


def is_outside(source: str) -> bool:
    """Whether what has a source came from elsewhere than the user and the agent itself."""
    return class_of(source) in OUTSIDE


def mark_text(text: str, kind: str, old: str = "") -> str:
    """A fact or bullet that says at its end that it came from outside, and which entry of a log it
    supersedes: any other memory is marked where it is.
    """
    text = f"{text} ({FIELD}: {kind})" if kind in OUTSIDE else text
    return f"{text} ({SUPERSEDES}: {old})" if old.startswith("episode:") else text


def name_superseded(old: str) -> tuple[tuple[str, str], ...]:
    """The fields of an entry that supersedes a memory. A fact is struck out where it stands: it is
    not all that there is of its entity.
    """
    return () if not old or old.startswith("entity:") else ((SUPERSEDES, old),)


def find_mark(row: str) -> str:
    """The class of outside that a line says its fact or bullet is from, however that is spaced
    around the word or written, and whatever stands behind it; else empty. What stands in a comment
    marks nothing for who sees the page.
    """
    low = row.casefold()
    # Within the word there are no spaces: by it files are found that say so at all.
    if FIELD not in low:
        return ""
    shown, *rest = low.split("<!--")
    said = "".join("".join((shown, *(one.partition("-->")[2] for one in rest))).split())
    told = (one.partition(")") for one in said.split(f"({FIELD}:")[1:])
    kinds = (_find_meant(kind) for kind, end, _ in told if end)
    return next(filter(None, kinds), "")


def _find_meant(said: str) -> str:
    """The class of outside that a word means, whatever it names behind it; empty for none."""
    head = "www" if said.startswith("www.") else said.partition(":")[0]
    return MEANT.get(head, "")


def read_class(fields: Mapping[str, object]) -> str:
    """The class of outside that front matter, or the fields of an entry, say that all of it is
    from; else empty. The case of a key does not count.
    """
    given = {key.strip().lower(): _read_source(str(value)) for key, value in fields.items()}
    for kind in (given.get(FIELD, ""), class_of(given.get("source", ""))):
        if kind in OUTSIDE:
            return kind
    return "import" if "imported" in given else ""


def _read_source(value: str) -> str:
    """A source without what stands around it, or behind it: `[web]`, `web page`, an address."""
    first = value.strip(" \t\n[]\"'").lower().split(maxsplit=1)[:1]
    said = first[0].rstrip(",]\"'") if first else ""
    return "web" if said.startswith(("http:", "https:")) else _find_meant(said) or said


def read_entry_class(entry: Episode) -> str:
    """The class of outside that an entry of a day's log says that it is from; else empty."""
    return read_class({"source": entry.source, **dict(entry.fields)})


def read_entry(entry: Episode) -> Origin:
    """The origin of an entry of a day's log, whose time is taken for UTC.

    One that was imported is as old as its import: its own date may be years back. Imports of
    before that was noted have no date.
    """
    fields = dict(entry.fields)
    time = entry.stamp if len(entry.stamp) > len("HH:MM") else f"{entry.stamp}:00"
    stamp = fields.get(BROUGHT, "") if "imported" in fields else f"{entry.date}T{time}Z"
    until = read_end(fields.get(UNTIL, ""))
    return Origin(times.parse_time(stamp), base_of(entry.source), until=until)


def read_end(text: str) -> float | None:
    """The second at which the day that a text names is over; None where it names none."""
    start = times.parse_time(text[:10]) if times.is_date(text[:10]) else None
    return None if start is None else start + times.DAY


def read_note(fields: Mapping[str, object], *, pinned: bool = False) -> Origin:
    """The origin of a note by its front matter: what was written anew is as old as that.

    `pinned` are notes that always are.
    """
    stamps = (times.parse_time(str(fields.get(key, ""))) for key in ("created", "updated"))
    value = fields.get("pinned", False)
    pin = value if isinstance(value, bool) else str(value).lower() in ("yes", "true")
    written = max((stamp for stamp in stamps if stamp is not None), default=None)
    until = read_end(str(fields.get(UNTIL, "")))
    return Origin(written, base_of(str(fields.get("source", ""))), pinned or pin, until)


def read_bullet(memory: str) -> Origin:
    """The origin of a bullet or block of MEMORY.md: it has no date, and only those of Critical
    Facts are pinned.
    """
    return Origin(pinned=memory.partition("#")[0] == _PINNED_BLOCK)
