"""The table of formats, as data: `data/secret_formats.tsv` says what its columns are."""

from __future__ import annotations

from molt import resources
from molt.values import Value

WINDOW = 512
"""Most characters that one match reads."""


class SecretFormat(Value):
    """One format: `prefixes`, of which one is in the line; the `pattern`; the `check` of
    `checksums` that a match has to pass; and two templates.
    """

    name: str
    prefixes: tuple[str, ...]
    pattern: str
    check: str
    example: str
    lookalike: str


_table: list[tuple[SecretFormat, ...]] = []


def load_formats() -> tuple[SecretFormat, ...]:
    """Return the formats of the table, read once; the first one that matches gives the name."""
    if not _table:
        with open(resources.find("data/secret_formats.tsv"), encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        _table.append(
            tuple(
                SecretFormat(name, tuple(prefixes.split()), *rest) for name, prefixes, *rest in rows
            )
        )
    return _table[0]


_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_ALPHABETS = {
    "an": _LOWER + _LOWER.upper() + _DIGITS,
    "w": f"{_LOWER}{_LOWER.upper()}{_DIGITS}_-",
    "b": f"{_LOWER}{_LOWER.upper()}{_DIGITS}+/",
    "low": _LOWER + _DIGITS,
    "up": _LOWER.upper() + _DIGITS,
    "az": _LOWER + _LOWER.upper(),
    "hex": "0123456789abcdef",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech": "023456789acdefghjklmnpqrstuvwxyz",
    "b32": _LOWER.upper() + "234567",
    "b32l": _LOWER + "234567",
    "d": "123456789",
    "x": "x",
    "_": " ",
    "(": "{",
}


def sample(template: str, turn: int = 0) -> str:
    """Return a made-up text: `{an:36}` becomes 36 letters and digits that look random, the same
    for each `turn`; the other alphabets are those of the table above. So no scanner takes the
    examples for leaks.
    """
    parts: list[str] = []
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        spec, _, rest = rest.partition("}")
        name, _, count = spec.partition(":")
        letters = _ALPHABETS[name]
        # Steps of a prime, turned a little each time: all classes of the alphabet come up.
        picks = (
            letters[(7 + 11 * turn + (23 + 6 * turn) * at + at * at // 3) % len(letters)]
            for at in range(int(count))
        )
        parts += [before, *picks]
    return "".join((*parts, rest))
