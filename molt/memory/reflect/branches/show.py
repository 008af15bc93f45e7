"""A reflection for people and programs: its items, its diff, and the text of a pull request."""

from __future__ import annotations

from molt import errors
from molt.formats.reflections import plan, summary
from molt.memory.reflect.branches import branch, seen
from molt.memory.reflect.plans import edited
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.plan import EvidenceQuote
    from molt.formats.reflections.record import ReflectionItem, ReflectionRecord
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.workspace import Workspace


class ShownOperation(Value):
    """One item of a reflection as data."""

    n: int
    op: str
    summary: str
    evidence: tuple[str, ...]
    reason: str
    files: tuple[str, ...]
    decision: str
    quotes: tuple[EvidenceQuote, ...] = ()
    wording: str = ""


class ShownReflection(Value):
    """A reflection as data."""

    id: str
    status: str
    base: str
    plan_hash: str
    operations: tuple[ShownOperation, ...]


def describe_reflection(known: KnownReflection) -> ShownReflection:
    """Return a reflection as data."""
    one = known.record
    rows = tuple(map(_describe_item, one.items))
    return ShownReflection(known.id, known.status, one.base, one.plan_hash, rows)


def _describe_item(item: ReflectionItem) -> ShownOperation:
    known = plan.from_item(item)
    return ShownOperation(
        item.n,
        item.op,
        item.summary,
        item.evidence,
        item.reason,
        item.files,
        item.decision,
        known.quotes if known else (),
        known.wording if known else "",
    )


def list_deeds(one: ReflectionRecord) -> list[str]:
    """Return what the operations of a record do, a row for each field: from the plan alone, which
    the hash is of, whatever else the record has in words.
    """
    rows: list[str] = []
    for item, each in ((item, plan.from_item(item)) for item in one.items):
        fields = edited.render_fields(each) if each else ["it is not an operation"]
        quotes = each.quotes if each else ()
        fields += [f"quote: {quote.id}: {quote.text}" for quote in quotes]
        if each and each.wording == plan.MODEL:
            fields.append("in the model's words")
        rows += [f"{item.n:>3}  {item.op}", *(f"     {row}" for row in fields)]
    return rows


def read_diff(ws: Workspace, known: KnownReflection) -> str:
    """Return what an open reflection would change in the memories, as git shows it. Raises NotFound
    for one without a branch, and Refused where this clone does not have the commit it is made on.
    """
    if not known.is_open:
        raise errors.NotFound(f"{known.id} has no branch any more", f"it is {known.status}")
    base = branch.require_base(ws, known)
    args = ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
    return ws.repo.run(*args, base, known.tip, "--", ".", ":!memory/meta")


def render_title(known: KnownReflection) -> str:
    """Return the title of a pull request, which a forge makes the subject of its merge."""
    count = len(known.record.items)
    return f"[MERGE] memory/* — reflection {known.id}, {count:,} proposal{'s' * (count != 1)}"


def render_body(ws: Workspace, known: KnownReflection) -> str:
    """Return the body of a pull request: the summary as `molt reflect show` has it, and what a
    merge means. What a summary of another clone leaves out is listed from the plan.
    """
    one = known.record
    rows = [summary.render_summary(one.summary).rstrip(), ""]
    if not seen.was_made(ws, known.id, known.text):
        fence = "`" * (3 + max(map(_count_ticks, list_deeds(one)), default=0))
        rows += [f"{fence}text", *list_deeds(one), fence, ""]
    rows += [
        "Merging this approves all of it; commits that are dropped before are not approved.",
        "",
        f"Reflection: {known.id}",
        f"Plan: {one.plan_hash}",
        f"Base: {one.base}",
    ]
    return "\n".join(rows) + "\n"


def _count_ticks(row: str) -> int:
    return row.count("`")
