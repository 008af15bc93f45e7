"""What others wrote, as plain values: a bound stands before each parser, one error comes out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
    try:
        return _scan_json(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _scan_json(text: str | bytes) -> object:
    """The same by the scanner of the library, without what else it imports: that takes as long as
    starting Python, and a hook has one value to read. Where the scanner is not, the library reads.
    """
    if isinstance(text, bytes):
        # The library also knows other encodings, by their first bytes.
        plain = text[:1] not in (b"", b"\0", b"\xef", b"\xfe", b"\xff") and text[1:2] != b"\0"
        text = text.decode("utf-8", "surrogatepass") if plain else text
    scan = _load_scanner() if isinstance(text, str) else None
    if scan is not None and isinstance(text, str):
        start = len(text) - len(text.lstrip(_BLANKS))
        try:
            value, end = scan(text, start)
        except _UNREAD:
            end = -1
        if end >= 0 and not text[end:].strip(_BLANKS):
            return value
    import json

    # What the scanner cannot read, the library says better.
    return json.loads(text, parse_constant=_refuse_constant)


_UNREAD = (ValueError, StopIteration, SystemError)
"""What the scanner raises: the last where the library that has its errors is not imported."""


def _load_scanner() -> Callable[[str, int], tuple[object, int]] | None:
    """The library's scanner, which it has in C; None where it has none."""
    try:
        import _json
    except ImportError:
        return None
    found: Callable[[str, int], tuple[object, int]] = _json.make_scanner(_Reading)  # type: ignore[arg-type]
    return found


def render_json_text(text: str) -> str:
    """A text as JSON has it, in ASCII."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import encode_basestring_ascii
    return encode_basestring_ascii(text)


_BLANKS = " \t\n\r"


class _Reading:
    """What the scanner asks how to read."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int

    @staticmethod
    def parse_constant(name: str) -> object:
        return _refuse_constant(name)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")
