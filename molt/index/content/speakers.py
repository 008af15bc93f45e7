"""What the words of a conversation are: who spoke, and whether they only ask."""

from __future__ import annotations

USER, ASSISTANT, ASKS = 1, 2, 4
_USERS = frozenset(("user", "human"))
_ASSISTANTS = frozenset(("assistant", "agent", "ai", "bot", "model", "system", "tool"))


def turn_flags(speaker: str, text: str) -> int:
    """The role of a speaker in a log of an assistant (people by name have none), and whether
    the text ends with a question.
    """
    name = speaker.strip().lower()
    role = USER if name in _USERS else ASSISTANT if name in _ASSISTANTS else 0
    return role | (ASKS if text.rstrip("\"'”’) \n").endswith(("?", "？", "؟")) else 0)


def prefix_speaker(speaker: str, text: str) -> str:
    """A text that names its speaker, so that keywords and vectors know who said it."""
    if not speaker or text.lower().startswith(f"{speaker.lower()}:"):
        return text
    return f"{speaker}: {text}"


def find_speaker(query: str, names: dict[int, str]) -> int:
    """The number of the one speaker that a query names; 0 for none or several."""
    words = {word.strip(".,;:!?\"'()").removesuffix("'s").removesuffix("’s") for word in
             query.lower().split()}  # fmt: skip
    found = [number for number, name in names.items() if _is_named(name, words)]
    return found[0] if len(found) == 1 else 0


def _is_named(name: str, words: set[str]) -> bool:
    lower = name.lower()
    return not turn_flags(lower, "") and not words.isdisjoint(lower.split())
