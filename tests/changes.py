"""Changes as tests write them: edits by one function, the message by another."""

from __future__ import annotations

from collections.abc import Callable

from molt.repo.write.plan import Change
from molt.trees import Edits, Tree

MakeEdits = Callable[[Tree], Edits]
MakeMessage = Callable[[Tree, Edits], str]


def note_line(_tree: Tree, edits: Edits) -> str:
    """A message that the policy takes for an edit of any note."""
    path = sorted(edits)[0]
    return f"[EDIT] {path} — a line\n\nActor: bot:main\nApproval: auto\nTrigger: test\n"


def change(
    make_edits: MakeEdits, make_message: MakeMessage = note_line
) -> Callable[[Tree], Change[None]]:
    """A change that makes nothing but edits and a message."""

    def make_change(tree: Tree) -> Change[None]:
        edits = make_edits(tree)
        return Change(edits, make_message(tree, edits), None)

    return make_change
