"""Which commits are about an episode: a merge or a rebase may have given it another second."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import episodes, ids, paths, sections
from molt.formats import message as messages
from molt.formats.prose import notes
from molt.memory.provenance import audit, mentions
from molt.memory.provenance.audit_lines import ALERT, NAMED, make_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.formats.episodes import Episode
    from molt.memory.provenance.audit_lines import Line
    from molt.repo.repository import LogCommit, Repo

_MINUTE = len("episode:YYYY-MM-DD:HH:MM")
# One that is taken goes on in the next minute where all of its seconds are.
_FULL = 60
# As many ids as fit into the arguments of one process anywhere.
_AT_ONCE = 500
_EPISODE = "episode:"
_OF_AN_ID = "0123456789:-"


def trace_memory(repo: Repo, memory: str) -> tuple[Line, ...]:
    """The lines of the commits that are about a memory, a block of core memory, or a proposal,
    oldest first.
    """
    memory = ids.complete_id(memory)
    try:
        audit.freshen_log(repo)
        commits = list_named(repo, memory)
    except (errors.MoltError, OSError):
        # Where nothing can be written, all of history is read.
        commits = repo.log_raw("HEAD")
    named = list(find_commits(repo, memory, commits))
    named = named or list(find_parts(repo, memory))
    return tuple(line for line in make_lines(repo, named) if line.action != ALERT)


def list_named(repo: Repo, memory: str) -> Iterator[LogCommit]:
    """The commits that may be about a memory, oldest first: those that name it, or, of an episode,
    another one which may have been given its second. The audit log must be up.
    """
    found = _list_near(repo, memory) or mentions.find_commits(repo, (f"{memory}\t",))
    yield from read_commits(repo, found)


def read_commits(repo: Repo, oids: Sequence[str]) -> Iterator[LogCommit]:
    """Some commits, in their order, however many."""
    for at in range(0, len(oids), _AT_ONCE):
        yield from repo.log_newest("--no-walk=unsorted", *oids[at : at + _AT_ONCE], "--")


def _list_near(repo: Repo, memory: str) -> list[str]:
    """The commits that name an episode of about the time of a memory; of its whole day where there
    is none, or where so many are of one minute that others had to make room.
    """
    entries = _read_day(repo, "HEAD", memory)
    if not any(one.id == memory for one in entries):
        return []
    minute = int(memory[_MINUTE - 5 : _MINUTE - 3]) * 60 + int(memory[_MINUTE - 2 : _MINUTE])
    near = [_render_minute(memory, one) for one in (minute - 1, minute, minute + 1)]
    crowded = any(sum(one.id.startswith(some) for one in entries) >= _FULL for some in near)
    found = [] if crowded else mentions.find_commits(repo, near)
    return found or mentions.find_commits(repo, (memory[: _MINUTE - len("HH:MM")],))


def _render_minute(memory: str, minute: int) -> str:
    return f"{memory[: _MINUTE - len('HH:MM')]}{minute // 60:02}:{minute % 60:02}"


def find_commits(repo: Repo, memory: str, commits: Iterable[LogCommit]) -> Iterator[LogCommit]:
    """Those of some commits that are about a memory, by the ids in their Memory-Id trailers.

    Of an episode that the last commit holds those count whose own tree has the same words: under
    the id that they name, or as what they have added, whatever second they say that it got.
    """
    entries = _read_day(repo, "HEAD", memory)
    words = next((_words_of(one) for one in entries if one.id == memory), None)
    day = memory[: len("episode:YYYY-MM-DD:")]
    for commit in commits:
        named = messages.trailer_values(messages.parse(commit.message), NAMED)
        if words is None:
            if memory in named:
                yield commit
        elif any(name.startswith(day) for name in named):
            there = {one.id: _words_of(one) for one in _read_day(repo, commit.oid, memory)}
            parent = next(iter(commit.parents), None)
            before = [_words_of(one) for one in _read_day(repo, parent, memory)]
            fresh = [one for one in there.values() if one not in before]
            # The first name is that of what a commit adds, which a rebase gave another second.
            about = named[1:] if fresh else named
            if words in fresh or any(there.get(name) == words for name in about):
                yield commit


def find_parts(repo: Repo, memory: str) -> Iterator[LogCommit]:
    """The commits that are about what has no Memory-Id of its own, oldest first: those of a
    proposal name it, those of a block of core memory have changed its text, those of a piece of a
    note brought it, took it away, or rest on it, as do those of what was said in a conversation.
    """
    if memory.startswith(notes.PREFIX):
        yield from _find_piece(repo, memory)
        return
    if memory.startswith(f"{ids.TURN}:"):
        yield from _list_resting(repo, memory)[::-1]
        return
    block = memory.startswith("core:") and "#" not in memory
    if not block and not memory.startswith("p-"):
        return
    file = paths.CORE if block else paths.PROPOSALS
    for commit in reversed(list(repo.log_newest("HEAD", "--", file))):
        if not block:
            said = messages.parse(commit.message)
            about = memory in messages.trailer_values(said, "Proposal")
        else:
            before = _read_block(repo, next(iter(commit.parents), None), memory)
            about = _read_block(repo, commit.oid, memory) != before
        if about:
            yield commit


def _find_piece(repo: Repo, memory: str) -> Iterator[LogCommit]:
    """The commits after which a note had a piece, or no longer had it, and those that name it as
    their evidence.
    """
    try:
        path = ids.parse(memory).path
    except ValueError:
        return
    found = _list_resting(repo, memory)[::-1]
    had = False
    for commit in reversed(list(repo.log_newest("HEAD", "--", path))):
        text = trees.read_text(repo.tree(commit.oid), path)
        has = notes.find_piece(path, text, memory) is not None
        if has != had and commit not in found:
            found.append(commit)
        had = has
    # Of one second only git knows which came first.
    order = repo.run("rev-list", "--topo-order", "--reverse", "HEAD", check=False).split()
    places = {oid: place for place, oid in enumerate(order)}
    yield from sorted(found, key=lambda one: places.get(one.oid, 0))


def _list_resting(repo: Repo, memory: str) -> list[LogCommit]:
    """The commits that name a memory as their evidence, the newest first."""
    grep = ("--fixed-strings", f"--grep=Evidence: {memory}")
    return list(repo.log_newest("HEAD", *grep, "--"))


def _read_block(repo: Repo, rev: str | None, memory: str) -> list[str]:
    """The lines of a block of core memory at a commit; none where it has no such block."""
    text = trees.read_text(repo.tree(rev), paths.CORE)
    rows = text.split("\n")
    for one in sections.parse_sections(text):
        if ids.core(one.title) == memory:
            return rows[one.start - 1 : one.end]
    return []


def _read_day(repo: Repo, rev: str | None, memory: str) -> tuple[Episode, ...]:
    """The entries of the day of an episode; none for another memory."""
    try:
        one = ids.parse(memory)
    except ValueError:
        return ()
    if one.store != "episodic":
        return ()
    tree = repo.tree(rev)
    # Adopted daily notes lie directly below `memory/`.
    found = (one.path, f"memory/{one.key[:10]}.md")
    texts = (trees.read_text(tree, path) for path in found)
    return tuple(entry for text in texts for entry in episodes.parse(text, one.key[:10]))


def _words_of(entry: Episode) -> tuple[str, ...]:
    """What an entry says, but for seconds: those in what it names may have changed with them."""
    told = (entry.type, entry.source, *entry.tags, *map(":".join, entry.fields), entry.text)
    return tuple(map(_drop_times, told))


def _drop_times(text: str) -> str:
    first, *parts = text.split(_EPISODE)
    return _EPISODE.join((first, *(part.lstrip(_OF_AN_ID) for part in parts)))
