"""Proposals that cannot hold beside another one, or beside what is known."""

from __future__ import annotations

from molt.formats import bullets, entity, facts, ids, paths
from molt.formats.meta import proposals
from molt.formats.prose import amended, claims
from molt.formats.prose.claims import Correction
from molt.memory.engines import rules
from molt.memory.graph import graph, resolve
from molt.trees import read_strict, read_text
from molt.values import Value, keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.meta.proposals import Proposal
    from molt.formats.prose.claims import Claim
    from molt.memory.graph.graph import Graph
    from molt.memory.graph.table import Cache
    from molt.trees import Tree

_MOST_WORDS = 60
_LONGEST_NAME = 3
"""Words of a text that are looked up as names, and how many of them a name has: a proposal is a
sentence, and what it is about stands in it."""


class Contradiction(Value):
    """What a proposal is up against: `#4`, or the id of an entity or bullet, and what that says."""

    id: str
    text: str

    @property
    def is_pending(self) -> bool:
        """Whether it is another proposal."""
        return self.id.startswith("#")


def find_conflicts(
    tree: Tree, one: Proposal, cache: Cache | None = None
) -> tuple[Contradiction, ...]:
    """What says otherwise than a proposal: other pending ones first, then facts of the entities
    that it names or mentions, then core memory.
    """
    said = claims.parse_claim(one.content)
    waiting = _sort_pending(read_strict(tree, paths.PROPOSALS))
    near = {
        other.number: (other, claim)
        for key in _list_keys(said)
        for other, claim in waiting.get(key, ())
    }
    found = [
        Contradiction(f"#{other.number}", other.content)
        for _, (other, claim) in sorted(near.items())
        if (not one.id or other.id != one.id) and _contradict_each_other(said, one, other, claim)
    ]
    return (*found, *_list_disputed(tree, one, said, cache), *_list_core(tree, one.content, said))


@keep_last
def _sort_pending(text: str) -> dict[object, list[tuple[Proposal, Claim]]]:
    """The pending proposals of a file with what they claim, by what another one must share to
    contradict them: of a thousand hardly two are compared.
    """
    found: dict[object, list[tuple[Proposal, Claim]]] = {}
    for one in proposals.list_pending(text):
        claim = claims.parse_claim(one.content)
        for key in _list_keys(claim):
            found.setdefault(key, []).append((one, claim))
    return found


def _list_keys(claim: Claim) -> tuple[object, ...]:
    return tuple(key for key in (claim.attribute, claim.frame) if key)


def find_disputed(
    tree: Tree, one: Proposal, cache: Cache | None = None
) -> tuple[Contradiction, ...]:
    """The facts of entities alone that say otherwise than a text, as a proposal holds it."""
    return tuple(_list_disputed(tree, one, claims.parse_claim(one.content), cache))


def mark_conflict(tree: Tree, one: Proposal, cache: Cache | None = None) -> str:
    """The mark at the heading of a proposal; empty where nothing says otherwise."""
    found = find_conflicts(tree, one, cache)
    return f"{proposals.CONFLICT} with {found[0].id}" if found else ""


def _contradict_each_other(said: Claim, one: Proposal, other: Proposal, claim: Claim) -> bool:
    both = bool(one.entities and other.entities)
    shared = both and not set(one.entities).isdisjoint(other.entities)
    if both and not shared:
        return False
    subjects = [name for stem in one.entities for name in _list_names(stem)]
    return claims.contradicts(said, claim, subjects=subjects, related=shared)


def _list_disputed(
    tree: Tree, one: Proposal, said: Claim, cache: Cache | None
) -> Iterator[Contradiction]:
    for stem in find_subjects(tree, one, cache):
        text = read_text(tree, f"{paths.ENTITIES}{stem}.md")
        note = entity.parse_entity(text, stem)
        names = [*_list_names(stem), *(name.casefold() for name in (note.label, *note.aliases))]
        # What is told of a thing says its name, or does not: `the port of Molt is 80`, `port: 80`.
        forms = (said, *_name_parts(said, names))
        for fact in note.facts:
            claim = claims.parse_claim(fact) if facts.holds(fact) else claims.Claim()
            if any(claims.contradicts(form, claim, subjects=names, related=True) for form in forms):
                yield Contradiction(ids.entity(stem), fact)


def _name_parts(said: Claim, names: list[str]) -> Iterator[Claim]:
    """A claim without the name of what it is about: `molt's port`, `port of molt`, `molt port`."""
    for name in filter(None, names):
        for part in (f"{name}'s ", f"{name} ", f"{name}的", name):
            rest = said.attribute.removeprefix(part)
            if rest and rest != said.attribute:
                yield said.replace(attribute=rest.strip(), frame=(), slots=())
        rest = said.attribute.removesuffix(f" of {name}").removesuffix(f" of the {name}")
        if rest and rest != said.attribute:
            yield said.replace(attribute=rest, frame=(), slots=())


def _list_core(tree: Tree, text: str, said: Claim) -> Iterator[Contradiction]:
    lines = bullets.core_bullets(read_text(tree, paths.CORE))
    # The same is said of the user by himself and by others: `I live in Rome`, `lives in Rome`.
    other = frozenset(one.old.start for one in amended.find_amended(lines, Correction(text)))
    for one in lines:
        if one.start in other or claims.contradicts(said, claims.parse_claim(one.text)):
            yield Contradiction(one.id, one.text)


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
    words = one.content.split()[:_MOST_WORDS]
    spans = (
        " ".join(words[at : at + size]).strip('.,;:!?"()')
        for size in range(_LONGEST_NAME, 0, -1)
        for at in range(len(words) - size + 1)
    )
    labels = (found.label for found in rules.answer_text(one.content).entities)
    wanted = (name.removesuffix("'s") for name in (*spans, *labels))
    ends = (resolve.resolve_entity(known, name) for name in wanted if len(name) > 1)
    return tuple(dict.fromkeys(filter(None, ends)))


def _resolve_stem(known: Graph, stem: str) -> str | None:
    kind, _, name = stem.partition("--")
    return resolve.resolve_entity(known, name, kind=kind) if name else None


def _list_names(stem: str) -> tuple[str, ...]:
    return (stem.partition("--")[2].replace("-", " ") or stem,)
