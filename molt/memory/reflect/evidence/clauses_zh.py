"""Whether one sentence of a memory in Chinese says a claim: with its adjective, as something that
is so, and of whom the claim is about.
"""

from __future__ import annotations

import re

from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims
from molt.memory.reflect.evidence.claims import Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PARTS = re.compile(r"[，；。！？,;!?\n]+")
"""What parts the things that a claim says."""
SELVES = frozenset(("user", "用户", "使用者", "我", "本人"))
"""What a plan calls who speaks, where nobody is named."""
_SENTENCES = re.compile(r"[。！？!?\n]+|(?<=[；;])")
_BACK = re.compile(r"\s*(?:[她他它]|这|那|其)")
_DEGREE = re.compile(r"(?:很|非常|十分|特别|相当|太|挺)([\u3400-\u9fff])")
_DONE = re.compile(r"[了过]|已经?")
_AHEAD = re.compile(
    "|".join(tables.load("clauses").split_cues("irreal_zh")) + r"|下(?:周|个?月)|明[天年]"
)
_KIN = "|".join(tables.load("zh").split_cues("kin"))
_OWNED = re.compile(rf"我的?({_KIN})(?:的|在|是|叫|有)")
"""Of whom a sentence is that begins with me."""


def find_unborne(text: str, memory: str, subject: str) -> str:
    """What of a claim, without its subject, no sentence of a memory says; empty where one says all
    of it.
    """
    runs = re.findall(r"[\u3400-\u9fff]+", text)
    wrong = ""
    for sentence in _list_places(memory):
        wrong = _judge_sentence(text, runs, (sentence, memory), subject)
        if not wrong:
            return ""
    return wrong


def _list_places(memory: str) -> Iterator[str]:
    """Each sentence of a memory; one that begins with a pronoun with the one before as well."""
    before = ""
    for sentence in filter(str.strip, _SENTENCES.split(memory)):
        yield sentence
        if _BACK.match(sentence):
            yield before + sentence
        before = sentence


def _judge_sentence(text: str, runs: Iterable[str], place: tuple[str, str], subject: str) -> str:
    """Why a sentence (and the memory around it) does not say a claim by itself."""
    sentence, memory = place
    if _count_told(runs, sentence) + 1 < _count_told(runs, memory):
        return f"nowhere does one place say all of {text.strip()!r}"
    lost = [sign for sign in _DEGREE.findall(text) if sign not in sentence]
    if lost:
        return f"the evidence does not say {lost[0]!r}"
    if _DONE.search(text) and not _DONE.search(sentence) and _AHEAD.search(sentence):
        return "the evidence says it of what is to come"
    other = _OWNED.search(sentence)
    if subject in SELVES and other and other[1] not in text:
        return f"the evidence says it of {other[1]!r}"
    return ""


def _count_told(runs: Iterable[str], place: str) -> int:
    """How many signs of some runs, of those that tell something, a text has."""
    words = Vocabulary([place])
    every = (words.split_run(run) for run in runs)
    return sum(len(signs) - claims.count_telling(spans) for signs, spans in every)
