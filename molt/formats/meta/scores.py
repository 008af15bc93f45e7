"""decay-scores.json: parsed whole, edited entry by entry where it stands."""

from __future__ import annotations

from molt.formats.origin import STATES
from molt.formats.times import parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    Scores = dict[str, Any]
    Member = tuple[str, int, int, int]

# No honest count comes near it, and every one below is exact as a float.
_MOST = 1e12
EMPTY = '{\n  "entries": {},\n  "version": 1\n}\n'


def parse_scores(text: str) -> Scores:
    """The file as a dict with `version` and `entries`; empty text has no entries.

    Raises ValueError when it is no JSON object with an object of entries.
    """
    import json

    if not text.strip():
        return {"version": 1, "entries": {}}
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(data, dict) or not isinstance(data.setdefault("entries", {}), dict):
        raise ValueError("not an object with an object of entries")
    if not all(isinstance(entry, dict) for entry in data["entries"].values()):
        raise ValueError("an entry is not an object")
    return data


def fit_entry(entry: object) -> dict[str, Any]:
    """An entry without what no reader can compute with, such as a count that is infinite or a
    time that is none; an empty one for what is no entry at all.
    """
    fields = entry if isinstance(entry, dict) else {}
    return {key: value for key, value in fields.items() if fits_key(key, value)}


def fits_key(key: str, value: object) -> bool:
    """Whether a reader can compute with what an entry says."""
    if key == "status":
        return value in STATES
    if key == "pinned":
        return isinstance(value, bool)
    if key in ("created", "last_accessed"):
        return parse_time(value) is not None
    if key in ("current_score", "base_relevance"):
        return _is_number(value, 1.0)
    if key in ("access_count", "type_weight"):
        return _is_number(value, _MOST)
    return _is_finite(value)


def _is_number(value: object, most: float) -> bool:
    # A comparison with what is not a number is always false.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _is_finite(value: object) -> bool:
    """Whether JSON can hold a value, which Python's reader does not ask."""
    if isinstance(value, float):
        return abs(value) < float("inf")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, inner))


def read_number(entry: Mapping[str, Any], key: str, default: float) -> float:
    """A number of an entry that is fit to compute with, else the default."""
    value = entry.get(key)
    return float(value) if value is not None and fits_key(key, value) else default


def find_faults(text: str) -> str:
    """Why scores cannot be read as they stand, in words; empty where all of them can."""
    try:
        entries = parse_scores(text)["entries"]
    except ValueError as error:
        return str(error)
    odd = [name for name, entry in entries.items() if fit_entry(entry) != entry]
    more = f" and {len(odd) - 1:,} more" if len(odd) > 1 else ""
    return f"the entry {odd[0]}{more} does not fit the schema" if odd else ""


def salvage_scores(text: str) -> str | None:
    """The scores without what does not fit; None where the text is no JSON object at all."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    entries = data.get("entries")
    kept = entries.items() if isinstance(entries, dict) else ()
    fit = {name: fit_entry(entry) for name, entry in kept if isinstance(entry, dict)}
    rest = {key: value for key, value in data.items() if _is_finite(value)}
    return render_scores({"version": 1, **rest, "entries": fit})


def is_forgotten(entry: Mapping[str, Any]) -> bool:
    """Whether a memory was forgotten on purpose: archived, with a score of exactly 0."""
    return entry.get("status") == "archived" and entry.get("current_score") == 0


def list_forgotten(text: str) -> list[str]:
    """The memories that were forgotten on purpose; none where the text cannot be read."""
    escaped = hides_letters(text)
    if not escaped and ('"archived"' not in text or not _may_have_zero(text)):
        return []
    plain = None if escaped else _locate_canonical(text)
    try:
        if plain is None:
            every = parse_scores(text)["entries"]
        else:
            # Of ten thousand entries a third may be archived, and to find one takes a while.
            spans = ((name, text[begin - 5 : end - 6]) for name, begin, _, end in plain[1])
            every = {
                name: parse_entry(entry)
                for name, entry in spans
                if '"archived"' in entry and _may_have_zero(entry)
            }
    except ValueError:
        return []
    return [name for name, entry in every.items() if is_forgotten(entry)]


def hides_letters(text: str) -> bool:
    """Whether JSON may have letters escaped that need not be: who looks for them finds none."""
    return "\\u" in text or "\\/" in text


def _may_have_zero(text: str) -> bool:
    """Whether a score in a text may be 0; what is not written as `render_scores` does may be."""
    _, *rest = text.split(_SCORE)
    if "\\" in text or text.count('"current_score"') != len(rest):
        return True
    # A longer one, or one with an exponent, may be too small for a float.
    values = (piece[:_SHORT].partition("\n")[0].rstrip(",") for piece in rest)
    return not all(len(value) < _SHORT and value.strip("-.0").isdigit() for value in values)


def render_scores(scores: Mapping[str, Any]) -> str:
    """The canonical text: keys sorted, two spaces of indent, a final newline."""
    return f"{_dump_json(scores)}\n"


def _dump_json(value: object, indent: str = "") -> str:
    import json

    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    return text.replace("\n", f"\n{indent}")


def render_entry(entry: Mapping[str, Any]) -> str:
    """The text of an entry, as it stands in the file behind its name."""
    rows = [f"      {quote_name(key)}: {_render_plain(entry[key])}" for key in sorted(entry)]
    if not rows or any(row.endswith(": ") for row in rows):
        return _dump_json(entry, "    ")
    return "\n".join(("{", ",\n".join(rows), "    }"))


def _render_plain(value: object) -> str:
    """A value as JSON has it; empty where only its writer knows, which takes long to import."""
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and _is_finite(value)):
        return repr(value)
    return quote_name(value) if isinstance(value, str) else ""


def edit_entries(text: str, entries: Mapping[str, Mapping[str, Any] | None]) -> str:
    """The text with some entries replaced, or added in sorted place, and those removed that are
    None; every other byte stays. Raises ValueError as `parse_scores` does.
    """
    fresh = {name: one for name, one in entries.items() if one is not None}
    return _remove_entries(_set_entries(text, fresh) if fresh else text, entries.keys() - fresh)


def _set_entries(text: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    text = text or EMPTY
    try:
        start, members = _locate_entries(text)
    except ValueError:
        data = parse_scores(text)
        return render_scores({**data, "entries": {**data["entries"], **entries}})
    spans = {name: (value, end) for name, _, value, end in members}
    fresh = {name: entries[name] for name in sorted(entries) if name not in spans}
    changes = [
        (*spans[name], _render_over(text[slice(*spans[name])], entry))
        for name, entry in entries.items()
        if name in spans
    ]
    changes += _plan_insertions(text, start, members, fresh)
    parts, last = [], 0
    windows = "\r\n" in text
    for at, stop, new in sorted(changes, key=lambda change: change[:2]):
        parts += [
            text[last:at],
            new.replace("\r\n", "\n").replace("\n", "\r\n") if windows else new,
        ]
        last = stop
    return "".join((*parts, text[last:]))


def _render_over(old: str, entry: Mapping[str, Any]) -> str:
    """The text of an entry in place of its old one: as that is written, where another program wrote
    it, with the values alone replaced.
    """
    import json

    before = json.loads(old)
    if not isinstance(before, dict) or before.keys() - entry.keys() or not before:
        return render_entry(entry)
    if render_entry(before) == old:
        return render_entry(entry)
    return edit_members(old, 0, entry)


def edit_members(text: str, start: int, values: Mapping[str, object]) -> str:
    """The text of JSON with some members of the object that begins at `start` set; each other byte
    stays, and what is new comes behind the last member, as that is written. Raises ValueError.
    """
    import json

    members = _locate_members(text, start)
    known = {name: (value, end) for name, _, value, end in members}
    spans = [(*known[name], values[name]) for name in values if name in known]
    if fresh := [name for name in values if name not in known]:
        last = members[-1]
        between = text[text.rfind(",", 0, last[1]) + 1 : last[1]] if len(members) > 1 else " "
        rows = [f"{json.dumps(one)}: {_dump_plain(values[one])}" for one in fresh]
        text = text[: last[3]] + "".join(f",{between}{row}" for row in rows) + text[last[3] :]
    for at, end, value in sorted(spans, key=lambda span: -span[0]):
        text = text[:at] + _dump_plain(value) + text[end:]
    return text


def _dump_plain(value: object) -> str:
    import json

    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _plan_insertions(
    text: str, start: int, members: list[Member], fresh: Mapping[str, Mapping[str, Any]]
) -> list[tuple[int, int, str]]:
    """Where new entries go, in sorted order: each after the last member of a smaller name."""
    import json

    places: dict[int, list[str]] = {}
    for name, entry in fresh.items():
        at = next((end for known, _, _, end in reversed(members) if known < name), start)
        shown = json.dumps(name, ensure_ascii=False)
        places.setdefault(at, []).append(f"\n    {shown}: {render_entry(entry)}")
    if not members:
        close = text.index("}", start)
        return [(start, close, ",".join(rows) + "\n  ") for rows in places.values()]
    return [
        (at, at, ",".join(rows) + "," if at == start else "," + ",".join(rows))
        for at, rows in places.items()
    ]


def find_entries(text: str, memories: Collection[str]) -> dict[str, dict[str, Any]]:
    """The entries of some memories; the others are not read where they stand one below the other
    as `render_scores` puts them. Raises ValueError as `parse_scores` does.
    """
    close = text.find("\n  }")
    plain = text.startswith(_OPEN + _NAME) and not hides_letters(text)
    found: dict[str, dict[str, Any]] = {}
    for memory in memories:
        name = quote_name(memory)
        at = text.find(f"\n    {name}: {{\n", 0, max(close, 0))
        end = text.find("\n    }", at) if at >= 0 else -1
        if not plain or (end < 0 and name in text):
            entries: dict[str, dict[str, Any]] = parse_scores(text)["entries"]
            return {name: entries[name] for name in memories if name in entries}
        if at >= 0:
            found[memory] = parse_entry(text[at:end])
    return found


def quote_name(name: str) -> str:
    """A name as it stands in JSON."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return f'"{name}"'
    import json

    return json.dumps(name, ensure_ascii=False)


def parse_entry(text: str) -> dict[str, Any]:
    """An entry from its name on up to its last brace, exclusive. Raises ValueError.

    To import the reader of JSON takes a write as long as to start half a Python.
    """
    found = parse_plain(text.split("\n")[2:])
    if found is not None:
        return found
    import json

    try:
        (entry,) = json.loads(f"{{{text}\n    }}}}").values()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return dict(entry)


def parse_plain(rows: list[str]) -> dict[str, Any] | None:
    """The fields of an entry from its lines; None where one is not plain, or is there twice."""
    pairs = [_parse_field(row) for row in rows]
    found = {pair[0]: pair[1] for pair in pairs if pair}
    commas = [row.endswith(",") for row in rows]
    whole = commas == [True] * (len(rows) - 1) + [False]
    return found if whole and len(found) == len(rows) else None


def _parse_field(row: str) -> tuple[str, Any] | None:
    """A plain field of an entry, as `render_scores` puts it; None for any other."""
    name, mark, value = row.removesuffix(",").partition('": ')
    key = name[len(_FIELD) :]
    if not mark or not name.startswith(_FIELD) or not key.isidentifier():
        return None
    if value in _WORDS:
        return key, _WORDS[value]
    inner = value[1:-1]
    if len(value) > 1 and value == f'"{inner}"':
        return (key, inner) if quote_name(inner) == value else None
    # What Python reads as a number and JSON does not has other signs, or begins with a zero.
    whole, point, rest = value.partition(".")
    digits = whole.isascii() and whole.isdigit() and (whole == "0" or whole[0] != "0")
    if not digits or len(value) > _LONG_NUMBER:
        return None
    if not point:
        return key, int(whole)
    return (key, float(value)) if rest.isascii() and rest.isdigit() else None


_FIELD = '      "'
_WORDS = {"true": True, "false": False, "null": None}
# Longer ones are refused by some readers.
_LONG_NUMBER = 100


def _remove_entries(text: str, gone: Collection[str]) -> str:
    if not gone or not text.strip():
        return text
    start, members = _locate_entries(text)
    kept = [at for at, member in enumerate(members) if member[0] not in gone]
    if len(kept) == len(members):
        return text
    if not kept:
        return text[:start] + text[text.index("}", members[-1][3]) :]
    # Each loses its comma with what is before it, but for those at the start.
    for at in range(len(members) - 1, kept[0], -1):
        if members[at][0] in gone:
            text = text[: members[at - 1][3]] + text[members[at][3] :]
    return text[: members[0][1]] + text[members[kept[0]][1] :]


def _locate_entries(text: str) -> tuple[int, list[Member]]:
    """Where the object of entries opens, and its members."""
    plain = _locate_canonical(text)
    if plain is not None:
        return plain
    parse_scores(text)
    for name, _, start, _ in _locate_members(text, _skip_spaces(text, 0)):
        if name == "entries":
            return start + 1, _locate_members(text, start)
    raise ValueError("no entries")


_OPEN = '{\n  "entries": {'
_SCORE = '\n      "current_score": '
_SHORT = 20  # letters: more than any number that molt writes has
_NAME = '\n    "'


def _locate_canonical(text: str) -> tuple[int, list[Member]] | None:
    """`_entries` where flat entries stand one below the other as `render_scores` puts them; None
    for any other text. Reading ten thousand of them as JSON would take ten times as long.
    """
    close = text.find("\n  }")
    if not text.startswith(_OPEN + _NAME) or close < 0 or "\r" in text:
        return None
    found: list[Member] = []
    at = len(_OPEN)
    parts = text[at:close].split(_NAME)[1:]
    for part in parts:
        name, mark, _ = part.partition('": {\n')
        comma = len(found) + 1 < len(parts)
        ended = part.endswith("\n    }," if comma else "\n    }")
        # Only what has no other brace, and no escape in its name, is sure to be one entry.
        if not mark or not ended or "\\" in name or part.count("{") + part.count("}") != 2:
            return None
        begin = at + len(_NAME) - 1
        end = at + len(_NAME) + len(part) - comma
        found.append((name, begin, begin + len(name) + 4, end))
        at += len(_NAME) + len(part)
    return len(_OPEN), found


def _locate_members(text: str, start: int) -> list[Member]:
    import json

    decoder = json.JSONDecoder()
    found: list[Member] = []
    at = _skip_spaces(text, start + 1)
    while text[at] != "}":
        name, colon = decoder.raw_decode(text, at)
        value = _skip_spaces(text, _skip_spaces(text, colon) + 1)
        _, end = decoder.raw_decode(text, value)
        found.append((name, at, value, end))
        at = _skip_spaces(text, end)
        if text[at] == ",":
            at = _skip_spaces(text, at + 1)
    return found


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n\ufeff":
        at += 1
    return at
