"""The installed command and real git, driven through processes only."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Molt = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "agent"


@pytest.fixture
def molt(root: Path) -> Molt:
    def run(*args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        place = cwd or (root if root.exists() else root.parent)
        return subprocess.run(
            [sys.executable, "-m", "molt", *args],
            cwd=place, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def agent(root: Path, molt: Molt) -> Path:
    assert molt("init", str(root)).returncode == 0
    return root


def test_the_demo_runs(tmp_path, molt) -> None:
    done = molt("demo", str(tmp_path / "demo"), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "EPI001" in done.stdout


def test_a_second_init_changes_nothing(agent, molt, git) -> None:
    head = git(agent, "rev-parse", "HEAD")
    done = molt("init")
    assert (done.returncode, git(agent, "rev-parse", "HEAD")) == (0, head)
    assert git(agent, "status", "--porcelain") == ""


def test_what_is_remembered_is_found_and_verified(agent, molt) -> None:
    said = json.loads(molt("remember", "the harbour gate code changed", "--json").stdout)
    found = json.loads(molt("search", "harbour gate", "--json").stdout)
    assert found["results"][0]["id"] == said["id"]
    assert found["provider"] == "static"
    assert molt("verify").returncode == 0


def test_an_uncommitted_edit_is_found(agent, molt) -> None:
    (agent / "memory/notes.md").write_text("# Zebra crossing\n\nzebras cross here\n")
    found = json.loads(molt("search", "zebra", "--json").stdout)
    assert found["results"][0]["path"] == "memory/notes.md"


def test_a_chinese_word_of_two_characters_is_found(agent, molt) -> None:
    molt("remember", "用户更喜欢使用制表符而不是空格")
    found = json.loads(molt("search", "空格", "--json").stdout)
    assert "制表符" in found["results"][0]["snippet"]


def test_what_skips_the_hooks_is_found_by_verify(agent, molt, git) -> None:
    molt("remember", "first")
    (episode,) = (agent / "memory/episodes").glob("*.md")
    episode.write_text(episode.read_text().replace("first", "second"))
    assert "EPI001" in git(agent, "commit", "-qam", "rewrite", check=False)
    git(agent, "commit", "-qam", "rewrite", "--no-verify")
    done = molt("verify", "--format", "json")
    assert done.returncode == 1
    assert "EPI001" in [one["code"] for one in json.loads(done.stdout)["findings"]]


def test_a_person_beside_molt_keeps_uncommitted_work(agent, molt, git) -> None:
    (agent / "MEMORY.md").write_text((agent / "MEMORY.md").read_text() + "- mine\n")
    assert molt("remember", "theirs", "--store", "core", "--block", "Identity").returncode == 0
    assert "- mine" in (agent / "MEMORY.md").read_text()
    assert "- mine" not in git(agent, "show", "HEAD:MEMORY.md")
    assert "- theirs" in git(agent, "show", "HEAD:MEMORY.md")


def test_an_entry_that_a_person_has_not_committed_can_be_committed_after_a_memory(
    agent, molt, git
) -> None:
    molt("remember", "first")
    (episode,) = (agent / "memory/episodes").glob("*.md")
    mine = "\n## 23:59 | event | confidence:low | tags:[]\nmine\n"
    episode.write_text(episode.read_text() + mine)
    assert molt("remember", "second").returncode == 0
    assert git(agent, "diff", "--numstat").split()[:2] == ["3", "0"]
    git(agent, "commit", "-qam", "my entry")
    assert molt("verify").returncode == 0
    assert episode.read_text().endswith(f"second\n{mine}")


def test_a_day_that_a_person_began_can_be_committed_after_a_memory(agent, molt, git) -> None:
    path = json.loads(molt("remember", "first", "--dry-run", "--json").stdout)["path"]
    (agent / path).parent.mkdir(exist_ok=True)
    mine = "\n## 00:01 | event | confidence:low | tags:[]\nmine\n"
    (agent / path).write_text(f"# {Path(path).stem} — Episode Log\n{mine}")
    assert molt("remember", "first").returncode == 0
    git(agent, "commit", "-qam", "my entry")
    assert molt("verify").returncode == 0
    assert (agent / path).read_text().endswith(mine)


def test_lines_that_continue_the_last_entry_are_not_moved_behind_another(agent, molt, git) -> None:
    molt("remember", "first")
    (episode,) = (agent / "memory/episodes").glob("*.md")
    episode.write_text(written := f"{episode.read_text()}and more of it\n")
    head = git(agent, "rev-parse", "HEAD")
    done = molt("remember", "second")
    assert (done.returncode, "commit or stash them first" in done.stderr) == (1, True)
    assert (git(agent, "rev-parse", "HEAD"), episode.read_text()) == (head, written)


def test_derived_files_come_back_equal(agent, molt) -> None:
    import shutil

    molt("remember", "one")
    molt("log")
    log = (agent / "memory/meta/audit.log").read_text()
    first = json.loads(molt("search", "one", "--json").stdout)
    shutil.rmtree(agent / ".git/molt")
    (agent / "memory/meta/audit.log").unlink()
    assert json.loads(molt("search", "one", "--json").stdout) == first
    molt("log")
    assert (agent / "memory/meta/audit.log").read_text() == log


def test_a_workspace_full_of_untracked_files_is_adopted_as_it_is(root, molt, git) -> None:
    (root / "memory").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    (root / "SOUL.md").write_text("# Mine\n")
    (root / "memory/2026-01-02.md").write_text("- went for a walk\r\n")
    (root / "program.py").write_text("pass\n")
    done = molt("init")
    assert done.returncode == 0, done.stderr
    assert (root / "memory/2026-01-02.md").read_bytes() == b"- went for a walk\r\n"
    assert git(root, "status", "--porcelain") == "?? program.py\n"
    assert molt("verify").returncode == 0
    assert "walk" in molt("search", "walk").stdout


def test_history_from_before_the_adoption_is_not_judged(root, molt, git) -> None:
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.md").write_text("a\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "wip")
    assert molt("init").returncode == 0
    assert (root / "a.md").read_text() == "a\n"
    assert json.loads(molt("verify", "--json").stdout)["findings"] == []


@pytest.mark.parametrize(
    ("args", "status"),
    [
        pytest.param(("remember", "  "), 2, id="empty"),
        pytest.param(("remember", "x", "--entity", "no-colon"), 2, id="entity"),
        pytest.param(("remember", "key ghp_" + "a1" * 20, "--store", "episodic"), 1, id="secret"),
        pytest.param(("get", "../../etc/passwd.md"), 2, id="outside"),
        pytest.param(("get", "episode:2020-01-01:10:00"), 4, id="nothing"),
        pytest.param(("verify", "nonsense"), 4, id="range"),
        pytest.param(("rule", "NOPE1"), 4, id="rule"),
        pytest.param(("frobnicate",), 2, id="command"),
    ],
)
def test_bad_input_is_told_plainly_and_changes_nothing(
    agent, molt, git, args: tuple[str, ...], status: int
) -> None:
    head = git(agent, "rev-parse", "HEAD")
    done = molt(*args)
    assert done.returncode == status, done.stderr
    assert done.stderr
    assert "Traceback" not in done.stderr
    assert git(agent, "rev-parse", "HEAD") == head
    assert git(agent, "status", "--porcelain") == ""


def test_outside_a_workspace_the_error_says_what_to_do(tmp_path, molt) -> None:
    done = molt("status", cwd=tmp_path)
    assert done.returncode == 4
    assert "molt init" in done.stderr


def test_records_are_imported_once_and_found(agent, molt, git, tmp_path) -> None:
    source = tmp_path / "talk.jsonl"
    rows = [
        {"id": f"t{n}", "text": text, "date": "2023-05-08T13:56"}
        for n, text in enumerate(("Ada: I planted tulips", "Bo: which colour?", "## 10:00 | odd"))
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first = json.loads(molt("import", str(source), "--json").stdout)
    assert list(first["memories"]) == ["t0", "t1", "t2"]
    found = json.loads(molt("search", "who planted tulips", "--json").stdout)
    assert found["results"][0]["id"] == first["memories"]["t0"]
    head = git(agent, "rev-parse", "HEAD")
    assert json.loads(molt("import", str(source), "--json").stdout)["memories"] == {}
    assert git(agent, "rev-parse", "HEAD") == head
    assert molt("verify").returncode == 0


@pytest.mark.parametrize("row", ["{", "[]", '{"text": 1}', '{"text": "", "date": "x"}'])
def test_a_broken_record_is_named_and_nothing_is_imported(agent, molt, git, tmp_path, row) -> None:
    source = tmp_path / "talk.jsonl"
    source.write_text('{"id": "a", "text": "fine", "date": "2023-05-08"}\n' + row + "\n")
    head = git(agent, "rev-parse", "HEAD")
    done = molt("import", str(source))
    assert done.returncode == 2
    assert "talk.jsonl:2" in done.stderr
    assert git(agent, "rev-parse", "HEAD") == head


def test_the_context_holds_core_and_today_within_its_bound(agent, molt) -> None:
    molt("remember", "the ferry leaves at nine")
    said = molt("context").stdout
    assert "## Identity" in said
    assert "the ferry leaves at nine" in said
    assert len(molt("context", "--max-tokens", "40").stdout) < len(said)


def test_why_tells_who_wrote_a_memory(agent, molt) -> None:
    said = json.loads(molt("remember", "the ferry leaves at nine", "--json").stdout)
    assert "| bot:main |" in molt("why", said["id"]).stdout
    assert molt("why", "episode:1990-01-01:00:00").returncode == 4


@pytest.mark.parametrize("before", ["", "## Identity\n- Ada\n\n"], ids=["no-blocks", "below-one"])
def test_core_memory_in_no_block_is_found(agent, molt, before: str) -> None:
    text = f"{before}# Mine\n\nA quokka.\n\n- a numbat\n\n## Persona\n- short\n"
    (agent / "MEMORY.md").write_text(text)
    for word in ("quokka", "numbat"):
        (first, *_) = json.loads(molt("search", word, "--json").stdout)["results"]
        assert word in first["snippet"]
