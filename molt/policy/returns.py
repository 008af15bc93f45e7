"""What was forgotten and is said again, told saying by saying."""

from __future__ import annotations

from molt.formats import ids, paths
from molt.formats.meta import scores
from molt.formats.prose import sayings
from molt.formats.prose.sayings import Saying
from molt.policy import texts
from molt.trees import read_text
from molt.values import keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.meta.tombstones import Graveyard, Tombstone
    from molt.trees import Tree

_PARTS = (sayings.PARAGRAPH, sayings.HEADING)


def parse_file(tree: Tree, path: str) -> tuple[Saying, ...]:
    """What a file of a tree says, in order: of the vocabulary of relations each line."""
    text = read_text(tree, path)
    if sayings.has_sayings(path):
        return sayings.parse_sayings(path, text)
    if paths.kind_of(path) != "relations":
        return ()
    rows = enumerate(text.split("\n"), 1)
    return tuple(
        Saying(f"{path}#{ids.digest(row)}", sayings.FACT, path, row, "", number, number)
        for number, row in rows
        if row.strip()
    )


def list_returning(
    known: Graveyard, before: Tree, after: Tree, path: str
) -> Iterator[tuple[Saying, Tombstone]]:
    """The sayings of a file that it did not have before, with the tombstone of what they say."""
    old = {(one.id, one.text) for one in parse_file(before, path)}
    for one in parse_file(after, path):
        if (one.id, one.text) not in old:
            stones = texts.list_said(known, one.text.split("\n"), most=None)
            if stones:
                yield one, stones[0]


def is_left_to_people(tree: Tree, one: Saying) -> bool:
    """Whether nobody but a person takes a saying away: of the vault, what is pinned, and what a
    day's note says without an entry.
    """
    kind = paths.kind_of(one.path)
    pinned = dict(one.fields).get("pinned", "").lower() == "true"
    entry = _read_entries(tree).get(one.id) or {}
    loose = kind == "episode" and one.kind in _PARTS
    return kind == "vault" or pinned or bool(entry.get("pinned")) or loose


def is_put_away(tree: Tree, one: Saying) -> bool:
    """Whether a saying that stays in its file is hidden, for it was forgotten."""
    if one.kind not in sayings.WHOLE:
        return False
    return scores.is_forgotten(_read_entries(tree).get(one.id) or {})


def is_moved(before: Tree, after: Tree, one: Saying) -> bool:
    """Whether a saying was hidden before, and a merge has given it another id, as it does with one
    of two that two clones wrote in one second.
    """
    kept = {(other.id, other.text) for other in parse_file(after, one.path)}
    return any(
        other.text == one.text and (other.id, other.text) not in kept and is_put_away(before, other)
        for other in parse_file(before, one.path)
    )


def _read_entries(tree: Tree) -> dict[str, dict[str, object]]:
    return _parse_entries(read_text(tree, paths.SCORES))


@keep_last
def _parse_entries(text: str) -> dict[str, dict[str, object]]:
    try:
        entries: dict[str, dict[str, object]] = scores.parse_scores(text)["entries"]
    except ValueError:
        return {}
    return entries
