"""A fact that no longer holds, and the relations that only told the same."""

from __future__ import annotations

from molt.formats import entity, facts, ids, lines
from molt.formats.bullets import bullets
from molt.formats.prose import claims


def supersede_fact(text: str, fact: str, date: str, by: str = "") -> str:
    """The entity with a fact struck through, as `facts.supersede_fact` gives it, and without its
    relations to what that fact alone has given as its value.
    """
    after = facts.supersede_fact(text, fact, date, by)
    left = _list_held(after)
    gone = next((one for one in _list_held(text) if one not in left), "")
    value = ids.slug(claims.parse_claim(gone).value) if gone else ""
    told = [ids.slug(facts.strip_asides(one)) for one in left]
    if not value or any(f"-{value}-" in f"-{one}-" for one in told):
        return after
    for one in reversed(bullets(after, "Relations")):
        if {target.partition("--")[2] for target in entity.list_targets(one.text)} == {value}:
            after = lines.splice_lines(after, one.start - 1, one.end, ())
    return after


def _list_held(text: str) -> list[str]:
    return [one.text for one in bullets(text, "Facts") if facts.holds(one.text)]
