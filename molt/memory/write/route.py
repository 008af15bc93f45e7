"""Where a text goes: as an engine says, but for what the flags say."""

from __future__ import annotations

from molt import errors
from molt.formats import ids, paths, scopes, times
from molt.formats import origin as origins
from molt.formats.prose import injected
from molt.memory.engines import names, shipped
from molt.memory.engines.verdict import NONE, Named, RouteAnswer
from molt.memory.write.provenance import Testimony
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

LIMIT = 1 << 20
"""Bytes of a text to remember: a memory is a file, or a part of one, and no file may be longer."""

BLOCK = "Active Context"
"""Where in core memory goes what nobody says more of: Critical Facts are pinned, and this fades."""
_NO_WORDS = names.GraphWords((), ())
_NOTICED = Testimony("conversation", "agent", origins.BASE, "medium", "auto-detect")
# What belongs to these is asked for by name where somebody else's words are to go there.
_GUARDED = ("core", "procedural", "vault")


class Route(Value):
    """Where a text goes, field by field.

    - `text` is what is kept; `words` what a person said where that says it otherwise.
    - `block` is of core memory, `entity` (`TYPE:LABEL`) of a fact; `guessed` where nothing says of
      which type the entity is. `supersedes` names
      what it takes the place of: an id, `entity:… FACT`, or a fact of its entity.
    - `entities` is all that is named. `relations` are those of flags, between entities that are
      there; `edges` those of an engine: subject, word, object (`TYPE:LABEL`, made where they are
      new), and the word that was said where relations.md lacks it.
    - `title`, `when`, `steps` and `notes` are of a procedure.
    - `scope` is whom it is for, empty for anybody; `since` and `until` the days on which it holds.
    - `engine` is who chose, `why` the reason, `note` what was chosen otherwise, `spent` what a
      model took. With `make_room` a full core memory loses what is least relevant.
    - `contradicts` is what says otherwise and is kept as well: for an episode the id of that
      memory, for a fact its words.
    """

    store: str
    text: str
    type: str = "fact"
    entity: str = ""
    block: str = BLOCK
    title: str = ""
    tags: tuple[str, ...] = ()
    confidence: str = "medium"
    source: str = "conversation"
    relations: tuple[str, ...] = ()
    supersedes: str = ""
    scope: str = ""
    entities: tuple[str, ...] = ()
    edges: tuple[tuple[str, str, str, str], ...] = ()
    guessed: bool = False
    when: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    words: str = ""
    engine: str = "host"
    origin: str = "agent"
    base: float = origins.BASE
    trigger: str = "auto-detect"
    core_update: bool = False
    why: str = ""
    note: str = ""
    spent: str = ""
    since: str = ""
    until: str = ""
    make_room: bool = False
    contradicts: str = ""


def check_text(text: str) -> str:
    """The text, fit to be remembered, without what molt itself has put into the conversation.
    Raises Usage where it is not.
    """
    text = injected.strip_blocks(text)
    if not text.strip():
        raise errors.Usage("there is nothing to remember", 'molt remember "what to keep"')
    if len(text.encode("utf-8", "surrogatepass")) > LIMIT:
        raise errors.Usage("the text is over 1 MiB", "split it, one memory each")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise errors.Usage("the text is not valid UTF-8 text", "encode it as UTF-8, without NUL")
    return text.strip()


def split_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags of some flags, each once; one may name several, separated by commas."""
    every = (part.strip() for tag in tags for part in tag.split(","))
    return tuple(dict.fromkeys(filter(None, every)))


def _name_stem(entity: str) -> str:
    """`TYPE:LABEL` of an entity that may be given by the name of its file or its id; of what is
    neither it stays as it is.
    """
    stem = entity.removeprefix("entity:").strip()
    kind, dashes, name = stem.partition("--")
    named = dashes and ":" not in stem and stem == f"{ids.slug(kind)}--{ids.slug(name)}"
    return f"{kind}:{name.replace('-', ' ')}" if named else entity


def is_decided(flags: dict[str, Any]) -> bool:
    """Whether flags say in which store a text goes, so that no engine need be asked where."""
    return bool(flags.get("store") or flags.get("entity"))


def route_text(
    text: str, answer: RouteAnswer | None = None, said: Testimony = _NOTICED, **flags: Any
) -> Route:
    """Where a text goes: field by field as the flags say, else as an engine answers, without one
    as the model that ships does, on whose word by `said`. The store is `none` where it is no memory
    and no flag names a store.

    Raises Usage for what flags cannot mean.
    """
    text = check_text(text)
    _check_flags(flags)
    answer = answer or shipped.answer_text(text, _NO_WORDS)
    given = {key: value for key, value in flags.items() if value}
    if "tags" in given:
        given["tags"] = split_tags(given["tags"])
    if "entity" in given:
        given["entity"] = _name_stem(given["entity"])
    store = _choose_store(given, answer)
    # Who names a store means these words; of a long utterance an engine keeps what it is for.
    kept = answer.text if answer.store != NONE and answer.text.strip() else text
    route = Route(
        store,
        kept,
        (answer.type or "fact") if store in ("episodic", answer.store) else "fact",
        block=answer.block or BLOCK,
        title=answer.title,
        tags=answer.tags,
        confidence=answer.confidence or said.confidence,
        source=said.source,
        entities=tuple(f"{one.type}:{one.label}" for one in answer.entities),
        when=answer.trigger,
        steps=answer.steps,
        notes=answer.notes,
        words=answer.words,
        engine=answer.engine,
        origin=said.origin,
        base=said.base,
        trigger=said.trigger,
        core_update=answer.core_update and store != "core",
        why=answer.why,
        note=answer.note,
        spent=answer.spent,
    )
    # What a flag names is all that a text is about.
    if given.get("entity"):
        route = route.replace(entities=(given["entity"],))
    elif store == "semantic":
        route = _name_subject(route, answer)
    if not (given.get("entity") and answer.engine == shipped.ENGINE) and "relations" not in given:
        route = route.replace(edges=_name_edges(answer))
    if given.get("scope"):
        given["scope"] = scopes.parse_scope(given["scope"])
        # What is for some is not told in files that are for anybody.
        route = route.replace(edges=(), core_update=False)
    return route.replace(**{**given, "store": store})


def _check_flags(flags: dict[str, Any]) -> None:
    store, entity = flags.get("store"), _name_stem(flags.get("entity") or "")
    if store and store not in paths.STORE_NAMES:
        raise errors.Usage(f"no store {store!r}", f"one of {', '.join(paths.STORE_NAMES)}")
    if entity and not all(part.strip(" \"'") for part in entity.partition(":")):
        raise errors.Usage(f"{entity!r} is no TYPE:LABEL", 'such as concept:"OAuth2 PKCE"')
    for day in filter(None, (flags.get("since"), flags.get("until"))):
        if not times.is_date(day):
            raise errors.Usage(f"{day!r} is no date", "such as 2026-12-31")
    if flags.get("scope"):
        try:
            scopes.parse_scope(flags["scope"])
        except ValueError as error:
            raise errors.Usage(str(error)) from error


def _choose_store(given: dict[str, Any], answer: RouteAnswer) -> str:
    """The store that flags name, or that they are for; else that of the engine."""
    if given.get("store"):
        return str(given["store"])
    for flag, store in (("entity", "semantic"), ("block", "core"), ("type", "episodic")):
        if given.get(flag):
            return store
    # A relation is a memory, whatever words come with it, and so is what supersedes one.
    kept = given.get("relations") or given.get("supersedes")
    return "episodic" if answer.store == NONE and kept else answer.store


def _name_subject(route: Route, answer: RouteAnswer) -> Route:
    """The route with the entity that an answer says a text is about, if it names one."""
    one = _find_named(answer, answer.about)
    if one is None:
        # What a text that names nothing is about, as far as its words show it.
        entity = f"{names.GUESSED}:{answer.about}" if answer.about else ""
        return route.replace(entity=entity, guessed=True)
    return route.replace(
        entity=f"{one.type}:{one.label}", guessed=one.guessed or one.type == names.GUESSED
    )


def _find_named(answer: RouteAnswer, label: str) -> Named | None:
    wanted = ids.slug(label) if label else ""
    found = (one for one in answer.entities if wanted and ids.slug(one.label) == wanted)
    return next(found, None)


def _name_edges(answer: RouteAnswer) -> tuple[tuple[str, str, str, str], ...]:
    """The edges of an answer between entities that it names, each with their types."""
    named = (
        (_find_named(answer, one.subject), one, _find_named(answer, one.object))
        for one in answer.edges
    )
    return tuple(
        (f"{first.type}:{first.label}", edge.word, f"{last.type}:{last.label}", edge.said)
        for first, edge, last in named
        if first and last and first != last
    )


def fit_store(route: Route, actor: str, *, named: bool) -> Route:
    """The route as far as an engine may choose it: what came from outside is an episode unless
    somebody names another store (`named`), and so is what only a person puts into the vault, and
    what is for some alone, which a file that is for others cannot hold.
    """
    if route.scope and not named and route.store in ("core", "semantic"):
        return route.replace(store="episodic")
    if named or route.store not in _GUARDED:
        outside = route.origin in origins.OUTSIDE and not named
        return route.replace(core_update=False) if outside else route
    if route.origin in origins.OUTSIDE and actor != "manual":
        note = (
            f"kept as an episode: {route.store} takes what comes from {route.origin} from a person"
        )
        return route.replace(store="episodic", core_update=False, note=note)
    if route.store == "vault" and actor not in ("manual", "bot:trigger-remember"):
        note = "kept as an episode: a person puts it into the vault (--actor manual --store vault)"
        return route.replace(store="episodic", note=note)
    return route
