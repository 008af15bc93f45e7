"""A person answers what a reflection asked: in its record, and as an episode."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import episodes, paths
from molt.formats import message as messages
from molt.formats import origin as origins
from molt.formats.reflections import plan, record
from molt.memory import workspace
from molt.memory.reflect import meta
from molt.memory.reflect.branches import branch
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from molt.formats.reflections.record import ReflectionItem
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.reflect.meta import OpenQuestion
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

_SOURCE = "user-explicit"
_HINT = "`molt reflect questions` lists what is open"


class AnsweredQuestion(Value):
    """A question that was answered: where it stands (`r-003#4`), its words, and the id of the
    episode that has the answer.
    """

    ref: str
    question: str
    memory: str


def list_questions(ws: Workspace) -> tuple[OpenQuestion, ...]:
    """What reflections asked, decided or not, and nobody has answered; the oldest first."""
    known = branch.list_reflections(ws)
    # What awaits a decision is asked, whatever its record says of itself.
    records = (one.record.replace(status=one.status) for one in known)
    return tuple(meta.list_open(ws.head(), records))


def answer_question(
    ws: Workspace, question: str, words: str, now: datetime, *, dry_run: bool = False
) -> Written[AnsweredQuestion]:
    """Keep a person's answer to a question, which is `r-003#4`, or a number of the reflection that
    is open, else of the newest that asks. One commit has it in the record (where that is on this
    branch) and as an episode, which the next reflection reads.

    Raises Refused for who is no person, NotFound where nothing of that name is asked, Usage for no
    words.
    """
    workspace.require_approver(ws, "answer for the user")
    said = " ".join(words.split())
    if not any(map(str.isalnum, said)):
        raise errors.Usage("an answer without words", 'molt reflect answer 4 "…"')
    found, item = _find_question(ws, question)
    operation = plan.from_item(item)
    asked = plan.describe_operation(operation) if operation else item.summary
    ref = f"{found.id}#{item.n}"

    def make_change(tree: Tree) -> Change[AnsweredQuestion]:
        entry = _make_entry(item, asked, said, ref, now)
        path = f"{paths.EPISODES}{entry.date}.md"
        text, added = episodes.append(trees.read_strict(tree, path) or None, entry)
        edits: Edits = {path: text.encode()}
        kept = record.record_path(found.id)
        if before := trees.read_strict(tree, kept):
            edits[kept] = record.set_answer(before, item.n, said, entry.date).encode()
        named = [("Memory-Id", added.id), ("Reflection", found.id), ("Answers", ref)]
        by = messages.Provenance("manual", "—", "molt reflect answer", named)
        message = messages.render("EDIT", path, f"{ref} answered: {said}"[:72], by)
        return Change(edits, message, AnsweredQuestion(ref, asked, added.id))

    return ws.commit(make_change, dry_run=dry_run, actor="manual", now=now.timestamp())


def _make_entry(
    item: ReflectionItem, asked: str, said: str, ref: str, now: datetime
) -> episodes.Episode:
    """The answer with its question: by itself `yes` says nothing."""
    kind = "correction" if item.op == "contradiction" else "fact"
    fields = ((origins.FIELD, origins.class_of(_SOURCE)), (record.ANSWERS, ref))
    date, time = now.strftime("%Y-%m-%d"), now.strftime("%H:%M:%S")
    return episodes.Episode(
        date, time, kind, "high", source=_SOURCE, fields=fields, text=f"{asked} {said}"
    )


def _find_question(ws: Workspace, ref: str) -> tuple[KnownReflection, ReflectionItem]:
    """The reflection and the item that a question's name means. Raises NotFound."""
    name, mark, number = ref.strip().rpartition("#")
    bare = number.strip()
    if not (bare.isascii() and bare.isdigit() and len(bare) < 6):
        raise errors.NotFound(f"no question {ref!r}; it is a number, or r-NNN#N", _HINT)
    if mark and name:
        candidates = [branch.find_reflection(ws, name)]
    else:
        every = branch.list_reflections(ws)
        candidates = [*(one for one in every if one.is_open), *reversed(every)]
    for found in candidates:
        for item in _list_asked(found):
            if item.n == int(bare):
                return found, item
    raise errors.NotFound(f"no question {bare}{f' in {name}' if name else ''}", _HINT)


def _list_asked(found: KnownReflection) -> Iterator[ReflectionItem]:
    yield from (item for item in found.record.items if item.op in plan.ASKS)
