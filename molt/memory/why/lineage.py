"""The story of a memory: the commits that name it, and those that changed its words unsaid."""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import tombstones
from molt.memory import inventory, refs
from molt.memory.provenance import mentions, story, unnamed
from molt.memory.provenance.audit_lines import ALERT, FORGOTTEN, NAMED, Line, make_lines
from molt.policy import secrets
from molt.repo.commits import Commit
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.formats.prose.citations import CitedPlace
    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo

# What was edited more often than this is told of no further back.
_MOST = 200
# Below it another line stands in the place of one, not the same with other words.
_ALIKE = 0.5
# Characters: comparing takes the square of them.
_COMPARED = 2_000


class Chapter(Value):
    """A line of the story of a memory, what its words were before ("" where they stayed), who git
    says has written the commit, and which memory it superseded `by` which, if any.
    """

    line: Line
    was: str
    author: str
    superseded: str = ""
    by: str = ""


class _TextPiece(Value):
    """Some lines of a file, from 1, inclusive, and the id of the memory that they are, if any."""

    id: str
    text: str
    first: int
    last: int


class _Wording(Value):
    """A commit that gave a piece its words; None where it had none before."""

    commit: str
    time: int
    piece: _TextPiece
    former: _TextPiece | None


def tell_story(ws: Workspace, memory: str) -> tuple[Chapter, ...]:
    """The story of a memory, of a file, or of a cited place, the oldest first. A bullet stays the
    same one when it is edited, whoever does it; a file when it is renamed.
    """
    place = refs.find_place(ws.head(), memory)
    words: dict[str, str] = {}
    names, files = [memory], [place.path] if place else []
    if place is not None and place.first:
        for one in _trace_piece(ws.repo, place):
            words[one.commit] = one.former.text if one.former else ""
            names += [one.former.id] if one.former and one.former.id else []
    elif place is not None:
        files, commits = _trace_file(ws.repo, place.path)
        words = dict.fromkeys(commits, "")
    lines = [line for name in dict.fromkeys(names) for line in story.trace_memory(ws.repo, name)]
    known = {line.commit for line in lines}
    more = [oid for oid in words if oid not in known]
    lines += _make_lines(ws.repo, more, files)
    told = [one for one in dict.fromkeys(lines) if _concerns(one, names)]
    headers = _read_headers(ws.repo, told)
    order = {oid: place for place, oid in enumerate(headers)}
    told.sort(key=lambda one: order.get(one.commit, 0))
    return tuple(
        Chapter(one, veil_words(ws, words.get(one.commit, "")), *headers.get(one.commit, ("",)))
        for one in told
    )


def _concerns(line: Line, names: list[str]) -> bool:
    """Whether a line is about one of some memories: decay tells of each of many in its own."""
    told, arrow, _ = line.summary.partition(" → ")
    if line.action != "DECAY" or not arrow:
        return True
    return any(name in told for name in names)


def _trace_piece(repo: Repo, place: CitedPlace) -> list[_Wording]:
    """The commits that gave some lines of a file their words, the newest first, back to that which
    wrote them.
    """
    rows = trees.read_text(repo.tree("HEAD"), place.path).split("\n")
    listed = _list_pieces(rows, place.path, place.last - place.first)
    piece = next((one for one in listed if one.first == place.first), None)
    by_hand = _read_commits(repo, unnamed.find_commits(repo, place.path))
    found: list[_Wording] = []
    while piece is not None and len(found) < _MOST:
        named = mentions.find_commits(repo, (f"{piece.id}\t",)) if piece.id else []
        asked = sorted((*by_hand, *_read_commits(repo, named[::-1])), key=lambda one: -one.time)
        if found:
            # What was looked through for a later wording has not written an earlier one.
            seen = {one.commit for one in found}
            asked = [one for one in asked if one.time <= found[-1].time and one.oid not in seen]
        written = (_find_wording(repo, one, place.path, piece) for one in asked)
        made = next(filter(None, written), None)
        if made is None:
            break
        found.append(made)
        piece = made.former
    return found


def _read_commits(repo: Repo, commits: Iterable[str]) -> list[Commit]:
    """Some commits; without those that are not here any more."""
    found = (repo.reader.ask([oid])[0] for oid in commits)
    return [Commit(one[0], one[2]) for one in found if one is not None]


def _find_wording(repo: Repo, commit: Commit, path: str, piece: _TextPiece) -> _Wording | None:
    """What a commit did to a piece, if it gave it its words."""
    after = trees.read_text(repo.tree(commit.oid), path)
    if piece.text.rpartition("\n")[2] not in after:
        return None
    size = piece.last - piece.first
    now = _list_pieces(after.split("\n"), path, size)
    if not any(one.text == piece.text for one in now):
        return None
    # A merge writes only what none of those that it joins has.
    texts = (trees.read_text(repo.tree(parent), path) for parent in commit.parents)
    then = [one for text in texts for one in _list_pieces(text.split("\n"), path, size)]
    if any(one.text == piece.text for one in then):
        return None
    return _Wording(commit.oid, commit.time, piece, _find_former(piece, then, now))


def _find_former(
    piece: _TextPiece, then: list[_TextPiece], now: list[_TextPiece]
) -> _TextPiece | None:
    """What a piece was: that of its id, else the most similar of those that are gone; None where
    it is new.
    """
    same = next((one for one in then if one.id and one.id == piece.id), None)
    if same is not None:
        return same
    there = {one.text for one in now}
    gone = [one for one in then if one.text not in there]
    scored = ((_compare(one.text, piece.text), -place) for place, one in enumerate(gone))
    best, place = max(scored, default=(0.0, 0))
    return gone[-place] if best >= _ALIKE else None


def _compare(one: str, other: str) -> float:
    """How alike two texts are, from 0 to 1 (difflib's ratio)."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED], autojunk=False)
    quick = min(matcher.real_quick_ratio(), matcher.quick_ratio())
    return matcher.ratio() if quick >= _ALIKE else 0.0


def _list_pieces(rows: list[str], path: str, size: int) -> list[_TextPiece]:
    """The pieces of a file: its memories, else every so many lines of it."""
    known = list(refs.list_places(path, "\n".join(rows)))
    if not known:
        starts = (at for at in range(1, len(rows) - size + 1) if rows[at - 1].strip())
        known = [("", at, at + size) for at in starts]
    return [_make_piece(rows, *one) for one in known]


def _make_piece(rows: Sequence[str], name: str, first: int, last: int) -> _TextPiece:
    told = [row.rstrip() for row in rows[first - 1 : last]]
    if name.startswith("episode:"):
        # A merge may give an entry another second, and it is the same one.
        told[0] = told[0].partition(" | ")[2]
    return _TextPiece(name, "\n".join(told).strip(), first, last)


def _trace_file(repo: Repo, path: str) -> tuple[list[str], list[str]]:
    """The names that a file had, and the commits that changed it under them, the newest first: of
    one that is a memory itself those that name none, for the others are known by its id.
    """
    find = unnamed.find_commits if inventory.find_id(path) else _list_commits
    found: dict[str, None] = {}
    names = [path]
    for name in names:
        commits = find(repo, name)
        found.update(dict.fromkeys(commits))
        former = _find_renamed(repo, commits[-1], name) if commits else ""
        if former and former not in names and len(names) < _MOST:
            names.append(former)
    return names, list(found)


def _list_commits(repo: Repo, path: str) -> list[str]:
    """All commits in HEAD's history that changed a file, the newest first."""
    return repo.git("rev-list", "HEAD", "--", f":(top,literal){path}").text.split()


def _find_renamed(repo: Repo, oid: str, path: str) -> str:
    """What a file was called before a commit; empty where it was not renamed by it."""
    asked = ("diff-tree", "-r", "-z", "-M", "--root", "--no-commit-id", "--name-status", oid)
    words = iter(repo.git(*asked).text.split("\0"))
    for status in words:
        if status.startswith("R"):
            old, new = next(words, ""), next(words, "")
            if new == path:
                return old
        elif status:
            next(words, "")
    return ""


def _make_lines(repo: Repo, commits: list[str], files: list[str]) -> list[Line]:
    """The lines of the audit log of some commits, those of some files where there are such."""
    if not commits:
        return []
    found = story.read_commits(repo, commits)
    lines = [one for one in make_lines(repo, found) if one.action != ALERT]
    about = {one.commit for one in lines if one.file in files}
    return [one for one in lines if one.file in files or one.commit not in about]


def _read_headers(repo: Repo, lines: Iterable[Line]) -> dict[str, tuple[str, ...]]:
    """Who wrote the commits of some lines, the oldest first, and what each superseded by what."""
    every = list(dict.fromkeys(line.commit for line in lines if line.commit))
    if not every:
        return {}
    # By date; of one second those last which come last here.
    keys = (messages.SUPERSEDES, NAMED)
    trailers = "".join(f"%n%(trailers:key={key},valueonly,separator=%x1f)" for key in keys)
    form = f"--format=%H%n%an{trailers}"
    asked = ("log", "--no-walk=sorted", "--no-show-signature", "-z", form)
    named = "".join(f"{oid}\n" for oid in reversed(every)).encode()
    records = repo.git(*asked, "--stdin", input=named).require().text.split("\0")
    rows = (record.split("\n") for record in reversed(records) if record)
    return {oid: _read_superseded(*said) for oid, *said in rows}


def _read_superseded(author: str, old: str = "", named: str = "") -> tuple[str, ...]:
    return author, old.partition("\x1f")[0], named.partition("\x1f")[0] if old else ""


def veil_words(ws: Workspace, words: str) -> str:
    """Words that were, without secrets, and not those that were forgotten for good."""
    known = tombstones.parse_tombstones(trees.read_text(ws.head(), paths.TOMBSTONES))
    if words and known and list(tombstones.find_tombstones(words, known)):
        return FORGOTTEN
    return secrets.redact(words)
