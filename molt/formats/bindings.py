"""The section `actors:` of `molt.yaml` as text: keys come and go, every other line stays."""

from __future__ import annotations

from molt.formats.lines import split_lines

_HEAD = "actors:"


def add_key(text: str, actor: str, line: str) -> str:
    """The text with one more key of an actor, which is a line."""
    rows = _end_last_row(split_lines(text))
    first, last = _find_section(rows)
    item = f"    - {_quote(line)}\n"
    if first < 0:
        return "".join((*rows, f"{_HEAD}\n", f"  {_quote(actor)}:\n", item))
    start, end = _find_actor(rows, (first, last), actor)
    if start < 0:
        rows[first] = f"{_HEAD}\n" if _is_empty(rows[first]) else rows[first]
        there = [row for row in rows[first + 1 : last] if _is_content(row)]
        deep = " " * (_depth(there[0]) if there else 2)
        return "".join(
            (*rows[:last], f"{deep}{_quote(actor)}:\n", f"{deep}{item[2:]}", *rows[last:])
        )
    own = _open_list(rows[start:end])
    return "".join((*rows[:start], *own, _indent(own, item), *rows[end:]))


def remove_key(text: str, actor: str, data: str) -> str:
    """The text without the rows of an actor that hold some bytes of a key; of the last one an empty
    list is left, by which nobody is that actor.
    """
    rows = _end_last_row(split_lines(text))
    start, end = _find_actor(rows, _find_section(rows), actor)
    own = _open_list(rows[start:end])
    kept = [row for row in own if data not in row.split("#")[0]]
    if not any(row.strip().startswith("- ") for row in kept[1:]):
        key, mark, comment = kept[0].rstrip().partition("  #")
        kept[0] = f"{key} []{mark}{comment}\n"
    return "".join((*rows[:start], *kept, *rows[end:]))


def remove_actor(text: str, actor: str) -> str:
    """The text without an actor: it is bound to nothing any more."""
    rows = _end_last_row(split_lines(text))
    first, last = _find_section(rows)
    start, end = _find_actor(rows, (first, last), actor)
    inner = rows[first + 1 : start] + rows[end:last]
    head = rows[first : first + 1] if any(_is_content(row) for row in inner) else []
    return "".join((*rows[:first], *head, *inner, *rows[last:]))


def _end_last_row(rows: list[str]) -> list[str]:
    if rows and not rows[-1].endswith("\n"):
        rows[-1] += "\n"
    return rows


def _find_section(rows: list[str]) -> tuple[int, int]:
    """The first row of the section and the one behind its last; -1 twice where there is none."""
    first = next((at for at, row in enumerate(rows) if row.startswith(_HEAD)), -1)
    if first < 0:
        return -1, -1
    last = end = first + 1
    while end < len(rows) and (rows[end][:1] in (" ", "\t") or not _is_content(rows[end])):
        end += 1
        # What stands alone above the next section belongs to that.
        last = end if rows[end - 1][:1] in (" ", "\t") and rows[end - 1].strip() else last
    return first, last


def _is_content(row: str) -> bool:
    return bool(row.strip()) and not row.lstrip().startswith("#")


def _is_empty(row: str) -> bool:
    """Whether the head of the section says that there is nothing in it."""
    return row.removeprefix(_HEAD).split("#")[0].strip() in ("{}", "null", "~")


def _find_actor(rows: list[str], section: tuple[int, int], actor: str) -> tuple[int, int]:
    """The rows of an actor; -1 twice where there are none."""
    first, last = section
    for at in range(first + 1, last):
        if not _is_key(rows[at].strip(), actor):
            continue
        depth = _depth(rows[at])
        end = last_own = at + 1
        while end < last and (not _is_content(rows[end]) or _belongs(rows[end], depth)):
            end += 1
            last_own = end if _is_content(rows[end - 1]) else last_own
        return at, last_own
    return -1, -1


def _is_key(row: str, actor: str) -> bool:
    return any(
        row.startswith(f"{name}:") and row[len(name) + 1 :][:1] in ("", " ")
        for name in (actor, f'"{actor}"', f"'{actor}'")
    )


def _belongs(row: str, depth: int) -> bool:
    return _depth(row) > depth or (_depth(row) == depth and row.lstrip().startswith("- "))


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


def _open_list(own: list[str]) -> list[str]:
    """The rows of an actor, its one key a list of one, and an empty list none."""
    head = own[0].rstrip("\n")
    at = head.index(":", head.rindex('"') if head.rstrip().endswith('":') else _key_end(head))
    key, value = head[: at + 1], head[at + 1 :].strip()
    if not value or value.startswith("#"):
        return own
    listed, mark, comment = value.partition("#")
    if listed.strip() == "[]":
        return [f"{key}  {mark}{comment}".rstrip() + "\n", *own[1:]]
    return [f"{key}\n", f"{' ' * _depth(key)}  - {value}\n", *own[1:]]


def _key_end(head: str) -> int:
    """Where the colon behind the name of an actor is: the first that a blank or nothing follows."""
    at = head.find(": ")
    return at if at >= 0 else len(head.rstrip()) - 1


def _indent(own: list[str], item: str) -> str:
    """An item as deep as those that are there."""
    there = [row for row in own[1:] if row.lstrip().startswith("- ")]
    return " " * _depth(there[0]) + item.lstrip() if there else item


def _quote(text: str) -> str:
    """A text as YAML has it on one line: plain where nothing in it means anything else."""
    plain = text.replace(" #", "").replace(": ", "") == text and text[:1].isalnum()
    if plain and text.isascii() and text.isprintable() and not text.endswith(":"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
