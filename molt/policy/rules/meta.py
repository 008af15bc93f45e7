"""META: bookkeeping is written by molt's own commands."""

from __future__ import annotations

from molt.formats import paths
from molt.policy import logs, sensitivity, shapes
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.shapes import Shape

_LOG = "memory/meta/reflection-log.md"
_RECORDS = "memory/meta/reflections/"
_ARCHIVE = "memory/meta/audit-archive.md"
_EVOLUTION = "memory/meta/evolution.md"
_WRITERS = {
    paths.SCORES: ("", "bot", "system", "reflection", "skill"),
    paths.PROPOSALS: ("", "bot", "subagent", "reflection"),
    _LOG: ("bot", "system", "reflection"),
    _EVOLUTION: ("bot", "system", "reflection"),
    _RECORDS: ("system", "reflection"),
    _ARCHIVE: ("system",),
}
"""Which types of actors write a file, or the files of a folder; the checksums have CRIT002, and
what is not listed is not molt's."""
_OWN = ("init", "decay", "audit")
"""The names under which molt itself acts: another one says nothing."""
_FIELDS = {"system:decay": (paths.SCORES,), "system:audit": (_ARCHIVE,)}
"""What is written by actors that keep books and do nothing else."""


def _check_writers(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or judged.init:
        return
    field = _FIELDS.get(judged.actor)
    for change in judged.changes:
        kept = judged.sensitivity(change) == sensitivity.BOOKKEEPING
        if field is not None and change.path not in field:
            said = f"{judged.who} writes {' and '.join(field)} only"
            yield Fault(change.path, 0, said, "say who did it")
        elif kept and not _may_write(judged.actor, change.path):
            hint = "molt's own commands write it"
            yield Fault(change.path, 0, f"{judged.who} writes molt's bookkeeping", hint)


def _concerns_books(shape: Shape) -> bool:
    kept = shape.weighs(sensitivity.BOOKKEEPING)
    return not shape.is_person and (kept or shape.actor in _FIELDS)


def _may_write(actor: str, path: str) -> bool:
    kind, _, name = actor.partition(":")
    if kind == "system" and name not in _OWN:
        kind = ""
    if path.startswith(_RECORDS) and kind == "reflection":
        return path == f"{_RECORDS}{name}.md"
    folder = _RECORDS if path.startswith(_RECORDS) else path
    return kind in _WRITERS.get(folder, (kind,))


def _check_log(judged: Judged) -> Iterator[Fault]:
    """The log of reflections is appended to: a merge of git's own apart, where both sides are."""
    change = next((one for one in judged.changes if one.path == _LOG), None)
    if change is None or change.status == "A":
        return
    after = judged.new.read(_LOG)
    if after is None:
        yield Fault(
            _LOG, 0, "the log of reflections is removed", "restore it", soft=judged.is_person
        )
        return
    sides = [tree.read(_LOG) or b"" for tree in judged.befores]
    found = logs.unite(after, sides, own=False) if judged.merge else logs.compare(sides[0], after)
    if found.kind != logs.APPENDED:
        said = f"{found.said}; decisions on reflections are only appended"
        yield Fault(_LOG, found.line, said, "append what corrects it", soft=judged.is_person)


_DECIDED = "# Reflection Log\n\n## r-001 | 2026-02-02 | approved | 1 of 1\n"
_MORE = "\n## r-002 | 2026-02-09 | rejected | 0 of 1\n"

RULES = (
    Rule(
        "META001",
        "bookkeeping",
        "error",
        _check_writers,
        "That molt's books are kept by molt.",
        Example({}, {_RECORDS + "r-001.md": "a\n"}, actor="reflection:r-001"),
        Example({}, {_RECORDS + "r-001.md": "a\n"}, actor="bot:main"),
        concerns=_concerns_books,
    ),
    Rule(
        "META002",
        "log of reflections",
        "error",
        _check_log,
        "That what was decided stays written.",
        Example({_LOG: _DECIDED}, {_LOG: _DECIDED + _MORE}, actor="bot:main"),
        Example({_LOG: _DECIDED}, {_LOG: "# Reflection Log\n" + _MORE}, actor="bot:main"),
        concerns=shapes.touching("prose", but="A"),
    ),
)
