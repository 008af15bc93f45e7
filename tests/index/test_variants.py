"""Letters that are one word in two forms are found by either."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.index.content import variants, words
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.search import search, snippets
from molt.memory.workspace import Workspace


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    setup.init(str(tmp_path), name="A", email="a@example.org")
    ws = workspace.find(str(tmp_path))
    return ws.replace(config=ws.config.replace(embedding_provider="none", search_min_score=0.0))


def found(ws: Workspace, text: str, query: str) -> bool:
    Path(ws.repo.root, "memory/note.md").write_text(f"# Note\n\n{text}\n", encoding="utf-8")
    return bool(search.search(ws, query).results)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("鑰匙放在藍色抽屜裡", "蓝色抽屉"),
        ("钥匙放在蓝色抽屉里", "藍色抽屜"),
        ("她說明天會下雨", "説明"),
        ("型號是 ＡＢ１２", "AB12"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("ذهبت إلى المدرسة الجديدة", "مدرسة جديدة"),
        ("زرت مدرسة قديمة", "المدرسة"),
        ("وصلت بالقطار", "القطار"),
        ("تكلم عن السفر وقطار الليل", "قطار"),
        ("كَتَبَ رسالةً", "كتب رساله"),
        ("أحمد يسكن هنا", "احمد"),
    ],
)
def test_one_form_finds_the_other(ws, text: str, query: str) -> None:
    assert found(ws, text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [("鑰匙放在藍色抽屜裡", "红色"), ("ذهبت إلى السوق", "مدرسة"), ("رأيت بلدا", "لدن")],
)
def test_another_word_is_another(ws, text: str, query: str) -> None:
    assert not found(ws, text, query)


def test_every_sign_has_its_place() -> None:
    text = "後來她說：ＯＫ，藍色的"
    folded = variants.fold_signs(text)
    assert folded == "后来她说:OK,蓝色的"
    assert len(folded) == len(text)
    # What is simplified already stays as it is, so that folding twice changes nothing.
    assert variants.fold_signs(folded) == folded


def test_an_article_goes_where_a_word_is_left() -> None:
    assert words.fold_text("والكتاب بالكتاب للكتاب الكتاب كتاب") == " ".join(["كتاب"] * 5)
    assert words.fold_text("ال الى") == "ال الي"


def test_a_snippet_finds_the_other_form() -> None:
    text = "沒有什麼可說的。" * 80 + "鑰匙在藍色抽屜裡。" + "沒有什麼可說的。" * 80
    assert "藍色抽屜" in snippets.cut_snippet(text, "蓝色抽屉", 60).text
