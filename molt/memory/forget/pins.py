"""What a person pins never fades, until a person unpins it."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import frontmatter, paths
from molt.formats import message as messages
from molt.formats import origin as origins
from molt.memory import inventory, workspace
from molt.memory.decay import fold
from molt.memory.decay.known import KnownScores
from molt.memory.forget import forget
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree


def set_pins(
    ws: Workspace, memories: Sequence[str], now: float, *, pinned: bool, dry_run: bool = False
) -> Written[tuple[str, ...]]:
    """Pin memories, or unpin them, in one commit; gives those that were not so before.

    Raises NotFound for what is no memory, Usage for what is pinned by what it is, and Refused for
    who is no person.
    """
    word = "pin" if pinned else "unpin"
    actor = workspace.require_person(ws, f"{word} memories")
    wanted = tuple(dict.fromkeys(memories))

    def make_change(tree: Tree) -> Change[tuple[str, ...]]:
        for memory in wanted:
            _require_free(tree, memory, pinned)
        edits: Edits = {}
        scores = KnownScores(tree, ws.repo.cache)
        known = scores.find(wanted)
        told = inventory.find_origins(tree, wanted)
        changed = []
        for memory in wanted:
            entry = known.get(memory)
            noted = _drop_mark(tree, edits, memory) if not pinned else False
            held = entry is not None and entry.get("pinned") is True
            if held == pinned and not noted:
                continue
            changed.append(memory)
            plain = told[memory].replace(pinned=False)
            known[memory] = _set_entry(entry or fold.make_entry(memory, plain), now, pinned)
        if changed:
            edits[paths.SCORES] = scores.edit({one: known[one] for one in changed}).encode()
        by = messages.Provenance(
            actor, "approved", f"molt {word}", [("Memory-Id", one) for one in changed]
        )
        said = f"{word}ned {', '.join(changed)}"[:72]
        message = messages.render("PIN", forget.name_files(edits), said, by)
        return Change(edits, message, tuple(changed))

    return ws.commit(make_change, dry_run=dry_run, actor=actor, now=now)


def _require_free(tree: Tree, memory: str, pinned: bool) -> None:
    """Raises NotFound for what is no memory, Usage for what its place decides."""
    if not inventory.has_memory(tree, memory) or (memory.startswith("core:") and "#" not in memory):
        raise errors.NotFound(f"no memory {memory!r}", "`molt search` gives ids")
    if memory.startswith("vault:") and not pinned:
        raise errors.Usage("the vault is pinned", "move the file out of memory/vault/")
    if memory.startswith("core:") and origins.read_bullet(memory).pinned and not pinned:
        hint = "`molt core add` puts it into another block, `molt core remove` takes it out"
        raise errors.Usage("Critical Facts are pinned", hint)


def _drop_mark(tree: Tree, edits: Edits, memory: str) -> bool:
    """Take `pinned: true` out of a note that says it; whether it did."""
    kind = memory.partition(":")[0]
    if kind not in paths.FILE_KINDS:
        return False
    path = f"{paths.STORE_OF_KIND[kind].folder}{memory.partition(':')[2]}.md"
    text = trees.read_strict(tree, path)
    if not inventory.find_origins(tree, (memory,))[memory].pinned:
        return False
    edits[path] = frontmatter.set_field(text, "pinned", False).encode()
    return True


def _set_entry(entry: dict[str, object], now: float, pinned: bool) -> dict[str, object]:
    """An entry that is pinned, or fades from now on."""
    if pinned:
        return {**entry, "pinned": True, "current_score": 1.0, "status": "active"}
    return {**fold.revive_entry(entry, now), "pinned": False}
