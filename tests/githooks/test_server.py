"""A server with molt's hook: what a push may bring, and that nothing of a bad one is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from molt.cli import main
from molt.githooks import server as door
from molt.policy.secrets.patterns import sample
from molt.repo import hooks

from .conftest import EPISODE, Agent, entry


@pytest.fixture
def server(tmp_path: Path, agent: Agent) -> Path:
    """An empty repository that judges what is pushed to it."""
    place = tmp_path / "server.git"
    agent.git("init", "-q", "--bare", "-b", "main", str(place))
    assert main(["-q", "hooks", "install", "--server", str(place)]) == 0
    agent.git("remote", "add", "origin", str(place))
    return place


@pytest.fixture
def filled(server: Path, agent: Agent) -> Path:
    """The server, with what the workspace has."""
    push(agent, "main")
    return server


def try_push(agent: Agent, *args: str) -> subprocess.CompletedProcess[str]:
    return agent.run("push", "--no-verify", "origin", *args)


def push(agent: Agent, *args: str) -> None:
    done = try_push(agent, *args)
    assert done.returncode == 0, done.stderr


def refuse(agent: Agent, place: Path, *args: str) -> str:
    """What the server says to a push of which nothing must be left."""
    before = list_refs(agent, place), list_objects(place)
    done = try_push(agent, *args)
    assert done.returncode == 1, done.stderr
    assert (list_refs(agent, place), list_objects(place)) == before
    assert "Traceback" not in done.stderr
    return done.stderr


def list_refs(agent: Agent, place: Path) -> dict[str, str]:
    rows = agent.git("for-each-ref", "--format=%(refname) %(objectname)", cwd=place)
    return dict(row.split() for row in rows.splitlines())


def list_objects(place: Path) -> list[str]:
    return sorted(str(one) for one in (place / "objects").rglob("*") if one.is_file())


def write(agent: Agent, text: str, time: str) -> None:
    agent.append(entry(text, time))
    agent.git("commit", "-qm", text)


def bad(agent: Agent) -> str:
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    return agent.git("rev-parse", "HEAD").strip()


def test_an_empty_server_takes_a_whole_workspace(agent, server) -> None:
    write(agent, "Two.", "10:00")
    agent.git("tag", "-am", "a tag", "v1")
    push(agent, "main", "v1", "main:topic")
    assert set(list_refs(agent, server)) == {
        "refs/heads/main",
        "refs/heads/topic",
        "refs/tags/v1",
    }


def test_an_empty_server_refuses_a_breach_anywhere_in_history(agent, server) -> None:
    bad(agent)
    write(agent, "Two.", "10:00")
    assert "EPI001" in refuse(agent, server, "main")


def test_an_adopted_past_is_taken_whichever_ref_comes_first(tmp_path, agent, server) -> None:
    old = tmp_path / "old"
    agent.git("init", "-q", "-b", "main", str(old))
    (old / "memory").mkdir()
    (old / "memory/a.md").write_text("# A\n\n- one\n")
    for args in (("add", "-A"), ("commit", "-qm", "as it was"), ("tag", "older")):
        agent.git(*args, cwd=old)
    assert main(["-q", "init", str(old)]) == 0
    agent.git("push", "-q", "--no-verify", str(server), "older", "main:a", "main", cwd=old)
    assert set(list_refs(agent, server)) >= {"refs/tags/older", "refs/heads/main"}


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_objects_that_are_not_taken_yet_are_judged(agent, filled, packed) -> None:
    if packed:
        agent.git("config", "receive.unpackLimit", "1", cwd=filled)
    oid = bad(agent)
    said = refuse(agent, filled, "main")
    assert f"{oid[:10]} error EPI001 {EPISODE}:4" in said
    assert "to go on with this as it is, a person says: molt accept" in said
    assert "refs/heads/main is not taken: 1 error" in said
    assert main(["--workspace", str(agent.root), "accept", oid, "--why", "a typo"]) == 0
    push(agent, "main")


def test_what_nobody_can_accept_is_offered_to_nobody(agent, filled) -> None:
    agent.put("memory/vault/passport.md", "in the drawer\n")
    agent.git("add", "-A")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "found it")
    oid = agent.git("rev-parse", "HEAD").strip()
    said = refuse(agent, filled, "main")
    assert "error MSG004" in said
    assert f"nobody can accept VAULT001 of {oid[:10]}: `git revert {oid[:10]}`" in said
    assert f"`git rebase -i {oid[:10]}^`" in said
    assert "a person says" not in said
    # Made anew where molt's hooks run, it is taken.
    agent.git("reset", "-q", "--soft", "HEAD^")
    agent.git("commit", "-q", "-m", "found it")
    push(agent, "main")


@pytest.mark.parametrize("target", ["main:new", "main:refs/tags/v1", "main:refs/odd/v1"])
def test_a_breach_comes_under_no_name(agent, filled, target) -> None:
    bad(agent)
    assert "EPI001" in refuse(agent, filled, target)


def test_one_bad_ref_refuses_all_of_a_push(agent, filled) -> None:
    write(agent, "Two.", "10:00")
    agent.git("branch", "good")
    bad(agent)
    assert "EPI001" in refuse(agent, filled, "good", "main")
    push(agent, "good")


def test_what_is_on_a_branch_may_come_to_main_only_if_main_may_have_it(agent, filled) -> None:
    trailers = "Actor: reflection:r-001\nApproval: pending\nTrigger: molt reflect"
    agent.git("switch", "-qc", "reflect/r-001")
    agent.put("memory/x.md", "# X\n\nfound\n")
    message = f"[CREATE] memory/x.md — found\n\n{trailers}"
    agent.git("commit", "-q", "--no-verify", "-m", message)
    push(agent, "reflect/r-001")
    push(agent, "reflect/r-001:refs/molt/rejected/r-001")
    for target in ("main", "topic", "refs/tags/t", "refs/molt/x", "refs/heads/reflect/r-002"):
        assert "REFL001" in refuse(agent, filled, f"reflect/r-001:{target}")
    agent.git("push", "-q", "--no-verify", "origin", ":reflect/r-001", ":refs/molt/rejected/r-001")
    assert "REFL001" in refuse(agent, filled, "reflect/r-001", "reflect/r-001:zzz")


def test_a_protected_branch_neither_goes_nor_goes_back(agent, filled) -> None:
    write(agent, "Two.", "10:00")
    push(agent, "main", "main:topic")
    agent.git("commit", "-q", "--amend", "--no-verify", "-m", "other words")
    assert "HIST001" in refuse(agent, filled, "+main")
    assert "HIST001" in refuse(agent, filled, "+main^:main")
    agent.git("config", "receive.denyDeleteCurrent", "ignore", cwd=filled)
    assert "error HIST001: is protected and would be deleted" in refuse(agent, filled, ":main")
    push(agent, "+main^:topic")
    push(agent, ":topic")


def test_whoever_runs_the_server_lets_one_rewrite_through(agent, filled) -> None:
    write(agent, "Two.", "10:00")
    push(agent, "main")
    agent.git("commit", "-q", "--amend", "-m", "other words")
    oid = agent.git("rev-parse", "HEAD").strip()
    assert f"git config molt.rewrite {oid}" in refuse(agent, filled, "+main")
    agent.git("config", door.REWRITE, oid, cwd=filled)
    push(agent, "+main")
    agent.git("reset", "-q", "--hard", "HEAD^")
    bad(agent)
    agent.git("config", door.REWRITE, agent.git("rev-parse", "HEAD").strip(), cwd=filled)
    assert "EPI001" in refuse(agent, filled, "+main")


def test_a_rewrite_is_let_through_once(agent, filled) -> None:
    agent.git("config", door.REWRITE, agent.git("rev-parse", "HEAD").strip(), cwd=filled)
    write(agent, "Two.", "10:00")
    push(agent, "main")
    assert "git update-ref refs/heads/main" in refuse(agent, filled, "+main^:main")


def test_another_name_of_a_protected_branch_is_protected(agent, filled) -> None:
    agent.git("symbolic-ref", "refs/heads/old", "refs/heads/main", cwd=filled)
    agent.git("symbolic-ref", "refs/older/name", "refs/heads/old", cwd=filled)
    agent.git("commit", "-q", "--amend", "--no-verify", "-m", "other words")
    for name in ("old", "refs/older/name"):
        assert "HIST001" in refuse(agent, filled, f"+main:{name}")
        assert "would be deleted" in refuse(agent, filled, f":{name}")
    agent.git("config", "core.ignorecase", "true", cwd=filled)
    assert "in other letters" in refuse(agent, filled, "+main:Main")
    agent.git("reset", "-q", "--hard", "origin/main")
    write(agent, "Two.", "10:00")
    push(agent, "main:old", "main:new")


@pytest.mark.parametrize(
    "name",
    [
        *("refs/heads/HEAD", "refs/heads/head", "refs/tags/HEAD", "refs/heads/FETCH_HEAD"),
        *("refs/heads/-x", "refs/tags/-x", "refs/heads/@"),
        *("refs/heads/refs/heads/main", "refs/heads/heads/main", "refs/tags/remotes/origin/main"),
        *("refs/heads/MAIN", "refs/heads/ma\ufeffin", "refs/heads/\uff4dain", "refs/Heads/main"),
        *("refs/tags/main", "refs/tags/origin/main", "refs/Tags/v1"),
        *("refs/heads/" + "ab" * 20, "refs/tags/" + "0" * 64),
    ],
)
def test_no_new_ref_is_called_what_is_read_as_another(agent, filled, name) -> None:
    assert "error SEC004: " in refuse(agent, filled, f"main:{name}")
    done = agent.run("push", str(filled), f"main:{name}")
    assert done.returncode == 1
    assert "error SEC004: " in done.stderr
    # What is there already can go on, and go.
    agent.git("update-ref", "--", name, agent.git("rev-parse", "main").strip(), cwd=filled)
    write(agent, "Two.", "10:00")
    push(agent, f"+main:{name}")
    push(agent, f":{name}")


def test_other_names_are_free(agent, filled) -> None:
    plain = ("feature/main", "v1.0", "head-lines", "x/HEAD", "feed", "dependabot/pip/a-1")
    push(agent, *(f"main:refs/{kind}/{name}" for kind in ("heads", "tags") for name in plain[1:]))
    push(agent, "main:refs/heads/feature/main", "main:refs/odd/MAIN", "main:refs/remotes/o/main")


def test_a_new_protected_branch_goes_on_from_what_is_here(agent, filled) -> None:
    agent.git("config", door.PROTECTED, "main team/*", cwd=filled)
    write(agent, "Two.", "10:00")
    push(agent, "main:team/a")
    forge_adoption(agent)
    assert "HIST00" in refuse(agent, filled, "HEAD:team/b")
    agent.git("switch", "-q", "main")
    bad(agent)
    push(agent, "+HEAD^:refs/heads/free")
    assert "EPI001" in refuse(agent, filled, "HEAD:team/b")


def test_a_setting_names_what_is_protected(agent, filled) -> None:
    agent.git("config", door.PROTECTED, "main team/*", cwd=filled)
    push(agent, "main:team/a", "main:free")
    assert "would be deleted" in refuse(agent, filled, ":team/a")
    push(agent, ":free")


def test_main_is_protected_where_head_names_nothing(tmp_path, agent, server) -> None:
    agent.git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=server)
    push(agent, "main")
    assert "would be deleted" in refuse(agent, server, ":main")


def test_another_history_is_not_taken(agent, filled, tmp_path) -> None:
    agent.git("switch", "-q", "--orphan", "other")
    agent.put("memory/x.md", "# X\n\nfound\n")
    agent.git("commit", "-qm", "another memory", "--no-verify")
    assert "HIST002" in refuse(agent, filled, "other")
    agent.git("rm", "-rqf", ".")
    agent.git("switch", "-q", "--orphan", "pages")
    agent.put("index.html", "<p>pages</p>\n")
    agent.git("commit", "-qm", "pages", "--no-verify")
    push(agent, "pages")


def forge_adoption(agent: Agent) -> None:
    """A history of its own, which says that it adopts what it has."""
    agent.git("switch", "-q", "--orphan", "other")
    agent.put("README", "read me\n")
    agent.git("commit", "-qm", "pages", "--no-verify")
    said = "Actor: system:init\nApproval: auto\nTrigger: molt init\nAdopted: 1 file"
    agent.put("memory/vault/x.md", "# X\n\nevil\n")
    agent.git("commit", "-qm", "old", "--no-verify")
    agent.put("molt.yaml", "policy: {severity: {EPI001: off}}\n")
    agent.git("commit", "-q", "--no-verify", "-m", f"[INIT] * — adopted\n\n{said}")


def test_a_forged_adoption_exempts_nothing(agent, filled) -> None:
    forge_adoption(agent)
    assert "HIST00" in refuse(agent, filled, "other")
    # Nor where the beginning of it was no memory, and is here.
    push(agent, "other~2:refs/heads/other")
    assert "HIST003" in refuse(agent, filled, "other")


def test_replace_refs_stay_at_home_and_hide_nothing(agent, filled) -> None:
    good = agent.git("rev-parse", "HEAD").strip()
    oid = bad(agent)
    agent.git("replace", oid, good)
    said = refuse(agent, filled, "refs/replace/*:refs/replace/*")
    assert "error HIST001: would change what others see" in said
    agent.git("update-ref", f"refs/replace/{oid}", good, cwd=filled)
    agent.git("replace", "-d", oid)
    assert "EPI001" in refuse(agent, filled, "main")


def test_a_history_that_is_not_whole_is_not_taken(agent, server, tmp_path) -> None:
    write(agent, "Two.", "10:00")
    agent.git("clone", "-q", "--depth", "1", f"file://{agent.root}", str(tmp_path / "cut"))
    for setting in ("false", "true"):
        agent.git("config", "receive.shallowUpdate", setting, cwd=server)
        done = agent.run("push", "--no-verify", str(server), "main", cwd=tmp_path / "cut")
        assert done.returncode == 1, done.stderr
        assert list_refs(agent, server) == {}
    assert "the history of what is pushed is not whole" in done.stderr


def test_a_commit_without_its_past_is_told_from_a_lost_one(agent, filled, tmp_path) -> None:
    write(agent, "Two.", "10:00")
    write(agent, "Three.", "11:00")
    agent.git("clone", "-q", "--depth", "1", f"file://{agent.root}", str(tmp_path / "cut"))
    agent.git("config", "receive.shallowUpdate", "true", cwd=filled)
    words = ("push", "--no-verify", str(filled), "HEAD:refs/heads/cut")
    done = agent.run(*words, cwd=tmp_path / "cut")
    assert done.returncode == 1
    assert "history is missing behind" in done.stderr


def test_a_shallow_clone_pushes_on_top_of_what_is_there(agent, filled, tmp_path) -> None:
    cut = tmp_path / "cut"
    agent.git("clone", "-q", "--depth", "1", f"file://{filled}", str(cut))
    (cut / "note.md").write_text("x\n")
    agent.git("add", "-A", cwd=cut)
    agent.git("commit", "-qm", "a note", cwd=cut)
    agent.git("push", "-q", "--no-verify", "origin", "main", cwd=cut)


def test_what_fails_in_the_hook_refuses_and_says_so(agent, filled) -> None:
    write(agent, "Two.", "10:00")
    hook = filled / "hooks/pre-receive"
    text = hook.read_text()
    hook.write_text(text.replace(sys.executable, "/nowhere/python"))
    done = try_push(agent, "main")
    if "molt:" in done.stderr:
        assert "cannot find Python" in done.stderr or done.returncode == 0
    hook.write_text(text)
    (filled / "HEAD").write_bytes(b"\xff\xfe\n")
    assert try_push(agent, "main").returncode


def test_an_error_of_molts_own_refuses_in_one_line(agent, filled, monkeypatch, capfd) -> None:
    from molt import githooks

    monkeypatch.chdir(filled)
    monkeypatch.setenv("GIT_DIR", ".")
    monkeypatch.setattr(githooks, "_read_stdin", lambda: "no line of git's\n")
    assert githooks.main(["pre-receive"]) == 1
    said = capfd.readouterr().err
    assert said.startswith("molt: pre-receive: ")
    assert len(said.splitlines()) == 1


def test_a_hook_that_was_there_runs_first_and_may_refuse(agent, filled) -> None:
    hook = filled / "hooks/pre-receive"
    hook.rename(filled / "hooks/ours")
    hook.write_text("#!/bin/sh\necho theirs >&2; exit 1\n")
    hook.chmod(0o755)
    assert main(["-q", "hooks", "install", "--server", str(filled)]) == 0
    write(agent, "Two.", "10:00")
    assert "theirs" in refuse(agent, filled, "main")
    before = hook.with_name("pre-receive" + hooks.BEFORE)
    before.write_text("#!/bin/sh\ncat >read.txt\n")
    push(agent, "main")
    assert (filled / "read.txt").read_text().endswith(" refs/heads/main\n")


def test_it_is_installed_once_told_of_and_taken_out(agent, server, capfd) -> None:
    command = ["hooks", "status", "--server", str(server)]
    assert main(["hooks", "install", "--server", str(server)]) == 0
    assert "nothing to do" in capfd.readouterr().out
    assert main(["--json", *command]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [(one["name"], one["state"]) for one in found["hooks"]] == [("pre-receive", "installed")]
    assert main(["hooks", "uninstall", "--server", str(server)]) == 0
    assert main(command) == 0
    assert "absent" in capfd.readouterr().out
    assert os.listdir(server / "hooks") == []


@pytest.mark.parametrize("place", ["nowhere", "plain"])
def test_a_folder_that_is_no_repository_is_told(tmp_path, place, capfd) -> None:
    (tmp_path / "plain").mkdir()
    assert main(["hooks", "install", "--server", str(tmp_path / place)]) == 4
    assert "git init --bare" in capfd.readouterr().err


def test_a_repository_that_is_no_workspace_is_left_alone(agent, tmp_path, server) -> None:
    code = tmp_path / "code"
    agent.git("init", "-q", "-b", "main", str(code))
    (code / "main.c").write_text("int main;\n")
    agent.git("add", "-A", cwd=code)
    agent.git("commit", "-qm", "any words", cwd=code)
    agent.git("push", "-q", str(server), "main", cwd=code)


def test_what_a_tag_a_name_or_an_author_gives_away_is_not_taken(agent, filled) -> None:
    token = sample("ghp_{an:36}")
    agent.git("tag", "-a", "-m", f"deployed with {token}", "inner")
    agent.git("tag", "-a", "-m", "a tag of it", "outer", "inner")
    named = "outer"
    for number in range(7):
        agent.git("tag", "-a", "-m", "a tag of that", f"t{number}", named)
        named = f"t{number}"
    for ref in ("inner", "outer", named, f"main:refs/heads/{token}"):
        assert "error SEC001" in refuse(agent, filled, ref)
    agent.git("tag", "-a", "-m", "the first release", "v1")
    push(agent, "v1")
    made = ("commit", "-q", "--allow-empty", f"--author={token} <a@b.org>", "-m", "more")
    assert "in an author or header" in agent.run(*made).stderr
    agent.git(*made, "--no-verify")
    assert "in an author or header" in refuse(agent, filled, "main")


@pytest.mark.parametrize("name", ["mergetag", "gpgsig", "x-note"])
def test_what_another_header_gives_away_is_not_taken(agent, filled, name) -> None:
    made = agent.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "more").strip()
    head, _, body = agent.git("cat-file", "commit", made).partition("\n\n")
    told = f"{head}\n{name} one\n deployed with {sample('ghp_{an:36}')}\n\n{body}"
    agent.put("made", told, add=False)
    bad = agent.git("hash-object", "-t", "commit", "-w", "--literally", "made")
    assert "an author or header" in refuse(agent, filled, f"{bad.strip()}:refs/heads/main")


def test_a_secret_where_no_memory_is_is_refused(agent, filled) -> None:
    value = sample("ghp_{an:36}")
    agent.git("notes", "add", "-m", f"use {value}", "HEAD")
    assert "error SEC001: its blob" in refuse(agent, filled, "refs/notes/commits")
    agent.put("key.txt", f"key {value}\n")
    agent.git("update-ref", "refs/tags/file", ":key.txt")
    assert "SEC001" in refuse(agent, filled, "refs/tags/file")
    agent.put(f"{value}.txt", "x\n")
    agent.git("rm", "-qf", "key.txt")
    agent.git("update-ref", "refs/kept/folder", agent.git("write-tree").strip())
    assert "SEC001: its tree" in refuse(agent, filled, "refs/kept/folder")
    agent.git("rm", "-qf", f"{value}.txt")
    agent.git("switch", "-q", "--orphan", "pages")
    agent.put("index.html", f"<p>{value}</p>\n")
    agent.git("commit", "-qm", "pages", "--no-verify")
    assert "SEC001" in refuse(agent, filled, "pages")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_secret_in_two_or_four_bytes_a_letter_is_refused(agent, filled, encoding) -> None:
    (agent.root / "key.txt").write_bytes(f"用 {sample('ghp_{an:36}')}\n".encode(encoding))
    agent.git("update-ref", "refs/tags/file", agent.git("hash-object", "-w", "key.txt").strip())
    assert "SEC001" in refuse(agent, filled, "refs/tags/file")


def test_notes_and_files_that_give_nothing_away_are_taken(agent, filled) -> None:
    agent.git("notes", "add", "-m", "looked at by Ada", "HEAD")
    agent.git("update-ref", "refs/tags/file", "HEAD:molt.yaml")
    push(agent, "refs/notes/commits", "refs/tags/file")
    agent.git("notes", "append", "-m", "and by Ben", "HEAD")
    push(agent, "refs/notes/commits")
