"""Names that many people use: tools and places, in lower case."""

from __future__ import annotations

from molt.memory.engines import tables

_TABLE = tables.load("names")

TOOLS = _TABLE.split_names("tools")
PLACES = _TABLE.split_names("places")
PLACES_ZH = _TABLE.split_cues("places_zh")
