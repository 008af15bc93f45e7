"""META: bookkeeping is written by molt's own commands."""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import tombstones
from molt.policy import append_only, logs, sensitivity, shapes, texts
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.message import Message
    from molt.formats.meta.tombstones import Graveyard, Tombstone
    from molt.policy.shapes import Shape
    from molt.trees import Tree

_LOG = "memory/meta/reflection-log.md"
_RECORDS = "memory/meta/reflections/"
_ARCHIVE = "memory/meta/audit-archive.md"
_EVOLUTION = "memory/meta/evolution.md"
_STONES = paths.TOMBSTONES
_PASTS = {_LOG: "the log of reflections", _ARCHIVE: "the archive of the audit log"}
"""The books that tell what was, by path, as a person calls them."""
_REVERTS = 'Revert "['
_REMOVAL = f"{_REVERTS}DELETE] "
"""How git calls the revert of what has an action, and of a removal for good."""
_TAKEN_BACK, _UNDONE = ("undo [", "redo ["), "undo [DELETE] "
"""How the hook calls them."""
_UNDOING = "molt revert"
"""The trigger of molt's own reverts."""
_SAYING = ("core", "episode", "entity", "procedure", "prose", "proposals", "relations", "vault")
_WRITERS = {
    paths.SCORES: ("", "bot", "system", "skill"),
    paths.PROPOSALS: ("", "bot", "subagent", "reflection"),
    _LOG: ("system",),
    _EVOLUTION: ("system",),
    _RECORDS: ("", "system", "reflection"),
    _ARCHIVE: ("system",),
    _STONES: ("bot",),
    paths.QUESTIONS: ("bot",),
}
"""Which types of actors write a file, or the files of a folder; the checksums have CRIT002, and
what is not listed is not molt's."""
_OWN = ("init", "decay", "audit", "reflect")
"""The names under which molt itself acts: another one says nothing."""
_FIELDS = {
    "system:decay": (paths.SCORES,),
    "system:audit": (_ARCHIVE,),
    "system:reflect": (_LOG, _EVOLUTION, paths.SCORES, _RECORDS),
}
"""What is written by actors that keep books and do nothing else."""


def _check_writers(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or judged.init:
        return
    field = _FIELDS.get(judged.actor)
    for change in judged.changes:
        kept = judged.sensitivity(change) == sensitivity.BOOKKEEPING
        place = _RECORDS if change.path.startswith(_RECORDS) else change.path
        if field is not None and place not in field:
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


def _check_pasts(judged: Judged) -> Iterator[Fault]:
    """The books of the past are appended to: a merge of git's own apart, where both sides are."""
    for change in judged.changes:
        if change.path in _PASTS and change.status != "A":
            yield from _find_rewriting(judged, change.path)


def _find_rewriting(judged: Judged, path: str) -> Iterator[Fault]:
    after = judged.new.read(path)
    if after is None:
        said = f"{_PASTS[path]} is removed"
        yield Fault(path, 0, said, "restore it", soft=judged.is_person)
        return
    sides = [tree.read(path) or b"" for tree in judged.befores]
    found = logs.unite(after, sides, own=False) if judged.merge else logs.compare(sides[0], after)
    if found.kind != logs.APPENDED and not _is_forgotten(judged, sides[0], after):
        said = f"{found.said}; {_PASTS[path]} is only appended to"
        yield Fault(path, found.line, said, "append what corrects it", soft=judged.is_person)


def _is_forgotten(judged: Judged, before: bytes, after: bytes) -> bool:
    """Whether a person has removed for good what was forgotten: words below headings are gone, and
    the headings stay, as does the tombstone of what is gone.
    """
    if not append_only.is_burial(judged):
        return False
    old, new = before.split(b"\n"), after.split(b"\n")
    rest = iter(old)
    return all(row in rest for row in new) and _list_headings(old) == _list_headings(new)


def _list_headings(rows: Sequence[bytes]) -> list[bytes]:
    return [row for row in rows if row.startswith(b"## ")]


def _check_tombstones(judged: Judged) -> Iterator[Fault]:
    """What was forgotten is written down by who may forget, and taken out by people."""
    if not any(one.path == _STONES for one in judged.changes):
        return
    after = read_text(judged.new, _STONES)
    for number in tombstones.list_malformed(after):
        yield Fault(_STONES, number, "this line is no tombstone", "`molt forget` writes them")
    if judged.is_person:
        return
    kept = {one.line for one in tombstones.parse_tombstones(after)}
    sides = [{one.line for one in _parse_stones(tree)} for tree in judged.befores]
    gone = set.intersection(*sides) - kept
    if gone:
        said = f"{judged.who} takes {len(gone):,} of what was forgotten back"
        yield Fault(_STONES, 0, said, "a person does: `molt restore`, or `molt remember`")
    every = [one for tree in judged.befores for one in _parse_stones(tree)]
    strange = tombstones.list_salts(_parse_stones(judged.new)) - tombstones.list_salts(every)
    if strange and every:
        said = f"{judged.who} hashes with another salt than what was forgotten before"
        yield Fault(_STONES, 0, said, "`molt forget` takes the one that is there")
    if kept.difference(*sides) and not _is_confirmed(judged):
        said = f"{judged.who} forgets, and no person has said so"
        yield Fault(
            _STONES, 0, said, f"a person does, or {messages.FORGETTER} with `Approval: approved`"
        )


def _parse_stones(tree: Tree) -> tuple[Tombstone, ...]:
    # Most histories have none, and nearly all commits those of the one before.
    return tombstones.parse_tombstones(read_text(tree, _STONES)) if tree.entry(_STONES) else ()


def _is_confirmed(judged: Judged) -> bool:
    """Whether a person has asked the bot to forget, as its commit says."""
    approval = messages.approval(judged.message) if judged.message else "approved"
    return judged.actor == messages.FORGETTER and approval == "approved"


def _check_returns(judged: Judged) -> Iterator[Fault]:
    """What was forgotten is not written again by whom nobody asked to; nor does a merge bring it
    back from a branch that has not heard of it, which a person is told of; nor a revert what was
    removed for good.
    """
    if judged.is_person and not judged.merge:
        yield from _check_reverted(judged)
        return
    sides = list(map(_parse_stones, judged.befores))
    if judged.merge:
        # What a person has brought back on one side is no longer forgotten.
        left = frozenset(_parse_stones(judged.new))
        sides = [tuple(one for one in held if one in left) for held in sides]
    if not any(sides):
        return
    if not judged.is_person:
        known = tombstones.Graveyard(dict.fromkeys(one for held in sides for one in held))
        for change in changed_files(judged, *_SAYING):
            yield from _find_again(judged, known, judged.base, change.path)
    if judged.merge:
        yield from _check_carried(judged, sides)


def _check_reverted(judged: Judged) -> Iterator[Fault]:
    """What a person's commit says again while it takes it from what was forgotten, as git's own
    revert of a removal for good does, whatever it calls itself. molt's commands that bring
    something back say so.
    """
    if judged.message is None or _brings_back(judged.message):
        return
    gone = {one.line: one for one in _parse_stones(judged.base)}
    for one in _parse_stones(judged.new):
        gone.pop(one.line, None)
    known = tombstones.Graveyard(gone.values())
    for change in changed_files(judged, *_SAYING) if gone else ():
        said = texts.list_said(known, [row for _, row in judged.added(change.path)], most=None)
        if said:
            told = f"the commit brings back what was removed for good on {said[0].date}"
            hint = "`git revert --no-edit` of it takes it away again; `molt remember` says it anew"
            yield Fault(change.path, 0, told, hint)


def _brings_back(message: Message) -> bool:
    """Whether a commit says that it is molt's and brings back what it was asked for, or git's own
    revert of what has put away and removed nothing.
    """
    if messages.classify_subject(message.subject) == "revert":
        return message.subject.startswith(_REVERTS) and not message.subject.startswith(_REMOVAL)
    if message.action == "REVERT" and _UNDOING not in messages.trailer_values(message, "Trigger"):
        # What the hook has made of git's own words.
        return message.summary.startswith(_TAKEN_BACK) and not message.summary.startswith(_UNDONE)
    asked = messages.trailer_values(message, "Route-Engine")
    return message.action in ("RESTORE", "REVERT") or bool(asked)


def _check_carried(judged: Judged, sides: Sequence[Sequence[Tombstone]]) -> Iterator[Fault]:
    """What other sides of a merge say anew for one that has forgotten it, and that nothing has put
    away. What only a person takes away stops nobody.
    """
    if not any(sides):
        return
    # Hardly a merge meets one, and each hook would import what takes files apart.
    from molt.policy import returns

    reported: set[str] = set()
    for tree, held in zip(judged.befores, sides, strict=True):
        known = tombstones.Graveyard(held)
        for change in trees.diff(tree, judged.new) if held else ():
            if change.status == "D" or paths.kind_of(change.path) not in _SAYING:
                continue
            for one, stone in returns.list_returning(known, tree, judged.new, change.path):
                if one.id in reported or returns.is_put_away(judged.new, one):
                    continue
                reported.add(one.id)
                soft = (
                    judged.is_person
                    or returns.is_left_to_people(judged.new, one)
                    or any(returns.is_moved(side, judged.new, one) for side in judged.befores)
                )
                said = f"the merge brings back what was forgotten on {stone.date}"
                hint = "`molt forget` puts it away again" if soft else "`molt sync` puts it away"
                yield Fault(one.path, one.start, said, hint, soft=soft)


def _find_again(judged: Judged, known: Graveyard, before: Tree, path: str) -> Iterator[Fault]:
    """What was forgotten that the new lines of a file say."""
    added = [
        row for _, row in texts.list_added(before.read(path) or b"", judged.new.read(path) or b"")
    ]
    try:
        found = texts.list_said(known, added, most=tombstones.MOST_HASHED)
    except ValueError as error:
        yield Fault(path, 0, str(error), "commit less at once")
        return
    for one in found:
        said = f"{judged.who} writes what was forgotten on {one.date}"
        hint = "a person brings it back: `molt restore`, or `molt --actor manual remember`"
        yield Fault(path, 0, said, hint)


_MEND_QUESTIONS = f"a person mends it: `git log -p -- {paths.QUESTIONS}` shows how it was"


def _check_questions(judged: Judged) -> Iterator[Fault]:
    """Golden questions judge what bots propose: a bot adds to them, and people do all else."""
    path = paths.QUESTIONS
    if judged.is_person or not any(one.path == path for one in judged.changes):
        return
    # Hardly a commit touches them, and each bot's would import a hundredth more.
    from molt.formats.meta import questions

    after = questions.parse_questions(read_text(judged.new, path))
    befores = [questions.parse_questions(read_text(tree, path)) for tree in judged.befores]
    if after.broken or any(one.broken for one in befores):
        said = f"{judged.who} leaves golden questions that cannot be read"
        yield Fault(path, 0, f"{said}: {after.broken or 'those before'}", _MEND_QUESTIONS)
        return
    kept = frozenset(after.questions)
    # What a person has removed on one side of a merge is gone.
    sides = [frozenset(one.questions) for one in befores]
    gone = frozenset.intersection(*sides) - kept
    if gone:
        names = sorted(one.id for one in gone)
        said = f"{judged.who} changes or removes golden questions: {', '.join(names[:5])}"
        hint = f"a person does: `molt --actor manual question remove {names[0]}`"
        yield Fault(path, 0, said, hint)
    first = after.questions[: len(befores[0].questions)]
    if not judged.merge and not gone and first != befores[0].questions:
        said = f"{judged.who} puts golden questions before others"
        yield Fault(path, 0, said, "`molt question add` puts one behind them")


_DECIDED = "# Reflection Log\n\n## r-001 | 2026-02-02 | approved | 1 of 1\n"
_STONE = f"2026-02-02 ab 3 * {'0' * 64}\n"
_SAID = "- The locker code is 4711.\n"
_LOCKER = "2026-02-02 ab 3 * 9cba9dcba3e68b6a0d5d36bc17001938ac0fb33836d85fcdd596a6bab607fd10\n"
_ASKED = "- question: Which port?\n  expect: 4711\n"
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
        "books of the past",
        "error",
        _check_pasts,
        "That what was decided, and what happened, stays written.",
        Example({_LOG: _DECIDED}, {_LOG: _DECIDED + _MORE}, actor="system:reflect"),
        Example({_LOG: _DECIDED}, {_LOG: "# Reflection Log\n" + _MORE}, actor="system:reflect"),
        concerns=shapes.touching("prose", but="A"),
    ),
    Rule(
        "META003",
        "tombstones",
        "error",
        _check_tombstones,
        "That what a person wants forgotten stays so.",
        Example({_STONES: _STONE}, {}, actor="manual"),
        Example({_STONES: _STONE}, {_STONES: ""}, actor="bot:main"),
        concerns=shapes.touching("tombstones"),
    ),
    Rule(
        "META004",
        "forgotten stays away",
        "error",
        _check_returns,
        "That what was forgotten does not come back by itself.",
        Example({_STONES: _LOCKER, "MEMORY.md": ""}, {"MEMORY.md": _SAID}, actor="manual"),
        Example({_STONES: _LOCKER, "MEMORY.md": ""}, {"MEMORY.md": _SAID}, actor="bot:main"),
        concerns=lambda shape: (
            shape.touches("tombstones") if shape.is_person else shape.touches(*_SAYING, but="D")
        ),
    ),
    Rule(
        "META005",
        "golden questions",
        "error",
        _check_questions,
        "That who is judged by golden questions does not silence them.",
        Example(
            {paths.QUESTIONS: _ASKED},
            {paths.QUESTIONS: f"{_ASKED}- question: Whose?\n  expect: Ada\n"},
            actor="bot:main",
        ),
        Example({paths.QUESTIONS: _ASKED}, {paths.QUESTIONS: ""}, actor="bot:main"),
        concerns=lambda shape: not shape.is_person and shape.touches("questions"),
    ),
)
