"""Where a text goes: store, type, and what the flags say."""

from __future__ import annotations

from molt import errors
from molt.formats import paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 1 << 20


_STEPS = ("how to ", "to deploy", "steps:", "step 1", "always run")


class Route(Value):
    """Where a text goes.

    `block` is for core; `entity` (`TYPE:LABEL`) and `supersedes`, a fact of it that is no longer
    true, are for semantic memories.
    """

    store: str
    text: str
    type: str = "fact"
    entity: str = ""
    block: str = "Critical Facts"
    title: str = ""
    tags: tuple[str, ...] = ()
    confidence: str = "high"
    source: str = "user-explicit"
    relations: tuple[str, ...] = ()
    supersedes: str = ""


def check_text(text: str) -> str:
    """The text, fit to be remembered. Raises Usage where it is not."""
    if not text.strip():
        raise errors.Usage("there is nothing to remember", 'molt remember "what to keep"')
    if len(text.encode("utf-8", "surrogatepass")) > LIMIT:
        raise errors.Usage("the text is over 1 MiB", "`molt import` takes long notes")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise errors.Usage("the text is not valid UTF-8 text", "encode it as UTF-8, without NUL")
    return text.strip()


def route_text(text: str, *, store: str = "", entity: str = "", **flags: Any) -> Route:
    """Where a text goes: as the flags say, else by its form. Raises Usage for unknown flags."""
    checked = check_text(text)
    if store and store not in paths.STORE_NAMES:
        raise errors.Usage(f"no store {store!r}", f"one of {', '.join(paths.STORE_NAMES)}")
    if entity and not all(part.strip(" \"'") for part in entity.partition(":")):
        raise errors.Usage(f"{entity!r} is no TYPE:LABEL", 'such as concept:"OAuth2 PKCE"')
    if flags.get("supersedes") and not entity:
        raise errors.Usage("whose fact is superseded?", "--entity TYPE:LABEL")
    lower = checked.lower()
    guess = "procedural" if lower.startswith(_STEPS) else "episodic"
    chosen = store or ("semantic" if entity else guess)
    given = {key: value for key, value in flags.items() if value}
    return Route(chosen, checked, entity=entity, **given)
