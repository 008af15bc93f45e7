"""Routing by rules: deterministic, without a model, and never at a loss."""

from __future__ import annotations

from molt.formats import ids
from molt.memory.engines import english, guess, lead, topics
from molt.memory.engines.english import names as english_names
from molt.memory.engines.english import times as english_times
from molt.memory.engines.english import words as en
from molt.memory.engines.verdict import (
    CARD,
    NONE,
    UNKEPT,
    Edge,
    Facts,
    KnownEntity,
    Named,
    RouteAnswer,
    Verdict,
)
from molt.policy.secrets import checksums
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_STOPS = ".!?"
_WIDE = "。！？"
_LONGEST = 4000
"""Characters by which a text is judged: two pages, and nobody says more at once."""


class Ruling(Value):
    """What rules say of a text: where it belongs, what it names, and the words worth keeping."""

    verdict: Verdict
    facts: Facts
    text: str


def answer_text(
    text: str, known: Sequence[KnownEntity] = (), used: Sequence[str] = (), phrase: str = ""
) -> RouteAnswer:
    """What rules say of a text, given the entities that it is known to name, the tags in use, and
    the phrase that asked for it, where that is cut off already. Never raises.
    """
    led = lead.Led(phrase, text) if phrase else lead.cut_lead(text)
    found = find_route(led.text, led.phrase)
    verdict, facts = _settle(found.verdict, _take_known(found.facts, known))
    tags: tuple[str, ...] = ()
    if verdict.store != NONE:
        told = topics.choose_kinds(facts.entities)
        tags = tuple(dict.fromkeys((*topics.choose_tags(found.text, used), *told)))
    return RouteAnswer(
        "rules",
        verdict.store,
        found.text,
        verdict.type,
        verdict.block,
        facts.about,
        facts.entities,
        facts.edges,
        tags,
        phrase=led.phrase,
        why=verdict.why,
    )


def _take_known(facts: Facts, known: Sequence[KnownEntity]) -> Facts:
    """The facts with the entities that are known in the place of those they are."""
    names = {_key(name): one for one in known for name in (*one.aliases, one.label)}

    def rename(label: str) -> str:
        found = names.get(_key(label))
        return found.label if found else label

    own = [
        Named(rename(one.label), found.type if (found := names.get(_key(one.label))) else one.type)
        for one in facts.entities
    ]
    every = {one.label: one for one in (*own, *(Named(one.label, one.type) for one in known))}
    edges = tuple(Edge(rename(one.subject), one.word, rename(one.object)) for one in facts.edges)
    return Facts(tuple(every.values()), edges, rename(facts.about) or _first_label(known))


def _key(name: str) -> str:
    return ids.slug(name).removeprefix("the-")


def _first_label(known: Sequence[Named | KnownEntity]) -> str:
    return known[0].label if known else ""


def _settle(verdict: Verdict, facts: Facts) -> tuple[Verdict, Facts]:
    """A verdict that its entities bear out: what is said of a known one belongs to it, and of
    nothing that is named there is nothing to know.
    """
    if verdict.block == "Identity":
        named = tuple(one for one in facts.entities if one.type not in ("concept", "person"))
        facts = facts.replace(entities=named)
    plain = verdict.store == "episodic" and verdict.type == "fact"
    if plain and facts.about:
        return verdict.replace(store="semantic"), facts
    if verdict.store == "semantic" and not facts.about:
        about = facts.edges[0].subject if facts.edges else _first_label(facts.entities)
        if not about:
            return verdict.replace(store="episodic"), facts
        facts = facts.replace(about=about)
    return verdict, facts


def find_route(text: str, phrase: str = "") -> Ruling:
    """Where a text belongs, by its sentences: what is no memory is left out of those that are,
    and where one asks for nothing to be kept, or the number of a card is told, none is.

    `phrase` has led to the text; one that asks for a deed makes it a duty. A text that is longer
    than anybody says is judged by its head, and kept whole.
    """
    if _tells_card(text):
        return Ruling(Verdict(NONE, why=CARD), Facts(), text)
    head = text[:_LONGEST]
    parts = split_sentences(head)
    found = [(part, *judge_sentence(part)) for part in parts]
    if phrase.lower().endswith((" to", "忘了", "忘记", "忘記", "记得", "記得")):
        found = [(part, _make_duty(said), facts) for part, said, facts in found]
    for _, said, facts in found:
        if said.why == UNKEPT:
            return Ruling(said, facts, text)
    kept = [one for one in found if one[1].store != NONE]
    if not kept:
        first = found[0] if found else ("", Verdict(NONE, why="nothing is said"), Facts())
        return Ruling(first[1], first[2], text)
    best = min(kept, key=lambda one: _rank(one[1]))
    whole = len(kept) == len(found) or head != text
    kept_text = text if whole else " ".join(one[0] for one in kept)
    return Ruling(best[1], _join(best[2], [one[2] for one in kept]), kept_text)


def _tells_card(text: str) -> bool:
    """Whether a text tells what passes for the number of a card, in whatever language."""
    return checksums.has_card_number(text)


def _make_duty(said: Verdict) -> Verdict:
    plain = said.store == NONE or (said.store == "episodic" and said.type in ("fact", "event"))
    return Verdict("episodic", "task", why="a duty") if plain else said


def _rank(verdict: Verdict) -> int:
    """What decides among sentences: the rarer, the more it says."""
    order = ("vault", "core", "procedural", "semantic", "episodic")
    plain = verdict.store == "episodic" and verdict.type in ("fact", "event")
    return order.index(verdict.store) * 2 + plain if verdict.why != "a correction" else -1


def _join(first: Facts, every: Sequence[Facts]) -> Facts:
    named = {one.label: one for facts in (first, *every) for one in facts.entities}
    edges = tuple(dict.fromkeys(edge for facts in (first, *every) for edge in facts.edges))
    return Facts(tuple(named.values()), edges, first.about)


def judge_sentence(text: str) -> tuple[Verdict, Facts]:
    """Where one sentence belongs and what it names."""
    said, facts = judge_by_cues(text)
    return guess.weigh_verdict(text, said), facts


def judge_by_cues(text: str) -> tuple[Verdict, Facts]:
    """Where one sentence belongs by what it surely says, and what it names."""
    if is_chinese(text):
        from molt.memory.engines import chinese

        return chinese.judge_sentence(text)
    one = english.parse_sentence(text)
    facts = english_names.find_facts(english.parse_sentence(_strip_no(text)))
    return english.judge(one) or _judge_plain(one, facts), facts


def _strip_no(text: str) -> str:
    """A sentence without the `no,` that is said before it, which is part of no name."""
    said = text.strip()
    return said[3:] if said[:3].casefold() == "no," else said


def _judge_plain(one: english.Sentence, facts: Facts) -> Verdict:
    dated = english_times.is_dated(one)
    birthday = " birthday is " in one.flat
    semantic = english_names.is_semantic(one, facts)
    if semantic and (not dated or birthday):
        liking = english.has_cue(one, en.ENJOYING + en.AVOIDING)
        return Verdict("semantic", "preference" if liking else "fact", why="what something is")
    if dated or english_times.is_event(one):
        return Verdict("episodic", "event", why="what happened")
    return Verdict("episodic", "fact", why="a fact")


def is_chinese(text: str) -> bool:
    """Whether a text is in Chinese: has Chinese signs, and more of them than other words."""
    if text.isascii():
        return False
    signs = sum("\u4e00" <= char <= "\u9fff" for char in text)
    words = sum(part.isascii() and part.isalpha() for part in text.split())
    return signs > words


def split_sentences(text: str) -> list[str]:
    """The sentences of a text; one that has steps or lines of its own is whole."""
    if "\n" in text or _has_steps(text):
        return [text]
    found, start = [], 0
    for at, char in enumerate(text):
        ends = char in _WIDE or (char in _STOPS and text[at + 1 : at + 2] in (" ", ""))
        quoted = char in _STOPS and _ends_quotation(text, at + 1)
        if (ends or quoted) and not _is_short(text[start : at + 1]):
            found.append(text[start : at + 1 + quoted].strip())
            start = at + 1 + quoted
    if rest := text[start:].strip():
        found.append(rest)
    return [one for one in found if any(map(str.isalnum, one))]


def _has_steps(text: str) -> bool:
    """Whether a text counts steps: `1. test 2. tag`."""
    spaced = f" {text}"
    starts = [at for mark in (" 1. ", " 1) ") if (at := spaced.find(mark)) >= 0]
    return any(spaced.find(mark, min(starts)) > 0 for mark in (" 2. ", " 2) ")) if starts else False


def _ends_quotation(text: str, at: int) -> bool:
    """Whether a quotation mark stands at a place, and a sentence begins behind it."""
    sign, space, first = text[at : at + 1], text[at + 1 : at + 2], text[at + 2 : at + 3]
    return sign in ('"', "”") and space == " " and first.isupper()


def _is_short(text: str) -> bool:
    """Whether a stop ends an abbreviation and no sentence."""
    last = text.rstrip(".").rpartition(" ")[2].lower()
    return text.endswith(".") and (
        last in ("dr", "mr", "mrs", "ms", "st", "e.g", "i.e", "vs", "no", "approx")
        or (all(len(part) == 1 for part in last.split(".")) and not last.isdigit())
        or (last.isdigit() and text.strip() == f"{last}.")
    )
