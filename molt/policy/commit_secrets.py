"""The secrets that a commit adds: in its files, in their names, and in its message and headers."""

from __future__ import annotations

from itertools import groupby

from molt.policy import allowed, leaks, names, secrets, texts
from molt.policy.engine import Fault, Judged
from molt.policy.secrets import scan
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_ASKED = 4 << 20
"""Characters of a commit that are searched for likely secrets; all of it for known formats."""
_MOST_KEPT = 1000
"""Findings of one file that are compared with what history holds already."""
_TELLING = 8
"""So many characters identify a value: shorter ones are in a text by chance."""
_PDF = b"%PDF-"
"""How a file begins that is no text to read, though all of it can be ASCII."""


class _Sighting(Value):
    """What is reported of one kind of secret in a line, and its values there."""

    fault: Fault
    values: frozenset[str]


def find_all(judged: Judged, written: Sequence[str]) -> Iterator[Fault]:
    """Yield the faults of what the files that a commit writes, their names, and the message and
    headers contain.
    """
    yield from _find_beside(judged)
    # What agents read comes first: it is searched for likely secrets in any case.
    ordered = sorted(written, key=lambda path: not leaks.is_read(judged, path))
    left, unasked = _MOST_ASKED, ""
    sightings: list[_Sighting] = []
    for path in ordered:
        rows = judged.added(path)
        left -= sum(len(line) for _, line in rows)
        unasked = unasked or (path if left < 0 else "")
        for count, sighting in enumerate(_find_in_file(judged, path, asks=left >= 0)):
            if count >= _MOST_KEPT:
                break
            sightings.append(sighting)
    for _, faults in groupby(_soften_known(judged, sightings), lambda fault: fault.path):
        yield from leaks.limit(faults)
    if unasked:
        wrong = "a large commit: this and what follows is searched for known formats alone"
        yield Fault(unasked, 0, wrong, "review it, or commit less at once", soft=True)


def _find_beside(judged: Judged) -> Iterator[Fault]:
    """Yield the faults of names of new files, of the message, and of authors and headers."""
    added = [change.path for change in judged.changes if change.status == "A"]
    message = judged.message.text if judged.message else ""
    for path in added:
        name = path.replace("\n", " ")
        for start, _, kind in secrets.find(name):
            fault = _make_fault(judged, (path, 0), kind, f"{_show(name, start, kind)} in its name")
            yield fault.replace(hint="rename it, and rotate it")
    for text, where in (
        (message, "the message"),
        (judged.context.headers, "an author or header"),
    ):
        for row, (start, _, kind) in _list_matches(text):
            fault = _make_fault(judged, ("", 0), kind, f"{_show(row, start, kind)} in {where}")
            yield fault.replace(hint="take it out")


def _list_matches(text: str) -> Iterator[tuple[str, secrets.Match]]:
    rows = text.split("\n")
    for at, matches in secrets.search(text):
        yield from ((rows[at], match) for match in matches)


def _find_in_file(judged: Judged, path: str, *, asks: bool) -> Iterator[_Sighting]:
    rows = judged.added(path)
    data = judged.new.read(path) or b""
    taken_over = leaks.is_taken_over(path)
    binary = not leaks.is_text(path) and (texts.is_binary(data) or data.startswith(_PDF))
    text = "\n".join(line for _, line in rows)
    least = scan.MARKED if binary or taken_over else 0
    soft, hashes = judged.init or taken_over, _read_allowed(judged)
    for at, matches in scan.search(text, least_prefix=least, asks=asks):
        number, line = rows[at]
        marked = judged.is_person and allowed.MARK in line
        if marked or allowed.hash_line(line) in hashes:
            continue
        first = {kind: start for start, _, kind in reversed(matches)}
        for kind, start in first.items():
            fault = _make_fault(judged, (path, number), kind, _show(line, start, kind))
            every = frozenset(line[begin:end] for begin, end, other in matches if other == kind)
            yield _Sighting(fault.replace(soft=fault.soft or soft), every)


def _read_allowed(judged: Judged) -> frozenset[str]:
    """Return the hashes of lines that were allowed before, and that a person allows here."""
    before = allowed.read_hashes(judged.base)
    return before | allowed.read_hashes(judged.new) if judged.is_person else before


def _show(line: str, start: int, kind: str) -> str:
    """Return a kind with as much of its value as finds it again."""
    return f"{kind} ({line[start : start + 4]}…)"


def _make_fault(judged: Judged, place: tuple[str, int], kind: str, shown: str) -> Fault:
    level = secrets.class_of(kind, judged.config.policy_secrets)
    path, number = place
    if level == secrets.WARN:
        return Fault(path, number, f"{shown} is in plain text: {level}", "review it", soft=True)
    ways = _list_ways(judged, path, number)
    if level == secrets.ASK:
        who = "" if judged.is_person else "; only a person can say that it is none"
        hint = f"take it out, and rotate it if it is a secret{who}{ways}"
        return Fault(path, number, f"{shown} may be a secret: {level}", hint, soft=judged.is_person)
    return Fault(path, number, f"{shown} is a secret: {level}", f"take it out and rotate it{ways}")


def _list_ways(judged: Judged, path: str, number: int) -> str:
    """Return the commands that help where something is no secret, or belongs outside of git; none
    for a commit that exists, as what is in history stays there.
    """
    ways = ""
    if not path or judged.context.commit:
        return ways
    if judged.is_person:
        place = names.quote_path(f"{path}:{number}")
        ways = f'; or say that it is none: `molt check --allow {place} --why "…"`'
    if not leaks.is_read(judged, path):
        out = f"git rm --cached {names.quote_path(path)}"
        ways += f"; or leave the file out of git: `{out}`, and a line in .gitignore"
    return ways


def _soften_known(judged: Judged, sightings: Sequence[_Sighting]) -> Iterator[Fault]:
    """Yield the faults, as warnings where a person adds what history holds already: that makes
    nothing worse.
    """
    hard = (one.values for one in sightings if not one.fault.soft)
    values = sorted(value for every in hard for value in every if len(value) >= _TELLING)
    holds = judged.context.holds
    known = holds(values) if judged.is_person and values and holds else frozenset()
    for one in sightings:
        yield one.fault.replace(soft=one.fault.soft or one.values <= known)
