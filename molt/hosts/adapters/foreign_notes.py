"""Notes that others wrote, as an import takes them."""

from __future__ import annotations

from molt.formats import times
from molt.memory.write import import_sources
from molt.memory.write.import_sources import SourceContent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.hosts.adapters.shape import Files


def take_notes(files: Files) -> SourceContent:
    """Markdown as notes that keep the names of their files, which links point to."""
    every = sorted(name for name in files if name.endswith(".md"))
    return SourceContent(
        notes=tuple((name.removesuffix(".md"), files[name]) for name in every), named=True
    )


def take_days(found: SourceContent, days: Mapping[str, tuple[str, str]]) -> SourceContent:
    """What was found with a note for a day as an episode: its date and text, by its name."""
    given = (
        {"id": name, "date": date, "text": text}
        for name, (date, text) in sorted(days.items())
        if text.strip()
    )
    made = (import_sources.make_record(one["id"], 1, one) for one in given)
    return found.replace(records=(*found.records, *made))


def find_day(name: str) -> str:
    """The day that a note is named for, alone or with more words behind it; empty for none."""
    stem = name.rpartition("/")[2].removesuffix(".md")
    return stem[:10] if times.is_date(stem[:10]) and not stem[10:11].isalnum() else ""
