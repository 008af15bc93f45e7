"""Personal data in a line: addresses, telephone numbers and numbers of identity cards."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

_LONGEST = 4096
"""Of a line as much is read: behind it stands what a program wrote."""
# Names and numbers that are reserved for examples (RFC 2606), and what no person reads.
_NOBODY = ("example.org", "example.com", "example.net", ".example", ".test", ".invalid", "noreply")
_NOBODY_FIRST = ("git@", "no-reply@", "noreply@")
_CAP = r"[A-ZÄÖÜÉ][\w'’.-]{1,30}"
_PATTERNS = (
    ("an e-mail address", r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[A-Za-z]{2,24}\b"),
    ("a telephone number", r"(?<![\w+])\+\d{1,3}[ ./-]?(?:\(?\d{1,5}\)?[ ./-]?){2,5}\d{1,4}\b"),
    ("a telephone number", r"(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-])"),
    (
        "a telephone number",
        (
            r"(?i:\b(?:tel|phone|mobile|cell|telefon|handy|mobil|téléphone|teléfono|тел)"
            r"\w{0,4}|电话|手机|電話)"
            r"(?:[ .]{0,2}(?:number|nummer|no\.?|号码))?\s{0,2}(?:is|ist|est|:|：|是|=)?\s{0,2}"
            r"(?:\(?\d{2,5}\)?[ /.-]?){2,5}\d\b"
        ),
    ),
    (
        "a street address",
        (
            rf"(?<!\w)\d{{1,5}} (?:{_CAP} ){{1,4}}(?:Street|St|Avenue|Ave|Road|Rd|Lane|"
            r"Ln|Drive|Boulevard|Blvd|Court|Square|Terrace|Close)\b"
        ),
    ),
    (
        "a street address",
        (
            r"(?i:\b(?:[a-zäöüß-]{0,30}straße|[a-zäöüß-]{2,30}(?:strasse|str\.|gasse|allee|weg|"
            r"platz))) \d{1,4} ?[a-z]?\b"
        ),
    ),
    (
        "a street address",
        (
            r"(?<!\w)\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|chemin|place) (?:d[eu] "
            rf"|de la |des |l'|d')?{_CAP}"
        ),
    ),
    ("a street address", r"[市区县區縣镇][^\s，。,]{1,16}[路街道巷]\d{1,5}[号號]"),
    (
        "a national identity number",
        r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])",
    ),
    ("a national identity number", r"(?<!\w)\d{17}[\dXx](?!\w)"),
    ("a national identity number", r"(?<!\w)\d{8}-?[A-HJ-NP-TV-Z](?!\w)"),
    ("a national identity number", r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)"),
)
_compiled: list[tuple[str, re.Pattern[str]]] = []


def find(line: str) -> Iterator[str]:
    """What personal data a line holds, each kind once."""
    told: set[str] = set()
    for kind, pattern in _compile_patterns():
        found = pattern.finditer(line[:_LONGEST]) if kind not in told else ()
        if any(_CHECKS[kind](one[0]) for one in found):
            told.add(kind)
            yield kind


def _compile_patterns() -> list[tuple[str, re.Pattern[str]]]:
    if not _compiled:
        # Most workspaces have the rule switched off, and pay for no pattern.
        import re

        _compiled.extend((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)
    return _compiled


def _is_address(text: str) -> bool:
    lower = text.lower()
    return not lower.startswith(_NOBODY_FIRST) and not lower.endswith(_NOBODY)


def _is_telephone(text: str) -> bool:
    """Whether as many digits as a number has (ITU E.164), and none that films have."""
    digits = "".join(filter(str.isdigit, text))
    return 7 <= len(digits) <= 15 and not digits[-7:].startswith("55501")


def _is_identity(text: str) -> bool:
    """Whether the check character fits, where the number has one: GB 11643, and the Spanish one."""
    plain = text.replace("-", "").upper()
    if len(plain) == 18 and plain[:17].isdigit():
        total = sum(int(char) * (2 ** (17 - at) % 11) for at, char in enumerate(plain[:17]))
        return "10X98765432"[total % 11] == plain[17] and plain[6:8] in ("19", "20")
    if len(plain) == 9 and plain[:8].isdigit() and plain[8].isalpha():
        return "TRWAGMYFPDXBNJZSQVHLCKE"[int(plain[:8]) % 23] == plain[8]
    return True


_CHECKS: dict[str, Callable[[str], bool]] = {
    "an e-mail address": _is_address,
    "a telephone number": _is_telephone,
    "a street address": bool,
    "a national identity number": _is_identity,
}
