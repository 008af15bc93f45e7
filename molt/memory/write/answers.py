"""The engine that is asked where a text belongs: the host, a model, or the model that ships."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import entity as entity_notes
from molt.formats import ids, paths
from molt.memory import triggers
from molt.memory.consents import consent
from molt.memory.engines import shipped
from molt.memory.engines.names import GraphWords
from molt.memory.engines.verdict import CREDENTIAL, NONE, KnownEntity, RouteAnswer
from molt.memory.write import provenance, remember
from molt.memory.write import route as routing
from molt.policy import allowed, secrets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route

_NOTHING = {"forget": "a request to forget", "recall": "a question", "reflect": "a request"}
"""Why a message that asks for something else holds nothing to keep, by its intent."""
_ENDS = frozenset(".!?。！？\n")


class Asked(Value):
    """What a call says beside the words: the host's own route (JSON), whose word it is, what of the
    user's words asked for it, and the second from which relative dates are counted.
    """

    route: str = ""
    source: str = ""
    phrase: str = ""
    now: float = 0.0


class _Request(Value):
    """A text without the words that ask to keep it; these, what stands before the text in the
    message, and why nothing of it is to be kept.
    """

    words: str
    text: str
    phrase: str = ""
    before: str = ""
    why: str = ""
    secret: bool = False
    now: float = 0.0


def choose_route(ws: Workspace, text: str, asked: Asked, **flags: Any) -> Route:
    """Return where a text goes by the first engine that answers: the host, a model that is set in
    molt.yaml, the one that ships. Flags win, field by field.

    Raises Usage for flags that mean nothing.
    """
    checked = routing.check_text(text)
    if flags.get("supersedes"):
        flags = _load_supersede().aim_flags(ws, flags)
    _check_type(ws, flags.get("entity") or "")
    named = routing.is_decided(flags)
    request = _read_request(ws, checked)
    request = request.replace(phrase=request.phrase or asked.phrase, now=asked.now)
    answer = _ask_engine(ws, request, asked, named=named)
    said = provenance.tell_provenance(
        ws.actor, source=asked.source, phrase=asked.phrase, cut=request.phrase
    )
    if named and answer.engine == shipped.ENGINE:
        # What was in doubt is decided.
        answer = answer.replace(engine="host", confidence="")
    route = routing.route_text(checked, answer, said, **flags)
    if answer.supersedes and not flags.get("supersedes"):
        route = _load_supersede().take_answer(ws, route, answer)
    return remember.avoid_full_core(
        ws, routing.fit_store(route, ws.actor, named=named), named=named
    )


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


def _read_request(ws: Workspace, words: str) -> _Request:
    """A text without the words that ask to remember it, and why it holds nothing to keep: because
    it asks for something else and says no more, or because of a secret that may not come in.
    """
    found = triggers.detect_message(ws.head(), ws.config.triggers_files, words)
    request = _Request(words, words)
    begins, ends = found.span
    if found.intent == "remember" and found.phrase and found.payload.strip():
        text = found.payload.strip()
        at = max(words.find(text), 0)
        request = _Request(words, text, found.phrase, words[:at])
        if _says_more(words, (at, at + len(text)), found.span):
            # Who is asked to keep a text keeps the sentences around the one that asks as well.
            request = _Request(words, words, found.phrase)
    elif found.phrase and found.intent in _NOTHING and not words[:begins].strip():
        rest = words[ends:].rstrip("".join(_ENDS))
        if _ENDS.isdisjoint(rest):
            request = request.replace(why=_NOTHING[found.intent])
    refused, known = _find_secrets(ws, words)
    return request.replace(why=CREDENTIAL if refused else request.why, secret=refused or known)


def _says_more(words: str, *spans: tuple[int, int]) -> bool:
    """Whether other sentences stand around some parts of a text."""
    places = [0, *(place for span in sorted(spans) for place in span), len(words)]
    around = (words[a:b] for a, b in zip(places[::2], places[1::2], strict=True))
    return any(any(map(str.isalnum, one)) and not _ENDS.isdisjoint(one) for one in around)


def _find_secrets(ws: Workspace, text: str) -> tuple[bool, bool]:
    """Whether a text holds a secret that the policy would not let in, and whether one that it
    would: of a kind that is only told of in this workspace, or in a line that a person allows.
    """
    if not secrets.may_contain_secret(text):
        return False, False
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


def _ask_engine(ws: Workspace, request: _Request, asked: Asked, *, named: bool) -> RouteAnswer:
    """The answer of the first engine that gives one. Where a store is `named`, no model is asked
    for the rest, and what holds a secret leaves this machine for no opinion on where it belongs.
    """
    if asked.route:
        return _take_route(ws, request, asked.route)
    if ws.config.llm_provider != "none" and not (named or request.secret or request.why):
        return _ask_model(ws, request)
    return _ask_shipped(ws, request)


def _ask_shipped(ws: Workspace, request: _Request) -> RouteAnswer:
    """What the model that ships says, with the entities and tags that the index knows."""
    if request.why:
        return RouteAnswer(shipped.ENGINE, NONE, request.text, why=request.why)
    from molt.index.search import known as lookup

    path = os.path.join(ws.repo.molt_dir, "index.sqlite")
    found = lookup.look_up(path, request.text)
    named = tuple(KnownEntity(one.label, one.type, one.aliases) for one in found.entities)
    before = request.before or request.phrase
    answer = shipped.answer_text(
        request.text, read_words(ws), before=before, known=named, used=found.tags
    )
    # The name of a file would tell the secret that a line of it may hold.
    named_so = request.secret and answer.store not in (NONE, "core")
    return answer.replace(store="episodic", edges=()) if named_so else answer


def _take_route(ws: Workspace, request: _Request, data: str) -> RouteAnswer:
    """What can be used of the host's own answer; without any the model that ships."""
    from molt.memory.engines import schema

    try:
        said = schema.parse_answer(data, "host", read_words(ws))
    except ValueError as error:
        note = f"the route was not used: {error}; molt chose"
        return _ask_shipped(ws, request).replace(note=note)
    return _complete(ws, request, said)


def _ask_model(ws: Workspace, request: _Request) -> RouteAnswer:
    """What the model says that is set in molt.yaml; where it says nothing that can be used, at the
    second time either, what the model that ships does.
    """
    from molt.memory.engines import chat, llm, schema
    from molt.memory.write import brief as briefs

    words = read_words(ws)
    brief = briefs.make_brief(ws, request.text, words)
    prompt = chat.Prompt(
        brief.prompt,
        f"The text to file:\n\n{request.text}",
        brief.schema,
        lambda value: "" if schema.read_answer(value, "llm", words) else "no field of a route",
    )
    try:
        consent.require_consent(ws.missing, consent.LLM)
        reply = llm.ask(ws.config, prompt, cache=ws.repo.cache)
        said = schema.read_answer(reply.value, "llm", words)
    except errors.MoltError as error:
        note = f"molt chose, because no model did: {error.message}"
        return _ask_shipped(ws, request).replace(note=note)
    tokens = f"{reply.tokens_in or '?'} tokens in, {reply.tokens_out or '?'} out"
    cost = f", {reply.cost:.6f}" if reply.cost is not None else ""
    spent = f"{reply.model}: {tokens}{cost}"
    return _complete(ws, request, said or RouteAnswer("llm", "", "")).replace(spent=spent)


def _complete(ws: Workspace, request: _Request, said: RouteAnswer) -> RouteAnswer:
    """A model's answer with what it left out, and the words that are kept: its own, unless they say
    more than the person did. Who asked for a memory is not answered that it is none.
    """
    note = said.note
    if said.store == NONE and request.phrase:
        said = said.replace(store="", why="")
        note = "the route says that it is not a memory, but the user asked for it"
    # What takes the place of a bullet goes to its block.
    placed = said.block or said.supersedes
    block_wanted = (said.store == "core" or said.core_update) and not placed
    if not said.store or block_wanted or not said.type:
        own = shipped.answer_text(request.text, read_words(ws), before=request.phrase or " ")
        store = said.store or own.store
        block = said.block if placed else own.block
        said = said.replace(store=store, type=said.type or own.type, block=block)
    if said.store == NONE:
        return said.replace(text=request.text)
    kept, why = _choose_words(ws, request, said)
    if request.why == CREDENTIAL and _find_secrets(ws, kept)[0]:
        return said.replace(store=NONE, text=kept, why=CREDENTIAL)
    words = request.words if _differs(kept, request.text) else ""
    return said.replace(text=kept, words=words, note="; ".join(filter(None, (note, why))))


def _choose_words(ws: Workspace, request: _Request, said: RouteAnswer) -> tuple[str, str]:
    """The words that are kept: a model's, if they say nothing that the person did not, and the
    person's fit into the commit; and why these are not taken.
    """
    from molt.memory.write import summaries

    if not said.text or not _differs(said.text, request.text):
        return request.text, ""
    if len(request.words) > remember.MOST_QUOTED:
        return request.text, ""
    added = summaries.find_added(ws, said, request.words, request.now)
    if added:
        return request.text, f"the words were kept: the summary adds {', '.join(added[:3])}"
    return said.text, ""


def _differs(one: str, other: str) -> bool:
    """Whether two texts differ in more than spaces, case and the mark at their end."""
    first, second = (" ".join(text.casefold().split()).rstrip(".。!") for text in (one, other))
    return first != second


def read_words(ws: Workspace) -> GraphWords:
    """The types of entities and the words of relations that this workspace has."""
    text = trees.read_text(ws.head(), paths.RELATIONS)
    types = (*entity_notes.ENTITY_TYPES, *ws.config.graph_types)
    return GraphWords(types, tuple(sorted(entity_notes.parse_relation_words(text))))
