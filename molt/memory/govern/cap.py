"""How many tokens core memory may hold: a person decides, and `molt.yaml` says it."""

from __future__ import annotations

from molt import config, errors, tokens, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.memory import workspace
from molt.memory.govern import edited_settings
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
        settings, _ = config.parse(trees.read_strict(tree, config.PATH))
        there = tokens.count_tokens(trees.read_text(tree, paths.CORE), settings.core_encoding)
        if there > cap:
            hint = "`molt core remove`, or `molt core show` for what it holds"
            raise errors.Usage(f"{paths.CORE} has {there:,} tokens: shorten it first", hint)
        after = edited_settings.edit_settings(tree, "core", {"cap": cap})
        action = "EDIT" if tree.entry(config.PATH) else "CREATE"
        said = f"core memory may hold {cap:,} tokens"
        text = messages.render(action, config.PATH, said, provenance, body=messages.CRITICAL_NOTICE)
        return Change({config.PATH: after.encode()}, text, settings.core_cap)

    return ws.commit(make_change, actor="manual", dry_run=dry_run)
