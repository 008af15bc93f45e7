"""Who wrote each line of a file, when, why, and by whose leave it is there."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.memory import inventory, refs
from molt.memory.checks import settled
from molt.policy import secrets
from molt.repo.history import blame
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.message import Message
    from molt.memory.workspace import Workspace
    from molt.repo.history.blame import BlamedLine
    from molt.repo.repository import Repo

_APPROVED = ("approved", "partial")
_REFLECTION = "Reflection"


class Leave(Value):
    """A person's word for what another wrote: who gave it, in which commit, and what for:
    `approved` of a reflection, or the codes of the rules whose findings were accepted. What a
    sub-agent proposed is `accepted` by a person or the main agent.
    """

    by: str
    commit: str
    what: str


class Authorship(Value):
    """The commit that wrote a line: what it says of itself, and whose leave it has.

    All is empty where nothing is committed yet; `actor`, `action` and `approval` are where it
    says nothing of them, as before a workspace was adopted. `time` is in seconds since 1970, UTC.
    `trigger` of what was proposed is why it was.
    """

    commit: str = ""
    time: int = 0
    author: str = ""
    actor: str = ""
    approval: str = ""
    trigger: str = ""
    action: str = ""
    summary: str = ""
    leave: tuple[Leave, ...] = ()


class AnsweredLine(Value):
    """A line of a file, its number from 1, the memory that it is of, and who wrote it."""

    number: int
    text: str
    memory: str
    written: Authorship


def blame_file(ws: Workspace, ref: str, rev: str = "") -> tuple[AnsweredLine, ...]:
    """Each line of a file, of a memory, or of a cited place; as it is on disk, or at a revision.

    Raises NotFound for what is not there, Failed for what git cannot do.
    """
    tree = ws.repo.tree(ws.repo.resolve(rev)) if rev else ws.files()
    places = (refs.find_place(tree, name) for name in (ref, *refs.find_memories(ws, ref)))
    place = next((one for one in places if one), None)
    if place is None:
        raise errors.NotFound(f"there is no {ref}", "`molt search` gives ids, `git ls-files` files")
    span = (place.first, place.last) if place.first else None
    lines = blame.read_blame(ws.repo, place.path, rev, span=span)
    told = _tell_commits(ws.repo, lines)
    text = trees.read_text(tree, place.path)
    memories = dict(_list_memories(place.path, text))
    whole = inventory.find_id(place.path)
    return tuple(
        AnsweredLine(one.number, one.text, memories.get(one.number, whole), told[one.commit])
        for one in lines
    )


def _list_memories(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The memory that each line of a file of several is of."""
    for name, first, last in refs.list_places(path, text):
        for number in range(first, last + 1):
            yield number, name


def _tell_commits(repo: Repo, lines: tuple[BlamedLine, ...]) -> dict[str, Authorship]:
    """What the commits of some lines say of themselves, and whose leave they have."""
    every = {one.commit: one for one in lines if one.commit}
    said = {oid: _read_message(repo, oid) for oid in every}
    leaves = _find_leaves(repo, said) if said else {}
    told = {oid: _tell_commit(one, said[oid], leaves) for oid, one in every.items()}
    return {"": Authorship(), **told}


def _read_message(repo: Repo, oid: str) -> Message:
    found = repo.reader.ask([oid])[0]
    text = found[2].partition(b"\n\n")[2] if found else b""
    return messages.parse(text.decode("utf-8", "replace"))


def _tell_commit(line: BlamedLine, said: Message, leaves: dict[str, list[Leave]]) -> Authorship:
    (reflection,) = messages.trailer_values(said, _REFLECTION)[:1] or ("",)
    approved = messages.approval(said) in _APPROVED and reflection
    deciders = messages.trailer_values(said, messages.DECIDED)
    whys = messages.trailer_values(said, messages.BECAUSE if deciders else "Trigger")
    return Authorship(
        commit=line.commit,
        time=line.time,
        author=line.author,
        actor=messages.actor(said),
        approval=messages.approval(said),
        trigger=secrets.redact("; ".join(whys)) if deciders else next(iter(whys), ""),
        action=said.action,
        summary=secrets.redact(said.summary or said.subject),
        leave=(
            *(Leave(_name_decider(line, one), line.commit, "accepted") for one in deciders),
            *(leaves.get(reflection, ()) if approved else ()),
            *leaves.get(line.commit, ()),
        ),
    )


def _name_decider(line: BlamedLine, decider: str) -> str:
    return line.author if decider == "manual" else decider


def _find_leaves(repo: Repo, said: dict[str, Message]) -> dict[str, list[Leave]]:
    """The words of people for some commits, by the commit that they accept, and by the reflection
    that they approve.
    """
    named = {
        one for message in said.values() for one in messages.trailer_values(message, _REFLECTION)
    }
    sought = [f"^{_REFLECTION}: {one}$" for one in sorted(named) if one.isprintable()]
    found: dict[str, list[Leave]] = {}
    asked = ("log", "--no-show-signature", "-z", "--format=%H%n%an%n%B", "-E")
    patterns = (f"--grep={one}" for one in (f"^{settled.TRAILER}: ", *sought))
    for record in repo.words(*asked, *patterns, "HEAD", "--"):
        oid, author, text = [*record.lstrip("\n").split("\n", 2), "", ""][:3]
        message = messages.parse(text)
        by = author if messages.actor(message) == "manual" else messages.actor(message)
        for name, what in _list_given(message):
            if name in said or name in named:
                found.setdefault(name, []).append(Leave(by, oid, what))
    return found


def _list_given(message: Message) -> Iterator[tuple[str, str]]:
    """What a commit gives leave for: a commit with the codes of rules, or a reflection."""
    yield from settled.taken_on(message)
    if message.action == "MERGE" and messages.approval(message) in _APPROVED:
        for name in messages.trailer_values(message, _REFLECTION):
            yield name, messages.approval(message)
