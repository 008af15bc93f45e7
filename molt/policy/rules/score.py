"""SCORE: relevance can be computed, and what the user pinned stays pinned."""

from __future__ import annotations

from molt.formats import bullets, episodes, fields, frontmatter, ids, paths, scores
from molt.formats import message as messages
from molt.policy import shapes
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from molt.trees import Tree

    Entry = Mapping[str, Any]

_SCORES = paths.SCORES
_SETTERS = ("MERGE", "REVERT")
"""The actions by which a score is set; all others only count how often a memory was used."""
_FORGETS = ("ARCHIVE", "DELETE")
"""Those by which a person forgets, or the bot that a person has told to."""
_LEAST = 0.5
"""The least base relevance that a memory begins with: what was inferred has it."""
_SET = ("status", "current_score", "base_relevance", "type_weight", "created", "pinned", "store")


def _check_form(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "scores"):
        hint = "`molt doctor --fix` mends it; molt writes this file"
        content, old = (read_text(tree, change.path) for tree in (judged.new, judged.base))
        before, after = _read_entries(old), _read_entries(content)
        if isinstance(after, str):
            # What was damaged before is nothing that this commit did.
            if not isinstance(before, str):
                yield Fault(change.path, 0, after, hint)
            continue
        if not _is_plain(content) and (name := _find_repeated(content)):
            yield Fault(change.path, 0, f"{name} is there twice", hint)
        known = {} if isinstance(before, str) else before
        for name, entry in after.items():
            if known.get(name) != entry and not _fits_schema(entry):
                yield Fault(change.path, 0, f"the entry {name} does not fit the schema", hint)


def _read_entries(content: str) -> Mapping[str, Entry] | str:
    """The entries of a text, or why there are none to read."""
    try:
        entries: Mapping[str, Entry] = scores.parse_scores(content)["entries"]
    except ValueError as error:
        return str(error)
    return entries


def _is_plain(content: str) -> bool:
    """Whether a text has its entries one below the other, as molt writes them, each name once."""
    if not content.startswith('{\n  "entries": {\n    "'):
        return False
    names = [piece.partition('"')[0] for piece in content.split('\n    "')[1:]]
    once = len(frozenset(names)) == len(names) and content.count('"entries"') == 1
    return once and "\\" not in content


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


def _fits_schema(entry: Entry) -> bool:
    """Whether an entry's fields are what readers compute with; of a time that is none they know
    nothing, and go on.
    """
    odd = entry.keys() - scores.fit_entry(entry).keys()
    return not odd - {"created", "last_accessed"}


def _check_pins(judged: Judged) -> Iterator[Fault]:
    if judged.is_person:
        return
    yield from _check_marks(judged)
    if not any(one.path == _SCORES for one in judged.changes):
        return
    after = read_text(judged.new, _SCORES)
    held = _Held(judged.new)
    for name, made in _find_fresh(judged, after):
        if _is_pinned(name, {}) and _is_worse(name, {}, made):
            said = f"{judged.who} puts {name} away, which is pinned"
            yield Fault(_SCORES, 0, said, "a person unpins it")
    for name, (olds, new) in _list_changed(judged, after).items():
        pinned = all(_is_pinned(name, old) for old in olds)
        worse = all(_is_worse(name, old, new) for old in olds)
        if pinned and worse and (new is not None or held.has(name)):
            yield Fault(
                _SCORES, 0, f"{judged.who} touches {name}, which is pinned", "a person unpins it"
            )


def _check_marks(judged: Judged) -> Iterator[Fault]:
    """The notes that said of themselves that they are pinned, and say so no longer; to delete one
    unpins it too.
    """
    for change in judged.changes:
        if change.status == "A" or paths.kind_of(change.path) not in ("entity", "procedure"):
            continue
        held = all(_has_mark(tree, change.path) for tree in judged.befores)
        if held and not _has_mark(judged.new, change.path):
            said = f"{judged.who} unpins {change.path}"
            yield Fault(change.path, 0, said, "a person does: `molt unpin`")


def _has_mark(tree: Tree, path: str) -> bool:
    """Whether a note is pinned by its own front matter."""
    data = tree.read(path) or b""
    # Few notes are, and to read front matter takes longer than all else.
    return b"pinned" in data and fields.pinned_flag(frontmatter.metadata(read_text(tree, path)))


def _list_changed(judged: Judged, after: str) -> dict[str, tuple[list[Entry], Entry | None]]:
    """The entries that are as none of the sides has them that have them at all, with what they
    were and what they are now; what a side has done was judged there.
    """
    found: dict[str, tuple[list[Entry], Entry | None]] = {}
    kept: set[str] = set()
    for tree in judged.befores:
        before = read_text(tree, _SCORES)
        changed = _find_changed(before, after)
        for name, (old, new) in changed.items():
            found.setdefault(name, ([], new))[0].append(old)
        if judged.merge and not isinstance(every := _read_entries(before), str):
            kept.update(every.keys() - changed.keys())
    return {name: pair for name, pair in found.items() if name not in kept}


def _find_fresh(judged: Judged, after: str) -> Iterator[tuple[str, Entry]]:
    """The entries that no side had."""
    texts = [read_text(tree, _SCORES) for tree in judged.befores]
    found = _find_changed(after, texts[0])
    for name in [name for name, (_, old) in found.items() if old is None]:
        if not any(name in _find_changed(content, "") for content in texts[1:]):
            yield name, found[name][0]


def _is_pinned(name: str, entry: Entry) -> bool:
    return bool(entry.get("pinned")) or name.startswith("vault:")


def _is_worse(name: str, before: Entry, after: Entry | None) -> bool:
    """Whether a pinned entry is worse off, also for the day on which a person unpins it; counting
    its accesses leaves it as it was.
    """
    if after is None or (before.get("pinned") and not after.get("pinned")):
        return True
    if after.get("status") not in (before.get("status"), "active"):
        return True
    if "created" in before and after.get("created") != before["created"]:
        return True
    usual = {"current_score": 1.0, "base_relevance": _LEAST, "type_weight": _weight_of(name)}
    try:
        return any(after.get(key, least) < before.get(key, least) for key, least in usual.items())
    except TypeError:
        return True


def _weight_of(name: str) -> float:
    store = paths.STORE_OF_KIND.get(name.partition(":")[0])
    return store.weight if store else 1.0


class _Held:
    """The memories that a tree holds, each file read once: a score of one that is gone may go."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[str, frozenset[str]] = {}

    def has(self, memory: str) -> bool:
        """Whether there is a memory of an id."""
        try:
            found = ids.parse(memory)
        except ValueError:
            return False
        if found.store == "episodic":
            date = found.key.partition(":")[0]
            return any(memory in self._list(path) for path in (found.path, f"memory/{date}.md"))
        if found.anchor:
            return memory in self._list(found.path)
        return self._tree.entry(found.path) is not None

    def _list(self, path: str) -> frozenset[str]:
        if path not in self._known:
            content = read_text(self._tree, path)
            listed = _list_bullets(content) if path == paths.CORE else _list_times(path, content)
            self._known[path] = frozenset(listed)
        return self._known[path]


def _list_bullets(content: str) -> Iterator[str]:
    return (one.id for one in bullets.core_bullets(content))


def _list_times(path: str, content: str) -> Iterator[str]:
    date = paths.date_of(path) or ""
    return (one.id for one in episodes.parse(content, date))


def _check_changes(judged: Judged) -> Iterator[Fault]:
    yield from _check_counts(judged)
    yield from _check_forgotten(judged)


def _check_counts(judged: Judged) -> Iterator[Fault]:
    """Whoever decides nothing about scores only counts: uses grow, and new entries come."""
    free = judged.is_person or judged.init or judged.merge or judged.actor == "system:decay"
    action = judged.message.action if judged.message else ""
    if free or action in _SETTERS or not any(one.path == _SCORES for one in judged.changes):
        return
    changed = _find_changed(read_text(judged.base, _SCORES), read_text(judged.new, _SCORES))
    asked = _forgets(judged)
    for name, made in _find_fresh(judged, read_text(judged.new, _SCORES)):
        if _is_set_anew(name, made) and not _is_forgotten(made):
            said = f"{judged.who} puts {name} away, or pins it"
            yield Fault(_SCORES, 0, said, "`molt decay` sets scores, or a person does")
    held = _Held(judged.new)
    for name, (before, after) in changed.items():
        # Of what was forgotten, or is, `_check_forgotten` tells.
        if (after is None and asked) or _is_forgotten(before) or _is_forgotten(after or {}):
            continue
        if held.has(name) if after is None else _is_set(before, after):
            hint = "`molt decay` sets scores, or a person does"
            yield Fault(_SCORES, 0, f"{judged.who} sets the score of {name}", hint)


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
    after, held = read_text(judged.new, _SCORES), _Held(judged.new)
    for name, (olds, new) in _list_changed(judged, after).items():
        was, is_now = all(map(_is_forgotten, olds)), new is not None and _is_forgotten(new)
        if was and not is_now and (new is not None or held.has(name)):
            hint = f"a person does: `molt restore {name}`"
            yield Fault(_SCORES, 0, f"{judged.who} brings back {name}, which was forgotten", hint)
        elif is_now and not was and not asked:
            hint = f"a person does, or {messages.FORGETTER} with `Approval: approved`"
            yield Fault(_SCORES, 0, f"{judged.who} forgets {name}, and no person has said so", hint)
    for name, made in _find_fresh(judged, after):
        if _is_forgotten(made) and not asked:
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


def _is_forgotten(entry: Entry) -> bool:
    return scores.is_forgotten(entry)


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
    base = scores.read_number(made, "base_relevance", _LEAST)
    weight = scores.read_number(made, "type_weight", _weight_of(name))
    pins = bool(made.get("pinned")) and not name.startswith(("core:", "vault:"))
    return pins or base < _LEAST or weight < _weight_of(name)


def _is_set(before: Entry, after: Entry) -> bool:
    """Whether more was done to an entry than to count its uses; what no reader could compute with
    is no part of it, for the next write mends it.
    """
    before = scores.fit_entry(before)
    try:
        fewer = after.get("access_count", 0) < before.get("access_count", 0)
    except TypeError:
        return True
    return bool(fewer) or any(after.get(key) != before.get(key) for key in _SET)


def _find_changed(before: str, after: str) -> dict[str, tuple[Entry, Entry | None]]:
    """The entries of before that are not as they were, with what they are now, None for gone."""
    if _is_plain(before) and _is_plain(after):
        gone, fresh = scores.changed_entries(after, before), scores.changed_entries(before, after)
        if gone is not None and fresh is not None:
            return {name: (one, fresh.get(name)) for name, one in gone.items() if one is not None}
    old, new = _read_entries(before), _read_entries(after)
    known = {} if isinstance(new, str) else new
    pairs = () if isinstance(old, str) else old.items()
    return {name: (one, known.get(name)) for name, one in pairs if one != known.get(name)}


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


_VAULT = {"memory/vault/a.md": "a\n"}

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
        "SCORE002",
        "pins hold",
        "error",
        _check_pins,
        "What the user pinned.",
        Example(
            {_SCORES: _score_file("1.0"), **_VAULT},
            {_SCORES: _score_file("1.0") + "\n", **_VAULT},
            actor="system:decay",
        ),
        Example(
            {_SCORES: _score_file("1.0"), **_VAULT},
            {_SCORES: _score_file("0.1"), **_VAULT},
            actor="system:decay",
        ),
        concerns=shapes.touching("scores", "entity", "procedure"),
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
