"""The ids of the memories that a workspace holds."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets as formats_bullets
from molt.formats import episodes, frontmatter, ids, paths
from molt.formats import origin as origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.formats.origin import Origin
    from molt.trees import Tree


def has_memory(tree: Tree, memory: str) -> bool:
    """Whether a tree has the memory of an id, or a block of MEMORY.md that is one."""
    try:
        one = ids.parse(memory)
    except ValueError:
        return False
    if one.store == "core":
        bullets = formats_bullets.core_bullets(trees.read_text(tree, one.path))
        return memory in {
            name for bullet in bullets for name in (bullet.id, ids.core(bullet.block))
        }
    if one.store == ids.NOTE:
        # A piece of a note is evidence, and no memory with a score of its own.
        return False
    if one.store != "episodic":
        return tree.entry(one.path) is not None
    date = one.key[:10]
    # Adopted daily notes lie directly below `memory/`.
    texts = (trees.read_text(tree, path) for path in (one.path, f"memory/{date}.md"))
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
            yield from (entry.id for entry in episodes.parse(trees.read_text(tree, path), date))
        elif kind == "core":
            yield from (
                bullet.id for bullet in formats_bullets.core_bullets(trees.read_text(tree, path))
            )


def list_origins(
    tree: Tree, indexed: Mapping[str, Origin] | None = None
) -> Iterator[tuple[str, Origin]]:
    """Every id with what the memory's own text tells, by path; `indexed` spares reading the notes
    that it has.
    """
    known = indexed or {}
    for path in sorted(tree.entries()):
        yield from _list_file(tree, path, known)


def list_file(tree: Tree, path: str) -> Iterator[tuple[str, Origin]]:
    """`list_origins` of one file; nothing where the tree has none."""
    if tree.entry(path) is not None:
        yield from _list_file(tree, path, {})


def _list_file(tree: Tree, path: str, known: Mapping[str, Origin]) -> Iterator[tuple[str, Origin]]:
    kind = paths.kind_of(path)
    if kind in paths.FILE_KINDS:
        memory = find_id(path)
        yield memory, known.get(memory) or _read_note(tree, path)
    elif kind == "episode":
        yield from _read_entries(tree, path)
    elif kind == "core":
        for bullet in formats_bullets.core_bullets(trees.read_text(tree, path)):
            yield bullet.id, origins.read_bullet(bullet.id)


def find_origins(tree: Tree, memories: Iterable[str]) -> dict[str, Origin]:
    """What the own texts of some memories tell; without those that the tree has not."""
    found: dict[str, Origin] = {}
    days: dict[str, dict[str, Origin]] = {}
    for memory in memories:
        try:
            one = ids.parse(memory)
        except ValueError:
            continue
        if one.store == ids.NOTE:
            continue
        if one.store == "core":
            found[memory] = origins.read_bullet(memory)
        elif one.store != "episodic":
            if tree.entry(one.path) is not None:
                found[memory] = _read_note(tree, one.path)
        else:
            # Adopted daily notes lie directly below `memory/`.
            for path in (one.path, f"memory/{one.key[:10]}.md"):
                if path not in days:
                    days[path] = dict(_read_entries(tree, path))
                if memory in days[path]:
                    found.setdefault(memory, days[path][memory])
    return found


def _read_entries(tree: Tree, path: str) -> Iterator[tuple[str, Origin]]:
    for entry in episodes.parse(trees.read_text(tree, path), paths.date_of(path) or ""):
        yield entry.id, origins.read_entry(entry)


def _read_note(tree: Tree, path: str) -> Origin:
    fields = frontmatter.metadata(trees.read_text(tree, path))
    return origins.read_note(fields, pinned=path.startswith(paths.VAULT))
