"""What time has done to the memories of a workspace, committed when it has done anything."""

from __future__ import annotations

from molt.memory.decay import formula, transitions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.decay.transitions import Decayed
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written


def decay_memories(ws: Workspace, now: float, *, dry_run: bool = False) -> Written[Decayed]:
    """Commit the transitions up to the second `now`, and the uses that wait; no commit where there
    is none. Raises what `Workspace.commit` raises.
    """
    fading = formula.read_fading(ws.config)
    make_change = transitions.make_decay(ws.repo, now, fading, dry_run=dry_run)
    done = ws.commit(make_change, dry_run=dry_run, actor=transitions.ACTOR)
    if done.oid:
        transitions.finish_decay(done.made)
    return done
