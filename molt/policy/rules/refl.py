"""REFL: what a reflection proposes is nothing until a person takes it, and says what it says."""

from __future__ import annotations

from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import score_changes, scores
from molt.formats.reflections import erased, plan, record, refs
from molt.policy import append_only
from molt.policy.engine import Example, Fault, Judged, Rule
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.record import ReflectionRecord
    from molt.policy.shapes import Shape
    from molt.trees import Tree

_FOLDER = refs.RECORDS
_SETTLER = "system:reflect"
"""Who writes down what was decided where git merged a reflection."""
_ACTOR = "reflection:"
_IS_THERE = "where git has fast-forwarded to it, `molt accept RANGE` takes it as it is"


def _is_brought(judged: Judged) -> bool:
    """Whether a person, or a forge for one, has brought a commit there."""
    return judged.context.approved or bool(judged.context.arrival)


def _is_squash(judged: Judged) -> bool:
    """Whether a commit brings in a reflection as one: it adds a record, and what that is about.
    The last lines of such a message may be those of the commits that it is made of.
    """
    added = [one.path for one in judged.changes if one.status == "A" and _is_record(one.path)]
    return bool(added) and len(judged.changes) > len(added) and not judged.context.onto


def _is_record(path: str) -> bool:
    return path.startswith(_FOLDER) and path.endswith(".md")


def _by_reflection(shape: Shape) -> bool:
    return shape.actor.startswith(_ACTOR)


def _with_records(shape: Shape) -> bool:
    """Whether a commit may change a record, or settle one."""
    return shape.weighs("bookkeeping")


def _check_pending(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith(_ACTOR) or judged.message is None:
        return
    approval = messages.approval(judged.message)
    if approval != "pending" or judged.is_proposal or _is_brought(judged) or _is_squash(judged):
        return
    name = judged.actor.removeprefix(_ACTOR)
    said = f"what {name} proposes awaits a person, and is on another branch than reflect/{name}"
    yield Fault("", 0, said, f"{_tell_ways(name)}; {_IS_THERE}")


def _tell_ways(name: str) -> str:
    return (
        f"a person takes it: `molt reflect approve {name}`, or `git merge --no-ff reflect/{name}`"
    )


def _check_approved(judged: Judged) -> Iterator[Fault]:
    """Operations that approve themselves, and records that somebody brings who is no person."""
    yield from _check_own_word(judged)
    yield from _check_bringer(judged)
    if judged.context.onto is None:
        yield from _check_squash(judged)


def _check_own_word(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith(_ACTOR) or judged.message is None:
        return
    approval = messages.approval(judged.message)
    if approval == "pending" or judged.context.approved:
        return
    name = judged.actor.removeprefix(_ACTOR)
    said = f"{name} calls its own commit {approval or 'neither pending nor approved'}"
    yield Fault("", 0, said, f"on its branch it is pending; {_tell_ways(name)}")


def _check_bringer(judged: Judged) -> Iterator[Fault]:
    """A merge, or a commit, by who is named and no person, that brings what nobody has decided."""
    surroundings = judged.context.environment_actor
    actors = (judged.actor, surroundings)
    bringer = next((one for one in actors if one not in ("", "manual")), "")
    if not bringer or (bringer.startswith(_ACTOR) and judged.context.onto is None):
        return
    touched = any(_is_record(one.path) for one in judged.changes)
    if judged.context.onto is None and not touched:
        return
    before = judged.context.onto or judged.base
    for name in sorted(_list_records(judged.new) - _list_records(before)):
        found = record.parse_record(read_text(judged.new, f"{_FOLDER}{name}.md"))
        if found.status == "pending":
            said = f"{bringer} brings in what {name} proposes, and no person has approved it"
            yield Fault(f"{_FOLDER}{name}.md", 0, said, _tell_ways(name))


def _list_records(tree: Tree) -> frozenset[str]:
    names = tree.names(_FOLDER.rstrip("/"))
    return frozenset(name.removesuffix(".md") for name in names if name.endswith(".md"))


def _check_squash(judged: Judged) -> Iterator[Fault]:
    """A commit of a forge, which names nobody, brings just what the plan names that it brings."""
    if judged.is_person or judged.init or not _is_squash(judged):
        return
    named: set[str] = set()
    for one in judged.changes:
        if one.status == "A" and _is_record(one.path):
            items = record.parse_record(read_text(judged.new, one.path)).items
            named |= {one.path, *(path for item in items for path in item.files)}
    for one in judged.changes:
        if one.path not in named:
            said = f"{judged.who} brings it in with a reflection that does not name it"
            yield Fault(one.path, 0, said, "a person commits it apart from that")


def _check_record(judged: Judged) -> Iterator[Fault]:
    for one in judged.changes:
        if not _is_record(one.path) or (judged.init and one.status == "A"):
            continue
        if one.status == "D":
            hint = "restore it: the next reflection learns from it"
            said = "the record of a reflection is removed"
            yield Fault(one.path, 0, said, hint, soft=judged.is_person)
            continue
        found = record.parse_record(read_text(judged.new, one.path))
        before = record.parse_record(read_text(judged.base, one.path))
        for said, hint in _find_wrong(judged, one.path, found, before):
            yield Fault(one.path, 0, said, hint, soft=judged.is_person)
    yield from _check_settling(judged)


def _find_wrong(
    judged: Judged, path: str, found: ReflectionRecord, before: ReflectionRecord
) -> Iterator[tuple[str, str]]:
    """What a record says that cannot be, and what to do."""
    anew = "`molt reflect` and `molt reflect rebase` write records"
    if path != f"{_FOLDER}{found.id}.md":
        yield f"it calls itself {found.id!r}", anew
        return
    operations = [plan.from_item(item) for item in found.items]
    whole = [one for one in operations if one is not None]
    if len(whole) != len(operations) or plan.hash_plan(whole) != found.plan_hash:
        yield "its plan is not the one whose hash it tells", anew
    same = before.plan_hash in ("", found.plan_hash)
    if not same and not _is_forgotten(judged, found, before):
        yield "its plan is another one than before", anew
    decides = found.status != before.status and found.status != "pending"
    if decides and not judged.is_person and not _settles(judged, before, found):
        hint = f"a person does: `molt reflect approve {found.id}`"
        yield f"{judged.who} decides that it is {found.status[:40]!r}", hint


def _is_forgotten(judged: Judged, found: ReflectionRecord, before: ReflectionRecord) -> bool:
    """Whether a person has removed for good what was forgotten: operations of a plan that was
    decided are gone and counted, and the others as they were.
    """
    if before.status == "pending" or not append_only.is_burial(judged):
        return False
    lost = len(before.items) - len(found.items)
    items = iter(before.items)
    kept = all(item in items for item in found.items)
    return kept and _count_forgotten(found) == _count_forgotten(before) + lost


def _count_forgotten(found: ReflectionRecord) -> int:
    count = dict(found.fields).get(erased.FORGOTTEN)
    return count if isinstance(count, int) else 0


def _settles(judged: Judged, before: ReflectionRecord, found: ReflectionRecord) -> bool:
    """Whether it writes down that git has merged what was pending on this branch already."""
    there = judged.base.entry(f"{_FOLDER}{found.id}.md") is not None
    merged = there and before.status == "pending" and found.status in ("approved", "partial")
    return judged.actor == _SETTLER and merged


def _check_settling(judged: Judged) -> Iterator[Fault]:
    """Scores that are set for a reflection: of what it names, and no others."""
    if judged.actor != _SETTLER or judged.merge:
        return
    before, after = (read_text(tree, paths.SCORES) for tree in (judged.base, judged.new))
    if before == after:
        return
    named = {memory for one in _list_settled(judged) for memory in _list_named(one)}
    for memory in _list_changed(before, after):
        if memory not in named:
            said = f"{judged.who} sets the score of {memory}, which no plan names"
            yield Fault(paths.SCORES, 0, said, "`molt decay` sets scores, or a person does")


def _list_settled(judged: Judged) -> Iterator[ReflectionRecord]:
    for one in judged.changes:
        if _is_record(one.path) and one.status == "M":
            yield record.parse_record(read_text(judged.new, one.path))


def _list_named(found: ReflectionRecord) -> Iterator[str]:
    for item in found.items:
        one = plan.from_item(item)
        if one is not None:
            yield from plan.list_evidence(one)


def _list_changed(before: str, after: str) -> list[str]:
    changed = score_changes.changed_entries(before, after)
    if changed is not None:
        return sorted(changed)
    try:
        old, new = (scores.parse_scores(text)["entries"] for text in (before, after))
    except ValueError:
        return ["everything"]
    return sorted(name for name in {**old, **new} if old.get(name) != new.get(name))


_BRANCHED = (
    "[CREATE] memory/graph/entities/tool--x.md — x\n\nActor: reflection:r-001\n"
    "Approval: {}\nTrigger: reflection\n"
)
_NOTE = {
    "memory/graph/entities/tool--x.md": "---\nid: tool--x\ntype: tool\nlabel: x\n---\n# x\n",
}
# To compute it would have every commit import what reads JSON.
_HASH = "fbe2daf3c1b4bb281a19693541605d953279d07b3656870a0cdbff371d351215"
_ITEM = '{"n": 1, "op": "question", "args": {"text": "Why?"}, "confidence": "medium"}'
_PENDING = f"---\nid: r-001\nstatus: pending\nplan_hash: {_HASH}\nitems:\n  - {_ITEM}\n---\n"
_DECIDED = _PENDING.replace("pending", "approved")
_PATH = f"{_FOLDER}r-001.md"

RULES = (
    Rule(
        "REFL001",
        "pending stays on its branch",
        "error",
        _check_pending,
        "That nothing becomes memory by waiting.",
        Example({}, _NOTE, _BRANCHED.format("pending"), branch="refs/heads/reflect/r-001"),
        Example({}, _NOTE, _BRANCHED.format("pending"), branch="refs/heads/main"),
        needs_message=True,
        concerns=_by_reflection,
    ),
    Rule(
        "REFL002",
        "a person approves",
        "error",
        _check_approved,
        "That who proposes does not approve.",
        Example({}, {_PATH: _PENDING}, actor="manual"),
        Example({}, {_PATH: _PENDING}, actor="bot:main"),
        concerns=lambda shape: _by_reflection(shape) or _with_records(shape),
    ),
    Rule(
        "REFL003",
        "records hold",
        "error",
        _check_record,
        "That what is approved is what was shown.",
        Example({}, {_PATH: _DECIDED}, actor="manual"),
        Example({}, {_PATH: _DECIDED}, actor="reflection:r-001"),
        concerns=_with_records,
    ),
)
