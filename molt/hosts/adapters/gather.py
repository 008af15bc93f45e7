"""The notes of a workspace that may leave it, and what stays behind."""

from __future__ import annotations

from molt.formats import episodes, lines, paths, scopes
from molt.hosts.adapters.shape import Lack, Note
from molt.memory.held import quarantine, withheld
from molt.memory.visible import forgotten, unsaid
from molt.memory.write import put_back
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.episodes import Episode
    from molt.memory.workspace import Workspace

_PRIVATE = "private: only its owner sees it"
_FORGOTTEN = "forgotten"


class Gathered(Value):
    """The notes, by path, and what of the workspace is not among them."""

    notes: tuple[Note, ...]
    left: tuple[Lack, ...]


def gather_notes(ws: Workspace, *, vault: bool) -> Gathered:
    """What the last commit holds, without what is private, forgotten, held back because it breaks
    a rule, and without the vault unless it is asked for.
    """
    return _Gatherer(ws, vault).gather()


class _Gatherer:
    def __init__(self, ws: Workspace, vault: bool) -> None:
        head = ws.head()
        self._head = head
        self._held = quarantine.freshen_held(ws.repo)
        self._tree = withheld.veil_tree(head, self._held, keep_lines=False)
        self._vault = vault
        self._gone = forgotten.list_forgotten(head, ws.repo.cache)
        self._places = forgotten.find_places(self._gone)
        self._buried = unsaid.read_graveyard(head)
        self._left: list[Lack] = []

    def gather(self) -> Gathered:
        notes = [
            note
            for path in sorted(self._head.entries())
            if put_back.holds_memories(path)
            for note in self._take(path)
        ]
        return Gathered(tuple(notes), tuple(self._left))

    def _take(self, path: str) -> tuple[Note, ...]:
        if why := self._refuse(path):
            self._left.append(Lack(path, why))
            return ()
        data = self._tree.read(path)
        if data is None:
            self._left.append(Lack(path, "held back: the commit that brought it breaks a rule"))
            return ()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            self._left.append(Lack(path, "not UTF-8"))
            return ()
        if path in self._held.lines:
            self._left.append(Lack(path, "without lines whose commit breaks a rule"))
        return self._trim(path, text)

    def _refuse(self, path: str) -> str:
        """Why a file is not taken at all; empty where it is."""
        if self._places.get(path) == frozenset():
            return _FORGOTTEN
        return "the vault: `--vault` takes it along" if self._is_locked(path) else ""

    def _is_locked(self, path: str) -> bool:
        return paths.kind_of(path) == "vault" and not self._vault

    def _trim(self, path: str, text: str) -> tuple[Note, ...]:
        if scopes.read_note(text) == scopes.PRIVATE:
            self._left.append(Lack(path, _PRIVATE))
            return ()
        if paths.kind_of(path) == "episode":
            text = self._trim_day(path, text)
            if not _says_more(text):
                return ()
        plain = unsaid.blank_sayings(path, text, self._buried) if self._buried else text
        if plain != text:
            self._left.append(Lack(path, f"without words that were {_FORGOTTEN}"))
        return (Note(path, plain),)

    def _trim_day(self, path: str, text: str) -> str:
        every = episodes.parse(text, paths.date_of(path) or "")
        gone = [one for one in every if self._judge_entry(one)]
        if not gone:
            return text
        self._left += [Lack(one.id, self._judge_entry(one)) for one in gone]
        rows, end = lines.split_lines(text), lines.detect_newline(text)
        for one in reversed(every):
            if one in gone:
                rows[one.start - 1 : one.end] = []
            elif one.told:
                # The first entry of its time may be gone, and with it what told the two apart.
                rest = lines.strip_newline(rows[one.start - 1]).partition("|")[2]
                rows[one.start - 1] = f"## {one.told} |{rest}{end}"
        return "".join(rows)

    def _judge_entry(self, one: Episode) -> str:
        if one.id in self._gone:
            return _FORGOTTEN
        return _PRIVATE if scopes.read_scope(one.fields) == scopes.PRIVATE else ""


def _says_more(text: str) -> bool:
    """Whether a day's log says more than of which day it is."""
    return any(row.strip() and not row.startswith("# ") for row in text.split("\n"))
