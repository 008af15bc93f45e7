"""A reflection that git or a forge merges: recognised, completed, the same memory as by hand."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from molt import errors, trees
from molt.formats.reflections import histories
from molt.memory.checks import verify
from molt.memory.govern import accept
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import merged
from molt.memory.workspace import Workspace

from .conftest import NOW, OPERATIONS, commit_files
from .test_approve import LATER, apply_by_hand, read_entry, read_memories

DROPPED = {"all": (), "only": (1, 3, 4), "except": (4,)}
"""The numbers of the operations whose commits are left out, for each choice."""
FORGE = {"GIT_COMMITTER_NAME": "GitHub", "GIT_COMMITTER_EMAIL": "noreply@example.org"}


ELSEWHERE = {
    "memory/graph/entities/tool--make.md": "---\nid: tool--make\ntype: tool\nlabel: make\n---\n",
    "memory/episodes/2026-02-03.md": "# 2026-02-03\n\n## 08:00 | fact | confidence: high\nTea.\n",
}
"""What happened on main meanwhile: what git itself cannot merge, no button does."""


class Forge:
    """A clone without hooks, where a person presses a button."""

    def __init__(self, ws: Workspace, folder: Path) -> None:
        self.root = folder / "forge"
        self.home = Path(ws.repo.root)
        self.run(folder, "clone", "-q", str(self.home), str(self.root))
        self.run(self.root, "checkout", "-q", "-b", "proposal", "origin/reflect/r-001")
        self.run(self.root, "checkout", "-q", "main")

    def run(self, cwd: Path, *args: str) -> str:
        env = {**os.environ, **FORGE}
        done = subprocess.run(
            ["git", *args], cwd=cwd, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def drop(self, number: int) -> None:
        """Leave the commit of one operation out of the branch, as a person does before a merge."""
        out = self.run(self.root, "log", "--reverse", "--format=%H", "main..proposal")
        base = self.run(self.root, "merge-base", "main", "proposal").strip()
        self.run(self.root, "checkout", "-q", "-B", "proposal", base)
        for oid in out.split():
            if f"\nOperation: {number}\n" not in self.run(
                self.root, "log", "-1", "--format=%B", oid
            ):
                self.run(self.root, "cherry-pick", oid)
        self.run(self.root, "checkout", "-q", "main")

    def change(self, old: str, new: str) -> None:
        """Write other words than were proposed into MEMORY.md, as a person does who amends."""
        self.run(self.root, "checkout", "-q", "proposal~1")
        path = self.root / "MEMORY.md"
        path.write_text(path.read_text().replace(old, new))
        self.run(self.root, "commit", "-q", "-a", "--amend", "--no-edit")
        self.run(self.root, "cherry-pick", "proposal")
        self.run(self.root, "checkout", "-q", "-B", "proposal")
        self.run(self.root, "checkout", "-q", "main")

    def merge(self) -> None:
        said = "Merge pull request #7 from ada/reflect/r-001\n\nReflection r-001"
        self.run(self.root, "merge", "-q", "--no-ff", "-m", said, "proposal")

    def squash_list(self) -> None:
        bodies = self.run(self.root, "log", "--reverse", "--format=* %B", "main..proposal")
        self._squash(f"Reflection r-001 (#7)\n\n{bodies}")

    def squash_title(self) -> None:
        self._squash("Reflection r-001 (#7)")

    def _squash(self, said: str) -> None:
        self.run(self.root, "merge", "-q", "--squash", "proposal")
        self.run(self.root, "commit", "-q", "-m", said)

    def rebase(self) -> None:
        self.run(self.root, "rebase", "-q", "--force-rebase", "main", "proposal")
        self.run(self.root, "checkout", "-q", "main")
        self.run(self.root, "merge", "-q", "--ff-only", "proposal")

    def fetch(self) -> None:
        """Bring it home."""
        self.run(self.home, "pull", "-q", "--ff-only", str(self.root), "main")


def drop_sources(files: dict[str, bytes | None]) -> dict[str, bytes]:
    """Files without what says where their lines are from: who writes a line by hand says none."""
    return {path: re.sub(rb" \(source: [^)]*\)", b"", data or b"") for path, data in files.items()}


WAYS = ("merge", "squash_list", "squash_title", "rebase")


@pytest.mark.parametrize("moved", [False, True], ids=["still", "moved"])
@pytest.mark.parametrize("choice", DROPPED)
@pytest.mark.parametrize("way", WAYS)
def test_every_button_of_a_forge_is_an_approval(ws, propose, tmp_path, way, choice, moved) -> None:
    dropped = DROPPED[choice]
    propose()
    if moved:
        commit_files(ws, dict(ELSEWHERE))
    wanted = apply_by_hand(ws, tuple(one for one in OPERATIONS if one.n not in dropped))
    forge = Forge(ws, tmp_path)
    for number in dropped:
        forge.drop(number)
    getattr(forge, way)()
    forge.fetch()
    assert verify.verify_commits(ws.repo).errors == ()
    (done,) = merged.finish_merged(ws, LATER)
    assert (done.applied, done.total, done.otherwise) == (8 - len(dropped), 8, ())
    assert read_memories(ws) == wanted
    assert verify.verify_commits(ws.repo).errors == ()
    found = branch.find_reflection(ws, "r-001")
    assert found.status == ("partial" if dropped else "approved")
    left = [one.n for one in found.record.items if one.decision.startswith("dropped")]
    assert left == [*dropped]
    (entry,) = histories.parse_log(trees.read_text(ws.head(), histories.LOG))
    assert (entry.id, entry.applied, entry.by) == ("r-001", done.applied, done.by)
    assert read_entry(ws, OPERATIONS[4].text("memory"))["status"] == "archived"
    assert merged.finish_merged(ws, LATER) == ()
    assert branch.list_open(ws) is not None
    assert not [one for one in branch.list_reflections(ws) if one.is_open]


def test_a_squash_under_a_title_of_its_own_brings_new_notes(ws, propose, tmp_path) -> None:
    propose(OPERATIONS[:1])
    forge = Forge(ws, tmp_path)
    forge.squash_title()
    forge.fetch()
    assert verify.verify_commits(ws.repo).errors == ()
    (done,) = merged.finish_merged(ws, LATER)
    assert (done.status, done.applied, done.total) == ("approved", 1, 1)


def test_a_branch_that_is_put_in_place_of_main_is_no_approval(ws, git, propose) -> None:
    propose()
    root = Path(ws.repo.root)
    git(root, "-c", "core.hooksPath=/dev/null", "merge", "-q", "--ff-only", "reflect/r-001")
    assert merged.finish_merged(ws, LATER) == ()
    codes = {one.code for _, one in verify.verify_commits(ws.repo).errors}
    assert codes == {"REFL001"}


def test_what_a_person_accepts_of_such_a_branch_is_approved(ws, git, propose) -> None:
    propose()
    wanted = apply_by_hand(ws, OPERATIONS)
    root, before = Path(ws.repo.root), ws.repo.resolve("HEAD")
    git(root, "-c", "core.hooksPath=/dev/null", "merge", "-q", "--ff-only", "reflect/r-001")
    with pytest.raises(errors.Refused, match="came into this branch without a merge"):
        branch.require_open(ws, "r-001")
    accept.accept_findings(ws, [f"{before}..HEAD"], "read, and taken", "manual")
    (done,) = merged.finish_merged(ws, LATER)
    assert (done.status, done.applied, done.total, done.otherwise) == ("approved", 8, 8, ())
    assert read_memories(ws) == wanted
    assert verify.verify_commits(ws.repo).errors == ()
    assert not [one for one in branch.list_reflections(ws) if one.is_open]


@pytest.mark.parametrize("moved", [False, True], ids=["still", "moved"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("holds", [False, True], ids=["changed", "more"])
def test_what_is_merged_with_other_words_is_not_told_as_proposed(
    ws, propose, tmp_path, way, holds, moved
) -> None:
    propose()
    if moved:
        commit_files(ws, dict(ELSEWHERE))
    said = ["Be brief", "Be loud"] if holds else ["Be loud"]
    added = {"add": [{"block": "Persona", "text": text} for text in said]}
    wanted = apply_by_hand(ws, (*OPERATIONS[:7], OPERATIONS[7].replace(args=added)))
    forge = Forge(ws, tmp_path)
    forge.change("Be brief", "\n- ".join(said))
    getattr(forge, way)()
    forge.fetch()
    assert drop_sources(read_memories(ws)) == drop_sources(wanted)
    assert verify.verify_commits(ws.repo).errors == ()
    (done,) = merged.finish_merged(ws, LATER)
    assert (done.applied, done.otherwise) == (8 if holds else 7, (8,))
    found = branch.find_reflection(ws, "r-001")
    assert found.status == ("approved" if holds else "partial")
    decided = {one.n: one.decision for one in found.record.items}
    assert decided.pop(8).startswith("edited: " if holds else "dropped: ")
    assert {*decided.values()} == {"approved"}


@pytest.mark.parametrize("with_record", [False, True])
def test_a_commit_of_a_reflection_comes_with_the_record_that_names_it(
    ws, git, propose, with_record: bool
) -> None:
    propose()
    root = Path(ws.repo.root)
    picked = ("reflect/r-001~5", "reflect/r-001")[: 1 + with_record]
    git(root, "-c", "core.hooksPath=/dev/null", "cherry-pick", *picked)
    codes = {one.code for _, one in verify.verify_commits(ws.repo).errors}
    assert codes == (set() if with_record else {"REFL001"})


def test_what_cannot_be_written_now_waits(ws, git, propose, tmp_path) -> None:
    propose()
    forge = Forge(ws, tmp_path)
    forge.merge()
    forge.fetch()
    git(Path(ws.repo.root), "checkout", "-q", "--detach")
    assert merged.finish_quietly(ws, NOW) == ()
    git(Path(ws.repo.root), "checkout", "-q", "main")
    assert len(merged.finish_quietly(ws, NOW)) == 1
