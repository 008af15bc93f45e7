"""What others wrote, as plain values: a bound stands before each parser, one error comes out."""

from __future__ import annotations

MOST_YAML = 1 << 16
"""Bytes of YAML that are read: people write a hundredth of it, and it takes half a second."""


def parse_yaml(text: str, *, above: int = 0) -> object:
    """What a text says in YAML; `above` lines stand before it in its file.

    Raises ValueError, with the line, for everything else: no YAML, more than `MOST_YAML` bytes,
    too many levels, an anchor or alias (eight lines of them mean a billion values), a key that
    stands twice, a number or date that is none.
    """
    if len(text) > MOST_YAML or len(text.encode("utf-8", "replace")) > MOST_YAML:
        raise ValueError(f"over {MOST_YAML:,} bytes of YAML")
    # The library takes as long to load as a hook runs.
    from molt.untrusted import loader

    try:
        return loader.load_yaml(text)
    # The library raises its own errors and, for odd keys and values, whatever it meets.
    except Exception as error:
        raise ValueError(loader.describe_error(error, above)) from error


def parse_json(text: str | bytes) -> object:
    """What a text says in JSON. Raises ValueError for everything else, also for a number that is
    infinite or none, and for more levels than can be walked.
    """
    import json

    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")
