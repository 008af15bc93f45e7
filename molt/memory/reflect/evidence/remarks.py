"""What a plan remarks on its operations: reasons, questions and themes, held to what memories say.

A remark is no claim: it argues or asks in words of its own. But a reason that tells of something
tells it to the person who decides, and a question that takes something for granted plants it. So
what is neither of such words nor in the memories is an invention.
"""

from __future__ import annotations

import re

from molt.formats.reflections import plan
from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims, dated
from molt.memory.reflect.evidence.claims import Vocabulary
from molt.memory.reflect.rules import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.evidence.witness import Witness

_TABLE = tables.load("remarks")
_GRANTED = re.compile(
    r"^\W*(?:why|how|since when|(?:when|where|what|who|which) (?:did|does|do|was|were|has|had))\b|"
    r"\b(?:still|again|any ?more|no longer|another|because|since)\b|为什么|怎么会|何时|还|又",
    re.IGNORECASE,
)
"""How a question begins, or what it has, that takes something for a fact."""
_CLAUSE = re.compile(r"[.;!?。；！？]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CLAIM = 2
"""Words from which on a reason tells something, and does not only name of what it is."""
_ASKED_OF = 2
"""Known words from which on one more may be what is asked: whether it is so of that as well."""
_SIGNS = 2
"""Signs that stand nowhere from which on they say something: one may only join."""


class FreeWords:
    """The words in which something is put, whatever the memories say."""

    def __init__(self, *names: str) -> None:
        self._stems = frozenset(
            claims.stem(word) for name in names for word in _TABLE.split_words(name)
        )
        every = {cue for name in names for cue in _TABLE.split_cues(f"{name}_zh")}
        self._cues = sorted(every, key=len, reverse=True)

    def cut(self, text: str) -> str:
        """What is left of a text without them."""
        for cue in self._cues if not text.isascii() else ():
            text = text.replace(cue, " ")
        return _WORD.sub(self._keep, text)

    def _keep(self, found: re.Match[str]) -> str:
        stems = map(claims.stem, found.group().split("-"))
        return "" if self._stems.issuperset(stems) else found.group()


_ARGUED = FreeWords("arguing")
_ASKED = FreeWords("arguing", "asking")


class Remarks:
    """Judges what is remarked on operations by what one witness knows."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def find_invention(self, one: Operation) -> str:
        """What the reason of an operation says that neither its evidence nor the operation itself
        has; empty for nothing.
        """
        evidence = plan.list_evidence(one)
        said = self._witness.heard.hear(evidence)
        told = " ".join(plan.list_texts(one)).replace("-", " ")
        counted = one.reason.replace(f" {len(evidence)} ", " ")
        bare = _ARGUED.cut(dated.cut_dates(counted))
        known = Vocabulary([*said.texts, told]) if evidence else self._witness.everything
        words = _list_words(bare)
        wrong = self._witness.find_stranger(one.reason, numbers=False)
        wrong = wrong or self._find_number(counted, evidence)
        wrong = wrong or _say_missing(_list_stray(words, bare, known))
        wrong = wrong or (_find_denial(one.reason, said.denies) if words else "")
        if wrong or len(words) < _CLAIM or not evidence:
            return wrong
        return self._witness.find_lie(bare, evidence, about=one.text("entity"))

    def _find_number(self, text: str, evidence: Sequence[str]) -> str:
        """A number, a time or a day of a remark that its evidence has not; of one without any
        evidence, that no memory has.
        """
        if not evidence:
            return self._witness.find_stranger(text) or self._witness.find_strange_day(text)
        plain = text.lower() if text.isascii() else text
        return self._witness.find_new(plain, evidence)

    def find_presumption(self, text: str, evidence: Sequence[str]) -> str:
        """What a question takes for granted, and no memory says; empty for nothing."""
        bare = _ASKED.cut(dated.cut_dates(text))
        words = _list_words(bare)
        granted = _GRANTED.search(text) is not None
        stray = _list_stray(words, bare, self._witness.everything)
        if not granted and len(words) > _ASKED_OF:
            stray = stray[1:]
        wrong = self._witness.find_stranger(text) or self._witness.find_strange_day(text)
        wrong = wrong or (f"no memory speaks of {stray[0]!r}" if stray else "")
        return wrong or (self._find_granted(text, words, evidence) if granted else "")

    def _find_granted(self, text: str, words: frozenset[str], evidence: Sequence[str]) -> str:
        words -= frozenset(map(claims.stem, self._witness.selves))
        every = self._witness.heard.hear(tuple(evidence)).texts or self._witness.list_texts()
        denied = claims.denies(text)
        borne = any(_says_all(said, words, denied=denied) for said in every)
        return "" if borne else "no memory says what it takes for granted"

    def find_strange_theme(self, text: str, evidence: Sequence[str]) -> str:
        """What a theme names that its evidence does not; empty for nothing. It is the name of what
        goes on, which denies nothing.
        """
        if text in self._witness.material.evolution.threads:
            return ""
        bare = _ASKED.cut(text)
        said = self._witness.heard.hear(tuple(evidence))
        wrong = self._witness.find_stranger(text) or self._witness.find_new(text, evidence)
        wrong = wrong or _say_missing(_list_stray(_list_words(bare), bare, said.words))
        return wrong or ("it denies something" if claims.denies(text) else "")

    def make_plain(self, one: Operation) -> str:
        """The reason of an operation that its evidence alone gives: who said it, and when."""
        said = self._witness.heard.hear(plan.list_evidence(one))
        speakers = {spoken.split_speaker(text)[0] for text in said.texts}
        days = sorted(set(filter(None, said.dates)))
        if not days:
            return ""
        when = f"on {days[0]}" if len(days) == 1 else f"on {len(days)} days"
        name = speakers.pop() if len(speakers) == 1 else ""
        return f"said by {name} {when}" if name else f"said {when}"


def _says_all(said: str, words: frozenset[str], *, denied: bool) -> bool:
    """Whether a memory has some words; of words that are `denied`, one clause of it that denies."""
    parts = filter(claims.denies, _CLAUSE.split(said)) if denied else (said,)
    return any(all(map(Vocabulary([part]).has_word, words)) for part in parts)


def _say_missing(words: Sequence[str]) -> str:
    return f"the evidence does not say {words[0]!r}" if words else ""


def _find_denial(text: str, denied: bool) -> str:
    return "the evidence denies nothing" if claims.denies(text) and not denied else ""


def _list_words(text: str) -> frozenset[str]:
    """The stems of a remark that tell something, but for those that deny."""
    return claims.read_claim(text).words - claims.LIGHT - claims.DENYING


def _list_stray(words: frozenset[str], text: str, known: Vocabulary) -> list[str]:
    """The words of a remark, and the runs of signs, that stand nowhere."""
    missing = [word for word in sorted(words) if not known.has_word(word)]
    for run in claims.read_claim(text).runs:
        spans = known.split_run(run)[1]
        missing += [span for span in spans if claims.count_telling([span]) >= _SIGNS]
    return [claims.spell(word, text) for word in missing]
