"""Digits that open something: a PIN, the code of a door, an alarm or a safe, in many languages."""

from __future__ import annotations

from molt.policy.secrets import stand_ins, words
from molt.policy.secrets.value import is_ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

_ALONE = (
    *("pin", "pins", "pincode", "pinkod", "pinkode", "pin-kod", "пин", "puk", "geheimzahl"),
    *("暗証番号", "digicode", "keypad", "lockbox", "key box", "passcode", "bankomatcode"),
    *("keycode", "pinpad", "オートロック", "도어락"),
)
"""What names a code by itself."""
_CODES = (
    *(
        "code",
        "combin",
        "combo",
        "kombin",
        "codice",
        "código",
        "codigo",
        "kod",
        "код",
        "clave",
        "szyfr",
    ),
    *("koodi", "kód", "密码", "密碼", "代码", "番号", "コード", "비밀번호", "번호"),
)
"""What names one together with what it opens."""
_OPENED = """
door gate alarm safe lock locker padlock locker lockbox garage entry entrance building elevator
intercom phone iphone ipad tablet laptop voicemail mailbox card atm debit credit sim suitcase bike
front-door keybox tür tor haustür garagentor alarmanlage tresor schlüssel eingang zugang haus handy
karte bankkarte ec- kreditkarte girokarte bankomat schloss koffer spind fahrrad briefkasten
entsperr zahlen gartentor porte portail portillon alarme coffre immeuble carte cadenas casier
téléphone puerta portal portón porton alarma caja garaje tarjeta candado móvil edificio entrada
taquilla porta portone cancello allarme cassaforte carta bancomat lucchetto telefono cofre garagem
portão cartão cadeado celular telemóvel prédio deur poort kluis kaart slot telefoon pinpas fiets
sleutel cijfer drzwi bram furtk sejf garaż kart domofon telefon kłód двер ворот сейф гараж карт
домофон сигнализ подъезд замок замк телефон калитк dörr port larm kassa kort lås dør boks ovi
hälyt kassakaap dveř trezor garáž kapı kasa 门 門 报警 警报 保险 卡 锁 鎖 手机 手機 ドア 玄関
金庫 アラーム カード 현관 문 카드 금고 휴대폰 заключ
"""
_OPENERS = tuple(dict.fromkeys(_OPENED.split()))
_OTHER = (
    *("postal", "postcode", "post code", "zip", "gpio", "邮编", "邮政", "郵便", "error", "fehler"),
    *("exit", "status", "area code", "country", "promo", "discount", "coupon", "voucher", "source"),
    *(
        "barcode",
        "bar code",
        "qr",
        "dress code",
        "fiscal",
        "erreur",
        "barras",
        "barre",
        "http",
        "unico",
    ),
    *(
        "pocztow",
        "индекс",
        "код ошибки",
        "ошиб",
        "código de error",
        "errore",
        "gutschein",
        "rabatt",
    ),
    # Of the keys of a keyboard, as programs have them.
    *("physical_", "keyboard", "event.", "scancode"),
)
"""Codes of other things, and what else is a pin."""
PINS = frozenset(
    (
        *(f"pin{after}" for after in ":：=-*`\"' 码密c"),
        "pins:",
        "pins ",
        *_ALONE[5:],
        *_CODES,
        *words.PASS,
    )
)
LOCKS = frozenset(_CODES)
"""Words of which one must be in a text, in lower case, before it is read for such digits."""

_DIGITS = frozenset("0123456789")
_EAST = "\u2e80"
# Characters between a name and its digits: behind more another sentence has begun.
_REACH = 48
_BESIDE = 20
"""Characters from which a code is told to be one of other things: `dress code`, `exit code`."""
_PAID = 6  # digits of a Chinese PIN for payments
_MOST = 16
"""How many names of a line are looked behind."""
_STOPS = ".!?;\n["
_SIGNS = (":", "：", "=", "->", "→", "=>", "は", "是", "은", "는", "為", "为", "が")
_LINKING = """
d l dell
for of on to from at in the a an my our her his their für von vom zum zur der die das den dem des
im am beim meine meiner unsere unserer de du la le les l' ma mon mes notre nos del della dell'
dello el los las mi su lo il i di do da dos o os meu minha van het mijn ons naar bij w na od moj
moja mojej nasz от для к ко на в мой моей нашей till för på av til det min mit mitt nº no nr nr.
number num nummer code codes kod kode код lautet i.e. = set now jetzt neu still with is
are was ist est es son é è это je jest är er este és sind lauten : — – - front back main side new
old house home office büro bureau casa oficina ufficio escritório kantoor kontor biuro офис дом
maison immeuble parents cabin cottage flat apartment appartement wohnung rental ferienhaus keller
cellar basement
"""
_LINKS = frozenset(_LINKING.split())
_UNITS = (
    *("digit", "day", "stell", "ziffer", "zeichen", "tag", "char", "chiffre", "jour", "cifr"),
    *("min", "eur", "usd", "ms", "mal", "time", "people", "user", "line", "stunden", "hour"),
    *("%", "€", "$", "位", "年", "个", "個", "天", "元", "次", "文字", "桁", "자리", "знак", "дн"),
    *("円", "ドル", "美元", "달러", "원"),
    *("dní", "dni", "zł", "kr", "cyfr", "letra", "díg", "point", "file", "page", "commit", "test"),
)


def find_pins(line: str, lower: str) -> Iterator[Span]:
    """Four digits and more that are called a PIN or a password; no postal code, no leg."""
    yield from _find(line, lower, ((_ALONE, True), (words.PASS, False)))


def find_locks(line: str, lower: str) -> Iterator[Span]:
    """The code of something that is locked, as a door, an alarm or a safe."""
    yield from _find(line, lower, ((_CODES, False),))


def _find(line: str, lower: str, kinds: tuple[tuple[tuple[str, ...], bool], ...]) -> Iterator[Span]:
    if _DIGITS.isdisjoint(line):
        return
    found: dict[int, Span] = {}
    for names, sure in kinds:
        for end in _find_names(lower, names, sure=sure):
            span = _take(line, lower, end, sure=sure)
            if span:
                found.setdefault(span[0], span)
    # Each name is looked for from the beginning of the line.
    yield from (found[start] for start in sorted(found))


def _find_names(lower: str, names: tuple[str, ...], *, sure: bool) -> Iterator[int]:
    """Where each name of a code ends; a short one that names one by itself stands alone."""
    for name in names:
        at, looked = lower.find(name), 0
        while at >= 0 and looked < _MOST:
            end = _end_of_word(lower, at + len(name))
            begins = not _is_letter(lower[max(0, at - 1) : at])
            whole = not sure or ((begins or len(name) > 4) and end - at - len(name) <= 2)
            if whole and not lower.startswith(words.CIPHERS, at + len(name)):
                yield end
            at, looked = lower.find(name, at + len(name)), looked + 1


def _end_of_word(lower: str, end: int) -> int:
    """Past the ending of a word: `koden`, `codes`, `кода`."""
    while end < len(lower) and _is_letter(lower[end]):
        end += 1
    return end


def _is_letter(char: str) -> bool:
    return bool(char) and char.isalpha() and char < _EAST


def _take(line: str, lower: str, end: int, *, sure: bool) -> Span | None:
    """The digits that a name which ends at a place is followed by, if they are those of a code."""
    start = next((at for at in range(end, min(len(line), end + _REACH)) if line[at] in _DIGITS), -1)
    if start < 0:
        return None
    between = lower[end:start]
    size = _measure(line[start : start + 20])
    rest = line[start + size : start + size + 16]
    if not size or any(stop in between for stop in _STOPS) or _goes_on(rest):
        return None
    if between.endswith("localhost:"):
        return None  # the port of a service on this machine
    if any(word in lower[max(0, end - _BESIDE) : start + size + 1] for word in _OTHER):
        return None
    value = line[start : start + size]
    signed = between.rstrip(" \"'`*_#(“「").endswith(_SIGNS)
    opened = sure or _is_opened(lower[max(0, end - 40) : start])
    plain = value.isdigit()
    if not opened:
        # Of a password digits are all there is to it.
        named = lower[max(0, end - 16) : end].endswith(words.PASS)
        # Behind a comma stands the next argument of a program: `(string password, int count = 10)`.
        apart = "," in between or ")" in between or _is_given(between)
        # The name of a program goes on: `password_expires_in = 3600`.
        apart = apart or between.startswith("_")
        # Who pays by a telephone has six digits for it: `支付密码 730519`.
        paid = lower[end - 1] >= _EAST and not between.strip() and size == _PAID
        said = signed or paid or _is_said(between)
        fits = named and plain and not apart and said and is_ended(rest)
        return (start, start + size) if fits and not stand_ins.is_counted(value) else None
    if not _is_linked(between, signed=signed):
        return None
    year = plain and size == 4 and value[:2] in ("19", "20")
    if year and not signed and not _is_said(between):
        return None
    return start, start + size


def _is_given(between: str) -> bool:
    """Whether something else is given for a name before the digits: `PASSWORD=… ACCOUNT=1337`."""
    text = between.strip(" \"'`*_")
    return text[:1] in (":", "：", "=") and any(map(_is_letter, text))


def _measure(piece: str) -> int:
    """How long a code is that a text begins with: four to eight digits, one letter among them, or
    three groups of one or two; 0 for none.
    """
    size = 0
    while size < len(piece) and (piece[size].isalnum() or piece[size] == "-"):
        if piece[size] >= _EAST:
            break
        size += 1
    value = piece[:size].rstrip("-")
    groups = value.split("-")
    if len(groups) > 1:
        small = all(group.isdigit() and len(group) <= 2 for group in groups)
        return len(value) if small and 3 <= len(groups) <= 4 else 0
    digits = sum(char in _DIGITS for char in value)
    others = len(value) - digits
    if others and not (others == 1 and digits >= 3 and value.upper() == value):
        return 0
    return len(value) if (4 if not others else 3) <= digits <= 8 else 0


def _goes_on(rest: str) -> bool:
    """Whether what follows digits makes them a time, a count, a place or a longer number."""
    head = rest[:1]
    if (head and head in "-:/._,–" and rest[1:2] in _DIGITS and rest[1:2]) or _is_letter(head):
        return True
    after = rest.lstrip(" *`_\"')")
    if after.lower().startswith(_UNITS):
        return True
    word = after.partition(" ")[0] if head == " " else ""
    return word in ("in", "is") or (word[:1].isupper() and word[:1] < _EAST)


def _is_opened(before: str) -> bool:
    """Whether something that is locked is named: its word begins with one of the stems."""
    for stem in _OPENERS:
        at = before.find(stem)
        if at >= 0 and (stem[0] >= _EAST or not _is_letter(before[max(0, at - 1) : at])):
            return True
    return False


def _is_said(between: str) -> bool:
    parts = between.split()
    return bool(parts) and parts[-1].strip("\"'`*_") in words.VERBS


def _is_linked(between: str, *, signed: bool) -> bool:
    """Whether nothing but small words, and what is opened, stands between a name and digits."""
    parts = [part.strip("\"'`*_#()：:,=→>") for part in between.replace("'", "' ").split()]
    others = [
        part
        for part in parts
        if part and part[0] < _EAST and part not in _LINKS and not part.startswith(_OPENERS)
    ]
    said = signed or _is_said(between)
    return len(parts) <= 8 and len(others) <= (2 if said else 0)
