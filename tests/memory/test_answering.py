"""What a question recalls: by its type, never less than a search, never more than it may."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from moments import BY_HAND

from molt import tokens
from molt.formats import paths as layout
from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.index.search.filters import Filters
from molt.memory.recall import block, recall
from molt.memory.recall.recall import Recalled
from molt.memory.search import at as past
from molt.memory.search import search, visible
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

ENTITIES = "memory/graph/entities/"
PROCEDURES = "memory/procedures/"


def entity(label: str, fact: str, *edges: str, aliases: str = "") -> str:
    rows = "".join(f"- {edge}\n" for edge in edges)
    text = f"---\nlabel: {label}\naliases: [{aliases}]\n---\n# {label}\n\n## Summary\n\n## Facts\n"
    return f"{text}- {fact}\n\n## Relations\n{rows}"


def day(date: str, *texts: str) -> str:
    rows = (f"\n## 10:{at:02} | fact | confidence:high | tags:[]\n{text}\n" for at, text in
            enumerate(texts))  # fmt: skip
    return f"# {date} — Episode Log\n{''.join(rows)}"


def procedure(title: str, trigger: str, step: str) -> str:
    return f"# {title}\n\n## Trigger\n{trigger}\n\n## Steps\n1. {step}\n"


FILES = {
    f"{ENTITIES}project--moltbot-memory.md": entity(
        "Moltbot Memory", "kept in git", "built-on [[tool--openclaw]]", aliases="MM"
    ),
    f"{ENTITIES}person--alex.md": entity(
        "Alex", "lives in Lisbon", "develops [[project--moltbot-memory]] (since: 2026-01-15)"
    ),
    f"{ENTITIES}tool--openclaw.md": entity("OpenClaw", "a gateway", "uses [[tool--node]]"),
    f"{ENTITIES}tool--node.md": entity("Node", "a runtime"),
    f"{PROCEDURES}release.md": procedure("Release", "shipping a version", "run the checks"),
    f"{PROCEDURES}backup.md": procedure("Backup", "every Sunday", "copy the version to the disk"),
    "memory/episodes/2026-02-03.md": day("2026-02-03", "billing moved to Stripe"),
    "memory/episodes/2026-01-09.md": day("2026-01-09", "billing was on paper", "walked the dog"),
    "memory/episodes/2026-03-01.md": day("2026-03-01", "billing now sends receipts"),
    "memory/episodes/2026-03-02.md": day("2026-03-02", "planted tomatoes"),
    "MEMORY.md": "# Core\n\n## Identity\n- is Ada\n\n## Active Context\n- invoices are late\n",
}


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    for path, text in FILES.items():
        write(ws, path, text)
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qnm", BY_HAND)
    return ws


def write(ws: Workspace, path: str, text: str) -> None:
    file = Path(ws.repo.root, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    if path.startswith(ENTITIES):
        kind = file.stem.partition("--")[0]
        text = text.replace("---\n", f"---\nid: {file.stem}\ntype: {kind}\n", 1)
    file.write_text(text, encoding="utf-8")


def groups(found: Recalled) -> dict[str, str]:
    parts = re.split(r"(?m)^## ", found.context)[1:]
    return {title: text for title, _, text in (part.partition("\n") for part in parts)}


def paths(found: Recalled) -> list[str]:
    return [one.path for one in found.citations]


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("What do you know about Moltbot Memory?", id="label"),
        pytest.param("what do you know about MM", id="alias"),
        pytest.param("what do you know about moltbot-memory", id="id"),
        pytest.param("tell me about Moltbott Memory", id="slip"),
        pytest.param("What do you know about the memory project?", id="a part and the type"),
    ],
)
def test_a_question_about_an_entity_reads_it_and_walks_a_hop(ws, question: str) -> None:
    found = recall.answer_question(ws, question)
    assert found.type == "entity"
    assert found.entities == ("entity:project--moltbot-memory",)
    told = groups(found)
    assert "kept in git" in told["Entity"]
    assert "Alex develops Moltbot Memory (since: 2026-01-15)" in told["Related"]
    assert "Moltbot Memory built-on OpenClaw" in told["Related"]
    assert "Node" not in told["Related"]


@pytest.mark.parametrize(
    ("hops", "titles"), [(0, []), (1, ["Related"]), (2, ["Related", "Further away"])]
)
def test_so_many_hops_are_walked(ws, hops: int, titles: list[str]) -> None:
    told = groups(recall.answer_question(ws, "who is MM", hops=hops))
    assert [title for title in told if title not in ("Entity", "Found")] == titles
    assert ("OpenClaw uses Node" in str(told)) == (hops == 2)


def test_a_question_about_nothing_known_is_a_search(ws) -> None:
    found = recall.answer_question(ws, "What do you know about zeppelins?")
    assert (found.type, found.entities) == ("search", ())


def test_when_is_answered_in_the_order_of_time(ws) -> None:
    found = recall.answer_question(ws, "When did we move billing?")
    assert found.type == "when"
    told = groups(found)["In the order of time"]
    dates = re.findall(r"(?m)^### (\S+)\n- L3 10:00: ", told)
    assert dates == ["2026-01-09", "2026-02-03", "2026-03-01"]


@pytest.mark.parametrize("named", ["2026-03-02", "March 2", "2 March", "the 2nd of March"])
def test_a_day_that_is_named_is_read(ws, named: str) -> None:
    """A day without its year is the last one that there was."""
    found = recall.answer_question(ws, f"what did we do on {named}")
    assert found.type == "when"
    assert "planted tomatoes" in groups(found)["In the order of time"]


def test_a_procedure_is_found_by_its_trigger(ws) -> None:
    found = recall.answer_question(ws, "How do we ship versions?")
    assert found.type == "procedure"
    assert paths(found)[0] == f"{PROCEDURES}release.md"
    assert "run the checks" in groups(found)["How it is done"]


def test_the_latest_is_active_context_and_the_newest_first(ws) -> None:
    found = recall.answer_question(ws, "What's the latest on billing?")
    assert found.type == "latest"
    told = groups(found)
    assert "invoices are late" in told["Active Context"]
    assert "is Ada" not in told["Active Context"]
    assert re.findall(r"(?m)^### (\S+)\n- L3 10:00: ", told["Newest first"])[:2] == [
        "2026-03-01",
        "2026-02-03",
    ]
    assert "planted tomatoes" in found.context


QUESTIONS = (
    "When did we move billing?",
    "Who is Alex?",
    "How do we ship versions?",
    "latest on billing",
    "dog",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_recall_finds_what_a_search_finds(ws, question: str) -> None:
    found, plain = recall.answer_question(ws, question), search.search(ws, question)
    assert found.results == plain.results
    cited = {(one.path, one.start_line) for one in found.citations}
    assert {(one.path, one.start_line) for one in plain.results} <= cited


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("most", [1, 30, 80, 200, 1500])
def test_the_block_has_no_more_tokens_than_it_may(ws, question: str, most: int) -> None:
    write(ws, "memory/episodes/2026-03-03.md", day("2026-03-03", "billing of Alex: " + "so " * 900))
    found = recall.answer_question(ws, question, max_tokens=most)
    assert tokens.count_tokens(found.context) <= most
    assert found.context or most < 80


def list_shown(found: Recalled) -> list[tuple[str, int]]:
    """The files and first lines of the rows of a block, in order."""
    shown, file = [], ""
    for row in found.context.split("\n"):
        if row.startswith("### "):
            file = row.removeprefix("### ")
        elif line := re.match(r"- L(\d+)(-L\d+)?[ :]", row):
            shown.append((file, int(line[1])))
    return shown


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_piece_has_its_citation_in_order(ws, question: str) -> None:
    found = recall.answer_question(ws, question)
    shown = list_shown(found)
    cited = [(block.name_file(one.path), one.start_line) for one in found.citations]
    assert shown == cited
    assert len(set(cited)) == len(cited) > 0


def test_a_memory_cannot_look_like_a_part_of_the_block(ws) -> None:
    write(ws, "memory/dog.md", "# Dog\n\n## Found\n\n- it barks\n\n## Empty\n")
    text = recall.answer_question(ws, "does the dog bark?").context
    titles = [row for row in text.split("\n") if row.startswith("#")]
    assert titles[:2] == ["## Found", "### memory/dog.md"]
    assert all(row.startswith("### ") for row in titles[1:])
    assert "  Dog:\n  Found:\n  - it barks\n" in text
    assert "Empty" not in text


def test_what_a_block_has_room_for_is_in_it(ws) -> None:
    facts = [f"the tomatoes of bed {at} ripen in week {at + 20}" for at in range(40)]
    write(ws, "memory/episodes/2026-03-04.md", day("2026-03-04", *facts))
    few = recall.answer_question(ws, "which tomatoes ripen when", max_tokens=300)
    many = recall.answer_question(ws, "which tomatoes ripen when", max_tokens=1500)
    assert len(many.citations) > 25 > len(few.citations) > 8
    assert len(many.results) == len(few.results) == 10
    assert tokens.count_tokens(few.context) >= 0.85 * 300
    asked = search.SearchOptions(limit=2)
    some = recall.answer_question(ws, "which tomatoes ripen when", asked).context
    assert some.count("ripen") == 2


def test_a_day_and_a_minute_are_told_once(ws) -> None:
    rows = "".join(f"\n## 09:0{at // 3} | fact | confidence:high | tags:[]\nthe red kayak {at}\n"
                   for at in range(6))  # fmt: skip
    write(ws, "memory/episodes/2026-03-05.md", f"# 2026-03-05 — Episode Log\n{rows}")
    text = recall.answer_question(ws, "red kayak").context
    assert text.count("2026-03-05") == text.count("09:00") == text.count("09:01") == 1
    assert "memory/episodes" not in text


def test_standing_instructions_on_the_topic_come_first(ws) -> None:
    told = ("Always put the invoices into the blue folder", "the invoices of May are paid")
    write(ws, "memory/episodes/2026-03-06.md", day("2026-03-06", *told))
    found = recall.answer_question(ws, "where are the invoices of May?")
    (first, *_) = groups(found).items()
    assert first[0] == "Standing instructions and preferences"
    assert "blue folder" in first[1]
    assert "of May" not in first[1]
    other = recall.answer_question(ws, "who walked the dog?").context
    assert "Standing" not in other


def test_what_is_said_beside_the_best_is_shown(ws) -> None:
    said = ("Where did you leave the spare key of the boathouse?", "Under the third flowerpot")
    rest = [f"nothing of note happened at the pier, part {at}" for at in range(5)]
    write(ws, "memory/episodes/2026-03-07.md", day("2026-03-07", *said, *rest))
    found = recall.answer_question(ws, "spare key of the boathouse")
    assert "flowerpot" in found.context


def test_a_word_alone_does_not_stand_in_the_order_of_time(ws) -> None:
    told = ("the staging password is rotated on the first Monday", "funny things happen in films")
    write(ws, "memory/episodes/2026-02-09.md", day("2026-02-09", *told))
    text = recall.answer_question(ws, "when does the rotation of the staging password happen")
    assert "films" not in groups(text)["In the order of time"]


def test_nothing_is_recalled_rather_than_noise(ws) -> None:
    for question in ("which whale sings in the orchestra pit", "when did the orchestra moult"):
        found = recall.answer_question(ws, question)
        assert found.unsure > 0
        assert (found.context, found.citations) == ("", ())
    nearest = search.SearchOptions(min_score=0.0)
    assert recall.answer_question(ws, question, nearest).context
    # A day that is named is told of, however little the rest of the question says.
    assert "tomatoes" in recall.answer_question(ws, "what moulted on 2026-03-02").context


def test_what_is_struck_out_stands_after_what_replaced_it(ws) -> None:
    told = "- ~~lives in Lisbon~~ (until: 2026-02-01)\n- lives in Porto\n- plays the oboe"
    write(ws, f"{ENTITIES}person--alex.md", entity("Alex", told.removeprefix("- ")))
    text = groups(recall.answer_question(ws, "Who is Alex?"))["Entity"]
    assert text.index("Porto") < text.index("oboe") < text.index("~~lives in Lisbon~~")
    bullets = "- ~~the gym opens at nine in the morning~~\n- the gym opens at ten these days\n"
    write(ws, "MEMORY.md", f"# Core\n\n## Critical Facts\n{bullets}")
    first, second = search.search(ws, "when does the gym open in the morning?").results[:2]
    assert ("ten" in first.snippet, "~~" in second.snippet) == (True, True)


def test_filters_hold_for_all_that_is_recalled(ws) -> None:
    only = Filters(stores=("episodic",))
    for question in QUESTIONS:
        found = recall.answer_question(ws, question, search.SearchOptions(filters=only))
        assert all(layout.store_of(path) == "episodic" for path in paths(found)), question


def test_what_was_forgotten_is_not_recalled(ws) -> None:
    entry = {"status": "archived", "current_score": 0, "last_accessed": times.render_time(0)}
    scores = {"version": 1, "entries": {"entity:person--alex": entry}}
    write(ws, layout.SCORES, score_file.render_scores(scores))
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qnm", BY_HAND)
    found = recall.answer_question(
        ws, "Who is Alex?", search.SearchOptions(sight=visible.Sight(1_800_000_000.0))
    )
    assert "lives in Lisbon" not in found.context


def test_the_past_is_recalled_as_it_was(ws) -> None:
    before = ws.repo.resolve("HEAD")
    write(ws, f"{ENTITIES}person--alex.md", entity("Alex", "lives in Porto"))
    ws.repo.run("commit", "-qanm", BY_HAND)
    moment = past.find_moment(ws.repo, before, None, 0.0)
    then = recall.answer_question(ws, "Who is Alex?", search.SearchOptions(at=moment))
    now = recall.answer_question(ws, "Who is Alex?")
    assert "Lisbon" in then.context
    assert "Porto" not in then.context
    assert "develops" in then.context
    assert "Porto" in now.context
    assert "develops" not in now.context
    assert (then.at, now.at) == (before, "")


def test_an_empty_memory_recalls_nothing(tmp_path) -> None:
    from molt.memory import workspace
    from molt.memory.adopt import setup

    setup.init(str(tmp_path / "empty"))
    for question in (*QUESTIONS, ""):
        found = recall.answer_question(workspace.find(str(tmp_path / "empty")), question)
        assert (found.context, found.citations) == ("", ())


def test_what_supersedes_stands_before_and_is_named(ws) -> None:
    old = "episode:2026-04-01:10:00"
    floors = {"2026-04-01": "the printer room is on floor two", "2026-04-09": "it is on six now"}
    for date, words in floors.items():
        field = f" | supersedes:{old}" * (date not in old)
        text = day(date, words).replace("tags:[]", f"tags:[]{field}")
        write(ws, f"memory/episodes/{date}.md", text)
    for limit in (1, 5):
        options = search.SearchOptions(limit=limit)
        answer = search.search(ws, "on which floor is the printer room?", options)
        assert "it is on six now" in answer.results[0].snippet
        assert answer.results[0].corrected == ""
    assert "floor two" in answer.results[1].snippet
    assert answer.results[1].corrected == answer.results[0].id
    told = recall.answer_question(ws, "on which floor is the printer room?").context
    assert f"(superseded by {answer.results[0].id}): the printer room is on floor two" in told
