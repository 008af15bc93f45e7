"""What a reflection proposes: a plan of typed operations, as JSON that hosts and models write.

One table says what each operation is told; the JSON schema, the check of each item, the record
and the words for people all come from it.
"""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, episodes, facts, ids
from molt.formats import lines as textlines
from molt.formats.reflections.record import ReflectionItem
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

LABEL, TEXT, REASON = 120, 600, 600
"""Characters of a name, of a fact, bullet, step or question, and of a reason: a fact that takes
more is several."""
QUOTE = 1_000
"""Characters of a quote: a sentence or two."""
MOST_ITEMS = 64
"""Evidence, facts, steps or bullets of one operation: what lists more has read out a page."""
MOST_OPERATIONS = 200
"""Operations of a plan: the budget of a reflection holds less than half of them."""

_LABEL = {"type": "string", "minLength": 1, "maxLength": LABEL}
_TEXT = {"type": "string", "minLength": 1, "maxLength": TEXT}
_ID = {"type": "string", "minLength": 1, "maxLength": 240}
_DAY = {"type": "string", "minLength": 10, "maxLength": 10}
_IDS = {"type": "array", "items": _ID, "maxItems": MOST_ITEMS}
_QUOTE = {"type": "string", "minLength": 1, "maxLength": QUOTE}
_TEXTS = {"type": "array", "items": _TEXT, "maxItems": MOST_ITEMS}
_TAGS = {"type": "array", "items": _LABEL, "maxItems": 8}
_BLOCK = {"enum": list(bullets.BLOCKS)}


def _object(fields: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(required),
        "additionalProperties": False,
    }


def _list_of(fields: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {"type": "array", "items": _object(fields, required), "maxItems": MOST_ITEMS}


class OperationKind(Value):
    """One kind of operation: what it is for, its fields as JSON schema, those it must have, the
    fields that name memories which are its evidence by themselves, and whether it edits files on
    the reflection's branch. What does not is done when the reflection is approved.
    """

    what: str
    fields: dict[str, Any]
    required: tuple[str, ...]
    own_evidence: tuple[str, ...] = ()
    edits: bool = True


KINDS: dict[str, OperationKind] = {
    "upsert-entity": OperationKind(
        "a person, project, tool, place, organization, event or concept that is new, or gets "
        "further names, tags, a summary or facts; `entity` is TYPE:LABEL, or the id of a known one",
        {
            "entity": _LABEL,
            "aliases": _TAGS,
            "tags": _TAGS,
            "summary": _TEXT,
            "facts": _TEXTS,
        },
        ("entity",),
    ),
    "add-fact": OperationKind(
        "one more fact of an entity, in one sentence; `since` and `until` are days it holds",
        {"entity": _LABEL, "fact": _TEXT, "since": _DAY, "until": _DAY},
        ("entity", "fact"),
    ),
    "supersede-fact": OperationKind(
        "a fact of an entity that is no longer true: `fact` as it stands, and `by` what holds now",
        {"entity": _LABEL, "fact": _TEXT, "by": _TEXT, "since": _DAY},
        ("entity", "fact"),
    ),
    "add-relation": OperationKind(
        "how two entities hang together; `relation` is one of the known words",
        {"from": _LABEL, "relation": _LABEL, "to": _LABEL},
        ("from", "relation", "to"),
    ),
    "merge-entities": OperationKind(
        "two entities that are one: `other` becomes part of `into`",
        {"into": _ID, "other": _ID},
        ("into", "other"),
        ("into", "other"),
    ),
    "upsert-procedure": OperationKind(
        "a way of doing something that was done the same way more than once",
        {"title": _LABEL, "trigger": _TEXT, "steps": {**_TEXTS, "minItems": 1}, "tags": _TAGS},
        ("title", "steps"),
    ),
    "accept-proposal": OperationKind(
        "a sub-agent's pending proposal that deserves to be kept; `store` where it suggests a "
        "wrong one",
        {"proposal": _ID, "store": {"enum": ["episodic", "semantic", "procedural"]}},
        ("proposal",),
        ("proposal",),
    ),
    "rewrite-core": OperationKind(
        "one change of MEMORY.md: a bullet to `add`, to `replace` or to `drop` (one with `into` "
        "becomes a fact of that entity), a list of one; each bullet is an operation",
        {
            "add": _list_of({"block": _BLOCK, "text": _TEXT, "evidence": _IDS}, ("block", "text")),
            "replace": _list_of(
                {"bullet": _ID, "text": _TEXT, "evidence": _IDS}, ("bullet", "text")
            ),
            "drop": _list_of({"bullet": _ID, "into": _LABEL}, ("bullet",)),
        },
        (),
    ),
    "archive": OperationKind(
        "a memory that has faded and says nothing that is still needed",
        {"memory": _ID},
        ("memory",),
        ("memory",),
        edits=False,
    ),
    "reinforce": OperationKind(
        "memories that are old and still matter: they count as used",
        {"memories": {**_IDS, "minItems": 1}},
        ("memories",),
        ("memories",),
        edits=False,
    ),
    "pin": OperationKind(
        "a memory that must never fade",
        {"memory": _ID},
        ("memory",),
        ("memory",),
        edits=False,
    ),
    "contradiction": OperationKind(
        "two memories that cannot both be true; a person says which one is",
        {"first": _TEXT, "second": _TEXT, "about": _LABEL},
        ("first", "second"),
        edits=False,
    ),
    "question": OperationKind(
        "what only the user can say", {"text": _TEXT, "about": _LABEL}, ("text",), edits=False
    ),
    "insight": OperationKind(
        "what many memories together show of the user or of the agent; with `thread` it goes on "
        "with a theme of evolution.md",
        {"text": _TEXT, "thread": _TEXT},
        ("text",),
        edits=False,
    ),
}
"""All operations, in the order in which a summary tells them."""
WITHOUT_EVIDENCE = ("question", "rewrite-core")
"""What needs no evidence of its own: a question knows nothing, and bullets name their own."""
ASKS = ("contradiction", "question")
"""What waits for an answer of a person."""


VERBATIM, MODEL = "verbatim", "model"
"""The wording of an operation: all its claims are parts of their quotes, or a model put some in
words of its own."""


CLAIMS = {
    "upsert-entity": ("summary", "facts"),
    "add-fact": ("fact",),
    "supersede-fact": ("by",),
    "upsert-procedure": ("trigger", "steps"),
    "insight": ("text",),
}
"""The fields in which an operation claims something; a bullet of core memory does in its text."""
CLAIMLESS = ("accept-proposal", "archive", "reinforce", "pin", "contradiction", "question")
"""What claims nothing by itself: it is about memories as they are, or asks."""


class EvidenceQuote(Value):
    """A memory that supports an operation, by its id, and the words of it that do."""

    id: str
    text: str


class Operation(Value):
    """One step of a plan: its kind, its fields (those of its kind), the ids of the memories that
    support it, the reason for it, and its confidence. `n` is its number in the plan, from 1.
    `quotes` are the words of the evidence that support it; `wording` is VERBATIM or MODEL once it
    was checked, and empty for an operation that claims nothing.
    """

    op: str
    args: dict[str, Any]
    evidence: tuple[str, ...] = ()
    reason: str = ""
    confidence: str = "medium"
    n: int = 0
    quotes: tuple[EvidenceQuote, ...] = ()
    wording: str = ""

    def text(self, name: str) -> str:
        """A field that is a text; empty where it is not told."""
        return str(self.args.get(name, ""))

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts."""
        return tuple(self.args.get(name, ()))

    def rows(self, name: str) -> tuple[dict[str, Any], ...]:
        """A field that is a list of objects."""
        return tuple(self.args.get(name, ()))


class PlanFault(Value):
    """What is wrong with one item of a plan: its place in the list from 0 (-1 for the plan), its
    kind, and what to mend.
    """

    at: int
    op: str
    wrong: str


class ParsedPlan(Value):
    """The operations of a plan that can be used, numbered, and what is wrong with the others."""

    operations: tuple[Operation, ...]
    faults: tuple[PlanFault, ...] = ()


def number_operations(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Operations numbered from 1; the rewrite of core memory comes last."""
    every = list(operations)
    every.sort(key=lambda one: one.op == "rewrite-core")
    return tuple(one.replace(n=number) for number, one in enumerate(every, 1))


def is_quoted(one: Operation) -> bool:
    """Return whether an operation claims only what is in its quotes."""
    if one.wording or one.quotes:
        return one.wording != MODEL
    bare = one.op == "rewrite-core" and not (one.rows("add") or one.rows("replace"))
    return bare or one.op in (*CLAIMLESS, "merge-entities")


def make_schema() -> dict[str, Any]:
    """The JSON schema of a plan (draft 2020-12)."""
    quote = _object({"id": _ID, "quote": _QUOTE}, ("id", "quote"))
    common = {
        "evidence": {"type": "array", "items": quote, "maxItems": MOST_ITEMS},
        "reason": {"type": "string", "maxLength": REASON},
        "confidence": {"enum": list(episodes.CONFIDENCES)},
    }
    each = [
        {
            **_object(
                {"op": {"const": name}, **_drop_evidence(kind.fields), **common},
                ("op", *kind.required, *(() if name in WITHOUT_EVIDENCE else ("evidence",))),
            ),
            "description": kind.what,
        }
        for name, kind in KINDS.items()
    ]
    operations = {"type": "array", "items": {"oneOf": each}, "maxItems": MOST_OPERATIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Plan of a reflection",
        **_object({"operations": operations}, ("operations",)),
    }


def _drop_evidence(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a kind without the evidence of single bullets, which older records have:
    a plan names it once for an operation.
    """
    made = dict(fields)
    for name in made.keys() & frozenset(_CORE_ROWS):
        rows = made[name]["items"]
        inner = {key: value for key, value in rows["properties"].items() if key != "evidence"}
        made[name] = {**_list_of(inner, rows["required"]), "maxItems": 1}
    return made


_CORE_ROWS = ("add", "replace", "drop")


def split_core(one: Operation) -> Iterator[Operation]:
    """Yield a rewrite of core memory as operations of one bullet each, what is taken out first:
    each can be taken, rejected and fitted into a budget by itself. Another operation stays whole.
    """
    if one.op != "rewrite-core":
        yield one
        return
    for name in ("drop", "replace", "add"):
        for row in one.rows(name):
            own = tuple(row.get("evidence", ())) or one.evidence
            bare = {key: value for key, value in row.items() if key != "evidence"}
            held = tuple(quote for quote in one.quotes if quote.id in own or not quote.id)
            yield one.replace(args={name: [bare]}, evidence=own, quotes=held)


def item_schema(op: str) -> dict[str, Any]:
    """The JSON schema of the fields of one kind, `op` left out. Raises KeyError for no kind."""
    kind = KINDS[op]
    return _object(kind.fields, kind.required)


def to_item(one: Operation, files: Sequence[str] = ()) -> ReflectionItem:
    """An operation as a record keeps it."""
    more: tuple[tuple[str, object], ...] = (("args", one.args), ("confidence", one.confidence))
    if one.quotes:
        more += (("quotes", [[quote.id, quote.text] for quote in one.quotes]),)
    if one.wording:
        more += (("wording", one.wording),)
    said = describe_operation(one)
    return ReflectionItem(one.n, one.op, said, one.evidence, one.reason, tuple(files), more=more)


def from_item(item: ReflectionItem) -> Operation | None:
    """The operation that a record keeps; None for what is none, or not told as its kind is."""
    more = dict(item.more)
    args = more.get("args")
    if item.op not in KINDS or not isinstance(args, dict) or not item.n:
        return None
    if find_misfit(args, item_schema(item.op), item.op, sized=False):
        return None
    sure = str(more.get("confidence", "medium"))
    wording = more.get("wording")
    return Operation(
        item.op,
        dict(args),
        item.evidence,
        item.reason,
        sure,
        item.n,
        tuple(_read_quotes(more.get("quotes"))),
        str(wording) if wording in (VERBATIM, MODEL) else "",
    )


def _read_quotes(value: object) -> Iterator[EvidenceQuote]:
    """Yield the quotes of a record, without those of another form: anybody may have written it."""
    for row in value if isinstance(value, list) else ():
        if isinstance(row, list) and len(row) == 2 and all(isinstance(one, str) for one in row):
            yield EvidenceQuote(*row)


_SHAPES: dict[str, type] = {"string": str, "array": list, "object": dict}


def find_misfit(value: Any, schema: Mapping[str, Any], where: str, *, sized: bool = True) -> str:
    """Return what is wrong with a value by the schema of a field, and where; empty if it fits.

    Without `sized` a text may have any length on one line: anybody may have written a record, and
    how long texts may be is asked if a plan is read.
    """
    if "enum" in schema:
        return "" if value in schema["enum"] else f"{where} is none of {', '.join(schema['enum'])}"
    if not isinstance(value, _SHAPES[schema["type"]]):
        return f"{where} is no {schema['type']}"
    inner: list[tuple[str, Any, Mapping[str, Any]]] = []
    if isinstance(value, dict):
        fields = schema["properties"]
        if missing := [name for name in schema["required"] if name not in value]:
            return f"{where}.{missing[0]} is missing"
        if unknown := [name for name in value if name not in fields]:
            return f"{where}.{str(unknown[0])[:40]} is not asked for"
        inner = [(f"{where}.{name}", one, fields[name]) for name, one in value.items()]
    elif sized and isinstance(value, str | list):
        unit = "Length" if isinstance(value, str) else "Items"
        least, most = schema.get(f"min{unit}", 0), schema.get(f"max{unit}", len(value))
        if not least <= len(value) <= most:
            return f"{where} is too long or too short"
    elif isinstance(value, str) and len(value.splitlines()) > 1:
        return f"{where} has several lines"
    if isinstance(value, list):
        inner = [(f"{where}[{at}]", one, schema["items"]) for at, one in enumerate(value)]
    every = (find_misfit(one, its, place, sized=sized) for place, one, its in inner)
    return next(filter(None, every), "")


def hash_plan(operations: Iterable[Operation]) -> str:
    """Return the SHA-256 of a plan: of every operation with all its fields and quotes, in order;
    decisions are not part of it. An operation without quotes has the hash that it had before there
    were any.
    """
    import json

    rows: list[list[object]] = []
    for one in operations:
        row = [one.n, one.op, one.args, list(one.evidence), one.reason, one.confidence]
        if one.quotes or one.wording:
            row += [[[quote.id, quote.text] for quote in one.quotes], one.wording]
        rows.append(row)
    text = json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return trees.sha256(text.encode("utf-8", "replace")).hexdigest()


def list_evidence(one: Operation) -> tuple[str, ...]:
    """The ids that bear an operation out: those it names, and those it is about."""
    own: list[str] = []
    for name in KINDS[one.op].own_evidence:
        value = one.args.get(name, ())
        own += [value] if isinstance(value, str) else value
    inner = (row.get("evidence", ()) for name in ("add", "replace") for row in one.rows(name))
    bearing = [memory for every in inner for memory in every]
    complete = (ids.complete_id(memory) for memory in (*one.evidence, *own, *bearing))
    return tuple(dict.fromkeys(complete))


def list_texts(one: Operation) -> Iterator[str]:
    """All texts in what an operation is told."""
    return _list_texts(one.args)


def _list_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _list_texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _list_texts(one)


def list_claims(one: Operation) -> tuple[str, ...]:
    """Return what an operation claims, in the plan's words; nothing for one that claims nothing."""
    told = [one.args.get(name) for name in CLAIMS.get(one.op, ())]
    told += [row.get("text") for name in ("add", "replace") for row in one.rows(name)]
    return tuple(facts.strip_asides(text) for text in _list_texts(told))


def name_evidence(one: Operation) -> Operation:
    """A rewrite of core memory with all that its changes rest on as its evidence: the memories that
    they name, and the bullets that they take out.
    """
    gone = tuple(str(row["bullet"]) for row in one.rows("drop"))
    named = (memory for memory in gone if memory.startswith("core:"))
    return one.replace(evidence=tuple(dict.fromkeys((*list_evidence(one), *named))))


def describe_operation(one: Operation) -> str:
    """An operation in one line for people."""
    return textlines.one_line(_WORDS[one.op](one)).strip()


def _describe_core(one: Operation) -> str:
    every = [row for name in _CORE_ROWS for row in one.rows(name)]
    if one.wording and len(every) == 1:
        row = every[0]
        return f"{row.get('block') or 'reworded'}: {row.get('text', '')}"
    counts = [(len(one.rows(name)), word) for name, word in _CHANGES]
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"core memory: {said or 'unchanged'}"


def _describe_entity(one: Operation) -> str:
    said = one.text("summary") or "; ".join(one.texts("facts")[:2])
    names = ", ".join(one.texts("aliases"))
    more = said or (f"also called {names}" if names else "noticed")
    return f"{one.text('entity')}: {more}"


def _describe_supersession(one: Operation) -> str:
    now = one.text("by")
    return f"{one.text('entity')}: no longer {one.text('fact')!r}" + (f"; now {now!r}" * bool(now))


_CHANGES = (("add", "added"), ("replace", "reworded"), ("drop", "taken out"))
_WORDS: dict[str, Callable[[Operation], str]] = {
    "upsert-entity": _describe_entity,
    "add-fact": lambda one: f"{one.text('entity')}: {one.text('fact')}",
    "supersede-fact": _describe_supersession,
    "add-relation": lambda one: f"{one.text('from')} → {one.text('relation')} → {one.text('to')}",
    "merge-entities": lambda one: f"{one.text('other')} is {one.text('into')}",
    "upsert-procedure": lambda one: f"{one.text('title')} ({len(one.texts('steps'))} steps)",
    "accept-proposal": lambda one: f"proposal {one.text('proposal')} accepted",
    "rewrite-core": _describe_core,
    "archive": lambda one: f"{one.text('memory')} archived",
    "reinforce": lambda one: f"still relevant: {', '.join(one.texts('memories'))}",
    "pin": lambda one: f"{one.text('memory')} pinned",
    "contradiction": lambda one: f"{one.text('first')!r} or {one.text('second')!r}?",
    "question": lambda one: one.text("text"),
    "insight": lambda one: one.text("text"),
}
