"""What a text claims, cut so that it can be looked up in its evidence: words, numbers, names."""

from __future__ import annotations

import re

from molt import normal
from molt.index.content import signs
from molt.memory.engines import tables
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NUMBER = re.compile(r"(?<![\w.])[#$€£¥~v]?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*")
_TIME = re.compile(r"(?<!\d)(\d{1,2})(?::(\d\d)(?::\d\d)?)?\s*([ap])\.?m\b|(?<!\d)(\d\d?):(\d\d)")
_MIXED = re.compile(r"(?<![A-Za-z0-9_])(?=[A-Za-z_]*\d)(?=[\d_]*[A-Za-z])[A-Za-z0-9_]+")
_NAME = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z0-9_]+")
_ENDS = re.compile(r"(?:[.!?:;。！？：；\n]|^)[\s\"'“‘(*_`-]*$")
_ZH_NUMBER = re.compile(
    r"(?<![零〇一二两三四五六七八九十百千万])[零〇一二两三四五六七八九十百千万]+(?=[岁年月日号个位点元块天周次人层楼斤米里分小件只条名])"
)
_ZH_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_ROOT = 64
"""Letters of the longest root: what is longer is no word, but a key or a file in letters."""
_LONGEST = 24
"""Ideographs that write one number; a longer run of them is none."""
_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_VALUES = {word: value for value, word in enumerate(_NUMBER_WORDS)} | _TENS | {"ninety": 90}
_VALUES |= {"twice": 2, "couple": 2, "dozen": 12, "hundred": 100, "thousand": 1000}
NUMBER_WORDS = frozenset(_VALUES)

_TABLE = tables.load("claims")
_APART = ("stop", "light", "denials", "denials_zh")
STOP = _TABLE.split_names("stop")
_VERBS = tables.load("clauses").split_words("irregular")
_DENIALS = _TABLE.split_names("denials")
_SURNAMES = tables.load("zh").split_signs("surnames")
AUXILIARIES = frozenset(
    [
        "is",
        "was",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "should",
        "does",
        "did",
    ]
)
_JOINTS = frozenset("和与跟同叫是给找陪约带向对")
IDIOMS = re.compile(
    r"\b(?:ca|could|wo|would)n't (?:wait|help|be happier|agree more|stop|miss)\b|"
    r"\bnot (?:only|just|sure|bad|to mention)\b|"
    r"\bno (?:problem|doubt|matter|wonder|idea|worries|one else)\b|"
    r"\bno (?:longer|later|more|less) than\b|\bwhy not\b|"
    r"\bdo(?:n't| not) (?:forget|hesitate|worry|mind)\b|\bnever (?:been better|mind)\b|"
    r"不错|不仅|不但|不过|没错|不同|差不多|不少|没问题|不断|不得不|不久|特别|别人|分别|区别|个别|级别|性别|非常|无论|未来",
    re.IGNORECASE,
)
"""What has a word that denies, and denies nothing."""
_FREE_OF = re.compile(r"\w-free\b|\bfree (?:of|from)\b")
"""What is without something; who feels free is not."""
_DENIALS_ZH = _TABLE.split_cues("denials_zh")
_ZH_STOP = frozenset(
    "的了是在和与有也都就而及或一个这那我你他她它们对把被让给为从到于其之以上下中里着过吗呢吧啊"
    "很更最不没会能要将已曾并且用户人们"
)


def stem(word: str) -> str:
    """A word of English without its endings, crudely: the same for both sides."""
    word = word.lower().replace("’", "'")
    word = (
        word.partition("'")[0] if word.endswith(("'s", "'re", "'ve", "'ll", "'d", "'m")) else word
    )
    if word in _CANON:
        return _CANON[word]
    return _strip_endings(word)


def _strip_endings(word: str) -> str:
    if not word.isascii() or len(word) < 4:
        return word
    for end, put in (
        ("ies", "i"),
        ("ied", "i"),
        ("sses", "ss"),
        ("ing", ""),
        ("ed", ""),
        ("ly", ""),
    ):
        if word.endswith(end) and len(word) - len(end) > 2:
            word = word[: -len(end)] + put
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeoulsz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _make_canon() -> dict[str, str]:
    groups = [name for name in _TABLE.names() if name not in _APART]
    return {word: f"{name}*" for name in groups for word in _TABLE.split_cues(name)}


_CANON = _make_canon()


def spell(root: str, text: str) -> str:
    """A stem as the first word of a text that has it is spelt; as it is where none does."""
    words = (word for word, _ in _split_runs(normalize(text)))
    bare = root.rstrip("*")
    return next((word for word in words if stem(word).rstrip("*") == bare), bare)


LIGHT = frozenset(map(stem, _TABLE.split_names("light")))
"""Stems that a claim may have beyond its evidence."""
DENYING = frozenset(map(stem, _DENIALS))
"""Stems that deny: which of them a claim has does not matter."""


def normalize(text: str) -> str:
    """A text in the form in which claims are compared with evidence."""
    return normal.normalize("NFKC", text)


def _is_sign(char: str) -> bool:
    return char >= "\u0e00" and signs.lies_in(signs.SIGNS + signs.LETTERS, char)


def _split_runs(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text with their places; what has no spaces is one run."""
    for found in _WORD.finditer(text):
        word, start = found.group(), found.start()
        if word.isascii():
            yield word, start
            continue
        at = 0
        for end in range(1, len(word) + 1):
            if end == len(word) or _is_sign(word[end]) != _is_sign(word[at]):
                yield word[at:end], start + at
                at = end


def cut_words(text: str) -> frozenset[str]:
    """What a text says by its words: stems, and pairs of signs where there are no spaces."""
    found: set[str] = set()
    for word, _ in _split_runs(normalize(text)):
        if _is_sign(word[0]):
            found.update(pair for pair in _pair_signs(word) if not _ZH_STOP.issuperset(pair))
        elif word.lower() not in STOP and (len(word) > 1 or not word.isascii()):
            found.add(stem(word))
    return frozenset(found)


def _pair_signs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def parse_number(sign: str) -> str:
    """A number in digits as it is compared."""
    bare = sign.lstrip("#$€£¥~v").replace(",", "")
    whole, dot, rest = bare.partition(".")
    rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if dot and rest else "")


def parse_ideographs(text: str) -> int:
    """The number that ideographs write."""
    total, part, digit = 0, 0, 0
    for sign in text:
        if sign in _ZH_DIGITS:
            digit = _ZH_DIGITS[sign] if part or not digit else digit * 10 + _ZH_DIGITS[sign]
        elif sign == "万":
            total, part, digit = (total + part + digit) * 10_000, 0, 0
        else:
            part, digit = part + (digit or 1) * _ZH_UNITS[sign], 0
    return total + part + digit


def _read_ideographs(runs: Iterable[str]) -> set[str]:
    return {str(parse_ideographs(run)) for run in runs if len(run) <= _LONGEST}


def list_numbers(text: str) -> frozenset[str]:
    """All numbers that a text names, in digits or in words; generous, as it says what evidence
    supports.
    """
    text = normalize(text)
    found = {parse_number(one.group()) for one in _NUMBER.finditer(text)}
    found.update(part for one in tuple(found) for part in one.split("."))
    found.update(
        str(_VALUES[word]) for word in re.findall(r"[a-z]+", text.lower()) if word in _VALUES
    )
    runs = re.findall(r"[零〇一二两三四五六七八九十百千万]+", text) if not text.isascii() else ()
    found |= _read_ideographs(runs)
    return frozenset(found)


def list_times(text: str) -> frozenset[str]:
    """The times of day that a text names, as `HH:MM`."""
    return frozenset(_read_time(one) for one in _TIME.finditer(normalize(text).lower()))


def _read_time(found: re.Match[str]) -> str:
    hour, minute, half, plain, late = found.groups()
    if half is None:
        return f"{int(plain):02}:{late}"
    return f"{int(hour) % 12 + 12 * (half == 'p'):02}:{minute or '00'}"


class ReadClaim(Value):
    """What a text claims: its words, numbers and times, its names (in lower case), and its runs of
    signs without spaces, which are no words of `words`.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    times: frozenset[str]
    names: frozenset[str]
    runs: tuple[str, ...] = ()


def read_claim(text: str) -> ReadClaim:
    """What a text claims, strictly: every number and name in it has to be borne out. Dates are not
    told apart here.
    """
    text = normalize(text)
    times = list_times(text)
    bare = _TIME.sub(" ", text) if times else text
    names = {found.group().lower() for found in _MIXED.finditer(bare)}
    plain = _MIXED.sub(" ", bare)
    numbers = {parse_number(one.group()) for one in _NUMBER.finditer(plain)}
    numbers |= _read_ideographs(run for run in _ZH_NUMBER.findall(plain) if run != "一")
    words = re.findall(r"[a-z]+", plain.lower())
    numbers |= {str(_VALUES[word]) for word in words if word in _VALUES and word != "one"}
    names |= set(_list_names(plain))
    runs = tuple(run for run, _ in _split_runs(plain) if _is_sign(run[0]))
    spaced = frozenset(word for word in cut_words(plain) if not _is_sign(word[0]))
    return ReadClaim(spaced, frozenset(numbers), times, frozenset(names), runs)


def _list_names(text: str) -> Iterator[str]:
    """Capitalized words that do not begin a sentence, or do and have a verb behind them; and those
    with further capitals.
    """
    runs = list(_split_runs(text))
    for number, (word, at) in enumerate(runs):
        bare = word.partition("'")[0].partition("’")[0]
        if _is_sign(word[0]) or bare.lower() in STOP or bare == "I":
            continue
        inner = any(char.isupper() for char in bare[1:])
        first = bool(_ENDS.search(text[max(0, at - 8) : at]))
        behind, then = runs[number + 1] if number + 1 < len(runs) else ("", 0)
        following = behind if then == at + len(word) + 1 else ""
        begins = first and bare.lower() not in _VERBS and _is_verb(following)
        begins = begins and not bare.endswith(("s", "ed", "ing"))
        if inner or (bare[0].isupper() and (not first or begins)):
            yield bare.lower()


def _is_verb(word: str) -> bool:
    """Whether a word that follows the first one of a sentence makes that one its subject."""
    ended = len(word) > 3 and word.endswith(("s", "ed"))
    return word.islower() and (word in AUXILIARIES or word in _CANON or ended)


class Vocabulary:
    """The words and numbers of texts, to look claims up in."""

    def __init__(self, texts: Iterable[str]) -> None:
        every = [normalize(text) for text in texts]
        self.words = frozenset[str]().union(*map(cut_words, every))
        self.numbers = frozenset[str]().union(*map(list_numbers, every))
        self.times = frozenset[str]().union(*map(list_times, every))
        bare = (found.lower() for text in every for found in _NAME.findall(text))
        # No space parts a Latin name from the signs around it.
        mixed = (one for one in every if not one.isascii())
        latin = (found.lower() for text in mixed for found in _LATIN.findall(text))
        self.names = frozenset((*bare, *latin)) | {
            word.partition("'")[0] for word in self._spell(every)
        }
        sizes = {word: min(len(word), _ROOT) for word in self.words}
        self.prefixes = {word[:size] for word, most in sizes.items() for size in range(5, most + 1)}
        self.text = "\n".join(one for one in every if not one.isascii())

    def _spell(self, texts: list[str]) -> Iterator[str]:
        for text in texts:
            yield from (word.lower() for word, _ in _split_runs(text))

    def has_word(self, word: str) -> bool:
        """Whether a stem is there, or one of the same root."""
        if word in self.words:
            return True
        size = max(5, -(-len(word) * 7 // 10))
        return len(word) >= 5 and not word.endswith("*") and word[:size] in self.prefixes

    def split_run(self, run: str) -> tuple[list[str], list[str]]:
        """The signs of a run that say something, and those spans of it that are not there: no sign
        of them stands beside one that it stands beside there.
        """
        known = [False] * len(run)
        for at in range(len(run) - 1):
            if run[at : at + 2] in self.text:
                known[at] = known[at + 1] = True
        if len(run) == 1:
            known[0] = run in self.text
        spans = "".join(
            " " if there else sign for sign, there in zip(run, known, strict=True)
        ).split()
        return [sign for sign in run if sign not in _ZH_STOP], spans

    def has_name(self, name: str) -> bool:
        """Whether a name occurs in full, in any case and perhaps in the plural; a name with digits
        must occur exactly.
        """
        forms = (name, f"{name}s", f"{name}es", name.removesuffix("s") or name)
        return not self.names.isdisjoint(forms)


def count_telling(spans: Iterable[str]) -> int:
    """How many signs of some spans say something."""
    return sum(sign not in _ZH_STOP for span in spans for sign in span)


def find_surname(span: str) -> str:
    """The name of a person at the beginning of a span, or behind a word that joins; else empty."""
    for at, sign in enumerate(span[:-1]):
        if sign in _SURNAMES and (at == 0 or span[at - 1] in _JOINTS):
            return span[at : at + 3]
    return ""


def denies(text: str) -> bool:
    """Whether a text says that something is not."""
    low = IDIOMS.sub(" ", normalize(text).lower().replace("’", "'"))
    if "n't" in low or _FREE_OF.search(low) or any(sign in low for sign in _DENIALS_ZH):
        return True
    return not _DENIALS.isdisjoint(re.findall(r"[a-z]+", low))
