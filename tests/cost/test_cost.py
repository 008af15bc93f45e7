"""The benchmark of costs: what it measures is what it says, on ground that keeps the rules."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.cost import commits, grounds, hot, meter, shipped, table, texts, wholes
from benchmarks.cost.__main__ import ROWS

NOW = datetime(2026, 2, 2, 12, tzinfo=UTC)
SPIN = "import sys, time\nwhile time.process_time() < float(sys.argv[1]): pass"


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> grounds.Grounds:
    """The grounds, with the molt that is tested in place of an installed wheel."""
    place = tmp_path_factory.mktemp("bench")
    environment = Path(sys.executable).parents[1]
    return grounds.Grounds(place, shipped.Shipped(environment, "tested"), texts.read(), NOW)


def test_a_process_costs_what_it_and_its_children_take(tmp_path: Path) -> None:
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {SPIN!r}, '0.3'])"
    cost = meter.measure([sys.executable, "-c", child], tmp_path, os.environ)
    assert cost.cpu >= 300


def test_memory_is_that_of_the_process_and_not_of_its_parent(tmp_path: Path) -> None:
    kept = b"x" * (200 << 20)
    small = meter.measure([sys.executable, "-I", "-c", "pass"], tmp_path, os.environ)
    large = meter.measure([sys.executable, "-c", "b'x' * (99 << 20)"], tmp_path, os.environ)
    assert small.memory < 60 < 99 <= large.memory < len(kept)


def test_what_is_written_to_files_is_counted_and_what_goes_to_pipes_is_not(tmp_path: Path) -> None:
    text = "import sys\nopen(sys.argv[1], 'wb', 0).write(b'x' * (8 << 20))"
    command = [sys.executable, "-c", text]
    child = f"import subprocess, sys\nsubprocess.run({[*command, str(tmp_path / 'file')]!r})"
    filed = meter.measure([sys.executable, "-c", child], tmp_path, os.environ)
    piped = meter.measure([*command, "/dev/stdout"], tmp_path, os.environ)
    if not filed.written:
        pytest.skip("this file system does not say what is written to it")
    assert piped.written < 1024 < 8192 <= filed.written < 10_000


def test_what_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="ended with 3: no such thing"):
        meter.measure(
            [sys.executable, "-c", "import sys; sys.stderr.write('no such thing'); sys.exit(3)"],
            tmp_path,
            os.environ,
        )


def test_each_round_measures_every_step_once() -> None:
    seen: list[str] = []

    def step(name: str, run: int) -> meter.Cost:
        seen.append(f"{name}{run}")
        return meter.Cost(run, 0)

    steps = {name: lambda run, name=name: step(name, run) for name in "ab"}
    assert meter.find_medians(steps, 3) == {"a": 2, "b": 2}
    assert seen == ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"]


def test_texts_that_come_again_are_others() -> None:
    few = texts.Texts(("one two three four", "five six seven eight", "nine ten"), "three")
    taken = list(few.take(9))
    assert taken[:3] == list(few.lines)
    assert len(set(taken)) > 3
    assert few.describe(9) == "three, each 3 times with variation"
    assert few.describe(3) == "three"


def test_texts_come_from_the_folder_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    rows = ["# Title\n\nand\x00 a\tline", " "]
    data = "".join(json.dumps({"id": "1", "text": row}) + "\n" for row in rows)
    (tmp_path / "mine/corpus.jsonl").write_text(data, encoding="utf-8")
    monkeypatch.setenv(texts.WHERE, str(tmp_path))
    assert texts.read() == (("Title and a line",), "1 texts of 1 sets")
    monkeypatch.setenv(texts.WHERE, str(tmp_path / "mine"))
    with pytest.raises(SystemExit, match="a set is a folder with a corpus"):
        texts.read()


@pytest.mark.parametrize("kind", ["memories", "entities"])
def test_the_ground_keeps_all_rules_and_is_scored(kind: str, ground: grounds.Grounds) -> None:
    make = ground.make_memories if kind == "memories" else ground.make_entities
    made = make(130)
    found = subprocess.run(
        [ground.shipped.molt, "verify", "--json"],
        cwd=made.path,
        env=made.env,
        capture_output=True,
        check=True,
    )
    assert json.loads(found.stdout)["findings"] == []
    scores = json.loads((made.path / "memory/meta/decay-scores.json").read_text("utf-8"))
    assert len(scores["entries"]) >= 130
    assert not made.run_git("status", "--porcelain")
    # INIT, one commit for each memory, entities, scores, and two of warming up.
    count = int(made.run_git("rev-list", "--count", "HEAD"))
    assert count == 5 + (130 if kind == "memories" else 0)


def test_a_fact_is_about_an_entity_that_is_there(ground: grounds.Grounds) -> None:
    made = ground.make_entities(130)
    made.molt("remember", "one more", "--entity", "concept:thing-00065")
    changed = made.run_git("show", "--name-status", "--format=", "HEAD").split("\n")
    assert "M\tmemory/graph/entities/concept--thing-00065.md" in changed


def test_hooks_are_what_a_commit_costs_more(ground: grounds.Grounds) -> None:
    """A hook that spins for a while is in the figure; what git itself takes is not."""
    made = ground.make_empty("spins")
    hook = made.path / ".git/hooks/post-commit"
    hook.write_text(f"#!/bin/sh\n{sys.executable} -c '{SPIN}' 0.5\n", encoding="utf-8")
    made.write("note.txt", "one")
    cost = made.git("commit", "-q", "-m", "[CREATE] note.txt — one")
    made.write("note.txt", "two")
    bare = made.git(*grounds.NO_HOOKS, "commit", "-q", "-m", "two")
    assert cost.cpu - bare.cpu >= 250


def test_what_a_command_loads_is_as_python_tells_it(ground: grounds.Grounds) -> None:
    made = ground.make_memories(130)
    found = hot.find_loaded(ground, made, ("get", made.memory(3).id))
    assert len(found) == len(set(found)) > 10
    assert not [name for name in found if name.startswith("molt.memory.reflect")]
    assert "molt.policy" in hot.find_loaded_by_hooks(made)
    package = hot.find_package(ground.shipped.python)
    assert 0 < hot.measure_code("molt.githooks", package) < hot.measure_code("molt.config", package)


def test_an_index_is_built_from_nothing(ground: grounds.Grounds) -> None:
    made = ground.make_memories(130)
    wholes.build_index(made, 0)
    assert next(made.path.glob(".git/molt/index.sqlite")).stat().st_size > 10_000


@pytest.mark.parametrize(("power", "exponent"), [(1, 1.0), (2, 2.0), (0, 0.0)])
def test_growth_is_told_as_a_power(power: int, exponent: float) -> None:
    seen = [(float(size), 3.0 * size**power) for size in (500, 2_000, 10_000)]
    assert commits.find_exponent(seen) == pytest.approx(exponent)


def test_a_figure_says_whether_it_holds_and_where_it_was_measured() -> None:
    good = table.Figure("search", 5.678, "P", table.at_most(6), "shipped")
    assert good.render("search") == "| search | search | 5.68 P | ≤ 6 P | yes | shipped |"
    slow = table.Figure("index", 1.2, "MB/CPU s", table.at_least(1.5), "shipped")
    assert "**no**" in slow.render("index")
    told = table.Figure("size", 1234.5, "MB", table.TOLD, "shipped")
    assert told.render("size") == "| size | size | 1,234 MB |  |  | shipped |"


def test_each_row_is_told_of() -> None:
    page = (shipped.ROOT / "docs/benchmarks.md").read_text("utf-8")
    assert [name for name, row in ROWS.items() if not row.__doc__] == []
    assert [name for name in ROWS if f"| `{name}` |" not in page] == []


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The packages of an environment with what molt asks for, as pip would leave them."""
    place = tmp_path / "lib/python3/site-packages"
    asked = ("click>=8", 'fastembed; extra == "fastembed"', 'other; os_name == "another"')
    put_package(place, "molt-memory", *asked)
    put_package(place, "click")
    put_package(place, "pip")
    return place


def put_package(place: Path, name: str, *asked: str) -> None:
    folder = place / f"{name.replace('-', '_')}-1.dist-info"
    folder.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1"]
    lines += [f"Requires-Dist: {one}" for one in asked]
    (folder / "METADATA").write_text("\n".join(lines), encoding="utf-8")
    (place / f"{name}.py").write_bytes(b"")
    empty = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    (folder / "RECORD").write_text(f"{name}.py,{empty},0\n", encoding="utf-8")


def differences(place: Path, *extras: str) -> list[str]:
    return shipped.find_differences(shipped.Shipped(place.parents[2], "a", extras))


def test_what_ships_is_the_wheel_and_what_it_asks_for(installed: Path) -> None:
    assert differences(installed) == []


def test_a_package_too_much_is_no_longer_what_ships(installed: Path) -> None:
    put_package(installed, "numexpr")
    assert differences(installed) == ["numexpr is too much"]


def test_a_package_that_is_missing_is_told(installed: Path) -> None:
    shutil.rmtree(installed / "click-1.dist-info")
    assert differences(installed) == ["click is missing"]


def test_an_extra_is_a_part_of_what_ships_where_it_is_asked_for(installed: Path) -> None:
    assert differences(installed, "fastembed") == ["fastembed is missing"]
    put_package(installed, "fastembed")
    assert differences(installed, "fastembed") == []
    assert differences(installed) == ["fastembed is too much"]


def test_a_file_that_was_edited_is_told(installed: Path) -> None:
    (installed / "molt-memory.py").write_text("quick = True", encoding="utf-8")
    assert differences(installed) == ["molt-memory.py was edited"]
