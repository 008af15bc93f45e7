"""`molt accept`, and how `molt verify` says what there is to accept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from histories import DAY, FALSE, History, said

from molt.cli import main


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    made = History(tmp_path / "w")
    made.start()
    monkeypatch.chdir(made.root)
    return made


def test_verify_says_how_a_finding_is_accepted_and_then_is_green(history, capsys) -> None:
    bad = history.commit({DAY: FALSE})
    assert main(["verify"]) == 1
    assert f"molt accept {bad[:10]}" in capsys.readouterr().err
    assert main(["accept", bad[:10], "--why", "a typo"]) == 0
    assert capsys.readouterr().out == f"accepted EPI001 of {bad[:10]}\n"
    assert main(["verify"]) == 0
    assert f"accepted in {history.git('rev-parse', 'HEAD')[:10]}" in capsys.readouterr().out


def test_it_answers_in_json(history, capsys) -> None:
    bad = history.commit({DAY: FALSE})
    assert main(["accept", bad, "epi001", "--why", "a typo", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["accepted"] == [{"commit": bad, "code": "EPI001"}]
    assert said["commit"] == history.git("rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("args", "status"),
    [(("HEAD",), 2), (("HEAD", "--why", "x"), 4), (("--why", "x"), 2), (("HEAD", "-n1"), 2)],
)
def test_mistakes_have_their_status(history, capsys, args, status) -> None:
    assert main(["accept", *args]) == status
    assert capsys.readouterr().err


def test_a_bot_is_refused(history, monkeypatch, capsys) -> None:
    bad = history.commit({DAY: FALSE})
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    assert main(["accept", bad, "--why", "x"]) == 1
    assert "bot:main does not accept" in capsys.readouterr().err


def test_an_empty_range_is_said_to_be_one(history, capsys) -> None:
    assert main(["verify", "HEAD..HEAD"]) == 0
    out = capsys.readouterr()
    assert out.out == "0 commits, 0 findings\n"
    assert "nothing was judged" in out.err


def test_a_shallow_clone_is_told_to_fetch_all(history, tmp_path, monkeypatch, capsys) -> None:
    history.commit({"a.md": "a\n"}, said("CREATE", "a.md"))
    history.git("clone", "-q", "--depth=1", f"file://{history.root}", str(tmp_path / "c"))
    monkeypatch.chdir(tmp_path / "c")
    assert main(["verify"]) == 2
    assert "history is missing" in capsys.readouterr().err
    assert main(["verify", "--json"]) == 2


def test_an_annotation_cannot_be_left(history, capsys) -> None:
    path = "memory/a\n::error::forged,title=x:y%0A.md"
    history.commit({path: "a\n"}, said("CREATE", "x"))
    main(["verify", "--format", "github"])
    rows = capsys.readouterr().out.splitlines()
    assert rows
    assert not [row for row in rows if row.startswith("::error::forged")]
    assert all("file=memory/a%0A%3A%3Aerror" in row for row in rows if "SEC004" in row)


def test_check_judges_as_the_actor_of_the_hook(history, monkeypatch, capsys) -> None:
    history.git("reset", "-q", "--hard")
    path = history.root / "memory/vault/a.md"
    path.parent.mkdir()
    path.write_text("---\nid: a\n---\n")
    assert main(["check"]) == 0
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    assert main(["check"]) == 1
    assert "VAULT001" in capsys.readouterr().out
    monkeypatch.delenv("MOLT_ACTOR")
    history.git("config", "molt.actor", "bot:other")
    assert main(["check"]) == 1
