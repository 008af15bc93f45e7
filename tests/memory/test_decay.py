"""A year of days: the transitions that the formula says, each told once, and nothing on other
days.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moments import BY_HAND

from molt.cli import main
from molt.config import Config
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import updated
from molt.memory import fade, workspace
from molt.memory.checks import verify
from molt.memory.decay import accesses, formula
from molt.memory.decay.accesses import Used
from molt.memory.decay.formula import Fading, Weighed
from molt.memory.search import search
from molt.memory.search.search import SearchOptions
from molt.memory.search.visible import Sight
from molt.memory.write import core, remember
from molt.memory.write import route as routing
from molt.repo.history import revisions

BEGUN = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
DAY = 86_400.0
ZERO = BEGUN.timestamp()
USUAL = Fading()


@pytest.fixture
def old(ws):
    """A workspace with one entry of its first day, that a person has said."""
    told = routing.route_text("the harbour gate opens at nine", store="episodic")
    remember.remember_text(ws, told.replace(source="user-explicit"), BEGUN)
    ws.repo.run("tag", "start")
    # It was made by the clock of this machine.
    ws.repo.cache["begun"] = f"{ZERO:.0f}".encode()
    return ws


def commits(ws) -> int:
    return int(ws.repo.run("rev-list", "--count", "HEAD"))


def lines(ws) -> list[str]:
    text = Path(ws.repo.root, paths.AUDIT_LOG).read_text("utf-8")
    return [row for row in text.splitlines() if " | DECAY | " in row]


@pytest.mark.slow
def test_a_year_of_days_has_the_commits_that_the_formula_says(old) -> None:
    before, days = commits(old), []
    for day in range(1, 366):
        done = fade.decay_memories(old, ZERO + day * DAY)
        if done.oid:
            days.append((day, [(one.before, one.after) for one in done.made.transitions]))
    # 0.8 e^(-0.03 d) is below a floor from this day on.
    ends = [math.floor(math.log(0.8 / floor) / 0.03) + 1 for floor in (0.5, 0.2, 0.05)]
    states = [("active", "fading"), ("fading", "dormant"), ("dormant", "archived")]
    assert days == [(day, [state]) for day, state in zip(ends, states, strict=True)]
    assert commits(old) - before == 3
    assert score_file.parse_scores(scores(old))["entries"] == {}


def scores(ws) -> str:
    return Path(ws.repo.root, paths.SCORES).read_text("utf-8")


def test_a_transition_is_a_line_of_the_audit_log_and_holds_at_every_door(old) -> None:
    done = fade.decay_memories(old, ZERO + 20 * DAY)
    (one,) = done.made.transitions
    assert "1 transition: 1 active→fading" in lines(old)[0]
    assert lines(old)[1].endswith(f"{one.id}: active → fading ({one.score:.2f})")
    errors = verify.judge_range(old.repo, revisions.resolve_range(old.repo, ["start..HEAD"])).errors
    assert errors == ()


def test_waiting_uses_are_counted_with_it_and_bring_a_memory_back(old) -> None:
    first = fade.decay_memories(old, ZERO + 60 * DAY).made.transitions
    memory = first[0].id
    accesses.record(old.repo, [memory] * 3, ZERO + 61 * DAY)
    told = fade.decay_memories(old, ZERO + 61 * DAY)
    assert told.oid is not None
    entry = score_file.parse_scores(scores(old))["entries"][memory]
    assert (entry["access_count"], entry["status"]) == (4, "active")
    assert accesses.read_pending(old.repo) == {}
    assert fade.decay_memories(old, ZERO + 62 * DAY).oid is None


def test_without_a_transition_the_uses_go_on_waiting(old) -> None:
    accesses.record(old.repo, ["episode:2026-01-01:12:00:00"], ZERO)
    assert fade.decay_memories(old, ZERO + DAY).oid is None
    assert len(accesses.read_pending(old.repo)) == 1


def test_a_dry_run_commits_nothing(old) -> None:
    before = old.repo.tip()
    done = fade.decay_memories(old, ZERO + 20 * DAY, dry_run=True)
    assert done.message.startswith("[DECAY] memory/meta/decay-scores.json — 1 transition")
    assert (done.oid, old.repo.tip()) == (None, before)


def test_a_clock_that_is_set_back_tells_no_more_than_it_sees(old) -> None:
    fade.decay_memories(old, ZERO + 60 * DAY)
    back = fade.decay_memories(old, ZERO + 20 * DAY).made.transitions
    assert [(one.before, one.after) for one in back] == [("dormant", "fading")]
    assert updated.read_updated(scores(old)) == ZERO + 20 * DAY


def test_what_is_pinned_or_without_a_date_never_changes(ws) -> None:
    core.edit_core(ws, core.add_bullet("Critical Facts", "nuts"), BEGUN, core.CoreOptions())
    Path(ws.repo.root, "memory/notes.md").write_text("plain\n")
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "x")
    assert fade.decay_memories(ws, ZERO + 9_000 * DAY).made.transitions == ()


def test_dormant_and_archived_matches_are_named_and_never_denied(old, capsys) -> None:
    dormant = SearchOptions(sight=Sight(ZERO + 70 * DAY))
    late = SearchOptions(sight=Sight(ZERO + 200 * DAY))
    assert search.search(old, "harbour gate", dormant).results
    found = search.search(old, "harbour gate", late)
    assert (found.results, found.hidden) == ((), {"archived": 1})
    shown = search.search(
        old, "harbour gate", SearchOptions(sight=Sight(ZERO + 200 * DAY, archived=True))
    )
    assert (len(shown.results), shown.hidden) == (1, {})


def test_the_command_names_what_is_archived(old, capsys) -> None:
    ws = old
    text = "# 1999-01-01 — Episode Log\n\n## 10:00 | fact | confidence:high | tags:[]\nsilver fox\n"
    Path(ws.repo.root, "memory/episodes/1999-01-01.md").write_text(text)
    at = ("--workspace", ws.repo.root)
    ws.repo.cache["begun"] = b"0"
    assert main(["search", "silver fox", *at]) == 0
    said = capsys.readouterr()
    assert "1 archived match, `--archived` shows it" in said.err
    assert "no memory has a word" not in said.err
    assert main(["search", "silver fox", "--json", *at]) == 0
    assert json.loads(capsys.readouterr().out)["hidden"] == {"archived": 1}


def test_the_settings_decide_floors_and_weights(ws) -> None:
    plain = formula.read_fading(Config())
    assert plain == USUAL
    other = formula.read_fading(Config(decay_active=0.1, decay_fading=0.6, decay_weight_core=3.0))
    assert other.floors == (0.6, 0.6, 0.05)
    assert other.ratios == (("core", 2.0),)
    config = Path(ws.repo.root, "molt.yaml")
    config.write_text(config.read_text() + "\ndecay:\n  active: 0.79\n  weight_episodic: 0.4\n")
    ws.repo.run("commit", "-qam", BY_HAND)
    mine = workspace.find(ws.repo.root)
    told = routing.route_text("the gate", store="episodic").replace(source="user-explicit")
    remember.remember_text(mine, told, BEGUN)
    scores_of = formula.read_fading(mine.config)
    assert scores_of.ratio_of("episode:2026-01-01:12:00:00") == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "",
        score_file.EMPTY,
        '{"version": 1, "entries": {"procedure:a": {"access_count": 1}}}',
        score_file.render_scores({"version": 1, "entries": {"procedure:a": {"access_count": 1}}}),
    ],
)
def test_the_last_run_is_noted_without_touching_an_entry(text: str) -> None:
    once = updated.set_updated(text, ZERO)
    assert updated.read_updated(once) == ZERO
    assert updated.set_updated(once, ZERO) == once
    known = score_file.parse_scores(text)["entries"]
    assert score_file.parse_scores(once)["entries"] == known
    written = score_file.render_scores(score_file.parse_scores(text))
    if text in ("", written):
        assert score_file.render_scores(score_file.parse_scores(once)) == once
    else:
        assert once.startswith(text.removesuffix("}"))
    assert updated.read_updated(updated.set_updated(once, ZERO + DAY)) == ZERO + DAY


def test_the_half_life_is_that_of_the_seed() -> None:
    days = math.log(2) / USUAL.rate
    assert 23 < days < 24
    assert formula.compute_relevance(1.0, days, 1, 1.0) == pytest.approx(0.5)


BASES = st.floats(0, 1)
COUNTS = st.integers(1, 10**6)
SPANS = st.floats(-1e6, 1e6)
RATES = st.floats(0, 100)


@given(BASES, COUNTS, st.floats(0, 4e9), SPANS, SPANS, RATES, st.sampled_from([0.8, 1.0, 1.5]))
def test_a_memory_only_fades_and_using_it_never_makes_it_fade_sooner(
    base, count, last, after, more, rate, weight
) -> None:
    fading = Fading(rate)
    one = Weighed(base * weight, count, last)
    now = last + after
    here = formula.compute_standing(one, None, now, fading)
    later = formula.compute_standing(one, None, now + abs(more), fading)
    assert 0.0 <= later.score <= here.score <= 1.0
    used = formula.compute_standing(one, Used(1, now), now, fading)
    assert used.score >= here.score
    then = formula.compute_standing(one, Used(1, now), now + abs(more), fading)
    assert then.score >= later.score


SEEDED = """{
  "version": 1,
  "lambda": 0.03,
  "entries": {
    "procedure:b": {
      "store": "procedural",
      "created": "2026-01-01T10:00:00Z",
      "access_count": 7,
      "current_score": 0.92,
      "status": "active",
      "pinned": false
    },
    "procedure:a": {"status": "active", "access_count": 2}
  },
  "note": "kept"
}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_of_another_program_keeps_its_order_and_its_lines(end: str) -> None:
    text = SEEDED.replace("\n", end)
    known = score_file.parse_scores(text)["entries"]
    faded = {**known["procedure:b"], "current_score": 0.04, "status": "archived"}
    edited = score_file.edit_entries(text, {"procedure:b": faded})
    edited = updated.set_updated(edited, ZERO)
    lines = [("0.92", "0.04"), ('"status": "active",', '"status": "archived",')]
    expected = text
    for old, new in lines:
        expected = expected.replace(old, new, 1)
    stamp = '"last_updated": "2026-01-01T12:00:00Z"'
    expected = expected.replace('"note": "kept"', f'"note": "kept",{end}  {stamp}')
    assert edited == expected
    more = score_file.edit_entries(text, {"procedure:a": {**known["procedure:a"], "pinned": True}})
    assert '{"status": "active", "access_count": 2, "pinned": true}' in more
