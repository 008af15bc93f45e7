"""Words for days in German, Spanish, French, Italian, Portuguese and Russian, put into English, the
language in which dates are read.
"""

from __future__ import annotations

from itertools import pairwise

from molt.index.content import words as content_words

# Latin words stand without accents here, which many people leave out.
_SAID = {
    "january": "januar janner enero janvier gennaio janeiro январь января январе",
    "february": "februar febrero fevrier febbraio fevereiro февраль февраля феврале",
    "march": "marz maerz marzo mars marco март марта марте",
    "april": "abril avril aprile апрель апреля апреле",
    "may": "mai mayo maggio maio май мая мае",
    "june": "juni junio juin giugno junho июнь июня июне",
    "july": "juli julio juillet luglio julho июль июля июле",
    "august": "agosto aout август августа августе",
    "september": "septiembre setiembre septembre settembre setembro сентябрь сентября сентябре",
    "october": "oktober octubre octobre ottobre outubro октябрь октября октябре",
    "november": "noviembre novembre novembro ноябрь ноября ноябре",
    "december": "dezember diciembre decembre dicembre dezembro декабрь декабря декабре",
    "on monday": "montag lunes lundi lunedi segunda-feira понедельник",
    "on tuesday": "dienstag martes mardi martedi terca-feira вторник",
    "on wednesday": "mittwoch miercoles mercredi mercoledi quarta-feira среду",
    "on thursday": "donnerstag jueves jeudi giovedi quinta-feira четверг",
    "on friday": "freitag viernes vendredi venerdi sexta-feira пятницу",
    "on saturday": "samstag sonnabend sabado samedi sabato субботу",
    "on sunday": "sonntag domingo dimanche domenica воскресенье",
    "the weekend": "wochenende week-end finesettimana finsemana выходные выходных",
    "today": "heute hoy aujourd'hui oggi hoje сегодня",
    "yesterday": "gestern ayer hier ieri ontem вчера",
    "before yesterday": "vorgestern anteayer antier avant-hier avantieri anteontem позавчера",
    "last night": "anoche",
    "day": "tage tagen dia dias jour jours giorno giorni день дня дней",
    "week": (
        "woche wochen semana semanas semaine semaines settimana settimane"
        " неделя неделю недели недель неделе"
    ),
    "month": (
        "monat monate monaten mes meses mois mese mesi meses месяц месяца месяцев месяце"
    ),
    "year": "jahr ano annee anno год году",
    "last": (
        "letzte letzten letzter letztes letztem vorige vorigen voriges pasado pasada pasados"
        " ultimo ultima ultimos ultimas dernier derniere derniers dernieres passe passee"
        " scorso scorsa scorsi ultimi ultime passado passada passados passadas"
        " прошлый прошлую прошлой прошлое прошлом прошлые последние последних последнюю"
    ),
    "this": (
        "diese diesen dieses dieser diesem este esta ce cet cette questo questa deste desta neste"
        " nesta этот эту этой это этом"
    ),
    "ago": "fa atras назад",
}  # fmt: skip
_ENGLISH = {word: english for english, said in _SAID.items() for word in said.split()}
_PHRASES = (
    (" fin de semana ", " finsemana "),
    (" fim de semana ", " finsemana "),
    (" fine settimana ", " finesettimana "),
    (" antes de ayer ", " anteayer "),
    (" altro ieri ", " avantieri "),
    (" an dernier ", " annee dernier "),
    (" il y a ", " hace "),
)
_COUNTED = {
    "a": "ein eine einem einer einen un una uno une um uma один одну",
    "two": "zwei dos deux due dois duas два две",
    "three": "drei tres trois tre три",
    "four": "vier cuatro quatre quattro quatro четыре",
    "five": "funf cinco cinq cinque пять",
    "six": "sechs seis sei шесть",
    "seven": "sieben siete sept sette sete семь",
}
_NUMBERS = {word: english for english, said in _COUNTED.items() for word in said.split()}
_UNITS = frozenset(("day", "week", "month", "year"))
_MONTHS = frozenset(tuple(_SAID)[:12])
CALENDAR = frozenset(
    word for name, said in tuple(_SAID.items())[:19] for word in (*name.split(), *said.split())
)
"""The names of months and of the days of a week, in all these languages and in English."""
# In front of a number of days that have passed.
_AGO = frozenset(("vor", "hace", "ha", "faz"))
# In front of a month or a year.
_IN = frozenset(
    ("im", "en", "em", "nel", "a", "в", "во", "с", "seit", "desde", "depuis", "dal", "au")
)
_OF = frozenset(("de", "del", "do", "di", "du"))
_ON = frozenset(("el", "no", "o"))
# Names and other things in English: they are days after a number, or a word of those above.
_UNSURE = frozenset(("mars", "mayo", "marco", "julio", "domingo"))
_SURE = _IN | _OF | _ON
# Beside one of these, `hier` is the German "here", and not the French "yesterday".
_OF_GERMAN = "wer was wo wie wann warum welche der die das ist sind war wir ich sie und nicht ein"
_GERMAN = frozenset(_OF_GERMAN.split())


def translate_days(words: list[str]) -> list[str]:
    """The words of a query, in small letters, with those for days in English and in its order; the
    same list where there are none.
    """
    plain = [content_words.drop_accents(word) for word in words]
    text = f" {' '.join(plain)} ".replace(" l'", " ").replace(" d'", " ").replace(" qu'", " ")
    text = text.replace(" quest'", " questo ")
    for phrase, one in _PHRASES:
        text = text.replace(phrase, one)
    plain = text.split()
    if _ENGLISH.keys().isdisjoint(plain) and not _names_year(plain):
        return words
    found: list[str] = []
    is_german = not _GERMAN.isdisjoint(plain)
    for at, word in enumerate(plain):
        before = plain[at - 1] if at else ""
        sure = word not in _UNSURE or before in _SURE or _drop_end(before).isdigit()
        sure = sure and not (word == "hier" and is_german)
        found += (_ENGLISH.get(word, word) if sure else word).split()
    return _order_words(found)


def _names_year(words: list[str]) -> bool:
    """Whether a year stands after a word for "in"."""
    return any(word in _IN and _is_year(after) for word, after in pairwise(words))


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdigit()


def _order_words(words: list[str]) -> list[str]:
    """Words for days where English has them: `week last` as `last week`, `vor two week` as `two
    week ago`.
    """
    found: list[str] = []
    ago = False
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        last = found[-1] if found else ""
        if word in _AGO and words[at + 2 : at + 3] and words[at + 2] in _UNITS:
            ago = True
        elif word == "last" and (last in _UNITS or last.isdigit() or last in _COUNTED):
            found.insert(-1, word)
        elif after in _UNITS and word in _NUMBERS:
            found.append(_NUMBERS[word])
        elif word in _UNITS:
            found += ["a", word] if after == "ago" and not _is_number(last) else [word]
            found += ["ago"] * ago
            ago = False
        elif after in _MONTHS or _is_year(after):
            found.append("in" if word in _IN else "of" if word in _OF else _drop_end(word))
        else:
            found.append(word)
    return found


def _drop_end(word: str) -> str:
    """The number of a French `1er`; any other word unchanged."""
    number = word.removesuffix("er")
    return number if number.isdigit() else word


def _is_number(word: str) -> bool:
    return word.isdigit() or word in _COUNTED
