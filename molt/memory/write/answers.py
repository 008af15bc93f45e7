"""The engine that is asked where a text belongs: the host, a model, or rules."""

from __future__ import annotations

import os

from molt import errors, resources, trees
from molt.formats import entity as entity_notes
from molt.formats import ids, paths
from molt.memory.consents import consent
from molt.memory.engines import lead, rules
from molt.memory.engines.lead import Led
from molt.memory.engines.verdict import (
    CREDENTIAL,
    CREDENTIALS,
    NONE,
    Edge,
    KnownEntity,
    RouteAnswer,
)
from molt.memory.write import provenance, remember
from molt.memory.write import route as routing
from molt.policy import allowed, secrets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from molt.memory.engines.schema import Words
    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route


_ASKING = (
    *("remember", "forget", "mind", "note", "memor", "save", "store", "record", "log ", "write"),
    *("记", "記", "忘", "备忘", "備忘", "保存", "存", "注意"),
)
# These say when it holds, and so that it is a standing order.
STANDING = (
    "from now",
    "going forward",
    "in future",
    "in the future",
    "以后",
    "以後",
    "今后",
    "从现在",
)


_ELSE = (
    *("forget", "recall", "remind", "scratch", "strike", "scrap", "disregard", "unlearn", "delete"),
    *("remove", "erase", "wipe", "purge", "flush", "n't remember", "n’t remember", "not remember"),
    *("忘", "删", "刪", "抹", "记得", "記得", "回忆", "回憶"),
)
"""A text without these asks for nothing else: to read the phrases of messages takes a while."""
# Of these intents a message holds nothing to keep.
_NOTHING = {"forget": "a request to forget", "recall": "a question"}
_GOES_ON = frozenset(",;:—–，；：")

_LOOSE = "relates-to"
"""The relation that rules tell where they know no other word for what stands between two names."""


class Asked(Value):
    """What a call says beside the words: the host's own route (JSON), whose word it is, and what
    of the user's words asked for it.
    """

    route: str = ""
    source: str = ""
    phrase: str = ""


class Brief(Value):
    """What a host's own model needs to say where a text belongs."""

    prompt: str
    text: str
    schema: dict[str, Any]


def choose_route(ws: Workspace, text: str, asked: Asked, **flags: Any) -> Route:
    """Where a text goes, by the first engine that answers: the host, then rules; flags win.

    Raises Usage for a route that is none, and for flags that mean nothing.
    """
    checked = routing.check_text(text)
    if flags.get("supersedes"):
        flags = _load_supersede().aim_flags(ws, flags)
    _check_type(ws, flags.get("entity") or "")
    named = routing.is_decided(flags)
    answer = _ask_engine(ws, checked, asked, named=named)
    who = ws.actor
    said = provenance.tell_provenance(
        who, source=asked.source, phrase=asked.phrase, cut=answer.phrase
    )
    if named:
        answer = answer.replace(engine="host")
    route = routing.route_text(checked, answer, said, **flags)
    if answer.supersedes and not flags.get("supersedes"):
        route = _load_supersede().take_answer(ws, route, answer)
    return remember.avoid_full_core(ws, routing.fit_store(route, who, named=named), named=named)


def _load_supersede() -> ModuleType:
    # Few texts supersede anything, and what finds that is a tenth of a write's modules.
    from molt.memory.write import supersede

    return supersede


def _check_type(ws: Workspace, entity: str) -> None:
    """Raises Usage for an entity of a type that the workspace does not know."""
    kind, colon, _ = entity.removeprefix("entity:").partition(":")
    kind = kind.strip()
    known = (*entity_notes.ENTITY_TYPES, *ws.config.graph_types)
    if not colon or not kind or ids.slug(kind) in map(ids.slug, known):
        return
    near = next((one for one in known if one.startswith(kind.casefold())), "")
    meant = f"did you mean {near}? " if near else ""
    hint = f"{meant}one of {', '.join(known)}; more in graph.types of molt.yaml"
    raise errors.Usage(f"unknown type {kind!r}", hint)


def _ask_engine(ws: Workspace, text: str, asked: Asked, *, named: bool) -> RouteAnswer:
    """The answer of the first engine that gives one: the host, a model, rules. Where a store is
    `named`, no model is asked for the rest.
    """
    if asked.route:
        return read_route(ws, asked.route)
    found = ask_rules(ws, text)
    # What is a credential leaves this machine for no opinion on where it belongs.
    if named or ws.config.llm_provider == "none" or found.why in CREDENTIALS:
        return found
    return _ask_model(ws, found)


def _ask_model(ws: Workspace, found: RouteAnswer) -> RouteAnswer:
    """What the model says that is set in molt.yaml; where it does not say it well, at the second
    time either, what rules have found.
    """
    from molt.memory.engines import chat, llm, schema

    brief, words = make_brief(ws, found.text), read_words(ws)
    prompt = chat.Prompt(
        brief.prompt,
        f"The text to file:\n\n{found.text}",
        brief.schema,
        lambda value: schema.find_fault(value, words),
    )
    try:
        consent.require_consent(ws.missing, consent.LLM)
        reply = llm.ask(ws.config, prompt, cache=ws.repo.cache)
        said = schema.read_answer(reply.value, "llm", words)
    except errors.MoltError as error:
        return found.replace(note=f"rules decided, for no model did: {error.message}")
    # What was left out of the question is not left out of the memory.
    kept = found.text if reply.redacted or not said.text else said.text
    tokens = f"{reply.tokens_in or '?'} tokens in, {reply.tokens_out or '?'} out"
    cost = f", {reply.cost:.6f}" if reply.cost is not None else ""
    spent = f"{reply.model}: {tokens}{cost}"
    return said.replace(text=kept, phrase=found.phrase, spent=spent)


def ask_rules(ws: Workspace, text: str) -> RouteAnswer:
    """What rules say, with the entities and tags that the index knows; without one, by the words
    alone. What the policy would not let in is no memory either.
    """
    found = _ask_words(ws, text)
    if not secrets.may_contain_secret(text):
        return found
    refused, known = _find_secrets(ws, text)
    if found.why in CREDENTIALS:
        # What a person lets in is no credential, whatever its words say.
        return found.replace(store="episodic", why="") if known and not refused else found
    return RouteAnswer("rules", NONE, text, why=CREDENTIAL) if refused else found


def _ask_words(ws: Workspace, text: str) -> RouteAnswer:
    from molt.index.search import known as lookup

    led, why = _read_request(ws, text)
    if why:
        return RouteAnswer("rules", NONE, text, why=why)
    path = os.path.join(ws.repo.molt_dir, "index.sqlite")
    found = lookup.look_up(path, led.text)
    named = tuple(KnownEntity(one.label, one.type, one.aliases) for one in found.entities)
    said = rules.answer_text(led.text, named, found.tags, led.phrase)
    return _name_relations(ws, said) if any(one.word == _LOOSE for one in said.edges) else said


def _find_secrets(ws: Workspace, text: str) -> tuple[bool, bool]:
    """Whether a text holds a secret that the policy would not let in, and whether one that it
    would: of a kind that is only told of in this workspace, or in a line that a person allows.
    """
    hashes, person = allowed.read_hashes(ws.head()), ws.actor == "manual"
    rows = text.split("\n")
    shut = [
        row
        for row in rows
        if not (person and allowed.MARK in row) and allowed.hash_line(row) not in hashes
    ]
    kept = secrets.warn_only_kinds(ws.config.policy_secrets)
    refused = secrets.redact_counted("\n".join(shut), kept)[1] > 0
    known = len(shut) < len(rows) or secrets.redact_counted(text)[1] > 0
    return refused, known


def _name_relations(ws: Workspace, answer: RouteAnswer) -> RouteAnswer:
    """The answer with the words of this workspace's own vocabulary in the place of a general
    association, where one of them stands between the two names.
    """
    words = sorted(read_words(ws).relations, key=len, reverse=True)
    low = answer.text.casefold()

    def name_edge(edge: Edge) -> Edge:
        start = low.find(edge.subject.casefold())
        stop = low.find(edge.object.casefold(), start + len(edge.subject))
        if edge.word != _LOOSE or start < 0 or stop < 0:
            return edge
        between = f"-{ids.slug(low[start + len(edge.subject) : stop])}-"
        found = next((word for word in words if f"-{word}-" in between), _LOOSE)
        return edge.replace(word=found)

    return answer.replace(edges=tuple(map(name_edge, answer.edges)))


def _read_request(ws: Workspace, text: str) -> tuple[Led, str]:
    """A text without the words that ask to remember it, as messages are read, or as people
    announce what is to be known; and why nothing of it is to be kept, where as a whole it surely
    asks for something else.
    """
    led = lead.cut_lead(text)
    low = text.casefold()
    # To load the phrases of messages takes as long as all rules do.
    if led.phrase or not any(word in low for word in (*_ASKING, *_ELSE)):
        return led, ""
    from molt.memory import triggers

    known, _ = triggers.load_phrases(ws.head(), ws.config.triggers_files)
    found = triggers.detect_intent(text, known)
    if not found.phrase:
        return led, ""
    begins, ends = found.span
    whole = not text[:begins].strip() and _GOES_ON.isdisjoint(text[ends:])
    if whole and len(rules.split_sentences(text)) == 1 and found.intent in _NOTHING:
        return led, _NOTHING[found.intent]
    asked = found.intent == "remember" and found.payload.strip()
    if not asked or found.phrase.casefold().startswith(STANDING):
        return led, ""
    return Led(found.phrase, triggers.cut_phrase(text, known)), ""


def read_words(ws: Workspace) -> Words:
    """The types of entities and the words of relations that this workspace has."""
    from molt.memory.engines.schema import Words

    text = trees.read_text(ws.head(), paths.RELATIONS)
    types = (*entity_notes.ENTITY_TYPES, *ws.config.graph_types)
    return Words(types, tuple(sorted(entity_notes.parse_relation_words(text))))


def read_route(ws: Workspace, data: str) -> RouteAnswer:
    """The host's own answer, as JSON. Raises Usage that says what is wrong with it, and where."""
    from molt.memory.engines import schema

    return schema.parse_answer(data, "host", read_words(ws))


def make_brief(ws: Workspace, text: str) -> Brief:
    """The prompt that asks where a text belongs, and the schema of the answer."""
    from molt.memory.engines import schema

    with open(resources.find("templates/prompts/route.md"), encoding="utf-8") as file:
        return Brief(file.read(), text, schema.make_schema(read_words(ws)))
