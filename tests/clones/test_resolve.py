"""`molt resolve`: a merge, rebase or stash that stands in conflict where there is no driver."""

from __future__ import annotations

import json

import pytest

from molt.formats.merge import PATTERNS, is_mergeable

DAY = "memory/episodes/2026-02-02.md"
TITLE = "# 2026-02-02 — Episode Log\n"
DOCKER = "memory/graph/entities/tool--docker.md"


def entry(text: str, time: str = "10:00:01") -> str:
    return f"\n## {time} | fact | confidence:high | tags:[]\n{text}\n"


def docker(*facts: str) -> str:
    front = "---\nid: tool--docker\ntype: tool\nlabel: Docker\n---\n# Docker\n\n## Facts\n"
    return front + "".join(f"- {fact}\n" for fact in facts)


@pytest.fixture
def clone(clones):
    """A clone in which git knows nothing of the driver, with a day and an entity."""
    (made,) = clones("a")
    made.molt("hooks", "uninstall")
    made.put(DAY, TITLE)
    made.put(DOCKER, docker("old"))
    made.git("add", "-A")
    made.git("commit", "-qm", "start")
    return made


def part(clone, ours: dict[str, str], theirs: dict[str, str]) -> None:
    """Two branches that changed the same files."""
    for branch, files in (("side", theirs), ("main", ours)):
        clone.git("switch", "-q", *(["-c"] if branch == "side" else []), branch)
        for path, text in files.items():
            clone.put(path, text)
        clone.git("add", "-A")
        clone.git("commit", "-qm", branch)


BOTH = (
    {DAY: TITLE + entry("ours"), DOCKER: docker("old", "ours")},
    {
        DAY: TITLE + entry("theirs"),
        DOCKER: docker("old", "theirs (source: episode:2026-02-02:10:00:01)"),
    },
)
MERGED = {
    DAY: TITLE + entry("ours") + entry("theirs", "10:00:02"),
    DOCKER: docker("old", "ours", "theirs (source: episode:2026-02-02:10:00:02)"),
}


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize(
    ("begin", "end"),
    [
        pytest.param(("merge", "-q", "side"), ("commit", "-q", "--no-edit"), id="merge"),
        pytest.param(("cherry-pick", "side"), ("cherry-pick", "--continue"), id="cherry-pick"),
    ],
)
def test_what_git_could_not_merge_is_merged_and_staged(clone, monkeypatch, style, begin, end):
    monkeypatch.setenv("GIT_EDITOR", "true")
    clone.git("config", "merge.conflictStyle", style)
    part(clone, *BOTH)
    assert clone.run(*begin).returncode == 1
    said = clone.molt("resolve")
    assert said.splitlines() == [
        *(f"resolved  {path}" for path in (DAY, DOCKER)),
        "          theirs episode:2026-02-02:10:00:01 is episode:2026-02-02:10:00:02 now",
        f"then      git {'commit' if begin[0] == 'merge' else 'cherry-pick --continue'}",
    ]
    assert {path: clone.read(path) for path in MERGED} == MERGED
    assert clone.unmerged() == []
    clone.git(*end)
    assert clone.git("status", "--porcelain") == ""


def test_a_rebase_is_taken_on_commit_by_commit(clone, monkeypatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "true")
    part(clone, {DAY: TITLE + entry("ours")}, {DAY: TITLE + entry("theirs")})
    clone.git("switch", "-q", "side")
    clone.put(DAY, clone.read(DAY) + entry("later", "10:00:02"), "later")
    assert clone.run("rebase", "main").returncode == 1
    refused = clone.molt("remember", "in between", status=1)
    assert "a rebase is in progress" in refused
    assert "`molt resolve`" in refused
    said = clone.molt("resolve")
    assert said.endswith("then      git rebase --continue\n")
    rounds = 0
    while clone.run("rebase", "--continue").returncode and rounds < 3:
        clone.molt("resolve")
        rounds += 1
    # Without the driver the second commit fits by line; its entry is told apart when it is read.
    day = "episode:2026-02-02:10:00:0"
    assert clone.episodes() == {f"{day}1": "ours", f"{day}2": "theirs", f"{day}3": "later"}


def test_a_stash_that_conflicts_is_merged_into_what_is_staged(clone) -> None:
    clone.put(DAY, TITLE + entry("stashed"))
    clone.git("stash", "-q")
    clone.put(DAY, TITLE + entry("ours"), "ours")
    assert clone.run("stash", "pop").returncode == 1
    assert "git stash drop" in clone.molt("resolve", DAY)
    assert clone.read(DAY) == TITLE + entry("ours") + entry("stashed", "10:00:02")


def test_what_only_a_person_can_say_is_left_and_the_rest_is_merged(clone) -> None:
    soul = clone.read("SOUL.md")
    theirs = {**BOTH[1], "SOUL.md": soul + "theirs\n"}
    theirs[DOCKER] = docker("old", "theirs").replace("## Facts", "## Summary\nA ship.\n\n## Facts")
    ours = {**BOTH[0], "SOUL.md": soul + "ours\n"}
    ours[DOCKER] = docker("old", "ours").replace("## Facts", "## Summary\nA box.\n\n## Facts")
    part(clone, ours, theirs)
    assert clone.run("merge", "-q", "side").returncode == 1
    before = clone.read("SOUL.md")
    done = json.loads(clone.molt("resolve", "--json", status=1))
    assert (done["paths"], done["next"]) == ([DAY], "")
    assert {one["path"] for one in done["left"]} == {"SOUL.md", DOCKER}
    assert clone.read("SOUL.md") == before
    text = clone.read(DOCKER)
    assert "<<<<<<< ours\nA box.\n=======\nA ship.\n>>>>>>> theirs\n" in text
    assert "- old\n- ours\n- theirs\n" in text
    assert sorted(clone.unmerged()) == sorted(["SOUL.md", DOCKER])
    # What it has left is what it finds again.
    assert "left      memory/graph" in clone.molt("resolve", DOCKER, status=1)


def test_what_a_person_has_begun_to_mend_is_theirs(clone) -> None:
    part(clone, *BOTH)
    assert clone.run("merge", "-q", "side").returncode == 1
    mine = TITLE + entry("both of us")
    clone.put(DAY, mine)
    assert "it was edited since" in clone.molt("resolve", status=1)
    assert clone.read(DAY) == mine
    assert clone.unmerged() == [DAY]
    clone.git("checkout", "-q", "--merge", "--", DAY)
    clone.molt("resolve")
    assert clone.read(DAY) == MERGED[DAY]


@pytest.mark.parametrize(
    ("ours", "theirs", "why"),
    [
        pytest.param(None, TITLE + entry("x"), "ours took it away", id="gone here"),
        pytest.param(TITLE + entry("x"), None, "theirs took it away", id="gone there"),
        pytest.param(TITLE + entry("x"), "\udcff", "it is not UTF-8", id="no text"),
        pytest.param(TITLE + entry("x"), "program", "it is no plain file", id="a program"),
    ],
)
def test_what_cannot_be_merged_is_left(clone, ours, theirs, why) -> None:
    for branch, text in (("side", theirs), ("main", ours)):
        clone.git("switch", "-q", *(["-c"] if branch == "side" else []), branch)
        clone.path(DAY).unlink()
        if text is not None:
            clone.path(DAY).write_bytes(text.encode("utf-8", "surrogateescape"))
            clone.path(DAY).chmod(0o755 if text == "program" else 0o644)
        clone.git("add", "-A")
        clone.git("commit", "-q", "--no-verify", "-m", branch)
    assert clone.run("merge", "-q", "side").returncode == 1
    said = clone.molt("resolve", status=1)
    assert said.startswith("left      ")
    assert why in said


def test_paths_are_seen_from_where_one_stands_or_from_the_top(clone, monkeypatch) -> None:
    part(clone, *BOTH)
    clone.run("merge", "-q", "side")
    assert clone.molt("resolve", "SOUL.md", status=4).startswith("molt: SOUL.md is not in conflict")
    assert DOCKER in clone.molt("resolve", DOCKER)
    assert clone.unmerged() == [DAY]
    clone.molt("--workspace", str(clone.root / "memory"), "resolve", "episodes/2026-02-02.md")
    assert clone.unmerged() == []
    assert clone.molt("resolve") == "nothing is in conflict\n"


@pytest.mark.parametrize(
    ("path", "merged"),
    [
        *((path, True) for path in ("MEMORY.md", DAY, DOCKER, "memory/2026-02-02.md")),
        *((f"memory/meta/{name}", True) for name in ("evolution.md", "critical.sha256")),
        *((path, False) for path in ("SOUL.md", "memory/vault/a.md", "memory/notes/a.md")),
        ("memory/meta/reflections/r-001.md", False),
        ("memory/meta/tombstones.txt", True),
        ("memory/meta/decay-scores.json", True),
    ],
)
def test_the_same_files_are_merged_by_git_and_by_the_command(clone, path, merged) -> None:
    clone.molt("hooks", "install")
    assert is_mergeable(path) is merged
    driver = clone.git("check-attr", "merge", path).split()[-1]
    assert (driver == "molt") is merged
    assert len(PATTERNS) == 10
