"""`molt sync`: clones come together over a remote, beside people, and whatever is in the way."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from molt.cli import clock
from molt.memory import sync as syncing
from molt.memory import workspace
from molt.memory.checks import verify

pytestmark = pytest.mark.slow
BREAKS = "[EDIT] {} — x\n\nActor: bot:main\nApproval: auto\nTrigger: t"


def sync(clone: Any, *args: str, status: int = 0) -> Any:
    out = clone.molt("sync", "--json", *args, status=status)
    return json.loads(out.splitlines()[0])


def tree(clone: Any) -> str:
    assert clone.git("status", "--porcelain") == ""
    return str(clone.git("rev-parse", "HEAD^{tree}")).strip()


def test_what_each_wrote_is_in_both(clones) -> None:
    one, two = clones("one", "two")
    ours = one.remember("The lamp is lit at dusk")
    theirs = two.remember("The ferry sails at eight")
    assert (sync(one)["received"], sync(one)["sent"]) == (0, 0)
    done = sync(two)
    assert (done["received"], done["sent"]) == (1, 2)
    assert sync(one)["received"] == 2
    assert tree(one) == tree(two)
    assert {ours, theirs} <= set(one.memories())
    assert not verify.verify_commits(workspace.find(str(one.root)).repo).errors
    assert "nothing new" in one.molt("sync")
    assert "system:sync" in one.molt("log", "-n", "1")


@pytest.mark.parametrize("seed", range(3))
def test_any_order_ends_in_the_same_tree(clones, seed) -> None:
    chosen = random.Random(seed)
    every = clones("a", "b", "c")
    every[0].molt("hooks", "install", "--server", str(every[0].root.parent / "hub.git"))
    said: list[str] = []
    for number in range(12):
        clone = chosen.choice(every)
        said.append(f"{clone.name} saw gull {number}")
        clone.remember(said[-1], store=chosen.choice(("episodic", "core")))
        if chosen.random() < 0.5:
            sync(chosen.choice(every))
    for clone in (*every, *every):
        sync(clone)
    assert len({tree(clone) for clone in every}) == 1
    kept = every[0].git("grep", "-h", "gull", "HEAD")
    assert all(kept.count(f"{text}\n") == 1 for text in said)


def test_what_a_person_has_not_committed_stays_as_it_is(clones) -> None:
    one, two = clones("one", "two")
    one.remember("The lamp is lit at dusk", store="core")
    sync(one)
    text = two.read("MEMORY.md") + "\n## Notes\n- being written\n"
    two.put("MEMORY.md", text)
    two.put("draft.txt", "not yet\n")
    two.put("staged.txt", "soon\n")
    two.git("add", "staged.txt")
    sync(two)
    assert two.git("status", "--porcelain").split() == [
        *("M", "MEMORY.md", "A", "staged.txt", "??", "draft.txt"),
    ]
    assert "being written" in two.read("MEMORY.md")
    assert "lit at dusk" in two.read("MEMORY.md")


def test_an_edit_that_is_in_the_way_stops_it_before_anything_changes(clones) -> None:
    one, two = clones("one", "two")
    one.put("USER.md", "- likes tea\n", "a note")
    sync(one)
    before = two.git("rev-parse", "HEAD")
    two.put("USER.md", "- likes coffee\n")
    said = sync(two, status=1)["error"]
    assert "USER.md" in said["message"]
    assert two.git("rev-parse", "HEAD") == before
    assert two.read("USER.md") == "- likes coffee\n"


def test_what_only_a_person_can_merge_is_left_to_git(clones) -> None:
    one, two = clones("one", "two")
    one.put("SOUL.md", "Be brief.\n", "brief")
    sync(one)
    two.put("SOUL.md", "Be thorough.\n", "thorough")
    before = two.git("rev-parse", "HEAD")
    said = sync(two, status=1)["error"]
    assert "SOUL.md" in said["message"]
    assert "git merge origin/main" in said["hint"]
    assert two.git("rev-parse", "HEAD") == before
    assert tree(two)


def test_what_breaks_the_rules_does_not_come_in(clones) -> None:
    one, two = clones("one", "two")
    one.put("memory/vault/key.md", "---\nid: key\n---\n# Key\n")
    one.git("add", "-A")
    one.git("commit", "-qnm", BREAKS.format("memory/vault/key.md"))
    one.git("push", "-q", "--no-verify")
    before = two.git("rev-parse", "HEAD")
    two.remember("The ferry sails at eight")
    said = sync(two, status=1)["error"]
    assert said["kind"] == "refused"
    assert "VAULT001" in {one["code"] for one in said["findings"]}
    assert two.git("rev-parse", "HEAD^") == before
    # Nothing of ours went out beside it, and the person may take it.
    assert not two.path("memory/vault/key.md").exists()


def test_what_a_person_accepts_comes_in(clones) -> None:
    one, two = clones("one", "two")
    one.put("memory/big.bin.md", "x" * 2_000_000 + "\n")
    one.git("add", "-A")
    one.git(
        "commit", "-qnm", "[CREATE] memory/big.bin.md — x\n\nActor: manual\nApproval: —\nTrigger: t"
    )
    bad = one.git("rev-parse", "HEAD").strip()
    one.git("push", "-q", "--no-verify")
    said = sync(two, status=1)["error"]
    assert f"`git merge origin/main`, then `molt accept {bad[:10]}" in said["hint"]
    two.git("merge", "-q", "origin/main")
    two.molt("--actor", "manual", "accept", bad, "--why", "it is a report")
    assert sync(two)["sent"] == 1
    assert sync(one)["received"] == 1


def test_our_own_breach_does_not_go_out(clones) -> None:
    (one,) = clones("one")
    one.put("memory/vault/key.md", "---\nid: key\n---\n# Key\n")
    one.git("add", "-A")
    one.git("commit", "-qnm", BREAKS.format("memory/vault/key.md"))
    said = sync(one, status=1)["error"]
    assert said["kind"] == "refused"
    assert "VAULT001" in said["message"]


@pytest.mark.parametrize("odd", ["program", "link"])
def test_what_is_no_plain_file_comes_in_too(clones, odd) -> None:
    one, two = clones("one", "two")
    one.path("tools").mkdir()
    if odd == "program":
        one.path("tools/run.sh").write_text("#!/bin/sh\n")
        one.path("tools/run.sh").chmod(0o755)
    else:
        one.path("tools/run.sh").symlink_to("../SOUL.md")
    one.git("add", "-A")
    one.git("commit", "-qm", "a tool")
    sync(one)
    two.remember("The ferry sails at eight")
    assert sync(two)["received"] == 1
    assert two.path("tools/run.sh").is_symlink() == (odd == "link")
    assert tree(two)


def test_a_remote_that_is_none_or_silent_changes_nothing(clones) -> None:
    one, two = clones("one", "two")
    two.remember("The ferry sails at eight")
    before = two.git("rev-parse", "HEAD")
    assert sync(two, "nowhere", status=4)["error"]["kind"] == "not-found"
    two.git("remote", "set-url", "origin", str(two.root.parent / "gone.git"))
    assert "cannot fetch" in sync(two, status=1)["error"]["message"]
    two.git("remote", "remove", "origin")
    assert "git remote add" in sync(two, status=1)["error"]["hint"]
    assert two.git("rev-parse", "HEAD") == before
    one.git("switch", "-q", "--detach")
    assert sync(one, status=1)["error"]["kind"] == "failed"


def test_another_memory_is_not_merged(clones, tmp_path) -> None:
    (one,) = clones("one")
    other = tmp_path / "other.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(other)], check=True)
    stranger = tmp_path / "stranger"
    subprocess.run(["git", "clone", "-q", str(other), str(stranger)], check=True)
    (stranger / "a.txt").write_text("a\n")
    for args in (("add", "-A"), ("commit", "-qm", "a"), ("push", "-q", "origin", "HEAD:main")):
        subprocess.run(["git", *args], cwd=stranger, check=True)
    one.git("remote", "set-url", "origin", str(other))
    assert "nothing in common" in sync(one, status=1)["error"]["message"]


def test_an_empty_remote_gets_all(clones, tmp_path) -> None:
    (one,) = clones("one")
    other = tmp_path / "empty.git"
    subprocess.run(["git", "init", "-q", "--bare", str(other)], check=True)
    one.git("remote", "add", "backup", str(other))
    done = sync(one, "backup")
    assert done["sent"] == int(one.git("rev-list", "--count", "HEAD"))
    assert sync(one, "backup")["sent"] == 0


def test_a_remote_that_was_made_anew_gets_all(clones, tmp_path) -> None:
    (one,) = clones("one")
    other = tmp_path / "empty.git"
    sync(one)
    subprocess.run(["git", "init", "-q", "--bare", str(other)], check=True)
    one.git("remote", "set-url", "origin", str(other))
    every = int(one.git("rev-list", "--count", "HEAD"))
    done = sync(one)
    assert (done["sent"], done["warnings"]) == (every, ["origin has no branch main any more"])
    assert one.git("ls-remote", "origin", "refs/heads/main").split()[0] in one.git("log", "-n", "1")


def test_a_dry_run_only_tells(clones) -> None:
    one, two = clones("one", "two")
    one.remember("The lamp is lit at dusk")
    sync(one)
    two.remember("The ferry sails at eight")
    before = two.git("rev-parse", "HEAD")
    done = sync(two, "--dry-run")
    assert (done["received"], done["sent"]) == (1, 1)
    assert two.git("rev-parse", "HEAD") == before
    assert sync(two, "--no-push")["sent"] == 0
    assert sync(two)["sent"] == 2


def test_clones_sync_beside_each_other_and_a_person(clones) -> None:
    one, two = clones("one", "two")
    loop = (
        "import sys\nfrom molt.cli import main\nfor _ in range(6): assert main(sys.argv[1:]) == 0"
    )
    jobs = [
        subprocess.Popen(
            [sys.executable, "-c", loop, "--workspace", str(clone.root), "--quiet", "sync"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for clone in (one, two)
    ]
    for number in range(8):
        for clone in (one, two):
            clone.put(f"notes-{clone.name}.md", f"- note {number}\n", f"note {number}")
            clone.remember(f"{clone.name} writes {number}")
    for job in jobs:
        _, said = job.communicate(timeout=120)
        assert job.returncode == 0, said
    for clone in (one, two, one):
        sync(clone)
    assert tree(one) == tree(two)
    for clone in (one, two):
        words = one.git("grep", "-h", f"{clone.name} writes", "HEAD").splitlines()
        assert len([row for row in words if "writes" in row]) >= 8
        assert one.read(f"notes-{clone.name}.md") == "- note 7\n"


def test_what_the_server_refuses_is_told_in_its_words(clones) -> None:
    one, two = clones("one", "two")
    one.molt("hooks", "install", "--server", str(one.root.parent / "hub.git"))
    two.molt("hooks", "uninstall")
    two.put("memory/vault/key.md", "---\nid: key\n---\n# Key\n")
    two.git("add", "-A")
    two.git("commit", "-qm", BREAKS.format("memory/vault/key.md"))
    said = sync(two, status=1)["error"]
    assert said["kind"] == "refused"
    assert "VAULT001" in said["message"]
    assert one.git("ls-remote", "origin", "main").split()[0] != two.git("rev-parse", "HEAD").strip()


def test_who_prunes_meanwhile_takes_nothing_that_a_sync_brings_or_merges(
    clones, monkeypatch
) -> None:
    one, two = clones("one", "two")
    two.remember("The ferry sails at eight")
    sync(two)
    one.remember("The lamp is lit at dusk")
    one.git("prune", "--expire=now")
    judge = syncing._judge

    def prune_and_judge(*asked: Any) -> tuple[str, ...]:
        one.git("prune", "--expire=now")
        return judge(*asked)

    monkeypatch.setattr(syncing, "_judge", prune_and_judge)
    assert syncing.sync_workspace(workspace.find(str(one.root)), clock.now("UTC")).merge
    one.git("prune", "--expire=now")
    one.git("fsck", "--strict")
    kept = " ".join(one.episodes().values())
    assert all(word in kept for word in ("ferry", "lamp"))
