"""What English words want of who is spoken to, for good."""

from __future__ import annotations

from molt.memory.engines.english import words as en


def wishes_of_you(words: list[str]) -> bool:
    """Whether words say what somebody wants of who is spoken to: `I'd rather you did not …`."""
    at = words.index("you") if "you" in words[:7] else 0
    between = words[1:at]
    wish = not en.WISHING.isdisjoint(between) and en.WISHING_WORDS.issuperset(between)
    bare = between in (["like"], ["love"], ["need"], ["hate"])
    return words[:1] == ["i"] and wish and not bare and len(words) > at + 1


def names_yours(words: list[str]) -> bool:
    """Whether words are of all that who is spoken to does: `… every letter you draft`."""
    starts = [at for at, word in enumerate(words) if word in ("every", "all", "any", "each")]
    own = words[:1] in (["i"], ["we"])
    led = [
        at for at in starts if words[at - 1] in ("in", "for", "to", "at", "on", "with", "before")
    ]
    return not own and any("you" in words[at + 1 : at + 4] for at in led)
