"""The front matter of two sides, key by key."""

from __future__ import annotations

from molt.formats import frontmatter, times
from molt.formats import lines as textlines
from molt.formats.merge import texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Block = tuple[str, ...]
    """The lines of one key."""
    Blocks = dict[str, Block]

_DATES = {"updated": max, "created": min}


def parse_blocks(lines: Sequence[str]) -> Blocks | None:
    """The lines of each key, those of front matter without its marks; None where it is no plain
    mapping, or has a key twice.
    """
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        row = textlines.strip_newline(line)
        if key and (not row.strip() or row.startswith((" ", "\t", "- ", "#"))):
            found[key].append(line)
            continue
        key, colon, _ = row.partition(":")
        key = key.strip().strip("\"'")
        if not colon or not key or key in found:
            return None
        found[key] = [line]
    return {name: tuple(rows) for name, rows in found.items()}


def merge_blocks(
    base: Blocks, ours: Blocks, theirs: Blocks, *, mark: int = texts.MARK
) -> tuple[list[str], list[str]]:
    """The lines of the merged front matter, and the keys that are left to a person."""
    merged: list[str] = []
    conflicts: list[str] = []
    ours, theirs = _keep_names(base, ours, theirs)
    for key in (*ours, *(key for key in theirs if key not in ours)):
        sides = tuple(blocks.get(key, ()) for blocks in (base, ours, theirs))
        chosen = texts.choose_side(*sides)
        if chosen:
            merged += sides[chosen]
        elif not sides[1] or not sides[2]:
            # What one side took away and the other changed is kept as changed.
            merged += sides[1] or sides[2]
        elif settled := _settle_key(key, *sides):
            merged += settled
        else:
            conflicts.append(key)
            merged += texts.mark_conflict(sides[1], sides[2], mark)
    return merged, conflicts


def _keep_names(base: Blocks, ours: Blocks, theirs: Blocks) -> tuple[Blocks, Blocks]:
    """Both sides, where each has made a thing under a name of its own: theirs becomes an alias."""
    mine, yours = _read_value(ours.get("label", ())), _read_value(theirs.get("label", ()))
    if "label" in base or not mine or not yours or mine == yours:
        return ours, theirs
    named = _read_list(theirs.get("aliases", ()))
    if named is None or not isinstance(yours, str):
        return ours, theirs
    others = named if yours in named else [*named, yours]
    return ours, {**theirs, "label": ours["label"], "aliases": _render_key("aliases", others, "\n")}


def _settle_key(key: str, base: Block, ours: Block, theirs: Block) -> Block:
    """The lines of a key that both sides changed, where its meaning tells them; else none."""
    end = textlines.detect_newline(ours[0])
    if key == "pinned":
        return _render_key(key, True in (_read_value(ours), _read_value(theirs)), end)
    if key in _DATES:
        days = [str(_read_value(block)) for block in (ours, theirs)]
        later = _DATES[key](days)
        return _render_key(key, later, end) if all(times.is_date(day[:10]) for day in days) else ()
    before, mine, yours = (_read_list(block) for block in (base, ours, theirs))
    if before is None or mine is None or yours is None:
        return ()
    kept = [item for item in mine if item in yours or item not in before]
    fresh = [item for item in yours if item not in mine and item not in before]
    return _render_key(key, [*kept, *fresh], end)


def _read_value(block: Block) -> object:
    """What a key says; None where that cannot be read."""
    try:
        data = frontmatter.front_matter("".join(("---\n", *block, "---\n")))
    except ValueError:
        return None
    return next(iter(data.values()), None)


def _read_list(block: Block) -> list[str] | None:
    """What a key lists, nothing where it is not there; None where it is no list."""
    value = _read_value(block) if block else []
    return [str(item) for item in value] if isinstance(value, list) else None


def _render_key(key: str, value: object, end: str) -> Block:
    return (f"{key}: {frontmatter.render(value)}{end}",)
