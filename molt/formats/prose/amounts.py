"""Numbers that a text names, with their units, and times of day: in digits or words, in English and
in Chinese. What differs in form alone reads as the same: `3,000` and `3k`, `15 min` and 15 分钟.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_UNITS = {
    "%": "percent pct per-cent", "s": "sec secs second seconds 秒 秒钟",
    "ms": "msec millisecond milliseconds 毫秒", "min": "mins minute minutes 分钟",
    "h": "hr hrs hour hours hourly 小时 钟头",
    "d": "day days daily night nights nightly 天 日 晚",
    "week": "weeks weekly wk wks 周 星期 礼拜", "month": "months monthly mo 月",
    "quarter": "quarters quarterly 季度", "y": "yr yrs year years yearly annual annually 年 岁",
    "km": "kilometer kilometers kilometre kilometres kms 公里 千米", "mile": "miles mi 英里",
    "m": "meter meters metre metres 米", "m2": "平方米 平米 平", "m3": "立方米",
    "cm": "centimeter centimeters centimetre centimetres 厘米 公分",
    "mm": "millimeter millimeters millimetre millimetres 毫米", "ft": "foot feet 英尺",
    "inch": "inches 英寸", "kg": "kilo kilos kilogram kilograms 公斤 千克", "g": "gram grams 克",
    "lb": "lbs pound-weight 磅", "jin": "斤", "l": "liter liters litre litres 升",
    "ml": "milliliter milliliters millilitre millilitres 毫升", "°c": "celsius ℃ 摄氏度",
    "°f": "fahrenheit ℉ 华氏度", "kb": "kib kilobyte kilobytes", "mb": "mib megabyte megabytes",
    "gb": "gib gigabyte gigabytes gigs", "tb": "tib terabyte terabytes",
    "usd": "$ us$ dollar dollars bucks 美元 美金", "eur": "€ euro euros 欧元",
    "gbp": "£ pound pounds sterling 英镑", "cny": "rmb yuan renminbi 元 块 块钱 人民币",
    "jpy": "yen 日元", "inr": "₹ rupee rupees 卢比", "krw": "₩ won 韩元",
    "chf": "francs franc 法郎", "hz": "hertz 赫兹", "mbps": "mbit/s",
    "kcal": "calories calorie 千卡 大卡", "w": "watt watts 瓦", "kw": "kilowatt kilowatts 千瓦",
    "kwh": "千瓦时",
}  # fmt: skip
UNIT_OF = {form: unit for unit, forms in _UNITS.items() for form in (unit, *forms.split())}
UNIT_OF |= {"¥": "cny"}
MONEY = frozenset(("usd", "eur", "gbp", "cny", "jpy", "inr", "krw", "chf"))
_HAN_UNITS = sorted((one for one in UNIT_OF if not one.isascii()), key=len, reverse=True)
_SCALES = {"k": 3, "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "mio": 6, "bn": 9}
_SCALES |= {"billion": 9, "billions": 9, "千": 3, "万": 4, "百万": 6, "千万": 7, "亿": 8}
_POWERS = {"square": "2", "sq": "2", "cubic": "3"}
_THOUSANDS = ("千克", "千米", "千瓦", "千卡")
_PER = re.compile(r"(?:\b(?:per|each|every)\s+|/\s?)$")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: at for at, word in enumerate(_ONES)}
_WORDS |= {word: 10 * at for at, word in enumerate(_TENS, 2)}
_LOOSE = {"once": 1, "both": 2, "couple": 2, "pair": 2, "zero": 0, "one": 1}
TIMES = {"twice": 2, "thrice": 3}
"""How often something was: it may count the memories that say so."""
_PARTS = {"half": "50", "quarter": "25"}
"""Parts of a whole in words, in percent."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth")  # fmt: skip
_ORDINALS = {word: at for at, word in enumerate(ORDINALS[2:], 3)}
_WORDS |= _LOOSE | _ORDINALS | TIMES | {"dozen": 12}
_A = re.compile(
    rf"(?:\d|\b(?:{'|'.join(_ONES[1:])}|once|twice|thrice|times)\b)[^.;]{{0,24}}\ban?\s+$"
)
_BIG = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_HAN = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_SHORT = {"百": 10, "千": 100, "万": 1_000}
_MEASURES = frozenset(
    "个個位次人条條页頁种種名只件本层層楼台岁口家张張份项項步组組遍倍號号轮輪"
    "杯場场篇句%成折届章回课票笔单套双对根支辆架顿餐盒袋瓶碗包颗封通集季卷册"
    "门座间栋排列行级批把"
)
"""Signs behind which a Chinese numeral counts; without one it is mostly part of a word."""
_IDIOMS = ("十分", "万一", "千万", "一一", "百分百", "九成九")
_DIGITS = re.compile(
    r"(?<![a-z0-9_.])(us\$|[$€£¥₹₩]|v(?=\d))?\s?(\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)*)"
)
_BEHIND = re.compile(r"[ \t\-\u00a0]?(us\$|[$€£¥₹₩%°℃℉]\s?[cf]?|[^\W\d_]+)")
_WORD = re.compile(r"[a-z]+")
_HAN_NUMBER = re.compile(r"[零〇一二两兩三四五六七八九十百千万亿]{1,16}")
_PERCENT = re.compile(r"百分之([零〇一二两三四五六七八九十百]{1,6}|\d+(?:\.\d+)?)")
_JOINED = re.compile(r"\s*(?:-|–|—|~|to|and|or|through|至|到|和|或)\s*")
_HALF = re.compile(r"[ -]and[ -]a[ -]half\b|[个個度]?半(?![年天夜数價价])|[个個]半(?=[年天])")
_TURN = re.compile(
    r"\bevery (?:other|second) (?:(day|week|month|year)|[a-z]+day)\b|\b(?:fortnightly|biweekly)\b"
    r"|每?隔一?个?(天|周|星期|礼拜|月|年)"
)
_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:.h](\d\d)(?::\d\d)?)?\s*([ap])\.?\s?m\b\.?"
    r"|(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d)?(?!\d|:\d)"
)
_SPOKEN = re.compile(
    rf"\b(?:(half past|quarter past|quarter to) )?({'|'.join(_ONES[1:13])}|1[0-2]|[1-9])\b"
    r"( o['’]?clock)?|\b(noon|midnight)\b"
)
_AWAY = {"half past": 30, "quarter past": 15, "quarter to": -15}
_NUMERAL = r"(\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_HAN_CLOCK = re.compile(
    rf"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚)?{_NUMERAL}[点點时時](?!间|候|刻|常|期)"
    rf"(半|一刻|三刻|{_NUMERAL}分?)?(?!小)"
)
_LATE = ("下午", "傍晚", "晚上", "夜里", "晚")
_LONGEST = 40


class Amount(Value):
    """A number with its unit (empty for none), and where it stands. `loose` is a word that counts
    only where a number is looked up, and claims none: `one`, `both`.
    """

    value: str
    unit: str = ""
    start: int = 0
    end: int = 0
    loose: bool = False


class ClockTime(Value):
    """A time of day in minutes, whether its half of the day is left open, and where it stands."""

    minute: int
    is_open: bool
    start: int = 0
    end: int = 0


def read_amounts(text: str) -> tuple[Amount, ...]:
    """Return the numbers of a text in small letters, in order; of a range each with its unit."""
    found = [*_read_digits(text), *_read_words(text), *_read_han(text)]
    # What comes every second time does so after two: `every other week`, 每隔一天.
    turns = ((UNIT_OF[one[1] or one[2] or "week"], *one.span()) for one in _TURN.finditer(text))
    found = [_add_half(text, one) for one in found] + [Amount("2", *one, True) for one in turns]
    found.sort(key=lambda one: one.start)
    for at in range(len(found) - 2, -1, -1):
        one, after = found[at], found[at + 1]
        if not one.unit and after.unit and _JOINED.fullmatch(text, one.end, after.start):
            found[at] = one.replace(unit=after.unit)
    return tuple(found)


def _add_half(text: str, one: Amount) -> Amount:
    """Return a number with the half that stands behind it: `two and a half`, 二十三度半."""
    half = _HALF.match(text, one.end)
    if not half or "." in one.value:
        return one
    _, unit, end = _read_behind(text, half.end(), False)
    return Amount(f"{one.value}.5", one.unit or unit, one.start, half.end() if one.unit else end)


def read_rates(text: str, *, alone: bool = True) -> frozenset[str]:
    """Return the units that a text counts by (`a week`, `per month`, 每月), and how often something
    is (`daily`) where that is told `alone`.
    """
    found = {
        UNIT_OF[one[0]]
        for one in _WORD.finditer(text)
        if one[0] in UNIT_OF and len(one[0]) > 2
        and ((alone and one[0].endswith("ly"))
             or _PER.search(text, max(0, one.start() - 8), one.start())
             or _A.search(text, max(0, one.start() - 40), one.start()))
    }  # fmt: skip
    for one in re.finditer(r"每个?", text):
        unit = _find_han_unit(text, one.end())
        found |= {UNIT_OF[unit]} if unit else set()
    return frozenset(found) - {"s"}


def list_units(text: str) -> frozenset[str]:
    """Return all units that a text names anywhere."""
    found = {UNIT_OF[word] for word in _WORD.findall(text) if word in UNIT_OF}
    return frozenset(found | {UNIT_OF[one] for one in UNIT_OF if not one.isalpha() and one in text}
                     | {UNIT_OF[one] for one in _HAN_UNITS if one in text})  # fmt: skip


def _read_digits(text: str) -> Iterator[Amount]:
    for one in _DIGITS.finditer(text):
        if len(one[2]) > _LONGEST:
            continue
        power, unit, end = _read_behind(text, one.end(), bool(one[1]))
        yield Amount(_scale(one[2], power), UNIT_OF.get(one[1] or "", unit), one.start(), end)


def _read_behind(text: str, at: int, is_money: bool) -> tuple[int, str, int]:
    """Return the power of ten and the unit that stand behind a number, and where they end."""
    power = 0
    for _ in range(2):
        found = _BEHIND.match(text, at, at + _LONGEST)
        word = found[1].replace(" ", "") if found else ""
        if not found or not word:
            break
        start = found.start(1)
        if not word.isascii():
            scale = next((one for one in ("千万", "百万", "万", "亿", "千")
                          if text.startswith(one, start)
                          and not text.startswith(_THOUSANDS, start)), "")  # fmt: skip
            if scale and not power:
                power, at = _SCALES[scale], start + len(scale)
                continue
            skip = text.startswith(("个", "個"), start)
            unit = _find_han_unit(text, start + skip)
            end = start + skip + len(unit) if unit else at
            return power, UNIT_OF.get(unit, ""), end
        if not power and (word in _SCALES or (is_money and word in ("m", "b"))):
            power, at = _SCALES.get(word, 6 if word == "m" else 9), found.end()
            continue
        unit, end = _read_unit(text, word, at, found.end())
        return power, unit, end
    return power, "", at


def _read_unit(text: str, word: str, at: int, end: int) -> tuple[str, int]:
    """Return the unit that a word is, and where it ends; of an area or a room with its power."""
    if word in _POWERS:
        found = _BEHIND.match(text, end, end + _LONGEST)
        unit = UNIT_OF.get(found[1], "") if found else ""
        return (f"{unit}{_POWERS[word]}", found.end()) if found and unit else ("", at)
    unit = UNIT_OF.get(word, "")
    if unit and text[end : end + 1] in ("2", "3") and not text[end + 1 : end + 2].isalnum():
        return f"{unit}{text[end]}", end + 1
    return unit, end if unit else at


def _find_han_unit(text: str, at: int) -> str:
    return next((one for one in _HAN_UNITS if text.startswith(one, at)), "")


def _scale(number: str, power: int) -> str:
    """Return a number as it is compared: without marks of thousands and zeros that say nothing."""
    plain = re.sub(r"[,'’]", "", number)
    try:
        value = Decimal(plain).scaleb(power)
    except InvalidOperation:
        return plain
    return f"{value.normalize():f}" if value else "0"


def _read_words(text: str) -> Iterator[Amount]:
    words = [(one[0], one.start(), one.end()) for one in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        word, start, end = words[at]
        at += 1
        if word in _PARTS:
            yield Amount(_PARTS[word], "%", start, end, loose=True)
        if word in ("a", "an") and (found := _read_behind(text, end, False))[1]:
            yield Amount("1", found[1], start, found[2], loose=True)
        if word not in _WORDS:
            continue
        value, loose = _WORDS[word], word in _LOOSE or word in _ORDINALS
        if word in _TENS and at < len(words) and words[at][0] in _ONES[1:10]:
            value, end, at = value + _WORDS[words[at][0]], words[at][2], at + 1
        while at < len(words) and words[at][0] in _BIG and words[at][1] - end < 2:
            value, end, at = value * _BIG[words[at][0]], words[at][2], at + 1
        _, unit, stop = _read_behind(text, end, False)
        yield Amount(str(value), unit, start, stop, loose and not (word == "one" and unit))


def _read_han(text: str) -> Iterator[Amount]:
    if text.isascii():
        return
    taken: list[tuple[int, int]] = []
    for one in _PERCENT.finditer(text):
        value = one[1] if one[1][0].isdecimal() else str(read_numeral(one[1]))
        yield Amount(_scale(value, 0), "%", one.start(), one.end())
        taken.append(one.span())
    for one in _HAN_NUMBER.finditer(text):
        if any(start <= one.start() < end for start, end in taken):
            continue
        # Behind digits it is a scale, and there are words that begin like a number.
        behind = text[one.start() - 1 : one.start()].isdigit()
        if behind or any(text.startswith(word, one.start()) for word in _IDIOMS):
            continue
        skip = text.startswith(("个", "個"), one.end())
        unit = _find_han_unit(text, one.end() + skip)
        counts = bool(unit) or text[one.end() : one.end() + 1] in _MEASURES
        whole = len(one[0]) > 1 and any(map(one[0].__contains__, _HAN))
        counts = counts or (whole and any(map(one[0].__contains__, "十百千万亿")))
        loose = not counts or (one[0] == "一" and not unit)
        end = one.end() + skip + len(unit) if unit else one.end()
        yield Amount(str(read_numeral(one[0])), UNIT_OF.get(unit, ""), one.start(), end, loose)


def read_numeral(text: str) -> int:
    """Return what a number in Chinese signs, or in digits, stands for."""
    if text.isdecimal():
        return int(text)
    if not any(sign in text for sign in "十百千万亿"):
        return int("".join(str(_HAN[sign]) for sign in text))
    total = part = digit = 0
    # 三万二 stops at its second place, which is not spoken.
    short = len(text) > 2 and text[-1] in _HAN and text[-2] in _SHORT
    for sign in text[: -1 if short else None]:
        if sign in _HAN:
            digit = _HAN[sign]
        elif sign in _HAN_TENS:
            part, digit = part + (digit or 1) * _HAN_TENS[sign], 0
        else:
            total = (total + part + digit or 1) * (10_000 if sign == "万" else 100_000_000)
            part = digit = 0
    rest = _HAN[text[-1]] * _SHORT[text[-2]] if short else 0
    return total + part + digit + rest


def read_clock(text: str) -> tuple[ClockTime, ...]:
    """Return the times of day of a text in small letters."""
    found: list[ClockTime] = []
    for one in _CLOCK.finditer(text):
        hour, minute, half, plain, more = one.groups()
        if half and int(hour) <= 12 and int(minute or 0) < 60:
            at = int(hour) % 12 + 12 * (half == "p")
            found.append(ClockTime(60 * at + int(minute or 0), False, *one.span()))
        elif plain and int(plain) < 24 and int(more) < 60:
            found.append(ClockTime(60 * int(plain) + int(more), 0 < int(plain) <= 12, *one.span()))
    for one in _SPOKEN.finditer(text):
        away, said, sharp, middle = one.groups()
        if middle:
            found.append(ClockTime(720 * (middle == "noon"), False, *one.span()))
        elif away or sharp:
            hour = int(said) if said.isdecimal() else _WORDS[said]
            at = (60 * hour + _AWAY.get(away, 0)) % 720
            found += (ClockTime(half + at, True, *one.span()) for half in (0, 720))
    for one in _HAN_CLOCK.finditer(text) if not text.isascii() else ():
        part, said, rest, minutes = one.groups()
        hour, minute = read_numeral(said), read_numeral(minutes) if minutes else 0
        minute = {"半": 30, "一刻": 15, "三刻": 45}.get(rest or "", minute)
        if hour < 25 and minute < 60:
            hour += 12 * (part in _LATE and hour < 12)
            found.append(ClockTime(60 * (hour % 24) + minute, not part and hour <= 12, *one.span()))
    return tuple(found)


def cut_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks in place of some parts, so that all else keeps its place."""
    kept: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            kept += [text[done:start], " " * (end - start)]
            done = end
    return "".join((*kept, text[done:]))
