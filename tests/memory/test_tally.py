"""Memories counted from what the clone keeps are those that reading all of them counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.memory.answers import status
from molt.memory.decay import accesses, formula, tally
from molt.memory.decay import scores as decay_scores
from molt.memory.decay.formula import Weighed
from molt.repo.worktree import Worktree

NOW = 1_770_000_000.0
DAY = 86_400.0
ENTITY = "---\nid: {0}\ntype: tool\nlabel: {0}\nupdated: {1}\n---\n# {0}\n"


class Place:
    """A workspace that is filled at random, and counted both ways."""

    def __init__(self, ws, git) -> None:
        self.ws = ws
        self.git = git
        self.root = Path(ws.repo.root)
        self.chance = random.Random(7)

    def write(self, path: str, text: str) -> None:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)

    def change(self) -> None:
        """Some memories more, fewer, or others."""
        pick = self.chance.randrange
        day = times.render_time(NOW - pick(400) * DAY)[:10]
        rows = (f"\n## {hour:02}:00 | fact\nx\n" for hour in range(pick(1, 9)))
        self.write(f"memory/episodes/{day}.md", f"# {day}\n{''.join(rows)}")
        name = f"tool--t{pick(9)}"
        self.write(f"memory/graph/entities/{name}.md", ENTITY.format(name, day))
        every = sorted((self.root / "memory/graph/entities").iterdir())
        if len(every) > 3:
            every[pick(len(every))].unlink()
        self.write("MEMORY.md", "# Memory\n\n## Identity\n" + "- one\n" * pick(1, 5))

    def commit(self) -> None:
        self.git(self.root, "add", "-A")
        self.git(self.root, "commit", "-q", "--no-verify", "--allow-empty", "-m", "x")

    def score(self) -> None:
        """Scores of some of the memories, and of some that are not there."""
        entries = {}
        for number in range(30):
            day = times.render_time(NOW - number * 13 * DAY)
            entry = {"access_count": number % 4, "base_relevance": 1.0, "last_accessed": day}
            entry["pinned"] = number % 7 == 0
            entries[f"entity:tool--t{number % 9}" if number % 2 else f"episode:{day[:16]}"] = entry
        text = score_file.render_scores({"version": 1, "entries": entries})
        self.write("memory/meta/decay-scores.json", text)

    def agree(self) -> None:
        tree = Worktree(self.ws.repo, self.ws.head())
        scores = decay_scores.load_scores(
            self.ws.repo, tree, NOW, formula.read_fading(self.ws.config)
        )
        quick = status.count_memories(self.ws, tree, NOW)
        each = status._count_each(self.ws, tree, scores)
        assert {name: {k: n for k, n in one.items() if n} for name, one in quick.items()} == each


@pytest.fixture
def place(ws, git) -> Place:
    return Place(ws, git)


def test_what_is_kept_follows_every_change(place) -> None:
    for turn in range(12):
        place.change()
        if turn % 4 == 1:
            place.score()
        # On disk only, then in a commit, then asked again.
        place.agree()
        place.commit()
        place.agree()
        accesses.record(place.ws.repo, [f"entity:tool--t{turn % 9}", "entity:none"], NOW)
        place.agree()


def test_a_kept_tally_is_not_made_anew(place, monkeypatch) -> None:
    place.change()
    place.commit()
    place.agree()
    monkeypatch.setattr(tally.Tally, "fill", None)
    place.change()
    place.commit()
    tree = Worktree(place.ws.repo, place.ws.head())
    assert status.count_memories(place.ws, tree, NOW)["episodic"]


@pytest.mark.parametrize("junk", [b"", b"x", b"tally 1\t0\t \n", b"tally 1\n1 2\n\0"])
def test_a_damaged_tally_is_made_anew(place, junk) -> None:
    place.change()
    place.commit()
    place.agree()
    head, _, data = place.ws.repo.cache.get("tally").partition(b"\n")
    for spoiled in (junk, head, head + b"\n" + data[:-1], head + b"\n" + data + b"12345678"):
        place.ws.repo.cache["tally"] = spoiled
        place.agree()


@pytest.mark.parametrize("strength", [0.0, 0.04, 0.3, 1.2])
@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("rate", [0.0, 0.03])
def test_a_state_ends_when_the_formula_says_the_next(strength, count, rate) -> None:
    weighed = Weighed(strength, count, NOW)
    ends = formula.end_states(weighed, formula.Fading(rate))
    for days in (-1, 0, 3, 20, 40, 90, 140, 400):
        now = NOW + days * DAY
        standing = formula.compute_standing(weighed, None, now, formula.Fading(rate))
        assert formula.STATES[sum(end < now for end in ends)] == standing.status
