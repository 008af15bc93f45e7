"""What the sides of a merge bring to a path, and what a merge brings there that no side has.

git follows renames: where one side has moved a file, what the other did to it under its old name is
merged into the new one, without a conflict. So whoever may edit a note would write into the vault,
or into what defines the agent, as soon as anybody moves that note there.
"""

from __future__ import annotations

from molt import trees
from molt.formats import paths as layout
from molt.policy import sensitivity
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.config import Config
    from molt.trees import Entry, FileChange, Tree

_GUARDED = (sensitivity.CRITICAL, sensitivity.HIGH, sensitivity.VAULT)


class Sides(Value):
    """The trees of all parents of a merge, and those of the merge bases."""

    parents: Sequence[Tree]
    bases: Sequence[Tree]


def find_contenders(sides: Sides, path: str) -> tuple[Entry | None, ...]:
    """The versions of a path that the sides of a merge bring to it: one, or several if they have
    changed it otherwise.
    """
    found = dict.fromkeys(parent.entry(path) for parent in sides.parents)
    held = [base.entry(path) for base in sides.bases] or [None]
    return tuple(entry for entry in found if entry not in held) or tuple(found)


def list_carried(new: Tree, sides: Sides, config: Config) -> Iterator[FileChange]:
    """The guarded files of a merge of two that are as neither side has them, though no more than
    one has changed them: what is there was written elsewhere. What comes from a file of the same
    class was judged there as what it is.
    """
    if len(sides.parents) != 2:
        return
    one, other = ({each.path for each in trees.diff(parent, new)} for parent in sides.parents)
    for path in sorted(one & other):
        kind = _classify_guarded(path, config)
        contenders, result = find_contenders(sides, path), new.entry(path)
        merged = len(contenders) > 1 and None not in contenders
        if not kind or merged or result in contenders:
            continue
        sources = list(_find_sources(one | other, new, sides))
        if not sources or any(_classify_guarded(source, config) != kind for source in sources):
            yield trees.make_change(path, contenders[0], result)


def _classify_guarded(path: str, config: Config) -> str:
    """The class of a path that not everybody may write; empty for any other."""
    kind = sensitivity.classify(path, config)
    if path == layout.CHECKSUMS:
        return layout.CHECKSUMS
    return kind if kind in _GUARDED else ""


def _find_sources(paths: set[str], new: Tree, sides: Sides) -> Iterator[str]:
    """The files that one side has changed, and that the merge has no more: the other moved them."""
    gone = (path for path in paths if new.entry(path) is None)
    held = (path for path in gone if any(base.entry(path) for base in sides.bases))
    return (path for path in held if any(find_contenders(sides, path)))


def list_edits(base: Tree, new: Tree, sides: Sides) -> tuple[FileChange, ...]:
    """What a commit changes; of a merge, what is not git's own merge of its parents, which `base`
    is.

    Of more than two parents git's own is not known: there a file is as it has to be where one
    side alone has changed it, and an edit otherwise.
    """
    if len(sides.parents) < 3:
        return trees.diff(base, new)
    paths = {one.path for parent in sides.parents for one in trees.diff(parent, new)}
    found: list[FileChange] = []
    for path in sorted(paths):
        contenders, result = find_contenders(sides, path), new.entry(path)
        if contenders != (result,):
            found.append(trees.make_change(path, contenders[0], result))
    return tuple(found)
