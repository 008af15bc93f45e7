"""Routing by rules: deterministic, without a model, and never at a loss."""

from __future__ import annotations

from molt.memory.engines import english, english_names
from molt.memory.engines import words_en as en
from molt.memory.engines.verdict import NONE, Facts, Named, Verdict
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Look = Callable[[str], Sequence[Named]]

_STOPS = ".!?"
_WIDE = "。！？"


class Ruling(Value):
    """What rules say of a text: where it belongs, what it names, and the words worth keeping."""

    verdict: Verdict
    facts: Facts
    text: str


def find_route(text: str, phrase: str = "") -> Ruling:
    """Where a text belongs, by its sentences: what is no memory is left out of those that are.

    `phrase` has led to the text; one that asks for a deed makes it a duty.
    """
    parts = split_sentences(text)
    found = [(part, *judge_sentence(part)) for part in parts]
    if phrase.lower().endswith(" to"):
        found = [(part, _make_duty(said), facts) for part, said, facts in found]
    kept = [one for one in found if one[1].store != NONE]
    if not kept:
        first = found[0] if found else ("", Verdict(NONE, why="nothing is said"), Facts())
        return Ruling(first[1], first[2], text)
    best = min(kept, key=lambda one: _rank(one[1]))
    kept_text = text if len(kept) == len(found) else " ".join(one[0] for one in kept)
    return Ruling(best[1], _join(best[2], [one[2] for one in kept]), kept_text)


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
    if is_chinese(text):
        from molt.memory.engines import chinese

        return chinese.judge_sentence(text)
    one = english.parse_sentence(text)
    said = english.judge(one)
    facts = english_names.find_facts(one)
    return said or _judge_plain(one, facts), facts


def _judge_plain(one: english.Sentence, facts: Facts) -> Verdict:
    dated = english.is_dated(one)
    birthday = " birthday is " in one.flat
    semantic = english_names.is_semantic(one, facts)
    if semantic and (not dated or birthday):
        liking = english.has_cue(one, en.ENJOYING + en.AVOIDING)
        return Verdict("semantic", "preference" if liking else "fact", why="what something is")
    if dated or english.is_event(one):
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
    if "\n" in text or " 1. " in f" {text}" or " 1) " in f" {text}" or "1." in text[:40]:
        return [text]
    found, start = [], 0
    for at, char in enumerate(text):
        ends = char in _WIDE or (char in _STOPS and text[at + 1 : at + 2] in (" ", ""))
        if ends and not _is_short(text[start : at + 1]):
            found.append(text[start : at + 1].strip())
            start = at + 1
    if rest := text[start:].strip():
        found.append(rest)
    return [one for one in found if any(map(str.isalnum, one))]


def _is_short(text: str) -> bool:
    """Whether a stop ends an abbreviation and no sentence."""
    last = text.rstrip(".").rpartition(" ")[2].lower()
    return text.endswith(".") and (
        last in ("dr", "mr", "mrs", "ms", "st", "e.g", "i.e", "vs", "no", "approx")
        or len(last) == 1
    )
