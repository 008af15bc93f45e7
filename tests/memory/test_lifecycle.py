"""Relevance: what a score is, what it means, and how accesses reach it."""

from __future__ import annotations

import json
import math
import multiprocessing
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.formats import paths
from molt.formats import scores as score_file
from molt.formats import times as formats_times
from molt.memory import touch, workspace
from molt.memory.decay import accesses, formula
from molt.memory.decay import scores as decay_scores
from molt.memory.decay.accesses import Used
from molt.memory.decay.formula import Weighed
from molt.memory.write import route as routing
from molt.memory.write import stores

NOW = 1_770_000_000.0
DAY = 86_400.0
GATE = "entity:concept--gate"
KIND = {"store": "semantic", "base_relevance": 1.0, "type_weight": 1.0, "access_count": 1}


@pytest.mark.parametrize(
    ("base", "days", "count", "weight", "score"),
    [
        pytest.param(1.0, 0, 1, 0.8, 0.8, id="new"),
        pytest.param(1.0, 0, 3, 1.0, 1.0, id="clamped"),
        pytest.param(0.7, 10, 1, 1.2, 0.7 * math.exp(-0.3) * 1.2, id="ten days"),
        pytest.param(0.5, 30, 3, 0.8, 0.5 * math.exp(-0.9) * 2 * 0.8, id="used thrice"),
        pytest.param(1.0, 5, 0, 1.0, 0.0, id="never used"),
        pytest.param(0.8, -3, 1, 1.0, 0.8, id="a clock that went back"),
    ],
)
def test_relevance_is_the_formula(base, days, count, weight, score) -> None:
    assert formula.compute_relevance(base, days, count, weight) == pytest.approx(score)


@given(
    st.floats(0, 1), st.floats(0, 10_000), st.integers(0, 10**6), st.floats(0, 2), st.floats(0, 1)
)
def test_relevance_stays_between_0_and_1_and_falls_with_time(base, days, count, weight, rate):
    now = formula.compute_relevance(base, days, count, weight, rate=rate)
    later = formula.compute_relevance(base, days + 1, count, weight, rate=rate)
    assert 0.0 <= later <= now <= 1.0


@pytest.mark.parametrize(
    ("score", "status"),
    [
        *((1.0, "active"), (0.5, "active"), (0.499, "fading"), (0.2, "fading")),
        *((0.199, "dormant"), (0.05, "dormant"), (0.049, "archived"), (0.0, "archived")),
    ],
)
def test_thresholds_belong_to_the_better_status(score, status) -> None:
    assert formula.status_of(score) == status


@pytest.mark.parametrize(
    ("memory", "entry", "weighed"),
    [
        pytest.param("vault:a", {}, Weighed(1.0, 1, 0.0, True), id="vault"),
        pytest.param("episode:x", {"pinned": True}, Weighed(1.0, 1, 0.0, True), id="pinned"),
        pytest.param("entity:x", {}, Weighed(0.7 * 1.2, 1, math.inf), id="empty"),
        pytest.param(
            "entity:x",
            {"base_relevance": "much", "access_count": -1, "created": "1970-01-02"},
            Weighed(0.7 * 1.2, 1, DAY),
            id="nonsense",
        ),
        pytest.param(
            "entity:x",
            {"status": "archived", "current_score": 0.0, "last_accessed": "1970-01-02T00:00:01Z"},
            Weighed(0.0, 1, DAY + 1),
            id="forgotten",
        ),
    ],
)
def test_an_entry_is_read_leniently(memory, entry, weighed) -> None:
    assert formula.weigh(memory, entry) == weighed


@pytest.mark.parametrize(
    ("weighed", "used", "status"),
    [
        pytest.param(None, None, "active", id="imported"),
        pytest.param(None, Used(1, NOW - 30 * DAY), "fading", id="imported and used"),
        pytest.param(Weighed(1.0, 1, NOW - 60 * DAY), None, "dormant", id="old"),
        pytest.param(Weighed(1.0, 1, NOW - 60 * DAY), Used(1, NOW), "active", id="used again"),
        pytest.param(Weighed(0.0, 9, NOW), Used(9, NOW), "archived", id="forgotten"),
        pytest.param(Weighed(0.8, 0, NOW), None, "active", id="an entry without accesses"),
        pytest.param(Weighed(0.1, 1, 0.0, True), None, "active", id="pinned"),
        pytest.param(Weighed(1.0, 1, math.inf), None, "active", id="no time"),
    ],
)
def test_how_a_memory_stands(weighed, used, status) -> None:
    assert formula.compute_standing(weighed, used, NOW, rate=0.03).status == status


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("1970-01-01", 0),
        ("2026-02-02T14:30:05Z", 1770042605),
        ("2024-02-29T00:00:00+01:00", 1709161200),
        ("2024-03-01T00:00:00.5Z", 1709251200.5),
        ("1969-12-31T23:59:59Z", -1),
        ("soon", None),
        ("2026-02-02T99", None),
        (7, None),
    ],
)
def test_times_are_seconds(text, second) -> None:
    assert formats_times.parse_time(text) == second


@given(st.integers(-(10**9), 10**10))
def test_a_stamp_is_the_second_that_it_was_made_of(second) -> None:
    assert formats_times.parse_time(formats_times.render_time(second)) == second


def remember(ws: workspace.Workspace, text: str, entity: str = "concept:Gate") -> str:
    route = routing.route_text(text, entity=entity)
    made: list[stores.Placed] = []

    def edits(tree):
        made.append(stores.place_text(tree, route, datetime.fromtimestamp(NOW, UTC)))
        return made[-1].edits

    head = "[{}] {} — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
    ws.commit(edits, lambda _tree, _edits: head.format(made[-1].action, made[-1].path))
    return made[-1].id


def entry(ws: workspace.Workspace, memory: str = GATE) -> dict[str, object]:
    found: dict[str, object] = json.loads(ws.head().read(paths.SCORES) or b"")["entries"][memory]
    return found


def journal(ws: workspace.Workspace) -> list[str]:
    return list(accesses._list_files(ws.repo))


def test_accesses_wait_for_the_next_write_and_are_counted_once(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE, GATE], NOW + 5)
    touch.note_read(ws, "memory/graph/entities/concept--gate.md", NOW + DAY)
    assert accesses.read_pending(ws.repo) == {GATE: Used(2, NOW + DAY)}
    assert entry(ws)["access_count"] == 1
    remember(ws, "painted red", "concept:Door")
    assert (entry(ws)["access_count"], entry(ws)["last_accessed"]) == (
        3,
        formats_times.render_time(NOW + DAY),
    )
    assert journal(ws) == []
    remember(ws, "painted blue", "concept:Door")
    assert entry(ws)["access_count"] == 3


def test_pending_accesses_count_for_the_score_at_once(ws) -> None:
    remember(ws, "opens at nine")
    later = NOW + 100 * DAY
    assert decay_scores.load_scores(ws.repo, ws.head(), later, 0.03).of(GATE).status == "dormant"
    touch.touch_memories(ws, [GATE], later)
    assert decay_scores.load_scores(ws.repo, ws.head(), later, 0.03).of(GATE).status == "active"


def test_a_memory_without_an_entry_gets_one_when_it_was_used(ws) -> None:
    memory = remember(ws, "opens at nine")
    ws.commit(
        lambda _tree: {paths.SCORES: score_file.EMPTY.encode()},
        lambda _tree, _edits: (
            "[EDIT] memory/meta/decay-scores.json — none\n\n"
            "Actor: bot:main\nApproval: auto\nTrigger: x\n"
        ),
    )
    touch.touch_memories(ws, [memory], NOW)
    remember(ws, "painted red", "concept:Door")
    assert (entry(ws)["base_relevance"], entry(ws)["access_count"]) == (0.7, 1)


def test_what_is_no_memory_cannot_be_touched(ws) -> None:
    remember(ws, "opens at nine")
    for name in ("entity:concept--gone", "episode:2026-02-02:14:30", "core:persona#0", "nonsense"):
        with pytest.raises(errors.NotFound):
            touch.touch_memories(ws, [GATE, name], NOW)
    assert accesses.read_pending(ws.repo) == {}


class Stop(BaseException):
    """Stands for a kill at one point of a write."""


@pytest.fixture(params=["molt.repo.write.transaction._move", "molt.memory.decay.fold.Fold.done"])
def killed(request, ws, monkeypatch) -> bool:
    """A write that dies with a batch taken; gives whether its commit was made."""
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)

    def die(*_args: object) -> None:
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(request.param, die)
        with pytest.raises(Stop):
            remember(ws, "painted red", "concept:Door")
    return request.param.endswith("done")


def test_a_killed_write_neither_loses_nor_doubles_accesses(killed, ws) -> None:
    assert entry(ws)["access_count"] == 1 + killed
    touch.touch_memories(ws, [GATE], NOW)
    remember(ws, "painted blue", "concept:Door")
    assert entry(ws)["access_count"] == 3
    assert journal(ws) == []


def test_a_refused_write_keeps_the_accesses(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    with pytest.raises(errors.Refused):
        remember(ws, "key ghp_" + "a1" * 20)
    assert accesses.read_pending(ws.repo) == {GATE: Used(1, NOW)}
    remember(ws, "painted red", "concept:Door")
    assert entry(ws)["access_count"] == 2


def test_a_write_that_changes_nothing_makes_no_commit_for_accesses(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    before = ws.repo.tip()
    same = {"SOUL.md": ws.head().read("SOUL.md")}
    assert ws.commit(lambda _tree: same, lambda _tree, _edits: "").oid is None
    assert ws.repo.tip() == before
    assert accesses.read_pending(ws.repo) == {GATE: Used(1, NOW)}


def test_a_dry_run_and_a_sub_agent_leave_the_journal_alone(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    text = "[EDIT] MEMORY.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
    done = ws.commit(
        lambda _tree: {"MEMORY.md": b"# x\n"}, lambda _tree, _edits: text, dry_run=True
    )
    assert done.paths == ("MEMORY.md",)
    assert journal(ws) == ["accesses"]


def test_a_line_cut_off_by_a_full_disk_spoils_no_other(ws) -> None:
    accesses.record(ws.repo, [GATE], NOW)
    with open(f"{ws.repo.git_dir}/molt/accesses", "ab") as file:
        file.write(b"17700000")
    accesses.record(ws.repo, [GATE], NOW)
    assert accesses.read_pending(ws.repo) == {GATE: Used(2, NOW)}


def use(root: str, times: int) -> None:
    found = workspace.find(root)
    for _ in range(times):
        accesses.record(found.repo, [GATE], NOW)


def test_accesses_of_many_processes_beside_writes_are_all_counted(ws) -> None:
    remember(ws, "opens at nine")
    spawn = multiprocessing.get_context("spawn")
    users = [spawn.Process(target=use, args=(ws.repo.root, 100)) for _ in range(4)]
    for one in users:
        one.start()
    for number in range(8):
        remember(ws, f"painted {number}", "concept:Door")
    for one in users:
        one.join()
    remember(ws, "painted at last", "concept:Door")
    assert entry(ws)["access_count"] == 401
    assert journal(ws) == []


def table(entries: dict[str, dict[str, object]]) -> decay_scores.Scores:
    made = decay_scores._build_table(score_file.render_scores({"version": 1, "entries": entries}))
    return decay_scores.Scores(made, {}, NOW, 0.03)


@given(st.lists(st.text(min_size=1), unique=True, max_size=30))
def test_every_entry_is_found_in_the_table_and_nothing_else(found) -> None:
    days = {f"entity:{name}": at for at, name in enumerate(found)}
    stamps = {name: formats_times.render_time(NOW - days[name] * DAY) for name in days}
    scores = table({name: {**KIND, "last_accessed": stamps[name]} for name in days})
    wanted = {name: formula.compute_relevance(1.0, days[name], 1, 1.0) for name in days}
    assert {name: scores.of(name).score for name in days} == pytest.approx(wanted, abs=1e-4)
    assert scores.of("procedure:none") == formula.UNWEIGHED


def test_the_table_is_that_of_the_tree_that_is_asked(ws) -> None:
    remember(ws, "opens at nine")
    old = ws.head()
    assert decay_scores.load_scores(ws.repo, old, NOW, 0.03).of(GATE).score == 1.0
    touch.touch_memories(ws, [GATE], NOW + 90 * DAY)
    remember(ws, "painted red", "concept:Door")
    assert (
        decay_scores.load_scores(ws.repo, ws.head(), NOW + 90 * DAY, 0.03).of(GATE).status
        == "active"
    )
    assert decay_scores.load_scores(ws.repo, old, NOW + 90 * DAY, 0.03).of(GATE).status == "dormant"


def test_scores_that_cannot_be_read_weigh_nothing(ws) -> None:
    ws.repo.cache["scores"] = b"scores 1 nonsense"
    with open(f"{ws.repo.root}/{paths.SCORES}", "w") as file:
        file.write("{")
    assert decay_scores.load_scores(ws.repo, ws.files(), NOW, 0.03).of(GATE) == formula.UNWEIGHED


@given(
    st.dictionaries(st.text(), st.integers(1, 9), max_size=9),
    st.dictionaries(st.text(), st.integers(1, 9), max_size=9),
)
def test_what_changed_is_found_without_parsing_all(old, new) -> None:
    sides = [{name: {"access_count": n} for name, n in side.items()} for side in (old, new)]
    texts = [score_file.render_scores({"version": 1, "entries": side}) for side in sides]
    changed = score_file.changed_entries(*texts)
    if changed is not None:
        kept = {name: sides[0][name] for name in sides[0] if name not in changed}
        made = {name: entry for name, entry in changed.items() if entry is not None}
        assert kept | made == sides[1]


def test_a_table_that_follows_is_the_one_made_anew(ws) -> None:
    for number in range(12):
        remember(ws, f"painted {number}", f"concept:Door {number % 7}")
        tree = ws.head()
        followed = decay_scores._load_table(ws.repo, tree)
        assert followed == decay_scores._build_table((tree.read(paths.SCORES) or b"").decode())


def test_only_what_changed_is_weighed_again(ws, monkeypatch) -> None:
    for number in range(3):
        remember(ws, "painted", f"concept:Door {number}")
    decay_scores.load_scores(ws.repo, ws.head(), NOW, 0.03)
    asked: list[str] = []
    weigh = formula.weigh
    monkeypatch.setattr(decay_scores, "weigh", lambda *args: asked.append(args[0]) or weigh(*args))
    remember(ws, "painted again", "concept:Door 1")
    decay_scores.load_scores(ws.repo, ws.head(), NOW, 0.03)
    assert asked == ["entity:concept--door-1"]
