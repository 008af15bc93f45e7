"""What a person takes on: findings that stay in history, with who took them and why."""

from __future__ import annotations

from molt.formats import message as messages
from molt.policy.finding import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from molt.formats.message import Message
    from molt.policy.finding import Finding

NEVER = frozenset(("VAULT001", "MSG009", "HIST003"))
"""What nobody can accept: a bot in the vault, a name that another has taken, a second adoption."""
BY_TRAILER = "git commit --trailer"
"""How the line begins that accepts what is found on a commit that git is about to make."""
AFTERWARDS = frozenset(("SIGN001", "SIGN002"))
"""What no commit accepts of itself: who it is by is what it has not shown."""
_SEPARATORS = (" — ", " -- ", " - ")


def accepted(message: Message | None) -> tuple[str, ...]:
    """The rules whose findings on its own commit a message accepts: `Accepts: CODE — why`.

    A line without a reason accepts nothing, and one that names a commit is about that one.
    """
    values = messages.trailer_values(message, "Accepts") if message else ()
    codes = (code for value in values for code in parse_codes(value))
    return tuple(code for code in codes if code not in AFTERWARDS)


def parse_codes(value: str) -> tuple[str, ...]:
    """The codes in the value of one `Accepts` trailer, likewise."""
    for separator in _SEPARATORS:
        codes, found, why = value.partition(separator)
        words = codes.replace(",", " ").split()
        if found and why.strip() and words and all(map(_is_code, words)):
            return tuple(words)
    return ()


def _is_code(word: str) -> bool:
    """Whether a word is the code of a rule: capital letters and three digits."""
    letters, digits = word[:-3], word[-3:]
    return word.isascii() and letters.isalpha() and letters.isupper() and digits.isdigit()


def accept(findings: Iterable[Finding], codes: Collection[str]) -> tuple[Finding, ...]:
    """The findings, those of some codes as warnings: a person has taken them on."""
    return tuple(
        one.replace(severity=WARNING, hint="accepted by a person")
        if one.code in codes and one.code not in NEVER and one.severity == ERROR
        else one
        for one in findings
    )


def tell_how(code: str, *, commit: str, staged: bool) -> str:
    """The line that accepts the findings of a rule: on a commit that exists, or on the one that
    git is about to make; empty where there is none.
    """
    if code in NEVER:
        return ""
    if commit:
        return f'`molt accept {commit[:10]} {code} --why "…"`'
    if code in AFTERWARDS or not staged:
        return ""
    return f'`{BY_TRAILER} "Accepts: {code} — why"`'


def is_acceptable(code: str) -> bool:
    """Whether a person may take on the findings of a rule."""
    return code not in NEVER
