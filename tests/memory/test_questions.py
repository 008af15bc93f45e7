"""What a question asks for, by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.memory.recall import questions
from molt.memory.recall.questions import ENTITY, LATEST, PROCEDURE, SEARCH, WHEN


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did we choose PKCE?", WHEN),
        ("since when do I live in Lisbon", WHEN),
        ("What happened last week?", WHEN),
        ("Wann haben wir umgestellt?", WHEN),
        ("¿Cuándo cambiamos de proveedor?", WHEN),
        ("Когда мы выбрали базу?", WHEN),
        ("我们什么时候决定的？", WHEN),
        ("いつ引っ越しましたか", WHEN),
        ("How do I usually deploy?", PROCEDURE),
        ("how to release a version", PROCEDURE),
        ("Wie machen wir ein Release?", PROCEDURE),
        ("¿Cómo hacemos un despliegue?", PROCEDURE),
        ("Как мы обычно выпускаем версию?", PROCEDURE),
        ("怎么部署服务", PROCEDURE),
        ("デプロイの手順は", PROCEDURE),
        ("What's the latest on billing?", LATEST),
        ("What is the current state of the migration", LATEST),
        ("Was gibt es Neues zur Rechnung?", LATEST),
        ("Что нового по проекту?", LATEST),
        ("计费的最新进展", LATEST),
        ("which auth flow?", SEARCH),
        ("a828e60", SEARCH),
        ("whenever it rains", SEARCH),
        ("", SEARCH),
        ("¿?", SEARCH),
    ],
)
def test_a_question_has_a_type(text: str, kind: str) -> None:
    assert questions.parse(text).type == kind


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What do you know about the memory project?", "memory project"),
        ("  who is Ada Lovelace ?", "Ada Lovelace"),
        ("Who’s Ada?", "Ada"),
        ("Was weißt du über Molt?", "Molt"),
        ("Wer ist Ada?", "Ada"),
        ("¿Qué sabes de Molt?", "Molt"),
        ("Кто такая Ада?", "Ада"),
        ("你对小明了解多少？", "小明"),
        ("小明是谁", "小明"),
        ("田中さんについて教えて", "田中さん"),
    ],
)
def test_a_question_about_a_thing_names_it(text: str, about: str) -> None:
    assert questions.parse(text) == questions.Question(ENTITY, about)


@given(st.text())
def test_any_text_is_a_question_of_some_type(text: str) -> None:
    assert questions.parse(text).type in (WHEN, ENTITY, PROCEDURE, LATEST, SEARCH)
