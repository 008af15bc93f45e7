"""How many tokens core memory may hold: a person decides, and `molt.yaml` says it."""

from __future__ import annotations

from molt import config, errors, tokens, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.memory import workspace
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


def set_cap(ws: Workspace, cap: int, *, dry_run: bool = False) -> Written[int]:
    """Commit that core memory may hold `cap` tokens; `made` is how many it might before.

    Raises Refused for who is no person, Usage where core memory is longer already, which no cap
    would hold back then, Failed for settings in a form that cannot be edited, and what a write
    raises.
    """
    workspace.require_person(ws, "set the cap of core memory")
    provenance = messages.Provenance("manual", "—", "molt core cap")

    def make_change(tree: Tree) -> Change[int]:
        before = trees.read_strict(tree, config.PATH)
        settings, _ = config.parse(before)
        there = tokens.count_tokens(trees.read_text(tree, paths.CORE), settings.core_encoding)
        if there > cap:
            hint = "`molt core remove`, or `molt core show` for what it holds"
            raise errors.Usage(f"{paths.CORE} has {there:,} tokens: shorten it first", hint)
        after = _edit(before, cap)
        if config.parse(after)[0] != settings.replace(core_cap=cap):
            hint = f"write `cap: {cap}` below `core:` by hand, and commit it"
            raise errors.Failed(f"{config.PATH} has a form that cannot be edited here", hint)
        action = "EDIT" if tree.entry(config.PATH) else "CREATE"
        said = f"core memory may hold {cap:,} tokens"
        text = messages.render(action, config.PATH, said, provenance, body=messages.CRITICAL_NOTICE)
        return Change({config.PATH: after.encode()}, text, settings.core_cap)

    return ws.commit(make_change, actor="manual", dry_run=dry_run)


def _edit(text: str, cap: int) -> str:
    """The text of a `molt.yaml` with another cap, and all else as it says it."""
    end = "\r\n" if "\r\n" in text else "\n"
    rows = text.split(end)
    start = next((at for at, row in enumerate(rows) if row.startswith("core:")), -1)
    if start < 0:
        return f"{text}{end * bool(rows[-1])}core:{end}  cap: {cap}{end}"
    for at in range(start + 1, len(rows)):
        if rows[at][:1] not in ("", " ", "#"):
            break
        name, _, rest = rows[at].partition(":")
        if name.strip() == "cap":
            _, mark, comment = rest.partition("#")
            rows[at] = f"{name}: {cap}{'  #' * bool(mark)}{comment}"
            return end.join(rows)
    return end.join((*rows[: start + 1], f"  cap: {cap}", *rows[start + 1 :]))
