"""The law of the doors: molt's own write, the hooks of git and `molt verify` find the same.

Every case of the policy, passing or failing, goes through all three. The cases of a rule share a
repository, for making one takes longer than judging.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from copy import copy
from pathlib import Path

import policy_cases
import pygit2
import pytest
from moments import BY_HAND
from policy_cases import Case, Files
from pygit2.enums import FileMode

from molt import config, errors, policy, trees
from molt.cli import main
from molt.formats import message as messages
from molt.formats.lines import escape_text
from molt.memory import judging
from molt.repo import find
from molt.repo import hooks as hook_files
from molt.repo.write import transaction as transactions
from molt.repo.write.plan import Change

# What a door has seen of history is no matter of one commit: `tests/memory/test_verify.py`.
# Where the format is a newer one, commands do not open at all: `tests/githooks/test_format.py`.
ELSEWHERE = ("HIST", "CONF")
CASES = [case for case in policy_cases.load() if not case.history]
CODES = sorted({case.code for case in CASES if not case.code.startswith(ELSEWHERE)})
START = BY_HAND.replace("[EDIT] * — by hand", "[INIT] * — a start")
CHANGE = BY_HAND
ALERTING = frozenset(policy_cases.CRITICAL) - {"molt.yaml"}
OTHER = (b"before\n", trees.REGULAR)
ADA = pygit2.Signature("Ada", "ada@example.org", 1767268800, 0)  # 2026-01-01, 12:00 UTC


class Doors:
    """A repository with molt's hooks that is put back to a case's start before each door."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capsys = capsys
        self.started: tuple[Case, str, str] | None = None
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.objects = pygit2.Repository(str(root))
        hook_files.install(str(root / ".git/hooks"), sys.executable)

    def git(self, *args: str, data: str = "") -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, input=data, capture_output=True, encoding="utf-8",
            env=os.environ | {"GIT_COMMITTER_DATE": "2026-01-01T12:00:00+0000"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def lay(self, files: Files) -> None:
        """The files on disk and in the index, and no others."""
        for old in self.root.iterdir():
            if old.name != ".git":
                shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
        for path, (data, mode) in files.items():
            self.place(self.root / path, data, mode)
        self.fill(self.objects.index, files)
        self.objects.index.write()

    def fill(self, index: pygit2.Index, files: Files) -> None:
        """The files in an index, and no others; git itself takes three processes for each door."""
        index.clear()
        for path, (data, mode) in files.items():
            module = mode == trees.SUBMODULE
            oid = policy_cases.COMMIT if module else self.objects.create_blob(data)
            entry = pygit2.IndexEntry(path, pygit2.Oid(hex=str(oid)), FileMode(mode))
            index.add(entry)

    def place(self, path: Path, data: bytes, mode: int) -> None:
        if mode == trees.SUBMODULE:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if mode == trees.SYMLINK:
            path.symlink_to(data.decode())
            return
        path.write_bytes(data)
        if mode == trees.EXECUTABLE:
            path.chmod(0o755)

    def record(self, files: Files, message: str, *parents: str) -> str:
        index = pygit2.Index()
        self.fill(index, files)
        tree = index.write_tree(self.objects)
        return str(self.objects.create_commit(None, ADA, ADA, message, tree, list(parents)))

    def start(self, case: Case) -> None:
        """HEAD as before the case, and once also index and files, which each door then lays as it
        needs them; a merge is under way if it is one.
        """
        if self.started is None or self.started[0] is not case:
            self.started = (case, *self.record_start(case))
        _, head, theirs = self.started
        self.objects.references.create("refs/heads/main", head, force=True)
        # A case begins with settings that are in force, also those that nobody could have signed.
        repo = find.find_repo(str(self.root))
        tree = self.objects[head].peel(pygit2.Tree)
        config.settle(repo.cache, str(tree[config.PATH].id) if config.PATH in tree else "", {})
        if theirs:
            (self.root / ".git/MERGE_HEAD").write_text(f"{theirs}\n")

    def record_start(self, case: Case) -> tuple[str, str]:
        """The commit before a case, and the one that is being merged into it, if any."""
        if case.theirs is None:
            before = {**case.base, **dict.fromkeys(ALERTING.intersection(case.base), OTHER)}
            earlier = [self.record(before, START)] if case.alerts else []
            return self.record(case.base, CHANGE if case.alerts else START, *earlier), ""
        root = self.record(case.ancestor, START)
        theirs = self.record(case.theirs, START, root)
        return self.record(case.base, START, root), theirs

    def transaction(self, case: Case) -> list[str]:
        self.start(case)
        edits: trees.Edits = {path: data for path, (data, _) in case.new.items()}
        edits |= dict.fromkeys(case.gone)
        repo = find.find_repo(str(self.root))
        context = judging.context_for(repo, repo.tip(), actor=case.actor)
        try:
            change = Change(edits, case.message, None)
            done = transactions.commit(repo, lambda _: change, context, dry_run=True)
        except errors.Refused as refused:
            return [line(found) for found in refused.findings if isinstance(found, policy.Finding)]
        return [line(found) for found in done.findings]

    def hooks(self, case: Case) -> list[str]:
        """What `git commit` says, each line as the case has it; a line that it has not, whole."""
        self.start(case)
        self.lay(case.after)
        done = self.commit(case)
        said = [
            row
            for row in done.stderr.splitlines()
            if row.startswith((f"{MARK}error ", f"{MARK}warning "))
        ]
        assert bool(done.returncode) == any("molt: error" in row for row in said), done.stderr
        said = [row for row in said if case.concerns(row.removeprefix(MARK))]
        # The line of what is wrong with a message is for programs.
        told = {found: escape_text(found).replace(" :1", "") for found in case.findings}
        known = {f"molt: {told[found]}: ": found for found in told}
        return [next((known[one] for one in known if row.startswith(one)), row) for row in said]

    def verify(self, case: Case) -> list[str]:
        """What `molt verify` says of the commit that went by the hooks."""
        self.start(case)
        self.lay(case.after)
        # In a clone without hooks; with them, even `--no-verify` lets one complete the message.
        done = self.commit(case, hooks="/dev/null")
        assert done.returncode == 0, done.stderr
        self.capsys.readouterr()
        status = main(["--workspace", str(self.root), "verify", "HEAD^!", "--json"])
        said = json.loads(self.capsys.readouterr().out)["findings"]
        assert status == any(one["severity"] == "error" for one in said)
        return [
            line(policy.Finding(**{k: v for k, v in one.items() if k != "commit"})) for one in said
        ]

    def complete(self, case: Case) -> Case:
        """The case with the message that the hooks have made of its own."""
        made = copy(case)
        made.message = (self.root / ".git/COMMIT_EDITMSG").read_text("utf-8")
        return made

    def commit(self, case: Case, *flags: str, hooks: str = "") -> subprocess.CompletedProcess[str]:
        named = messages.actor(messages.parse(case.message)) or case.actor
        env = os.environ | {"MOLT_ACTOR": case.environment or named}
        setting = ("-c", f"core.hooksPath={hooks}") if hooks else ()
        env["GIT_COMMITTER_DATE"] = f"{case.day}T12:00:00+0000"
        return subprocess.run(
            ["git", *setting, "commit", "-q", "-F", "-", *flags],
            cwd=self.root, env=env, input=case.message, capture_output=True, encoding="utf-8",
        )  # fmt: skip


MARK = "molt: "


def line(found: policy.Finding) -> str:
    place = f"{found.path}:{found.line}" if found.line else found.path
    return f"{found.severity} {found.code} {place}".rstrip()


def expresses(case: Case) -> bool:
    """Whether molt's own write can be asked: it knows regular files and no merges."""
    regular = all(mode == trees.REGULAR for _, mode in case.new.values())
    return regular and case.theirs is None and all(path.isprintable() for path in case.new)


def writes(case: Case) -> bool:
    """Whether it finds the same: it edits no draft, and who acts is what its message says."""
    return expresses(case) and not case.environment and case.day == policy_cases.DAY


def needs_history(case: Case) -> bool:
    """Whether a case is about what came before or comes after: `tests/githooks` has that."""
    told = case.branch or case.arrival or case.approved
    return bool(case.restores or told) or case.publish


@pytest.fixture
def doors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Doors:
    return Doors(tmp_path / "w", capsys)


@pytest.mark.parametrize("code", CODES)
def test_all_doors_find_the_same(code: str, doors: Doors) -> None:
    differing = {}
    for case in (one for one in CASES if one.code == code and not needs_history(one)):
        through = [doors.hooks] + [doors.verify] * (not case.environment)
        through += [doors.transaction] * writes(case)
        for door in through:
            found, wanted = sorted(filter(case.concerns, door(case))), sorted(case.findings)
            if found != wanted and door == doors.hooks:
                # A message that they have completed is judged as the one that it is now.
                wanted = sorted(filter(case.concerns, doors.verify(doors.complete(case))))
            if found != wanted:
                differing[f"{case!r} by {door.__name__}"] = found
    assert not differing


@pytest.mark.parametrize("case", [case for case in CASES if not expresses(case)], ids=repr)
def test_what_a_write_of_molt_cannot_express_is_no_way_round(case: Case) -> None:
    """Only modes, merges and names that a write refuses before the policy sees them."""
    from molt.repo import worktree

    if case.theirs is None and all(mode == trees.REGULAR for _, mode in case.new.values()):
        with pytest.raises(errors.Usage):
            [worktree.safe_path(path) for path in case.new]


def test_a_judgement_is_of_one_commit_only(doors: Doors) -> None:
    """One that `--no-verify` left unused does not let the same message through later."""
    bad = next(one for one in CASES if one.code == "EPI001" and one.refused)
    doors.start(bad)
    doors.lay(bad.base | {"b.md": (b"b\n", trees.REGULAR)})
    assert doors.commit(bad, "--no-verify").returncode == 0
    assert doors.hooks(bad) == bad.findings
