"""What an answer says on every machine: no ids of commits, no folders, no versions, no scores."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import molt

LONG = 600
"""So many characters of one text are kept: a prompt or a page is read elsewhere."""
RANKED = frozenset({"score", "confidence", "signals", "unsure"})
"""Keys whose numbers are a matter of ranking: only that there is a number is kept."""
MACHINE = frozenset({"bytes", "size", "loose", "places", "months", "p50_ms", "p95_ms"})
"""Keys whose numbers differ from machine to machine, and those of what is below them."""
WHOLE = 8
"""So many lines of a list of texts are kept, such as those of a diff."""
ELSEWHERE = {"passes": "<example>", "fails": "<example>", "matched": "<list>"}
"""Keys of what is kept elsewhere, as a rule's executed examples are, or is a matter of ranking."""
_HEX = re.compile(r"(?<![#\w-])(?!ed25519)(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,64}(?!\w)")
_NAMED = re.compile(r"(?<=agent-)[0-9a-f]{8}(?=\.)")


def read_answer(out: str, places: dict[str, str]) -> Any:
    """What a command printed: a document, one for each line, or text."""
    out = _hide_places(out, places)
    if not out:
        return ""
    try:
        return hide_values(json.loads(out))
    except ValueError:
        pass
    try:
        return [hide_values(json.loads(row)) for row in out.splitlines()]
    except ValueError:
        return hide_values(out)


def hide_all(found: Any, places: dict[str, str]) -> Any:
    """An answer that was read already, without places and what else differs."""
    return read_answer(json.dumps(found, ensure_ascii=False), places)


def hide_values(found: Any, key: str = "") -> Any:
    """An answer without what differs from run to run."""
    if key in ELSEWHERE:
        return ELSEWHERE[key]
    if isinstance(found, dict):
        return {name: hide_values(value, _inherit(key, name)) for name, value in found.items()}
    if isinstance(found, list):
        kept = [hide_values(one, key) for one in found]
        return kept if not all(isinstance(one, str) for one in kept) else _cut_list(kept)
    if isinstance(found, str):
        return _hide_in_text(found)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return found
    if key in RANKED or key in MACHINE:
        return "<number>"
    return round(found, 3)


def _inherit(key: str, name: str) -> str:
    """Numbers below a ranked key are ranked, whatever their own is."""
    return key if key in RANKED | MACHINE else name


def _cut_list(rows: list[str]) -> list[str]:
    return rows if len(rows) <= WHOLE else [*rows[:WHOLE], "<more>"]


def _hide_places(text: str, places: dict[str, str]) -> str:
    known = {
        **places,
        str(Path(sys.executable).parent): "<bin>",
        str(Path(molt.__file__).parents[1]): "<package>",
    }
    for path in sorted(known, key=len, reverse=True):
        text = text.replace(path, known[path])
    return text


def _hide_in_text(text: str) -> str:
    text = text.replace(molt.__version__, "<version>")
    text = _HEX.sub(_name_hex, _NAMED.sub("<hex>", text))
    return text if len(text) <= LONG else f"{text[:LONG].rstrip()}<more>"


def _name_hex(found: re.Match[str]) -> str:
    return "<commit>" if len(found[0]) == 40 or len(found[0]) <= 12 else "<hex>"
