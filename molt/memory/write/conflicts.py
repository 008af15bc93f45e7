"""Proposals about the same entity and attribute with different values."""

from __future__ import annotations

from molt.formats import bullets, entity, facts, ids, paths
from molt.formats.meta import proposals
from molt.index.content import signs, words
from molt.memory.graph import graph, resolve
from molt.trees import read_strict, read_text
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.meta.proposals import Proposal
    from molt.memory.graph.graph import Graph
    from molt.memory.graph.table import Cache
    from molt.trees import Tree

_MOST_WORDS = 60
_LONGEST_NAME = 3
"""Words of a text that are looked up as names, and how many of them a name has: a proposal is a
sentence, and what it is about stands in it."""
_COLONS = (": ", "：", " = ")
_VALUE = 4
"""Words of a value outside of `attribute: value`: more are a sentence."""


class Contradiction(Value):
    """What a proposal is up against: `#4`, or the id of an entity, and what that says."""

    id: str
    text: str

    @property
    def is_pending(self) -> bool:
        """Whether it is another proposal."""
        return self.id.startswith("#")


class _Claim(Value):
    """The words of a text without those that say nothing, in small letters, how many of them name
    the attribute of an `attribute: value` (0 for another form), and whether the last one is a name
    behind a word such as `is` or `in`.
    """

    terms: tuple[str, ...]
    named: int
    ends: bool


def find_conflicts(
    tree: Tree, one: Proposal, cache: Cache | None = None
) -> tuple[Contradiction, ...]:
    """Return what says otherwise than a proposal: other pending ones first, then facts of the
    entities that it names or mentions.
    """
    said = _read_claim(one.content, _list_names(one))
    pending = (
        other
        for other in proposals.list_pending(read_strict(tree, paths.PROPOSALS))
        if (not one.id or other.id != one.id) and _may_share(one, other)
    )
    found = (
        Contradiction(f"#{other.number}", other.content)
        for other in pending
        if _contradict(said, _read_claim(other.content, _list_names(other)), one, other)
    )
    return (*found, *_list_disputed(tree, one, cache))


def mark_conflict(tree: Tree, one: Proposal, cache: Cache | None = None) -> str:
    """The mark at the heading of a proposal; empty where nothing says otherwise."""
    found = find_conflicts(tree, one, cache)
    return f"{proposals.CONFLICT} with {found[0].id}" if found else ""


def _may_share(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals may be about the same entity: they name one, or either names none."""
    both = bool(one.entities and other.entities)
    return not both or not set(one.entities).isdisjoint(other.entities)


def _contradict(said: _Claim, claim: _Claim, one: Proposal, other: Proposal) -> bool:
    # `deadline: Friday` alone does not say of what.
    related = bool(one.entities and other.entities)
    bare = bool(said.named or claim.named) and not related
    return not bare and differ(said, claim, related=related)


def _list_disputed(tree: Tree, one: Proposal, cache: Cache | None) -> Iterator[Contradiction]:
    for stem in find_subjects(tree, one, cache):
        text = read_text(tree, f"{paths.ENTITIES}{stem}.md")
        note = entity.parse_entity(text, stem)
        names = (*_list_names(one), stem.partition("--")[2], note.label, *note.aliases)
        said = _read_claim(one.content, names)
        for fact in bullets.bullets(text, "Facts"):
            plain = facts.strip_asides(fact.text)
            claim = _read_claim(plain, names)
            if facts.holds(fact.text) and differ(said, claim, related=True):
                yield Contradiction(ids.entity(stem), fact.text)


def _read_claim(text: str, names: tuple[str, ...]) -> _Claim:
    """What a text says, without the names of what it is about."""
    mark = next((one for one in _COLONS if one in text), "")
    key, value = text.split(mark, 1) if mark else ("", text)
    own = frozenset(term for name in names for term in _split_terms(name.replace("-", " ")))
    terms = [_drop_names(_split_terms(part), own) for part in (key, value)]
    last = text.rstrip(".!?。 ").split()[-2:]
    linked = len(last) == 2 and last[0].casefold() in words.STOP and last[1][:1].isupper()
    return _Claim((*terms[0], *terms[1]), len(terms[0]), linked)


def _drop_names(terms: tuple[str, ...], own: frozenset[str]) -> tuple[str, ...]:
    """Words without names; a number right behind one is a version, and told last as values are."""
    pairs = tuple(zip(("", *terms), terms, strict=False))
    versions = [term for before, term in pairs if before in own and term.isnumeric()]
    kept = [term for before, term in pairs if term not in (*own, *versions)]
    return (*kept, *versions)


def _split_terms(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, and the signs of a script without spaces."""
    found: list[str] = []
    for word in words.fold_text(text).casefold().replace("’", "'").split():
        bare = "".join(char if char.isalnum() else " " for char in word.removesuffix("'s"))
        for part in bare.split():
            found += part if signs.has_unspaced(part) else (part,)
    return tuple(term for term in found if term not in words.STOP)


def differ(one: _Claim, other: _Claim, *, related: bool = False) -> bool:
    """Whether two claims give one attribute different values: one names the attribute with which
    the other begins, or all but a number or a name at the end is the same; of two that are not
    `related` by an entity, two words at least.
    """
    first, second = one.terms, other.terms
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    ends = (first[same:], second[same:])
    if not same or not all(ends):
        return False
    named = {count for count in (one.named, other.named) if count}
    if named:
        return max(named) <= same and min(named) == max(named) and _are_short(one, other)
    if one.ends and other.ends and len(ends[0]) == len(ends[1]) == 1:
        return True
    behind = 0
    if signs.has_unspaced("".join(first)) and ends[0][-1] == ends[1][-1]:
        # `三月十五日`: what is counted stands behind the number.
        behind = 1
    values = [end[: len(end) - behind] for end in ends]
    return same > 1 - related and all(
        0 < len(value) <= _VALUE and all(any(map(str.isnumeric, term)) for term in value)
        for value in values
    )


def _are_short(one: _Claim, other: _Claim) -> bool:
    """Whether what is no `attribute: value` has no more behind the attribute than a value."""
    named = max(one.named, other.named)
    return all(each.named or len(each.terms) - named <= _VALUE for each in (one, other))


def find_subjects(tree: Tree, one: Proposal, cache: Cache | None = None) -> tuple[str, ...]:
    """The entities of the graph that a proposal names; where it names none, those that its words
    mention.
    """
    known = graph.load(tree, cache)
    if one.entities:
        named = (
            resolve.resolve_entity(known, stem) or _resolve_stem(known, stem)
            for stem in one.entities
        )
        return tuple(dict.fromkeys(filter(None, named)))
    spoken = one.content.split()[:_MOST_WORDS]
    spans = (
        " ".join(spoken[at : at + size]).strip('.,;:!?"()').removesuffix("'s")
        for size in range(_LONGEST_NAME, 0, -1)
        for at in range(len(spoken) - size + 1)
    )
    ends = (resolve.resolve_entity(known, name) for name in spans if len(name) > 1)
    return tuple(dict.fromkeys(filter(None, ends)))


def _resolve_stem(known: Graph, stem: str) -> str | None:
    kind, _, name = stem.partition("--")
    return resolve.resolve_entity(known, name, kind=kind) if name else None


def _list_names(one: Proposal) -> tuple[str, ...]:
    """The names of the entities that a proposal names."""
    return tuple(stem.partition("--")[2] or stem for stem in one.entities)
