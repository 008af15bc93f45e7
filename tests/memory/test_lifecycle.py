"""Relevance: what a score is, what it means, and how accesses reach it."""

from __future__ import annotations

import json
import math
import multiprocessing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.formats import paths
from molt.formats import times as formats_times
from molt.formats.meta import score_changes
from molt.formats.meta import scores as score_file
from molt.formats.origin import Origin
from molt.memory import inventory, touch, workspace
from molt.memory.answers import status
from molt.memory.decay import accesses, formula
from molt.memory.decay import scores as decay_scores
from molt.memory.decay.accesses import Used
from molt.memory.decay.formula import Standing, Weighed
from molt.memory.graph import graph, index_page
from molt.memory.health import doctor
from molt.memory.write import route as routing
from molt.memory.write import stores
from molt.repo.write.plan import Change
from molt.trees import Tree

pytestmark = pytest.mark.slow

NOW = 1_770_000_000.0
FADING = formula.Fading()
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
        pytest.param(Weighed(1.0, 1, NOW - 60 * DAY), None, "dormant", id="old"),
        pytest.param(Weighed(1.0, 1, NOW - 60 * DAY), Used(1, NOW), "active", id="used again"),
        pytest.param(Weighed(0.0, 9, NOW), Used(9, NOW), "archived", id="forgotten"),
        pytest.param(Weighed(0.8, 0, NOW), None, "active", id="an entry without accesses"),
        pytest.param(Weighed(0.1, 1, 0.0, True), None, "active", id="pinned"),
        pytest.param(Weighed(1.0, 1, math.inf), None, "active", id="no time"),
    ],
)
def test_how_a_memory_stands(weighed, used, status) -> None:
    assert formula.compute_standing(weighed, used, NOW, FADING).status == status


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


@pytest.fixture(autouse=True)
def _long_ago(monkeypatch) -> None:
    """The workspaces of these tests began long before what is remembered in them."""
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, "1600000000 +0000")


def remember(ws: workspace.Workspace, text: str, entity: str = "concept:Gate", day: int = 0) -> str:
    """Write a fact on a day, from 0."""
    route = routing.route_text(text, entity=entity)
    now = NOW + day * DAY

    def make_change(tree: Tree) -> Change[str]:
        made = stores.place_text(tree, route, datetime.fromtimestamp(now, UTC))
        head = f"[{made.action}] {made.path} — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
        return Change(made.edits, head, made.id)

    return ws.commit(make_change, now=now).made


def standing(ws: workspace.Workspace, memory: str, now: float) -> Standing:
    """How a memory stands, its own text considered."""
    told = inventory.find_origins(ws.head(), [memory])
    return decay_scores.load_scores(ws.repo, ws.head(), now, FADING).of(memory, told[memory])


def entry(ws: workspace.Workspace, memory: str = GATE) -> dict[str, object]:
    found: dict[str, object] = entries(ws)[memory]
    return found


def entries(ws: workspace.Workspace) -> dict[str, dict[str, object]]:
    data = ws.head().read(paths.SCORES)
    found: dict[str, dict[str, object]] = json.loads(data)["entries"] if data else {}
    return found


def journal(ws: workspace.Workspace) -> list[str]:
    return list(accesses._list_files(ws.repo))


def test_a_write_leaves_the_scores_alone(ws) -> None:
    before = ws.head().entry(paths.SCORES)
    remember(ws, "opens at nine")
    remember(ws, "painted red", "concept:Door")
    assert ws.head().entry(paths.SCORES) == before
    assert entries(ws) == {}


def test_accesses_wait_for_the_first_write_of_a_day_and_are_counted_once(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE, GATE], NOW + 5)
    touch.note_read(ws, "memory/graph/entities/concept--gate.md", NOW + DAY)
    assert accesses.read_pending(ws.repo) == {GATE: Used(2, NOW + DAY)}
    remember(ws, "painted red", "concept:Door")
    assert accesses.read_pending(ws.repo) == {GATE: Used(2, NOW + DAY)}
    remember(ws, "painted blue", "concept:Door", day=1)
    assert entry(ws) == {
        "store": "semantic",
        "base_relevance": 0.7,
        "created": "2026-02-02T00:00:00Z",
        "last_accessed": formats_times.render_time(NOW + DAY),
        "access_count": 3,
        "type_weight": 1.2,
        "current_score": 0.84,
        "status": "active",
        "pinned": False,
    }
    assert journal(ws) == []
    touch.touch_memories(ws, [GATE], NOW + DAY + 5)
    remember(ws, "painted white", "concept:Door", day=1)
    assert entry(ws)["access_count"] == 3
    remember(ws, "painted pink", "concept:Door", day=2)
    assert entry(ws)["access_count"] == 4


def test_pending_accesses_count_for_the_score_at_once(ws) -> None:
    remember(ws, "opens at nine")
    later = NOW + 100 * DAY
    assert standing(ws, GATE, later).status == "archived"
    touch.touch_memories(ws, [GATE], later)
    assert standing(ws, GATE, later).status == "active"


def test_a_memory_without_an_entry_stands_as_used_once_when_it_was_written(ws) -> None:
    remember(ws, "opens at nine")
    (day,) = [NOW - NOW % DAY]
    assert standing(ws, GATE, day).score == pytest.approx(0.84)
    assert standing(ws, GATE, day + 30 * DAY).score == pytest.approx(0.84 * math.exp(-0.9))
    remember(ws, "painted red", day=20)
    assert standing(ws, GATE, day + 30 * DAY).score == pytest.approx(0.84 * math.exp(-0.3))


@pytest.mark.parametrize("used", [0, 1, 7, 40, 90])
@pytest.mark.parametrize("front", ["created: 2026-02-02\n", "", "pinned: true\n"])
def test_reading_never_makes_a_memory_fade_sooner(ws, front, used) -> None:
    text = f"---\nid: concept--gate\ntype: concept\nlabel: Gate\n{front}---\n# Gate\n"
    # Only a person pins.
    head = "[CREATE] memory/graph/entities/concept--gate.md — x\n\nActor: manual\n"
    head += "Approval: approved\nTrigger: x\n"
    made = {"memory/graph/entities/concept--gate.md": text.encode()}
    ws.commit(lambda _tree: Change(made, head, None), actor="manual")
    days = range(0, 200, 10)
    unread = [standing(ws, GATE, NOW + day * DAY).score for day in days]
    touch.touch_memories(ws, [GATE], NOW + used * DAY)
    pending = [standing(ws, GATE, NOW + day * DAY).score for day in days]
    remember(ws, "painted red", "concept:Door", day=used)
    assert entry(ws)["access_count"] == 2
    counted = [standing(ws, GATE, NOW + day * DAY).score for day in days]
    for never, once in zip(unread * 2, pending + counted, strict=True):
        assert once >= never


def test_what_is_older_than_the_workspace_is_as_old_as_that(ws) -> None:
    remember(ws, "opens at nine")
    told = Origin(written=1_500_000_000.0)
    scores = decay_scores.load_scores(ws.repo, ws.head(), 1_600_000_000.0 + DAY, FADING)
    assert scores.of(GATE, told).score == pytest.approx(0.84 * math.exp(-0.03))
    assert ws.repo.cache.get("begun") == b"1600000000"


def test_a_memory_that_the_journal_names_first_gets_an_entry_from_its_own_text(ws) -> None:
    text = "# 2026-02-02 — Episode Log\n"
    imported = "imported:x#1 | brought:2026-01-05"
    for time, more in (("10:00", "source:user-explicit"), ("11:00", imported)):
        text += f"\n## {time} | fact | confidence:high | tags:[] | {more}\nwords\n"
    head = "[IMPORT] memory/episodes/2026-02-02.md — x\n\nActor: bot:main\n"
    made = {"memory/episodes/2026-02-02.md": text.encode()}
    head += "Approval: auto\nTrigger: x\n"
    ws.commit(lambda _tree: Change(made, head, None))
    names = [f"episode:2026-02-02:{time}" for time in ("10:00", "11:00", "12:00")]
    accesses.record(ws.repo, [*names, "nonsense"], NOW)
    remember(ws, "opens at nine", day=1)
    told = {name: (one.get("created"), one["base_relevance"]) for name, one in entries(ws).items()}
    assert told == {
        names[0]: ("2026-02-02T10:00:00Z", 1.0),
        names[1]: ("2026-01-05T00:00:00Z", 0.7),
        names[2]: (None, 0.7),
    }


def test_bullets_of_core_memory_fade_from_when_they_were_seen_but_for_critical_facts(ws) -> None:
    head = "[EDIT] MEMORY.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"

    def write(text: str, day: int) -> None:
        made = {"MEMORY.md": f"# M\n\n## Persona\n{text}\n## Critical Facts\n- never\n".encode()}
        ws.commit(lambda _tree: Change(made, head, None), now=NOW + day * DAY)

    write("- short answers\n", 0)
    assert entries(ws) == {}
    write("- short answers\n- tea\n", 1)
    (memory,) = entries(ws)
    assert entry(ws, memory)["created"] == formats_times.render_time(NOW + DAY)
    assert standing(ws, memory, NOW + 60 * DAY).status == "dormant"
    critical = next(name for name, _ in inventory.list_origins(ws.head()) if "critical" in name)
    assert standing(ws, critical, NOW + 999 * DAY).score == 1.0
    write("- tea\n", 1)
    write("- tea\n- coffee\n", 2)
    (other,) = entries(ws)
    assert other != memory


def test_a_person_s_work_on_the_scores_stops_no_write_and_is_not_touched(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    remember(ws, "painted red", "concept:Door", day=1)
    file = Path(ws.repo.root, paths.SCORES)
    for text in ("{", file.read_text() + "\n"):
        file.write_text(text)
        touch.touch_memories(ws, [GATE], NOW)
        remember(ws, f"painted {len(text)}", "concept:Door", day=2)
        assert file.read_text() == text
    ws.repo.run("add", paths.SCORES)
    file.write_bytes(ws.head().read(paths.SCORES) or b"")
    remember(ws, "painted again", "concept:Door", day=2)
    assert accesses.read_pending(ws.repo)[GATE].count == 2
    ws.repo.run("reset", "-q")
    remember(ws, "painted at last", "concept:Door", day=2)
    assert entry(ws)["access_count"] == 4


DAMAGED = (
    *("{", "", "[]", "null", '{"entries": []}', '{"entries": {"a": 1}}', "<<<<<<< ours\n{}\n"),
    '{"entries": {"entity:concept--gate": {"access_count": 1e999, "created": 7}}}',
    '{"entries": {"entity:concept--gate": {"access_count": NaN, "current_score": -Infinity}}}',
    '{"entries": {"entity:concept--gate": {"last_accessed": "9999-99-99", "status": [1]}}}',
    f'{{"entries": {{"entity:concept--gate": {{"access_count": {"9" * 5000}}}}}}}',
    f'{{"entries": {{"entity:concept--gate": {{"access_count": {"9" * 400}}}}}}}',
    "[" * 100_000,
    "\ud800",
)


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:40])
def test_damaged_scores_stop_no_write_and_no_reader(ws, text) -> None:
    remember(ws, "opens at nine")
    Path(ws.repo.root, paths.SCORES).parent.mkdir(parents=True, exist_ok=True)
    Path(ws.repo.root, paths.SCORES).write_bytes(text.encode("utf-8", "surrogatepass"))
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-q", "--no-verify", "-m", "damaged")
    touch.touch_memories(ws, [GATE], NOW)
    assert standing(ws, GATE, NOW).status == "active"
    assert status.read_status(ws, NOW).memories["semantic"] == {"active": 1}
    remember(ws, "painted red", "concept:Door", day=1)
    assert index_page.draw_index(graph.load(ws.head()), ws.head(), {})
    pending = accesses.read_pending(ws.repo).get(GATE)
    uses = pending.count if pending else int(str(entry(ws)["access_count"])) - 1
    assert uses == 1
    doctors = list(doctor.examine_workspace(ws, fix=True))
    assert not pending or any(one.mended for one in doctors if one.where == paths.SCORES)
    remember(ws, "painted blue", "concept:Door", day=2)
    assert entry(ws)["access_count"] == 2
    assert not [one for one in doctor.examine_workspace(ws, fix=False) if one.where == paths.SCORES]


def test_what_is_no_memory_cannot_be_touched(ws) -> None:
    remember(ws, "opens at nine")
    for name in ("entity:concept--gone", "episode:2026-02-02:14:30", "core:persona#0", "nonsense"):
        with pytest.raises(errors.NotFound):
            touch.touch_memories(ws, [GATE, name], NOW)
    assert accesses.read_pending(ws.repo) == {}


class Stop(BaseException):
    """Stands for a kill at one point of a write."""


@pytest.fixture(params=["molt.repo.write.branch.PlainMove.commit", "molt.memory.decay.fold.finish"])
def killed(request, ws, monkeypatch) -> bool:
    """A write that dies with a batch taken; gives whether its commit was made."""
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)

    def die(*_args: object) -> None:
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(request.param, die)
        with pytest.raises(Stop):
            remember(ws, "painted red", "concept:Door", day=1)
    return str(request.param).endswith("finish")


def test_a_killed_write_neither_loses_nor_doubles_accesses(killed, ws) -> None:
    assert (entry(ws)["access_count"] == 2) if killed else not entries(ws)
    touch.touch_memories(ws, [GATE], NOW)
    remember(ws, "painted blue", "concept:Door", day=2)
    assert entry(ws)["access_count"] == 3
    assert journal(ws) == []


def test_a_refused_write_keeps_the_accesses(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    with pytest.raises(errors.Refused):
        remember(ws, "key ghp_" + "a1" * 20, day=1)
    assert accesses.read_pending(ws.repo) == {GATE: Used(1, NOW)}
    remember(ws, "painted red", "concept:Door", day=1)
    assert entry(ws)["access_count"] == 2


def test_a_write_that_changes_nothing_makes_no_commit_for_accesses(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    before = ws.repo.tip()
    same = {"SOUL.md": ws.head().read("SOUL.md")}
    assert ws.commit(lambda _tree: Change(same, "", None)).oid is None
    assert ws.repo.tip() == before
    assert accesses.read_pending(ws.repo) == {GATE: Used(1, NOW)}


def test_a_dry_run_and_a_sub_agent_leave_the_journal_alone(ws) -> None:
    remember(ws, "opens at nine")
    touch.touch_memories(ws, [GATE], NOW)
    text = "[EDIT] MEMORY.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
    change = Change({"MEMORY.md": b"# x\n"}, text, None)
    done = ws.commit(lambda _tree: change, dry_run=True)
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
        remember(ws, f"painted {number}", "concept:Door", day=number + 1)
    for one in users:
        one.join()
    remember(ws, "painted at last", "concept:Door", day=9)
    assert entry(ws)["access_count"] == 401
    assert journal(ws) == []


def table(entries: dict[str, dict[str, object]]) -> decay_scores.Scores:
    made = decay_scores._build_table(score_file.render_scores({"version": 1, "entries": entries}))
    return decay_scores.Scores(made, {}, NOW, FADING)


@given(st.lists(st.text(min_size=1), unique=True, max_size=30))
def test_every_entry_is_found_in_the_table_and_nothing_else(found) -> None:
    days = {f"entity:{name}": at for at, name in enumerate(found)}
    stamps = {name: formats_times.render_time(NOW - days[name] * DAY) for name in days}
    scores = table({name: {**KIND, "last_accessed": stamps[name]} for name in days})
    wanted = {name: formula.compute_relevance(1.0, days[name], 1, 1.0) for name in days}
    assert {name: scores.of(name).score for name in days} == pytest.approx(wanted, abs=1e-4)
    assert scores.of("procedure:none").status == "active"


def test_the_table_is_that_of_the_tree_that_is_asked(ws) -> None:
    remember(ws, "opens at nine")
    old, told = ws.head(), Origin(NOW)
    assert decay_scores.load_scores(ws.repo, old, NOW, FADING).of(
        GATE, told
    ).score == pytest.approx(0.84)
    touch.touch_memories(ws, [GATE], NOW + 90 * DAY)
    remember(ws, "painted red", "concept:Door", day=1)
    assert (
        decay_scores.load_scores(ws.repo, ws.head(), NOW + 90 * DAY, FADING).of(GATE, told).status
        == "active"
    )
    before = decay_scores.load_past_scores(ws.repo, old, NOW + 90 * DAY, FADING)
    assert before.of(GATE, told).status == "dormant"


def test_scores_that_cannot_be_read_weigh_nothing(ws) -> None:
    ws.repo.cache["scores"] = b"scores 1 nonsense"
    with open(f"{ws.repo.root}/{paths.SCORES}", "w") as file:
        file.write("{")
    found = decay_scores.load_scores(ws.repo, ws.files(), NOW, FADING).of(GATE, Origin(NOW))
    assert found.score == pytest.approx(0.84)
    assert found.status == "active"


@given(
    st.dictionaries(st.text(), st.integers(1, 9), max_size=9),
    st.dictionaries(st.text(), st.integers(1, 9), max_size=9),
)
def test_what_changed_is_found_without_parsing_all(old, new) -> None:
    sides = [{name: {"access_count": n} for name, n in side.items()} for side in (old, new)]
    texts = [score_file.render_scores({"version": 1, "entries": side}) for side in sides]
    changed = score_changes.changed_entries(*texts)
    if changed is not None:
        kept = {name: sides[0][name] for name in sides[0] if name not in changed}
        made = {name: entry for name, entry in changed.items() if entry is not None}
        assert kept | made == sides[1]


def test_a_table_that_follows_is_the_one_made_anew(ws) -> None:
    for number in range(12):
        remember(ws, f"painted {number}", f"concept:Door {number % 7}", day=number)
        accesses.record(ws.repo, [f"entity:concept--door-{number % 7}"], NOW)
        tree = ws.head()
        followed = decay_scores._load_table(ws.repo, tree)
        assert followed == decay_scores._build_table((tree.read(paths.SCORES) or b"").decode())


def test_only_what_changed_is_weighed_again(ws, monkeypatch) -> None:
    doors = [f"entity:concept--door-{number}" for number in range(3)]
    for number in range(3):
        remember(ws, "painted", f"concept:Door {number}")
    accesses.record(ws.repo, doors, NOW)
    remember(ws, "painted red", "concept:Door 1", day=1)
    decay_scores.load_scores(ws.repo, ws.head(), NOW, FADING)
    asked: list[str] = []

    def weigh(memory: str, *rest: Any) -> object:
        asked.append(memory)
        return formula.weigh(memory, *rest)

    monkeypatch.setattr(decay_scores, "weigh", weigh)
    accesses.record(ws.repo, doors[1:2], NOW)
    remember(ws, "painted again", "concept:Door 1", day=2)
    decay_scores.load_scores(ws.repo, ws.head(), NOW, FADING)
    assert asked == ["entity:concept--door-1"]


def use_daily(ws: workspace.Workspace, days: range) -> None:
    for day in days:
        accesses.record(ws.repo, [GATE, f"entity:concept--door-{day}"], NOW + day * DAY)
        remember(ws, f"painted {day}", f"concept:Door {day}", day=day)


def test_a_day_counts_its_uses_and_reads_no_other_scores(ws, monkeypatch) -> None:
    remember(ws, "opens at nine")
    use_daily(ws, range(1, 4))
    monkeypatch.setattr(score_file, "parse_scores", pytest.fail)
    monkeypatch.setattr(score_file, "list_forgotten", pytest.fail)
    use_daily(ws, range(4, 7))
    assert entry(ws)["access_count"] == 7
    assert len(entries(ws)) == 7
    text = (ws.head().read(paths.SCORES) or b"").decode()
    assert text == score_file.render_scores(json.loads(text))


@pytest.mark.parametrize(
    "hurt",
    [
        pytest.param(lambda text: text[:-9], id="cut-off"),
        pytest.param(lambda text: text.replace("},", "}", 1), id="no-comma"),
        pytest.param(lambda text: text.replace('"access_count"', '"access_count', 1), id="quote"),
    ],
)
def test_scores_that_were_in_order_and_are_damaged_are_noticed(ws, hurt) -> None:
    remember(ws, "opens at nine")
    use_daily(ws, range(1, 4))
    data = hurt((ws.head().read(paths.SCORES) or b"").decode()).encode()
    message = f"[EDIT] {paths.SCORES} — x\n\nActor: manual\nApproval: manual\nTrigger: x\n"
    with pytest.raises(errors.Refused):
        ws.commit(lambda _: Change({paths.SCORES: data}, message, None), actor="manual")
    Path(ws.repo.root, paths.SCORES).write_bytes(data)
    ws.repo.run("commit", "-q", "--no-verify", "-a", "-m", "damaged")
    use_daily(ws, range(4, 6))
    assert ws.head().read(paths.SCORES) == data
    assert accesses.read_pending(ws.repo)[GATE].count == 2
