"""The days that people name in questions."""

from __future__ import annotations

import pytest

from molt.index.search import dates

SUNDAY = "2026-11-22"


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("what did I do last Tuesday?", "2026-11-17", "2026-11-17"),
        ("last monday's meeting", "2026-11-16", "2026-11-16"),
        ("who came the day before yesterday", "2026-11-20", "2026-11-20"),
        ("what happened in the last 3 days", "2026-11-19", "2026-11-22"),
        ("notes of the past two weeks", "2026-11-08", "2026-11-22"),
        ("the past week", "2026-11-15", "2026-11-22"),
        ("where was I last weekend", "2026-11-14", "2026-11-15"),
        ("上周三做了什么", "2026-11-11", "2026-11-11"),
        ("大前天吃了什么", "2026-11-19", "2026-11-19"),
        ("前天吃了什么", "2026-11-20", "2026-11-20"),
        ("最近三天的进展", "2026-11-19", "2026-11-22"),
        ("上周末去了哪里", "2026-11-14", "2026-11-15"),
        ("上个月5号的会议", "2026-10-05", "2026-10-05"),
        ("前年的旅行", "2024-01-01", "2024-12-31"),
    ],
)
def test_days_by_distance_are_read(query: str, first: str, last: str) -> None:
    assert dates.find_days(query, lambda: SUNDAY) == (first, last)


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("Was war am 5. März 2024?", "2024-03-05", "2024-03-05"),
        ("Was haben wir vorgestern gemacht?", "2026-11-20", "2026-11-20"),
        ("Was geschah letzte Woche?", "2026-11-09", "2026-11-15"),
        ("Was war vor drei Tagen?", "2026-11-19", "2026-11-19"),
        ("Wo waren wir im Mai 2024?", "2024-05-01", "2024-05-31"),
        ("¿Qué pasó el 5 de mayo de 2024?", "2024-05-05", "2024-05-05"),
        ("¿Qué decidimos el martes pasado?", "2026-11-17", "2026-11-17"),
        ("¿Qué hicimos la semana pasada?", "2026-11-09", "2026-11-15"),
        ("¿Qué pasó hace dos días?", "2026-11-20", "2026-11-20"),
        ("¿Qué cambió en los últimos 3 días?", "2026-11-19", "2026-11-22"),
        ("¿Dónde estuvimos el fin de semana?", "2026-11-14", "2026-11-15"),
        ("¿Qué aprendimos en 2023?", "2023-01-01", "2023-12-31"),
        ("Que s'est-il passé le 1er mars 2024 ?", "2024-03-01", "2024-03-01"),
        ("Qu'a-t-on décidé en février 2025 ?", "2025-02-01", "2025-02-28"),
        ("Où étions-nous l'année dernière ?", "2025-01-01", "2025-12-31"),
        ("Qu'est-ce qui a changé ces 3 derniers jours ?", "2026-11-19", "2026-11-22"),
        ("Qu'avons-nous fait il y a quatre jours ?", "2026-11-18", "2026-11-18"),
        ("Qui est venu avant-hier ?", "2026-11-20", "2026-11-20"),
        ("Qui est venu hier ?", "2026-11-21", "2026-11-21"),
        ("Cosa abbiamo fatto lunedì scorso?", "2026-11-16", "2026-11-16"),
        ("Cosa è successo il 12 agosto 2025?", "2025-08-12", "2025-08-12"),
        ("Chi è venuto tre giorni fa?", "2026-11-19", "2026-11-19"),
        ("Cosa abbiamo imparato quest'anno?", "2026-01-01", "2026-12-31"),
        ("O que decidimos na segunda-feira?", "2026-11-16", "2026-11-16"),
        ("O que aconteceu em 7 de setembro de 2025?", "2025-09-07", "2025-09-07"),
        ("O que mudou no mês passado?", "2026-10-01", "2026-10-31"),
        ("O que fizemos há dois dias?", "2026-11-20", "2026-11-20"),
        ("Что было 3 марта 2021 года?", "2021-03-03", "2021-03-03"),
        ("Что мы решили в прошлый вторник?", "2026-11-17", "2026-11-17"),
        ("Что изменилось на прошлой неделе?", "2026-11-09", "2026-11-15"),
        ("Кто приходил три дня назад?", "2026-11-19", "2026-11-19"),
        ("Где мы были в мае 2024 года?", "2024-05-01", "2024-05-31"),
        ("Что было позавчера?", "2026-11-20", "2026-11-20"),
    ],
)
def test_days_are_read_in_more_languages(query: str, first: str, last: str) -> None:
    assert dates.find_days(query, lambda: SUNDAY) == (first, last)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("what did the Mars 2020 rover find", id="planet"),
        pytest.param("who likes mayo", id="food"),
        pytest.param("the dog of Julio and of Domingo", id="names"),
        pytest.param("wer ist im Team", id="german"),
        pytest.param("¿quién es el jefe de la semana?", id="unit alone"),
        pytest.param("il y a un problème", id="there is"),
        pytest.param("где ключ", id="russian"),
        pytest.param("Wer wohnt hier?", id="here"),
    ],
)
def test_words_of_more_languages_that_name_no_day(query: str) -> None:
    assert dates.spans(query, lambda: SUNDAY) == ()


@pytest.mark.parametrize(
    "query",
    [
        "9 de abril de 2026",
        "¿qué pasó el 9 de abril de 2026?",
        "o que aconteceu em 9 de abril de 2026?",
        "cosa è successo il 9 aprile del 2026?",
        "on the 9th of April of 2026",
    ],
)
def test_the_year_of_a_day_is_no_span_of_its_own(query: str) -> None:
    (span,) = dates.spans(query, lambda: SUNDAY)
    assert (span.year, span.month, span.day) == (2026, 4, 9)


@pytest.mark.parametrize("query", ["who may go", "the last resort", "最近怎么样", "a week is long"])
def test_what_names_no_day_has_none(query: str) -> None:
    assert dates.spans(query, lambda: SUNDAY) == ()


def test_the_days_of_a_log_are_those_that_its_lines_begin_with() -> None:
    text = "# Sleep\n\n## 2026-03-04 (EST)\n- 23:00 well\n- 2026-03-05: badly\nsince 2026-01-01"
    assert dates.list_days(text) == ("2026-03-04", "2026-03-05")


@pytest.mark.parametrize(
    ("query", "year"),
    [
        ("what happened on November 22?", 2026),
        ("what happened on November 23?", 2025),
        ("what happened on 1 April?", 2026),
        ("4月1日发生了什么", 2026),
        ("12月1日发生了什么", 2025),
        ("what happened in April", 0),
        ("on 3 March 2021", 2021),
    ],
)
def test_a_day_without_its_year_is_the_last_there_was(query: str, year: int) -> None:
    (span,) = dates.spans(query, lambda: SUNDAY)
    assert dates.date_span(span, lambda: SUNDAY) == span.replace(year=year)


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("what broke in early April", "2026-04-01", "2026-04-10"),
        ("the mid-April release", "2026-04-10", "2026-04-20"),
        ("what did we ship at the end of February 2026", "2026-02-20", "2026-02-28"),
        ("四月初网关为什么崩了", "2026-04-01", "2026-04-10"),
        ("2026年3月底的发布", "2026-03-20", "2026-03-31"),
        ("did it end in April", "2026-04-01", "2026-04-30"),
    ],
)
def test_a_part_of_a_month_is_read(query: str, first: str, last: str) -> None:
    assert dates.find_days(query, lambda: SUNDAY) == (first, last)


def test_days_of_a_month_outside_the_part_that_is_named_fit_half() -> None:
    named = dates.spans("what broke in early April", lambda: SUNDAY)
    assert [dates.fit(day, named) for day in ("2026-04-04", "2026-04-20", "2026-05-04")] == [
        1.0, 0.5, 0.0,
    ]  # fmt: skip
