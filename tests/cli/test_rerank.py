"""The reranker as an option of search and recall."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import cross_encoder
import pytest

needs_fastembed = pytest.mark.skipif(find_spec("fastembed") is None, reason="needs fastembed")


def turn_on(agent: Path, git, folder: Path) -> None:
    rows = ("search:", "  rerank: fastembed", f"  rerank_model_path: {folder}", "")
    (agent / "molt.yaml").write_text("\n".join(rows))
    git(agent, "commit", "-qam", "rerank")


@needs_fastembed
@pytest.mark.filterwarnings("ignore")
def test_a_cross_encoder_reorders_search_and_recall(agent, run, git, tmp_path: Path) -> None:
    late = "in winter, so they say at the harbour, the gate opens at ten"
    run("remember", late)
    plain = json.loads(run("search", "harbour gate", "--json").out)["results"]
    assert plain[0]["snippet"] == "the harbour gate opens at nine"
    # It knows one word alone: its judgement is another than that of the keywords.
    turn_on(agent, git, cross_encoder.write(tmp_path / "overlap", ["ten"]))
    said = run("search", "harbour gate ten", "--json")
    found = json.loads(said.out)
    assert found["results"][0]["snippet"] == late
    assert [one["signals"]["rerank"] for one in found["results"]][:2] == [1.0, 0.0]
    assert (found["reranker"], found["fallback"], said.err) == ("overlap", "", "")
    assert json.loads(run("recall", "harbour gate ten", "--json").out)["reranker"] == "overlap"


@pytest.mark.filterwarnings("ignore")
def test_a_reranker_that_is_not_there_is_named_and_the_search_answers(
    agent, run, git, tmp_path: Path
) -> None:
    before = json.loads(run("search", "harbour gate", "--json").out)
    turn_on(agent, git, tmp_path / "nowhere")
    for command in ("search", "recall"):
        said = run(command, "harbour gate")
        assert said.status == 0
        assert "nine" in said.out
        assert "molt: not reranked: fastembed: " in said.err
        found = json.loads(run(command, "harbour gate", "--json").out)
        assert found["fallback"].startswith("not reranked: fastembed: ")
        assert found["results"] == before["results"]


def test_a_reranker_that_is_off_is_not_imported(agent) -> None:
    script = (
        "import sys; from molt.cli import main; main(['search', 'harbour gate']); "
        "print(*({'molt.index.search.cross_encoder', 'molt.memory.search.reranked', "
        "'molt.index.providers.fastembed', "
        "'fastembed', 'numpy'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=agent, capture_output=True, text=True, check=True
    )
    assert "nine" in done.stdout
    assert done.stderr.strip() == ""
