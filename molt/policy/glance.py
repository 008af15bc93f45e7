"""A first look at a text: whether it may hold a secret at all, which most texts do not.

What reads secrets takes a hook longer to import than to judge the rest of a commit; it starts from
the same parts of words and the same shapes.
"""

from __future__ import annotations

MARKS = (
    *("_", "xox", "-us", "/webhook", "K", "api", "dp.", "sig=", "sk-", "hooks.slack.com/"),
    *("sq0", "prv", "NR", "key-", "sib-", "-----BEGIN", "otpauth", ".atlasv1.", "hv", "AA"),
    *("TT3", "eyJ", "GOCSPX-", "access-", "gloas-", "glrtr-", "CFPAT-", "Q~", "pplx-", "tvly-"),
    *("pypi-", "ya29.", "discord.com/api/webh", "v1.0-", "FlyV1", "xapp-", "nsec1", "IA", "xai-"),
    *("AIza", "ATBB", "pul-", "sdk-", "LTAI", "BSA", "pa-", "fc-", "oy2", "1//", "SG.", "cio"),
    *("AC", "SSWS", "dt0", "vk1.", "56~", "1000.", "!AQ", "API-", "fio-", "-s4t", "EZ", "-live-"),
    *("lpat-", "lrt-", "ldt-", "ptt-", "cbt-", "lft-", "oat-", "imt-", "gent-", "lwt-", "pat-"),
    *("-prod-", "AQVN", "sl.", "A3-", "APA91b", ".acc", "p8e-", "cmVmd", "dnkey-", "GR1348941"),
    *("pat.", "WIFI:", "sat.", "ico-", "tk-us", "oauth:", "AAAAAA", "md-", "django-i", "{SSHA"),
    *("pk1", "alchemy.", "infura", "_KEY'", "_SALT'", '"d":', '"k":', "/private-"),
    *("$2a$", "$2b$", "$2x$", "$2y$", "$argon2", "$1$", "$5$", "$6$", "$y$", "$apr1$"),
)
"""Of each word of a form of tokens, but the colon, a part that few texts have: where none of
them is, the words need not be looked for. A greedy choice among all parts, by how many words hold
one, how few of three thousand notes and messages do, and its length, for longer ones are found
faster; 97 of a hundred of these texts have none. None of them is in the ids and fields of files
that molt writes, as `t-` would be in `concept--tea`."""

WORDS = (
    *("pin ", 'pin"', "pin'", "pin*", "pin-", "pin:", "pin=", "pin`", "pinc", "pinp", "pins"),
    *("key", "rase", "clave", "code", "credential", "bearer", "geheim", "recovery words"),
    *("wiederherstellungs", "authorization", "identifiants", "zugangsdaten", "secret", "digo"),
    *("wachtwoord", "kennwort", "12 words", "24 words", "mnemonic", "bip", "mariadb", "machine "),
    *("mysql", "senha", "chave", "jeton", "creds", "http ", "login", "wget", "pw", "curl", "seed"),
    *(
        "mdp",
        "psk",
        "://",
        "token",
        "pass",
        "contrase",
        "kod",
        "ombin",
        "ombo",
        "codic",
        "puk",
        "lockbox",
    ),
    *("redis-cli", "ldap", "sqlcmd", "zip", "mongo", "7z", "ntified", "openssl"),
    *("eytool", "arsigner", "smbc", "rpcc", "lftp", "plink", "pscp", "ipmitool", "freerdp"),
    *("cmdkey", "mosquitto", "sqlplus", "htpass", "/user:", "abbitmqctl", "stdin", "sudo", "unrar"),
    *("jdbc:oracle", "ecurestring", "runas", "auth(", "auth=(", "connect(", "ion("),
    *("pdo(", "bind", "sessid", "sessionid"),
    *("inlog", "einlog", "anmeld", "zugang", "redenzia", "redencia", "unlock", "entsperr"),
    *("desbloqu", "cryptset", "kinit", "snmp"),
    *(":5432:", ":5433:", ":6432:", "*:*:"),
    *("salasan", "heslo", "parol", "palavra", "haslo", "lozink", "geslo", "sandi", "paroo", "pasw"),
    *("szyfr", "koodi", "_pat", "-team", "jelsz", "slapta", "ookie", "auth:", '"auth', "_auth"),
    *(
        "ー",
        "о",
        "é",
        "密",
        "码",
        "비번",
        "パス",
        "号",
        "登",
        "р",
        "令",
        "钥",
        "助",
        "hasło",
        "lösenord",
        "пин",
        "ключ",
    ),
    *("pin密", "pin码", "恢復碼", "비밀번호", "schlüsse", "私鑰", "种子", "pin："),
    *("kód", "hasła", "hasłe", "şifre", "парол", "κωδικ", "συνθη", "كلمة", "סיסמ", "ססמה"),
    *("पासवर्ड", "khẩu", "รหัส", "암호", "패스", "暗", "コ", "代码", "도어락", "번호"),
    *("オート", "番"),
)
"""Of each word that tells of a secret a part that few texts have, as `MARKS`; the first
ones, all that a text of ASCII can hold, are in ASCII."""
ASCII_WORDS = WORDS[: sum(map(str.isascii, WORDS))]

DIGITS = "0" * 13
"""As many digits as an account or a card has at least, across blanks and hyphens."""
_SHAPES = {
    "w": (
        *("w@w", "%ww", "w**w", "w" * 40, ":" + "w" * 32),
        *("w" * 32 + "." + "w" * 16, ".".join(("w" * 23, "w" * 6, "w" * 27))),
    ),
    "b": ("b" * 40,),
    "A": ("AA00",),
    "p": ("p!p",),
    "0": (DIGITS,),
}
"""What all shapes have in them, of classes of characters."""
_SOUGHT = tuple((kind, shape.encode()) for kind, every in _SHAPES.items() for shape in every)

_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_TABLES = {
    "w": (f"{_LOWER}{_UPPER}{_DIGITS}_-", "w" * 64, b""),
    "b": (f"{_LOWER}{_UPPER}{_DIGITS}+/", "b" * 64, b""),
    "0": (_DIGITS, "0" * 10, b" -"),
    "A": (_UPPER + _DIGITS, "A" * 26 + "0" * 10, b""),
    "p": (f"{_LOWER}{_UPPER}{_DIGITS}!#$%&", "p" * 62 + "!" * 5, b""),
}

_made: dict[str, tuple[bytes, bytes]] = {}


def classes(text: str, kind: str) -> bytes:
    """A text with classes of characters made one each, a byte a character: `w` for letters,
    digits, `_` and `-`; `b` for those of base64; `A0` for capitals and digits; `0` for digits,
    with the spaces and hyphens between groups taken out; `p!` for letters and digits, and signs
    that passwords have within.
    """
    made = _made.get(kind)
    if made is None:
        many, one, dropped = _TABLES[kind]
        made = _made[kind] = bytes.maketrans(many.encode(), one.encode()), dropped
    return text.encode("ascii", "replace").translate(*made)


def kind_of(shape: str) -> str:
    """The kind of classes of which a shape is."""
    return shape[0] if shape[0] in "0Abp" else "w"


def may_tell(text: str) -> bool:
    """Whether anything in a text may tell of a secret; False is certain."""
    # The dash stands in every subject, and a text of ASCII is searched in half of the time.
    plain = text.replace("—", " ")
    lower = plain.lower()
    if has_one(MARKS, plain) or has_one(ASCII_WORDS if lower.isascii() else WORDS, lower):
        return True
    made = {kind: classes(plain, kind) for kind in _SHAPES}
    return any(shape in made[kind] for kind, shape in _SOUGHT)


def has_one(parts: tuple[str, ...], text: str) -> bool:
    """Whether one of some parts is in a text."""
    for part in parts:  # noqa: SIM110 `any` of a generator takes twice as long
        if part in text:
            return True
    return False
