"""An approval: what was chosen, applied to today's memory, by a person, once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from molt import errors, trees
from molt.formats import bullets, paths
from molt.formats.meta import scores as score_file
from molt.formats.reflections import histories, plan, record
from molt.memory.checks import verify
from molt.memory.decay import formula
from molt.memory.decay.accesses import Used
from molt.memory.health import doctor
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import answer, approve, rebase, reject, settle
from molt.memory.reflect.decisions.approve import ApprovalChoice
from molt.memory.reflect.material import material
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.plans import edited
from molt.memory.reflect.schedule import due
from molt.memory.workspace import Workspace
from molt.repo import branches

from .conftest import ALEX, ENTRY, NOW, OPERATIONS, commit_files, operation

LATER = NOW + timedelta(days=1)
EDITED = tuple(
    one.replace(args={**one.args, "summary": "keeps versions"}) if one.n == 1 else one
    for one in OPERATIONS
)
CHOICES = {
    "all": ApprovalChoice(),
    "only": ApprovalChoice(only=(1, 4, 8)),
    "except": ApprovalChoice(without=(2, 5)),
    "edit": ApprovalChoice(edited=EDITED[:4]),
}
CHOSEN = {
    "all": OPERATIONS,
    "only": tuple(one for one in OPERATIONS if one.n in (1, 4, 8)),
    "except": tuple(one for one in OPERATIONS if one.n not in (2, 5)),
    "edit": EDITED[:4],
}
MOVED = {
    ALEX: "---\nid: person--alex\ntype: person\nlabel: Alex\ncreated: 2026-01-01\n"
    "updated: 2026-01-01\n---\n# Alex\n\n## Facts\n- lives in Berlin\n- plays go\n- has a dog\n",
    "memory/graph/entities/tool--make.md": "---\nid: tool--make\ntype: tool\nlabel: make\n---\n",
}


def read_memories(ws: Workspace) -> dict[str, bytes | None]:
    """All files of HEAD that are memories."""
    tree = ws.head()
    return {path: tree.read(path) for path in tree.entries() if not path.startswith("memory/meta/")}


def apply_by_hand(ws: Workspace, operations: tuple[plan.Operation, ...]) -> dict[str, bytes | None]:
    """The same files as they are once operations are applied to HEAD."""
    made = apply.apply_all(ws.head(), operations, ReflectionStamp("r-001", "2026-02-03", ws.config))
    every = {**read_memories(ws), **made.edits}
    return {path: data for path, data in every.items() if data is not None}


@pytest.mark.parametrize("moved", [False, True], ids=["still", "moved"])
@pytest.mark.parametrize("name", CHOICES)
def test_an_approval_is_what_a_hand_would_do_on_today_s_memory(ws, git, propose, name, moved):
    propose()
    if moved:
        commit_files(ws, dict(MOVED))
    wanted = apply_by_hand(ws, CHOSEN[name])
    done = approve.approve_reflection(ws, "", CHOICES[name], LATER)
    assert read_memories(ws) == wanted
    root = Path(ws.repo.root)
    assert git(root, "status", "--porcelain") == ""
    assert verify.verify_commits(ws.repo).errors == ()
    said = git(root, "log", "-1", "--format=%s").strip()
    count = f"({len(CHOSEN[name])} of 8)"
    assert said == f"[MERGE] memory/* — reflection r-001 approved {count}"
    assert done.made.applied == len(CHOSEN[name])
    assert branch.find_reflection(ws, "r-001").status == done.made.status
    assert branches.list_below(ws.repo.common_dir, "refs/heads/reflect/") == {}
    assert not (root / paths.PENDING_REFLECTION).exists()


def test_the_merge_names_the_plan_and_what_it_was_made_on(ws, git, propose) -> None:
    made = propose()
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    body = git(Path(ws.repo.root), "log", "-1", "--format=%(trailers:unfold)").splitlines()
    assert set(body) >= {
        *("Actor: manual", "Approval: approved", "Reflection: r-001"),
        *(f"Plan: {made.record.plan_hash}", f"Base: {made.record.base}"),
    }


def test_what_is_decided_stays_written(ws, propose) -> None:
    propose()
    approve.approve_reflection(ws, "r-001", ApprovalChoice(without=(4,)), LATER)
    found = branch.find_reflection(ws, "r-001").record
    assert [one.decision for one in found.items] == ["approved"] * 3 + ["rejected"] + [
        "approved"
    ] * 4
    assert (found.status, found.decided[:10], found.by) == ("partial", "2026-02-04", "manual")
    (entry,) = histories.parse_log(trees.read_text(ws.head(), histories.LOG))
    assert (entry.applied, entry.total, entry.rejected) == (7, 8, ("4 (rejected)",))
    arc = histories.parse_evolution(trees.read_text(ws.head(), histories.EVOLUTION))
    assert arc.insights == (histories.Insight("moves often", "2026-02-04", "r-001"),)
    assert arc.threads == ("home",)


def read_entry(ws: Workspace, memory: str) -> dict[str, object]:
    text = trees.read_text(ws.head(), paths.SCORES)
    return dict(score_file.find_entries(text, (memory,))[memory])


def stand(ws: Workspace, memory: str, uses: int) -> str:
    weighed = formula.weigh(memory, read_entry(ws, memory))
    used = Used(uses, LATER.timestamp()) if uses else None
    fading = formula.read_fading(ws.config)
    return formula.compute_standing(weighed, used, LATER.timestamp(), fading).status


def test_what_is_archived_is_not_forgotten_and_uses_lift_it(ws, propose) -> None:
    propose()
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert not score_file.is_forgotten(read_entry(ws, ENTRY))
    assert [stand(ws, ENTRY, uses) for uses in (0, 1)] == ["archived", "dormant"]


def test_pins_and_uses_are_written_and_a_score_follows_its_entity(ws, propose) -> None:
    known = {"access_count": 3, "last_accessed": "2026-02-01T00:00:00Z", "created": "2026-01-01"}
    text = score_file.edit_entries("", {"entity:person--lex": known})
    commit_files(ws, {paths.SCORES: text})
    propose(
        plan.number_operations(
            (
                operation("merge-entities", into="person--alex", other="person--lex"),
                operation("pin", memory=ENTRY),
                operation("reinforce", memories=["entity:person--alex", "entity:tool--gone"]),
                operation("archive", memory="entity:tool--gone"),
            )
        )
    )
    done = approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert dict(done.made.items)[4] == "dropped: entity:tool--gone is there no more"
    assert read_entry(ws, ENTRY)["pinned"] is True
    assert read_entry(ws, "entity:person--alex")["access_count"] == 4
    assert "entity:person--lex" not in trees.read_text(ws.head(), paths.SCORES)


def test_what_leaves_core_memory_leaves_no_score(ws, propose) -> None:
    known = {"access_count": 3, "last_accessed": "2026-02-01T00:00:00Z", "created": "2026-01-01"}
    core = "# M\n\n## Active Context\n- on the spike\n- near Rome\n"
    names = [one.id for one in bullets.core_bullets(core)]
    text = score_file.edit_entries("", dict.fromkeys(names, known))
    commit_files(ws, {paths.CORE: core, paths.SCORES: text})
    drop = operation("rewrite-core", drop=[{"bullet": names[0]}])
    propose(plan.number_operations((drop,)))
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert doctor.find_orphans(ws.head()) == []
    assert read_entry(ws, names[1])["access_count"] == 3


def test_what_no_longer_applies_is_dropped_with_the_reason(ws, propose) -> None:
    propose()
    commit_files(ws, {ALEX: MOVED[ALEX].replace("- lives in Berlin\n", "")})
    done = approve.approve_reflection(ws, "", approve.ALL, LATER)
    why = "dropped: person--alex has no fact 'lives in Berlin' that holds"
    assert dict(done.made.items)[2] == why
    (entry,) = histories.parse_log(trees.read_text(ws.head(), histories.LOG))
    assert entry.rejected == ("2 (person--alex has no fact 'lives in Berlin' that holds)",)


def test_a_person_s_uncommitted_work_stays(ws, git, propose) -> None:
    propose()
    root = Path(ws.repo.root)
    mine = (root / ALEX).read_text() + "- sings\n"
    (root / ALEX).write_text(mine)
    (root / "USER.md").write_text("me\n")
    approve.approve_reflection(ws, "", approve.ALL, LATER)
    assert (root / "USER.md").read_text() == "me\n"
    assert "- sings\n" in (root / ALEX).read_text()
    assert "likes tea" in (root / ALEX).read_text()
    assert git(root, "diff", "-U0", "--", ALEX).splitlines()[-1] == "+- sings"


def test_an_approval_is_for_once(ws, git, propose) -> None:
    made = propose()
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    head = ws.repo.tip()
    git(Path(ws.repo.root), "update-ref", made.ref, made.tip)
    with pytest.raises(errors.Refused, match="decided already"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert ws.repo.tip() == head


def test_numbers_that_make_no_sense_are_refused(ws, propose) -> None:
    propose()
    for choice in (ApprovalChoice(only=(9,)), ApprovalChoice(without=tuple(range(1, 9)))):
        with pytest.raises(errors.Usage):
            approve.approve_reflection(ws, "r-001", choice, LATER)


def test_the_text_for_an_editor_is_read_back_as_it_was() -> None:
    text = edited.render_operations(OPERATIONS)
    assert edited.parse_operations(text, OPERATIONS) == OPERATIONS
    with pytest.raises(errors.Usage, match="entity is missing"):
        edited.parse_operations(text.replace("  entity:", "  thing:", 1), OPERATIONS)


def test_what_a_person_edits_is_recorded_as_edited(ws, git, propose) -> None:
    made = propose()
    approve.approve_reflection(ws, "r-001", CHOICES["edit"], LATER)
    found = branch.find_reflection(ws, "r-001").record
    assert found.items[0].decision == "edited"
    assert dict(found.items[0].more)["edited"]["args"]["summary"] == "keeps versions"  # type: ignore[index]
    assert plan.hash_plan(settle.read_operations(found)) == made.record.plan_hash
    assert "Edited: manual" in git(Path(ws.repo.root), "log", "--format=%B")


def test_a_rejection_keeps_the_reason_and_the_proposal(ws, git, propose) -> None:
    made = propose()
    reject.reject_reflection(ws, "", "too early", LATER)
    root = Path(ws.repo.root)
    assert branches.list_below(ws.repo.common_dir, "refs/molt/rejected/") == {"r-001": made.tip}
    assert branches.list_below(ws.repo.common_dir, "refs/heads/reflect/") == {}
    found = branch.find_reflection(ws, "r-001").record
    assert (found.status, found.reason) == ("rejected", "too early")
    (entry,) = histories.parse_log(trees.read_text(ws.head(), histories.LOG))
    assert (entry.status, entry.applied, entry.total) == ("rejected", 0, 8)
    assert verify.verify_commits(ws.repo).errors == ()
    assert git(root, "show", "--name-only", "--format=", "HEAD").split() == [
        "memory/meta/reflection-log.md",
        record.record_path("r-001"),
    ]
    assert propose().id == "r-002"


def test_a_reflection_that_grew_old_is_made_anew(ws, propose) -> None:
    old = propose()
    commit_files(ws, {ALEX: MOVED[ALEX].replace("- lives in Berlin\n", "")})
    made = rebase.rebase_reflection(ws, "r-001")
    assert [one.n for one, _ in made.dropped] == [2]
    assert made.found.record.base == ws.repo.tip()
    assert made.found.record.plan_hash != old.record.plan_hash
    assert branch.find_reflection(ws) == made.found
    done = approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert (done.made.status, done.made.applied) == ("approved", 7)


def test_what_came_before_it_was_made_anew_is_read_by_the_next(ws, propose) -> None:
    propose()
    later = "memory/episodes/2026-02-02.md"
    said = "# 2026-02-02\n\n## 09:00:00 | fact | high | source: user-explicit\nAlex has a cat.\n"
    commit_files(ws, {later: said})
    rebase.rebase_reflection(ws, "r-001")
    rebase.rebase_reflection(ws, "r-001")
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    read = material.read_material(ws, "2026-02-03", LATER.timestamp())
    assert [one.id for one in read.fresh] == ["episode:2026-02-02:09:00:00"]
    assert due.find_due(ws).fresh == 1


def test_what_is_pushed_can_be_approved_in_another_clone(ws, git, propose, tmp_path) -> None:
    root, hub, other = Path(ws.repo.root), tmp_path / "hub.git", tmp_path / "other"
    git(tmp_path, "clone", "-q", "--bare", str(root), str(hub))
    git(root, "remote", "add", "origin", str(hub))
    propose()
    rebase.push_reflection(ws, "r-001", "origin")
    git(tmp_path, "clone", "-q", str(hub), str(other))
    from molt.memory import workspace

    there = workspace.find(str(other))
    assert branch.find_reflection(there).ref == "refs/remotes/origin/reflect/r-001"
    approve.approve_reflection(there, "", approve.ALL, LATER)
    assert branch.find_reflection(there, "r-001").status == "approved"


def test_what_the_policy_refuses_is_left_out_and_the_rest_is_taken(ws, propose) -> None:
    propose()
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = {**OPERATIONS[0].args, "summary": f"signs in with {secret}"}
    choice = ApprovalChoice(edited=(OPERATIONS[0].replace(args=said), *OPERATIONS[1:4]))
    done = approve.approve_reflection(ws, "r-001", choice, LATER)
    items = dict(done.made.items)
    assert items[1].startswith("dropped: SEC001")
    assert done.made.applied == 3
    assert secret.encode() not in b"".join(data or b"" for data in read_memories(ws).values())


def decide(ws: Workspace, way: str) -> None:
    if way == "approve":
        approve.approve_reflection(ws, "", approve.ALL, LATER)
    else:
        reject.reject_reflection(ws, "", "not these", LATER)


@pytest.mark.parametrize("way", ["approve", "reject"])
def test_a_work_tree_that_looks_at_a_proposal_keeps_its_branch(ws, git, propose, way) -> None:
    tip = propose().tip
    there = Path(ws.repo.root).parent / "look"
    git(Path(ws.repo.root), "worktree", "add", "-q", str(there), "reflect/r-001")
    with pytest.raises(errors.Failed, match=r"look is on reflect/r-001"):
        rebase.rebase_reflection(ws, "")
    decide(ws, way)
    assert git(there, "rev-parse", "HEAD").strip() == tip
    assert git(there, "status", "--short") == ""
    assert not [one for one in branch.list_reflections(ws) if one.is_open]


@pytest.mark.parametrize("way", ["approve", "reject"])
def test_who_stands_on_the_branch_is_told_so(ws, git, propose, way) -> None:
    propose()
    git(Path(ws.repo.root), "switch", "-q", "reflect/r-001")
    with pytest.raises(errors.Failed, match="HEAD is on reflect/r-001"):
        decide(ws, way)


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        pytest.param(ApprovalChoice(only=(1,)), ["r-001#6"], id="a part is named"),
        pytest.param(ApprovalChoice(without=(6,)), [], id="it is named itself"),
        pytest.param(ApprovalChoice(only=(1,), without=(6,)), [], id="both"),
    ],
)
def test_a_question_that_nobody_named_stays_asked(ws, propose, choice, kept) -> None:
    propose()
    done = approve.approve_reflection(ws, "", choice, LATER).made
    assert done.applied == (1 if choice.only else 7)
    assert [one.ref for one in answer.list_questions(ws)] == kept


def test_who_takes_what_needs_another_one_is_told_which(ws, propose) -> None:
    one = {"into": "person--lex", "other": "tool--git"}
    propose(plan.number_operations((OPERATIONS[0], operation("merge-entities", **one))))
    with pytest.raises(errors.Refused, match=r"#2: .*, which #1 makes") as refused:
        approve.approve_reflection(ws, "", ApprovalChoice(only=(2,)), LATER)
    assert refused.value.hint == "`molt reflect approve r-001 --only 1,2`"
    assert approve.approve_reflection(ws, "", approve.ALL, LATER).made.applied == 2
