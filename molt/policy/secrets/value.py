"""From a name to what is given for it: `password for the lab is now "…"`."""

from __future__ import annotations

from molt.policy.secrets import stand_ins, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.policy.secrets.form import Span

REACH = 200
"""Most characters that a value is looked for in."""
_DECOYS = 32
"""How many names in a row may have no value before the rest of a window is left alone."""
_HOLDERS = ("pass", "passwd", "password", "pwd", "token", "secret", "key")
_CUT = "(){}[]<>;\"'`"
_STOPS = ".!?;,\n"
# `password for the lab is now: …`; a colon behind more words is not that of the name.
_WORDS_BETWEEN = 5
# So begins what follows a quote that closes: `print('token:', value)`.
_AFTER_TEXT = (", ", ") ", "),", ");", " + ", " % ")
_TELLS = frozenset("0123456789@!#%^&+~?$")
_SPACED = (": ", " = ", " -> ", " → ", " => ", *(f" {verb} " for verb in sorted(words.VERBS)))
_FAR = (*_SPACED, "：", *words.ON, *(f" {word} " for word in sorted(words.STILL)))
_EAST_STOPS = "，。；、！？）"
# From here on a sign stands beside a word without being part of it (Unicode: CJK radicals).
_EAST = "\u2e80"
_JOINED = (
    "设置为",
    "设置成",
    "仍然是",
    "还是",
    "改成了",
    "改成",
    "改为",
    "换成了",
    "换成",
    "设为",
    "设成",
    "是",
    "为",
    "為",
    "は",
    "는",
    "은",
)
_LONGEST_OPTION = 40
"""Characters of an option, a function or a tag: what stands further off says nothing of it."""
_WIDEST = 32
"""Blanks between a name and its sign, where signs stand below each other."""


def find_names(lower: str, names: tuple[str, ...], *, whole: bool = False) -> Iterator[int]:
    """Where each of some names ends that stands for a thing, and not for what is done with it.

    A `whole` one has no letter or digit beside it.
    """
    for name in names:
        # Hardly any name is in a line, and to ask takes half as long as to find.
        at = lower.find(name) if name in lower else -1
        while at >= 0:
            end = at + len(name)
            if name.isascii() and lower[end : end + 1] == "s":
                end += 1
            after = lower[end : end + 12]
            joined = name.isascii() and after[:1].isalpha() and after[:1] < _EAST
            joined = joined and not (name in words.PASS and after.startswith(words.ENDINGS))
            about = after.lstrip("_- ").startswith(words.ABOUT)
            if not joined and not about and not (whole and _is_within(lower, at, end)):
                yield end
            at = lower.find(name, at + len(name))


def _is_within(lower: str, start: int, end: int) -> bool:
    beside = lower[max(0, start - 1) : start] + lower[end : end + 1]
    return any((char.isalnum() and char < _EAST) or char == "+" for char in beside)


def _never(_value: str) -> bool:
    return False


class Plausibility(Value):
    """What is asked of a value: of one after a sign (`:`, `=`, `is`), of one that only follows a
    name, of one that follows and ends its clause, if less than that, and of one that stands among
    the words behind a name.
    """

    signed: Callable[[str], bool]
    bare: Callable[[str], bool] = _never
    last: Callable[[str], bool] = _never
    far: Callable[[str], bool] = _never


def find_values(line: str, lower: str, ends: Iterator[int], asked: Plausibility) -> Iterator[Span]:
    """The plausible values of the names that end at `ends`."""
    missed = 0
    for end in ends:
        start, signed = after_sign(line, lower, end)
        span = None
        # A word of the East needs no blank behind it.
        if start == end and not signed and line[end - 1] >= _EAST:
            span = take(line, start, asked.bare) or _take_last(line, start, asked)
        elif signed or start > end:
            signed = signed or _is_handed_over(line, end, start)
            span = take(line, start, asked.signed if signed else asked.bare)
        if span is None and not signed and start > end:
            span = _take_last(line, start, asked)
        if span is None and not signed:
            found = _after_anything(line, lower, end)
            span = next(
                (
                    span
                    for start, near in found
                    if (span := take(line, start, asked.signed if near else asked.bare))
                    or (span := _take_last(line, start, asked))
                ),
                None,
            )
        if span is None and asked.far is not _never:
            span = find_among(line, end, asked.far)
        # A digest is called like what it is made of: `hash of the password`, `token sha256`.
        told = lower[max(0, end - 30) : end].rpartition(";")[2] + lower[end : end + 12]
        if span and not any(word in told for word in words.HASHED):
            yield span
        missed = 0 if span else missed + 1
        if missed == _DECOYS:
            return


def find_among(line: str, end: int, test: Callable[[str], bool]) -> Span | None:
    """The first of the words behind a place, in the same clause, that passes a test as it stands;
    a name or a user may be joined to it: `ada:…`, `(pw:…)`.
    """
    at = end
    for part in line[end : end + AMONG].split(" "):
        text = part.rpartition(":")[2].strip(_AROUND).rstrip(".,;")
        if test(text):
            start = line.find(text, at)
            return start, start + len(text)
        if part[-1:] in (".", ";", "?"):
            break
        at += len(part) + 1
    return None


AMONG = 80
"""Characters behind a name: behind more, another thing is spoken of."""
_AROUND = "\"'`*_()[]|„“”«»「」"


def _take_last(line: str, start: int, asked: Plausibility) -> Span | None:
    """What begins at a place, if its clause ends behind it."""
    span = take(line, start, asked.last)
    return span if span and is_ended(line[span[1] : span[1] + REACH]) else None


def _is_handed_over(line: str, end: int, start: int) -> bool:
    """Whether what stands at `start`, behind a blank, is given to the name that ends at `end` as
    programs do: in quotes (`PASSWORD 'x'`), or to an option (`--password x`).
    """
    if line[end : end + 1] != " ":
        return False
    if line[start - 1] == " " and _is_quoted_run(line, start):
        return True
    word = line[max(0, end - _LONGEST_OPTION) : end].rpartition(" ")[2]
    return word.startswith("--") and line[start] not in "-<"


def _is_quoted_run(line: str, at: int) -> bool:
    """Whether a quote opens at a place, and closes behind no blank."""
    if line[at : at + 1] not in ("'", '"', "`"):
        return False
    closed = line.find(line[at], at + 1, at + REACH)
    # Before an escaped quote stands the blank that its escape was made.
    return closed > 0 and " " not in line[at:closed].rstrip()


def _find_argument(line: str, end: int) -> int:
    """Where what a program gives to the name that ends at a place begins, -1 if it gives nothing:
    an argument beside it (`set("password", "x")`, `PASSWORD('x')`, `with a_password BY 'x'`), or a
    field (`{"name": "password", "value": "x"}`, `<entry key="password">x</entry>`).
    """
    if line[end : end + 1] == "(":
        return end + 1 if _is_quoted_run(line, end + 1) else -1
    if line[end : end + 4].lower() == " by " and _is_quoted_run(line, end + 4):
        return end + 4
    if line[end : end + 1] not in ("'", '"'):
        return -1
    if line.startswith(">", end + 1) and line.find("</", end, end + REACH) > 0:
        return end + 2
    at = _skip(line, end + 1, " ,", 4)
    if "," in line[end:at] and _is_quoted_run(line, at):
        # A row of names and values, as of hashes, is no call: `("password", "5f4d…")`.
        called = line.rfind("(", max(0, end - _LONGEST_OPTION), end)
        return at if called > 0 and line[called - 1].isalnum() else -1
    at = _skip(line, at, " {'\"", 8)
    field = next((one for one in _FIELDS if line.startswith(one, at)), "")
    at = _skip(line, at + len(field), " '\"", 8)
    if not field or line[at : at + 1] not in ("=", ":"):
        return -1
    at = _skip(line, at + 1, " ", 4)
    return at if _is_quoted_run(line, at) else -1


_FIELDS = ("value", "default", "content")
"""What the value is called of something that has a name."""


def _is_tag(line: str, end: int) -> bool:
    """Whether a name is that of an element, which begins before it and ends: `<db-password>`."""
    before = line[max(0, end - _LONGEST_OPTION) : end].rpartition("<")
    closed = line.find("</", end, end + REACH) > 0
    return bool(before[1]) and closed and before[2].replace("-", "_").isidentifier()


def is_ended(rest: str) -> bool:
    """Whether a clause ends behind a value."""
    after = rest.lstrip(" *`_\"')")
    word = after.partition(" ")[0].rstrip(".,;")
    if word in words.AND or word in words.STILL:
        return True
    return not after or rest[:1] in ".,;!?)\"'`*" or rest[:1] >= _EAST or after[0] in "(|,;-—–"


def after_sign(line: str, lower: str, end: int) -> tuple[int, bool]:
    """Where the value of a name begins that ends at `end`, and whether a sign says so."""
    if line.startswith(">", end) and _is_tag(line, end):
        return end + 1, True
    given = _find_argument(line, end)
    if given > 0:
        return given, True
    at = _skip(line, _past_aside(line, end), f"{words.QUOTES})]", 4)
    at = _skip(line, at, f"{words.QUOTES} ", 6, whole=True)
    rest = lower[at : at + 64]
    if not rest.startswith(words.OF):
        return _after_words(line, lower, at)
    if rest[0] == "(" and " " not in rest.partition(")")[0]:
        return at + 1, False
    turned = next((word for word in words.TO if rest.startswith(word)), "")
    if turned and any(word in lower[max(0, end - _LONGEST_OPTION) : end] for word in words.CHANGED):
        return at + len(turned), True
    cut = min((found for found in map(rest.find, _STOPS) if found >= 0), default=64)
    places = ((rest.find(sign, 0, cut), sign) for sign in _SPACED)
    found, sign = min((place for place in places if place[0] >= 0), default=(-1, ""))
    if found < 0:
        return end, False
    return _after_words(line, lower, at + found + len(sign))[0], True


def _past_aside(line: str, end: int) -> int:
    """Past what a name is explained by before its sign: `password (new, of May): x`."""
    opened = _skip(line, end, f"{words.QUOTES} ", 4)
    closed = line.find(")", opened, opened + _LONGEST_OPTION) + 1
    signed = closed and line[closed:].lstrip(words.QUOTES)[:1] in (":", "=", "：")
    return closed if line[opened : opened + 1] == "(" and signed else end


def _after_anything(line: str, lower: str, end: int) -> Iterator[tuple[int, bool]]:
    """Where the value of a name may begin that ends at `end`, behind a few words of any language
    and a sign, each with whether that is one word and a colon.
    """
    rest = lower[end : end + 64]
    cut = min((found for found in map(rest.find, _STOPS) if found >= 0), default=64)
    if _TELLS.isdisjoint(lower[end : end + 64 + REACH]):
        return
    places = ((at, sign) for sign in _FAR if (at := rest.find(sign, 0, cut + 2)) >= 0)
    for found, sign in sorted(places)[:_SIGNS]:
        between = rest[:found].split()
        if len(between) <= _WORDS_BETWEEN:
            near = sign[0] in ":：" and len(between) == 1
            yield _after_words(line, lower, end + found + len(sign))[0], near


_SIGNS = 4
"""As many signs behind a name are looked behind."""


def _after_words(line: str, lower: str, at: int) -> tuple[int, bool]:
    """Past signs and verbs, each at most a few times: `: `, ` is now `, `是`."""
    signed = False
    for _ in range(5):
        at = _skip(line, at, f"{words.QUOTES} \t", _WIDEST, whole=True)
        if line.startswith(words.SIGNS, at):
            sign = next(sign for sign in words.SIGNS if line.startswith(sign, at))
            at, signed = _past_type(line, at + len(sign)), True
        elif line.startswith(words.DASHES, at):
            at += 1
        elif line.startswith(_JOINED, at):
            at += len(next(word for word in _JOINED if line.startswith(word, at)))
            signed = True
        else:
            word = lower[at : at + 12].partition(" ")[0].rstrip(":")
            if word not in words.VERBS and word not in words.FILLERS and word not in words.STILL:
                break
            at, signed = at + len(word), True
    return at, signed


def _past_type(line: str, at: int) -> int:
    """Past the type that a program says a value has: `TOKEN: &str = "…"`; a quote has to follow."""
    piece = line[at : at + _LONGEST_OPTION]
    said, sign, rest = piece.partition(" = ")
    typed = sign and rest[:1] in words.OPEN and said.strip(" &'<>[]").isalnum()
    return at + len(said) + len(sign) if typed else at


def _skip(line: str, at: int, chars: str, most: int, *, whole: bool = False) -> int:
    """Past some characters; with `whole`, not past a quote that opens a value."""
    stop = min(len(line), at + most)
    while at < stop and line[at] in chars:
        if whole and line[at] in words.OPEN and line[at + 1 : at + 2] not in ("", " ", ":", "="):
            break
        at += 1
    return at


def take(line: str, start: int, plausible: Callable[[str], bool]) -> Span | None:
    """The quoted text or the run that begins at a place, if it is plausible."""
    # So begin texts of bytes, and of other encodings, in programs and in SQL.
    start += line[start : start + 1] in tuple("NbBuU") and line[start + 1 : start + 2] in ("'", '"')
    piece = line[start : start + REACH]
    closing = words.OPEN.get(piece[:1])
    end = piece.find(closing, 1) if closing else -1
    if end > 0:
        value = piece[1:end].rstrip()
        end = 1 + len(value)
        if value.startswith(_AFTER_TEXT):
            return None
        fits = plausible(value) or _is_phrase(line[max(0, start - AMONG) : start], value)
        return (start + 1, start + end) if fits and "..." not in value else None
    if closing:
        start, piece = start + 1, piece[1:]
    if not piece[:1].strip() or (_TELLS.isdisjoint(piece) and piece.islower()):
        return None
    value = piece.split(None, 1)[0]
    value = value[: min((at for at in map(value.find, _EAST_STOPS) if at > 0), default=None)]
    if "..." in value or stand_ins.is_plain(value) or _is_service(value):
        return None
    if _is_expression(line, start, value):
        return None
    value = _before_code(value)
    value = value.rstrip(".,;!?") if len(value) > 6 else value
    return (start, start + len(value)) if value and plausible(value) else None


def _is_service(value: str) -> bool:
    """Whether a run is where a service is reached: `db3.example.org:5432`."""
    host, _, port = value.rpartition(":")
    parts = host.split(".")
    named = all(part.replace("-", "").isalnum() for part in parts) and parts[-1].isalpha()
    return 2 <= len(port) <= 5 and port.isdecimal() and len(parts) >= 3 and named


def _is_expression(line: str, start: int, value: str) -> bool:
    """Whether a run is a name of a program: what it names, or the beginning of a condition."""
    name = value.rstrip(",;)")
    before = line[max(0, start - REACH) : start].rstrip(" \"':=")
    if before.endswith(name) and "_" in name:
        return True
    # In a list of a program a variable is called like what it holds: `{'pass': c1_pass, …`.
    if name != value and name.isidentifier() and name.rpartition("_")[2].lower() in _HOLDERS:
        return True
    if line[max(0, start - 2) : start].strip() != "=":
        return False
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    rest = line[start + len(value) : start + len(value) + 5]
    joined = rest.startswith((" and ", " or ", " if ")) and ("_" in name or "." in name)
    return joined or rest.startswith((" > ", " < ", " >= ", " <= ", " == ", " != "))


def _before_code(value: str) -> str:
    """What of a run is a value, where a program goes on behind it: `x1,range:!0}` is `x1`."""
    cut = min((at for at in map(value.find, _CUT) if at >= 0), default=-1)
    rest = value.partition(",")[2]
    if cut >= 0 or ":" in rest or "=" in rest:
        return value[: cut if cut >= 0 else None].partition(",")[0]
    return value


def _is_phrase(before: str, value: str) -> bool:
    """Whether a quoted value is a passphrase: four to eight small words, as dice give them."""
    parts = value.replace("-", " ").split(" ")
    fits = all(part.isascii() and (part.islower() or part.isdigit()) for part in parts)
    fits = fits and sum(map(str.isalpha, parts)) >= len(parts) - 1
    return fits and 4 <= len(parts) <= 8 and "pass" in before.lower()
