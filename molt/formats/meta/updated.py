"""When decay-scores.json was brought up last: the seed's `last_updated`."""

from __future__ import annotations

from molt.formats import times
from molt.formats.meta import scores

KEY = "last_updated"
_CLOSE = "\n  }"


def read_updated(text: str) -> float | None:
    """The second that it says; None where it says none that can be read."""
    at = text.find(f'"{KEY}"')
    if at < 0:
        return None
    try:
        return times.parse_time(scores.parse_scores(text).get(KEY))
    except ValueError:
        return None


def set_updated(text: str, second: float) -> str:
    """The text that says a second; every entry stays as it is, and so does all else of a file that
    another program wrote. Raises ValueError for a text
    that is no JSON object.
    """
    import json

    head, close, tail = (text or scores.EMPTY).partition(_CLOSE)
    try:
        rest = json.loads(f'{{"entries": {{}}{tail}')
    except ValueError:
        head, rest = "", None
    if not close or not isinstance(rest, dict) or not head.startswith('{\n  "entries": {'):
        data, fresh = scores.parse_scores(text), {KEY: times.render_time(second)}
        if not text.strip() or scores.render_scores(data) == text:
            return scores.render_scores({**data, **fresh})
        return scores.edit_members(text, text.index("{"), fresh)
    del rest["entries"]
    fields = sorted({**rest, KEY: times.render_time(second)}.items())
    rows = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields)
    return f"{head}{close},\n" + ",\n".join(rows) + "\n}\n"
