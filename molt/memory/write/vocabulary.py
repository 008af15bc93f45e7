"""A word is added to those that relations may use, and committed."""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.memory.graph import edit
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


def add_relation_word(ws: Workspace, word: str, section: str, meaning: str = "") -> Written[str]:
    """Commit a word of relations under a heading of the vocabulary; gives it in the form that
    files have, and no commit where it is known already.

    Raises Usage for what is no word, and what `Workspace.commit` raises.
    """
    slug = edit.normalize_word(word)

    def make_change(tree: Tree) -> Change[str]:
        before = trees.read_strict(tree, paths.RELATIONS)
        text = messages.render(
            "EDIT" if tree.entry(paths.RELATIONS) else "CREATE",
            paths.RELATIONS,
            f"relation {slug}",
            messages.Provenance(ws.actor, approval="auto", trigger="molt graph relation add"),
        )
        after = edit.add_word(before, slug, section, meaning)
        return Change({paths.RELATIONS: after.encode()}, text, slug)

    return ws.commit(make_change)
