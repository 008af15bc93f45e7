"""The kind of answer that a question asks for: how many pages, a number of pages tells."""

from __future__ import annotations

from molt.index.content import words
from molt.values import keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

_CODES = "usd|eur|euros?|dollars?|rmb|cny|gbp|cad|aud|hkd|mxn"
_MONEY = rf"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹元]|k?\s?(?:{_CODES})\b)"
_CLOCK = r"\b\d{1,2}:\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)\b|\d\s?[点點]"
_MAIL = r"[\w.+-]+@[\w-]+\.\w"
_LENGTH = (
    r"\d\+?[\s-]?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?"
    r"|sekunden?|minuten?|stunden?|tagen?|wochen?|monate?n?|jahre?n?"
    r"|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?|h|s|ms)\b"
    r"|\d\s?(?:秒|分|小时|天|日|周|个月|月|年)"
)
_SHARE = r"\d\s?[%％]"
_ASKED: tuple[tuple[str, str, str], ...] = (
    (
        "how much |cost|price |salary |fee |budget |viel|kost|cuánto |combien |钱|錢|价|多少",
        (
            r"\bhow much (?:money|does|do|did|is|are|was|were|will|would|has|have|can)\b"
            r"|\b(?:costs?|price|salary|fee|budget) (?:of|for)\b|\bwhat do(?:es)?\b.*\bcost"
            r"|\bwie ?viel\b.*\b(?:kosten|kostet|verdien)|\bwas kostet"
            r"|\bcuánto (?:cuesta|vale|dinero|cobra|paga|gana)|\bcombien (?:coûte|gagne|paie)"
            r"|多少钱|多少錢|什么价|赚了多少|花了多少"
        ),
        _MONEY,
    ),
    (
        "what time|uhr|qué hora|quelle heure|点|點",
        r"\bwhat time\b|\bum wie ?viel uhr|\ba qué hora|\bà quelle heure|几点|幾點",
        _CLOCK,
    ),
    (
        "mail|qué correo|邮箱",
        (
            r"\be-?mail address|\b(?:which|what|whose) e-?mail|\bwelche e-?mail|\bqué correo"
            r"|哪个邮箱|什么邮箱|邮箱(?:地址)?是"
        ),
        _MAIL,
    ),
    (
        "how long|wie lang|cuánto tiempo|combien de temps|多久|多长时间",
        r"\bhow long\b|\bwie lange?\b|\bcuánto tiempo|\bcombien de temps|多久|多长时间",
        _LENGTH,
    ),
    (
        "percent|prozent|porcentaje|pourcentage|百分之",
        r"\bpercent|\bwie ?viel prozent|\bporcentaje|\bpourcentage|百分之",
        _SHARE,
    ),
)
"""How a question asks for a kind of answer: what each such question has, of which nearly all other
questions have nothing, and how exactly; and how the answer looks. In small letters."""
_NUMBERS = (
    *(" when ", " how many ", " how much ", " how long ", " how old ", " how often "),
    *(" what time ", " what date ", " which day ", " which date ", " which port ", " what port "),
    *(" number ", "什么时候", "何时", "几", "多少", "多大", "多长", "多久", "多高", "哪天"),
    *("哪一天", "什麼時候"),
)
_CAUSES = (
    *("why", "how come", "what caused", "reason", "warum", "wieso", "por qué", "porque"),
    *("pourquoi", "perché", "почему", "为什么", "為什麼", "为何", "原因", "怎么会"),
)
_BECAUSE = (
    *("because", "due to", "caused", "cause:", "reason", "issue:", "problem:", "blocked"),
    *("failed", "error", "weil", "wegen", "grund:", "porque", "debido", "razón", "motivo"),
    *("parce que", "à cause", "raison", "perché", "a causa", "потому", "из-за", "поскольку"),
    *("так как", "причин", "因为", "因為", "由于", "由於", "原因", "根因", "导致", "導致"),
)
_COUNTS = "how many|viele|cuánt|combien d|quant|多少|几"
_COUNTED = (
    r"\b(?:how many|wie ?viele|cuánt[oa]s|combien d[e']|quant[ei]|quant[oa]s)\s*([^\W\d_]{3,})"
    r"|(?:多少|几)([^\W\d_a-z])"
)


def find_kind(query: str) -> re.Pattern[str] | None:
    """What the kind of answer looks like that a query asks for; None if it asks for none that
    looks like anything.
    """
    low = words.fold_text(query).lower()
    # To import `re`, and to compile these, takes a tenth of a search.
    rows = [(asked, look) for parts, asked, look in _ASKED if _has_part(low, parts)]
    counts = _has_part(low, _COUNTS)
    return _compile_looks(low, tuple(rows), counts) if rows or counts else None


def find_fit(query: str) -> Callable[[str], object] | None:
    """What tells whether a line has the kind of answer that a query asks for; None for none."""
    kind = find_kind(query)
    if kind is not None:
        return kind.search
    if _asks_cause(query):
        return _has_cause
    return _has_number if asks_number(query) else None


def asks_number(query: str) -> bool:
    """Whether a query asks for a number, a time or a sum, which its answer then has."""
    low = f" {query.lower()} "
    return any(word in low for word in _NUMBERS)


def _asks_cause(query: str) -> bool:
    """Whether a query asks for a cause, which its answer then names."""
    low = query.lower()
    return any(word in low for word in _CAUSES)


def _has_number(row: str) -> bool:
    """Whether a line has a number; that of an item of a list is none."""
    return any(map(str.isdigit, row.lstrip("0123456789.) \t")))


def _has_cause(row: str) -> bool:
    """Whether a line says because of what."""
    low = row.lower()
    return any(word in low for word in _BECAUSE)


def _has_part(low: str, parts: str) -> bool:
    return any(map(low.__contains__, parts.split("|")))


@keep_last
def _compile_looks(
    low: str, rows: tuple[tuple[str, str], ...], counts: bool
) -> re.Pattern[str] | None:
    """What fits one of some rows (how it is asked for, how it looks), or is as many as counted."""
    import re

    looks = [look for asked, look in rows if re.search(asked, low)]
    counted = re.search(_COUNTED, low) if counts else None
    if counted:
        looks.append(_look_counted(counted[1] or "", counted[2] or ""))
    return re.compile("|".join(looks), re.IGNORECASE) if looks else None


def _look_counted(word: str, measure: str) -> str:
    """How a number of something looks: of pages, `312 pages` or `312 printed pages`."""
    import re

    if measure:
        return rf"\d[+\d,.]*\s?{re.escape(measure)}"
    stem = re.escape(word[: max(3, len(word) - 2)])
    return rf"\d[\d,.]*\+?\s(?:[\w-]+\s)?{stem}"
