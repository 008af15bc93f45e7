"""Orders of the moment: what a person tells an agent to do with the task at hand.

An order is one of the moment where it points at what is in front of both (`the fixtures`, `it`,
`this test`, `here`, `yet`), and has no word that says how far it goes (`always`, `never`, `every`,
`from now on`, `in general`). `Use tabs` points at nothing and is kept, as all is that is no order.
"""

from __future__ import annotations

from molt.memory.engines import english, rules
from molt.memory.engines.english import subjects as english_subjects
from molt.memory.engines.english import words as en

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.engines.english import Sentence

_VERBS = en.AGENT_VERBS | en.STEP_VERBS | en.ORDER_VERBS
_NEAR = 2
"""Words behind its verb in which is named what an order is about: `look at the failing test`."""
_LEAD = 3  # words before the comma behind which an order may begin
_KINDS = ("fact", "correction", "preference", "")


def drop_orders(text: str) -> str:
    """A text without the orders of the moment in it; as it is where it has none."""
    parts = rules.split_sentences(text)
    kept = [one for one in parts if not is_passing(one)]
    return text if len(kept) == len(parts) else " ".join(kept)


def is_passing(text: str) -> bool:
    """Whether a sentence is an order of the moment."""
    one = english.parse_sentence(text)
    words = one.flat.split()
    if not en.SCOPE_WORDS.isdisjoint(words) or english.has_cue(one, (*en.SCOPES, *en.DEADLINES)):
        return False
    rest = _read_order(one)
    points = not en.DEFINITE.isdisjoint(rest[:_NEAR]) or not en.AT_HAND.isdisjoint(rest)
    return points and rules.judge_by_cues(text)[0].type in _KINDS


def _read_order(one: Sentence) -> list[str]:
    """What follows the words that make a sentence an order; empty for none."""
    words = one.flat.split()
    # `Looks good, now …`: a word or three before it.
    lead, comma, _ = one.text.partition(", ")
    short = len(lead.split()) if comma and ":" not in lead else _LEAD + 1
    rest = _read_bare(one, words[short:]) if short <= _LEAD else []
    return rest or _read_bare(one, words)


def _read_bare(one: Sentence, words: list[str]) -> list[str]:
    """What follows an order with which some words begin."""
    while words and words[0] in en.ORDER_OPENINGS and words[:2] != ["no", "need"]:
        words = words[1:]
    flat = f" {' '.join(words)} "
    for cue in en.ORDER_STARTS:
        if flat.startswith(cue):
            return flat[len(cue) :].split()[1:]
    bare = words[:1] and words[0] in _VERBS
    bare = bare and not english_subjects.begins_with_subject(one.text, words[0])
    # `Update: the server moved` tells of something.
    titled = one.text.lower().startswith(f"{words[0]}:") if words else False
    return words[1:] if bare and not titled else []
