"""Which commits are about an episode: a merge or a rebase may have given it another second."""

from __future__ import annotations

from molt.formats import episodes, ids
from molt.formats import message as messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.episodes import Episode
    from molt.repo.repository import LogCommit, Repo

NAMED = "Memory-Id"
_EPISODE = "episode:"
_OF_AN_ID = "0123456789:-"


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
            added = words in there.values() and words not in before
            if added or any(there.get(name) == words for name in named):
                yield commit


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
    texts = ((tree.read(path) or b"").decode("utf-8", "replace") for path in found)
    return tuple(entry for text in texts for entry in episodes.parse(text, one.key[:10]))


def _words_of(entry: Episode) -> tuple[str, ...]:
    """What an entry says, but for seconds: those in what it names may have changed with them."""
    told = (entry.type, entry.source, *entry.tags, *map(":".join, entry.fields), entry.text)
    return tuple(map(_drop_times, told))


def _drop_times(text: str) -> str:
    first, *parts = text.split(_EPISODE)
    return _EPISODE.join((first, *(part.lstrip(_OF_AN_ID) for part in parts)))
