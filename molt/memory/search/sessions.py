"""Transcripts of conversations with agents, cut into segments that are indexed by deltas.

A segment never changes once it is closed, so only what was appended is read. What a segment is
made of is kept in `sessions.json` of the clone; no text is.
"""

from __future__ import annotations

import os

from molt.formats import documents
from molt.index.content import sources
from molt.memory.held import withheld
from molt.memory.talks import transcripts
from molt.repo import disk
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from molt.memory.held.withheld import Held
    from molt.memory.workspace import Workspace

STATE = "sessions.json"
# A running conversation is indexed again when so much was added, or so many lines.
DELTA_BYTES = 100_000
DELTA_LINES = 50
# Bytes before the place where reading ended; if they differ, the file was written anew.
_TAIL = 256
_SQLITE = ".sqlite"
_CODEX, _ROLLOUT = ".codex", "rollout-"
# Bytes of the first line: hosts put their whole instructions into it.
_LONGEST_HEAD = 1 << 20
# Some hundred turns with what tools said between them.
_MOST_EVENTS = 2_000


class Segment(Value):
    """Bytes `start` to `end` of a transcript, the number of its first line, and its last
    bytes' hash.
    """

    start: int
    end: int
    line: int
    mark: str


def find_sources(ws: Workspace, *, everything: bool) -> sources.Beyond:
    """What is searched besides the memory, as the configuration says.

    `everything` takes what was appended to a running conversation however little it is.
    """
    held = withheld.read_held(ws.repo)
    versions = dict(_list_extra(ws, held))

    def read_extra(path: str) -> bytes:
        data = sources.read_extra(ws.repo.root, path)
        name = path.removeprefix(sources.EXTRA)
        if name not in held.lines:
            return data
        text = data.decode("utf-8", "surrogateescape")
        return withheld.hide_lines(name, text, held).encode("utf-8", "surrogateescape")

    if "sessions" not in ws.config.search_sources:
        return sources.Beyond(versions, read_extra) if versions else sources.NONE
    found = _SegmentIndex(ws, everything=everything)
    versions.update(found.versions)

    def read(path: str) -> bytes:
        return read_extra(path) if path.startswith(sources.EXTRA) else found.read(path)

    return sources.Beyond(versions, read, found.notes)


def _list_extra(ws: Workspace, held: Held) -> Iterator[tuple[str, str]]:
    """The files of further folders that are not searched as documents already, with what tells
    their versions apart: also what of them is held back.
    """
    head = ws.head() if sources.DOCUMENTS in ws.config.search_sources else None
    for path, version in sources.list_extra(ws.repo.root, ws.config.search_extra_paths):
        name = path.removeprefix(sources.EXTRA)
        if head is None or not documents.is_document(name) or head.entry(name) is None:
            kept_back = len(held.lines.get(name, ()))
            yield path, f"{version}-{kept_back}" if kept_back else version


class _SegmentIndex:
    def __init__(self, ws: Workspace, *, everything: bool) -> None:
        self.versions: dict[str, str] = {}
        self.notes: list[str] = []
        self._places: dict[str, tuple[str, Any]] = {}
        path = os.path.join(ws.repo.molt_dir, STATE)
        before = _load_state(path)
        state: dict[str, list[list[Any]]] = {}
        files = sorted(_find_transcripts(ws), key=_changed_at)
        for file in files:
            # The newest may still grow; what is added to an older one is its end.
            whole = everything or file != files[-1]
            if file.endswith(_SQLITE):
                state[file] = self._find_stored(file, before.get(file, []), whole=whole)
                continue
            known = [Segment(*one) for one in before.get(file, [])]
            segments = _update_segments(file, known, whole=whole)
            state[file] = [list(one._astuple()) for one in segments]
            for number, segment in enumerate(segments):
                said = f"{segment.start}-{segment.end}-{segment.mark}"
                self._add_segment(_name_transcript(file), number, said, (file, segment))
        if state != before:
            _save_state(path, state)

    def _add_segment(self, name: str, number: int, version: str, place: tuple[str, Any]) -> None:
        path = f"{sources.SESSION}{name}/{number:04}"
        while path in self._places:
            # Two agents may call their conversations by one name.
            name += "~"
            path = f"{sources.SESSION}{name}/{number:04}"
        self.versions[path] = version
        self._places[path] = place

    def read(self, path: str) -> bytes:
        """The turns of a segment."""
        file, place = self._places[path]
        turns = _read_turns(file, place) if isinstance(place, Segment) else self._rows(file, *place)
        return sources.render_turns(list(turns))

    def _find_stored(self, file: str, before: list[list[Any]], *, whole: bool) -> list[list[Any]]:
        """The segments in a database of OpenClaw: so many events each."""
        known = {(one[0], one[1]): one[2] for one in before}
        state: list[list[Any]] = []
        sql = (
            "SELECT e.session_id, e.seq / ?, count(*), max(e.seq), max(w.session_key),"
            " max(e.created_at)"
            " FROM transcript_events e LEFT JOIN session_windows w USING(session_id)"
            " GROUP BY 1, 2 ORDER BY 1, 2"
        )
        try:
            base = sources.Foreign(file)
            try:
                rows = base.rows(sql, (DELTA_LINES,))
            finally:
                base.close()
        except OSError as error:
            self.notes.append(f"{file} cannot be read: {error}")
            return before
        newest = max(rows, key=lambda row: (row[5] or 0, row[3]), default=None)
        for row in rows:
            session, number, count, last, key, _ = row
            version = f"{count}-{last}"
            if row is newest and count < DELTA_LINES and not whole:
                version = known.get((session, number), "")
            if version and transcripts.is_private(key or ""):
                state.append([session, number, version])
                self._add_segment(str(session), number, version, (file, (session, number)))
        return state

    def _rows(self, file: str, session: str, number: int) -> Iterator[sources.Turn]:
        sql = (
            "SELECT seq, event_json, event_zstd FROM transcript_events"
            " WHERE session_id=? AND seq / ?=? ORDER BY seq"
        )
        base = sources.Foreign(file)
        try:
            rows = base.rows(sql, (session, DELTA_LINES, number))
        finally:
            base.close()
        for seq, text, packed in rows:
            data = text if text is not None or packed is None else _unpack_zstd(packed)
            if data is None and packed is not None:
                self.notes.append(f"{session}: a message is packed with zstd; install zstandard")
            turn = transcripts.parse_turn(data, seq + 1) if data else None
            if turn:
                yield turn


def read_stored(file: str, session: str, after: int) -> tuple[int, list[sources.Turn]]:
    """What was said in a conversation of OpenClaw's database behind an event, of a long one the
    end; and how many events there are now. Nothing of one that was not with the owner alone. Raises
    OSError.
    """
    base = sources.Foreign(file)
    try:
        owner = base.rows("SELECT session_key FROM session_windows WHERE session_id=?", (session,))
        sql = (
            "SELECT seq, event_json, event_zstd FROM transcript_events"
            " WHERE session_id=? AND seq>=? ORDER BY seq DESC LIMIT ?"
        )
        rows = base.rows(sql, (session, after, _MOST_EVENTS))[::-1]
    finally:
        base.close()
    if not rows or not all(transcripts.is_private(key or "") for (key,) in owner):
        return after, []
    read = ((seq, text or (packed and _unpack_zstd(packed))) for seq, text, packed in rows)
    turns = (transcripts.parse_turn(data, seq + 1) for seq, data in read if data)
    return rows[-1][0] + 1, [turn for turn in turns if turn is not None]


def _unpack_zstd(data: bytes) -> bytes | None:
    from importlib import import_module

    for name in ("compression.zstd", "zstandard"):
        try:
            zstd = import_module(name)
        except ImportError:
            continue
        try:
            found: bytes = zstd.decompress(data)
        except zstd.ZstdError:
            return None
        return found
    return None


def _find_transcripts(ws: Workspace) -> Iterator[str]:
    """The transcripts: in the folders that the settings name, or where the hosts keep them."""
    places = ws.config.search_session_paths
    if not places:
        slug = "".join(one if one.isascii() and one.isalnum() else "-" for one in ws.repo.root)
        kept = os.path.join(ws.repo.molt_dir, transcripts.KEPT)
        places = (f"~/.claude/projects/{slug}", "~/.openclaw/agents", kept)
    for place in places:
        full = os.path.normpath(os.path.join(ws.repo.root, os.path.expanduser(place)))
        if os.path.isfile(full) and not os.path.islink(full):
            yield full
        yield from _walk_transcripts(full)
    if not ws.config.search_session_paths:
        # Codex keeps what was said in any folder in one place.
        home = os.environ.get("CODEX_HOME") or os.path.expanduser(f"~/{_CODEX}")
        yield from _walk_transcripts(os.path.join(home, "sessions"), ws.repo.root)


def _walk_transcripts(full: str, within: str = "") -> Iterator[str]:
    """The transcripts below a folder, of Codex those of work in or below another one."""
    for folder, names, inner in os.walk(full):
        names[:] = [one for one in names if one != "subagents"]
        hidden = _find_shared(folder) if "sessions.json" in inner else frozenset()
        for name in inner:
            path = os.path.join(folder, name)
            if not _is_transcript(name) or name in hidden or os.path.islink(path):
                continue
            if not name.startswith(_ROLLOUT) or _is_own(path, within):
                yield path


def _is_own(path: str, within: str) -> bool:
    """Whether a transcript of Codex is a person's, of work in or below a folder."""
    try:
        with open(path, "rb") as file:
            origin = transcripts.read_origin(file.readline(_LONGEST_HEAD))
    except OSError:
        return False
    if origin is None:
        return not within
    return origin.by_user and f"{origin.folder}/".startswith(f"{within}/" if within else "")


def _is_transcript(name: str) -> bool:
    whole = name.endswith(".jsonl") and not name.endswith(".trajectory.jsonl")
    return whole or name == "openclaw-agent.sqlite"


def is_shared(path: str) -> bool:
    """Whether a transcript is of a talk that was not with the owner alone."""
    folder, name = os.path.split(path)
    return name.endswith(transcripts.SHARED) or name in _find_shared(folder)


def _find_shared(folder: str) -> frozenset[str]:
    """The files of OpenClaw's conversations that were not with the owner alone."""
    import json

    try:
        with open(os.path.join(folder, "sessions.json"), encoding="utf-8") as file:
            entries = json.load(file)
    except (OSError, ValueError):
        return frozenset()
    every = entries.items() if isinstance(entries, dict) else ()
    shared = (one for key, one in every if not transcripts.is_private(key))
    return frozenset(f"{one.get('sessionId')}.jsonl" for one in shared if isinstance(one, dict))


def _changed_at(path: str) -> tuple[int, str]:
    try:
        return os.stat(path).st_mtime_ns, path
    except OSError:
        return 0, path


def _name_transcript(path: str) -> str:
    return os.path.basename(path).removesuffix(".jsonl")


def _update_segments(path: str, known: Sequence[Segment], *, whole: bool) -> list[Segment]:
    """The segments of a transcript now: those that are known, and what was appended."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if known and (
                size < known[-1].end or _hash_tail(file, known[-1].end) != known[-1].mark
            ):
                # Another file under the same name, or a shorter one: nothing of it is known.
                known = []
            end = known[-1].end if known else 0
            if size == end:
                return list(known)
            file.seek(end)
            added = _split_lines(file.read(size - end))
            few = len(added) < DELTA_LINES and sum(map(len, added)) < DELTA_BYTES
            if not added or (few and not whole):
                return list(known)
            return _extend_segments(file, list(known), added)
    except OSError:
        return []


def _split_lines(data: bytes) -> list[bytes]:
    """The whole lines of some bytes; one that is still being written has no end yet."""
    return [row + b"\n" for row in data.split(b"\n")[:-1]]


def _extend_segments(file: Any, known: list[Segment], added: list[bytes]) -> list[Segment]:
    """The segments with lines appended; the last known one takes them while it is small."""
    start, line, end = 0, 1, 0
    count = 0
    if known:
        last = known[-1]
        end = last.end
        file.seek(last.start)
        count = file.read(last.end - last.start).count(b"\n")
        start, line = last.end, last.line + count
        if last.end - last.start < DELTA_BYTES and count < DELTA_LINES:
            known.pop()
            start, line = last.start, last.line
        else:
            count = 0
    for row in added:
        if count >= DELTA_LINES or end - start >= DELTA_BYTES:
            known.append(Segment(start, end, line, _hash_tail(file, end)))
            start, line, count = end, line + count, 0
        end += len(row)
        count += 1
    known.append(Segment(start, end, line, _hash_tail(file, end)))
    return known


def _hash_tail(file: Any, end: int) -> str:
    from hashlib import blake2b

    file.seek(max(0, end - _TAIL))
    return blake2b(file.read(min(_TAIL, end)), digest_size=8).hexdigest()


def _read_turns(path: str, segment: Segment) -> Iterator[sources.Turn]:
    try:
        with open(path, "rb") as file:
            file.seek(segment.start)
            data = file.read(segment.end - segment.start)
    except OSError:
        return
    for number, row in enumerate(data.split(b"\n"), segment.line):
        turn = transcripts.parse_turn(row, number)
        if turn:
            yield turn


def _load_state(path: str) -> dict[str, list[list[Any]]]:
    import json

    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save_state(path: str, state: dict[str, list[list[Any]]]) -> None:
    import json

    try:
        disk.replace_file(path, json.dumps(state).encode())
    except OSError:
        # Where nothing may be written the segments are found anew each time.
        return
