"""The law of the index: brought up step by step it says what a fresh one says, and no more."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from molt import trees
from molt.cli import main
from molt.config import Config
from molt.index import db, providers
from molt.index.content import sources
from molt.index.fill import sync
from molt.index.providers import provider as vector_identity
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.held import withheld
from molt.memory.search import index as search_index

TEXTS = st.sampled_from(
    [
        "The user lives in Lisbon and takes the tram.",
        "We chose Postgres for billing, not MySQL.",
        "用户更喜欢使用制表符。",
        "Deploy with memorySearch.query.hybrid at a828e60.",
        "Ada: I walked the dog\nin the rain.",
        "short",
        "\n## Relations\n- uses [[tool--git]] and [[person--ada]]\n",
    ]
)
DAYS = [f"memory/episodes/2026-01-0{day}.md" for day in (1, 2, 3)]
NOTES = [
    "memory/graph/entities/person--ada.md",
    "memory/procedures/deploy.md",
    "memory/2026-01-09.md",
    "MEMORY.md",
]
PATHS = st.sampled_from(DAYS + NOTES)


def entry(path: str, number: int, text: str) -> str:
    head = f"# {path[-13:-3]} — Episode Log\n" if not number else ""
    clock = f"{number // 60:02}:{number % 60:02}"
    return f"{head}\n## {clock} | fact | confidence:high | tags:[a]\n{text}\n"


def said(index: db.Db) -> dict[str, Any]:
    """All that an index says, without the numbers of its rows."""
    rows = index.rows(
        "SELECT c.id, c.path, c.first, c.last, memory_id, store, type, tags, date, text, hash,"
        " words, flags, coalesce(s.name, ''), v.vector, memory, unit"
        " FROM chunks c LEFT JOIN places p ON p.id = c.id LEFT JOIN vectors v ON v.id = c.id"
        " LEFT JOIN speakers s ON s.id = p.speaker ORDER BY c.path, c.first, c.last"
    )
    name = {row[0]: (row[1], row[2]) for row in rows}
    units = dict(index.rows("SELECT id, words FROM units"))
    terms = index.rows("SELECT term, doc, offset FROM occurrences")
    memories = sorted((row[15], row[1]) for row in rows)
    pairs = itertools.pairwise(memories)
    assert all(one[1] == two[1] or two[0] > one[0] + 1 for one, two in pairs), "neighbours"
    first = {path: min(row[15] for row in rows if row[1] == path) for path in {r[1] for r in rows}}
    bits = index.rows("SELECT rowid FROM bits") if index.vec else [(row[0],) for row in rows]
    return {
        "rows": [row[1:15] for row in rows],
        "files": index.rows("SELECT path, oid FROM files ORDER BY path"),
        "places": [(row[15] - first[row[1]], units.get(row[16])) for row in rows],
        "units": sorted(sorted(name[row[0]] for row in rows if row[16] == unit) for unit in units),
        "terms": sorted((term, name[doc], offset) for term, doc, offset in terms if doc in name),
        "bits": sorted(name[number] for (number,) in bits if number in name),
        "pending": sorted(name[number] for (number,) in index.rows("SELECT id FROM pending")),
        "graph": [
            index.rows("SELECT * FROM entities ORDER BY stem"),
            index.rows("SELECT * FROM names ORDER BY name, stem"),
            sorted(index.rows("SELECT * FROM edges")),
        ],
        "totals": index.rows("SELECT * FROM totals"),
    }


def assert_equal(grown: db.Db, fresh: db.Db) -> None:
    one, two = said(grown), said(fresh)
    for key, value in two.items():
        assert one[key] == value, key


STEP = st.tuples(PATHS, st.lists(TEXTS, max_size=4), st.sampled_from(["grow", "replace", "drop"]))


@settings(max_examples=60)
@given(st.lists(STEP, min_size=1, max_size=9))
def test_an_index_of_changing_files_equals_one_of_the_last_files(
    steps: list[tuple[str, list[str], str]],
) -> None:
    provider, why = providers.load(Config())
    assert provider is not None, why
    with tempfile.TemporaryDirectory() as folder:
        grown = db.open(f"{folder}/grown.sqlite", vector_identity.fingerprint(provider))
        files: dict[str, list[str]] = {}
        for path, texts, how in steps:
            files[path] = (files.get(path, []) if how == "grow" else []) + texts
            if how == "drop":
                del files[path]
            tree = trees.DictTree(
                {
                    name: "".join(entry(name, *pair) for pair in enumerate(held)).encode()
                    for name, held in files.items()
                }
            )
            sync.freshen(grown, sync.Source(tree), budget_ms=60_000, provider=provider)
        fresh = db.open(f"{folder}/fresh.sqlite", vector_identity.fingerprint(provider))
        sync.freshen(fresh, sync.Source(tree), budget_ms=60_000, provider=provider)
        assert_equal(grown, fresh)
        grown.close()
        fresh.close()


def tree_of(files: dict[str, int]) -> trees.DictTree:
    """Files of so many entries."""
    kinds = ["said by Ada", "\n## Relations\n- uses [[tool--git]]\n", "用户更喜欢使用制表符。"]
    return trees.DictTree(
        {
            name: "".join(entry(name, at, f"{kinds[at % 3]} {at}") for at in range(count)).encode()
            for name, count in files.items()
        }
    )


def test_an_index_that_is_interrupted_anywhere_holds_no_part_of_a_file(tmp_path: Path) -> None:
    before = tree_of({DAYS[0]: 2, DAYS[1]: 3, NOTES[0]: 2, NOTES[1]: 1})
    after = tree_of({DAYS[0]: 4, DAYS[2]: 2, NOTES[0]: 3, NOTES[1]: 1, NOTES[2]: 2})
    fresh = db.open(str(tmp_path / "fresh.sqlite"), "none:256")
    sync.freshen(fresh, sync.Source(after), budget_ms=0, provider=None)

    def interrupt(left: Iterator[int]) -> Callable[..., bool]:
        def trace(_cursor: object, _sql: str, _values: object) -> bool:
            if next(left) == 0:
                raise KeyboardInterrupt
            return True

        return trace

    for number in itertools.count():
        grown = db.open(str(tmp_path / f"{number}.sqlite"), "none:256")
        sync.freshen(grown, sync.Source(before), budget_ms=0, provider=None)
        grown.con.exec_trace = interrupt(iter(range(number, -1000, -1)))
        try:
            sync.freshen(grown, sync.Source(after), budget_ms=0, provider=None)
            stopped = False
        except KeyboardInterrupt:
            stopped = True
        grown.con.exec_trace = None
        held = grown.rows("SELECT path FROM files")
        assert {path for (path,) in grown.rows("SELECT path FROM chunks")} <= {p for (p,) in held}
        sync.freshen(grown, sync.Source(after), budget_ms=0, provider=None)
        assert_equal(grown, fresh)
        grown.close()
        if not stopped:
            break
    assert number > 50
    fresh.close()


def test_the_entries_that_stay_keep_their_rows(tmp_path: Path) -> None:
    index = db.open(str(tmp_path / "i.sqlite"), "none:0")
    path, texts = DAYS[0], ["one fact", "another", "a third"]
    ids = []
    for count in (1, 2, 3, 2):
        data = "".join(entry(path, *pair) for pair in enumerate(texts[:count])).encode()
        sync.freshen(index, sync.Source(trees.DictTree({path: data})), budget_ms=0, provider=None)
        ids.append([number for (number,) in index.rows("SELECT id FROM chunks ORDER BY id")])
    assert ids[1][0] == ids[0][0]
    assert ids[2][:2] == ids[1]
    assert ids[3] == ids[1]
    index.close()


class Life(RuleBasedStateMachine):
    """A workspace that a person, an agent and git change, and processes that die at it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.root = Path(self.folder, "w")
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def git(self, *args: str) -> None:
        done = subprocess.run(["git", *args], cwd=self.root, capture_output=True, text=True)
        note(f"git {' '.join(args)}: {done.returncode} {done.stderr}")

    @initialize()
    def start(self) -> None:
        setup.init(str(self.root))

    @rule(path=PATHS, text=TEXTS)
    def append(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        self.count += 1
        with file.open("a", encoding="utf-8") as out:
            out.write(entry(path, self.count if file.stat().st_size else 0, text))

    @rule(path=PATHS, text=TEXTS)
    def edit(self, path: str, text: str) -> None:
        file = self.root / path
        if file.exists() and (lines := file.read_text(encoding="utf-8").splitlines()):
            lines[len(lines) // 2 :] = [text]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    @rule(path=PATHS)
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.root / old, self.root / new)

    @rule(text=TEXTS)
    def remember(self, text: str) -> None:
        self.count += 1
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = main(["--workspace", str(self.root), "remember", f"{text} {self.count}"])
        # A file that breaks a rule, or is staged otherwise, is refused; that is no usage error.
        assert code in (0, 1)

    @rule(amend=st.booleans())
    def commit(self, amend: bool) -> None:
        self.git("add", "-A")
        more = ("--amend", "--no-edit") if amend else ("-m", "[EDIT] * — by hand")
        self.git("commit", "-q", "--no-verify", *more)

    @rule(name=st.sampled_from(["main", "other"]))
    def switch(self, name: str) -> None:
        self.git("branch", "-q", "other")
        self.git("switch", "-q", "-f", name)

    @rule()
    def reset(self) -> None:
        self.git("reset", "-q", "--hard", "HEAD~1")

    @rule()
    def collect(self) -> None:
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "-q", "--prune=now")

    @precondition(lambda self: self.count)
    @rule(seconds=st.sampled_from([0.02, 0.08, 0.15]))
    def die(self, seconds: float) -> None:
        command = [sys.executable, "-m", "molt", "search", "tram", "--workspace", str(self.root)]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)

    @invariant()
    def equal(self) -> None:
        if not self.root.exists():
            return
        ws = workspace.find(str(self.root))
        provider, why = providers.load(Config())
        assert provider is not None, why
        found = search_index.find_source(ws)
        with search_index.opened(ws, provider) as grown:
            sync.freshen(grown, found, budget_ms=60_000, provider=provider)
            fresh = db.open(f"{self.folder}/fresh.sqlite", vector_identity.fingerprint(provider))
            sync.freshen(fresh, found.replace(base=None), budget_ms=60_000, provider=provider)
            assert_equal(grown, fresh)
            fresh.close()
            for path in Path(self.folder).glob("fresh.sqlite*"):
                path.unlink()
            held = dict(grown.rows("SELECT path, oid FROM files"))
        there = {str(path.relative_to(self.root)): path for path in self.root.rglob("*.md")}
        # Of a file with lines that are held back, as commits here break rules, the rest is indexed.
        veiled = withheld.read_held(ws.repo).lines
        assert {name: oid for name, oid in held.items() if name not in veiled} == {
            name: trees.blob_oid(path.read_bytes())
            for name, path in there.items()
            if sources.is_searched(name) and name not in veiled
        }


def test_after_each_step_of_a_life_the_index_equals_a_fresh_one() -> None:
    some = settings(max_examples=12, stateful_step_count=14)
    run_state_machine_as_test(Life, settings=some)
