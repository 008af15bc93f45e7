"""What was shown is what is approved, by whom it was shown to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from molt import errors, trees
from molt.cli import main
from molt.formats.reflections import plan, record
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.reflect import draft
from molt.memory.reflect.branches import branch, seen
from molt.memory.reflect.branches import show as showing
from molt.memory.reflect.decisions import approve, rebase, reject
from molt.memory.workspace import Workspace
from molt.repo import hooks

from .conftest import ENTRY, OPERATIONS, commit_files
from .test_approve import LATER

EVE = "Eve's way"
BOT = "\n\nActor: bot:main\nApproval: auto\nTrigger: auto-detect\n"


def tamper(ws: Workspace, git, *, hashed: bool) -> None:
    """Another plan in the record of the branch, with its own hash or with the one that it had."""
    root = Path(ws.repo.root)
    found = branch.find_reflection(ws)
    items = tuple(
        plan.to_item(one.replace(args={**one.args, "title": EVE}) if one.n == 4 else one)
        for one in OPERATIONS
    )
    made = found.record.replace(items=items)
    if hashed:
        every = [one for item in items if (one := plan.from_item(item)) is not None]
        made = made.replace(plan_hash=plan.hash_plan(every))
    git(root, "worktree", "add", "-q", "--no-checkout", "../tampered", "reflect/r-001")
    there = root.parent / "tampered"
    git(there, "checkout", "-q", "reflect/r-001")
    (there / record.record_path("r-001")).write_text(record.render_record(made))
    git(there, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "tidy")
    git(root, "worktree", "remove", "--force", "../tampered")


@pytest.mark.parametrize("hashed", [False, True], ids=["old-hash", "own-hash"])
def test_a_record_that_was_changed_is_not_approved(ws, git, propose, hashed) -> None:
    propose()
    tamper(ws, git, hashed=hashed)
    head = ws.repo.tip()
    said = "not the one that was shown" if hashed else "its hash is another"
    with pytest.raises(errors.Refused, match=said):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert ws.repo.tip() == head
    reject.reject_reflection(ws, "r-001", "Eve was here", LATER)


def test_a_bot_that_looks_has_shown_nothing_to_a_person(ws, git, propose, monkeypatch) -> None:
    propose()
    tamper(ws, git, hashed=True)
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    found = branch.find_reflection(ws)
    seen.note_seen(ws, found.id, found.text)
    monkeypatch.delenv("MOLT_ACTOR")
    with pytest.raises(errors.Refused, match="not the one that was shown"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)


def test_what_a_branch_shows_is_what_its_plan_makes(ws, git, propose) -> None:
    propose()
    tamper(ws, git, hashed=True)
    found = branch.find_reflection(ws)
    seen.note_seen(ws, found.id, found.text)
    with pytest.raises(errors.Refused, match="holds what its plan does not make"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    rebase.rebase_reflection(ws, "r-001")
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    head = ws.head()
    made = (trees.read_text(head, path) for path in head.entries() if "procedures" in path)
    assert any(EVE in text for text in made)


def test_a_file_that_a_branch_lets_run_is_none_that_its_plan_makes(ws, git, propose) -> None:
    root = Path(ws.repo.root)
    path = propose().record.items[0].files[0]
    there = root.parent / "tampered"
    git(root, "worktree", "add", "-q", str(there), "reflect/r-001")
    git(there, "update-index", "--chmod=+x", path)
    git(there, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "tidy")
    git(root, "worktree", "remove", "--force", str(there))
    with pytest.raises(errors.Refused, match="holds what its plan does not make"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)


def test_an_approval_of_one_plan_is_none_of_another(ws, propose) -> None:
    made = propose()
    for wanted in ("0" * 64, made.record.plan_hash[:10] + "x"):
        choice = approve.ApprovalChoice(plan=wanted)
        with pytest.raises(errors.Refused, match="not the one that was shown"):
            approve.approve_reflection(ws, "r-001", choice, LATER)
    choice = approve.ApprovalChoice(plan=made.record.plan_hash[:10], dry_run=True)
    assert approve.approve_reflection(ws, "r-001", choice, LATER).made.applied == 8


@pytest.mark.parametrize("named", ["", "manual"])
def test_who_proposes_does_not_decide(ws, propose, monkeypatch, named) -> None:
    propose()
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    bot = workspace.find(ws.repo.root, named)
    for decide in (
        lambda: approve.approve_reflection(bot, "r-001", approve.ALL, LATER),
        lambda: reject.reject_reflection(bot, "r-001", "no", LATER),
    ):
        with pytest.raises(errors.Refused, match="bot:main does not"):
            decide()


def test_a_command_that_an_agent_runs_does_not_decide(ws, propose, monkeypatch) -> None:
    propose()
    monkeypatch.setenv("CLAUDECODE", "1")
    every = (
        ["approve", "r-001"],
        ["--actor", "manual", "approve", "r-001"],
        ["reject", "r-001", "--why", "no"],
        ["answer", "r-001#6", "yes"],
    )
    for args in every:
        actor = args[:2] if args[0] == "--actor" else []
        rest = args[len(actor) :]
        assert main(["--workspace", ws.repo.root, *actor, "reflect", *rest]) == 1
    assert branch.find_reflection(ws, "r-001").is_open
    # Where the program itself has asked the person, they have decided.
    asked = approve.ApprovalChoice(trigger="asked by the client")
    assert approve.approve_reflection(ws, "r-001", asked, LATER).made.applied == 8


def run_as_bot(ws: Workspace, *args: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "MOLT_ACTOR": "bot:main", "GIT_EDITOR": ":"}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    return subprocess.run(
        ["git", *args], cwd=ws.repo.root, env=env, capture_output=True, text=True, check=False
    )


def test_a_bot_s_merge_is_named_even_where_it_skips_the_judgement(ws, propose) -> None:
    hooks.install(ws.repo.hooks_dir(), sys.executable)
    propose()
    assert run_as_bot(ws, "merge", "-q", "--no-ff", "--no-edit", "reflect/r-001").returncode
    run_as_bot(ws, "merge", "--abort")
    done = run_as_bot(ws, "merge", "-q", "--no-verify", "--no-ff", "--no-edit", "reflect/r-001")
    assert done.returncode == 0, done.stderr
    codes = {one.code for _, one in verify.verify_commits(ws.repo).errors}
    assert codes >= {"REFL001", "REFL002"}


def test_what_a_bot_wrote_before_a_reflection_is_not_what_it_proposes(ws, propose) -> None:
    note = "memory/graph/entities/tool--x.md"
    commit_files(ws, {note: "---\nid: tool--x\ntype: tool\nlabel: x\n---\n# x\n"}, by=BOT)
    propose()
    assert verify.verify_commits(ws.repo).errors == ()


APPROVE = """
import sys
from datetime import UTC, datetime
from molt.memory import workspace
from molt.memory.reflect import approve
ws = workspace.find(sys.argv[1])
print("ready", flush=True)
approve.approve_reflection(ws, "r-001", approve.ALL, datetime(2026, 2, 4, tzinfo=UTC))
"""


@pytest.mark.parametrize("moment", [0.0, 0.03, 0.08, 0.14, 0.2, 0.3])
def test_killed_at_any_moment_it_is_before_or_after(ws, git, propose, moment) -> None:
    propose()
    root, before = Path(ws.repo.root), ws.repo.tip()
    child = subprocess.Popen([sys.executable, "-c", APPROVE, str(root)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    try:
        child.wait(moment)
    except subprocess.TimeoutExpired:
        os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    there = workspace.find(str(root))
    # Whoever comes next finishes what was begun.
    there.commit(lambda tree: make_note(tree), actor="manual")
    assert git(root, "status", "--porcelain") == ""
    head = there.repo.tip()
    if head == before or record.record_path("r-001") not in there.head().entries():
        assert branch.find_reflection(there, "r-001").is_open
        approve.approve_reflection(there, "r-001", approve.ALL, LATER)
    assert branch.find_reflection(there, "r-001").status == "approved"
    assert verify.verify_commits(there.repo).errors == ()
    assert "- 3. push" not in trees.read_text(there.head(), "memory/procedures/release.md")
    assert "3. push" in trees.read_text(there.head(), "memory/procedures/release.md")


def make_note(tree: trees.Tree):
    from molt.repo.write.plan import Change

    said = "[CREATE] memory/x.md — x\n\nActor: manual\nApproval: —\nTrigger: t\n"
    return Change({"memory/x.md": b"x\n"}, said, None)


def test_what_is_printed_is_what_programs_read(ws, propose, capsys) -> None:
    made = propose()
    assert main(["--workspace", ws.repo.root, "reflect", "show", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown.keys() == {"id", "status", "base", "plan_hash", "operations"}
    assert shown["plan_hash"] == made.record.plan_hash
    assert {"n", "op", "summary", "evidence", "reason", "files"} <= shown["operations"][0].keys()
    assert shown["operations"][0]["evidence"] == [ENTRY]
    assert main(["--workspace", ws.repo.root, "status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reflections"] == ["r-001"]


@pytest.mark.parametrize(
    ("said", "end"),
    [("我住的那个小区叫云杉花园。", "全部拒绝"), ("I moved to Lisbon in May.", "takes nothing")],
    ids=["chinese", "english"],
)
def test_the_way_on_is_told_once_in_the_language_of_the_summary(ws, capsys, said, end) -> None:
    entries = (f"## 09:0{at} | fact | high\n{said * 20}\n" for at in range(4))
    day = "\n".join(("# 2026-02-02\n", *entries))
    commit_files(ws, {"memory/episodes/2026-02-02.md": day})
    assert main(["--workspace", ws.repo.root, "reflect", "--engine", "rules"]) == 0
    *above, last = capsys.readouterr().out.strip().splitlines()
    assert above[-2].endswith(end)
    assert last.startswith("r-001  pending")
    assert sum("molt reflect reject" in row for row in above) == 1


def test_where_each_ref_is_judged_it_is_made_approved_and_rejected(ws, propose) -> None:
    hooks.install(ws.repo.hooks_dir(), sys.executable, strict=True)
    propose()
    rebase.rebase_reflection(ws, "r-001")
    approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    second = propose((OPERATIONS[5],))
    reject.reject_reflection(ws, second.id, "not now", LATER)
    assert [one.status for one in branch.list_reflections(ws)] == ["approved", "rejected"]


def test_where_each_ref_is_judged_a_branch_is_not_put_in_place_of_main(ws, propose) -> None:
    hooks.install(ws.repo.hooks_dir(), sys.executable, strict=True)
    propose()
    head = ws.repo.tip()
    done = run_as_bot(ws, "merge", "-q", "--ff-only", "reflect/r-001")
    assert done.returncode
    assert "REFL001" in done.stderr
    assert ws.repo.tip() == head


def retell(ws: Workspace, git, text: str) -> None:
    """Another record at the tip of the branch, as git's plumbing writes one."""
    root = Path(ws.repo.root)
    found = branch.find_reflection(ws)
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=root, input=text, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    git(root, "read-tree", "--index-output=.git/tried", found.tip)
    env = {**os.environ, "GIT_INDEX_FILE": ".git/tried"}
    row = f"100644,{blob},{record.record_path('r-001')}"
    subprocess.run(["git", "update-index", "--cacheinfo", row], cwd=root, env=env, check=True)
    tree = subprocess.run(
        ["git", "write-tree"], cwd=root, env=env, capture_output=True, text=True, check=True
    ).stdout.strip()
    said = git(root, "log", "-1", "--format=%B", found.tip)
    made = git(root, "commit-tree", tree, "-p", f"{found.tip}~1", "-m", said).strip()
    git(root, "update-ref", found.ref, made)
    git(root, "read-tree", "HEAD")


def test_a_summary_that_tells_another_plan_hides_none(ws, git, propose, capsys) -> None:
    made = propose()
    show = ["--workspace", ws.repo.root, "reflect", "show"]
    assert main(show) == 0
    assert "Be brief" not in capsys.readouterr().out, "the draft by hand says nothing of it"
    retell(ws, git, f"{made.text}\nAll of it is about kittens.\x1b[8m\n")
    assert main(show) == 0
    said = capsys.readouterr().out
    assert "kittens" in said
    assert "Be brief" in said, "a plan was hidden behind its summary"
    assert '"in Rome"' in said
    assert "\x1b" not in said
    assert main([*show, "--pr"]) == 0
    assert "Be brief" in capsys.readouterr().out


def test_a_base_that_is_an_option_of_git_writes_nothing(ws, git, propose, tmp_path) -> None:
    made = propose()
    aim = tmp_path / "aim"
    for base in (f"--output={aim}", "HEAD"):
        retell(ws, git, record.render_record(made.record.replace(base=base)))
        assert branch.find_reflection(ws).record.base == base
        with pytest.raises(errors.Refused, match="does not have"):
            showing.read_diff(ws, branch.find_reflection(ws))
        seen.note_seen(ws, "r-001", branch.find_reflection(ws).text)
        with pytest.raises(errors.Refused, match="does not have"):
            approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert not aim.exists()


def test_one_made_anew_under_its_name_is_not_the_one_that_was_shown(
    ws, git, propose, monkeypatch
) -> None:
    shown = propose()
    seen.note_seen(ws, shown.id, shown.text)
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    git(Path(ws.repo.root), "update-ref", "-d", shown.ref)
    made = propose(OPERATIONS[1:2])
    monkeypatch.delenv("MOLT_ACTOR")
    assert made.id == shown.id
    with pytest.raises(errors.Refused, match="not the one that was shown"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    seen.note_seen(ws, made.id, made.text)
    assert approve.approve_reflection(ws, "r-001", approve.ALL, LATER).made.status == "approved"


def test_what_the_vault_says_is_no_evidence(ws, propose) -> None:
    text = "---\nid: pin\ntype: vault\nlabel: Pin\n---\n# Pin\n\nAlex hides it under the mat\n"
    commit_files(ws, {"memory/vault/pin.md": text})
    said = {"op": "add-fact", "entity": "person--alex", "fact": "hides it under the mat"}
    told = json.dumps({"operations": [{**said, "evidence": ["vault:pin"], "reason": "a mat"}]})
    made = draft.draft_reflection(ws, "2026-02-03", LATER.timestamp(), plan=told)
    assert made.operations == ()
    assert [why for _, why in made.dropped] == ["there is no memory vault:pin"]


MISSHAPEN: dict[str, tuple[str, dict[str, object]]] = {
    "a-number-for-a-name": ("upsert-entity", {"entity": 5, "facts": 7}),
    "a-text-for-a-list": ("upsert-entity", {"entity": "tool:x", "facts": "abc"}),
    "a-fact-that-is-none": ("upsert-entity", {"entity": "tool:x", "facts": [None]}),
    "rows-that-are-none": ("rewrite-core", {"add": [5]}),
    "a-row-without-a-text": ("rewrite-core", {"add": [{"block": "Persona"}]}),
    "a-block-with-bullets-of-its-own": (
        "rewrite-core",
        {"add": [{"block": "Eve\n- planted", "text": "x"}]},
    ),
    "a-number-of-memories": ("reinforce", {"memories": 7}),
    "a-list-in-a-list": ("reinforce", {"memories": [["x"]]}),
    "a-store-that-is-none": ("accept-proposal", {"proposal": "p", "store": "../../x"}),
    "nothing-that-it-needs": ("add-fact", {"entity": "tool:x"}),
    "a-fact-of-two-lines": ("add-fact", {"entity": "tool:x", "fact": "a\n---\nid: eve"}),
    "more-than-there-is": ("question", {"text": "Why?", "answer": "approved"}),
    "not-a-number": ("question", {"text": float("nan")}),
}


@pytest.mark.parametrize("case", MISSHAPEN)
def test_a_plan_of_another_shape_is_told_and_refused(ws, git, propose, capsys, case) -> None:
    op, args = MISSHAPEN[case]
    made = propose().record
    item = record.ReflectionItem(1, op, "x", (ENTRY,), more=(("args", args),))
    hashed = plan.hash_plan([plan.Operation(op, args, (ENTRY,), n=1)])
    retell(ws, git, record.render_record(made.replace(items=(item,), plan_hash=hashed)))
    for words in (("show",), ("show", "--pr"), ("list",), ("questions",)):
        assert main(["--workspace", ws.repo.root, "reflect", *words]) == 0
    assert "it is not an operation" in capsys.readouterr().out
    for act in (approve.approve_reflection, rebase.rebase_reflection):
        more = (approve.ALL, LATER) if act is approve.approve_reflection else ()
        with pytest.raises(errors.Refused):
            act(ws, "r-001", *more)
    reject.reject_reflection(ws, "r-001", "none of a plan", LATER)


@pytest.mark.parametrize("name", ["r-0001", "R-001", "r-01", "r-" + "9" * 5000, "r-" + "9" * 40])
def test_a_branch_that_is_called_nearly_so_is_none(ws, git, propose, name) -> None:
    made = propose()
    packed = Path(ws.repo.root, ".git/packed-refs")
    packed.write_text(f"# pack-refs with: peeled fully-peeled sorted \n{made.tip} "
                      f"refs/heads/reflect/{name}\n")  # fmt: skip
    assert [one.id for one in branch.list_reflections(ws)] == ["r-001"]
    assert propose(OPERATIONS[1:2], parallel=True).id == "r-002"
    assert approve.approve_reflection(ws, "r-001", approve.ALL, LATER).made.status == "approved"


def test_a_record_of_more_than_a_plan_has_is_not_approved(ws, git, propose) -> None:
    made = propose().record
    asked = plan.Operation("question", {"text": "Why?"})
    every = [asked.replace(n=n) for n in range(1, plan.MOST_OPERATIONS + 2)]
    items = tuple(map(plan.to_item, every))
    hashed = plan.hash_plan(every)
    retell(ws, git, record.render_record(made.replace(items=items, plan_hash=hashed)))
    with pytest.raises(errors.Refused, match="none of a pending reflection"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    assert len(rebase.rebase_reflection(ws, "r-001").found.record.items) == plan.MOST_OPERATIONS


def test_who_has_read_a_page_that_was_edited_is_asked_to_look(ws, git, propose) -> None:
    made = propose()
    page = Path(ws.repo.root, "memory/meta/pending-reflection.md")
    git(Path(ws.repo.root), "update-ref", "refs/heads/reflect/r-002", made.tip)
    approve.approve_reflection(ws, "r-001", approve.ALL.replace(dry_run=True), LATER)
    page.write_text(page.read_text().replace("Reflection", "Kittens"))
    with pytest.raises(errors.Refused, match="says something else than r-001"):
        approve.approve_reflection(ws, "r-001", approve.ALL, LATER)
    seen.note_seen(ws, made.id, made.text)
    assert approve.approve_reflection(ws, "r-001", approve.ALL, LATER).made.status == "approved"


def test_a_branch_in_place_of_main_is_told_of_once(ws, propose, capsys) -> None:
    hooks.install(ws.repo.hooks_dir(), sys.executable)
    propose()
    root = Path(ws.repo.root)
    done = subprocess.run(
        ["git", "merge", "-q", "--ff-only", "reflect/r-001"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr.count("REFL001:") == 1
    assert main(["--workspace", str(root), "verify"]) == 1
    said = capsys.readouterr()
    row, *_, hint, count = said.out.splitlines()
    assert " more error REFL001: what r-001 proposes" in row
    assert not count.endswith(" 1 finding")
    # What it offers takes all of it.
    words = hint.partition("accept it: `molt ")[2].partition(" --why")[0].split()
    assert main(["--workspace", str(root), *words, "--why", "as it is"]) == 0
    assert main(["--workspace", str(root), "verify"]) == 0
