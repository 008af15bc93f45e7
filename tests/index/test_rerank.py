"""A cross-encoder through fastembed, a small one of the tests' own; what is said without one."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import cross_encoder
import pytest

from molt.config import Config
from molt.index.search import cross_encoder as cross_encoders

needs_fastembed = pytest.mark.skipif(find_spec("fastembed") is None, reason="needs fastembed")
pytestmark = pytest.mark.filterwarnings("ignore")
WORDS = ["the", "red", "blue", "boat", "left", "harbour", "at", "noon"]


def settings(folder: Path | str = "", model: str = "") -> Config:
    return Config(
        search_rerank="fastembed", search_rerank_model=model, search_rerank_model_path=str(folder)
    )


def loaded(config: Config) -> cross_encoders.CrossEncoder:
    model, why = cross_encoders.load(config)
    assert model is not None, why
    assert not why
    return model


@needs_fastembed
@pytest.mark.parametrize("file", ["onnx/model.onnx", "model.onnx"])
def test_query_and_text_are_read_together(tmp_path: Path, file: str) -> None:
    model = loaded(settings(cross_encoder.write(tmp_path / "overlap", WORDS, file=file)))
    texts = ["a boat, long ago, somewhere else", "the red boat", "nothing", "", "boat " * 500]
    judged = model.judge("red boat", texts)
    assert model.model == "overlap"
    assert judged[:4] == [1.0, 2.0, 0.0, 0.0]
    # What is longer than the model reads is cut.
    assert 1 < judged[4] < 64


@needs_fastembed
def test_each_text_has_its_own_judgement_in_any_number(tmp_path: Path) -> None:
    model = loaded(settings(cross_encoder.write(tmp_path / "overlap", WORDS)))
    texts = ["boat " * (number % 7) + "word " * (number % 5) for number in range(50)]
    assert model.judge("boat", texts) == [number % 7 for number in range(50)]
    assert model.judge("boat", []) == []


@needs_fastembed
def test_one_process_loads_a_model_once(tmp_path: Path) -> None:
    config = settings(cross_encoder.write(tmp_path / "overlap", WORDS))
    assert loaded(config)._model is loaded(config)._model


@needs_fastembed
@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_model_that_is_not_there_or_broken_is_named(
    tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / "model"
    if content is not None:
        (cross_encoder.write(folder, WORDS) / "onnx/model.onnx").write_bytes(content)
    model, why = cross_encoders.load(settings(folder))
    assert model is None
    assert why.startswith("fastembed: ")
    assert ("no folder" in why) == (content is None)


@needs_fastembed
def test_a_name_that_fastembed_does_not_know_is_named() -> None:
    assert "own/model cannot be loaded" in cross_encoders.load(settings(model="own/model"))[1]


@needs_fastembed
@pytest.mark.parametrize("odd", [{"last": "Log"}, {"output": "sum"}], ids=["infinite", "shape"])
def test_a_model_that_gives_no_numbers_is_named(tmp_path: Path, odd: dict[str, str]) -> None:
    folder = cross_encoder.write(tmp_path / "odd", WORDS)
    (folder / "onnx/model.onnx").write_bytes(cross_encoder.model(**odd))
    with pytest.raises(ValueError, match="odd cannot judge"):
        loaded(settings(folder)).judge("red", ["a"])


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.split(".")[0] == "fastembed"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastembed", None)
    model, why = cross_encoders.load(settings())
    assert model is None
    assert "molt-memory[fastembed]" in why


@pytest.mark.parametrize(
    ("name", "reads"),
    [("", False), ("/models/bge-reranker-base", True), ("/models/jina-v2-multilingual/", True)],
)
def test_a_model_of_one_script_reads_no_other(monkeypatch, name: str, reads: bool) -> None:
    monkeypatch.setattr(cross_encoders, "_loaded", lambda *_, **__: None)
    monkeypatch.setattr("os.path.isdir", lambda _: True)
    model = loaded(settings(name))
    assert model.reads("which boat?")
    assert model.reads("哪条船？") == reads


RANKED = [(2.0, 1.0), (1.8, 1.0), (1.0, 0.5), (0.4, 1.0)]


def test_the_ranking_and_the_judgement_count_half_each() -> None:
    judged = {0: -8.0, 1: 2.0, 2: -3.0, 3: -8.0}
    assert cross_encoders.blend_scores(RANKED, judged) == pytest.approx([1.0, 1.9, 0.75, 0.2])


def test_a_blend_stays_on_the_scale_of_the_ranking() -> None:
    assert cross_encoders.blend_scores([(0.03, 1.0)], {0: -11.0}) == [0.03]
    assert cross_encoders.blend_scores([(0.0, 0.0), (0.0, 1.0)], {0: 1.0, 1: 9.0}) == [0.0, 0.0]
    assert cross_encoders.blend_scores(RANKED, {}) == [2.0, 1.8, 1.0, 0.4]
    every = cross_encoders.blend_scores(RANKED, dict(enumerate((3.0, 5.0, 4.0, 9.0))))
    assert all(0 <= score <= 2 for score in every)


def test_judgements_that_are_nearly_equal_keep_the_order() -> None:
    ranked = [(score, 1.0) for score in (2.0, 1.8, 1.0, 0.4)]
    close = cross_encoders.blend_scores(ranked, {0: 0.50, 1: 0.52, 2: 0.51, 3: 0.55})
    assert close == sorted(close, reverse=True)


def test_what_was_not_judged_stays_behind_what_was_or_keeps_its_score() -> None:
    most = cross_encoders.CANDIDATES
    ranked = [(1.0 - at / 1000, 1.0) for at in range(most + 5)]
    judged = {at: float(at % 9) for at in range(most) if at != 7}
    scores = cross_encoders.blend_scores(ranked, judged)
    assert scores[7] == ranked[7][0]
    assert min(scores[:most]) >= max(scores[most:])
    assert scores[most:] == sorted(scores[most:], reverse=True)
