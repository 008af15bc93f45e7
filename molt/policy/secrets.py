"""SEC001: what keys, tokens and passwords look like."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

ALLOW = "<!-- molt:allow-secret -->"

# A word that a line must hold (lower case) before its pattern is tried: compiling patterns
# costs more than the rest of a hook, and hardly any line holds one of these words.
_TOKENS = (
    ("AWS access key", ("akia", "asia"), r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    ("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,}"),
    ("GitHub token", ("github_pat_",), r"\bgithub_pat_\w{60,}"),
    ("GitLab token", ("glpat-",), r"\bglpat-[\w-]{20,}"),
    ("OpenAI key", ("sk-",), r"\bsk-(?:(?:proj|svcacct|admin)-[\w-]{40,}|\w{20}T3BlbkFJ\w{20})"),
    ("Anthropic key", ("sk-ant-",), r"\bsk-ant-[a-z]+\d\d-[\w-]{40,}"),
    ("OpenRouter key", ("sk-or-",), r"\bsk-or-v1-[0-9a-f]{64}"),
    ("DeepSeek key", ("sk-",), r"\bsk-[0-9a-f]{32}\b"),
    ("Groq key", ("gsk_",), r"\bgsk_[A-Za-z0-9]{40,}"),
    ("xAI key", ("xai-",), r"\bxai-[A-Za-z0-9]{60,}"),
    ("Perplexity key", ("pplx-",), r"\bpplx-[A-Za-z0-9]{40,}"),
    ("Replicate token", ("r8_",), r"\br8_[A-Za-z0-9]{37}\b"),
    ("Google key", ("aiza",), r"\bAIza[\w-]{35}"),
    ("Hugging Face token", ("hf_",), r"\bhf_[A-Za-z]{34}"),
    ("Slack token", ("xox",), r"\bxox[abeoprs]-[\w-]{10,}"),
    ("Telegram token", (":aa",), r"\b\d{8,10}:AA[\w-]{33}\b"),
    ("Stripe key", ("k_live_", "k_test_"), r"\b[sr]k_(?:live|test)_\w{10,}"),
    ("SendGrid key", ("sg.",), r"\bSG\.[\w-]{22}\.[\w-]{43}\b"),
    ("Notion token", ("ntn_",), r"\bntn_[A-Za-z0-9]{40,}"),
    ("Linear key", ("lin_api_",), r"\blin_api_[A-Za-z0-9]{40}\b"),
    ("DigitalOcean token", ("dop_v1_",), r"\bdop_v1_[0-9a-f]{64}\b"),
    ("npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("PyPI token", ("pypi-",), r"\bpypi-AgE[\w-]{50,}"),
    (
        "private key",
        ("private key-", "private key block-"),
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
    ),
    ("private key", ("age-secret-key-",), r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b"),
    ("JSON web token", ("eyj",), r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
)

_PASS_WORDS = (
    *("password", "passwort", "passwd", "passphrase", "passcode", "contraseña", "mot de passe"),
    *("пароль", "密码", "密碼", "パスワード", "비밀번호"),
)
_KEY_WORDS = ("secret", "token", "api key", "api_key", "api-key", "apikey", "access_key")
# Quotes and emphasis may stand around the name: JSON, `**Password**:`.
_IS = r"""["'`*_]*\s*(?:[=:：]|\b(?:is|ist|es|est)\b|是|は)\s*["'`*_]*\s*"""
_PASS = rf"(?i)(?:{'|'.join(_PASS_WORDS)}){_IS}(\S{{6,}})"
_KEY = (
    r"(?i)(?:secret|token|(?:api|access|secret|private)[ _-]?key)"
    rf"{_IS}([A-Za-z0-9+/=_.~-]{{16,}})"
)
_PIN = rf"(?i)\bpin(?: code)?{_IS}(\d{{4,8}})\b(?![-:/.]\d)"
_URL = r"(?i)\b[a-z][a-z0-9+.-]*://[^/\s:@]+:([^/\s@]{3,})@"

_STAND_INS = frozenset(
    ("password", "passwd", "pass", "pwd", "secret", "token", "user", "changeme", "example", "xxx")
)


def find_secrets(line: str) -> Iterator[tuple[str, str]]:
    """What a line gives away: a name for it, and how it begins."""
    lower = line.lower()
    likely = [row for row in _TOKENS if any(word in lower for word in row[1])]
    named = [row for row in _NAMED if any(word in lower for word in row[1])]
    if not likely and not named:
        return
    import re

    known = False
    for kind, _, pattern in likely:
        token = re.search(pattern, line)
        if token and not any(word in token.group().lower() for word in ("example", "-your-")):
            known = True
            yield kind, token.group()[:4]
    for kind, _, pattern, plausible in () if known else named:
        found = next((one for one in re.finditer(pattern, line) if plausible(one.group(1))), None)
        if found:
            yield kind, found.group()[:4]


def redact_text(text: str) -> str:
    """A text with what it gives away replaced by the name of it."""
    import re

    if "PRIVATE KEY" in text:
        block = r"-----BEGIN [A-Z ]*PRIVATE KEY.*?(?:-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----|\Z)"
        text = re.sub(block, "[private key]", text, flags=re.DOTALL)
    return "\n".join(_redact_line(line) for line in text.split("\n"))


def _redact_line(line: str) -> str:
    if next(find_secrets(line), None) is None:
        return line
    import re

    for kind, _, pattern in _TOKENS:
        line = re.sub(pattern, f"[{kind}]", line)
    for kind, _, pattern, plausible in _NAMED:
        line = re.sub(pattern, _Instead(kind, plausible), line)
    return line


class _Instead:
    """What takes the place of a match: the name of its kind for the part that is plausible."""

    def __init__(self, kind: str, plausible: Callable[[str], bool]) -> None:
        self.kind = kind
        self.plausible = plausible

    def __call__(self, found: re.Match[str]) -> str:
        value = found.group(1)
        if not self.plausible(value):
            return found.group()
        start = found.start(1) - found.start()
        return f"{found.group()[:start]}[{self.kind}]{found.group()[start + len(value) :]}"


def _is_password(value: str) -> bool:
    """Whether it is one and no word, date, address, path or placeholder."""
    value = value.strip("\"'`*_.,;!?()")
    if len(value) < 6 or value[0] in "$<{[%" or _is_stand_in(value) or _is_plain(value):
        return False
    inner = any(char in "@!#%^&+~?$" for char in value[1:-1])
    return inner or any(char.isdigit() for char in value)


def _is_key(value: str) -> bool:
    """Whether a run of it is long and mixed, as no word is."""
    run = ""
    for char in f"{value} ":
        if char.isascii() and char.isalnum():
            run += char
            continue
        digits = sum(one.isdigit() for one in run)
        if len(run) >= 12 and digits >= 2 and len(run) - digits >= 2 and not _is_plain(value):
            return True
        run = ""
    return False


def _is_in_url(value: str) -> bool:
    return value[0] not in "$<{[%" and not _is_stand_in(value)


def _is_stand_in(value: str) -> bool:
    plain = value.lower().strip("*x.…-_0123456789")
    return not plain or plain in _STAND_INS or plain.startswith(("your", "example", "redacted"))


def _is_plain(value: str) -> bool:
    """Whether it is an address, a path, a date, a time or a call in a program."""
    called = value.partition("(")
    if called[1] and called[0].replace(".", "").replace("_", "").isalnum():
        return True
    if "://" in value or value.endswith((".md", ".json", ".yaml", ".txt")) or value[:1] in "/~":
        return True
    return not value.strip("0123456789-:/.T") and not value.isdigit()


_NAMED = (
    ("password", tuple(word.lower() for word in _PASS_WORDS), _PASS, _is_password),
    ("secret", _KEY_WORDS, _KEY, _is_key),
    ("PIN", ("pin:", "pin=", "pin is", "pin =", "pin code", 'pin"', "pin*"), _PIN, str.isdigit),
    ("password in a URL", ("://",), _URL, _is_in_url),
)
