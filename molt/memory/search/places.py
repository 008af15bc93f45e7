"""More folders to search: a person names them, and `molt.yaml` says it."""

from __future__ import annotations

import json
import os

from molt import config, errors, trees
from molt.formats import message as messages
from molt.index.content import sources
from molt.memory import workspace
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

_KEY = "extra_paths"
_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))


def add_places(
    ws: Workspace, places: Sequence[str], *, dry_run: bool = False
) -> Written[tuple[str, ...]]:
    """Commit that some folders or files are searched too, besides those that are; `made` is which
    were not yet. Paths are as in `search.extra_paths`.

    Raises Refused for who is no person, NotFound for a place without Markdown, Failed for settings
    in a form that cannot be edited, and what a write raises.
    """
    workspace.require_person(ws, "say what is searched")
    wanted = tuple(dict.fromkeys(os.path.normpath(place).replace(os.sep, "/") for place in places))
    for place in wanted:
        if next(sources.list_extra(ws.repo.root, (place,)), None) is None:
            raise errors.NotFound(f"no Markdown in {place}", "a folder with notes, or one of them")
    provenance = messages.Provenance("manual", "—", "molt index --add")

    def make_change(tree: Tree) -> Change[tuple[str, ...]]:
        before = trees.read_strict(tree, config.PATH)
        settings, _ = config.parse(before)
        every = tuple(dict.fromkeys((*settings.search_extra_paths, *wanted)))
        fresh = every[len(settings.search_extra_paths) :]
        after = _edit(before, every, fresh) if fresh else before
        if config.parse(after)[0] != settings.replace(search_extra_paths=every):
            hint = f"write `{_render_list(every)}` below `search:` by hand, and commit it"
            raise errors.Failed(f"{config.PATH} has a form that cannot be edited here", hint)
        said = f"{', '.join(fresh)} is searched too"
        action = "EDIT" if tree.entry(config.PATH) else "CREATE"
        text = messages.render(action, config.PATH, said, provenance, body=messages.CRITICAL_NOTICE)
        return Change({config.PATH: after.encode()} if fresh else {}, text, fresh)

    return ws.commit(make_change, actor="manual", dry_run=dry_run)


def _edit(text: str, every: Sequence[str], fresh: Sequence[str]) -> str:
    """The text of a `molt.yaml` with all places, and all else as it says it; as it is where it
    cannot be edited.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    rows = text.split(end)
    start = next((at for at, row in enumerate(rows) if row.startswith("search:")), -1)
    if start < 0:
        return f"{text}{end * bool(rows[-1])}search:{end}  {_render_list(every)}{end}"
    stop = start + 1
    while stop < len(rows) and rows[stop][:1] in ("", " ", "#"):
        stop += 1
    key = next((at for at in range(start, stop) if rows[at].strip().startswith(f"{_KEY}:")), -1)
    if key < 0:
        return end.join((*rows[: start + 1], f"  {_render_list(every)}", *rows[start + 1 :]))
    indent = rows[key][: len(rows[key]) - len(rows[key].lstrip())]
    value = rows[key].partition(":")[2].strip()
    if value.endswith("]"):
        rows[key] = f"{indent}{_render_list(every)}"
    elif not value:
        last = key
        while last + 1 < stop and rows[last + 1].lstrip().startswith("- "):
            last += 1
        step = rows[last].partition("- ")[0] if last > key else f"{indent}  "
        rows[last + 1 : last + 1] = [f"{step}- {_quote_text(one)}" for one in fresh]
    return end.join(rows)


def _render_list(places: Iterable[str]) -> str:
    return f"{_KEY}: [{', '.join(map(_quote_text, places))}]"


def _quote_text(text: str) -> str:
    """A text as an item of a list in the file: bare where YAML reads that as the same text."""
    plain = text[:1].isalpha() and text.lower() not in _WORDS
    if plain and all(char.isalnum() or char in "._-/" for char in text):
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())
