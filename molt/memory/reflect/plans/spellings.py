"""How models spell operations and their fields when they do not spell them as they are called."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KINDS = {
    "upsert-entity": "entity create-entity add-entity new-entity update-entity entity-upsert",
    "add-fact": "fact new-fact create-fact add-facts remember append-fact",
    "supersede-fact": "supersede update-fact replace-fact correct-fact revise-fact",
    "add-relation": "relation relationship add-relationship add-edge create-relation link",
    "merge-entities": "merge merge-entity",
    "upsert-procedure": "procedure add-procedure create-procedure update-procedure",
    "accept-proposal": "accept approve-proposal",
    "rewrite-core": "core update-core edit-core core-update rewrite-memory update-memory",
    "archive": "archive-memory archive-episode archive-entity",
    "reinforce": "strengthen keep reinforce-memory reinforce-memories touch",
    "pin": "pin-memory",
    "contradiction": "conflict contradict contradictions flag-contradiction",
    "question": "ask ask-question ask-user questions open-question",
    "insight": "observation insights add-insight pattern theme",
}
_CORE = {
    "add": "core-add add-core add-to-core add-bullet core-append",
    "replace": "core-replace replace-core core-edit replace-bullet edit-bullet update-bullet",
    "drop": "core-drop core-remove drop-core drop-bullet remove-bullet demote",
}
"""Names for a change of one bullet whose fields are the operation's own."""
_ROW_OF = {word: name for name, words in _CORE.items() for word in words.split()}
_KIND_OF = {word: op for op, words in _KINDS.items() for word in (op, *words.split())}
_KIND_OF |= dict.fromkeys(_ROW_OF, "rewrite-core")
FEW_WORDS = 4
"""Words from which on a text among ids is a quote, and no id that is spelled badly."""
_IDS = ("id", "memory", "memory_id", "ref", "source", "episode")
_QUOTES = ("quote", "text", "excerpt", "words", "citation", "content", "span")
TEXTS = ("text", "fact", "content", "statement", "value", "description", "step", "name", "label")
"""Where a text may stand in an object that should be one."""
_NAMES = ("op", "operation", "type", "action", "kind", "name")
_INNER = ("args", "arguments", "params", "parameters", "fields", "data", "payload", "details")
_EVERY = {
    "evidence": "evidence_ids evidenceids sources source_ids supported_by memory_ids citations"
}
_EVERY |= {"reason": "why rationale reasoning because justification explanation"}
_EVERY |= {"confidence": "certainty confidence_level"}
_FIELDS = {
    "upsert-entity": {
        "entity": "name label id entity_id subject title",
        "summary": "description about",
        "facts": "fact details statements add_facts new_facts",
        "aliases": "alias also_known_as other_names names",
        "tags": "tag labels keywords",
    },
    "add-fact": {
        "entity": "entity_id subject name about target id label",
        "fact": "text content statement value description facts new_fact",
        "since": "from valid_from date start",
        "until": "to valid_to end",
    },
    "supersede-fact": {
        "entity": "entity_id subject name about target id",
        "fact": "old old_fact previous superseded from old_text",
        "by": "new new_fact replacement now to with text new_text",
        "since": "date valid_from",
    },
    "add-relation": {
        "from": "subject source from_entity head a start",
        "relation": "predicate rel word relation_type label verb edge relationship",
        "to": "object target to_entity tail b end",
    },
    "merge-entities": {
        "into": "target keep canonical primary to",
        "other": "source duplicate from merge secondary remove",
    },
    "upsert-procedure": {
        "title": "name procedure label",
        "trigger": "when",
        "steps": "procedure_steps actions",
    },
    "accept-proposal": {"proposal": "id proposal_id number", "store": "target_store"},
    "rewrite-core": {
        "add": "additions adds added new append",
        "replace": "replacements replaced update updates modify edit",
        "drop": "remove removals removed delete deletes drops demote",
    },
    "archive": {"memory": "id memory_id target memories entity episode"},
    "reinforce": {"memories": "memory ids memory_id targets target id"},
    "pin": {"memory": "id memory_id target"},
    "contradiction": {
        "first": "a fact1 fact_a statement1 one old",
        "second": "b fact2 fact_b statement2 other new",
        "about": "entity subject topic",
    },
    "question": {"text": "question content ask", "about": "entity subject topic"},
    "insight": {"text": "insight content observation statement", "thread": "theme"},
}
_ROWS = {
    "block": "section category",
    "text": "content bullet_text new value fact new_text to",
    "bullet": "id old target from bullet_id old_text match",
    "into": "entity move_to to",
    "evidence": "sources source evidence_ids",
}
_SEEN = '"evidence": [{"id": "episode:…", "quote": "…"}]'
EXAMPLES = {
    op: f'{{"op": "{op}", {rest}}}'
    for op, rest in {
        "upsert-entity": f'"entity": "person:Dana", "facts": ["…"], {_SEEN}',
        "add-fact": f'"entity": "person--dana", "fact": "…", {_SEEN}',
        "supersede-fact": f'"entity": "person--dana", "fact": "as it stands", "by": "…", {_SEEN}',
        "add-relation": f'"from": "person--dana", "relation": "uses", "to": "tool--git", {_SEEN}',
        "merge-entities": '"into": "person--dana", "other": "person--dana-s"',
        "upsert-procedure": f'"title": "…", "steps": ["…"], {_SEEN}',
        "accept-proposal": '"proposal": "1"',
        "rewrite-core": f'"add": [{{"block": "Active Context", "text": "…"}}], {_SEEN}',
        "archive": '"memory": "episode:…"',
        "reinforce": '"memories": ["episode:…"]',
        "pin": '"memory": "episode:…"',
        "contradiction": f'"first": "…", "second": "…", {_SEEN}',
        "question": '"text": "…"',
        "insight": f'"text": "…", {_SEEN}',
    }.items()
}
"""What an operation looks like, for who has misspelled it."""


def _fold_key(key: str) -> str:
    """`oldFact`, `old-fact` and `Old fact` as `old_fact`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())
    return re.sub(r"[\s_-]+", "_", spaced).lower()


def open_item(item: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of an operation and its fields, wherever they stand."""
    fields = {_fold_key(str(key)): value for key, value in item.items()}
    if len(fields) == 1:
        key, value = next(iter(fields.items()))
        if find_kind(key) and isinstance(value, dict):
            return key, {_fold_key(str(name)): inner for name, inner in value.items()}
    name = ""
    for key in _NAMES:
        value = fields.get(key)
        if isinstance(value, str) and (key in _NAMES[:2] or find_kind(value)):
            name = fields.pop(key)
            break
    if change := _ROW_OF.get(_fold_key(name).replace("_", "-")):
        fields["change"] = change
    for key in _INNER:
        inner = fields.get(key)
        if isinstance(inner, dict):
            del fields[key]
            fields = {_fold_key(str(one)): value for one, value in inner.items()} | fields
    return name, fields


def _gather_row(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a rewrite of core memory whose change stands in the operation itself with a row."""
    name = str(fields.pop("change", "")) or ("replace" if "bullet" in fields else "add")
    row = {key: fields[key] for key in (*_ROWS, *_ROWS["text"].split(), *_ROWS["block"].split(),
                                        *_ROWS["bullet"].split())
           if isinstance(fields.get(key), str)}  # fmt: skip
    if row and not any(isinstance(fields.get(key), list | dict) for key in _CORE):
        fields = {key: value for key, value in fields.items() if key not in row or key in _EVERY}
        fields[name] = [row]
    return fields


def find_kind(name: str) -> str:
    """The kind of operation that a name means; empty for none."""
    return _KIND_OF.get(_fold_key(name).replace("_", "-"), "")


def rename_fields(op: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Fields under the names that they are called by; a name that is taken is not taken again."""
    found = _rename(fields, _FIELDS[op] | _EVERY)
    if op == "rewrite-core":
        return _gather_row(found)
    kind = fields.get("entity_type") or fields.get("type")
    name = found.get("entity")
    bare = isinstance(name, str) and ":" not in name and "--" not in name
    if op in ("upsert-entity", "add-fact") and bare and isinstance(kind, str):
        found["entity"] = f"{kind.lower()}:{name}"
    return found


def open_row(row: object) -> dict[str, Any]:
    """Return a change of core memory with its fields as they are called; a text alone is a
    bullet.
    """
    if isinstance(row, dict):
        fields = {_fold_key(str(key)): value for key, value in row.items()}
        return _rename(fields, _ROWS)
    return {"bullet": row} if isinstance(row, str) else {}


def is_operation(item: dict[str, Any]) -> bool:
    """Return whether an object looks like one operation, and not like something that holds some."""
    folded = {_fold_key(str(key)) for key in item}
    if folded & {"op", "operation"}:
        return True
    named = (item.get(key) for key in _NAMES if key in item)
    keys = [key for key in item if find_kind(str(key)) and isinstance(item[key], dict)]
    return len(item) == len(keys) == 1 or any(isinstance(n, str) and find_kind(n) for n in named)


def find_quote(row: dict[str, Any]) -> tuple[object, object] | None:
    """Return the id and the quote of an object that has one of them; None for another."""
    fields = {_fold_key(str(key)): value for key, value in row.items()}
    named = next((fields[key] for key in _IDS if key in fields), "")
    said = next((fields[key] for key in _QUOTES if key in fields), "")
    return (named, said) if named or said else None


def _rename(fields: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    found = dict(fields)
    for wanted, others in names.items():
        if found.get(wanted) is not None:
            continue
        for other in others.split():
            if other in found and other not in names:
                found[wanted] = found.pop(other)
                break
    return found
