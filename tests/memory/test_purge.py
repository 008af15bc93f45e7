"""`molt purge`: no object and no file has it, verify is as before, and it is never half done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from copies import Copy

from molt.cli import main
from molt.memory.forget import purge_words

TEXT = "Zanzibar password is hunter two seven"
SECRET = b"zanzibar"

pytest.importorskip("git_filter_repo")


def git(root: Path, *args: str, check: bool = True) -> str:
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


def molt(root: Path, *words: str) -> int:
    return main(["--workspace", str(root), "--actor", "manual", *words])


def make_secret(root: Path) -> None:
    """A history that holds a text in a log, an entity, a critical file, messages and a tag."""
    assert main(["init", str(root)]) == 0
    for words in (
        ("the harbour gate opens at nine", "--store", "episodic"),
        (TEXT, "--store", "episodic"),
        ("signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE"),
        (f"keeps {TEXT} safe", "--entity", "person:Ada Lovelace"),
    ):
        assert molt(root, "remember", *words) == 0
    with (root / "SOUL.md").open("a") as file:
        file.write("> Zanzibar password is hunter\n> two seven, remember it\n")
    git(root, "commit", "-qam", "a soul with too much in it")
    assert molt(root, "ack", "SOUL.md") == 0
    git(root, "tag", "-am", f"about {TEXT.lower()}", "v1")
    git(root, "branch", "other", "HEAD~2")
    git(root, "update-ref", "refs/molt/rejected/r-001", "HEAD~1")
    (root / "dropped.md").write_text(f"{TEXT}\n")
    git(root, "hash-object", "-w", "dropped.md")
    (root / "dropped.md").unlink()
    git(root, "commit", "-q", "--allow-empty", "--no-verify", "-m", "a commit without a schema")
    assert molt(root, "search", "zanzibar") == 0


@pytest.fixture
def place(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_secret)


def find_rest(root: Path, secret: bytes = SECRET) -> list[str]:
    """Everything below a folder that says it, by another way than molt's own."""
    found = []
    for path in root.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if "objects" in path.parts and len(path.name) == 38:
            data = zlib.decompress(data)
        if secret in data.lower() or secret in str(path.relative_to(root)).lower().encode():
            found.append(str(path))
    words = ["git", "cat-file", "--batch-all-objects", "--batch"]
    data = subprocess.run(words, cwd=root, capture_output=True, check=True).stdout
    while data:
        oid, _, size = data.partition(b"\n")[0].decode().split(" ")
        start = data.index(b"\n") + 1
        if secret in data[start : start + int(size)].lower():
            found.append(oid)
        data = data[start + int(size) + 1 :]
    return found


def count_findings(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    molt(root, "verify", "--json")
    return [one["code"] for one in json.loads(capsys.readouterr().out)["findings"]]


def test_nothing_holds_it_and_all_else_is_as_it_was(place, capsys, tmp_path) -> None:
    before = count_findings(place, capsys)
    subjects = git(place, "log", "--format=%an %ad %cd", "--all").splitlines()
    config = (place / ".git/config").read_bytes()
    assert (
        molt(place, "purge", TEXT, "--confirm", TEXT, "--backup", str(tmp_path / "b.bundle")) == 0
    )
    assert "it is nowhere" in capsys.readouterr().out
    assert find_rest(place) == []
    assert count_findings(place, capsys) == before
    assert (place / ".git/config").read_bytes() == config
    assert (place / ".git/hooks/commit-msg").exists()
    assert len(git(place, "log", "--format=%an", "--all").splitlines()) == len(subjects) + 1
    assert git(place, "status", "--porcelain") == ""
    assert molt(place, "alerts") == 0
    assert "SOUL.md" not in capsys.readouterr().out
    assert molt(place, "audit", "verify") == 0
    assert molt(place, "remember", "life goes on", "--store", "episodic") == 0
    git(place, "fsck", "--full")
    assert b"harbour gate" in next((place / "memory/episodes").glob("*.md")).read_bytes()
    back = tmp_path / "back"
    assert main(["backup", "--restore", str(tmp_path / "b.bundle"), str(back)]) == 0
    assert find_rest(back)


def test_the_hook_before_a_push_lets_go_what_was_purged_and_nothing_else(
    place, capsys, tmp_path
) -> None:
    remote = tmp_path / "remote.git"
    git(place, "clone", "-q", "--bare", ".", str(remote))
    git(place, "remote", "add", "origin", str(remote))
    git(place, "fetch", "-q", "origin")
    old = git(place, "rev-parse", "HEAD")
    assert molt(place, "purge", TEXT, "--confirm", TEXT, "--no-backup") == 0
    assert "git push --force --all origin" in capsys.readouterr().out
    assert molt(place, "remember", "life goes on", "--store", "episodic") == 0
    side = git(place, "commit-tree", "-m", "another history", "HEAD^{tree}")
    git(place, "push", "-q", "--force", "origin", f"{side}:main", check=False)
    assert git(remote, "rev-parse", "main") == old, "that is no purge of it"
    git(remote, "update-ref", "refs/heads/main", f"{old}~1")
    git(place, "push", "-q", "--force", "origin", "main", check=False)
    assert git(remote, "rev-parse", "main") != git(place, "rev-parse", "main"), "nobody purged that"
    git(remote, "update-ref", "refs/heads/main", old)
    git(place, "push", "-q", "--force", "--all", "origin")
    git(place, "push", "-q", "--force", "--all", "origin")
    git(place, "push", "-q", "--force", "--tags", "origin")
    assert git(remote, "rev-parse", "main") == git(place, "rev-parse", "main")


def test_what_names_commits_names_them_still(place, capsys) -> None:
    day = next((place / "memory/episodes").glob("*.md"))
    day.write_text(day.read_text().replace("opens at nine", "opens at ten"))
    git(
        place,
        "commit",
        "-qam",
        "[EDIT] * — x\n\nActor: manual\nApproval: —\nTrigger: x",
        "--no-verify",
    )
    bad = git(place, "rev-parse", "HEAD")
    assert molt(place, "accept", bad, "--why", "a typo") == 0
    base = git(place, "rev-parse", "HEAD~3")
    record = place / "memory/notes.md"
    record.write_text(f"base: {base}\n")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "notes of a commit")
    before = count_findings(place, capsys)
    assert molt(place, "purge", TEXT, "--confirm", TEXT, "--no-backup") == 0
    assert count_findings(place, capsys) == before
    named = (place / "memory/notes.md").read_text().split()[1]
    assert named != base
    assert git(place, "cat-file", "-t", named) == "commit"
    accepted = git(place, "log", "--format=%(trailers:key=Accepts,valueonly)").split()[0]
    assert accepted != bad
    assert git(place, "cat-file", "-t", accepted) == "commit"


def test_a_memory_goes_with_its_file_and_name(place, capsys) -> None:
    memory = "entity:person--ada-lovelace"
    assert molt(place, "purge", memory, "--confirm", memory, "--no-backup") == 0
    assert find_rest(place, b"lovelace") == []
    assert count_findings(place, capsys) == []


def test_the_words_that_a_commit_quotes_go_with_the_memory(place, capsys, tmp_path) -> None:
    route = tmp_path / "route.json"
    route.write_text('{"store": "episodic", "summary": "The hut is locked."}')
    words = "we lock the old hut by the quince tree at night"
    assert molt(place, "remember", words, "--route", str(route), "--json") == 0
    memory = json.loads(capsys.readouterr().out.splitlines()[-1])["id"]
    assert "quince" in git(place, "log", "-1", "--format=%B")
    assert molt(place, "purge", memory, "--confirm", memory) == 0
    assert find_rest(place, b"quince") == []


@pytest.mark.parametrize("actor", ["bot:main", "bot:trigger-forget", "subagent:x"])
def test_a_bot_purges_nothing(place, capsys, actor) -> None:
    head = git(place, "rev-parse", "HEAD")
    words = ["--workspace", str(place), "--actor", actor, "purge", TEXT, "--confirm", TEXT]
    assert main(words) == 1
    assert git(place, "rev-parse", "HEAD") == head


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("purge",), 2),
        (("purge", " "), 2),
        (("purge", "abc"), 2),
        (("purge", "…………"), 2),
        (("purge", "entity:person--nobody"), 4),
        (("purge", "what nobody has ever said"), 4),
        (("purge", TEXT), 3),
        (("purge", TEXT, "--confirm", "another"), 2),
        (("purge", TEXT, "--backup", "x", "--no-backup"), 2),
        (("purge", "--continue"), 4),
    ],
)
def test_what_makes_no_sense_changes_nothing(place, words, status) -> None:
    head = git(place, "rev-parse", "HEAD")
    assert molt(place, *words) == status
    assert git(place, "rev-parse", "HEAD") == head
    assert not list(place.parent.glob("*.bundle"))


def test_work_that_would_be_lost_is_in_the_way(place, tmp_path, capsys) -> None:
    ask = ("purge", TEXT, "--confirm", TEXT, "--no-backup")
    (place / "SOUL.md").write_text("mine\n")
    assert molt(place, *ask) == 1
    assert "not committed" in capsys.readouterr().err
    git(place, "stash")
    assert molt(place, *ask) == 1
    assert "stash" in capsys.readouterr().err
    git(place, "stash", "drop")
    git(place, "worktree", "add", "-q", str(tmp_path / "beside"), "other")
    assert molt(place, *ask) == 1
    assert "work tree" in capsys.readouterr().err
    git(place, "worktree", "remove", str(tmp_path / "beside"))
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{place}", "shallow")
    assert molt(tmp_path / "shallow", *ask) == 1
    assert "unshallow" in capsys.readouterr().err
    git(tmp_path, "clone", "-q", "-s", str(place), "borrows")
    assert molt(tmp_path / "borrows", *ask) == 1
    assert "borrows" in capsys.readouterr().err
    assert molt(place, *ask) == 0


KILL = """
import os, signal, sys
from molt.repo import rewrite
name, when = sys.argv[1:3]
real = getattr(rewrite, name)
def killed(*args):
    if when == "after":
        real(*args)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(rewrite, name, killed)
from molt.cli import main
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    "name",
    [
        *("make_history", "note_whole", "take_over", "_update_refs", "_delete_refs"),
        *("drop_history", "end_purge"),
    ],
)
def test_one_that_is_killed_is_before_or_goes_on(place, capsys, name, when) -> None:
    head = git(place, "rev-parse", "HEAD")
    args = ["--workspace", str(place), "--actor", "manual", "purge", TEXT, "--confirm", TEXT]
    command = [sys.executable, "-c", KILL, name, when, *args, "--no-backup"]
    done = subprocess.run(command, cwd=place, capture_output=True, check=False)
    assert done.returncode == -9, done.stderr
    if (place / ".git/molt/purge/note").exists():
        assert molt(place, "purge", TEXT, "--confirm", TEXT) == 1
        assert "--continue" in capsys.readouterr().err
        assert molt(place, "purge", "--continue") == 0
    elif (name, when) != ("end_purge", "after"):
        assert git(place, "rev-parse", "HEAD^") == head
        assert molt(place, "purge", TEXT, "--confirm", TEXT, "--no-backup") == 0
    assert find_rest(place) == []
    assert git(place, "status", "--porcelain") == ""
    assert count_findings(place, capsys) == []


def test_what_was_committed_in_between_is_not_lost(place, capsys) -> None:
    args = ["--workspace", str(place), "--actor", "manual", "purge", TEXT, "--confirm", TEXT]
    command = [sys.executable, "-c", KILL, "note_whole", "after", *args, "--no-backup"]
    subprocess.run(command, cwd=place, capture_output=True, check=False)
    assert molt(place, "remember", "life goes on", "--store", "episodic") == 0
    head = git(place, "rev-parse", "HEAD")
    assert molt(place, "purge", "--continue") == 1
    assert "begins anew" in capsys.readouterr().err
    assert git(place, "rev-parse", "HEAD") == head
    assert molt(place, "purge", TEXT, "--confirm", TEXT, "--no-backup") == 0
    assert find_rest(place) == []
    assert "life goes on" in git(place, "log", "--format=%s")


def test_without_the_tool_it_says_how_to_get_it(place, tmp_path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    code = (
        "import sys; sys.modules['git_filter_repo'] = None\n"
        "from importlib import util; real = util.find_spec\n"
        "util.find_spec = lambda name, *a: None if name == 'git_filter_repo' else real(name, *a)\n"
        "from molt.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for tool in ("git",):
        path = subprocess.run(["which", tool], capture_output=True, text=True, check=True).stdout
        (empty / tool).symlink_to(path.strip())
    command = [sys.executable, "-c", code, "--workspace", str(place), "purge", TEXT]
    env = os.environ | {"PATH": str(empty), "MOLT_ACTOR": "manual"}
    asked, told = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=False, env=env)
        for more in (("--confirm", TEXT, "--no-backup"), ("--dry-run",))
    )
    assert asked.returncode == 1
    assert "pip install git-filter-repo" in asked.stderr
    assert told.returncode == 0, "to look takes no tool"
    assert "hold it" in told.stdout


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("opens at nine", "it OPENS at\n  nine today", True),
        ("opens at nine", "it opens at ninety", False),
        ("opens at nine", '"text": "opens at\\nnine"', True),
        ("opens at nine", "tool--opens-at-nine.md", True),
        ("Café in Zürich", json.dumps("Café in Zürich"), True),
        ('says "no" to all', json.dumps('says "no" to all'), True),
        ("the harbour gate opens at nine on Sundays", "the harbour gate opens at…", True),
        ("the harbour gate opens at nine on Sundays", "the harbour gate", False),
        ("port", "airport", False),
    ],
)
def test_how_words_may_stand(value, text, found) -> None:
    import re

    pattern = purge_words.make_pattern(value).encode()
    assert bool(re.search(pattern, text.encode(), re.IGNORECASE)) is found
