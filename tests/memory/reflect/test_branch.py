"""A reflection's branch: a commit each, the record last, and nothing of the person's touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors
from molt.formats.reflections import record, refs
from molt.memory.checks import verify
from molt.memory.reflect.branches import branch, seen

from .conftest import OPERATIONS, operation


def test_each_operation_that_edits_is_a_commit_and_the_record_is_last(ws, git, propose) -> None:
    root = Path(ws.repo.root)
    before = git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")
    made = propose()
    subjects = git(root, "log", "--format=%s", f"HEAD..{made.tip}").splitlines()
    assert len(subjects) == 6
    assert subjects[0].startswith("[CREATE] memory/meta/reflections/r-001.md — ")
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == before
    who = git(root, "log", "--format=%an <%ae> %cn", f"HEAD..{made.tip}").splitlines()
    assert set(who) == {f"{refs.NAME} <{refs.ADDRESS}> {refs.NAME}"}


def test_the_record_holds_all_operations_and_their_hash(ws, propose) -> None:
    made = propose()
    assert made == branch.find_reflection(ws)
    assert [one.op for one in made.record.items] == [one.op for one in OPERATIONS]
    assert made.record.base == ws.repo.tip()
    assert len(made.record.plan_hash) == 64
    assert seen.was_seen(ws, "r-001", made.text)
    assert not seen.was_seen(ws, "r-001", made.text + "x")


def test_what_does_not_apply_is_left_out_and_listed(ws, propose) -> None:
    gone = operation("supersede-fact", entity="person--alex", fact="lives on Mars")
    there = operation("add-fact", entity="person--alex", fact="plays chess")
    made = propose((OPERATIONS[0], gone.replace(n=2), there.replace(n=3)))
    assert [one.n for one in made.record.items] == [1]
    (kept,) = [value for key, value in made.record.fields if key == "dropped"]
    assert isinstance(kept, list)
    assert [row[1] for row in kept] == [
        "person--alex has no fact 'lives on Mars' that holds",
        "it is there already",
    ]


def test_nothing_to_propose_makes_no_branch(ws) -> None:
    from molt.memory.reflect.material import material

    from .conftest import NOW, HandDraft

    read = material.read_material(ws, "2026-02-03", NOW.timestamp())
    assert branch.write_branch(ws, HandDraft(read, ()), NOW) is None
    assert branch.list_reflections(ws) == ()


def test_one_is_open_at_a_time_unless_told_otherwise(ws, propose) -> None:
    propose()
    with pytest.raises(errors.NeedsAnswer):
        propose()
    assert propose(parallel=True).id == "r-002"
    with pytest.raises(errors.Usage):
        branch.find_reflection(ws)
    assert branch.find_reflection(ws, "reflect/r-002").id == "r-002"


def test_the_branch_passes_every_rule(ws, propose) -> None:
    propose()
    assert verify.verify_commits(ws.repo, ("main..reflect/r-001",)).errors == ()


def test_what_awaits_a_person_lies_beside_the_memory_while_it_does(ws, git, propose) -> None:
    place = Path(ws.repo.root) / "memory/meta/pending-reflection.md"
    made = propose()
    assert "molt reflect approve r-001" in place.read_text()
    git(Path(ws.repo.root), "update-ref", "-d", made.ref)
    ws.freshen()
    assert not place.exists()


def test_packed_branches_are_found(ws, git, propose) -> None:
    made = propose()
    git(Path(ws.repo.root), "pack-refs", "--all")
    assert branch.find_reflection(ws).tip == made.tip
    assert record.parse_record(made.text) == made.record
