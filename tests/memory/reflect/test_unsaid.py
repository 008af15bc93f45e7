"""What was forgotten since a reflection was made comes back by none of its approvals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from molt import errors
from molt.cli import main
from molt.formats import paths
from molt.formats.meta import questions
from molt.formats.meta.questions import GoldenQuestion
from molt.formats.reflections import record, refs
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.forget import forget, matches
from molt.memory.forget.matches import Wanted
from molt.memory.reflect import draft
from molt.memory.reflect.branches import branch, seen
from molt.memory.reflect.branches.branch import KnownReflection
from molt.memory.reflect.decisions import approve, rebase, redraw, reject
from molt.memory.workspace import Workspace
from molt.repo.history import revisions

from .conftest import ALEX, ENTRY, NOW, OPERATIONS, commit_files, operation

SAID = "the locker code is 4711"
OTHER = "memory/graph/entities/place--gym.md"
LOCKER = {
    OTHER: "---\nid: place--gym\ntype: place\nlabel: Gym\ncreated: 2026-01-01\n"
    f"updated: 2026-01-01\n---\n# Gym\n\n## Facts\n- {SAID}\n- opens at nine\n"
}
SAYING = (
    operation("add-fact", entity="person--alex", fact=f"told me that {SAID}").replace(n=1),
    operation("upsert-entity", entity="tool:Git", facts=["is fast", SAID]).replace(n=2),
    operation("question", text="Is 4711 the code of the locker?").replace(n=3),
    operation("add-fact", entity="person--alex", fact="uses git").replace(n=4),
)


@pytest.fixture
def gym(ws: Workspace) -> Workspace:
    commit_files(ws, dict(LOCKER))
    return workspace.find(ws.repo.root, "manual")


def forget_for_good(ws: Workspace, wanted: Wanted) -> tuple[str, ...]:
    options = forget.ForgetOptions(permanently=True)
    done = forget.forget_matches(ws, wanted, NOW, options)
    return redraw.erase_forgotten(ws, wanted, done, NOW)


def list_saying(ws: Workspace, said: bytes = b"4711") -> list[str]:
    """The files of the work tree and of the clone's own folder that say it."""
    root, own = Path(ws.repo.root), Path(ws.repo.molt_dir)
    every = [path for path in root.rglob("*") if ".git" not in path.parts] + [*own.rglob("*")]
    # Within an id or a stamp it stands by chance.
    alone = re.compile(rb"(?<![0-9a-z])" + re.escape(said) + rb"(?![0-9a-z])")
    return [str(path) for path in every if path.is_file() and alone.search(path.read_bytes())]


def draft_saying(ws: Workspace) -> KnownReflection:
    """A reflection that says it as the pipeline tells it, with the words that it is from."""
    args = {"entity": "place--gym", "fact": f"{SAID} now"}
    said = SAYING[0].replace(args=args, evidence=("entity:place--gym",))
    every = [{"op": one.op, **one.args, "evidence": one.evidence} for one in (said, SAYING[3])]
    plan = json.dumps({"operations": every})
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=plan)
    found = branch.write_branch(ws, made, NOW)
    assert found is not None
    return found


def test_what_is_forgotten_for_good_is_in_no_open_reflection(gym, git) -> None:
    old = draft_saying(gym)
    assert any(path.endswith("pending-reflection.md") for path in list_saying(gym))
    assert forget_for_good(gym, Wanted("locker code 4711")) == ()
    assert list_saying(gym) == []
    found = branch.find_reflection(gym)
    assert [one.summary for one in found.record.items] == ["person--alex: uses git"]
    assert found.record.plan_hash != old.record.plan_hash
    assert "4711" not in found.text
    assert "4711" not in git(Path(gym.repo.root), "log", "-p", f"HEAD..{found.tip}")
    assert "uses git" in found.text
    approve.approve_reflection(gym, "", approve.ALL, NOW)
    assert list_saying(gym) == []
    assert "uses git" in Path(gym.repo.root, ALEX).read_text()


def test_a_reflection_of_which_nothing_is_left_is_rejected(gym, git, propose) -> None:
    propose((SAYING[0],))
    assert forget_for_good(gym, Wanted("locker code 4711")) == ()
    found = branch.find_reflection(gym, "r-001")
    assert (found.status, found.record.items) == ("rejected", ())
    assert "nothing is left" in found.record.reason
    assert list_saying(gym) == []
    assert git(Path(gym.repo.root), "for-each-ref", "refs/molt", "refs/heads/reflect") == ""


def test_what_rests_on_what_is_gone_goes_with_it(gym, propose) -> None:
    both = operation("add-fact", entity="person--alex", fact="swims").replace(
        n=2, evidence=(ENTRY, "entity:place--gym")
    )
    rows = [
        {"block": "Persona", "text": "Alex is in Rome", "evidence": [ENTRY]},
        {"block": "Persona", "text": "Be brief"},
    ]
    core = operation("rewrite-core", add=rows).replace(n=3, evidence=())
    still = operation("reinforce", memories=[ENTRY, "entity:place--gym"]).replace(n=4)
    propose((SAYING[3].replace(n=1), both, core, still))
    assert forget_for_good(gym, Wanted(ids=(ENTRY,))) == ()
    items = branch.find_reflection(gym).record.items
    kept = {one.n: (one.evidence, dict(one.more)["args"]) for one in items}
    assert kept.keys() == {2, 3, 4}
    assert kept[2][0] == ("entity:place--gym",)
    assert kept[3][1] == {"add": rows[1:]}
    assert kept[4][1] == {"memories": ["entity:place--gym"]}


def test_other_reflections_stay_as_they_are(gym, propose) -> None:
    plain = propose()
    propose(SAYING, parallel=True)
    forget_for_good(gym, Wanted("locker code 4711"))
    assert branch.find_reflection(gym, "r-001") == plain
    assert branch.find_reflection(gym, "r-002").record.base == gym.repo.tip()


def test_a_branch_that_has_not_heard_of_it_is_made_anew_before_it_is_approved(gym, propose) -> None:
    propose(SAYING)
    wanted, options = Wanted("locker code 4711"), forget.ForgetOptions(permanently=True)
    # As another clone does, whose commit comes here.
    forget.forget_matches(gym, wanted, NOW, options)
    with pytest.raises(errors.Refused, match="forgotten on 2026-02-03") as error:
        approve.approve_reflection(gym, "", approve.ALL, NOW)
    assert "molt reflect rebase r-001" in error.value.hint
    made = rebase.rebase_reflection(gym, "r-001")
    assert [one.n for one, _ in made.dropped] == [1]
    approve.approve_reflection(gym, "", approve.ALL, NOW)
    assert SAID not in Path(gym.repo.root, ALEX).read_text()
    git = Path(gym.repo.root, "memory/graph/entities/tool--git.md").read_text()
    assert "is fast" in git
    assert SAID not in git


def test_a_work_tree_on_its_branch_is_told(gym, git, propose) -> None:
    propose(SAYING)
    there = Path(gym.repo.root).parent / "look"
    git(Path(gym.repo.root), "worktree", "add", "-q", str(there), "reflect/r-001")
    told = forget_for_good(gym, Wanted("locker code 4711"))
    assert told[0].startswith("r-001 still says it: ")


def test_the_command_leaves_no_byte(gym, propose, capsys) -> None:
    propose((*SAYING, OPERATIONS[3].replace(n=5)))
    where = ("--workspace", gym.repo.root)
    assert main([*where, "forget", "locker code 4711", "--permanently", "--yes"]) == 0
    assert "still says it" not in capsys.readouterr().err
    assert list_saying(gym) == []
    text = Path(gym.repo.root, "memory/meta/pending-reflection.md").read_text()
    assert "Release" in text
    assert record.parse_record(branch.find_reflection(gym).text).status == "pending"


LOG, EVOLUTION = "memory/meta/reflection-log.md", "memory/meta/evolution.md"
DECIDED = (
    operation("add-fact", entity="person--alex", fact=f"told me that {SAID}").replace(n=1),
    operation("insight", text="trusts me with 4711, the code of the locker").replace(n=2),
    operation("add-fact", entity="person--alex", fact="uses git").replace(n=3),
)
PRIVATE = (
    *("hosts.log", "schedule.log", "unsaved-message", "judged", "refused", "refusal"),
    *("failed-molt.txt", "ended-sessions", "sessions.json", "talks/s-1"),
)


def decide(ws: Workspace, propose, *, approved: bool) -> None:
    found = propose(DECIDED)
    seen.note_seen(ws, found.id, found.text)
    if approved:
        approve.approve_reflection(ws, found.id, approve.ALL, NOW)
    else:
        options = reject.RejectOptions()
        reject.reject_reflection(ws, found.id, f"nobody asked; {SAID}", NOW, options)


def live(ws: Workspace, propose) -> None:
    """All that keeps words has them: decided and open reflections, questions, private notes."""
    decide(ws, propose, approved=True)
    decide(ws, propose, approved=False)
    asked = GoldenQuestion("q-1", "What is the locker code?", ("4711",))
    kept = GoldenQuestion("q-2", "Who plays chess?", ("Alex",))
    commit_files(ws, {paths.QUESTIONS: questions.render_questions((asked, kept))})
    propose(SAYING)
    for name in PRIVATE:
        file = Path(ws.repo.molt_dir, name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"2026 failed\n  {SAID}\n2026 went on\n")


def test_a_workspace_that_has_lived_says_it_nowhere(gym, git, propose) -> None:
    live(gym, propose)
    before = gym.repo.tip()
    assert forget_for_good(gym, Wanted("locker code 4711")) == ()
    assert list_saying(gym) == []
    assert Path(gym.repo.molt_dir, "hosts.log").read_text() == "2026 failed\n2026 went on\n"
    assert git(Path(gym.repo.root), "for-each-ref", refs.REJECTED) == ""
    text = Path(gym.repo.root, paths.QUESTIONS).read_text()
    assert [one.id for one in questions.parse_questions(text).questions] == ["q-2"]
    judged = verify.judge_range(gym.repo, revisions.resolve_range(gym.repo, [f"{before}..HEAD"]))
    assert judged.findings == ()


def test_what_was_decided_stays_told(gym, propose) -> None:
    live(gym, propose)
    log = Path(gym.repo.root, LOG)
    headings = [row for row in log.read_text().split("\n") if row.startswith("## ")]
    forget_for_good(gym, Wanted("locker code 4711"))
    assert [row for row in log.read_text().split("\n") if row.startswith("## ")] == headings
    first = branch.find_reflection(gym, "r-001").record
    assert [(one.n, one.decision) for one in first.items] == [(3, "approved")]
    assert dict(first.fields)["forgotten"] == 2
    assert (first.status, branch.find_reflection(gym, "r-002").status) == ("approved", "rejected")


def test_what_is_forgotten_by_its_id_is_in_no_record_word_for_word(gym, propose) -> None:
    decide(gym, propose, approved=True)
    fact = next(
        one for one in matches.find_matches(gym, gym.head(), Wanted(SAID)) if "gym" in one.id
    )
    forget_for_good(gym, Wanted(ids=(fact.id,)))
    assert SAID not in Path(gym.repo.root, record.record_path("r-001")).read_text()


def test_it_can_be_taken_back_what_else_a_cleaned_reflection_brought(gym, propose) -> None:
    decide(gym, propose, approved=True)
    forget_for_good(gym, Wanted("locker code 4711"))
    assert "uses git" in Path(gym.repo.root, ALEX).read_text()
    where = ("--workspace", gym.repo.root)
    assert main([*where, "revert", "--reflection", "r-001", "--yes"]) == 0
    assert "uses git" not in Path(gym.repo.root, ALEX).read_text()
    assert list_saying(gym) == []


def test_undoing_the_removal_brings_back_no_word(gym, propose) -> None:
    live(gym, propose)
    forget_for_good(gym, Wanted("locker code 4711"))
    removal = gym.repo.run("log", "--format=%H", "-1", "--grep=forgotten for good").strip()
    main(["--workspace", gym.repo.root, "revert", "--commit", removal, "--yes"])
    assert list_saying(gym) == []


def test_what_books_alone_say_is_taken_out_of_them(gym, propose, capsys) -> None:
    decide(gym, propose, approved=True)
    texts = {path: Path(gym.repo.root, path).read_text() for path in (OTHER, ALEX, LOG, EVOLUTION)}
    rows = {path: text.splitlines(keepends=True) for path, text in texts.items()}
    commit_files(gym, {path: "".join(r for r in rows[path] if "4711" not in r) for path in rows})
    where = ("--workspace", gym.repo.root, "forget", "locker code 4711", "--yes")
    assert main([*where]) == 4
    assert main([*where, "--permanently"]) == 0
    shown = capsys.readouterr().out
    assert "memory/meta/reflections/r-001.md" in shown
    assert list_saying(gym) == []
    text = gym.repo.run("log", "-1", "--format=%B")
    assert text.startswith(
        "[DELETE] memory/meta/reflections/r-001.md — what books told, forgotten for good\n"
    )
    assert "Memory-Id" not in text
    assert main([*where, "--permanently"]) == 4
