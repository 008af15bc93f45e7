"""What the index finds, and that it is only ever a copy of the tree."""

from __future__ import annotations

import array
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import resources
from molt.config import Config
from molt.index import copies, db
from molt.index import providers as index_providers
from molt.index.content import chunks, scripts, signs, words
from molt.index.fill import sync
from molt.index.providers import provider as providers
from molt.index.providers import quantise, static
from molt.index.search import candidates, keywords, nearest, rank
from molt.index.search.filters import Filters
from molt.normal import normalize
from molt.trees import DictTree

LOG = "# 2026-02-02 — Episode Log\n\n"
FIRST = "## 10:00 | decision | confidence:high | tags:[db]\nWe chose Postgres for billing.\n\n"
SECOND = "## 11:30 | fact | confidence:high | tags:[home]\nThe user lives in Lisbon.\n"
FILES = {
    "MEMORY.md": b"# Memory\n\n## Identity\n\n- The user prefers tabs.\n",
    "memory/episodes/2026-02-02.md": (LOG + FIRST + SECOND).encode(),
    "memory/procedures/deploy.md": b"# Deploy\n\nRun memorySearch.query.hybrid at a828e60.\n",
    "memory/2026-02-03.md": "用户更喜欢使用制表符而不是空格。\n\nฉันชอบกินข้าวผัด\n".encode(),
}


def opened(tmp_path: Path, files: dict[str, bytes] = FILES) -> tuple[db.Db, providers.Provider]:
    provider, why = index_providers.load(Config())
    assert provider is not None, why
    index = db.open(str(tmp_path / "index.sqlite"), providers.fingerprint(provider))
    fresh = sync.freshen(index, sync.Source(DictTree(files)), budget_ms=5000, provider=provider)
    assert fresh.stale == 0
    return index, provider


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("where does the user live", "memory/episodes/2026-02-02.md"),
        ("database for billing", "memory/episodes/2026-02-02.md"),
        ("memorySearch.query.hybrid", "memory/procedures/deploy.md"),
        ("a828e60", "memory/procedures/deploy.md"),
        ("制表", "memory/2026-02-03.md"),
        ("制表符", "memory/2026-02-03.md"),
        ("ข้าวผัด", "memory/2026-02-03.md"),
        ('it"s * tabs', "MEMORY.md"),
    ],
)
def test_a_query_finds_its_file_first(tmp_path: Path, asked: str, path: str) -> None:
    index, provider = opened(tmp_path)
    for fusion in ("min-max", "reciprocal-rank", "weighted-rank"):
        found = candidates.find_candidates(
            index, asked, ranking=candidates.Ranking(provider=provider, fusion=fusion), limit=5
        )
        assert found
        if fusion == "min-max":
            assert found[0].path == path
    index.close()


@pytest.mark.parametrize("asked", ["", "*", '"', "AND OR NOT", "fts:x", "\x00", "the"])
def test_no_query_is_an_error(tmp_path: Path, asked: str) -> None:
    index, provider = opened(tmp_path)
    candidates.find_candidates(index, asked, ranking=candidates.Ranking(provider=provider), limit=5)
    index.close()


def test_words_side_by_side_come_before_the_same_words_apart(tmp_path: Path) -> None:
    apart = b"# A\n\nThe boundary of the thin wing and its outer layer of paint.\n"
    beside = b"# B\n\nThe thin layer of paint and the outer boundary layer of the wing.\n"
    files = {"memory/procedures/a.md": apart, "memory/procedures/b.md": beside}
    files |= {f"memory/procedures/c{n}.md": b"# C\n\nSomething else.\n" for n in range(9)}
    index, _ = opened(tmp_path, files)
    found = candidates.find_candidates(index, "boundary layer of a wing", limit=2)
    assert [one.path for one in found] == ["memory/procedures/b.md", "memory/procedures/a.md"]
    assert found[0].bm25 > found[1].bm25
    index.close()


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("книга о деревьях", "Она купила книгу про дерево."),
        ("¿dónde trabajó él?", "Ella trabaja en Lyon."),
        ("το βιβλίο", "Τα βιβλία της."),
        ("what does Марина like", "Марине нравится чай."),
    ],
)
def test_a_word_is_found_in_its_other_forms(tmp_path: Path, asked: str, note: str) -> None:
    files = {"memory/procedures/a.md": f"# A\n\n{note}\n".encode()}
    index, _ = opened(tmp_path, files)
    assert [one.path for one in candidates.find_candidates(index, asked, limit=2)] == list(files)
    index.close()


def test_words_of_english_keep_to_their_stems(tmp_path: Path) -> None:
    files = {"memory/procedures/a.md": b"# A\n\nThe conference was long.\n"}
    index, _ = opened(tmp_path, files)
    for asked in ("confetti", "who throws confetti in a café"):
        assert candidates.find_candidates(index, asked, limit=2) == []
    index.close()


@pytest.mark.parametrize(
    ("asked", "pairs"),
    [
        ("who painted the red barn door?", ["red barn", "barn door"]),
        ("barn, door", ["barn door"]),
        ("barn - door", []),
        ("red 谷仓 door", []),
        ("the of", []),
    ],
)
def test_pairs_are_of_words_that_say_something(asked: str, pairs: list[str]) -> None:
    assert words.pair_words(asked) == pairs


def test_a_long_note_that_has_all_that_is_asked_for_comes_before_a_line_full_of_one(
    tmp_path: Path,
) -> None:
    filling = " ".join(f"sand{at}" for at in range(90))
    files = {
        "memory/all.md": f"The harbour lamp hangs low. {filling}\n".encode(),
        "memory/one.md": b"Lamp, lamp, lamp: a lamp.\n",
        **{f"memory/other{at}.md": b"The harbour is cold.\n" for at in range(3)},
    }
    index, _ = opened(tmp_path, files)
    found = candidates.find_candidates(index, "how low hangs the harbour lamp", limit=2)
    none = candidates.Ranking(weights=rank.WEIGHTS.replace(covers=0.0))
    before = candidates.find_candidates(
        index, "how low hangs the harbour lamp", limit=2, ranking=none
    )
    assert found[0].path == "memory/all.md"
    assert found[0].score - found[1].score > before[0].score - before[1].score


def test_a_match_that_lacks_most_words_leaves_more_to_the_vectors() -> None:
    keyword, vector = {1: 2.0, 2: 0.5}, {1: 0.2, 2: 0.4}
    whole = rank.fuse_scores(keyword, vector, 2.0, rank.WEIGHTS)
    lacking = rank.fuse_scores(keyword, vector, 50.0, rank.WEIGHTS)
    assert whole[1] > whole[2]
    assert lacking[1] < lacking[2]


def test_filters_hold_for_both_rankings(tmp_path: Path) -> None:
    index, provider = opened(tmp_path)
    only = Filters(stores=("episodic",), types=("fact",), tags=("home",), since="2026-02-02")
    found = candidates.find_candidates(
        index, "the user", ranking=candidates.Ranking(provider=provider), limit=5, filters=only
    )
    assert [(one.memory_id, one.type) for one in found] == [("episode:2026-02-02:11:30", "fact")]
    index.close()


def test_only_changed_files_are_read_and_deleted_ones_are_gone(tmp_path: Path) -> None:
    index, provider = opened(tmp_path)
    changed = {path: data for path, data in FILES.items() if path != "MEMORY.md"}
    changed["memory/procedures/deploy.md"] = b"# Deploy\n\nPush the zebra button.\n"
    fresh = sync.freshen(index, sync.Source(DictTree(changed)), budget_ms=5000, provider=provider)
    assert fresh == sync.IndexFreshness(stale=0, updated=2)
    paths = {
        one.path
        for one in candidates.find_candidates(
            index, "zebra tabs", ranking=candidates.Ranking(provider=provider), limit=9
        )
    }
    assert "MEMORY.md" not in paths
    assert not candidates.find_candidates(index, "a828e60", limit=5)
    index.close()


def test_without_time_keywords_come_first_and_vectors_follow(tmp_path: Path) -> None:
    provider, _ = index_providers.load(Config())
    index = db.open(str(tmp_path / "i.sqlite"), providers.fingerprint(provider))
    tree = DictTree(FILES)
    first = sync.freshen(index, sync.Source(tree), budget_ms=0, provider=provider)
    assert first.stale > 0
    assert candidates.find_candidates(
        index, "Lisbon", ranking=candidates.Ranking(provider=provider), limit=5
    )
    assert sync.freshen(index, sync.Source(tree), budget_ms=5000, provider=provider).stale == 0
    index.close()


@pytest.mark.parametrize("at", [0, 4096])
def test_a_damaged_or_outdated_file_is_rebuilt(tmp_path: Path, at: int) -> None:
    index, provider = opened(tmp_path)
    index.close()
    file = tmp_path / "index.sqlite"
    data = bytearray(file.read_bytes())
    data[at : at + 3000] = b"\xff" * 3000
    file.write_bytes(data)
    index, _ = opened(tmp_path)
    assert candidates.find_candidates(
        index, "Lisbon", ranking=candidates.Ranking(provider=provider), limit=5
    )
    index.close()
    other = db.open(str(file), "none")
    assert other.fresh
    other.close()
    assert [path.name for path in tmp_path.iterdir() if ".new-" in path.name] == []


def test_chunks_know_their_lines_and_never_join_two_memories() -> None:
    text = LOG + FIRST + SECOND + "\n".join(f"line {n} " + "x" * 200 for n in range(30)) + "\n"
    found = chunks.chunk_file("memory/episodes/2026-02-02.md", text)
    assert [one.memory_id for one in found[:2]] == [
        "episode:2026-02-02:10:00",
        "episode:2026-02-02:11:30",
    ]
    assert (found[0].start, found[0].end) == (3, 4)
    rows = text.split("\n")
    for one in found[1:]:
        assert one.text.split("\n")[-1] == rows[one.end - 1]


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-03-04-release.md", "2026-03-04"),
        ("memory/research/report-2026-03-04.md", "2026-03-04"),
        ("memory/review-2026年03月04日.md", "2026-03-04"),
        ("memory/2026-13-04-release.md", ""),
        ("memory/2026-03-04/release.md", ""),
    ],
)
def test_a_note_is_of_the_day_in_its_name(path: str, day: str) -> None:
    (note,) = chunks.chunk_file(path, "# Release\n\nWe shipped.\n")
    assert note.date == day


def test_a_note_is_of_the_day_that_it_tells() -> None:
    text = "---\nupdated: 2026-05-06\n---\n# Release\n\nWe shipped.\n"
    (note,) = chunks.chunk_file("memory/2026-03-04-release.md", text)
    assert note.date == "2026-05-06"


def test_a_note_that_is_only_its_title_is_found_by_it_and_an_empty_day_by_nothing() -> None:
    (note,) = chunks.chunk_file("memory/procedures/zz.md", "---\na: b\n---\n# Unusual zebra\n")
    assert (note.start, note.text, note.memory_id) == (4, "# Unusual zebra", "procedure:zz")
    assert chunks.chunk_file("memory/2026-02-03.md", "# 2026-02-03\n\n## Notes\n") == ()
    assert chunks.chunk_file("memory/notes.md", "# 2026\n\n<!-- nothing -->\n") == ()


def test_a_search_imports_no_heavy_package(tmp_path: Path) -> None:
    opened(tmp_path)[0].close()
    script = (
        "import sys\nfrom molt.index import db, providers\nfrom molt.config import Config\n"
        "from molt.index.providers.provider import fingerprint\n"
        "from molt.index.search.candidates import Ranking, find_candidates\n"
        "p, _ = providers.load(Config())\n"
        f"i = db.open({str(tmp_path / 'index.sqlite')!r}, fingerprint(p))\n"
        "assert find_candidates(i, 'Lisbon', limit=5, ranking=Ranking(p))\n"
        "print([m for m in ('numpy','sqlite_vec','dataclasses','yaml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_few_and_many_texts_get_the_same_vectors() -> None:
    provider, _ = index_providers.load(Config())
    assert provider is not None
    text = "Café déjà-vu, naïve snake_case 制表符!"
    few, many = provider.embed([text])[0], provider.embed([text] * static.BULK)[5]
    assert max(abs(a - b) for a, b in zip(few, many, strict=True)) in (0, 1, 255)


def test_a_vector_is_the_sum_of_the_rows_of_its_pieces() -> None:
    provider, dims = static.Static(), static.Static.dims
    folder = Path(resources.find("data/static"))
    rows = array.array("b", (folder / "vectors.i8").read_bytes())
    scales = array.array("f", (folder / "scales.f32").read_bytes())
    for text in ("tea", "Tea for two, and two for tea", "制表符 naïve", "a " * 3_000):
        total = [0.0] * dims
        for row in provider.pieces(text):
            part = rows[row * dims : (row + 1) * dims]
            total = [old + scales[row] * new for old, new in zip(total, part, strict=True)]
        assert provider.query(text) == quantise.quantise(total)


def test_a_piece_that_comes_again_is_not_read_again() -> None:
    provider = static.Static()
    steps = []
    for times in (10, 1_010):
        text, calls = "tea " * times, 0

        def count(_frame: object, event: str, _value: object) -> None:
            nonlocal calls
            calls += event == "c_call"

        provider.query(text)
        sys.setprofile(count)
        try:
            provider.query(text)
        finally:
            sys.setprofile(None)
        steps.append(calls)
    assert steps[1] - steps[0] < 2 * 1_000


@pytest.mark.parametrize("bulk", [False, True])
def test_every_piece_of_letters_is_what_its_signs_are_joined_to(bulk: bool) -> None:
    provider = static.Static()
    if bulk:
        provider.embed(["word"] * static.BULK)
    folder = Path(resources.find("data/static"))
    pieces = (folder / "vocab.txt").read_bytes().decode().split("\n")[:-1]
    for row, piece in list(enumerate(pieces))[:: 1 if bulk else 50]:
        if not piece.startswith("<") or len(piece) == 1:
            # Without the look-up of the whole, by merges alone.
            assert list(provider.merge_signs(piece)) == [row], piece


def test_the_shipped_model_is_the_one_that_its_description_names() -> None:
    folder = Path(resources.find("data/static"))
    about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert (static.Static.model, static.Static.dims) == (about["name"], about["dims"])
    for name, expected in about["sha256"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected
    sizes = [(folder / name).stat().st_size for name in ("vectors.i8", "scales.f32", "ranks.u16")]
    assert sizes == [about["pieces"] * size for size in (about["dims"], 4, 2)]


def test_without_sqlite_vec_the_same_chunks_are_nearest(tmp_path: Path) -> None:
    texts = [f"{word} number {n}" for n in range(12) for word in ("river", "tax form", "guitar")]
    files = {f"memory/procedures/p{n}.md": f"{text}\n".encode() for n, text in enumerate(texts)}
    index, provider = opened(tmp_path, files)
    assert index.vec
    vector = provider.query("playing music on strings")
    for where, values in (("", []), ("c.path LIKE ?", ["%1.md"])):
        found = {}
        for loaded in (True, False):
            index.vec = loaded
            found[loaded] = nearest.find(index, vector, 9, where, values)
        assert list(found[True]) == list(found[False])
        assert found[True] == pytest.approx(found[False], abs=1e-6)
    index.close()


@given(st.text("aZ0९²_-.é’\u0301😀木ขក\u0dff\u3040 "))
def test_words_are_split_as_the_expressions_of_scripts_say(text: str) -> None:
    assert signs.has_unspaced(text) == bool(scripts.RUN.search(text))
    folded = normalize("NFC", text.lower())
    pieces = [part for word in folded.split() for part in scripts.PART.findall(word)]
    assert [part.lstrip("\u2581") for part in static.split_words(text)] == pieces


def test_parts_of_a_run_without_spaces_have_their_share_of_the_whole(tmp_path: Path) -> None:
    files = {"memory/procedures/a.md": "# A\n\n港口里有许多木船\n".encode()}
    index, _ = opened(tmp_path, files)
    apart, run = (
        keywords.find(index, asked, "", []) for asked in ("港口 木船", "港口里有许多木船")
    )
    # Seven parts of two signs, of which each sign is in two.
    assert run.whole == pytest.approx(apart.whole * 7 / 2)
    index.close()


def test_what_killed_processes_were_building_goes_with_the_next_index(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = [tmp_path / f"index.sqlite.new-{gone.pid}{end}" for end in ("", "-journal")]
    kept = tmp_path / f"index.sqlite.new-{os.getppid()}"
    for path in (*left, kept):
        path.touch()
    one = db.open(str(tmp_path / "index.sqlite"), "none:0")
    one.publish()
    one.close()
    assert kept.exists()
    assert not any(path.exists() for path in left)


def test_a_copy_in_memory_has_what_the_file_has(tmp_path):
    path = str(tmp_path / "in#dex?.sqlite")
    one = db.open(path, "none:0")
    one.publish()
    one.set_meta("base", "b")
    copy = copies.open_copy(path, "none:0")
    assert copy.meta("base") == "b"
    copy.set_meta("base", "c")
    assert one.meta("base") == "b"
    copy.close()
    one.close()
    assert copies.open_copy(path, "other:0").meta("base") == ""


@pytest.mark.parametrize("spread", [pytest.param(one, id=f"{one}-bits") for one in (0, 3, 40, 128)])
@pytest.mark.parametrize("count", [0, 10, 90, 150, 3_000])
def test_two_scans_find_what_one_does(tmp_path, monkeypatch, count, spread) -> None:
    chance = random.Random(count + spread)
    provider = static.Static()
    index = db.open(str(tmp_path / "index.sqlite"), providers.fingerprint(provider))
    asked = bytes(chance.choice((1, 255)) for _ in range(provider.dims))
    near, far = bytes(chance.choice((1, 255)) for _ in asked), asked
    with index.transaction():
        for number in range(count):
            vector = bytearray(near if number % 3 else far)
            for at in chance.sample(range(len(vector)), chance.randint(0, spread)):
                vector[at] ^= 0xFE
            index.con.execute("INSERT INTO vectors VALUES(?,?)", (number, bytes(vector)))
            sql = "INSERT INTO bits(rowid, v) VALUES(?, vec_quantize_binary(vec_int8(?)))"
            index.con.execute(sql, (number, bytes(vector)))
    monkeypatch.setattr(nearest, "_FEW", -1)
    found = []
    for first in (nearest._FIRST, nearest._MOST_BITS):
        monkeypatch.setattr(nearest, "_FIRST", first)
        found.append(nearest.find(index, asked, 100, "", []))
    assert found[0] == found[1]
    assert len(found[0]) == min(100, count)
    index.close()


def test_no_scan_picks_many_without_a_bound(tmp_path) -> None:
    provider = static.Static()
    index = db.open(str(tmp_path / "index.sqlite"), providers.fingerprint(provider))
    chance = random.Random(7)
    with index.transaction():
        for number in range(nearest._FEW + 1):
            vector = bytes(chance.choice((1, 255)) for _ in range(provider.dims))
            index.con.execute("INSERT INTO vectors VALUES(?,?)", (number, vector))
            sql = "INSERT INTO bits(rowid, v) VALUES(?, vec_quantize_binary(vec_int8(?)))"
            index.con.execute(sql, (number, vector))
        index.con.execute("UPDATE totals SET chunks=?", (nearest._FEW + 1,))
    picked: list[Any] = []

    def note(_cursor: object, sql: str, values: Any) -> bool:
        if "FROM bits" in sql and "distance <=" not in sql:
            picked.append(values[1])
        return True

    index.con.exec_trace = note
    nearest.find(index, vector, 100, "", [])
    assert picked == [nearest._FIRST]
    assert nearest._FIRST < 100
    index.close()


def test_parts_of_a_run_that_no_text_has_tell_that_something_is_missing(tmp_path: Path) -> None:
    index, provider = opened(tmp_path)
    ranking = candidates.Ranking(provider)
    own, other = (
        max(one.exact for one in candidates.find_candidates(index, asked, limit=3, ranking=ranking))
        for asked in ("用户喜欢制表符吗", "用户在医院做了手术")
    )
    assert own > 2 * other
