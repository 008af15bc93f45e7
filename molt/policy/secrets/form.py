"""One format that tokens have: what tells of it, how it is read, an example each way."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int]
    """Where in a line a secret begins and ends."""

WINDOW = 512
"""Most characters that one reading looks at: the longest token that is told by its form alone."""


class SecretForm(Value):
    """A format that a token has.

    One of `words` (between spaces) must be in a text, and `shape` too once the characters of the
    text are classes (see `glance.classes`), before anything is read: hardly any has one. `pattern`
    is matched where a word stands, or with `behind` searched from so many characters before it
    (without words, all along); its first group is the secret, if it has one. `example` and
    `harmless` are templates for `sample`, so that no scanner takes this table for a leak.
    """

    name: str
    words: str
    pattern: str
    example: str
    harmless: str
    behind: int = 0
    shape: str = ""


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


def sample(template: str) -> str:
    """A made-up text: `{an:36}` becomes 36 letters and digits that look drawn by lot, always the
    same; the other alphabets are those of the table above.
    """
    done: list[str] = []
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        spec, _, rest = rest.partition("}")
        name, _, count = spec.partition(":")
        letters = _ALPHABETS[name]
        # Steps of a prime, turned a little each time: all classes of the alphabet come up.
        picks = (letters[(7 + 23 * at + at * at // 3) % len(letters)] for at in range(int(count)))
        done += [before, *picks]
    return "".join((*done, rest))
