"""What earlier imports have brought of a day, found again for each record that comes."""

from __future__ import annotations

from molt.memory.write import import_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.formats.episodes import Episode
    from molt.memory.write.import_sources import ImportRecord


class BroughtEntries:
    """What earlier imports have brought of a day, and of those beside it."""

    def __init__(self, known: Sequence[Episode], near: Sequence[Episode]) -> None:
        self.known = known
        # The last one of an origin is what it said when it was asked last.
        self._own = _list_by_label(known)
        self._near = _list_by_label(near)
        self._by_key = import_keys.list_by_key((*near, *known))
        self._by_words = {_list_words(one): label for label, one in self._own.items()}

    def find(self, source: str, record: ImportRecord) -> Episode | None:
        """What was brought of a record of a source; None for nothing."""
        label = f"{source}#{record.origin}"
        beside = self._near.get(label)
        # A number is no name: another record stands there later, of another day.
        same = beside and import_keys.is_same(record.origin, record.text, beside.text)
        named = not record.origin.isdigit()
        found = self._own.get(label) or (beside if same or named else None)
        found = found or import_keys.find_known(record.key, record.text, self._by_key)
        return found or self._find_elsewhere(source, record)

    def _find_elsewhere(self, source: str, record: ImportRecord) -> Episode | None:
        """What another source has brought of just these words, of the same minute."""
        said = (record.time[:5], record.text.strip(), *record.fields)
        label = self._by_words.get(said, f"{source}#")
        return None if label.startswith(f"{source}#") else self._own[label]


def _list_by_label(known: Iterable[Episode]) -> dict[str, Episode]:
    return {value: one for one in known for key, value in one.fields if key == "imported"}


def _list_words(one: Episode) -> tuple[object, ...]:
    """When something was said, to the minute, what, and what else was told of it: entries of one
    minute have seconds of their own.
    """
    return (
        one.time[:5],
        one.text.strip(),
        *(pair for pair in one.fields if pair[0] in import_keys.TOLD),
    )
