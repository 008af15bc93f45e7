"""Which files of a commit are read, and what of them may give something away."""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.policy import names, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.policy.engine import Fault, Judged

_MOST = 20
"""How many errors, and how many warnings, of one rule on one file are told: whoever mends them sees
the rest.
"""
_MANY = 1000
"""Lines beyond which those of a commit are not joined first."""
TEXTS = tuple(f".{suffix}" for suffix in ("txt", "json", "jsonl", "yaml", "yml", "toml", "csv"))
_INSTALLED = frozenset(("node_modules", "bower_components", "site-packages", "vendor"))


def limit(faults: Iterable[Fault]) -> Iterator[Fault]:
    """As many errors of one file as are told, and as many warnings: these never hide an error."""
    told = {False: 0, True: 0}
    for fault in faults:
        if told[fault.soft] < _MOST:
            yield fault
        told[fault.soft] += 1
        if told[False] == _MOST:
            return


def is_below_memory(path: str) -> bool:
    name = path[:7].lower()
    return name == "memory/" or path.lower() == "memory"


def is_memory(path: str) -> bool:
    """Whether a file is memory, or instructs agents, by its name."""
    return is_below_memory(path) or paths.kind_of(path) != "other"


def is_read(judged: Judged, path: str) -> bool:
    """Whether molt or an agent's host reads a path: memory, Markdown, what agents obey."""
    if is_memory(path) or path.endswith(".md"):
        return True
    extra = (folder.rstrip("/") for folder in judged.config.search_extra_paths)
    return path in judged.config.policy_critical or any(
        path == folder or path.startswith(f"{folder}/") for folder in extra
    )


def is_loaded(path: str, mode: int) -> bool:
    """Whether a path is the folder of which a host loads all that it finds, or a repository in
    there: only a person puts something there of which nobody here sees what it holds.
    """
    name = names.fold_path(path)
    return name == "skills" or (mode == trees.SUBMODULE and name.startswith("skills/"))


def list_written(judged: Judged) -> Iterator[str]:
    for change in judged.changes:
        if change.new is not None and change.new.mode != trees.SUBMODULE:
            yield change.path


def join_gained(judged: Judged, written: list[str]) -> str | None:
    """All that there is to read of a commit: where nothing is in all of it, nothing is in any. None
    where it is too long, or no text.
    """
    rows = [change.path for change in judged.changes]
    rows += (judged.message.text if judged.message else "", judged.context.headers)
    for path in written:
        entry = judged.new.entry(path)
        if is_taken_over(path) or not is_text(path) or entry is None:
            return None
        added = judged.lines.read_some(path)
        if len(rows) + len(added) > _MANY:
            return None
        rows += added
    return "\n".join(rows)


def is_taken_over(path: str) -> bool:
    """Whether a file is one that an installer put where it puts what others have published: their
    examples give nothing away.
    """
    return not is_below_memory(path) and not _INSTALLED.isdisjoint(path.split("/")[:-1])


def is_text(path: str) -> bool:
    """Whether a file is one to read by its name."""
    return path.endswith((".md", *TEXTS)) or paths.kind_of(path) != "other"


def is_prose(judged: Judged, path: str) -> bool:
    """Whether a file is text, by its name or by what it holds."""
    return is_text(path) or not texts.is_binary(judged.new.read(path) or b"")
