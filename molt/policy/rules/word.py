"""WORD: what a person has to say is said by nobody else: neither what a reflection proposes in
another's name, nor an approval.
"""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import proposals
from molt.formats.reflections import refs
from molt.policy import letters
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.meta.proposals import Proposal
    from molt.policy.shapes import Shape
    from molt.trees import FileChange, Tree

_KINDS = ("core", "entity", "procedure", "vault")
_SAYING = (*_KINDS, "episode", "prose")
_TAKING = "bot:commit-from:"
_APPROVED = ("approved", "partial")
_CITED, _MADE = "(source: ", "source: reflection"
_BOOKS = "memory/meta/"
_NOTE = "memory/graph/entities/tool--x.md"
_SAID = "---\nid: tool--x\ntype: tool\nlabel: x\n---\n# x\n"
_OWN = f"[CREATE] {_NOTE} — x\n\nActor: bot:main\nApproval: {{}}\nTrigger: x\n"
_TAKEN = f"{_OWN.format('auto')}Reflection: r-001\nOperation: 1\n"


def _is_anothers(judged: Judged) -> bool:
    """Whether a commit is neither a person's nor a reflection's, nor brought by a person."""
    own = judged.is_person or judged.actor.startswith("reflection:") or judged.init
    return not own and not judged.context.approved


def _by_anothers(shape: Shape) -> bool:
    return not shape.is_person and not shape.actor.startswith("reflection:")


def _check_taken(judged: Judged) -> Iterator[Fault]:
    """What a reflection proposes, and nobody has taken, in the name of another."""
    if not _is_anothers(judged):
        return
    if (named := _name_operation(judged)) and not _has_record(judged.new, named):
        yield Fault("", 0, f"{judged.who} commits an operation of {named}", _tell_ways(named))
        return
    claimed = _list_claimed(judged)
    for change in changed_files(judged, *_KINDS):
        name = _find_proposal(judged, change)
        # Who judges may have no branch of it.
        if not name and change.path in claimed:
            name = "a reflection"
        if name:
            said = f"{judged.who} writes what {name} proposes, and no person has approved it"
            yield Fault(change.path, 0, said, _tell_ways(name))


def _name_operation(judged: Judged) -> str:
    """The reflection that has written a commit, as its words or its author say; else empty."""
    message = judged.message
    said = messages.trailer_values(message, "Reflection") if message else ()
    told = bool(message and messages.trailer_values(message, "Operation"))
    name = next((one for one in said if refs.find_id(f"reflect/{one}")), "")
    return (name or "a reflection") if judged.context.by_reflection or (name and told) else ""


def _has_record(tree: Tree, name: str) -> bool:
    """Whether a reflection was decided on, or comes as a whole, which other rules judge."""
    return tree.entry(f"{refs.RECORDS}{name}.md") is not None


def _find_proposal(judged: Judged, change: FileChange) -> str:
    """The open reflection of which a commit takes a file as it is, or a line with its source."""
    if change.new is None:
        return ""
    for name, start, tip in judged.context.list_proposed() if judged.context.list_proposed else ():
        proposed, known = tip.entry(change.path), start.entry(change.path)
        if _has_record(judged.new, name) or proposed is None:
            continue
        # What was there before a reflection, it does not propose.
        if known is not None and known.oid == proposed.oid:
            continue
        if proposed.oid == change.new.oid:
            return name
        before = frozenset(trees.read_text(start, change.path).split("\n"))
        rows = frozenset(trees.read_text(tip, change.path).split("\n")) - before
        if any(_CITED in row and row in rows for _, row in judged.added(change.path)):
            return name
    return ""


def _list_claimed(judged: Judged) -> list[str]:
    """The new files that say that a reflection has made them, and were never here: what was and
    comes back, as by a revert, somebody has taken before. None where as many that say so go away,
    for then they have other names; and none where a record comes along, as in the squash of a
    forge: REFL002 asks who brings that.
    """
    files = list(changed_files(judged, *_KINDS))
    fresh = [one for one in files if one.status == "A" and _is_claimed(judged.new, one.path)]
    if not fresh or any(
        one.status == "A" and one.path.startswith(refs.RECORDS) for one in judged.changes
    ):
        return []
    lost = (one.path for one in judged.changes if one.status == "D")
    gone = [path for path in lost if _is_claimed(judged.base, path)]
    if len(fresh) <= len(gone):
        return []
    restores = judged.context.restores
    return [
        one.path
        for one in fresh
        if not (restores and one.new and restores(one.path, one.new.oid, None))
    ]


def _is_claimed(tree: Tree, path: str) -> bool:
    """Whether the front matter of a file says that a reflection has made it."""
    text = trees.read_text(tree, path)
    head = text.partition("\n---")[0] if text.startswith("---\n") else ""
    return _MADE in head.split("\n")


def _tell_ways(name: str) -> str:
    named = f" {name}" if name[-1:].isdigit() else ""
    return f"a person takes it: `molt reflect approve{named}`"


def _check_approval(judged: Judged) -> Iterator[Fault]:
    """An approval that nobody but who has it says of: of what a sub-agent proposes, too."""
    message = judged.message
    if message is None or not _is_anothers(judged):
        return
    approval = messages.approval(message)
    says = [one for one in changed_files(judged, *_SAYING) if not _is_book(judged, one.path)]
    if approval not in _APPROVED or not says:
        return
    if judged.actor == messages.FORGETTER:
        # That a person has asked for it is its name; what is forgotten adds no words.
        yield from _find_more(judged, [])
        return
    hint = "`Approval: auto`, or a person commits it"
    if not judged.actor.startswith(_TAKING):
        yield Fault("", 0, f"{judged.who} calls its own commit {approval}", hint)
        return
    hint = "a person decides: `molt --actor manual review accept N`"
    if messages.trailer_values(message, messages.DECIDED) != ("manual",):
        yield Fault("", 0, f"{judged.actor} does not say who has {approval} it", hint)
        return
    taken = _list_taken(judged)
    if not taken:
        said = f"{judged.actor} takes no proposal of {judged.actor.removeprefix(_TAKING)!r}"
        yield Fault(paths.PROPOSALS, 0, f"{said} off the list", hint)
        return
    yield from _find_more(judged, [letters.strip_words(one.content) for one in taken])


def _is_book(judged: Judged, path: str) -> bool:
    """Whether a file is one of the books that molt keeps itself, of which other rules judge."""
    return judged.actor.startswith("system:") and path.startswith(_BOOKS)


def _list_taken(judged: Judged) -> list[Proposal]:
    """The proposals of who a commit says it is from that are on the list no longer."""
    before, after = (
        proposals.parse_proposals(trees.read_text(tree, paths.PROPOSALS))
        for tree in (judged.base, judged.new)
    )
    kept, name = {one.id for one in after}, judged.actor.removeprefix(_TAKING)
    return [one for one in before if one.id not in kept and name in (one.agent, "unknown")]


def _is_item(row: str) -> bool:
    """Whether a line is one of a list: a fact, a bullet or a step, with whatever mark."""
    mark = row.lstrip().partition(" ")[0]
    return mark in ("-", "*", "+") or mark[:-1].isdigit()


def _find_more(judged: Judged, said: list[str]) -> Iterator[Fault]:
    """The facts, bullets and steps of a commit that are not the words of what was proposed."""
    for change in changed_files(judged, *_SAYING):
        for line, row in judged.added(change.path):
            words = letters.strip_words(row) if _is_item(row) else ""
            link = "--" in row.partition(" (")[0]
            if words and not link and not any(words in one or one in words for one in said):
                hint = "an agent commits its own words in its own name"
                yield Fault(
                    change.path, line, f"{judged.actor} adds words that nobody has approved", hint
                )
                return


RULES = (
    Rule(
        "REFL004",
        "proposals are taken by people",
        "error",
        _check_taken,
        "That nobody takes what awaits a person in a name of its own.",
        Example({}, {_NOTE: _SAID}, _OWN.format("auto"), actor="bot:main"),
        Example({}, {_NOTE: _SAID}, _TAKEN, actor="bot:main"),
        concerns=lambda shape: _by_anothers(shape) and shape.touches(*_KINDS),
    ),
    Rule(
        "AGENT005",
        "approval is a person's",
        "error",
        _check_approval,
        "That what is called approved was approved.",
        Example({}, {_NOTE: _SAID}, _OWN.format("auto"), actor="bot:main"),
        Example({}, {_NOTE: _SAID}, _OWN.format("approved"), actor="bot:main"),
        needs_message=True,
        concerns=lambda shape: bool(
            shape.wording and shape.wording.approval in _APPROVED and shape.touches(*_SAYING)
        ),
    ),
)
