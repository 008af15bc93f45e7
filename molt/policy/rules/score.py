"""SCORE: relevance can be computed, and is counted."""

from __future__ import annotations

from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import scores
from molt.policy import scored, shapes
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    Entry = Mapping[str, Any]

_SCORES = paths.SCORES
_FORGETS = ("ARCHIVE", "DELETE")
"""Those by which a person forgets, or the bot that a person has told to."""
_SET = ("status", "current_score", "base_relevance", "type_weight", "created", "pinned", "store")


def _check_form(judged: Judged) -> Iterator[Fault]:
    hint = "`molt doctor --fix` mends it; molt writes this file"
    for change in changed_files(judged, "scores"):
        changed = scored.compare_ordered(judged, judged.base)
        if changed is None:
            content, old = (read_text(tree, change.path) for tree in (judged.new, judged.base))
            after = scored.read_entries(content)
            if isinstance(after, str):
                # What was damaged before is nothing that this commit did.
                if not isinstance(scored.read_entries(old), str):
                    yield Fault(change.path, 0, after, hint)
                continue
            if not scored.is_plain(content) and (name := _find_repeated(content)):
                yield Fault(change.path, 0, f"{name} is there twice", hint)
            changed = scored.compare_texts(old, content)
        for name, (_, entry) in changed.items():
            if entry is not None and not _fits_schema(entry):
                yield Fault(change.path, 0, f"the entry {name} does not fit the schema", hint)


def _find_repeated(content: str) -> str:
    """A name that an object has twice, of which readers would believe one or the other."""
    import json

    repeated: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> dict[str, object]:
        seen: set[str] = set()
        for name, _ in pairs:
            repeated.extend([name] * (name in seen))
            seen.add(name)
        return dict(pairs)

    if content.strip():
        json.loads(content, object_pairs_hook=note)
    return repeated[0] if repeated else ""


_TIMES = frozenset(("created", "last_accessed"))


def _fits_schema(entry: Entry) -> bool:
    """Whether an entry's fields are what readers compute with; of a time that is none they know
    nothing, and go on.
    """
    return all(scores.fits_key(key, entry[key]) for key in entry if key not in _TIMES)


def _check_changes(judged: Judged) -> Iterator[Fault]:
    yield from _check_counts(judged)
    yield from _check_forgotten(judged)


def _check_counts(judged: Judged) -> Iterator[Fault]:
    """Whoever decides nothing about scores only counts: uses grow, and new entries come. No action
    says otherwise, but to take back one change of all scores.
    """
    free = judged.is_person or judged.init or judged.actor in ("system:decay", "system:reflect")
    if free or not any(one.path == _SCORES for one in judged.changes) or _takes_back(judged):
        return
    for name, made in scored.find_fresh(judged):
        if _is_set_anew(name, made) and not scores.is_forgotten(made):
            said = f"{judged.who} puts {name} away, or pins it"
            yield Fault(_SCORES, 0, said, "`molt decay` sets scores, or a person does")
    held = scored.HeldMemories(judged.new)
    for name, (olds, new) in scored.list_changed(judged).items():
        # Of what was forgotten, or is, `_check_forgotten` tells.
        if any(map(scores.is_forgotten, olds)) or scores.is_forgotten(new or {}):
            continue
        if held.has(name) if new is None else _is_set(olds, new):
            hint = "`molt decay` sets scores, or a person does"
            yield Fault(_SCORES, 0, f"{judged.who} sets the score of {name}", hint)


def _takes_back(judged: Judged) -> bool:
    """Whether a revert gives all scores as they were before the change that it undoes."""
    restores, message = judged.context.restores, judged.message
    before, after = judged.base.entry(_SCORES), judged.new.entry(_SCORES)
    reverts = message is not None and messages.is_revert(message)
    if judged.merge or restores is None or not (reverts and before and after):
        return False
    return restores(_SCORES, after.oid, before.oid)


def _check_forgotten(judged: Judged) -> Iterator[Fault]:
    """Nobody but a person brings back what was forgotten, under whatever action or name; and what
    is forgotten, a person has asked for.
    """
    if judged.is_person or judged.init:
        return
    asked = _forgets(judged)
    if not asked:
        yield from _check_moved(judged)
    if not any(one.path == _SCORES for one in judged.changes):
        return
    held = scored.HeldMemories(judged.new)
    for name, (olds, new) in scored.list_changed(judged).items():
        was = all(map(scores.is_forgotten, olds))
        is_now = new is not None and scores.is_forgotten(new)
        if was and not is_now and (new is not None or held.has(name)):
            hint = f"a person does: `molt restore {name}`"
            yield Fault(_SCORES, 0, f"{judged.who} brings back {name}, which was forgotten", hint)
        elif is_now and not was and not asked:
            hint = f"a person does, or {messages.FORGETTER} with `Approval: approved`"
            yield Fault(_SCORES, 0, f"{judged.who} forgets {name}, and no person has said so", hint)
    for name, made in scored.find_fresh(judged):
        if scores.is_forgotten(made) and not asked:
            hint = f"a person does, or {messages.FORGETTER} with `Approval: approved`"
            yield Fault(_SCORES, 0, f"{judged.who} forgets {name}, and no person has said so", hint)


def _check_moved(judged: Judged) -> Iterator[Fault]:
    """Files of what was forgotten that are gone: under another name they would be seen again."""
    gone = [one.path for one in judged.changes if one.status == "D"]
    if not any(paths.kind_of(path) in ("entity", "procedure") for path in gone):
        return
    sides = [frozenset(scores.list_forgotten(read_text(one, _SCORES))) for one in judged.befores]
    for path in gone:
        stem = path.rpartition("/")[2].removesuffix(".md")
        if all(f"{paths.kind_of(path)}:{stem}" in side for side in sides):
            hint = f"a person does: `molt restore {paths.kind_of(path)}:{stem}` comes first"
            yield Fault(path, 0, f"{judged.who} moves or removes what was forgotten", hint)


def _forgets(judged: Judged) -> bool:
    """Whether a person has told the bot to forget, as its commit says."""
    if judged.actor != messages.FORGETTER or judged.message is None:
        # Without a message it is not known yet.
        return judged.actor == messages.FORGETTER
    confirmed = messages.approval(judged.message) == "approved"
    return confirmed and judged.message.action in _FORGETS


def _is_set_anew(name: str, made: Entry) -> bool:
    """Whether a new entry is not that of a memory which was used: that begins with what its text
    is worth, and only core and vault are pinned by what they are.
    """
    if made.get("status") not in (None, "active", "fading"):
        return True
    base = scores.read_number(made, "base_relevance", scored.LEAST_BASE)
    weight = scores.read_number(made, "type_weight", paths.weight_of(name))
    pins = bool(made.get("pinned")) and not name.startswith(("core:", "vault:"))
    return pins or base < scored.LEAST_BASE or weight < paths.weight_of(name)


def _is_set(olds: Sequence[Entry], new: Entry) -> bool:
    """Whether more was done to an entry than to count its uses; of a merge, than to take from
    each side what it says. What no reader could compute with is no part of it, for the next write
    mends it.
    """
    olds = [scores.fit_entry(one) for one in olds]
    try:
        fewer = new.get("access_count", 0) < min(one.get("access_count", 0) for one in olds)
    except TypeError:
        return True
    return bool(fewer) or any(new.get(key) not in [one.get(key) for one in olds] for key in _SET)


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


RULES = (
    Rule(
        "SCORE001",
        "scores form",
        "error",
        _check_form,
        "That relevance can be computed.",
        Example({}, {_SCORES: '{"version": 1, "entries": {}}'}),
        Example({}, {_SCORES: "{"}),
        concerns=shapes.touching("scores"),
    ),
    Rule(
        "SCORE003",
        "scores are counted",
        "error",
        _check_changes,
        "That nobody makes a memory fade, stay, go or come back by the way.",
        Example(
            {_SCORES: _score_file("0.9")}, {_SCORES: _score_file("0.9") + "\n"}, actor="bot:main"
        ),
        Example({_SCORES: _score_file("0.1")}, {_SCORES: _score_file("1.0")}, actor="bot:main"),
        concerns=lambda shape: (
            not shape.is_person and shape.touches("scores", "entity", "procedure")
        ),
    ),
)
