"""One file goes back to what it said before, beside all that was written into it since."""

from __future__ import annotations

from molt import errors
from molt.formats import lines, merge, paths
from molt.formats.merge import texts
from molt.formats.prose import sayings
from molt.trees import EXECUTABLE, REGULAR
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.merge.texts import Piece
    from molt.trees import Tree

_PLAIN = (None, REGULAR, EXECUTABLE)


class Restoration(Value):
    """A step back: the tree that holds what is to be undone, the one that is to come back, the
    files of it, and what both are called.
    """

    gone: Tree
    back: Tree
    paths: tuple[str, ...]
    named: str


def restore_file(one: Restoration, path: str, tree: Tree) -> bytes | None:
    """What a file of a tree becomes without what is to be undone; None for no file.

    What was changed since is kept: the change back is merged into it by what the file means, and
    by lines where that has no rule. Raises Refused where both changed the same.
    """
    gone, back, now = one.gone.read(path), one.back.read(path), tree.read(path)
    entries = (side.entry(path) for side in (one.gone, one.back, tree))
    if any((entry.mode if entry else None) not in _PLAIN for entry in entries):
        raise _conflict_error(one, path, "it is no plain file")
    if now in (gone, back):
        return back
    if back is None and gone is not None and now is not None:
        back = _empty_file(path, gone)
    if gone is None or back is None or now is None:
        said = "it is gone since" if now is None else "it was changed since"
        raise _conflict_error(one, path, said)
    return _merge_back(one, path, (gone, now, back))


def _empty_file(path: str, data: bytes) -> bytes | None:
    """A file that was made, with nothing of what it says: what others wrote into it since stays in
    a log below its title, and with an entity. None for any other file.
    """
    if is_log(path):
        return data.partition(b"\n")[0] + b"\n"
    if paths.kind_of(path) != "entity":
        return None
    text = data.decode("utf-8", "surrogateescape")
    said = (one for one in sayings.parse_sayings(path, text) if one.kind not in sayings.WHOLE)
    return sayings.cut_sayings(text, said).encode("utf-8", "surrogateescape")


def _merge_back(one: Restoration, path: str, sides: tuple[bytes, bytes, bytes]) -> bytes:
    try:
        gone, now, back = (data.decode("utf-8") for data in sides)
    except UnicodeDecodeError:
        raise _conflict_error(one, path, "it was changed since, and is not UTF-8") from None
    if merge.is_mergeable(path):
        made = merge.merge(path, gone, now, back)
        if made.conflicts:
            raise _conflict_error(one, path, "; ".join(dict.fromkeys(made.conflicts)))
        return made.text.encode()
    rows = (lines.split_lines(text) for text in (gone, now, back))

    def refuse(piece: Piece) -> Sequence[str]:
        said = " ".join("".join(piece[1]).split())[:60]
        raise _conflict_error(one, path, f"{said!r} was written since in its place")

    return "".join(texts.merge_lines(*rows, settle=refuse)).encode()


def _conflict_error(one: Restoration, path: str, why: str) -> errors.Refused:
    said = f"{path} cannot go back to before {one.named}: {why}"
    return errors.Refused(said, f"`git diff {one.named} -- {path}` shows it; edit it by hand")


def is_log(path: str) -> bool:
    """Whether a file is only appended to."""
    return paths.is_episode_path(path)
