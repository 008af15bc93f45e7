"""The ids of the memories that a workspace holds."""

from __future__ import annotations

from molt.formats import bullets as formats_bullets
from molt.formats import episodes, ids, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree


def has_memory(tree: Tree, memory: str) -> bool:
    """Whether a tree has the memory of an id, or a block of MEMORY.md that is one."""
    try:
        one = ids.parse(memory)
    except ValueError:
        return False
    if one.store == "core":
        bullets = formats_bullets.core_bullets(_read_text(tree, one.path))
        return memory in {
            name for bullet in bullets for name in (bullet.id, ids.core(bullet.block))
        }
    if one.store != "episodic":
        return tree.entry(one.path) is not None
    date = one.key[:10]
    # Adopted daily notes lie directly below `memory/`.
    texts = (_read_text(tree, path) for path in (one.path, f"memory/{date}.md"))
    return any(entry.id == memory for text in texts for entry in episodes.parse(text, date))


def find_id(path: str) -> str:
    """The id of the memory that a file is; empty for a file of many, or of none."""
    kind = paths.kind_of(path)
    if kind not in paths.FILE_KINDS:
        return ""
    return f"{kind}:{path.removeprefix(paths.STORE_OF_KIND[kind].folder).removesuffix('.md')}"


def list_ids(tree: Tree) -> Iterator[str]:
    """Every id, by path; of core memory those of its bullets."""
    for path in sorted(tree.entries()):
        kind = paths.kind_of(path)
        if kind in paths.FILE_KINDS:
            yield find_id(path)
        elif kind == "episode":
            date = paths.date_of(path) or ""
            yield from (entry.id for entry in episodes.parse(_read_text(tree, path), date))
        elif kind == "core":
            yield from (
                bullet.id for bullet in formats_bullets.core_bullets(_read_text(tree, path))
            )


def _read_text(tree: Tree, path: str) -> str:
    return (tree.read(path) or b"").decode("utf-8", "replace")
