"""A reflection as people look at it: its items, its diff, and the text of a pull request."""

from __future__ import annotations

from molt import errors
from molt.formats.reflections import plan, summary
from molt.memory.reflect.branches import branch
from molt.memory.reflect.plans import edited
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.reflections.record import ReflectionRecord
    from molt.memory.reflect.branches.branch import KnownReflection
    from molt.memory.workspace import Workspace


class ShownOperation(Value):
    """One item of a reflection as it is shown."""

    n: int
    op: str
    summary: str
    evidence: tuple[str, ...]
    reason: str
    files: tuple[str, ...]
    decision: str


class ShownReflection(Value):
    """A reflection as it is shown."""

    id: str
    status: str
    base: str
    plan_hash: str
    operations: tuple[ShownOperation, ...]


def describe_reflection(found: KnownReflection) -> ShownReflection:
    """What is told of a reflection as data."""
    one = found.record
    rows = tuple(
        ShownOperation(
            item.n, item.op, item.summary, item.evidence, item.reason, item.files, item.decision
        )
        for item in one.items
    )
    return ShownReflection(found.id, found.status, one.base, one.plan_hash, rows)


def list_deeds(one: ReflectionRecord) -> list[str]:
    """What the operations of a record do, a row for all that each is told: from the plan alone,
    which the hash is of, and by nothing that is said of it elsewhere.
    """
    rows: list[str] = []
    for item, each in ((item, plan.from_item(item)) for item in one.items):
        told = edited.render_fields(each) if each else ["it is no operation"]
        rows += [f"{item.n:>3}  {item.op}", *(f"     {row}" for row in told)]
    return rows


def read_diff(ws: Workspace, found: KnownReflection) -> str:
    """What an open reflection would change in the memories, as git shows it. Raises NotFound for
    one without a branch, and Refused where this clone does not have the commit it is made on.
    """
    if not found.is_open:
        raise errors.NotFound(f"{found.id} has no branch any more", f"it is {found.status}")
    base = branch.require_base(ws, found)
    args = ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
    return ws.repo.run(*args, base, found.tip, "--", ".", ":!memory/meta")


def render_title(found: KnownReflection) -> str:
    """The title of a pull request, which a forge makes the subject of a squash or a merge."""
    count = len(found.record.items)
    said = f"reflection {found.id}, {count:,} proposal{'s' * (count != 1)}"
    return f"[MERGE] memory/* — {said}"


def render_body(found: KnownReflection) -> str:
    """The body of a pull request: the summary, the operations by number, and how to decide."""
    rows = [summary.render_summary(found.record.summary).rstrip(), "", "## Operations", ""]
    for item in found.record.items:
        why = f" — {item.reason}" if item.reason else ""
        rows.append(f"{item.n}. **{item.op}** {item.summary}{why}")
    rows += [
        "",
        "Merging this approves all of it; commits that are dropped before are not approved.",
        f"`molt reflect approve {found.id} --except N` takes a part of it.",
        "",
        f"Reflection: {found.id}",
        f"Plan: {found.record.plan_hash}",
        f"Base: {found.record.base}",
    ]
    return "\n".join(rows) + "\n"
