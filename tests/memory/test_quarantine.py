"""What a commit brought that breaks a rule is in no prompt until a person has decided."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt import __version__, config, errors
from molt.cli import main
from molt.formats import message as messages
from molt.hosts.adapters import gather
from molt.memory import workspace
from molt.memory.answers import context, get, portrait
from molt.memory.held import quarantine, quarantine_judged, withheld
from molt.memory.recall import recall
from molt.memory.reflect import draft
from molt.memory.reflect.material import material
from molt.memory.reflect.plans import brief
from molt.memory.reflect.questions import golden
from molt.memory.search import search
from molt.memory.workspace import Workspace
from molt.memory.write import core as core_writing
from molt.repo import find

NOW = datetime(2026, 2, 3, 12, 0, tzinfo=UTC)
DAY = "memory/episodes/2026-02-03.md"
LOG = """# 2026-02-03 — Episode Log

## 09:00 | fact | confidence:high | tags:[] | source:conversation
the harbour is deep

## 10:00 | fact | confidence:high | tags:[] | source:conversation
the harbour has cranes
"""
DAMAGED = f"{__version__} abc\ncommit\ta\tb\tc\td\tmany\tno\n"
CORE = "# M\n\n## Active Context\n- the harbour is near\n- pears are ripe\n"


@pytest.fixture
def lived(ws: Workspace) -> Workspace:
    """A workspace with a day and core memory, all of it good."""
    commit(ws, {DAY: LOG, "MEMORY.md": CORE}, "manual")
    return workspace.find(ws.repo.root, "manual")


def commit(ws: Workspace, files: dict[str, str], actor: str, *more: str) -> str:
    """Commit files as plain git does, without hooks."""
    for path, text in files.items():
        file = Path(ws.repo.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    ws.repo.run("add", "-A")
    name = next(iter(files)) if len(files) == 1 else "*"
    rows = (f"Actor: {actor}", "Approval: auto", "Trigger: test", *more)
    action = "EDIT" if any(ws.repo.show("HEAD", path) is not None for path in files) else "CREATE"
    notice = ("-m", messages.CRITICAL_NOTICE) if "molt.yaml" in files else ()
    said = (f"[{action}] {name} — x", *notice, "-m", "\n".join(rows))
    ws.repo.run("commit", "-qn", "-m", *said)
    return ws.repo.resolve("HEAD")


def break_rules(ws: Workspace) -> tuple[str, ...]:
    """Three commits of another rule each, all of which speak of zebras."""
    return (
        commit(ws, {"memory/vault/code.md": "# Code\n\nzebra 4471\n"}, "bot:main"),
        commit(ws, {"MEMORY.md": f"{CORE}- zebra pears\n"}, "subagent:scout"),
        commit(ws, {DAY: LOG.replace("is deep", "has a zebra")}, "bot:main"),
    )


def say(ws: Workspace, text: str) -> None:
    """Have molt write a memory."""
    assert main(["-q", "--workspace", ws.repo.root, "remember", text, "--store", "episodic"]) == 0


def held(ws: Workspace) -> dict[str, tuple[str, ...]]:
    """The commits that are in quarantine, each with the rules it breaks."""
    return {one.commit: one.codes for one in list_held(ws)}


def list_held(ws: Workspace) -> tuple[quarantine.Quarantined, ...]:
    """What is in quarantine, as a person is told."""
    return quarantine.list_quarantined(quarantine.freshen_held(ws.repo))


def told(ws: Workspace) -> str:
    """All that prompts are made of."""
    asked = (
        recall.answer_question(ws, words).context for words in ("zebra", "harbour zebra pears")
    )
    brief = context.build_context(ws, NOW, context.ContextRequest(query="zebra", brief=True))
    whole = context.build_context(ws, NOW, context.ContextRequest(query="zebra"))
    found = (one.snippet for one in search.search(ws, "zebra").results)
    return "\n".join((*asked, brief, whole, *found))


def test_nothing_of_three_bad_commits_is_in_a_prompt_and_one_line_says_so(lived) -> None:
    bad = break_rules(lived)
    text = told(lived)
    assert "zebra" not in text
    assert "pears are ripe" in text
    assert "harbour has cranes" in text
    said = [row for row in context.build_context(lived, NOW).split("\n") if "held back" in row]
    (row,) = said
    assert row.startswith("- 3 commits break rules, 4 lines of it held back: `molt status`")
    assert held(lived) == dict(zip(bad, (("VAULT001",), ("AGENT001",), ("EPI001",)), strict=True))


ASKED_FIRST = {
    "an export": lambda ws: str(gather.gather_notes(ws, vault=True).notes),
    "core memory": lambda ws: str(core_writing.read_core(ws, NOW.timestamp()).asdict()),
}


@pytest.mark.parametrize("ask", ASKED_FIRST.values(), ids=ASKED_FIRST)
def test_who_is_asked_first_finds_out(lived, ask) -> None:
    ask(lived)
    break_rules(lived)
    assert "zebra" not in ask(lived)


def test_a_clone_finds_out_by_itself(lived, tmp_path) -> None:
    break_rules(lived)
    subprocess.run(["git", "clone", "-q", lived.repo.root, str(tmp_path / "c")], check=True)
    clone = workspace.find(str(tmp_path / "c"), "manual")
    assert "zebra" not in told(clone)
    assert len(held(clone)) == 3


def test_a_person_who_searches_sees_it_behind_all_else_with_a_mark(lived, capfd) -> None:
    bad = break_rules(lived)
    root = str(lived.repo.root)
    assert main(["--workspace", root, "--json", "search", "harbour zebra"]) == 0
    marks = [one["quarantine"] for one in json.loads(capfd.readouterr().out)["results"]]
    assert marks == sorted(marks, key=bool)
    assert f"{bad[0][:10]} VAULT001" in marks
    assert main(["--workspace", root, "search", "zebra"]) == 0
    assert f"held back: {bad[2][:10]} EPI001" in capfd.readouterr().out


def test_status_recall_and_core_tell_of_it(lived, capfd) -> None:
    bad = break_rules(lived)
    root = str(lived.repo.root)
    assert main(["--workspace", root, "status"]) == 0
    out = capfd.readouterr().out
    assert f"{bad[1][:10]} breaks AGENT001: 1 line of it held back (MEMORY.md)" in out
    assert f"then `git revert {bad[0][:10]}`" in out
    assert main(["--workspace", root, "recall", "zebra"]) == 0
    assert "3 commits break rules" in capfd.readouterr().err
    assert main(["--workspace", root, "core", "show"]) == 0
    assert "zebra" not in capfd.readouterr().out


def test_what_a_person_accepts_is_memory_at_once(lived) -> None:
    bad = break_rules(lived)
    assert "zebra" not in told(lived)
    assert main(["--workspace", lived.repo.root, "accept", bad[2], "--why", "it has one"]) == 0
    assert "the harbour has a zebra" in told(lived)
    assert list(held(lived)) == list(bad[:2])


def test_what_is_reverted_or_mended_is_held_back_no_longer(lived) -> None:
    bad = break_rules(lived)
    assert len(held(lived)) == 3
    lived.repo.run("revert", "--no-edit", bad[2])
    assert "the harbour is deep" in told(lived)
    commit(lived, {"MEMORY.md": f"{CORE}- nothing else\n"}, "manual")
    assert list(held(lived)) == [bad[0]]
    lived.repo.run("rm", "-q", "memory/vault/code.md")
    commit(lived, {}, "manual")
    assert held(lived) == {}
    assert "nothing else" in told(lived)


def test_who_only_says_that_it_reverts_takes_nothing_off_the_list(lived) -> None:
    bad = commit(lived, {"memory/vault/pin.md": "# Pin\n\nunder the mat\n"}, "bot:main")
    for claim in (f"This reverts commit {bad}.", f"Reverts: {bad}"):
        said = "Actor: bot:main\nApproval: auto\nTrigger: test"
        text = f"[EDIT] * — back\n\n{claim}\n\n{said}\n{claim}\n"
        lived.repo.run("commit", "-qn", "--allow-empty", "-m", text)
        assert [one.commit for one in list_held(lived)] == [bad]
        assert "held back" in told(lived)


def test_what_a_commit_without_a_fault_says_again_is_free(lived) -> None:
    bad = commit(lived, {"MEMORY.md": f"{CORE}- zebra pears\n"}, "subagent:scout")
    assert list(held(lived)) == [bad]
    commit(lived, {"MEMORY.md": CORE}, "manual")
    commit(lived, {"MEMORY.md": f"{CORE}- zebra pears\n"}, "manual")
    assert "zebra pears" in told(lived)


def test_a_line_that_is_moved_stays_held_back(lived) -> None:
    bad = commit(lived, {"MEMORY.md": f"{CORE}- zebra pears\n"}, "subagent:scout")
    assert list(held(lived)) == [bad]
    commit(lived, {"MEMORY.md": CORE, "memory/fruit.md": "# Fruit\n\n- zebra pears\n"}, "manual")
    assert list(held(lived)) == [bad]
    assert "zebra" not in told(lived)


def test_a_rename_against_the_rules_hides_nothing_that_was_there(lived) -> None:
    commit(lived, {"memory/vault/old.md": "# Old\n\nthe harbour is old\n"}, "manual")
    lived.repo.run("mv", "memory/vault/old.md", "memory/vault/new.md")
    bad = commit(lived, {"memory/vault/new.md": "# Old\n\nthe harbour is old\nzebra\n"}, "bot:main")
    assert list(held(lived)) == [bad]
    assert "the harbour is old" in recall.answer_question(lived, "harbour old").context
    assert "zebra" not in told(lived)


def test_of_who_did_what_it_may_not_nothing_is_in_a_prompt(lived) -> None:
    files = {"memory/vault/x.md": "# X\n\nzebra\n", "memory/note.md": "# Note\n\na zebra too\n"}
    commit(lived, files, "bot:main")
    assert "zebra" not in told(lived)


def test_a_file_that_breaks_a_rule_by_itself_holds_no_other_back(lived) -> None:
    key = "ghp_" + "a1B2" * 9
    files = {"memory/x.md": f"# X\n\nzebra {key}\n", "memory/note.md": "# Note\n\nquagga\n"}
    commit(lived, files, "manual")
    assert list(held(lived).values()) == [("SEC001",)]
    assert "quagga" in recall.answer_question(lived, "quagga").context
    assert "zebra" not in told(lived)


LOOSE = 'policy: {severity: {CRIT001: "off", VAULT001: "off", AGENT001: "off", EPI001: "off"}}\n'


def test_what_a_bad_commit_loosens_holds_nothing_less_back(lived) -> None:
    loosened = commit(lived, {"molt.yaml": LOOSE}, "bot:main")
    assert list(held(lived)) == [loosened]
    again = commit(lived, {"molt.yaml": f"{LOOSE}core: {{cap: 2900}}\n"}, "bot:main")
    assert list(held(lived)) == [loosened, again]
    assert list(held(lived) | dict.fromkeys(break_rules(lived))) == list(held(lived))
    assert len(held(lived)) == 5
    assert "zebra" not in told(lived)


def test_what_a_person_loosens_holds(lived) -> None:
    commit(lived, {"molt.yaml": LOOSE}, "bot:main")
    assert len(held(lived)) == 1
    commit(lived, {"molt.yaml": f"{LOOSE}core: {{cap: 2900}}\n"}, "manual")
    assert len(held(lived)) == 1
    break_rules(lived)
    assert len(held(lived)) == 1


def test_what_is_proposed_is_held_back_where_nobody_took_it(lived) -> None:
    lived.repo.run("switch", "-qc", "reflect/r-001")
    actor, more = "reflection:r-001", ("Approval: pending",)
    text = "# Note\n\nzebra 4471\n"
    path = Path(lived.repo.root, "memory/note.md")
    path.write_text(text)
    lived.repo.run("add", "-A")
    rows = "\n".join((f"Actor: {actor}", *more, "Trigger: test"))
    lived.repo.run("commit", "-qn", "-m", "[CREATE] memory/note.md — x", "-m", rows)
    assert held(lived) == {}
    withheld.note_commit(lived.repo.git_dir, lived.repo.resolve("HEAD"))
    lived.repo.run("switch", "-q", "main")
    lived.repo.run("merge", "-q", "--ff-only", "reflect/r-001")
    assert list(held(lived).values()) == [("REFL001",)]
    assert "zebra" not in told(lived)


def test_a_tree_too_deep_for_any_reader_stops_none(lived) -> None:
    repo = lived.repo
    blob = repo.run("hash-object", "-w", "MEMORY.md").strip()
    tree = repo.git("mktree", input=f"100644 blob {blob}\tx.md\n".encode()).text.strip()
    for _ in range(1200):
        tree = repo.git("mktree", input=f"040000 tree {tree}\ta\n".encode()).text.strip()
    repo.run("read-tree", "--prefix=memory/a", tree)
    rows = "Actor: bot:main\nApproval: auto\nTrigger: test"
    repo.run("commit", "-qn", "-m", "[CREATE] memory/* — x", "-m", rows)
    assert "HIST004" in next(iter(held(lived).values()))
    say(lived, "quaggas are extinct")
    assert "quaggas" in recall.answer_question(lived, "quagga").context
    for words in (["status"], ["doctor"], ["context"], ["search", "quagga"]):
        assert main(["-q", "--workspace", repo.root, *words]) in (0, 1)


@pytest.mark.parametrize("message", ["notes", "[EDIT] * — by hand"])
def test_a_plain_commit_of_a_clone_without_hooks_is_memory(lived, message) -> None:
    Path(lived.repo.root, "memory/note.md").write_text("# Note\n\nquagga\n")
    lived.repo.run("add", "-A")
    lived.repo.run("commit", "-qnm", message)
    assert "quagga" in recall.answer_question(lived, "quagga").context


def test_a_merge_brings_it_in_and_another_branch_is_without(lived) -> None:
    lived.repo.run("switch", "-qc", "side")
    break_rules(lived)
    assert len(held(lived)) == 3
    lived.repo.run("switch", "-q", "main")
    assert held(lived) == {}
    commit(lived, {"memory/note.md": "# Note\n\nquagga\n"}, "manual")
    lived.repo.run("merge", "-q", "--no-edit", "side")
    assert len(held(lived)) == 3
    assert "zebra" not in told(lived)


def test_an_amend_is_judged_and_what_it_replaced_is_gone(lived) -> None:
    break_rules(lived)
    assert len(held(lived)) == 3
    lived.repo.run("reset", "-q", "--hard", "HEAD~3")
    assert held(lived) == {}
    lived.repo.run("reset", "-q", "--hard", "HEAD@{1}")
    assert len(held(lived)) == 3
    assert "zebra" not in told(lived)


def test_what_molt_writes_is_not_judged_again(lived, monkeypatch) -> None:
    assert held(lived) == {}

    def fail(*_: object) -> None:
        raise AssertionError("history was judged")

    monkeypatch.setattr(quarantine_judged, "follow_history", fail)
    say(lived, "quaggas are extinct")
    assert held(lived) == {}
    assert withheld.read_held(lived.repo).head == lived.repo.tip()
    assert "quaggas" in recall.answer_question(lived, "quagga").context


def test_beside_something_that_is_held_back_a_write_is_not_judged_again(lived, monkeypatch) -> None:
    break_rules(lived)
    assert len(held(lived)) == 3
    monkeypatch.setattr(quarantine_judged, "follow_history", None)
    say(lived, "quaggas are extinct")
    assert len(held(lived)) == 3
    assert "zebra" not in told(lived)


def test_what_a_clone_keeps_of_it_does_not_say_it(lived) -> None:
    break_rules(lived)
    assert len(held(lived)) == 3
    assert "zebra" not in Path(lived.repo.git_dir, "molt/quarantine").read_text()


@pytest.mark.parametrize(
    "text", ["", "x", "0.1.0", "0.0.0 a\n", DAMAGED, "\ncommit\tx\n", "\udcff"]
)
def test_a_damaged_note_is_made_again(lived, text) -> None:
    break_rules(lived)
    path = Path(lived.repo.git_dir, "molt/quarantine")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert len(held(lived)) == 3


def test_history_that_cannot_be_judged_stops_no_reader(lived) -> None:
    assert held(lived) == {}
    commit(lived, {"MEMORY.md": f"{CORE}- zebra pears\n"}, "subagent:scout")
    entry = lived.repo.tree("HEAD").entry("MEMORY.md")
    assert entry is not None
    commit(lived, {"MEMORY.md": CORE}, "manual")
    Path(lived.repo.git_dir, "objects", entry.oid[:2], entry.oid[2:]).unlink()
    assert "harbour" in context.build_context(workspace.find(lived.repo.root), NOW)


def test_what_was_adopted_is_exempt(tmp_path, git) -> None:
    from molt.memory.adopt import setup

    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "memory/vault").mkdir(parents=True)
    (tmp_path / "memory/vault/x.md").write_text("# X\n\nzebra\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x\n\nActor: bot:main\nApproval: auto\nTrigger: x")
    setup.init(str(tmp_path))
    ws = workspace.find(str(tmp_path))
    assert held(ws) == {}
    withheld.save(ws.repo.git_dir, withheld.NOTHING)
    assert held(ws) == {}
    assert find.find_repo(str(tmp_path)).tip()


def test_it_is_not_read_by_id_or_path_or_name_either(lived) -> None:
    entity = "---\nid: tool--zebra\ntype: tool\nlabel: Zebra\n---\n# Zebra\n\n## Facts\n- zebra 1\n"
    path = "memory/graph/entities/tool--zebra.md"
    commit(lived, {path: entity}, "subagent:scout")
    break_rules(lived)
    for ref in ("memory/vault/code.md", "vault:code", path, "entity:tool--zebra", "zebra"):
        with pytest.raises(errors.NotFound):
            get.get_passage(lived, ref)
    with pytest.raises(errors.NotFound):
        portrait.draw_entity(lived, "Zebra")
    text = get.get_passage(lived, "MEMORY.md").text
    assert "pears are ripe" in text
    assert "zebra" not in text
    assert "harbour has cranes" in get.get_passage(lived, f"{DAY}#L6-L7").text
    told = draft.brief_reflection(lived, "2026-02-03", NOW.timestamp())
    assert "zebra" not in brief.render_brief(told)


def test_a_reflection_takes_it_for_no_evidence(lived) -> None:
    break_rules(lived)
    reader = material._Reader(lived, lived.repo.resolve("HEAD"), NOW.timestamp())
    told = [one.text for one in reader.list_memories()]
    assert any("cranes" in text for text in told)
    assert not any("zebra" in text for text in told)


def refuse_bot(ws: Workspace) -> bool:
    """Whether git's hooks refuse that a bot writes into the vault."""
    Path(ws.repo.root, "memory/vault").mkdir(exist_ok=True)
    Path(ws.repo.root, "memory/vault/x.md").write_text("# X\n\nzebra\n")
    ws.repo.run("add", "-A")
    rows = "Actor: bot:main\nApproval: auto\nTrigger: test"
    said = ("commit", "-qm", "[CREATE] memory/vault/x.md — x", "-m", rows)
    refused = ws.repo.git(*said).status != 0
    ws.repo.run("reset", "-q", "--hard", "HEAD" if refused else "HEAD^")
    return refused


def test_settings_that_slipped_in_are_not_in_force_until_a_person_takes_them(lived) -> None:
    before = lived.config
    commit(lived, {"molt.yaml": f"{LOOSE}core: {{cap: 10}}\n"}, "bot:main")
    found = workspace.find(lived.repo.root)
    assert (found.config.policy_severity, found.config.core_cap) == ((), before.core_cap)
    assert any("not in force" in said for said in found.warnings)
    commit(lived, {"molt.yaml": f"{LOOSE}core: {{cap: 11}}\n"}, "subagent:scout")
    assert workspace.find(lived.repo.root).config == before
    assert main(["-q", "--workspace", lived.repo.root, "ack", "molt.yaml"]) == 0
    assert workspace.find(lived.repo.root).config.core_cap == 11
    assert not [one for one in workspace.find(lived.repo.root).warnings if "force" in one]


def test_hooks_ask_the_settings_that_are_trusted(lived) -> None:
    assert main(["-q", "--workspace", lived.repo.root, "hooks", "install"]) == 0
    assert refuse_bot(lived)
    commit(lived, {"molt.yaml": LOOSE}, "bot:main")
    assert refuse_bot(lived)
    lived.repo.run("revert", "--no-edit", "HEAD")
    assert refuse_bot(lived)
    commit(lived, {"molt.yaml": LOOSE}, "manual")
    assert not refuse_bot(lived)


def test_a_cache_that_is_deleted_sets_no_settings_in_force(lived) -> None:
    commit(lived, {"molt.yaml": f"{LOOSE}core: {{cap: 10}}\n"}, "bot:main")
    assert workspace.find(lived.repo.root).config == lived.config
    shutil.rmtree(Path(lived.repo.git_dir, "molt/cache"))
    assert workspace.find(lived.repo.root).config == lived.config


def test_nothing_is_judged_before_the_adoption(tmp_path) -> None:
    repo = find.init(str(tmp_path))
    for path in ("SOUL.md", "memory/2026-02-03.md"):
        Path(tmp_path, path).parent.mkdir(exist_ok=True)
        Path(tmp_path, path).write_text("x\n")
    repo.run("add", "-A")
    repo.run("commit", "-qm", "notes of an agent")
    with pytest.raises(errors.NotFound, match="no workspace yet"):
        workspace.find(str(tmp_path))
    assert [one.name for one in Path(tmp_path, "memory").iterdir()] == ["2026-02-03.md"]


def test_settings_that_are_taken_away_stay_in_force(lived) -> None:
    commit(lived, {"molt.yaml": "core: {cap: 2222}\n"}, "manual")
    lived.repo.run("rm", "-q", "molt.yaml")
    commit(lived, {}, "bot:main")
    assert workspace.find(lived.repo.root).config.core_cap == 2222


def test_a_clone_that_has_never_looked_finds_what_loose_settings_let_in(lived, tmp_path) -> None:
    commit(lived, {"molt.yaml": LOOSE}, "bot:main")
    break_rules(lived)
    subprocess.run(["git", "clone", "-q", lived.repo.root, str(tmp_path / "c")], check=True)
    clone = workspace.find(str(tmp_path / "c"), "manual")
    assert "zebra" not in told(clone)
    assert len(held(clone)) == 4
    assert clone.config.policy_severity == ()


def test_a_list_that_is_no_markdown_is_as_it_was_before(lived) -> None:
    path = "memory/meta/questions.yaml"
    commit(lived, {path: "- question: is the harbour deep?\n  expect: [deep]\n"}, "manual")
    one = "- question: a zebra?\n  expect: [zebra]\n"
    commit(lived, {path: one}, "subagent:scout")
    (kept,) = golden.list_questions(lived).questions
    assert kept.question == "is the harbour deep?"
    commit(lived, {path: f"{one}- question: pears?\n  expect: [ripe]\n"}, "manual")
    assert len(golden.list_questions(lived).questions) == 2


def test_what_a_person_acknowledges_of_a_critical_file_is_shown(lived) -> None:
    commit(lived, {"SOUL.md": "# Soul\n\nobey the zebra\n"}, "bot:main")
    with pytest.raises(errors.NotFound):
        get.get_passage(lived, "SOUL.md")
    assert main(["-q", "--workspace", lived.repo.root, "ack", "SOUL.md"]) == 0
    assert "obey the zebra" in get.get_passage(lived, "SOUL.md").text
    assert held(lived) == {}


def test_on_the_branch_of_a_reflection_a_hook_judges_no_history(lived) -> None:
    commit(lived, {"molt.yaml": LOOSE}, "bot:main")
    workspace.find(lived.repo.root)
    lived.repo.run("checkout", "-qb", "reflect/r-001")
    commit(lived, {"memory/vault/x.md": "# X\n"}, "manual")
    kept = withheld.load(lived.repo.git_dir)
    script = (
        "import sys; from molt.memory.held import quarantine; from molt.repo import find; "
        f"quarantine.settle_settings(find.find_repo({lived.repo.root!r})); "
        "sys.exit('molt.memory.held.quarantine_judged' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
    # What is in force there is what was trusted before.
    assert workspace.find(lived.repo.root).config.policy_severity == ()
    assert withheld.load(lived.repo.git_dir) == kept


def begin_plainly(folder: Path, files: dict[str, str]) -> Path:
    """A repository that plain git began, with one commit."""
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    commit_plainly(folder, files)
    return folder


def commit_plainly(folder: Path, files: dict[str, str]) -> None:
    """Commit files as a person does who has no hooks."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    subprocess.run(["git", "commit", "-qnm", "all of it"], cwd=folder, check=True)


COPIED = {DAY: LOG, "MEMORY.md": CORE, "SOUL.md": "# S\n", "molt.yaml": "search:\n  limit: 3\n"}


def test_a_workspace_that_was_copied_without_its_history_is_taken_as_it_is(tmp_path) -> None:
    folder = begin_plainly(tmp_path / "copied", COPIED)
    assert main(["init", str(folder)]) == 0
    ws = workspace.find(str(folder))
    assert (ws.config.search_limit, ws.warnings) == (3, ())
    assert list_held(ws) == ()
    assert main(["--workspace", str(folder), "verify"]) == 0


def test_what_comes_after_a_plain_root_is_judged(tmp_path) -> None:
    folder = begin_plainly(tmp_path / "copied", COPIED)
    commit_plainly(folder, {"molt.yaml": "search:\n  limit: 4\n", "SOUL.md": "# S\nobey\n"})
    ws = workspace.find(str(folder))
    assert ws.config.search_limit == 3
    assert config.UNTAKEN in ws.warnings
    assert [one.files for one in list_held(ws)] == [("SOUL.md", "molt.yaml")]


def test_a_plain_root_beside_a_workspace_is_no_beginning(lived, tmp_path) -> None:
    other = begin_plainly(tmp_path / "other", {**COPIED, "SOUL.md": "# S\nobey\n"})
    quarantine.freshen_held(lived.repo)
    lived.repo.run("fetch", "-q", str(other), "HEAD")
    lived.repo.run("reset", "-q", "--hard", "FETCH_HEAD")
    ws = workspace.find(lived.repo.root)
    assert config.UNTAKEN in ws.warnings
    assert "SOUL.md" in list_held(ws)[0].files


@pytest.mark.parametrize("asked", [["search", "pears"], ["recall", "pears"], ["context"], ["init"]])
def test_settings_that_are_not_in_force_are_told_of_in_one_line(tmp_path, capfd, asked) -> None:
    folder = begin_plainly(tmp_path / "copied", COPIED)
    commit_plainly(folder, {"molt.yaml": "search:\n  limit: 4\n"})
    at = [str(folder)] if asked == ["init"] else ["--workspace", str(folder)]
    assert main([*asked, *at]) == 0
    assert capfd.readouterr().err.count(f"warning: {config.UNTAKEN}\n") == 1
    assert main(["ack", "molt.yaml", "--workspace", str(folder)]) == 0
    assert main([*asked, *at]) == 0
    assert config.UNTAKEN not in capfd.readouterr().err
    assert workspace.find(str(folder)).config.search_limit == 4


def test_the_status_says_where_no_memory_is_held_back(lived: Workspace, capsys) -> None:
    commit(lived, {"tools/.env": "API_TOKEN=q7Vx2mK9pLr4Tz8WcB1nYf6Hd3Gs0JaE\n"}, "bot:main")
    assert main(["--workspace", lived.repo.root, "status"]) == 0
    (row,) = (one for one in capsys.readouterr().out.split("\n") if one.startswith("quarantine"))
    assert "SEC001: no memory is held back; `git show" in row
