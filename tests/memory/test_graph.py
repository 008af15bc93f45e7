"""The graph: what a name means, what is near what, and what it looks like elsewhere."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt import errors, trees
from molt.formats import entity as notes
from molt.formats import ids, paths
from molt.formats.entity import Entity, Relation
from molt.formats.meta import scores
from molt.memory.graph import edit, export, graph, index_page, resolve, table
from molt.memory.graph.graph import GraphEdge
from molt.memory.graph.successive import SuccessiveGraphs
from molt.memory.workspace import Workspace
from molt.memory.write import vocabulary
from molt.repo import state
from molt.trees import DictTree

NOTE = "confidence: high, since: 2026-01-15"
FOLDER = "memory/graph/entities/"


def entity(stem: str, label: str, *edges: str, aliases: str = "") -> tuple[str, bytes]:
    kind = stem.partition("--")[0]
    front = f"---\nid: {stem}\ntype: {kind}\nlabel: {label}\naliases: [{aliases}]\n---\n"
    rows = "".join(f"- {edge}\n" for edge in edges)
    return f"{FOLDER}{stem}.md", f"{front}# {label}\n\n## Relations\n{rows}".encode()


FILES = dict(
    (
        entity("concept--oauth2-pkce", "OAuth2 PKCE", aliases="proof key"),
        entity("person--ada", "Ada", f"develops [[project--molt]] ({NOTE})"),
        entity("project--molt", "Molt", "uses [[tool--git]]", "chose [[concept--oauth2-pkce]]"),
        entity("tool--git", "Git", "part-of [[tool--gone]]"),
        entity("tool--island", 'The "Island" | <x>'),
    )
)  # fmt: skip
TREE = DictTree(FILES)
GRAPH = graph.load(TREE)


def test_what_is_called_so_now_is_meant_before_what_was_called_so_once() -> None:
    once = entity("project--lumen", "Lumen", aliases="Stripe")
    known = graph.load(DictTree(dict((once, entity("tool--stripe", "Stripe")))))
    assert resolve.resolve_entity(known, "stripe") == "tool--stripe"
    assert resolve.resolve_entity(known, "project:Stripe") == "project--lumen"


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("tool--git", "tool--git"),
        ("entity:tool--git", "tool--git"),
        ("git", "tool--git"),
        ("tool: Git", "tool--git"),
        ("concept: Git", None),
        ("Proof Key", "concept--oauth2-pkce"),
        ("OAuth PKCE", "concept--oauth2-pkce"),
        ("OAuth2 PKCE flow", "concept--oauth2-pkce"),
        ("oauth", None),
        ("mercurial", None),
    ],
)
def test_a_name_means_an_entity(ref: str, found: str | None) -> None:
    assert resolve.resolve_entity(GRAPH, ref, similarity=0.85) == found


@pytest.mark.parametrize(
    ("one", "other", "kind", "same"),
    [
        pytest.param("PostgreSQL", "Postgres", "", False, id="short form"),
        pytest.param("Kubernetes", "Kubernets", "", False, id="slip"),
        pytest.param("React", "Preact", "", False, id="what a slip would explain"),
        pytest.param("rate limit", "rate limits", "concept", True, id="plural"),
        pytest.param("retry policy", "retry policies", "concept", True, id="plural in ies"),
        pytest.param("Falkland", "Falklands", "place", False, id="no plural of a name"),
        pytest.param("Python 2", "Python 3", "", False, id="numbers"),
        pytest.param("OAuth1", "OAuth2", "", False, id="numbers in words"),
        pytest.param("Anna", "Hanna", "", False, id="short words"),
        pytest.param("Alexandra Reed", "Alexander Reed", "person", False, id="people"),
        pytest.param("Reed Alexander", "alexander reed", "person", False, id="order of a person"),
        pytest.param("roadmap Q3", "Q3 roadmap", "", True, id="order"),
        pytest.param("Visual Studio", "Visual Studio Code", "", False, id="a word more"),
        pytest.param("Molt", "Molt Memory", "", False, id="part of a name"),
        pytest.param("Billing system", "Billing", "", True, id="a word that says nothing"),
        pytest.param("Plan A", "Plan B", "", False, id="a letter each"),
        pytest.param("Billing service east", "Billing service west", "", False, id="a word each"),
        pytest.param("Release", "Release 1", "", False, id="a number more"),
        pytest.param("the Billing", "our Billing", "", True, id="words that say nothing"),
        pytest.param("用户偏好", "用户偏见", "", False, id="Chinese"),
    ],
)
def test_names_are_alike_or_not(one: str, other: str, kind: str, same: bool) -> None:
    assert (resolve.compare_names(one, other, kind) >= 0.85) is same


PAIRS = [
    tuple(row.split("\t"))
    for row in (Path(__file__).parent / "data/labels.tsv").read_text().splitlines()[1:]
]


@pytest.mark.parametrize(
    ("kind", "one", "other"), [pair[:3] for pair in PAIRS if pair[3] != "same"]
)
def test_what_may_be_two_things_is_never_taken_for_one(kind: str, one: str, other: str) -> None:
    assert resolve.compare_names(one, other, kind) < 0.85
    assert ids.slug(one) != ids.slug(other)


SPELLINGS = [
    tuple(row.split("\t"))
    for row in (Path(__file__).parent / "data/spellings.tsv").read_text().splitlines()[1:]
]


@pytest.mark.parametrize(("verdict", "kind", "one", "other"), SPELLINGS)
def test_another_spelling_is_asked_and_another_name_is_not_taken(verdict, kind, one, other) -> None:
    for name, known in ((one, other), (other, one)):
        entity = Entity(f"{kind}--x", kind, known)
        rest = {f"concept--thing-{n}": Entity("", "concept", f"Thing {n}") for n in range(20)}
        held = graph.make_graph({f"{kind}--x": entity, **rest}.items())
        exact = resolve.resolve_entity(held, name, kind=kind)
        score, stem = resolve.find_similar(held, name, kind=kind, least=0.7)
        if verdict == "same":
            assert exact or (score >= 0.7 and stem == f"{kind}--x")
        else:
            assert exact is None
            assert score < 0.85


def test_most_that_is_the_same_is_found_or_asked() -> None:
    same = [pair[:3] for pair in PAIRS if pair[3] == "same"]
    found = [
        pair for pair in same
        if resolve.compare_names(pair[1], pair[2], pair[0]) >= 0.7
    ]  # fmt: skip
    assert len(PAIRS) >= 200
    assert len(found) >= 0.9 * len(same)


@given(st.text(), st.text())
def test_likeness_is_between_0_and_1_and_full_with_itself(one: str, other: str) -> None:
    assert 0.0 <= resolve.compare_names(one, other) <= 1.0
    assert resolve.compare_names(one, one) == pytest.approx(1.0)


WORDS = st.sampled_from(
    [
        *("memory", "memories", "memroy", "kubernetes", "kubernets", "billing", "billings"),
        *("a", "b", "app", "the", "service", "tool", "oauth", "oauth2", "oauth21", "v", "v2024"),
        *(
            "2",
            "3",
            "12345",
            "12346",
            "1234567",
            "1234568",
            "anna",
            "hanna",
            "用户偏好",
            "用户偏见",
        ),
        *("international", "internationale", "x1y2", "x1y3", "alexander", "alexandra"),
    ]
)
NAMES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
KINDS = st.sampled_from(["tool", "person", "project"])


@given(st.text("abcß路-", max_size=60), st.text("abcß路-", max_size=60))
def test_likeness_is_what_difflib_says_of_it(one: str, other: str) -> None:
    assert resolve._measure_likeness(one, other) == SequenceMatcher(None, one, other).ratio()


@settings(max_examples=400)
@given(
    st.lists(st.tuples(KINDS, NAMES, st.lists(NAMES, max_size=2)), max_size=8),
    NAMES,
    KINDS | st.just(""),
    st.sampled_from([0.5, 0.7, 0.85, 0.95, 1.0]),
)
def test_the_most_similar_name_is_the_one_that_comparing_all_finds(held, ref, kind, least) -> None:
    entities = {
        f"{type_}--{at}": Entity("", type_, label, tuple(aliases))
        for at, (type_, label, aliases) in enumerate(held)
    }
    names = {stem: [one.label, *one.aliases] for stem, one in entities.items()}
    right = [stem for stem in sorted(entities) if kind in ("", entities[stem].type)]
    exact = [
        stem
        for stem in right
        if ids.slug(ref) in (stem.partition("--")[2], *map(ids.slug, names[stem]))
    ]
    scored = [
        (max(resolve.compare_names(ref, name, entities[stem].type) for name in names[stem]), stem)
        for stem in right
    ]
    best = max(scored, default=(0.0, ""))
    # What is called so now comes before what was, or is also, called so.
    exact = [one for one in exact if ids.slug(entities[one].label) == ids.slug(ref)] or exact
    wanted = exact[0] if exact else best[1] if least < 1 and best[0] >= least else None
    known = graph.make_graph(entities.items())
    assert resolve.resolve_entity(known, ref, kind=kind, similarity=least) == wanted


STEMS = st.sampled_from(["a", "a-b", "tool--git", "tool--git-lfs", "person--ada", "z z", "naïve"])
LABELS = st.text(alphabet="ab\\\t\n\x1e\x1f\x1c|é \ud800", max_size=6)


@given(st.lists(st.tuples(STEMS, LABELS, st.lists(LABELS, max_size=2)) | STEMS, max_size=20))
def test_a_table_that_is_mended_says_what_a_new_one_says(steps) -> None:
    names, rows = table.SortedLines(), table.SortedLines()
    held: dict[str, Entity] = {}
    later: dict[str, str] = {}
    for number, step in enumerate(steps):
        if number == len(steps) // 2:
            at_once = table.SortedLines(names.text)
            later = {}
        if isinstance(step, str):
            held.pop(step, None)
            later[step] = ""
            names.put({step: ""})
            rows.put({step: ""})
            continue
        stem, label, aliases = step
        edges = tuple(Relation(word, label, stem) for word in aliases)
        held[stem] = Entity(stem, label, label, tuple(aliases), created=label, relations=edges)
        later[stem] = table.render_names(stem, held[stem])
        names.put({stem: later[stem]})
        rows.put({stem: table.render_row(stem, held[stem])})
    fresh = graph.make_graph(held.items())
    assert (names.text, rows.text) == (fresh.names.text, fresh.rows.text)
    if steps:
        at_once.put(later)
        assert at_once.text == names.text
    assert list(fresh.nodes) == sorted(held, key=lambda stem: f"{stem}.md")
    for stem, one in held.items():
        node = graph.hold_rows(rows.lines()).find_node(stem)
        assert node == fresh.nodes[stem]
        assert (node.label, node.aliases, node.created) == (one.label, one.aliases, one.created)
        assert [(edge.word, edge.target, edge.note) for edge in node.edges] == [
            (edge.word, edge.target, edge.note) for edge in one.relations
        ]


class HalvedText(str):
    """A text that is only halved, and never looked through."""

    __slots__ = ()

    def find(self, *_args: object) -> int:
        raise AssertionError("all of it is looked through")


def test_a_line_is_found_by_halving() -> None:
    stems = [f"tool--{name}" for name in ("a", "a-b", "ab", "a\\b", "a\tb", "é", "z")]
    lines = table.SortedLines()
    lines.put({stem: f"{table.pack(stem)}\ttool\t{at}" for at, stem in enumerate(stems)})
    lines.text = HalvedText(lines.text)
    for at, stem in enumerate(stems):
        assert lines.find_line(stem) == f"{table.pack(stem)}\ttool\t{at}"
        assert lines.find_line(f"{stem}0") == ""
    lines.put({"tool--a": "tool--a\ttool\tnew", "tool--b": "tool--b\ttool\tmore", "tool--z": ""})
    assert lines.find_line("tool--a") == "tool--a\ttool\tnew"
    assert lines.find_line("tool--b") == "tool--b\ttool\tmore"
    assert lines.find_line("tool--z") == table.SortedLines().find_line("tool--a") == ""


def test_edges_are_found_from_both_ends_and_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = graph.load(TREE), graph.load(TREE)
    monkeypatch.setattr(graph, "_FEW", 0)
    every = {stem: many.edges_of(stem) for stem in (*many.nodes, "tool--gone", "none")}
    monkeypatch.setattr(graph, "_FEW", 99)
    assert {stem: few.edges_of(stem) for stem in every} == every
    assert [edge.source for edge in every["project--molt"]] == [
        *("person--ada", "project--molt", "project--molt"),
    ]


def test_an_unknown_name_is_told_with_its_neighbours() -> None:
    with pytest.raises(errors.NotFound) as told:
        resolve.require_entity(GRAPH, "tool--gitt")
    assert "tool--git" in told.value.hint


@pytest.mark.parametrize(
    ("hops", "found"),
    [
        (1, {"person--ada": 1, "tool--git": 1, "concept--oauth2-pkce": 1}),
        (9, {"person--ada": 1, "tool--git": 1, "concept--oauth2-pkce": 1}),
    ],
)
def test_neighbours_are_reached_both_ways(hops: int, found: dict[str, int]) -> None:
    steps = graph.find_neighbours(GRAPH, "project--molt", hops)
    assert {step.id: step.hops for step in steps} == found


def test_neighbours_come_with_their_distance() -> None:
    found = {step.id: step.hops for step in graph.find_neighbours(GRAPH, "person--ada", 2)}
    assert found == {"project--molt": 1, "tool--git": 2, "concept--oauth2-pkce": 2}


def test_a_path_is_a_shortest_one_in_order() -> None:
    way = graph.find_path(GRAPH, "tool--git", "person--ada")
    assert way is not None
    assert [edge.word for edge in way] == ["uses", "develops"]
    assert graph.find_path(GRAPH, "tool--git", "tool--git") == ()
    assert graph.find_path(GRAPH, "tool--git", "tool--island") is None


def test_an_edge_tells_its_fields() -> None:
    edge = GraphEdge("a", "uses", "b", "confidence: high, since: 2026-01-15")
    assert (edge.field("confidence"), edge.field("since"), edge.field("x")) == (
        *("high", "2026-01-15", ""),
    )


def test_only_files_that_changed_are_parsed_again() -> None:
    cache: dict[str, bytes] = {}
    assert graph.load(TREE, cache) == GRAPH
    path, data = entity("tool--git", "Git SCM")
    read: list[str] = []

    class Watched(DictTree):
        def read(self, path: str) -> bytes | None:
            read.append(path)
            return super().read(path)

    assert graph.load(Watched({**FILES, path: data}), cache).nodes["tool--git"].label == "Git SCM"
    assert read == [path]
    cache["graph-rows"] = b"damaged"
    assert graph.load(TREE, cache) == GRAPH


def test_graphml_is_xml_with_every_node_and_edge() -> None:
    root = ElementTree.fromstring(export.export_graph(GRAPH, "graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = [one.attrib["id"] for one in root.iter(f"{space}node")]
    assert nodes == [*GRAPH.nodes, "tool--gone"]
    assert len(list(root.iter(f"{space}edge"))) == len(GRAPH.edges) == 4
    assert 'The "Island" | <x>' in [one.text for one in root.iter(f"{space}data")]


def test_the_other_forms_hold_every_edge_and_no_loose_quote() -> None:
    dot, mermaid = export.export_graph(GRAPH, "dot"), export.export_graph(GRAPH, "mermaid")
    assert '"project--molt" -> "tool--git" [label="uses"];' in dot
    assert '[label="The \\"Island\\" | <x>"]' in dot
    assert mermaid.count("-->") == dot.count("->") == 4
    assert "The #34;Island#34; #124; #60;x#62;" in mermaid
    assert json.loads(export.export_graph(GRAPH, "json")) == export.as_json(GRAPH)


def test_the_index_has_the_two_tables() -> None:
    entries: dict[str, dict[str, object]] = {
        "entity:tool--git": {"current_score": 0.5, "last_accessed": "2026-02-02T10:00:00Z"},
        "entity:person--ada": {"pinned": True, "last_accessed": "2026-02-03T10:00:00Z"},
        "entity:concept--oauth2-pkce": {"status": "archived"},
    }
    rows = index_page.render_index(GRAPH, entries).splitlines()
    assert "| tool--git | tool | Git | entities/tool--git.md | 0.50 |" in rows
    assert "| person--ada | person | Ada | entities/person--ada.md | 1.00 (pinned) |" in rows
    assert "| person--ada | develops | project--molt | high | 2026-01-15 | 2026-02-03 |" in rows
    assert not any("concept--oauth2-pkce" in row for row in rows)
    assert any('The "Island" \\| <x>' in row for row in rows)


@pytest.fixture
def filled(ws):
    root = Path(ws.repo.root)
    for path, data in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "entities")
    return ws


def test_the_index_is_brought_up_and_comes_back_the_same(filled) -> None:
    path = Path(filled.repo.root, index_page.PATH)
    assert index_page.freshen_index(filled.repo)
    before = path.read_bytes()
    assert not index_page.freshen_index(filled.repo, scores=True)
    path.write_text("touched\n")
    assert index_page.freshen_index(filled.repo)
    assert path.read_bytes() == before
    path.unlink()
    assert index_page.freshen_index(filled.repo)
    assert path.read_bytes() == before


def test_a_workspace_without_entities_has_no_index(ws) -> None:
    assert not index_page.freshen_index(ws.repo)
    assert not Path(ws.repo.root, index_page.PATH).exists()


def test_the_index_follows_a_removed_folder(filled) -> None:
    index_page.freshen_index(filled.repo)
    filled.repo.run("rm", "-rq", FOLDER)
    filled.repo.run("commit", "-qm", "none", "--no-verify")
    assert index_page.freshen_index(filled.repo)
    assert "tool--git" not in Path(filled.repo.root, index_page.PATH).read_text()


def test_an_index_that_somebody_committed_is_left_alone(filled) -> None:
    path = Path(filled.repo.root, index_page.PATH)
    path.write_text("# mine\n")
    filled.repo.run("add", "-f", index_page.PATH)
    filled.repo.run("commit", "-qm", "theirs", "--no-verify")
    assert not index_page.freshen_index(filled.repo, scores=True)
    assert path.read_text() == "# mine\n"
    assert filled.repo.run("status", "--porcelain") == ""


def test_an_index_of_another_tool_is_kept_beside(filled) -> None:
    path = Path(filled.repo.root, index_page.PATH)
    path.write_text("# mine\n")
    assert index_page.freshen_index(filled.repo)
    path.write_text("# mine again\n")
    assert index_page.freshen_index(filled.repo)
    assert path.with_name("index.md.before-molt").read_text() == "# mine\n"
    assert path.read_bytes().startswith(index_page.HEAD.encode())


def test_rows_that_are_replaced_are_those_that_a_whole_drawing_has(filled: Workspace) -> None:
    """A walk of commits that change, add and remove entities, each followed in one of two ways."""
    root, chance = Path(filled.repo.root), random.Random(7)
    page = root / index_page.PATH
    (root / paths.SCORES).parent.mkdir(parents=True, exist_ok=True)
    (root / paths.SCORES).write_text(
        '{\n  "entries": {\n    "entity:tool--a": {\n      "status": "archived"\n    },\n'
        '    "entity:tool--b": {\n      "current_score": 0.25\n    }\n  },\n  "version": 1\n}\n'
    )
    filled.repo.run("add", "-A")
    filled.repo.run("commit", "-qm", "scores", "--no-verify")
    index_page.freshen_index(filled.repo, scores=True)
    stems = ["tool--a", "tool--a-b", "tool--b", "person--z", "concept--aa", "tool--gone"]
    mended = 0
    for step in range(40):
        odd = ["tool--a | b"] if step > 30 else []
        for stem in chance.sample([*stems, *odd], chance.randint(1, 3)):
            path = root / FOLDER / f"{stem}.md"
            edges = [f"uses [[{chance.choice(stems)}]] ({NOTE})"] * chance.randint(0, 2)
            data = entity(stem, f"{stem} {step} | x", *edges)[1]
            if chance.random() < 0.3:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(data)
        filled.repo.run("add", "-A", "memory/graph/entities")
        filled.repo.run("commit", "-qm", "step", "--no-verify", "--allow-empty")
        tip = filled.repo.tip()
        assert tip
        before = page.stat().st_ino
        if step % 3:
            changes = trees.diff(filled.repo.tree("HEAD~1"), filled.head())
            changed = [one.path for one in changes]
            index_page.follow_commit(filled.repo, tip, changed, filled.head())
        elif step % 2:
            index_page.freshen_index(filled.repo)
        mended += page.stat().st_ino != before
        index_page.freshen_index(filled.repo)
        drawn = index_page.draw_index(graph.load(filled.head()), filled.head(), {})
        assert page.read_text(encoding="utf-8") == drawn, step
    assert mended > 20


def test_a_change_of_one_entity_draws_no_other(filled: Workspace) -> None:
    index_page.freshen_index(filled.repo)
    page = Path(filled.repo.root, index_page.PATH)
    mark = state.path(filled.repo.git_dir, "graph-index")
    said = page.read_text().replace("| Git |", "| seen |")
    page.write_text(said)
    # As if it had been drawn so.
    drawn = Path(mark).read_text().split("\t")
    about = page.stat()
    drawn[3] = f"{about.st_size}-{about.st_mtime_ns}"
    Path(mark).write_text("\t".join(drawn))
    path, data = entity("person--ada", "Ada Reed")
    Path(filled.repo.root, path).write_bytes(data)
    filled.repo.run("add", "-A")
    filled.repo.run("commit", "-qm", "ada", "--no-verify")
    assert index_page.freshen_index(filled.repo)
    assert "| seen |" in page.read_text()
    assert "| Ada Reed |" in page.read_text()


class Counting(DictTree):
    reads = entries_read = 0

    def read(self, path: str) -> bytes | None:
        self.reads += 1
        return super().read(path)

    def entry(self, path: str) -> trees.Entry | None:
        self.entries_read += 1
        return super().entry(path)


def test_a_large_graph_is_listed_once_and_not_asked_file_by_file() -> None:
    cache: dict[str, bytes] = {}
    assert graph.load(TREE, cache).nodes
    tree = Counting({**FILES, **dict([entity("tool--git", "The Git")])})
    assert graph.load(tree, cache).nodes["tool--git"].label == "The Git"
    assert (tree.reads, tree.entries_read) == (1, 0)


def test_a_word_is_added_once_and_by_a_commit_that_says_it(ws: Workspace) -> None:
    done = vocabulary.add_relation_word(ws, "Looks up to", "Qualitative", "esteem")
    assert (done.made, done.paths) == ("looks-up-to", (paths.RELATIONS,))
    assert "Trigger: molt graph relation add" in ws.repo.run("log", "-1", "--format=%B")
    assert "`looks-up-to` — esteem" in trees.read_strict(ws.head(), paths.RELATIONS)
    again = vocabulary.add_relation_word(ws, "looks up to", "Qualitative")
    assert (again.made, again.oid) == ("looks-up-to", None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a uses b", ("a", "uses", "b")),
        ("'My App' Depends on tool:\"Git LFS\"", ("My App", "depends-on", "tool:Git LFS")),
    ],
)
def test_a_relation_is_taken_apart(text: str, found: tuple[str, str, str]) -> None:
    assert edit.parse_relation(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("OAuth2 PKCE uses Git LFS", ("OAuth2 PKCE", "uses", "Git LFS")),
        ("OAuth2 PKCE depends on Git LFS", ("OAuth2 PKCE", "depends-on", "Git LFS")),
        ("Git uses OAuth2 PKCE", ("Git", "uses", "OAuth2 PKCE")),
        ("Git LFS is like Mercurial", ("Git", "lfs-is-like", "Mercurial")),
        ("Git belongs to Git LFS", ("Git", "belongs-to", "Git LFS")),
    ],
)
def test_labels_that_are_known_need_no_quotes(text: str, found: tuple[str, str, str]) -> None:
    known = ("OAuth2 PKCE", "Git", "Git LFS")
    assert edit.parse_relation(text, known.__contains__) == found


@pytest.mark.parametrize("text", ["", "a uses", "a 'uses b", "a ??? b"])
def test_what_is_no_relation_is_refused(text: str) -> None:
    with pytest.raises(errors.Usage):
        edit.parse_relation(text)


def test_a_score_that_a_commit_changes_is_on_the_rows_that_are_drawn_next(
    filled: Workspace,
) -> None:
    root = Path(filled.repo.root)
    (root / paths.SCORES).parent.mkdir(parents=True, exist_ok=True)
    for step, score in enumerate((0.25, 0.75, 0.5)):
        entries = {"entity:tool--b": {"current_score": score}, "entity:tool--c": {}}
        text = scores.render_scores({"version": 1, "entries": entries})
        (root / paths.SCORES).write_text(text)
        (root / FOLDER / "tool--b.md").write_bytes(entity("tool--b", f"B {step}")[1])
        filled.repo.run("add", "-A")
        filled.repo.run("commit", "-qm", "scores", "--no-verify")
        index_page.freshen_index(filled.repo)
        assert f"| {score:.2f} |" in (root / index_page.PATH).read_text(encoding="utf-8")


def test_a_name_is_like_one_that_was_added_since_the_words_were_kept() -> None:
    every = {f"{FOLDER}tool--thing-{at:02}.md": entity("tool--x", "x")[1] for at in range(40)}
    cache: dict[str, bytes] = {}
    graph.load(DictTree(every), cache).names.list_words()
    fresh = entity("tool--visual-studio", "Visual Studio")
    kept = graph.load(DictTree({**every, fresh[0]: fresh[1]}), cache)
    assert cache.keys() == {"graph-names"}
    found = resolve.resolve_entity(kept, "Visual Studios", kind="tool", similarity=0.7)
    assert found == "tool--visual-studio"
    assert kept.names.list_words() >= table.SortedLines(kept.names.text).list_words()


def test_a_file_that_an_older_molt_has_named_is_found_by_its_label_alone() -> None:
    old = entity("tool--net", ".NET")
    known = graph.load(DictTree(dict([old])), {})
    assert resolve.resolve_entity(known, ".NET", kind="tool") == "tool--net"
    assert resolve.resolve_entity(known, "Net", kind="tool") is None
    assert resolve.list_named(known, "net") == ()
    assert resolve.resolve_entity(known, "tool--net") == "tool--net"


@pytest.mark.parametrize(
    ("held", "kind", "label", "stem"),
    [
        pytest.param("", "tool", ".NET", "tool--dot-net", id="none"),
        pytest.param(".NET", "tool", "Net", "tool--net-2", id="another"),
        pytest.param("Net", "tool", "net", "tool--net", id="itself"),
    ],
)
def test_the_file_of_an_entity_is_no_other_ones(
    held: str, kind: str, label: str, stem: str
) -> None:
    tree = DictTree(dict([entity("tool--net", held)]) if held else {})
    assert notes.find_stem(tree, kind, label) == stem


def test_a_number_in_a_name_is_not_the_one_that_tells_files_apart() -> None:
    held = [entity("tool--net", ".NET"), entity("tool--net-2", "Net 2")]
    assert notes.find_stem(DictTree(dict(held)), "tool", "Net") == "tool--net-3"
    held.append(entity("tool--net-3", "Net"))
    assert notes.find_stem(DictTree(dict(held)), "tool", "Net") == "tool--net-3"
    assert notes.find_stem(DictTree(dict(held)), "tool", "Net 2") == "tool--net-2"


def test_what_is_called_so_too_has_the_file() -> None:
    tree = DictTree(dict([entity("tool--net", ".NET", aliases="[Net]")]))
    assert notes.find_stem(tree, "tool", "Net") == "tool--net"


SIGNED = st.tuples(
    st.sampled_from(("", ".", "@", "#")),
    st.sampled_from(("net", "home", "search", "tv", "a", "c")),
    st.sampled_from(("", "+", "++", "*")),
)
SIGNED_LABELS = st.lists(SIGNED, min_size=1, max_size=2)


@given(SIGNED_LABELS, LABELS)
def test_a_sign_more_is_never_taken_for_the_same(one, other) -> None:
    first, second = (" ".join(map("".join, each)) for each in (one, other))
    stem = f"tool--{ids.slug(first)}"
    held = graph.make_graph({stem: Entity(stem, "tool", first)}.items())
    found = resolve.resolve_entity(held, second, kind="tool", similarity=0.85)
    # A pair of stars is emphasis, and words alone may come in another order.
    starred = (first + second).count("*") > 1
    assert starred or (found is None) == (sorted(one) != sorted(other))


CHANGED = ("tool--git", "tool--hg", "person--alex")
changing = st.dictionaries(
    st.sampled_from([f"{FOLDER}{stem}.md" for stem in CHANGED]),
    st.none() | st.sampled_from([b"", b"# One\n", b"---\nlabel: Two\n---\n"]),
    max_size=3,
)


@given(st.lists(st.tuples(st.booleans(), changing), max_size=6))
def test_graphs_that_follow_each_other_are_those_of_their_trees(
    steps: list[tuple[bool, dict[str, bytes | None]]],
) -> None:
    bases = (DictTree(FILES), DictTree(dict([entity("tool--git", "Git")])))
    graphs, seen = SuccessiveGraphs(), []
    for first, edits in steps:
        tree = trees.Overlay(trees.Overlay(bases[first], edits), {})
        seen.append((graphs.load(tree), graph.load(tree)))
        assert seen[-1][0].names.text == seen[-1][1].names.text
    # What follows changes no graph that was loaded before.
    assert all(one == other and one.names.text == other.names.text for one, other in seen)


class _CountedTree(DictTree):
    """A tree that says which files were read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.asked: list[str] = []

    def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        return super().read(path)


def test_of_graphs_that_follow_each_other_each_file_is_read_once() -> None:
    tree, graphs = _CountedTree(FILES), SuccessiveGraphs()
    edits: dict[str, bytes | None] = {}
    for stem in CHANGED:
        edits[f"{FOLDER}{stem}.md"] = b"# New\n"
        assert graphs.load(trees.Overlay(tree, edits)).names.find_line(stem)
    assert sorted(tree.asked) == sorted(path for path in FILES if path.startswith(FOLDER))
