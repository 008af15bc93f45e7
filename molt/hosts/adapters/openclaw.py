"""OpenClaw's workspace: MEMORY.md, a note for each day, and more notes below `memory/`. molt's own
files are such notes; days stand where OpenClaw looks for them.
"""

from __future__ import annotations

from molt.formats import episodes, paths, times
from molt.hosts.adapters import foreign_notes
from molt.hosts.adapters.shape import HISTORY, SCORES, Format, Lack, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Sequence

    from molt.hosts.adapters.shape import Files
    from molt.memory.write.import_sources import SourceContent

_MOST = 20_000
"""Characters of a file that OpenClaw puts before its agent (`bootstrapMaxChars`)."""
_OWN = ("SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md")


def _pack(notes: Sequence[Note]) -> dict[str, str]:
    taken = {one.path for one in notes}
    return {_place(one, taken): one.text for one in notes}


def _place(note: Note, taken: set[str]) -> str:
    day = note.path.removeprefix(paths.EPISODES)
    wanted = f"memory/{day}"
    plain = day != note.path and times.is_date(day.removesuffix(".md")) and wanted not in taken
    return wanted if plain and _is_log(wanted, note.text) else note.path


def _is_log(path: str, text: str) -> bool:
    """Whether a day's note has the title, or the first entry, of molt's logs."""
    date = paths.date_of(path) or ""
    typed = any(one.type for one in episodes.parse(text, date))
    return text.startswith(episodes.render_title(date)) or typed


def _unpack(files: Files) -> tuple[Note, ...]:
    return tuple(
        Note(_find_path(name, files), text)
        for name, text in sorted(files.items())
        if _is_memory(name)
    )


def _is_memory(name: str) -> bool:
    return name == paths.CORE or (name.startswith("memory/") and name.endswith(".md"))


def _find_path(name: str, files: Files) -> str:
    date = paths.date_of(name)
    log = f"{paths.EPISODES}{date}.md"
    moved = date and name == f"memory/{date}.md" and log not in files
    return log if moved and _is_log(name, files[name]) else name


def _measure(files: Files) -> tuple[Lack, ...]:
    if len(files.get(paths.CORE, "")) <= _MOST:
        return ()
    return (Lack("the end of MEMORY.md", f"OpenClaw reads {_MOST:,} characters of it"),)


def _knows(files: Files) -> bool:
    days = any(name.startswith("memory/") and foreign_notes.find_day(name) for name in files)
    return days or (paths.CORE in files and any(name in files for name in _OWN))


def _read(files: Files, _zone: datetime.tzinfo) -> SourceContent:
    """The notes of days as episodes, MEMORY.md and all others as notes. Who the agent is, and what
    it is told to do, is no memory.
    """
    notes = {name: text for name, text in files.items() if _is_memory(name)}
    days = {name: (day, text) for name, text in notes.items() if (day := _find_note_day(name))}
    others = {name.removeprefix("memory/"): notes[name] for name in notes if name not in days}
    return foreign_notes.take_days(foreign_notes.take_notes(others), days)


def _find_note_day(name: str) -> str:
    return foreign_notes.find_day(name) if name.count("/") == 1 else ""


FORMAT = Format(
    *("openclaw", "OpenClaw", _knows, _read, _pack, _unpack, (SCORES, HISTORY), _measure),
    placed=True,
)
