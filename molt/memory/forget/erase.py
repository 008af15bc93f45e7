"""What the clone derives is made anew without what was forgotten for good."""

from __future__ import annotations

import os

from molt import errors
from molt.formats import paths
from molt.formats.reflections import erased
from molt.index import db as dbs
from molt.memory.decay import accesses
from molt.memory.forget import said_words
from molt.memory.graph import index_page
from molt.memory.provenance import audit
from molt.memory.talks import blanked
from molt.repo import history, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from molt.formats.reflections.erased import Gone
    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo

# Shorter words are in most files.
_TELLING = 4
# molt puts so much of what it remembers into the subject of a commit, and more.
_SHOWN = 40
# Seconds: whoever holds the lock makes an index of the past, which takes some of them.
_PATIENCE = 60.0


def find_telling(repo: Repo, values: Iterable[str], gone: Gone | None) -> tuple[str, ...]:
    """The commits whose messages say one of some values, or how it begins, or have a line that is
    `gone`.
    """
    parts = [part for part in map(_begin, values) if len(part) >= _TELLING]
    if not (parts or gone) or repo.tip() is None:
        return ()

    def tells(text: str) -> bool:
        said = _flatten(text)
        if any(part in said for part in parts):
            return True
        return gone is not None and any(map(gone, text.split("\n")))

    return tuple(oid for oid, text in history.messages(repo, "HEAD") if tells(text))


def _begin(value: str) -> str:
    return _flatten(value)[:_SHOWN].strip()


def _flatten(text: str) -> str:
    return " ".join(text.split())


def erase_copies(
    ws: Workspace, values: Sequence[str], memories: Sequence[str], *, asked: str = ""
) -> tuple[str, ...]:
    """Remove some values, and the ids of their memories, from all that is private to the clone, and
    from its conversations the words that were `asked` to be forgotten too; gives the files that
    still say one of the values. Raises Busy, or Failed.
    """
    repo = ws.repo
    with state.lock(repo.common_dir, "index-at", _PATIENCE):
        for folder in {repo.molt_dir, os.path.join(repo.common_dir, "molt")}:
            _remove_indexes(folder)
            _remove_derived(folder)
    _cut_private(repo, _make_test(values, memories, asked))
    blanked.blank_values(repo, values, asked)
    accesses.drop_memories(repo, memories)
    audit.rebuild(repo)
    index_page.freshen_index(repo, scores=True)
    return tuple(f"{path} still says it" for path in _find_rest(ws, values))


def erase_note(repo: Repo) -> None:
    """Take out what the last write left for the next one: it names the files that it removed.
    Raises Busy.
    """
    with state.lock(repo.git_dir, "write", _PATIENCE, shared=True) as lock:
        lock.note("")


def _remove_indexes(folder: str) -> None:
    """Delete every index: a page that SQLite no longer needs keeps its bytes."""
    for name in _list_names(folder):
        if name.startswith("index") and name.endswith(".sqlite"):
            dbs.remove_files(os.path.join(folder, name))
        elif name.startswith("index") and ".sqlite" in name:
            _unlink(os.path.join(folder, name))


_DERIVED = ("refresh.log", "audit-next", "audit-named", "audit-cursor", "graph-index")


_NOTES = ("hosts.log", "schedule.log", "unsaved-message", "judged", "refused", "refusal",
          "template", "ended-sessions", "read-sessions", "sessions.json", "batch.json")  # fmt: skip
"""Logs and notes of the clone that hold words of people, of models, or names."""


def _remove_derived(folder: str) -> None:
    for name in _DERIVED:
        _unlink(os.path.join(folder, name))
    for name in _list_names(os.path.join(folder, "cache")):
        _unlink(os.path.join(folder, "cache", name))


def _make_test(values: Sequence[str], memories: Sequence[str], asked: str) -> Callable[[str], bool]:
    """Whether a line says one of some values or memories, or what was asked for."""
    tests = [said_words.make_line_test(asked)] if len(asked.strip()) >= _TELLING else []
    every = map(said_words.fold_text, (*values, *memories))
    parts = [part for part in every if len(part) >= _TELLING]

    def test(row: str) -> bool:
        said = said_words.fold_text(row)
        return any(part in said for part in parts) or any(one(row) for one in tests)

    return test


def _cut_private(repo: Repo, gone: Callable[[str], bool]) -> None:
    """Take the lines that say it out of the logs and notes of the clone; nobody misses a file of
    JSON, which is one value. Conversations have a form of their own.
    """
    for folder in dict.fromkeys((repo.git_dir, repo.common_dir)):
        failed = [name for name in _list_names(state.path(folder, "")) if _is_report(name)]
        talked = [f"talks/{name}" for name in _list_names(state.path(folder, "talks"))]
        for name in (*_NOTES, *failed, *talked):
            text = state.read(folder, name)
            clean = "" if name.endswith(".json") else erased.cut_rows(text, gone)
            if clean != text and gone(text):
                state.write(folder, name, clean)


def _is_report(name: str) -> bool:
    """Whether a private file tells of a call that has failed."""
    return name.startswith("failed-") and name.endswith(".txt")


def _list_names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise errors.Failed(f"cannot delete {path}: {error.strerror}") from error


def _find_rest(ws: Workspace, values: Sequence[str]) -> Iterator[str]:
    """The files of the work tree and of the clone's own folder that hold one of some values."""
    parts = [
        part.encode("utf-8", "surrogateescape")
        for value in values
        for part in (value.strip(),)
        if len(part) >= _TELLING
    ]
    for path in _list_files(ws):
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            continue
        if any(part in data for part in parts):
            yield os.path.relpath(path, ws.repo.root)


def _list_files(ws: Workspace) -> Iterator[str]:
    for root in (ws.repo.root, ws.repo.molt_dir):
        for folder, inner, names in os.walk(root):
            inner[:] = sorted(name for name in inner if name != ".git")
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not os.path.islink(path) and name != os.path.basename(paths.TOMBSTONES):
                    yield path
