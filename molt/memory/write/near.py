"""What core memory says already that is near a text: for who writes to name, never to judge."""

from __future__ import annotations

from math import log

from molt import trees
from molt.formats import bullets, facts, paths
from molt.formats.origin import is_outside
from molt.index.content import signs, words
from molt.memory.held import quarantine, withheld
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed

MOST = 2
"""Bullets that are shown."""
_ENOUGH = 0.5
"""The share of what a bullet, or the text, says that both must say."""
_LEAST = 2
"""Words that both must have: one is a topic, and many things are of it."""
_SPEAKERS = frozenset(("user", "用户"))
_SHOWN = 160


class NearBullet(Value):
    """A bullet of core memory, by its id and its words."""

    id: str
    text: str

    def describe(self) -> str:
        """Return what is shown of it, with the flag that replaces it."""
        said = " ".join(self.text.split())
        said = said if len(said) <= _SHOWN else f"{said[:_SHOWN].rstrip()} …"
        return f"core already says: {said}; replace it with --supersedes {self.id}"


def list_near(ws: Workspace, route: Route, made: Placed) -> tuple[NearBullet, ...]:
    """Return what core memory says that is near what was just remembered, for whoever wrote it to
    name; none for what supersedes something, is for some alone, or came from outside.
    """
    if route.supersedes or route.scope or route.store == "vault" or is_outside(route.origin):
        return ()
    held = quarantine.freshen_held(ws.repo)
    text = trees.read_text(withheld.veil_tree(ws.head(), held, keep_lines=False), paths.CORE)
    found = find_near(text, route.text)
    return tuple(one for one in found if one.id not in (made.id, *made.related))


def find_near(core: str, text: str) -> tuple[NearBullet, ...]:
    """Return at most two bullets of a core memory that share most of what they say, or of what the
    text says, with it; the nearest first. Rare words count more (inverse document frequency), and
    bullets that say just the same, or are struck out, are none.
    """
    said = _list_terms(text)
    every = [one for one in bullets.core_bullets(core) if facts.holds(one.text)]
    terms = [_list_terms(facts.strip_asides(one.text)) for one in every]
    weights = _weigh_terms(terms, said)
    found: list[tuple[float, int]] = []
    for at, own in enumerate(terms):
        shared = own & said
        least = min(_sum_weights(own, weights), _sum_weights(said, weights))
        share = _sum_weights(shared, weights) / least if least else 0.0
        # All that a short bullet says may be one word.
        enough = len(shared) >= min(_LEAST, len(own)) and share >= _ENOUGH
        if own != said and shared and enough:
            found.append((share, at))
    best = sorted(found, key=lambda pair: (-pair[0], pair[1]))[:MOST]
    return tuple(NearBullet(every[at].id, every[at].text) for _, at in best)


def _list_terms(text: str) -> frozenset[str]:
    """The words of a text without their endings and without those that say nothing; of scripts
    without spaces pairs of signs.
    """
    found: set[str] = set()
    for term in words.split_terms(" ".join(text.split())):
        low = words.fold_accents(term.casefold())
        if signs.has_unspaced(low):
            found.update(low[at : at + 2] for at in range(max(1, len(low) - 1)))
        else:
            found.add(words.cut_ending(low))
    return frozenset(term for term in found if words.tells_something(term)) - _SPEAKERS


def _weigh_terms(every: Sequence[frozenset[str]], said: frozenset[str]) -> dict[str, float]:
    """How much each word says: the fewer bullets have it, the more."""
    counts = dict.fromkeys(said, 0)
    for terms in every:
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    return {term: log(1 + len(every) / max(1, count)) for term, count in counts.items()}


def _sum_weights(terms: Iterable[str], weights: dict[str, float]) -> float:
    return sum(weights[term] for term in terms)
