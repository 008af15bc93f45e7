"""A memory, or a file of them, as it stands."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import bullets as formats_bullets
from molt.formats import documents, episodes, ids, paths, sections
from molt.formats import lines as textlines
from molt.formats.prose import citations, notes
from molt.memory import refs
from molt.memory.held import quarantine, withheld
from molt.memory.visible import forgotten
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.formats.prose.citations import CitedPlace
    from molt.memory.search.at import Moment
    from molt.memory.workspace import Workspace

_HINT = "`molt search` gives ids and citations; a label is taken too"


class Passage(Value):
    """A text with its file and its lines there, from 1, inclusive; `end` is before `start` for
    none.
    """

    path: str
    start: int
    end: int
    text: str


def get_passage(
    ws: Workspace, ref: str, *, start: int = 1, lines: int = 0, at: Moment | None = None
) -> Passage:
    """A memory by its id, its citation or its label, or a file by its path, or `lines` of that from
    line `start` of it; as it is on disk or was at a commit. A citation of one line means the memory
    that has it.

    Raises NotFound, or Usage for a bad path.
    """
    ref, cited = _read_ref(ws, ref, at)
    path = ref if paths.is_markdown(ref) else _resolve_path(ref)
    if not path:
        return _find_quote(ws, ref)
    data = _read_file(ws, path, at)
    if data is None and path.startswith(paths.ENTITIES):
        path, ref = _follow_name(ws, path, ref, at)
        data = _read_file(ws, path, at)
    places = _find_forgotten(ws, ref, path)
    then = f" at {at.commit[:10]}" if at else ""
    if data is None:
        raise errors.NotFound(f"no file {path}{then}", _HINT)
    text = data.decode("utf-8", "replace")
    if at is not None:
        # A look at what is there reads no past.
        from molt.memory.visible import unsaid

        buried = unsaid.read_graveyard(ws.head())
        text = unsaid.blank_sayings(path, text, buried) if buried else text
    if path in places:
        text = forgotten.hide_entries(path, text, places[path])
    rows = textlines.split_lines(text)
    place = (1, len(rows)) if path == ref else _find_lines(path, text, ref, len(rows))
    if cited is not None and cited.first:
        place = _find_cited(path, text, cited, len(rows))
    if place is None and ref.startswith(notes.PREFIX):
        hint = f"`molt why {ref}` tells its story, and `molt get {path}` shows the note"
        raise errors.NotFound(f"{path} says this no longer{then}: it was edited since", hint)
    if place is None:
        raise errors.NotFound(f"no memory {ref} in {path}{then}", _HINT)
    first = place[0] + max(start, 1) - 1
    last = min(place[1], first + lines - 1) if lines else place[1]
    found = Passage(path, first, last, "".join(rows[first - 1 : last]))
    return found if at else _hide_held(ws, found, ref)


def _find_forgotten(ws: Workspace, ref: str, path: str) -> Mapping[str, frozenset[str]]:
    """What was forgotten, by file. Raises NotFound where that is the memory, or all of its file."""
    gone = forgotten.list_forgotten(ws.head(), ws.repo.cache)
    places = forgotten.find_places(gone)
    if ref in gone or (path in places and not places[path]):
        hint = f"`molt restore {ref}` brings it back, and `molt why {ref}` tells when it went"
        raise errors.NotFound(f"{ref} was forgotten", hint)
    return places


def _find_quote(ws: Workspace, ref: str) -> Passage:
    """What was said in a conversation, as the record of a reflection quotes it. Raises NotFound."""
    # Records are JSON within YAML, which nothing else here reads.
    from molt.memory.talks import quoted

    found = quoted.find_quote(ws, ref)
    if found is None:
        raise errors.NotFound(f"no reflection quotes {ref}", _HINT)
    said = found.quote
    text = f"{said.date}, the {said.origin} in session {said.session}: {said.text}\n"
    return Passage(found.path, found.line, found.line, text)


def _hide_held(ws: Workspace, found: Passage, ref: str) -> Passage:
    """A passage with empty lines where a commit that breaks a rule has brought them. Raises
    NotFound where nothing else is left.
    """
    text = withheld.hide_lines(found.path, found.text, quarantine.freshen_held(ws.repo))
    if text != found.text and not withheld.list_lines(text):
        raise errors.NotFound(f"{ref} is held back", "`molt status` says which commit broke a rule")
    return found.replace(text=text)


def _read_ref(ws: Workspace, ref: str, at: Moment | None) -> tuple[str, CitedPlace | None]:
    """The id or the path that a text means, and the lines that it cites."""
    tree = ws.files() if at is None else ws.repo.tree(at.tree)
    ref = ids.complete_id(ref)
    cited = citations.parse_citation(ref)
    if cited is not None:
        cited = refs.find_day(tree, cited)
        return cited.path, cited
    if not paths.is_markdown(ref) and not refs.is_id(ref):
        ref = refs.find_labelled(ws, tree, ref) or ref
    return ref, None


def _find_cited(path: str, text: str, cited: CitedPlace, count: int) -> tuple[int, int]:
    """The lines that are cited, of one line those of the memory that has it. Raises NotFound where
    the file ends before.
    """
    if cited.first > count:
        raise errors.NotFound(f"{path} has no line {cited.first}: it has {count}", _HINT)
    places = refs.list_places(path, text) if cited.first == cited.last else ()
    held = ((start, end) for _, start, end in places if start <= cited.first <= end)
    return next(held, (cited.first, min(cited.last, count)))


def _resolve_path(ref: str) -> str:
    try:
        return ids.path_of(ref)
    except ValueError as error:
        raise errors.NotFound(f"no memory {ref!r}", _HINT) from error


def _find_lines(path: str, text: str, ref: str, count: int) -> tuple[int, int] | None:
    """The lines of a memory in its file, which it may share with others."""
    if ref.startswith(notes.PREFIX):
        piece = notes.find_piece(path, text, ref)
        return (piece.start, piece.end) if piece else None
    date = paths.date_of(path)
    if date is not None:
        entries = episodes.parse(text, date)
        return next(((one.start, one.end) for one in entries if one.id == ref), None)
    if path != paths.CORE:
        return 1, count
    bullets = formats_bullets.core_bullets(text)
    found = [(one.start, one.end) for one in bullets if one.id == ref]
    found += [
        (one.start, one.end) for one in sections.parse_sections(text) if ids.core(one.title) == ref
    ]
    return found[0] if found else None


def _read_file(ws: Workspace, path: str, at: Moment | None) -> bytes | None:
    if paths.kind_of(path) == "other" and not _is_of_workspace(ws, path, at):
        return _read_extra(ws, path, at)
    worktree.safe_path(path)
    return worktree.read(ws.repo.root, path) if at is None else _read_at(ws, path, at)


def _is_of_workspace(ws: Workspace, path: str, at: Moment | None) -> bool:
    """Whether a path is of Markdown that is searched and no memory: a document that git ignores is
    not.
    """
    if paths.is_workspace(path) or not documents.is_document(path):
        return paths.is_workspace(path)
    if "documents" not in ws.config.search_sources:
        return False
    entry = ws.files().entry(path) if at is None else None
    return at is not None or (entry is not None and entry.mode != trees.SYMLINK)


def _read_extra(ws: Workspace, path: str, at: Moment | None) -> bytes:
    """A file that is searched besides the memory, as answers name it. Raises Usage for another
    one: no commit is asked for them.
    """
    # Few workspaces have any.
    places = ws.config.search_extra_paths if at is None else ()
    if places:
        from molt.index.content import sources

        name = sources.EXTRA + path
        if name in dict(sources.list_extra(ws.repo.root, places)):
            return sources.read_extra(ws.repo.root, name)
    worktree.safe_path(path)
    raise errors.Usage(f"{path} is no memory file")


def _follow_name(ws: Workspace, path: str, ref: str, at: Moment | None) -> tuple[str, str]:
    """The file and the id of the entity that was renamed, or merged into another one; what was
    asked for where there is none.
    """
    tree = ws.files() if at is None else ws.repo.tree(at.tree)
    found = refs.find_labelled(ws, tree, path.removeprefix(paths.ENTITIES).removesuffix(".md"))
    if not found:
        return path, ref
    there = ids.path_of(found)
    return there, there if ref == path else found


def _read_at(ws: Workspace, path: str, at: Moment) -> bytes | None:
    tree = ws.repo.tree(at.tree)
    entry = tree.entry(path)
    plain = entry is not None and entry.mode in (trees.REGULAR, trees.EXECUTABLE)
    return tree.read(path) if plain else None
