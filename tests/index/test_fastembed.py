"""The ONNX models of fastembed, where package and model are here; the fallback where not."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from molt.config import Config
from molt.index import providers

ROOT = Path(__file__).parents[2]
DATA = os.environ.get("MOLT_DATA", "")
PLACES = [Path(DATA)] if DATA else [ROOT.parent / "shared", ROOT.parent.parent / "shared"]
FOUND = [place / "models/all-MiniLM-L6-v2-onnx" for place in PLACES]
MODEL = next((path for path in FOUND if path.is_dir()), None)
needs_model = pytest.mark.skipif(
    find_spec("fastembed") is None or MODEL is None,
    reason="needs fastembed, and $MOLT_DATA/models/all-MiniLM-L6-v2-onnx",
)
pytestmark = pytest.mark.filterwarnings("ignore")


def settings(**more: Any) -> Config:
    return Config(embedding_provider="fastembed", embedding_model_path=str(MODEL), **more)


def nearness(one: bytes, other: bytes) -> float:
    import numpy as np

    a, b = (np.frombuffer(vector, np.int8).astype(np.float32) for vector in (one, other))
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@needs_model
def test_meaning_is_near_meaning() -> None:
    provider, why = providers.load(settings())
    assert provider is not None
    assert (provider.name, provider.dims, why) == ("fastembed", 384, "")
    texts = ["He pilots aeroplanes.", "Soup is made of onions.", "x " * 5000]
    plane, soup, _ = provider.embed(texts)
    asked = provider.query("who flies planes?")
    assert nearness(asked, plane) > nearness(asked, soup) + 0.2


@needs_model
def test_a_text_has_one_vector_alone_and_among_others() -> None:
    provider, _ = providers.load(settings())
    assert provider is not None
    texts = [f"note {number}: " + "word " * (number * 7 % 40) for number in range(40)]
    together = provider.embed(texts)
    for at in (0, 17, 39):
        # A quantised model scales by batch, so vectors differ a little.
        assert nearness(provider.embed([texts[at]])[0], together[at]) > 0.95


@needs_model
def test_a_model_that_fastembed_does_not_list_comes_from_its_folder() -> None:
    provider, why = providers.load(settings(embedding_model="own/minilm"))
    assert provider is not None
    assert (provider.model, provider.dims, why) == ("own/minilm", 384, "")


@pytest.mark.skipif(find_spec("fastembed") is None, reason="needs fastembed")
@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_model_that_is_not_there_or_broken_is_named(
    tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / "model"
    if content is not None:
        folder.mkdir()
        (folder / "model.onnx").write_bytes(content)
        (folder / "config.json").write_text('{"hidden_size": 384}')
    config = Config(embedding_provider="fastembed", embedding_model_path=str(folder))
    provider, why = providers.load(config)
    assert provider is not None
    assert provider.name == "static"
    assert why.startswith("fastembed: ")
    assert why.endswith("; static is used")


@pytest.mark.skipif(find_spec("fastembed") is None, reason="needs fastembed")
@pytest.mark.parametrize(
    ("module", "option"),
    [("providers", "embedding_provider"), ("search.cross_encoder", "search_rerank")],
)
def test_without_leave_no_model_is_downloaded_and_only_the_answer_says_so(
    module: str, option: str
) -> None:
    # A process of its own: what fastembed logs goes past the captured streams of this one.
    script = (
        f"from molt.config import Config; import molt.index.{module} as found; "
        f"print(found.load(Config({option}='fastembed'))[1])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    assert "is not here; set embedding.allow_download" in done.stdout
    assert done.stderr == ""


def test_without_the_package_the_static_model_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    provider, why = providers.load(Config(embedding_provider="fastembed"))
    assert provider is not None
    assert provider.name == "static"
    assert "molt-memory[fastembed]" in why
