"""CORE, EPI, GRAPH, PROC, SCORE: each store keeps its own form."""

from __future__ import annotations

from molt import formats
from molt.formats import document, episodes, meta, notes
from molt.policy.engine import Example, Fault, Judged, Rule, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import FileChange

_CORE = "MEMORY.md"
_DAY = "memory/episodes/2026-02-02.md"
_TITLE = "# 2026-02-02 — Episode Log\n"
_ENTRY = "\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"
_ENTITY = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n# Git\n\n## Facts\n- fast\n"
_STEPS = "---\nid: ship\ntype: procedure\nlabel: Ship\n---\n# Ship\n\n## Steps\n1. go\n"
_SCORES = "memory/meta/decay-scores.json"


def _of(judged: Judged, *kinds: str) -> Iterator[FileChange]:
    """The files of some kinds that this commit adds or edits; none of those it only adopts."""
    for change in judged.changes:
        adopted = judged.init and change.status == "A"
        if change.status != "D" and not adopted and formats.kind(change.path) in kinds:
            yield change


def _cap(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == _CORE and change.status != "D" for change in judged.changes):
        return
    data, cap = judged.new.read(_CORE) or b"", judged.config.core_cap
    # A token is at least one byte, so a small file needs no counting.
    if len(data) <= cap or judged.init:
        return
    count = judged.context.count_tokens or document.tokens
    tokens = count(data.decode("utf-8", "replace"))
    if tokens > cap:
        hint = "move what is no longer pressing into memory/, or shorten it"
        yield Fault(_CORE, 0, f"{tokens:,} tokens, {tokens - cap:,} over the cap of {cap:,}", hint)


def _blocks(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "core"):
        titles = {section.title for section in document.sections(text(judged.new, change.path))}
        before = {section.title for section in document.sections(text(judged.base, change.path))}
        for block in notes.BLOCKS:
            if block in before and block not in titles:
                yield Fault(change.path, 0, f"the block {block!r} is gone", f"keep `## {block}`")


def _first_difference(before: bytes, after: bytes) -> int:
    pairs = zip(before.split(b"\n"), after.split(b"\n"), strict=False)
    return next((n for n, (old, new) in enumerate(pairs, 1) if old != new), 1)


def _survives(before: bytes, after: bytes) -> bool:
    """Whether every line of one text is in the other, in order."""
    rest = iter(after.split(b"\n"))
    return all(any(line == other for other in rest) for line in before.split(b"\n") if line)


def _append_only(judged: Judged) -> Iterator[Fault]:
    parents = judged.context.parents if len(judged.context.parents) > 1 else (judged.base,)
    for change in judged.changes:
        if not episodes.is_episode_path(change.path):
            continue
        after = judged.new.read(change.path)
        for parent in parents:
            before = parent.read(change.path)
            if before is None or _forgotten(judged):
                continue
            kept = after is not None and (
                after.startswith(before) if len(parents) == 1 else _survives(before, after)
            )
            if not kept:
                line = _first_difference(before, after or b"")
                said = "an episode file is removed" if after is None else "an earlier entry changes"
                hint = "leave it as it was and append a correction entry"
                yield Fault(change.path, line, f"{said}; episodes are only appended to", hint)
                break


def _forgotten(judged: Judged) -> bool:
    """Whether this is a deletion that the user asked for and confirmed."""
    asked = judged.message is not None and judged.message.action == "DELETE"
    return asked and judged.actor == "bot:trigger-forget"


def _entries(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "episode"):
        before = len(text(judged.base, change.path).split("\n")) if change.old else 0
        if not change.path.startswith("memory/episodes/"):
            continue
        for line, why in episodes.malformed(text(judged.new, change.path)):
            if line >= before:
                hint = "## HH:MM | TYPE | confidence:LEVEL | tags:[…]"
                yield Fault(change.path, line, why, hint, soft=judged.person)


def _dated(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "episode"):
        if change.status == "A" and episodes.date_of(change.path) is None:
            hint = "memory/episodes/YYYY-MM-DD.md"
            yield Fault(change.path, 0, "an episode file is named for a date", hint)


def _entity(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "entity"):
        content = text(judged.new, change.path)
        stem = change.path.rpartition("/")[2].removesuffix(".md")
        front, _, _ = document.split_front_matter(content)
        if front is None:
            if change.status == "A":
                yield Fault(change.path, 1, "no front matter", "start with ---, id, type, label")
            continue
        fields = _front(content)
        if fields is None:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")
            continue
        if str(fields.get("id", "")) != stem:
            yield Fault(change.path, 1, f"its id is not its file's name {stem!r}", f"id: {stem}")
        known = (*notes.ENTITY_TYPES, *judged.config.graph_types)
        if str(fields.get("type", "")) not in known:
            yield Fault(change.path, 1, f"unknown type {fields.get('type')!r}", ", ".join(known))


def _front(content: str) -> dict[str, object] | None:
    try:
        return document.front_matter(content)
    except ValueError:
        return None


def _relations(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "entity"):
        words = set(notes.parse_relation_words(text(judged.new, "memory/graph/relations.md")))
        stem = change.path.rpartition("/")[2].removesuffix(".md")
        for relation in notes.parse_entity(text(judged.new, change.path), stem).relations:
            if words and relation.word not in words:
                hint = "add it to memory/graph/relations.md"
                yield Fault(change.path, 0, f"unknown relation {relation.word!r}", hint)
            if judged.new.entry(f"memory/graph/entities/{relation.target}.md") is None:
                yield Fault(change.path, 0, f"no entity {relation.target!r}", "create it")


def _projections(judged: Judged) -> Iterator[Fault]:
    for change in judged.changes:
        if change.path in formats.PROJECTIONS and change.status != "D":
            hint = f"`git rm --cached {change.path}`; molt makes it from history"
            yield Fault(change.path, 0, "a projection is not committed", hint)


def _procedure(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "procedure", "vault"):
        content = text(judged.new, change.path)
        if _front(content) is None:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")


def _scores(judged: Judged) -> Iterator[Fault]:
    for change in _of(judged, "scores"):
        try:
            meta.parse_scores(text(judged.new, change.path))
        except ValueError as error:
            yield Fault(change.path, 0, str(error), "`git restore` it; molt writes this file")


def _pinned(judged: Judged) -> Iterator[Fault]:
    if judged.actor != "system:decay":
        return
    for change in _of(judged, "scores"):
        before = _score_entries(text(judged.base, change.path))
        after = _score_entries(text(judged.new, change.path))
        for name, entry in before.items():
            if isinstance(entry, dict) and entry.get("pinned") and after.get(name) != entry:
                yield Fault(change.path, 0, f"decay touches {name}, which is pinned", "leave it")


def _score_entries(content: str) -> dict[str, object]:
    import json

    try:
        entries = json.loads(content).get("entries", {}) if content else {}
    except (ValueError, AttributeError):
        return {}
    return entries if isinstance(entries, dict) else {}


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


RULES = (
    Rule(
        "CORE001",
        "core cap",
        "error",
        _cap,
        "The context window: core memory is always loaded.",
        Example({}, {_CORE: "# small\n"}),
        Example({}, {_CORE: "word " * 3500}),
    ),
    Rule(
        "CORE002",
        "core blocks",
        "warning",
        _blocks,
        "The four blocks that agents rely on.",
        Example({_CORE: "## Identity\n"}, {_CORE: "## Identity\n- a\n"}),
        Example({_CORE: "## Identity\n"}, {_CORE: "# nothing\n"}),
    ),
    Rule(
        "EPI001",
        "append only",
        "error",
        _append_only,
        "The past: what happened stays written.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}),
        Example({_DAY: _TITLE + _ENTRY}, {_DAY: _TITLE + _ENTRY.replace("words", "other")}),
    ),
    Rule(
        "EPI002",
        "well-formed entries",
        "error",
        _entries,
        "That every entry can be read back.",
        Example({_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY}, actor="bot:main"),
        Example(
            {_DAY: _TITLE}, {_DAY: _TITLE + _ENTRY.replace("fact", "rumour")}, actor="bot:main"
        ),
    ),
    Rule(
        "EPI003",
        "dated files",
        "warning",
        _dated,
        "That a day can be found by its name.",
        Example({}, {_DAY: _TITLE + _ENTRY}),
        Example({}, {"memory/episodes/monday.md": _TITLE + _ENTRY}),
    ),
    Rule(
        "GRAPH001",
        "entity form",
        "error",
        _entity,
        "The graph: an entity's id is its file's name.",
        Example({}, {"memory/graph/entities/tool--git.md": _ENTITY}),
        Example({}, {"memory/graph/entities/tool--hg.md": _ENTITY}),
    ),
    Rule(
        "GRAPH002",
        "relations",
        "warning",
        _relations,
        "That links lead somewhere.",
        Example({}, {"memory/graph/entities/tool--git.md": _ENTITY}),
        Example(
            {},
            {
                "memory/graph/entities/tool--git.md": _ENTITY
                + "\n## Relations\n- uses [[tool--gone]]\n"
            },
        ),
    ),
    Rule(
        "GRAPH003",
        "projections",
        "error",
        _projections,
        "That derived files never conflict.",
        Example({}, {"a.md": "a\n"}),
        Example({}, {"memory/meta/audit.log": "a\n"}),
    ),
    Rule(
        "PROC001",
        "front matter",
        "error",
        _procedure,
        "That procedures and vault files parse.",
        Example({}, {"memory/procedures/ship.md": _STEPS}),
        Example({}, {"memory/procedures/ship.md": _STEPS.replace("id: ship", "id: [ship")}),
    ),
    Rule(
        "SCORE001",
        "scores form",
        "error",
        _scores,
        "That relevance can be computed.",
        Example({}, {_SCORES: '{"version": 1, "entries": {}}'}),
        Example({}, {_SCORES: "{"}),
    ),
    Rule(
        "SCORE002",
        "pins hold",
        "error",
        _pinned,
        "What the user pinned.",
        Example(
            {_SCORES: _score_file("1.0")},
            {_SCORES: _score_file("1.0") + "\n"},
            actor="system:decay",
        ),
        Example({_SCORES: _score_file("1.0")}, {_SCORES: _score_file("0.1")}, actor="system:decay"),
    ),
)
