"""What a claim says that its evidence does not: numbers, dates and names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDS = frozenset(".!?:;\n。！？：；")


def find_inventions(claim: str, evidence: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the numbers and names of a claim that its evidence does not have: runs of digits,
    capitalised words inside a sentence, and those of some `names` that the claim holds.
    """
    low, known = claim.casefold(), evidence.casefold()
    numbers = {_plain(one) for one in _list_numbers(evidence)}
    found = [one for one in _list_numbers(claim) if _plain(one) not in numbers]
    words = frozenset(_fold(word) for word in evidence.split())
    for word in _list_capitals(claim):
        folded = _fold(word)
        if folded not in words and folded not in known:
            found.append(word)
    found += [name for name in names if name.casefold() in low and name.casefold() not in known]
    return tuple(dict.fromkeys(found))


def _list_numbers(text: str) -> list[str]:
    """The runs of digits of a text, with the marks between digits: `1,200`, `9:30`."""
    kept = [
        char
        if char.isdecimal() or (char in ",.:" and text[at - 1 : at].isdecimal()
                                and text[at + 1 : at + 2].isdecimal())
        else " "
        for at, char in enumerate(text)
    ]  # fmt: skip
    return "".join(kept).split()


def _plain(number: str) -> str:
    """A number without the marks that part thousands, and without zeros before it."""
    return number.replace(",", "").lstrip("0") or "0"


def _list_capitals(text: str) -> list[str]:
    """The words inside sentences that begin with a capital and are not all capitals."""
    found: list[str] = []
    head = True
    for part in text.split():
        word = part.strip("\"'“”‘’„«»()[]{},.;:!?…*_`")
        if word[:1].isupper() and not head and any(map(str.islower, word)):
            found.append(word)
        head = part[-1:] in _ENDS or (head and not word)
    return found


def _fold(word: str) -> str:
    plain = word.casefold().strip("\"'“”‘’„«»()[]{},.;:!?…*_`")
    return plain.replace("’", "'").removesuffix("'s")
