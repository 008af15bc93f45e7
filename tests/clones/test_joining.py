"""What clones wrote on one day comes together by plain git, and no door has anything to say."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from molt.cli import clock
from molt.memory import workspace
from molt.memory.checks import verify

MOMENT = datetime(2026, 2, 2, 10, 0, 0, tzinfo=UTC)
WAYS = (("--no-rebase", "--no-edit"), ("--rebase",))
ways = pytest.mark.parametrize("way", WAYS, ids=("merge", "rebase"))


@pytest.fixture(autouse=True)
def _one_second(monkeypatch) -> None:
    """Everything happens in one second, so that clones give the same times wherever they can."""
    monkeypatch.setattr(clock, "now", lambda _zone: MOMENT)
    monkeypatch.setattr(clock, "seconds", MOMENT.timestamp)


def live(clone, name: str) -> set[str]:
    """A day of work, in all that clones share; gives the words that must not be lost."""
    said = {f"{name} met Ada {number}" for number in range(4)}
    for text in sorted(said):
        clone.remember(text)
    shared = ("--entity", "concept:OAuth2 PKCE")
    clone.remember(f"{name} says it is used", *shared, store="semantic")
    clone.remember(f"{name} runs it", "--entity", f"tool:Tool {name}", store="semantic")
    clone.remember(f"{name} needs it", "--entity", "tool:Docker", store="semantic")
    edge = f"concept--oauth2-pkce uses tool--tool-{name}"
    clone.remember(f"{name} relates it", *shared, "--relation", edge, store="semantic")
    clone.remember(f"{name} never sleeps", store="core")
    clone.remember(f"{name} is at work", "--block", "active-context", store="core")
    clone.remember(f"{name} runs make", "--title", f"Deploy {name}", store="procedural")
    for number in range(2):
        proposer = ("--actor", f"subagent:{name}")
        clone.molt(*proposer, "propose", f"{name} proposes {number}")
    file = {"a": "SOUL.md", "b": "IDENTITY.md"}.get(name, "USER.md")
    clone.put(file, clone.read(file) + f"{name} wrote this\n", f"by {name}")
    clone.molt("--actor", "manual", "ack", file)
    clone.molt("touch", "entity:concept--oauth2-pkce")
    (clone.root / ".git/molt/folded").write_text("0")
    clone.remember(f"{name} slept")
    return said | {f"{name} {word}" for word in _WORDS}


_WORDS = (
    *("says it is used", "runs it", "needs it", "relates it", "never sleeps", "is at work"),
    *("runs make", "proposes 0", "proposes 1", "wrote this", "slept"),
)


def everything(clone) -> str:
    return str(clone.git("grep", "-h", "", "HEAD"))


def assert_sound(clone) -> None:
    """No door has anything to say of a clone."""
    ws = workspace.find(str(clone.root))
    found = verify.verify_commits(ws.repo).findings
    assert [(oid, one.code, one.message) for oid, one in found] == []
    assert clone.molt("doctor") == "all is well\n"
    assert clone.git("status", "--porcelain") == ""


@ways
def test_a_day_of_two_clones_joins_without_a_conflict(clones, way) -> None:
    a, b = clones("a", "b")
    a.remember("the seed", "--entity", "concept:OAuth2 PKCE", store="semantic")
    a.git("push", "-q")
    b.git("pull", "-q")
    said = live(a, "a") | live(b, "b")
    a.git("push", "-q")
    b.git("pull", "-q", *way)
    text = everything(b)
    assert [word for word in sorted(said) if word not in text] == []
    assert_sound(b)
    b.git("push", "-q")
    b.remember("the day after")
    a.git("pull", "-q", "--ff-only")
    assert_sound(a)
    assert len(a.episodes()) == 10
    assert len(set(a.memories())) == len(a.memories())
    found = [one for one in a.git("show", "HEAD:memory/meta/critical.sha256").split() if "." in one]
    assert found == ["IDENTITY.md", "SOUL.md"]


@ways
def test_many_writes_of_one_second_are_told_apart(clones, way) -> None:
    a, b = clones("a", "b")
    for number in range(25):
        a.remember(f"a {number}.")
        b.remember(f"b {number}.")
    a.git("push", "-q")
    mine = a.episodes()
    b.git("pull", "-q", *way)
    found = b.episodes()
    assert sorted(found.values()) == sorted(f"{name} {n}." for name in "ab" for n in range(25))
    if "--rebase" in way:
        # What was published keeps its ids.
        assert mine.items() <= found.items()
    assert_sound(b)
    b.git("push", "-q")


@ways
def test_the_story_of_a_memory_follows_it_to_another_second(clones, way) -> None:
    a, b = clones("a", "b")
    a.remember("said by a")
    a.git("push", "-q")
    b.remember("said by b")
    later = b.remember("after it")
    b.git("pull", "-q", *way)
    found = {words: memory for memory, words in b.episodes().items()}
    assert len(found) == 3
    for words, memory in found.items():
        (line,) = b.molt("why", memory).splitlines()
        assert words in line
    assert b.molt("why", later.replace("10:00:01", "11:00:01"), status=4)
    text = b.molt("context")
    assert text.index("said by") < text.index("after it")


class World:
    """Three clones in which anything may come next."""

    def __init__(self, clones, seed: int) -> None:
        self.clones = clones
        self.chance = random.Random(seed)
        self.said: set[str] = set()

    def step(self) -> None:
        clone = self.chance.choice(self.clones)
        self.chance.choice((self.write, self.write, self.write, self.pull, self.push))(clone)

    def write(self, clone) -> None:
        text = f"{clone.name} says {len(self.said)}."
        self.said.add(text)
        store = self.chance.choice(("episodic", "episodic", "semantic", "core", "propose"))
        if store == "propose":
            clone.molt("--actor", f"subagent:{clone.name}", "propose", text)
        elif store == "semantic":
            clone.remember(
                text, "--entity", self.chance.choice(("tool:Git", "tool:Make")), store=store
            )
        else:
            clone.remember(text, store=store)

    def pull(self, clone) -> None:
        clone.git("pull", "-q", *self.chance.choice(WAYS))

    def push(self, clone) -> None:
        if clone.run("push", "-q").returncode:
            self.pull(clone)
            clone.git("push", "-q")


@pytest.mark.parametrize("seed", range(3))
def test_three_clones_in_any_order_keep_every_memory_under_one_id(clones, seed) -> None:
    world = World(clones("a", "b", "c"), seed)
    for _ in range(30):
        world.step()
    for clone in (*world.clones, *world.clones):
        world.push(clone)
        clone.episodes()
    ids = {tuple(clone.memories()) for clone in world.clones}
    assert len(ids) == 1
    for clone in world.clones:
        text = everything(clone)
        assert [words for words in sorted(world.said) if words not in text] == []
        episodes = clone.episodes()
        assert len(set(episodes.values())) == len(episodes)
    assert_sound(world.clones[0])


def test_a_clone_without_molt_leaves_nothing_that_looks_like_one_memory_of_two(clones) -> None:
    a, b = clones("a", "b")
    b.molt("hooks", "uninstall")
    a.remember("The well of a is deep")
    b.remember("The well of b is deep")
    a.git("push", "-q")
    assert b.run("pull", "-q", *WAYS[0]).returncode == 1
    day = "memory/episodes/2026-02-02.md"
    assert b.unmerged() == [day]
    marks = ("<<<<<<< ", "=======", ">>>>>>> ")
    rows = [row for row in b.read(day).splitlines(keepends=True) if not row.startswith(marks)]
    b.put(day, "".join(rows))
    assert [one for one in b.read(day).splitlines() if one.startswith("## ")] == [rows[2].rstrip()]
    b.git("commit", "-qam", "both kept")
    found = verify.verify_commits(workspace.find(str(b.root)).repo).findings
    assert "of one side is not as it was" in " ".join(one.message for _, one in found)
    # Taken back and resolved by meaning, it is sound.
    b.git("reset", "-q", "--hard", "HEAD^")
    assert b.run("pull", "-q", *WAYS[0]).returncode == 1
    b.molt("resolve")
    b.git("commit", "-q", "--no-edit")
    assert sorted(b.episodes().values()) == ["The well of a is deep", "The well of b is deep"]
    b.molt("hooks", "install")
    assert_sound(b)


def test_who_has_neither_driver_nor_attributes_finds_the_same_of_a_merge(clones, tmp_path) -> None:
    a, b = clones("a", "b")
    live(a, "a")
    live(b, "b")
    a.git("push", "-q")
    b.git("pull", "-q", *WAYS[0])
    b.git("push", "-q")
    b.git("clone", "-q", "--no-checkout", str(tmp_path / "hub.git"), str(tmp_path / "c"))
    found = verify.verify_commits(workspace.find(str(tmp_path / "c")).repo).findings
    assert [one for _, one in found if one.severity == "error"] == []
