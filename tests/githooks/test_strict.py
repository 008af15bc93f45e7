"""The strict hook: what skips the others is refused before a branch gets it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from molt.policy import Context
from molt.repo import hooks
from molt.repo.write import transaction
from molt.repo.write.plan import Change

EPISODE = "memory/episodes/2026-02-02.md"
TWO = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"


@pytest.fixture
def strict(agent):
    """A strict workspace, with a bad commit that no branch has."""
    agent.git("switch", "-qc", "bad")
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    agent.bad = agent.git("rev-parse", "HEAD").strip()
    agent.git("switch", "-q", "main")
    agent.git("branch", "-qD", "bad")
    hooks.install(agent.repo.hooks_dir(), sys.executable, strict=True)
    return agent


def refused(agent, *args: str) -> None:
    head = agent.git("rev-parse", "refs/heads/main")
    done = agent.run(*args)
    assert done.returncode != 0
    assert "EPI001" in done.stderr, done.stderr
    assert agent.git("rev-parse", "refs/heads/main") == head


@pytest.mark.parametrize(
    "args",
    [
        ("cherry-pick", "BAD"),
        ("merge", "--ff-only", "BAD"),
        ("merge", "--no-ff", "-m", "merge", "BAD"),
        ("update-ref", "refs/heads/main", "BAD"),
        ("branch", "new", "BAD"),
        ("reset", "--hard", "BAD"),
        ("pull", "-q", ".", "BAD"),
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_a_bad_commit_reaches_no_branch(strict, args) -> None:
    refused(strict, *(strict.bad if arg == "BAD" else arg for arg in args))


def test_a_commit_without_verification_is_refused(strict) -> None:
    strict.rewrite()
    refused(strict, "commit", "-m", "rewrite", "--no-verify")


def test_a_revert_by_a_bot_is_refused(strict, monkeypatch) -> None:
    strict.append(TWO)
    strict.git("commit", "-qm", "two")
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    refused(strict, "revert", "--no-edit", "HEAD")


def test_a_revert_by_a_person_passes(strict) -> None:
    strict.append(TWO)
    strict.git("commit", "-qm", "two")
    strict.git("revert", "--no-edit", "HEAD")


def test_what_a_rebase_made_is_refused(strict) -> None:
    strict.put("notes.md", "a\n")
    strict.git("commit", "-qm", "notes")
    strict.git("checkout", "-q", "--detach", strict.bad)
    strict.git("rebase", "-q", "main")
    refused(strict, "update-ref", "refs/heads/main", "HEAD")


def test_an_amend_is_judged_on_its_real_parent(strict) -> None:
    strict.append(TWO)
    strict.git("commit", "-qm", "two")
    strict.put(EPISODE, (strict.root / EPISODE).read_text().replace("Two.", "Second."))
    strict.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    strict.rewrite()
    refused(strict, "commit", "-q", "--amend", "--no-edit", "--no-verify")


def test_good_work_of_every_kind_goes_on(strict, tmp_path: Path) -> None:
    strict.git("switch", "-qc", "side")
    strict.append(TWO)
    strict.git("commit", "-qm", "two")
    strict.git("switch", "-q", "main")
    strict.git("merge", "-q", "--no-ff", "side")
    strict.git("branch", "-d", "side")
    strict.git("tag", "v1")
    strict.git("stash", "list")
    strict.git("pack-refs", "--all")
    strict.git("gc", "-q")
    strict.git("clone", "-q", str(strict.root), str(tmp_path / "clone"))
    assert strict.codes() == set()


def write(agent, message: str) -> transaction.Written[None]:
    def make_change(tree):
        return Change({EPISODE: (tree.read(EPISODE) or b"") + TWO.encode()}, message, None)

    return transaction.commit(agent.repo, make_change, Context(actor="bot:main"), deadline=20)


GOOD = f"[APPEND] {EPISODE} — two\n\nActor: bot:main\nApproval: auto\nTrigger: test\n"


def test_molts_own_write_is_judged_once(strict, monkeypatch) -> None:
    # A hook whose Python is gone runs the `molt` that is found otherwise.
    places = os.environ["PATH"].split(os.pathsep)
    kept = [place for place in places if not Path(place, "molt").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(kept))
    if shutil.which("git") is None:
        pytest.skip("git is found only where a molt is")
    hook = Path(strict.repo.hooks_dir(), "reference-transaction")
    hook.write_text(hook.read_text().replace(sys.executable, "/no/such/python"))
    assert write(strict, GOOD).oid
    strict.append(TWO.replace("10:00", "11:00"))
    assert strict.run("commit", "--no-verify", "-m", "by hand").returncode != 0


def test_a_journal_of_another_commit_helps_nobody(strict) -> None:
    head = strict.git("rev-parse", "HEAD").strip()
    Path(strict.repo.git_dir, "molt/txn").write_text(f"refs/heads/main\t{head}\t0\nend\n")
    refused(strict, "update-ref", "refs/heads/main", strict.bad)


def test_what_is_strict_stays_so_and_can_be_removed(strict) -> None:
    folder = strict.repo.hooks_dir()
    assert hooks.install(folder, "/other/python")[-1] == "reference-transaction"
    assert hooks.status(folder, "/other/python")[-1].state == "installed"
    hooks.uninstall(folder)
    strict.git("merge", "-q", "--ff-only", strict.bad)
