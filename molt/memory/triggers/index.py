"""Of many phrases those that a sentence may have, by the words that it has."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from molt.memory.triggers.phrases import Phrase
    from molt.memory.triggers.sentences import Utterance


class Openers(dict[str, "tuple[Phrase, ...]"]):
    """Of the phrases that stand at the head of a sentence those that a word can begin, by that
    word; a text of many sentences begins them with few.
    """

    def __init__(self, every: Sequence[Phrase]) -> None:
        super().__init__()
        self._every = every

    def __missing__(self, word: str) -> tuple[Phrase, ...]:
        fit = (one for one in self._every if one.first is None or word in one.first)
        self[word] = tuple(fit)
        return self[word]


class Index(Value):
    """The phrases that a sentence may have, by the word that they begin with; `opening` are those
    of the heads of sentences. The others begin with a word of `hot`.
    """

    requests: Mapping[str, Sequence[Phrase]]
    anywhere: Mapping[str, Sequence[Phrase]]
    opening: Openers
    hot: frozenset[str]


class Indexes(dict[frozenset[str], "Index | None"]):
    """Of some phrases an index of those that a sentence may have, by the marks of theirs that are
    among its words. The sentences of a text have few such sets.
    """

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        super().__init__()
        self._phrases = phrases
        self._marks = frozenset().union(*(group for one in phrases for group in one.marks))

    def select(self, sentence: Utterance) -> Index | None:
        """Those that a sentence may have; None where it can have none."""
        return self[self._marks.intersection(sentence.words[sentence.first : sentence.stop])]

    def __missing__(self, said: frozenset[str]) -> Index | None:
        fit = [one for one in self._phrases if has_each(said, one.marks)]
        self[said] = found = _make_index(fit) if fit else None
        return found


def has_each(held: Set[str], groups: Iterable[Iterable[str]]) -> bool:
    """Whether a text has a string of each group."""
    return not any(map(held.isdisjoint, groups))


def _make_index(phrases: Iterable[Phrase]) -> Index:
    requests: dict[str, list[Phrase]] = {}
    anywhere: dict[str, list[Phrase]] = {}
    opening: list[Phrase] = []
    for one in phrases:
        if one.place == "^" or one.first is None:
            opening.append(one)
            continue
        grouped = requests if one.place == "~" else anywhere
        for word in one.first:
            grouped.setdefault(word, []).append(one)
    return Index(requests, anywhere, Openers(opening), frozenset((*requests, *anywhere)))
