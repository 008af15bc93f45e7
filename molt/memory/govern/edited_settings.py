"""Settings of `molt.yaml` as a command changes them: a splice, so that all else keeps its form."""

from __future__ import annotations

import json

from molt import config, errors, trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.trees import Tree


def edit_settings(tree: Tree, section: str, values: Mapping[str, str | int]) -> str:
    """Return the text of a tree's `molt.yaml` with other values of a section; an empty text takes
    its setting out. Raises Failed for a file in a form that cannot be edited.
    """
    text = trees.read_strict(tree, config.PATH)
    before, _ = config.parse(text)
    wanted = before
    # A new setting goes below the head of its section: the last one first.
    for name, value in reversed(tuple(values.items())):
        field = f"{section}_{name}"
        default = getattr(config.Config(), field)
        wanted = wanted.replace(**{field: default if value == "" else value})
        text = _put_value(text, section, name, value)
    if config.parse(text)[0] != wanted:
        rows = ", ".join(f"{name}: {value}" for name, value in values.items() if value != "")
        hint = f"write `{rows}` below `{section}:` by hand, and commit it"
        raise errors.Failed(f"{config.PATH} has a form that cannot be edited here", hint)
    return text


def _put_value(text: str, section: str, name: str, value: str | int) -> str:
    """Return a text with one setting of a section."""
    end = "\r\n" if "\r\n" in text else "\n"
    row = f"  {name}: {json.dumps(value, ensure_ascii=False) if value != '' else ''}".rstrip()
    rows = text.split(end)
    start = next((at for at, one in enumerate(rows) if one.startswith(f"{section}:")), -1)
    if start < 0:
        if value == "":
            return text
        return f"{text}{end * bool(rows[-1])}{section}:{end}{row}{end}"
    for at in range(start + 1, len(rows)):
        if rows[at][:1] not in ("", " ", "#"):
            break
        key, _, rest = rows[at].partition(":")
        if key.strip() == name:
            if value == "":
                del rows[at]
                return _drop_empty(rows, start, end)
            _, mark, comment = rest.partition(" #")
            rows[at] = f"{key}: {row.partition(': ')[2]}{'  #' * bool(mark)}{comment}"
            return end.join(rows)
    return text if value == "" else end.join((*rows[: start + 1], row, *rows[start + 1 :]))


def _drop_empty(rows: list[str], start: int, end: str) -> str:
    """Return the text without the head of a section that has nothing left."""
    rest = rows[start + 1 :]
    if rows[start].rstrip().endswith(":") and not (rest and rest[0][:1] in (" ", "#")):
        del rows[start]
    return end.join(rows)
