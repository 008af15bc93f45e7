"""A write of several commits: each with its message, joined by one, or nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import config, errors
from molt.policy import Context
from molt.repo import find
from molt.repo.repository import Repo
from molt.repo.write import transaction
from molt.repo.write.chain import CommitWriter
from molt.repo.write.loose import Loose
from molt.repo.write.plan import Change, CommitStep
from molt.trees import Tree

ONE, TWO = "memory/one.md", "memory/two.md"


def render(summary: str) -> str:
    file = "memory/*"
    return f"[EDIT] {file} — {summary}\n\nActor: manual\nApproval: approved\nTrigger: test\n"


def make_two(tree: Tree) -> Change[None]:
    steps = (
        CommitStep({ONE: b"one\n"}, render("first")),
        CommitStep({ONE: b"one\n", TWO: b"two\n"}, render("second")),
        CommitStep({TWO: b"two\n"}, render("nothing")),
    )
    return Change({ONE: b"one\n", TWO: b"two\n"}, render("joined"), None, steps)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = find.init(str(tmp_path / "w"))
    start = Change({"memory/note.md": b"x\n"}, render("start"), None)
    transaction.commit(repo, lambda tree: start, Context(actor="manual"))
    return repo


def test_several_commits_are_joined_by_one(repo, git) -> None:
    done = transaction.commit(repo, make_two, Context(actor="manual"))
    root = Path(repo.root)
    subjects = git(root, "log", "--format=%s", "--topo-order").splitlines()
    assert [line.rpartition(" ")[2] for line in subjects] == ["joined", "second", "first", "start"]
    assert (
        git(root, "rev-parse", "HEAD^1").strip()
        == git(root, "merge-base", "HEAD^1", "HEAD^2").strip()
    )
    assert git(root, "diff", "HEAD^2", "HEAD") == ""
    assert (root / ONE).read_text() == "one\n"
    assert (root / TWO).read_text() == "two\n"
    assert git(root, "status", "--porcelain") == ""
    assert done.oid == git(root, "rev-parse", "HEAD").strip()


@pytest.mark.parametrize("message", ["one\n", "no end", "", "\n\nblanks  \n\n", "名前 ü\n"])
def test_a_commit_after_another_is_what_git_makes_of_it(repo, git, message: str) -> None:
    root = Path(repo.root)
    tree, head = git(root, "rev-parse", "HEAD^{tree}", "HEAD").split()
    writer = CommitWriter(repo, Loose(repo), config.DEFAULT)
    before = writer.write_commit(tree, "first\n", (head,))
    assert before is not None
    first = before[0]
    after = writer.write_commit(tree, message, (head, first))
    assert after is not None
    second, who = after
    stamp = who.decode().rpartition("> ")[2]
    dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    made = repo.git(
        "commit-tree", tree, "-F", "-", "-p", head, "-p", first, input=message.encode(), env=dates
    )
    assert second == made.text.strip()
    assert git(root, "fsck", "--no-dangling", "--no-reflogs", second) == ""


def test_a_commit_that_is_refused_leaves_nothing(repo, git) -> None:
    before = git(Path(repo.root), "rev-parse", "HEAD")

    def make_change(tree: Tree) -> Change[None]:
        made = make_two(tree)
        bad = CommitStep({"memory/vault/x.md": b"x"}, render("vault").replace("manual", "bot:x"))
        return made.replace(steps=(*made.steps, bad))

    with pytest.raises(errors.Refused):
        transaction.commit(repo, make_change, Context(actor="manual"))
    assert git(Path(repo.root), "rev-parse", "HEAD") == before
    assert not (Path(repo.root) / ONE).exists()
