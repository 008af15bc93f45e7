"""On whose word a memory stands: by who acts, by what asked for it, and by what is said."""

from __future__ import annotations

from molt import errors
from molt.formats import lines, origin
from molt.formats import message as messages
from molt.values import Value

SOURCES = ("user-explicit", "conversation", "inferred", "tool", "web", "import")
"""What `--source` takes; the others follow from who acts."""

_ASKED = ("manual", "bot:trigger-remember", messages.FORGETTER)
_TRIGGERS = {
    "user-explicit": "asked for by the user",
    "conversation": "auto-detect",
    "inferred": "inference",
    "tool": "tool output",
    "web": "web page",
    "import": "import",
}


class Testimony(Value):
    """Whose word a memory is: its source, the class of its origin, its base relevance, how sure
    it is where nobody says, and what made somebody write it.
    """

    source: str
    origin: str
    base: float
    confidence: str
    trigger: str


def tell_provenance(actor: str, *, source: str = "", phrase: str = "", cut: str = "") -> Testimony:
    """On whose word a memory of an actor stands. `phrase` is what of the user's words asked for
    it; `cut` the phrase that its own text began with.

    Raises Usage where a sub-agent says that it was the user.
    """
    found = _find_source(actor, source, phrase or cut)
    if found == "user-explicit" and origin.is_outside(_find_own(actor)):
        hint = "what the user said, the main agent or a person writes"
        raise errors.Usage(f"{actor} does not speak for the user", hint)
    base = origin.base_of(found)
    confidence = {1.0: "high", origin.BASE: "medium"}.get(base, "low")
    trigger = _find_trigger(actor, found, phrase or cut)
    return Testimony(found, origin.class_of(found), base, confidence, trigger)


def _find_own(actor: str) -> str:
    """What an actor's word is by itself: that of a sub-agent, of a reflection; else empty."""
    for kind in ("subagent:", "bot:commit-from:"):
        if actor.startswith(kind):
            return f"subagent:{actor[len(kind) :]}"
    return "reflection" if actor.startswith("reflection:") else ""


def _find_source(actor: str, source: str, phrase: str) -> str:
    own = _find_own(actor)
    if source or own:
        return source or own
    # Who says that it was detected is believed, whatever the text begins with.
    asked = actor in _ASKED or (phrase and actor != "bot:auto-detect")
    return "user-explicit" if asked else "conversation"


def _find_trigger(actor: str, source: str, phrase: str) -> str:
    if source == "user-explicit" and phrase:
        said = lines.one_line(" ".join(phrase.split()))[:80].replace('"', "'")
        return f'user said "{said}"'
    if source == "user-explicit" and actor == "manual":
        return "said by a person"
    return _TRIGGERS.get(source) or actor
