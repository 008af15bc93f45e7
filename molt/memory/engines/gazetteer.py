"""Names that many people use: tools and places, in lower case."""

from __future__ import annotations

from molt.memory.engines import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = tables.load("names")

TOOLS = _TABLE.split_names("tools")
PLACES = _TABLE.split_names("places")
PLACES_ZH = _TABLE.split_cues("places_zh")
FIRMS_ZH = _TABLE.split_cues("firms_zh")

_TOOLS_ZH = tuple(sorted(name for name in TOOLS if not name.isascii()))


def find_tools(text: str) -> Iterator[tuple[int, int, str]]:
    """Where tools with Chinese names stand in a text."""
    yield from ((at, at + len(name), "tool") for name in _TOOLS_ZH if (at := text.find(name)) >= 0)


def find_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Where places with Chinese names stand in a text."""
    yield from ((at, at + len(name), "place") for name in PLACES_ZH if (at := text.find(name)) >= 0)


def find_firms(text: str) -> Iterator[tuple[int, int, str]]:
    """Where firms with Chinese names stand in a text."""
    found = ((at, at + len(name)) for name in FIRMS_ZH if (at := text.find(name)) >= 0)
    yield from ((start, end, "organization") for start, end in found)
