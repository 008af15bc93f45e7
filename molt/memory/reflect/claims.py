"""What of a claim its evidence does not have: a number, a unit, a date, a time, a name.

Nothing else of language is judged: whether the rest follows is for the person who approves. A
capital tells a name; at the beginning of a sentence the ranks of the tokenizer do, which say
whether a word is mostly written with one.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

from molt import normal, resources, tokens
from molt.formats import episodes
from molt.formats.prose import amounts, named_days
from molt.formats.prose.named_days import KnownDays
from molt.index.content import variants
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.prose.amounts import Amount

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_UNCASED = rf"{_HAN}\u3040-\u30ff\uac00-\ud7a3\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RUN = re.compile(rf"[{_UNCASED}]+")
_WORD = re.compile(rf"(?:(?![{_UNCASED}_])\w)+(?:['’](?:(?![{_UNCASED}_\d])\w)+)?")
_START = re.compile(
    r"""(?:^|[.!?;:。！？；：\n(\[{"“‘«„=→•|/–—,，、]\s*|\s-\s|\d[.)]\s)["'“‘(\[*_`#-]*$"""
)
_COMMA = re.compile(r"[,，、/]\s*[\"'“‘(\[*_`#-]*$")
_HANDLE = re.compile(r"(?<![\w/])[@#][A-Za-z][\w-]+|\b[A-Za-z][^\W_]+(?:[._][^\W_]{2,})+\b")
_BEFORE = re.compile(rf"((?:(?![{_UNCASED}])[^\W\d_])+)[\s-]?$")
_LETTERS = re.compile(r"[^\W\d_]+")
_LABEL = 40
"""Characters within which a colon ends what a bullet says it is about, in whatever capitals."""
_SQUASHED = re.compile(r"[\W_]+")
_MARKS = str.maketrans({**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»「」『』", '"'),
                        **dict.fromkeys("‐‑‒–—―−", "-"), "…": "..."})  # fmt: skip
_SHARE = 0.5
"""The share of its signs that a claim without capitals must have from its evidence."""
_RARELY, _HEADLINE = 1.6, 0.6
"""A word is ordinary whose form with a capital ranks so much lower than the one without; and the
share of capitals from which they tell nothing."""
_OFTEN, _ROUGHLY, _DERIVED = 6_000, 0.6, 7
"""Words of so low a rank open sentences so often that the form with a capital says little; and the
letters of a word from which its end tells that it is made of another."""
_JOINTS = frozenset("和与跟同叫给找陪约带向对由让请是被把，。、；： ")
_ELDERS = frozenset("老小阿")
_COUNTED = (*episodes.TYPES, "memory", "episode", "entry", "reflection", "conversation", "session")
"""What molt itself counts, in its own words."""


def fold_text(text: str) -> str:
    """Return a text in the form in which texts are compared: width, case, white space, quotation
    marks and dashes folded.
    """
    plain = normal.normalize("NFKC", text.translate(_MARKS)).translate(_MARKS)
    return " ".join(variants.fold_signs(plain).casefold().split())


class EvidenceText(Value):
    """What one memory says, with all that it is filed under, and the day on which it was said."""

    id: str
    text: str
    filed: str = ""
    day: str = ""


class KnownName(Value):
    """A name that a workspace knows: the form, and the stem of the entity that it is of."""

    form: str
    stem: str


class EvidenceGround:
    """The memories that a claim names, taken together, as numbers, days, words and signs."""

    def __init__(self, evidence: tuple[EvidenceText, ...], today: str) -> None:
        self.evidence = evidence
        self.today = today

    @cached_property
    def text(self) -> str:
        """All that the memories say, as it is compared."""
        said = ("\n".join((one.text, one.filed, one.id, one.day)) for one in self.evidence)
        return " ".join(map(fold_text, said))

    @cached_property
    def squashed(self) -> str:
        """The same in letters and digits alone."""
        return _SQUASHED.sub("", self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        found = {one[0] for one in _WORD.finditer(self.text)}
        return frozenset(found | {part for word in found for part in _LETTERS.findall(word)})

    @cached_property
    def stems(self) -> frozenset[str]:
        """Its words without their ends."""
        return frozenset(stem for word in self.words for stem in _list_stems(word))

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs without capitals that they have."""
        return frozenset("".join(_RUN.findall("".join(self._said))))

    @cached_property
    def days(self) -> KnownDays:
        """The days that they name or were said on."""
        known = KnownDays()
        for one in self.evidence:
            plain = normal.normalize("NFKC", f"{one.text}\n{one.filed}")
            known.add_text(variants.fold_signs(plain), one.day)
        return known

    @cached_property
    def amounts(self) -> dict[str, set[str]]:
        """The units with which each number stands that is no date and no time, empty for none."""
        found: dict[str, set[str]] = {}
        for one in (one for text in self._said for one in amounts.read_amounts(_cut_moments(text))):
            found.setdefault(one.value, set()).add(one.unit)
        return found

    @cached_property
    def _said(self) -> tuple[str, ...]:
        return tuple(fold_text(f"{one.text}\n{one.filed}") for one in self.evidence)

    @cached_property
    def units(self) -> frozenset[str]:
        """All units that they name."""
        return amounts.list_units(self.text)

    @cached_property
    def times(self) -> tuple[tuple[int, bool], ...]:
        """Times of day, in minutes, with whether their half of the day is open."""
        found = (one for text in self._said for one in amounts.read_clock(text))
        return tuple((one.minute, one.is_open) for one in found)

    def has_word(self, word: str) -> bool:
        """Return whether a word, or another form of it, is in what they say."""
        low = fold_text(word)
        if low in self.words or not self.stems.isdisjoint(_list_stems(low)):
            return True
        squashed = _SQUASHED.sub("", low)
        mixed = word != word.capitalize() or any(map(str.isdigit, word))
        short = word.removesuffix("s") if word[:-1].isupper() else word
        if len(short) > 1 and short.isupper() and short.casefold() in self._initials:
            return True
        return mixed and len(squashed) > 2 and self.has_joined(squashed)

    def has_joined(self, squashed: str) -> bool:
        """Return whether some letters and digits stand together, whatever is between them: `GPT4`
        and `GPT-4`; not as the beginning of a longer number.
        """
        end = r"(?!\d)" if squashed[-1:].isdigit() else ""
        return re.search(f"{re.escape(squashed)}{end}", self.squashed) is not None

    @cached_property
    def _initials(self) -> str:
        # Short words stand for nothing in an abbreviation, and part others.
        return "".join(one[0][0] if len(one[0]) > 2 else " " for one in _WORD.finditer(self.text))


class ClaimCheck:
    """Looks claims up in their evidence; `names` are those that the workspace knows, `selves` those
    of its user, which every claim may use; `everything` is what all memories say.
    """

    def __init__(
        self, names: Iterable[KnownName], selves: frozenset[str], everything: EvidenceGround
    ) -> None:
        self.selves = selves
        self.everything = everything
        self._names = sorted(names, key=lambda one: -len(one.form))
        self._forms: dict[str, list[str]] = {}
        for one in self._names:
            self._forms.setdefault(one.stem, []).append(fold_text(one.form))

    def find_invention(
        self, claim: str, ground: EvidenceGround, own: Iterable[str] = (), *, loose: bool = False
    ) -> str:
        """Return what of a claim its evidence does not have, in words; empty where it has all.
        `own` are the names that the claim may use besides; `loose` spares it the share of signs.
        """
        plain = variants.fold_signs(normal.normalize("NFKC", claim))
        for name in sorted((*own, *self.selves), key=len, reverse=True):
            plain = _blank_name(plain, name)
        plain, wrong = self._check_names(plain, ground)
        if wrong:
            return wrong
        wrong = self._find_days(plain, ground) or self._find_amounts(plain, ground)
        wrong = wrong or self._find_words(plain, ground)
        if wrong:
            return f"the evidence does not say {wrong!r}"
        return "" if loose else _find_unsupported(plain, ground)

    def _check_names(self, claim: str, ground: EvidenceGround) -> tuple[str, str]:
        """Return a claim without the known names that its evidence has in whatever form, and what
        is wrong with another one.
        """
        for one in self._names:
            start = _find_name(claim, one.form)
            if start < 0 or fold_text(one.form) in self.selves:
                continue
            forms = self._forms[one.stem]
            if one.stem in ground.text or any(_find_name(ground.text, form) >= 0 for form in forms):
                claim = _blank_name(claim, one.form)
            elif _tells_name(one.form):
                return claim, f"the evidence does not name {one.form!r}"
        return claim, ""

    def _find_days(self, claim: str, ground: EvidenceGround) -> str:
        for one in named_days.read_dates(claim):
            named = claim[one.start : one.end].strip(" ,.")
            bare = not one.month and named in ground.amounts
            if not bare and not ground.days.bears(one):
                return named
        # What the days of a whole memory are is read only where a claim names one.
        relative = named_days.names_relative(claim)
        for said in ground.days.list_strange(claim, self.everything.today) if relative else ():
            counted = amounts.read_amounts(said)
            same = counted and all(_bears_amount(one, said, ground) for one in counted)
            if not same and fold_text(said) not in ground.text:
                return said
        for each in amounts.read_clock(claim.lower()):
            hour, minute = divmod(each.minute, 60)
            hours = (str(hour), str(hour % 12)) if not minute else ()
            bare = any("" in ground.amounts.get(one, ()) for one in hours)
            told = any(_same_time(each.minute, each.is_open, *known) for known in ground.times)
            if not told and not bare:
                return claim[each.start : each.end].strip()
        return ""

    def _find_amounts(self, claim: str, ground: EvidenceGround) -> str:
        """Return a number of a claim that its evidence does not have, or has with another unit."""
        low = _cut_moments(claim, bare=True).lower()
        for one in amounts.read_amounts(low):
            # A sum without a currency is in one that the memories count in.
            bare = one.unit in amounts.MONEY and ground.amounts.get(one.value) == {""}
            known = bare and one.unit in self.everything.units
            if not one.loose and not known and not _bears_amount(one, low, ground):
                return low[one.start : one.end].strip() or one.value
        # What is only said to be daily may be so by what the evidence says in other words.
        rates = amounts.read_rates(low)
        if rates and not amounts.read_rates(ground.text):
            rates = amounts.read_rates(low, alone=False)
        strange = rates - ground.units if rates else rates
        return f"per {min(strange)}" if strange else ""

    def _find_words(self, claim: str, ground: EvidenceGround) -> str:
        """Return a name of a claim that no memory has: by its capitals, or by the lists of names in
        Chinese.
        """
        for one in _HANDLE.finditer(claim):
            if not ground.has_joined(_SQUASHED.sub("", fold_text(one[0]))):
                return one[0]
        every = list(_WORD.finditer(claim))
        flat = _is_headline(claim, every)
        label = claim.find(":", 0, _LABEL)
        for at, found in enumerate(every):
            word = re.split(r"['’]", found[0])[0]
            known = fold_text(word) in (*self.selves, *amounts.UNIT_OF)
            if not _may_name(word) or known or named_days.is_day_name(word):
                continue
            starts = flat or found.start() < label
            starts = starts or _START.search(claim, 0, found.start()) is not None
            # Behind a comma the next part of a list begins, mostly without a capital.
            inner = not flat and found.start() > label
            starts = starts and not (inner and _COMMA.search(claim, 0, found.start()))
            plain = is_ordinary(word, starts=starts)
            if not plain and not ground.has_word(word):
                return _extend_name(claim, every, at)
        return _find_han_name(claim, ground.text)


def _extend_name(claim: str, every: list[re.Match[str]], at: int) -> str:
    """Return a name with the capitalised words that stand right behind it."""
    end = at
    while end + 1 < len(every) and every[end + 1].start() - every[end].end() == 1:
        if not every[end + 1][0][:1].isupper():
            break
        end += 1
    return claim[every[at].start() : every[end].end()]


def _may_name(word: str) -> bool:
    """Return whether the form of a word can be that of a name: a capital, or letters and digits."""
    if len(word) < 2 or not any(map(str.isalpha, word)):
        return False
    if word[0].isdigit():
        tail = word.lstrip("0123456789")
        known = tail.casefold().rstrip("23") in amounts.UNIT_OF or tail in ("st", "nd", "rd", "th")
        return not (known or len(tail) < 3 or "x" in tail)
    if any(map(str.isdigit, word)):
        return word.casefold().rstrip("23") not in amounts.UNIT_OF
    return word != word.lower()


def is_ordinary(word: str, *, starts: bool) -> bool:
    """Return whether a word with a capital is no name: one that stands where every word has one and
    is mostly written without, or one in capitals alone for weight.
    """
    if any(map(str.isdigit, word)):
        return False
    if word.isupper():
        plain, loud = tokens.find_rank(word.lower()), tokens.find_rank(word)
        return plain is not None and (loud is None or plain < loud)
    return starts and word == word.capitalize() and _is_mostly_plain(word)


@cache
def _is_mostly_plain(word: str) -> bool:
    """Return whether a word is mostly written without a capital, or made of one that is."""
    low = word.lower()
    plain, high = tokens.find_rank(low), tokens.find_rank(word)
    if plain is not None:
        rate = _ROUGHLY if plain < _OFTEN else _RARELY
        if high is None or high > rate * plain:
            return True
        if high < _ROUGHLY * plain:
            return False
    elif high is not None:
        return False
    stems = {one for one in _list_stems(low) if one != low and len(one) > 2}
    made = len(low) >= _DERIVED and low.endswith(tuple(_read_words("deriving")))
    ranks = ((tokens.find_rank(one), tokens.find_rank(one.capitalize())) for one in stems)
    return made or any(at is not None and (up is None or up > _RARELY * at) for at, up in ranks)


def _is_headline(claim: str, every: list[re.Match[str]]) -> bool:
    """Return whether nearly all words of a text have capitals, so that none tells anything."""
    inner = [one[0] for one in every[1:] if len(one[0]) > 3 and one[0][0].isalpha()
             and not named_days.is_day_name(one[0])]  # fmt: skip
    high = sum(one[0].isupper() for one in inner)
    return len(inner) > 2 and high >= _HEADLINE * len(inner) and not _RUN.search(claim)


def _find_name(text: str, name: str) -> int:
    """Return where a name stands in a text as whole words; -1 for nowhere."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before, behind = text[at - 1 : at] if at else "", text[end : end + 1]
        if not (_joins(before, name[:1]) or _joins(name[-1:], behind)):
            return at
        at = text.find(name, at + 1)
    return -1


def _joins(one: str, other: str) -> bool:
    """Whether two characters belong to one word."""
    return all(c.isalnum() and not _RUN.match(c) for c in (one, other)) if one and other else False


def _blank_name(text: str, name: str) -> str:
    """Return a text without a name, whatever its case."""
    if not name.strip():
        return text
    edge = (r"(?<!\w)", r"(?!\w)") if not _RUN.search(name) else ("", "")
    return re.sub(f"{edge[0]}{re.escape(name)}{edge[1]}", " ", text, flags=re.IGNORECASE)


@cache
def _tells_name(form: str) -> bool:
    """Return whether a known name is one wherever it stands: in small letters it may be a word."""
    if len(form) < 2 or not any(map(str.isalpha, form)):
        return False
    if form != form.lower() or not form.isascii():
        return True
    return form.isalpha() and tokens.find_rank(form) is None


def _same_time(one: int, is_open: bool, other: int, is_open_too: bool) -> bool:
    return one == other or (is_open and not is_open_too and one % 720 == other % 720)


def _cut_moments(text: str, *, bare: bool = False) -> str:
    """Return a text without the times and dates in it, and without years alone, which may be
    numbers, where that is asked.
    """
    spans = [(one.start, one.end) for one in named_days.read_dates(text) if one.month or bare]
    spans += [(one.start, one.end) for one in amounts.read_clock(text.lower())]
    return amounts.cut_spans(text, spans)


def _bears_amount(one: Amount, claim: str, ground: EvidenceGround) -> bool:
    units = ground.amounts.get(one.value)
    if units is None and one.value.isdecimal() and not one.unit:
        # The hour of a time stands for it: `at 7`, of 7:00.
        hours = {minute // 60 for minute, _ in ground.times if not minute % 60}
        units = {""} if int(one.value) in hours | {(hour - 1) % 12 + 1 for hour in hours} else None
    if units is None and claim[one.start : one.end].strip().isdecimal():
        # A number behind a name is a part of it: `iPhone 13`, `iPhone13`.
        before = _BEFORE.search(claim, 0, one.start)
        if before and ground.has_joined(f"{before[1]}{one.value}"):
            return True
    if units is None:
        return one.value == str(len(ground.evidence)) and _counts_memories(claim, one)
    if not one.unit or one.unit in units:
        return True
    # The unit of a table or of a list stands at its head.
    return units == {""} and one.unit in ground.units


def _counts_memories(claim: str, one: Amount) -> bool:
    """Whether a number counts the memories that are named, in molt's own words."""
    if claim[one.start : one.end] in amounts.TIMES:
        return True
    behind = _WORD.match(claim, one.end + 1)
    word = behind[0] if behind else ""
    return word.removesuffix("s") in _COUNTED or word.replace("ies", "y") in _COUNTED


def _list_stems(word: str) -> Iterator[str]:
    """Yield a word in small letters, and what it may be without its end."""
    yield word
    for end in _read_words("ends"):
        stem = word.removesuffix(end)
        if stem != word and len(stem) > 2:
            yield stem
            yield f"{stem}e"
            if stem[-1:] == stem[-2:-1]:
                yield stem[:-1]
    if word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"


def _find_unsupported(claim: str, ground: EvidenceGround) -> str:
    """Return why too little of what has no capitals is in the evidence; empty where enough is."""
    # Other words for the same share one sign of two; numbers and days are looked up by themselves.
    plain = _cut_moments(claim.lower(), bare=True)
    spans = [(one.start, one.end) for one in amounts.read_amounts(plain)]
    signs = "".join(_RUN.findall(amounts.cut_spans(plain, spans).replace("用户", " ")))
    shared = sum(map(ground.signs.__contains__, signs))
    if len(signs) < 3 or shared >= _SHARE * len(signs):
        return ""
    return "less than half of it is in the evidence"


def _find_han_name(claim: str, said: str) -> str:
    """Return a place or person that a claim in Chinese names and its evidence does not."""
    if claim.isascii():
        return ""
    places, surnames = _read_words("places", "firms"), _read_words("surnames")
    for run in _RUN.finditer(claim):
        text = run[0]
        for size in (4, 3, 2, 6, 5, 7):
            for at in range(len(text) - size + 1):
                if text[at : at + size] in places and text[at : at + size] not in said:
                    return text[at : at + size]
        # Behind a digit or a letter no name begins.
        head = "，" if not claim[run.start() - 1 : run.start()].isalnum() else ""
        for at in range(len(text) - 1):
            before = text[at - 1] if at else head
            named = text[at] in surnames and text[at : at + 2] not in said
            if named and before in _JOINTS:
                return text[at : at + 2]
            if named and before in _ELDERS and f"{before}{text[at]}" not in said:
                return text[at - 1 : at + 2]
    return ""


@cache
def _read_words(*names: str) -> frozenset[str]:
    """Return the words of some lists that ship."""
    lists = resources.load_lists("templates/reflection/words.txt")
    return frozenset(word for name in names for word in lists[name].split())
