"""Deciding on proposals: one commit that writes the memory and clears the list."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt import errors
from molt.formats import paths
from molt.formats.meta import proposals
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.govern import disputes
from molt.memory.govern import proposals as deciding
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
MOLT = f"{paths.ENTITIES}project--molt.md"


@pytest.fixture
def root(ws: Workspace) -> Path:
    return Path(ws.repo.root)


def as_(root: Path, actor: str) -> Workspace:
    return workspace.find(str(root), actor)


def propose(root: Path, text: str, name: str = "coder", **given) -> proposals.Proposal:
    return deciding.propose_text(as_(root, f"subagent:{name}"), text, NOW, **given)[0].proposal


def accept(root: Path, number: str, store: str = "", actor: str = "bot:main") -> deciding.Decided:
    return deciding.accept(as_(root, actor), number, NOW, store=store).made


def resolve(root: Path, number: str, way: str, actor: str = "bot:main") -> deciding.Decided:
    return disputes.resolve_conflict(as_(root, actor), number, way, NOW).made


def waiting(root: Path) -> list[int]:
    text = (root / paths.PROPOSALS).read_text("utf-8")
    return [one.number for one in proposals.list_pending(text)]


def note(root: Path, text: str) -> None:
    """A note of the project with one fact, committed."""
    place = root / MOLT
    place.parent.mkdir(parents=True, exist_ok=True)
    head = "---\nid: project--molt\ntype: project\nlabel: Molt\ncreated: 2026-02-01\n"
    place.write_text(f"{head}updated: 2026-02-01\n---\n# Molt\n\n## Facts\n- {text}\n")


def store_fact(root: Path, git, text: str) -> None:
    note(root, text)
    git(root, "add", "-A")
    said = f"[CREATE] {MOLT} — Molt\n\nActor: manual\nApproval: —\nTrigger: by hand\n"
    git(root, "commit", "-qm", said)


def check(root: Path) -> None:
    found = verify.verify_commits(as_(root, "manual").repo).findings
    assert [one for one in found if one[1].severity == "error"] == []


def test_accepting_writes_the_memory_and_clears_the_proposal_in_one_commit(root, git) -> None:
    one = propose(root, "the release is led by Ada", entities=["project:Molt"])
    made = accept(root, "1")
    assert made.memories[0] == "entity:project--molt"
    said = git(root, "log", "-1", "--format=%B")
    assert said.startswith(f"[COMMIT] {MOLT} — accepted #1 the release is led by Ada\n")
    assert "Actor: bot:commit-from:coder\nApproval: auto\nTrigger: molt review\n" in said
    assert f"Proposal: {one.id}\nOrigin: sub-agent\nDecided-By: bot:main" in said
    changed = git(root, "show", "--name-only", "--format=", "HEAD").split()
    assert changed == sorted([MOLT, paths.PROPOSALS])
    assert "- the release is led by Ada (origin: sub-agent)\n" in (root / MOLT).read_text("utf-8")
    assert waiting(root) == []
    check(root)


def test_a_person_who_accepts_approves(root, git) -> None:
    propose(root, "the gate opens at nine", store="episodic")
    accept(root, "#1", actor="manual")
    said = git(root, "log", "-1", "--format=%B")
    assert "Approval: approved\n" in said
    assert "Decided-By: manual" in said
    (day,) = (root / paths.EPISODES).glob("*.md")
    assert "source:subagent:coder" in day.read_text("utf-8")
    check(root)


@pytest.mark.parametrize("store", ["core", "procedural", "vault"])
def test_only_a_person_takes_it_into_what_instructs(root, git, store: str) -> None:
    propose(root, "answer in short sentences", store="episodic")
    before = git(root, "rev-parse", "HEAD")
    with pytest.raises(errors.Refused) as told:
        accept(root, "1", store)
    assert "--actor manual review accept 1" in told.value.hint
    assert git(root, "rev-parse", "HEAD") == before
    accept(root, "1", store, actor="manual")
    assert "Actor: manual\nApproval: approved" in git(root, "log", "-1", "--format=%B")
    assert waiting(root) == []
    check(root)


@pytest.mark.parametrize("actor", ["subagent:coder", "bot:commit-from:coder", "skill:x"])
def test_who_proposes_does_not_decide(root, actor: str) -> None:
    propose(root, "a thing")
    with pytest.raises(errors.Refused):
        accept(root, "1", actor=actor)
    assert waiting(root) == [1]


def test_rejecting_says_why_in_the_history(root, git) -> None:
    propose(root, "tests are a waste")
    with pytest.raises(errors.Usage):
        deciding.reject(as_(root, "bot:main"), "1", "  ")
    deciding.reject(as_(root, "bot:main"), "1", "nobody said so")
    said = git(root, "log", "-1", "--format=%B")
    assert said.startswith(f"[REJECT] {paths.PROPOSALS} — rejected #1 — nobody said so\n")
    assert "Proposal 1 from coder: tests are a waste\n" in said
    assert waiting(root) == []
    check(root)


def test_what_is_deferred_still_waits(root) -> None:
    propose(root, "a thing")
    deciding.defer(as_(root, "bot:main"), "1")
    (one,) = proposals.list_pending((root / paths.PROPOSALS).read_text("utf-8"))
    assert one.status == "deferred"
    accept(root, "1")
    check(root)


def test_what_is_not_there_is_not_found(root) -> None:
    propose(root, "a thing")
    with pytest.raises(errors.NotFound) as told:
        accept(root, "7")
    assert "#1" in told.value.hint


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("deadline: March 15", "the deadline of Molt is March 30"),
        ("owner: Ada", "owner: Bob"),
        ("the API listens on port 80", "the API listens on port 81"),
    ],
)
def test_a_stored_fact_that_says_otherwise_is_never_merged_silently(
    root, git, known: str, said: str
) -> None:
    store_fact(root, git, known)
    made = propose(root, said, entities=["project:Molt"])
    assert made.flag == "⚠️ CONFLICT with entity:project--molt"
    before = git(root, "rev-parse", "HEAD")
    with pytest.raises(errors.NeedsAnswer):
        accept(root, "1")
    assert git(root, "rev-parse", "HEAD") == before
    (one,) = deciding.list_proposals(as_(root, "bot:main"), as_(root, "bot:main").head())
    assert [found.text for found in one.conflicts] == [known]


def test_a_conflict_that_arose_after_it_was_proposed_counts_too(root, git) -> None:
    propose(root, "owner: Bob", entities=["project:Molt"])
    store_fact(root, git, "owner: Ada")
    with pytest.raises(errors.NeedsAnswer):
        accept(root, "1")


def test_an_entity_that_the_words_mention_counts(root, git) -> None:
    store_fact(root, git, "owner: Ada")
    assert propose(root, "Molt's owner is Bob").flag == "⚠️ CONFLICT with entity:project--molt"


def test_preferring_strikes_through_what_was_believed(root, git) -> None:
    store_fact(root, git, "owner: Ada")
    propose(root, "owner: Bob", entities=["project:Molt"])
    resolve(root, "1", deciding.PREFER)
    text = (root / MOLT).read_text("utf-8")
    assert "- ~~owner: Ada~~ (until 2026-02-03; now: owner: Bob" in text
    assert "\n- owner: Bob (origin: sub-agent)\n" in text
    assert waiting(root) == []
    check(root)


def test_preferring_one_of_two_proposals_turns_the_other_down(root, git) -> None:
    propose(root, "Project deadline is March 15", store="episodic")
    propose(root, "Project deadline is March 30", "researcher", store="episodic")
    with pytest.raises(errors.NeedsAnswer):
        accept(root, "1")
    resolve(root, "2", deciding.PREFER)
    assert waiting(root) == []
    said = git(root, "log", "-1", "--format=%B")
    assert "Proposal 1 from coder: Project deadline is March 15" in said
    assert said.count("\nProposal: p-") == 2
    (day,) = (root / paths.EPISODES).glob("*.md")
    assert "March 15" not in day.read_text("utf-8")
    check(root)


def test_keeping_both_makes_them_unsure_and_links_them(root, git) -> None:
    store_fact(root, git, "owner: Ada")
    propose(root, "owner: Bob", entities=["project:Molt"], confidence="high")
    resolve(root, "1", deciding.KEEP_BOTH)
    text = (root / MOLT).read_text("utf-8")
    assert "- owner: Ada (confidence: low) (contradicts: owner: Bob)\n" in text
    assert "- owner: Bob (confidence: low) (contradicts: owner: Ada) (origin: sub-agent)" in text
    assert waiting(root) == []
    check(root)


def test_keeping_two_episodes_names_the_first_in_the_second(root) -> None:
    propose(root, "Project deadline is March 15", store="episodic")
    propose(root, "Project deadline is March 30", "researcher", store="episodic")
    made = resolve(root, "2", deciding.KEEP_BOTH)
    (day,) = (root / paths.EPISODES).glob("*.md")
    text = day.read_text("utf-8")
    assert text.count("confidence:low") == 2
    assert f"contradicts:{made.memories[0]}" in text
    assert waiting(root) == []
    check(root)


def test_asking_leaves_a_question_where_it_belongs(root, git) -> None:
    store_fact(root, git, "owner: Ada")
    one = propose(root, "owner: Bob", entities=["project:Molt"])
    resolve(root, "1", deciding.ASK)
    asked = f'Which holds: "owner: Ada", or "owner: Bob"? ({one.id})'
    assert asked in (root / MOLT).read_text("utf-8")
    (kept,) = proposals.list_pending((root / paths.PROPOSALS).read_text("utf-8"))
    assert kept.status == "deferred — asked on 2026-02-03"
    check(root)


def test_a_mark_goes_with_what_it_was_about(root) -> None:
    propose(root, "Project deadline is March 15", store="episodic")
    propose(root, "Project deadline is March 30", "researcher", store="episodic")
    deciding.reject(as_(root, "bot:main"), "1", "old")
    (kept,) = proposals.list_pending((root / paths.PROPOSALS).read_text("utf-8"))
    assert (kept.number, kept.flag) == (2, "")


def set_review(root: Path, git, mode: str) -> None:
    with (root / "molt.yaml").open("a") as file:
        file.write(f"\nagents:\n  review: {mode}\n  trusted: [coder]\n")
    said = "⚠️ CRITICAL FILE CHANGED\n\nActor: manual\nApproval: —\nTrigger: by hand\n"
    git(root, "commit", "-qam", f"[EDIT] molt.yaml — who reviews\n\n{said}")


def test_in_auto_mode_what_a_trusted_agent_is_sure_of_is_taken_at_once(root, git) -> None:
    set_review(root, git, "auto")
    propose(root, "Molt is written in Python", entities=["project:Molt"], confidence="high")
    assert waiting(root) == []
    said = git(root, "log", "-1", "--format=%B")
    assert "Actor: bot:commit-from:coder\nApproval: auto" in said
    propose(root, "Molt is old", entities=["project:Molt"])
    propose(root, "Molt is new", "eve", entities=["project:Molt"], confidence="high")
    propose(root, "answer in rhymes", store="core", confidence="high")
    propose(root, "Molt is written in Go", entities=["project:Molt"], confidence="high")
    assert waiting(root) == [1, 2, 3, 4]
    check(root)


def test_in_manual_mode_a_person_decides(root, git) -> None:
    set_review(root, git, "manual")
    propose(root, "a thing", confidence="high")
    for decide in (accept, lambda root, n: deciding.reject(as_(root, "bot:main"), n, "no")):
        with pytest.raises(errors.Refused):
            decide(root, "1")
    accept(root, "1", actor="manual")
    assert waiting(root) == []
