"""`molt-qmd`: what OpenClaw 2026.2 to 2026.7 starts in place of its search engine QMD.

It speaks the part of QMD's command line that OpenClaw uses, and answers from molt's index. The
current folder is the agent's workspace, `XDG_CACHE_HOME` where OpenClaw looks for the index.
"""

from __future__ import annotations

import os
import sys

from molt import __version__
from molt.index import documents
from molt.memory import days

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from molt.memory.search.search import Result
    from molt.memory.workspace import Workspace

    Answer = tuple[int, str]

# OpenClaw looks for one of these phrases, and starts a process for each collection without.
_HELP = """usage: molt-qmd COMMAND

  search QUERY --json -n N -c NAME   find memories, in one or more collections
  vsearch, query                     the same: molt always searches by words and by meaning
  collection add PATH --name NAME --mask GLOB
  collection list|show|remove
  update, embed                      bring molt's index up
  status
"""
_VALUED = ("-n", "-c", "--collection", "--name", "--mask", "--glob", "--min-score")
_SWITCHES = ("--json", "--no-rerank", "--all", "--full", "--line-numbers")
_USUAL = "**/*.md"
# No number of results has so many digits.
_LONG = 6
# QMD's own: OpenClaw always names how many it wants.
_MOST = 5
# Hits that are in none of the collections that were asked for leave room for others.
_SPARE = 3


class Misuse(Exception):
    """A call that is none of QMD's; its text is for the log of OpenClaw."""


class Arguments:
    """Words of a command line, and the values of its options by their names, in order."""

    def __init__(self, argv: Iterable[str]) -> None:
        self.words: list[str] = []
        self.options: dict[str, list[str]] = {}
        rest = iter(argv)
        for one in rest:
            name, given, value = one.partition("=")
            if name in _VALUED:
                found = value if given else next(rest, None)
                if found is None:
                    raise Misuse(f"{one} needs a value")
                self.options.setdefault(name, []).append(found)
            elif one == "--":
                self.words += rest
            elif one.startswith("--") and one not in _SWITCHES:
                raise Misuse(f"unknown option {one}")
            elif one not in _SWITCHES:
                self.words.append(one)

    def last(self, *names: str) -> str:
        """The last value of an option, by any of its names; empty for none."""
        return next((self.options[name][-1] for name in names if name in self.options), "")


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one call of OpenClaw; gives the exit status. What is wrong stands on stderr, and
    OpenClaw goes on with its own index then.
    """
    import gc

    # Nothing that a short call makes is garbage before its end.
    gc.disable()
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        status, text = _answer(given)
    except Misuse as error:
        status, text = 2, ""
        _complain(str(error))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("MOLT_DEBUG"):
            raise
        status, text = getattr(error, "status", 1), ""
        _complain(f"{error} {getattr(error, 'hint', '')}".strip() or type(error).__name__)
    finally:
        _close_repositories()
    return _print_text(text) or status


def _print_text(text: str) -> int:
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        # OpenClaw has stopped waiting; what is left must not fail a second time at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    return 0


def _complain(text: str) -> None:
    sys.stderr.write(f"molt-qmd: {text}\n")


def _close_repositories() -> None:
    repo = sys.modules.get("molt.repo")
    if repo is not None:
        repo.close()


def _answer(argv: Sequence[str]) -> Answer:
    if "--version" in argv or "-v" in argv:
        return 0, f"molt-qmd {__version__}\n"
    if not argv or "--help" in argv or "-h" in argv:
        return 0, _HELP
    command = _COMMANDS.get(argv[0])
    if command is None:
        raise Misuse(f"unknown command {argv[0]}")
    return command(Arguments(argv[1:]))


def find_index() -> str:
    """Where OpenClaw looks for the index. By hand, without its environment, molt has a place of
    its own: another one's is QMD's.
    """
    cache = os.environ.get("XDG_CACHE_HOME") if os.environ.get("QMD_CONFIG_DIR") else None
    if cache:
        return os.path.join(cache, "qmd", "index.sqlite")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "molt", "qmd", "index.sqlite")


def _open_documents() -> documents.Documents:
    return documents.Documents(find_index())


def _find_workspace() -> Workspace:
    from molt.memory import workspace

    return workspace.find(os.environ.get("MOLT_WORKSPACE") or os.getcwd())


# Collections ---------------------------------------------------------------------------------


def _collection(asked: Arguments) -> Answer:
    verb = asked.words.pop(0) if asked.words else "list"
    act = _VERBS.get(verb)
    if act is None:
        raise Misuse(f"unknown command collection {verb}")
    return act(asked)


def _list(_asked: Arguments) -> Answer:
    import json

    with _open_documents() as known:
        return 0, f"{json.dumps([one.asdict() for one in known.folders()])}\n"


def _show(asked: Arguments) -> Answer:
    name = _take_name(asked)
    with _open_documents() as known:
        for one in known.folders():
            if one.name == name:
                return 0, f"Collection: {one.name}\nPath: {one.path}\nPattern: {one.pattern}\n"
    return _miss(name)


def _add(asked: Arguments) -> Answer:
    path = os.path.abspath(os.path.expanduser(_take_name(asked)))
    name = asked.last("--name") or os.path.basename(path)
    folder = documents.Folder(name, path, asked.last("--mask", "--glob") or _USUAL)
    with _open_documents() as known:
        if not known.add_folder(folder):
            _complain(f"collection '{name}' already exists")
            return 1, ""
        known.replace_documents(name, _walk_folder(folder))
    return 0, f"collection '{name}' added\n"


def _remove(asked: Arguments) -> Answer:
    name = _take_name(asked)
    with _open_documents() as known:
        return (0, f"collection '{name}' removed\n") if known.remove_folder(name) else _miss(name)


def _take_name(asked: Arguments) -> str:
    if not asked.words:
        raise Misuse("which collection?")
    return asked.words[0]


def _miss(name: str) -> Answer:
    _complain(f"collection '{name}' not found")
    return 1, ""


def _walk_folder(folder: documents.Folder) -> list[str]:
    """The files of a collection, from its folder on; links and hidden ones are left out."""
    matches = _make_matcher(folder.pattern)
    found: list[str] = []
    for place, names, files in os.walk(folder.path):
        names[:] = [one for one in names if not one.startswith(".")]
        inner = os.path.relpath(place, folder.path).replace(os.sep, "/")
        for name in files:
            path = name if inner == "." else f"{inner}/{name}"
            full = os.path.join(place, name)
            if matches(path) and not name.startswith(".") and not os.path.islink(full):
                found.append(path)
    return found


def _make_matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a path matches a glob; the usual ones cost no regular expression."""
    if not any(one in pattern for one in "*?[{"):
        return pattern.__eq__
    if pattern.startswith("**/*.") and not any(one in pattern[5:] for one in "*?[{/"):
        ending = pattern[4:]
        return lambda path: path.endswith(ending)
    import re

    rule = re.compile(_translate_glob(pattern))
    return lambda path: rule.fullmatch(path) is not None


def _translate_glob(pattern: str) -> str:
    """A regular expression for a glob with `**`, `*`, `?`, `[abc]` and `{a,b}`."""
    import re

    tokens = re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", pattern, re.DOTALL)
    plain = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = []
    for one in tokens:
        if one[0] == "{" and one[-1] == "}" and len(one) > 1:
            parts.append(f"(?:{'|'.join(map(_translate_glob, one[1:-1].split(',')))})")
        elif one[0] == "[" and len(one) > 1:
            inner = one[1:-1].replace("\\", r"\\")
            parts.append(f"[^/{inner[1:]}]" if inner[0] in "!^" and inner[1:] else f"[{inner}]")
        else:
            parts.append(plain.get(one) or re.escape(one))
    return "".join(parts)


# The search ----------------------------------------------------------------------------------


def _search(asked: Arguments) -> Answer:
    import json

    text = " ".join(asked.words).strip()
    if not text:
        return 0, "[]\n"
    most = _read_number(asked.last("-n")) or _MOST
    ws = _find_workspace()
    with _open_documents() as known:
        folders = known.folders()
        names = [*asked.options.get("-c", ()), *asked.options.get("--collection", ())]
        for name in names:
            if all(one.name != name for one in folders):
                return _miss(name)
        chosen = [one for one in folders if one.name in names] if names else folders
        hits = _place_results(ws, _find_results(ws, text, most), chosen)[:most]
        listed = [
            folder
            for folder in chosen
            if known.add_documents(folder.name, [at for _, one, at in hits if one is folder])
        ]
    return 0, f"{json.dumps(_render_hits(hits, listed), ensure_ascii=False)}\n"


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < _LONG else 0


def _find_results(ws: Workspace, text: str, most: int) -> tuple[Result, ...]:
    import time

    from molt.memory.search import search, visible

    second = time.time()  # noqa: TID251 a door reads the clock
    options = search.SearchOptions(
        limit=most * _SPARE,
        sight=visible.Sight(second),
        today=lambda: days.day(second, ws.config.workspace_timezone),
    )
    answer = search.search(ws, text, options)
    if answer.fallback:
        _complain(answer.fallback)
    return answer.results


def _place_results(
    ws: Workspace, found: Sequence[Result], folders: Sequence[documents.Folder]
) -> list[tuple[Result, documents.Folder, str]]:
    """The results that are in one of the collections, with it and their path in it; of several
    the one whose folder is deepest.
    """
    root = os.path.realpath(ws.repo.root)
    places = [(os.path.realpath(one.path), _make_matcher(one.pattern), one) for one in folders]
    places.sort(key=lambda place: -len(place[0]))
    hits = []
    for result in found:
        full = os.path.join(root, result.path)
        for folder, matches, collection in places:
            inner = full.removeprefix(folder.rstrip(os.sep) + os.sep).replace(os.sep, "/")
            if inner != full and matches(inner):
                hits.append((result, collection, inner))
                break
    return hits


def _render_hits(
    hits: Sequence[tuple[Result, documents.Folder, str]], listed: Sequence[documents.Folder]
) -> list[dict[str, object]]:
    """The hits as OpenClaw reads them. It drops one whose id it cannot look up, and goes by the
    place of one that has none.
    """
    told: list[dict[str, object]] = []
    least = 1.0
    for one, folder, path in hits:
        # OpenClaw sorts by the score; molt's order stays, and a score says how sure it is.
        least = min(least, one.confidence)
        name = f"#{documents.name_document(folder.name, path)}"
        told.append(
            {
                **({"docid": name} if folder in listed else {}),
                "score": round(least, 4),
                "collection": folder.name,
                "file": f"qmd://{folder.name}/{_quote_path(path)}",
                "title": path.rpartition("/")[2],
                "snippet": one.snippet,
                "start_line": one.start_line,
                "end_line": one.end_line,
            }
        )
    return told


def _quote_path(path: str) -> str:
    """A path as OpenClaw decodes it from an address."""
    if path.isascii() and not any(one in path for one in " %#?\\"):
        return path
    from urllib.parse import quote

    return quote(path)


# The index -----------------------------------------------------------------------------------


def _update(_asked: Arguments) -> Answer:
    from molt.memory.search import index

    done = index.build_index(_find_workspace())
    with _open_documents() as known:
        for folder in known.folders():
            known.replace_documents(folder.name, _walk_folder(folder))
    if done.failure:
        _complain(done.failure)
    return 0, f"{done.updated} files read, {done.stale} chunks wait for vectors\n"


def _status(_asked: Arguments) -> Answer:
    from molt.memory.search import index

    now = index.read_status(_find_workspace())
    vectors = 0 if now.provider == "none" else now.chunks - now.stale
    with _open_documents() as known:
        rows = [f"Index: {find_index()}", f"Documents: {known.count()}"]
        rows += [f"Collection: {one.name} {one.path} {one.pattern}" for one in known.folders()]
    rows.append(f"Vectors: {vectors} of {now.chunks} chunks, by {now.provider} {now.model}")
    return 0, "".join(f"{row.rstrip()}\n" for row in rows)


_VERBS = {"list": _list, "show": _show, "add": _add, "remove": _remove, "rm": _remove}
_COMMANDS = {
    "collection": _collection,
    "search": _search,
    "vsearch": _search,
    "query": _search,
    "update": _update,
    "embed": _update,
    "status": _status,
}
