"""Wherever a branch is moved to, held back is what breaks a rule in the history that is there."""

from __future__ import annotations

import shutil
import tempfile
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from molt.formats.reflections import record, refs
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.checks import verify
from molt.memory.held import quarantine

pytestmark = pytest.mark.slow

NAMES = st.sampled_from(("main", "side"))
PLACES = st.sampled_from(("ORIG_HEAD", "HEAD~1", "HEAD@{1}", "HEAD@{3}", "main", "side"))
ACCEPTED = "[ACK] * — x\n\nActor: manual\nApproval: approved\nTrigger: test\nAccepts: {} {}\n"
RECORD = """---
id: r-001
status: pending
items:
  - {"n": 1, "op": "question", "summary": "x", "confidence": "low", "files": ["memory/r.md"]}
---
"""


class Moving(RuleBasedStateMachine):
    """A person who merges, resets and switches, a bot, and a reader after any of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="molt-held-"))
        self.numbers = count()

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @initialize()
    def make(self) -> None:
        setup.init(str(self.folder))
        self.repo = workspace.find(str(self.folder), "manual").repo
        self.repo.run("branch", "side")
        self.repo.run("switch", "-qc", "reflect/r-001")
        self._commit("memory/r.md", "reflection:r-001", "pending", "quagga")
        self._commit(record.record_path("r-001"), "reflection:r-001", "pending", RECORD)
        self.repo.run("switch", "-q", "main")

    def _commit(self, path: str, actor: str, approval: str, text: str) -> None:
        file = Path(self.folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        action = "EDIT" if file.exists() else "CREATE"
        file.write_text(text, encoding="utf-8")
        self.repo.run("add", "-A")
        who = (f"user.name={refs.NAME}", f"user.email={refs.ADDRESS}")
        own = [x for one in who for x in ("-c", one)] if actor.startswith("reflection:") else []
        said = f"[{action}] {path} — x\n\nActor: {actor}\nApproval: {approval}\nTrigger: test\n"
        self.repo.run(*own, "commit", "-qn", "-m", said)

    @rule()
    def write_well(self) -> None:
        number = next(self.numbers)
        self._commit(f"memory/note{number}.md", "manual", "auto", f"# N\n\npear {number}\n")

    @rule()
    def write_badly(self) -> None:
        number = next(self.numbers)
        self._commit(f"memory/vault/v{number}.md", "bot:main", "auto", f"# V\n\nzebra {number}\n")

    @rule(name=NAMES)
    def switch(self, name: str) -> None:
        self.repo.run("switch", "-q", name)

    @rule(name=st.sampled_from(("main", "side", "reflect/r-001")), whole=st.booleans())
    def merge(self, name: str, whole: bool) -> None:
        self.repo.git("merge", "-q", "--no-verify", "--no-ff" if whole else "--ff", name)
        self.repo.git("merge", "--abort")

    @rule(place=PLACES)
    def reset(self, place: str) -> None:
        if self.repo.git("rev-parse", "-q", "--verify", place).status == 0:
            self.repo.run("reset", "-q", "--hard", place)

    @precondition(lambda self: self._list_bad())
    @rule(data=st.data())
    def accept(self, data: st.DataObject) -> None:
        oid, code = data.draw(st.sampled_from(sorted(self._list_bad())))
        self.repo.run("commit", "-qn", "--allow-empty", "-m", ACCEPTED.format(oid, code))

    def _list_bad(self) -> set[tuple[str, str]]:
        return {(oid, one.code) for oid, one in verify.verify_commits(self.repo).errors}

    @rule()
    def read(self) -> None:
        held = quarantine.freshen_held(self.repo)
        assert {(one.oid, code) for one in held.commits for code in one.open} == self._list_bad()


TestMoving = Moving.TestCase
TestMoving.settings = settings(max_examples=25, stateful_step_count=20)


def test_what_came_without_a_merge_is_memory_once_it_was_merged() -> None:
    one = Moving()
    one.make()
    one.merge("reflect/r-001", whole=False)
    one.read()
    assert quarantine.list_quarantined(quarantine.freshen_held(one.repo))
    one.reset("ORIG_HEAD")
    one.merge("reflect/r-001", whole=True)
    one.read()
    found = quarantine.freshen_held(one.repo).commits
    assert "REFL001" not in {code for each in found for code in each.open}
    one.teardown()


def test_what_came_without_a_merge_names_a_way_that_takes_it() -> None:
    one = Moving()
    one.make()
    one.merge("reflect/r-001", whole=False)
    found = verify.verify_commits(one.repo).errors
    hints = [each.hint for _, each in found if each.code == "REFL001"]
    assert hints
    assert all("`molt accept RANGE`" in hint for hint in hints)
    one.teardown()
