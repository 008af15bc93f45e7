"""Tables of words that ship as text (`resources.load_lists`)."""

from __future__ import annotations

from molt import resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class WordTable:
    """The lists of words of one file."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        self._lists = lists

    def names(self) -> tuple[str, ...]:
        """What the lists are called, in order."""
        return tuple(self._lists)

    def split_words(self, name: str) -> frozenset[str]:
        """A list of words with spaces between them."""
        return frozenset(self._lists[name].split())

    def split_names(self, name: str) -> frozenset[str]:
        """A list of names with bars between them."""
        return frozenset(self.split_cues(name))

    def split_signs(self, name: str) -> frozenset[str]:
        """A list of single signs with nothing between them."""
        return frozenset(self._lists[name].replace(" ", ""))

    def split_cues(self, name: str) -> tuple[str, ...]:
        """A list of phrases with bars between them."""
        return tuple(one.strip() for one in self._lists[name].split("|"))

    def make_pattern(self, name: str) -> str:
        """A list of phrases with bars between them as a pattern that finds them as whole words."""
        # A write reads these tables and has no pattern: to import this takes a third of a start.
        import re

        every = sorted(map(re.escape, self.split_cues(name)), key=len, reverse=True)
        return rf"(?<!\w)(?:{'|'.join(every)})(?!\w)"

    def split_phrases(self, name: str) -> tuple[str, ...]:
        """A list of phrases, each with a space before and behind: as whole words are looked for."""
        return tuple(f" {one} " for one in self.split_cues(name))


def load(name: str) -> WordTable:
    """The table that ships under a name."""
    return WordTable(resources.load_lists(f"templates/routing/{name}.txt"))
