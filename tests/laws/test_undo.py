"""The law of undoing: every commit that molt makes can be taken back, by molt and by plain git.

After either `molt verify` is content, a push through the hooks is accepted, and what is derived is
what it would be if it were made anew.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest
from copies import Copy

from molt.cli import main
from molt.cli.app import cli
from molt.repo import hooks as hook_files

Do = Callable[..., str]
Deed = Callable[[Do, Path], object]
ENTITY = "signs tokens with Ed25519"


def _run(root: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, (words, done.stdout, done.stderr)
    return done


def make_place(root: Path) -> None:
    """A workspace with memories in each store, the hooks, and a remote that has all of it."""
    shutil.rmtree(root, ignore_errors=True)
    remote = root.parent / f"{root.name}.git"
    _run(root.parent, "git", "init", "-q", "--bare", "-b", "main", str(remote))
    assert main(["init", str(root)]) == 0
    for words in (
        ["the harbour gate opens at nine", "--store", "episodic"],
        [ENTITY, "--entity", "concept:OAuth2 PKCE"],
        ["opens the gate", "--entity", "person:Ada"],
        ["Ada prefers short answers", "--store", "core"],
        ["How to deploy: build, then push", "--store", "procedural"],
    ):
        assert main(["--workspace", str(root), "--actor", "manual", "remember", *words]) == 0
    _run(root, "git", "remote", "add", "origin", str(remote))
    _run(root, "git", "push", "-q", "-u", "origin", "HEAD")


@pytest.fixture
def place(tmp_path: Path, copy: Copy, monkeypatch: pytest.MonkeyPatch) -> Path:
    both = copy(tmp_path / "both", _make_both)
    root = both / "agent"
    _run(root, "git", "remote", "set-url", "origin", str(both / "agent.git"))
    assert hook_files.status(str(root / ".git/hooks"), sys.executable)
    monkeypatch.chdir(root)
    return root


def _make_both(both: Path) -> None:
    both.mkdir(parents=True)
    make_place(both / "agent")


def _forget(*more: str) -> Deed:
    return lambda do, _: do("forget", ENTITY, "--yes", *more)


def _remember(*words: str) -> Deed:
    return lambda do, _: do("remember", *words)


def _propose(do: Do) -> None:
    do(
        "--actor",
        "subagent:scout",
        "propose",
        "the tram is late",
        "--store",
        "semantic",
        "--entity",
        "tool:Tram",
    )


def _accept_proposal(do: Do, _: Path) -> None:
    _propose(do)
    do("review", "accept", "1")


def _defer_proposal(do: Do, _: Path) -> None:
    _propose(do)
    do("review", "defer", "1")


def _reject_proposal(do: Do, _: Path) -> None:
    _propose(do)
    do("review", "reject", "1", "--why", "no")


def _reflect(do: Do, root: Path) -> None:
    said = do("--json", "remember", "the mobile app uses OAuth2 PKCE", "--store", "episodic")
    operation = {
        "op": "add-fact",
        "entity": "concept--oauth2-pkce",
        "fact": "is what the mobile app uses",
        "evidence": [json.loads(said)["id"]],
        "reason": "It was said outright.",
        "confidence": "high",
    }
    path = root.parent / "plan.json"
    path.write_text(json.dumps({"operations": [operation]}))
    do("reflect", "--plan", str(path))


def _approve(do: Do, root: Path) -> None:
    _reflect(do, root)
    do("reflect", "approve")


def _reject_reflection(do: Do, root: Path) -> None:
    _reflect(do, root)
    do("reflect", "reject", "--why", "no")


def _acknowledge(do: Do, root: Path) -> None:
    with (root / "SOUL.md").open("a") as file:
        file.write("Speak softly.\n")
    _run(root, "git", "commit", "-qam", "softer")
    do("ack", "SOUL.md")


def _import(do: Do, root: Path) -> None:
    (root.parent / "notes").mkdir()
    (root.parent / "notes" / "tea.md").write_text("# Tea\n\nGreen tea at four.\n")
    do("import", str(root.parent / "notes"))


def _restore(do: Do, _: Path) -> None:
    do("forget", "--id", "entity:person--ada")
    do("restore", "entity:person--ada")


def _fade(do: Do, root: Path) -> None:
    path = root / "memory/meta/decay-scores.json"
    entry = {
        "access_count": 1,
        "base_relevance": 0.5,
        "created": "2020-01-01T00:00:00Z",
        "current_score": 0.6,
        "last_accessed": "2020-01-01T00:00:00Z",
        "pinned": False,
        "status": "active",
        "store": "semantic",
        "type_weight": 1.2,
    }
    data = {"entries": {"entity:person--ada": entry}, "version": 1}
    path.write_text(json.dumps(data, indent=2, sort_keys=True) + "\n")
    _run(root, "git", "add", "-A")
    _run(root, "git", "commit", "-qm", "an old score")
    do("decay")


def _sync(do: Do, root: Path) -> None:
    other = root.parent / "other"
    _run(root.parent, "git", "clone", "-q", str(root.parent / "agent.git"), str(other))
    assert main(["-q", "--workspace", str(other), "remember", "the tram is late"]) == 0
    _run(other, "git", "push", "-q", "--no-verify", "origin", "HEAD")
    do("remember", "opens at ten", "--entity", "person:Ada")
    do("sync")


def _adopt(do: Do, root: Path) -> None:
    (root / "DREAMS.md").write_text("# Dreams\n\nThe gate.\n")
    (root / "memory/dreaming/deep").mkdir(parents=True)
    (root / "memory/dreaming/deep/2026-02-01.md").write_text("- promoted: the gate\n")
    do("adopt-changes")


def _commit_rest(do: Do, root: Path) -> None:
    (root / "memory/gates.md").write_text("- The gate opens at nine.\n")
    do("commit", "-m", "a note")


def _flush(do: Do, root: Path) -> None:
    line = {"type": "user", "message": {"role": "user", "content": "I moved to Lisbon in May"}}
    path = root.parent / "talk.jsonl"
    path.write_text(json.dumps(line) + "\n")
    do("session", "flush", "--transcript", str(path))


def _resolve_proposals(do: Do, _: Path) -> None:
    for hour in (9, 10):
        do(
            *("--actor", "subagent:scout", "propose", f"the tram leaves at {hour}"),
            *("--store", "semantic", "--entity", "tool:Tram"),
        )
    do("review", "resolve", "1", "--prefer")


def _ask_about_proposals(do: Do, _: Path) -> None:
    for hour in (9, 10):
        do(
            *("--actor", "subagent:scout", "propose", f"the tram leaves at {hour}"),
            *("--store", "semantic", "--entity", "tool:Tram"),
        )
    do("review", "resolve", "1", "--ask")


def _put_back(do: Do, root: Path) -> None:
    folder = root.parent / "export"
    do("export", "--to", "obsidian", str(folder))
    note = folder / "memory/graph/entities/concept--oauth2-pkce.md"
    (found,) = [note] if note.exists() else folder.rglob("*auth2*.md")
    found.write_text(found.read_text().replace(ENTITY, "signs tokens with RSA"))
    do("import", str(folder), "--restore")


def _install(do: Do, root: Path) -> None:
    (root / "CLAUDE.md").write_text("# Claude\n")
    with (root / ".gitignore").open("a") as file:
        file.write(".claude/\n.mcp.json\n")
    _run(root, "git", "add", "-A")
    _run(root, "git", "commit", "-qm", "notes for Claude")
    do("install", "claude-code", "--scope", "project", "--yes")


DEEDS: dict[str, Deed] = {
    "remember an episode": _remember("the tram is late", "--store", "episodic"),
    "remember a new entity": _remember("is late", "--entity", "tool:Tram"),
    "remember a fact": _remember("expires in an hour", "--entity", "concept:OAuth2 PKCE"),
    "remember a relation": _remember(
        *("uses it", "--entity", "person:Ada"),
        *("--relation", "person--ada uses concept--oauth2-pkce"),
    ),
    "remember core": _remember("Ada likes tea", "--store", "core"),
    "remember a procedure": _remember("How to brew: boil, then pour", "--store", "procedural"),
    "remember in the vault": _remember("passport is in the drawer", "--store", "vault"),
    "supersede a fact": _remember(
        *("signs tokens with RSA", "--entity", "concept:OAuth2 PKCE", "--supersedes", ENTITY)
    ),
    "core add": lambda do, _: do("core", "add", "Persona", "Dry humour"),
    "core set": lambda do, _: do("core", "set", "Persona", "Dry humour", "Kind"),
    "core remove": lambda do, _: do("core", "remove", "Ada prefers short answers"),
    "core cap": lambda do, _: do("core", "cap", "5000"),
    "setup model": lambda do, _: do("setup", "model", "openai", "--model", "m", "--no-try"),
    "graph merge": lambda do, _: do("graph", "merge", "concept--oauth2-pkce", "person--ada"),
    "graph rename": lambda do, _: do("graph", "rename", "person--ada", "Ada L"),
    "graph relation": lambda do, _: do("graph", "relation", "add", "admires"),
    "pin": lambda do, _: do("pin", "entity:person--ada"),
    "decay": _fade,
    "forget an entity": lambda do, _: do("forget", "--id", "entity:person--ada"),
    "forget a fact": _forget(),
    "forget an episode": lambda do, _: do("forget", "the harbour gate opens at nine", "--yes"),
    "forget core": lambda do, _: do("forget", "Ada prefers short answers", "--yes"),
    "restore": _restore,
    "import": _import,
    "propose": lambda do, _: _propose(do),
    "review accept": _accept_proposal,
    "review reject": _reject_proposal,
    "reflect approve": _approve,
    "reflect reject": _reject_reflection,
    "ack": _acknowledge,
    "question": lambda do, _: do("question", "add", "Which tea?", "--expect", "green"),
    "question remove": lambda do, _: (
        do("question", "add", "Which tea?", "--expect", "green", "--id", "tea"),
        do("question", "remove", "tea"),
    ),
    "unpin": lambda do, _: (
        do("pin", "entity:person--ada"),
        do("unpin", "entity:person--ada"),
    ),
    "review defer": _defer_proposal,
    "review resolve": _resolve_proposals,
    "review resolve by a question": _ask_about_proposals,
    "import what was exported": _put_back,
    "install": _install,
    "sync": _sync,
    "adopt-changes": _adopt,
    "commit": _commit_rest,
    "session flush": _flush,
    "revert": lambda do, _: (
        do("remember", "the tram is late", "--store", "episodic"),
        do("revert", "--commit", "HEAD", "--yes"),
    ),
    "rollback": lambda do, _: (
        do("remember", "the tram is late", "--store", "episodic"),
        do("rollback", "--to", "HEAD^", "--yes"),
    ),
}


COVERED = {
    "remember": "remember an episode",
    "core add": "core add",
    "core set": "core set",
    "core remove": "core remove",
    "core cap": "core cap",
    "setup model": "setup model",
    "graph merge": "graph merge",
    "graph rename": "graph rename",
    "graph relation add": "graph relation",
    "pin": "pin",
    "unpin": "unpin",
    "decay": "decay",
    "forget": "forget a fact",
    "restore": "restore",
    "import": "import",
    "propose": "propose",
    "review accept": "review accept",
    "review reject": "review reject",
    "review defer": "review defer",
    "review resolve": "review resolve",
    "reflect": "reflect approve",
    "reflect approve": "reflect approve",
    "reflect reject": "reflect reject",
    "ack": "ack",
    "question add": "question",
    "question remove": "question remove",
    "sync": "sync",
    "adopt-changes": "adopt-changes",
    "commit": "commit",
    "session flush": "session flush",
    "session prompt": "remember an episode",
    "session start": "adopt-changes",
    "hook": "adopt-changes",
    "mcp": "remember an episode",
    "revert": "revert",
    "rollback": "rollback",
    "install": "install",
}
"""The commands that commit, each with the deed that makes such a commit."""
APART = {
    "init": "what makes a workspace ends it",
    "accept": "what it has accepted is open again",
    "check": "the line that it allowed is a finding again",
    "keys add": "who signs is told by tests/attacks/test_signed.py",
    "keys remove": "likewise",
    "audit": "a digest of months that have passed: tests/memory/test_audit_prune.py",
    "resolve": "it stages; git commits",
    "reflect answer": "it writes for the next reflection, whose commits are approved",
    "reflect rebase": "the branch of a proposal",
    "reflect push": "likewise",
    "purge": "no history is left to go back to",
    "demo": "a workspace that is thrown away",
    "doctor": "what it mends is no commit of its own",
}
"""The commands that commit and whose undoing says something else, with the reason."""
READING = (
    *("status", "uninstall", "hooks", "completion", "core show", "export", "touch"),
    *("search", "recall", "get", "context", "graph export", "graph neighbors", "graph path"),
    *("graph show", "index", "question list", "question run", "eval", "session end"),
    *("session turn", "trigger", "review list", "procedure export", "procedure list"),
    *("reflect list", "reflect questions", "reflect schedule install", "reflect show", "log"),
    *("reflect schedule remove", "reflect schedule status", "why", "blame", "alerts", "verify"),
    *("rule", "keys list", "consent", "backup"),
    *("session append", "session compact", "session delete", "session list", "session show"),
)


def _list_leaves(command: click.Command, name: str = "") -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield name
        return
    context = click.Context(command)
    for one in command.list_commands(context):
        found = command.get_command(context, one)
        assert found is not None
        yield from _list_leaves(found, f"{name} {one}".strip())


def test_every_command_that_commits_is_among_the_deeds() -> None:
    """A new command is written down here, and where it commits, its undoing is tried."""
    known = [*(COVERED.keys() - {"reflect"}), *APART, *READING]
    assert sorted(known) == sorted(_list_leaves(cli))
    assert set(COVERED.values()) <= set(DEEDS)


def _read_derived(do: Do, root: Path) -> tuple[bytes, bytes, list[Any]]:
    do("search", "harbour gate")
    do("graph", "show")
    do("log")
    with closing(sqlite3.connect(root / ".git/molt/index.sqlite")) as index:
        found = index.execute(
            "SELECT path, oid, first, last, memory_id, type, tags, date, text, hash, vector "
            "FROM chunks JOIN files USING (path) JOIN vectors USING (id) ORDER BY path, first"
        )
        page = root / "memory/graph/index.md"
        rows = found.fetchall()
    graph = page.read_bytes() if page.exists() else b""
    return (root / "memory/meta/audit.log").read_bytes(), graph, rows


def _check_place(do: Do, root: Path) -> None:
    """Verify is clean, a push is accepted, what is derived is as made anew."""
    do("verify")
    assert _run(root, "git", "status", "--porcelain").stdout == ""
    _run(root, "git", "push", "-q", "origin", "HEAD")
    grown = _read_derived(do, root)
    shutil.rmtree(root / ".git/molt")
    for name in ("meta/audit.log", "graph/index.md"):
        (root / "memory" / name).unlink(missing_ok=True)
    assert _read_derived(do, root) == grown


@pytest.fixture
def do(capsys: pytest.CaptureFixture[str]) -> Do:
    def call(*words: str) -> str:
        capsys.readouterr()
        given = words if "--actor" in words else ("--actor", "manual", *words)
        status = main(list(given))
        said = capsys.readouterr()
        assert status == 0, (words, said.out, said.err)
        return said.out

    return call


@pytest.mark.parametrize("name", DEEDS)
def test_molt_undoes_each_of_its_commits(name, place, do) -> None:
    before = _run(place, "git", "rev-parse", "HEAD").stdout.strip()
    DEEDS[name](do, place)
    assert _run(place, "git", "rev-parse", "HEAD").stdout.strip() != before
    do("revert", "--commit", "HEAD", "--yes")
    assert _run(place, "git", "log", "-1", "--format=%s").stdout.startswith("[REVERT] ")
    _check_place(do, place)


@pytest.mark.parametrize("name", DEEDS)
def test_plain_git_undoes_each_of_its_commits(name, place, do) -> None:
    DEEDS[name](do, place)
    parents = _run(place, "git", "log", "-1", "--format=%P").stdout.split()
    _run(place, "git", "revert", "--no-edit", *(["-m", "1"] * (len(parents) > 1)), "HEAD")
    _check_place(do, place)


@pytest.mark.parametrize("said", ["", "put it back", 'Revert "of the day"', "[EDIT] * — again"])
def test_a_plain_revert_of_a_removal_for_good_is_held_back_and_pushed_nowhere(
    place, do, said: str
) -> None:
    do("forget", ENTITY, "--yes", "--permanently")
    _run(place, "git", "push", "-q", "origin", "HEAD")
    _run(place, "git", "revert", "--no-edit", "HEAD")
    if said:
        _run(place, "git", "commit", "-q", "--amend", "--no-verify", "-m", said)
    assert ENTITY in (place / "memory/graph/entities/concept--oauth2-pkce.md").read_text()
    assert main(["verify"]) == 1
    assert ENTITY not in do("recall", "which tokens are signed with Ed25519?")
    pushed = _run(place, "git", "push", "-q", "origin", "HEAD", check=False)
    assert pushed.returncode
    assert "META004" in pushed.stderr
    assert "removed for good" in pushed.stderr
    do("accept", "HEAD", "--why", "it was right")
    _run(place, "git", "push", "-q", "origin", "HEAD")
    assert ENTITY in do("recall", "which tokens are signed with Ed25519?")


def test_molt_reverts_a_removal_for_good_without_its_words(place, do) -> None:
    do("forget", ENTITY, "--yes", "--permanently")
    do("remember", "the tram is late", "--store", "episodic")
    do("revert", "--commit", "HEAD", "--yes")
    assert ENTITY not in (place / "memory/graph/entities/concept--oauth2-pkce.md").read_text()
    _check_place(do, place)
