"""Golden questions on both sides of an approval, and what goes away."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import questions
from molt.formats.meta.questions import GoldenQuestion
from molt.memory.reflect.questions import ask, gate, golden, loss
from molt.memory.reflect.questions.ask import Asking
from molt.memory.reflect.questions.gate import GateOptions
from molt.memory.search import search
from molt.memory.workspace import Workspace
from molt.policy import Finding
from molt.trees import DictTree, Overlay

from .conftest import ALEX, DAY, ENTRY, commit_files

LEX = "memory/graph/entities/person--lex.md"
NOW = 1_770_200_000.0
HOME = GoldenQuestion("home", "Where did Alex move?", ("Rome",), (ENTRY,))
CHESS = GoldenQuestion("chess", "What does Alex play?", ("chess",))
OPTIONS = GateOptions(NOW, "2026-02-04")


def keep_questions(ws: Workspace, *every: GoldenQuestion) -> None:
    commit_files(ws, {paths.QUESTIONS: questions.render_questions(every)})


def candidate(ws: Workspace, **edits: str | None) -> Overlay:
    files = {"alex": ALEX, "day": DAY, "core": paths.CORE, "questions": paths.QUESTIONS}
    data = {files[name]: text if text is None else text.encode() for name, text in edits.items()}
    return Overlay(ws.head(), data)


def without(ws: Workspace, path: str, words: str) -> str:
    text = trees.read_text(ws.head(), path)
    assert words in text
    return text.replace(words, "")


def refused(ws: Workspace, tree: trees.Tree, options: GateOptions = OPTIONS) -> list[str]:
    with pytest.raises(errors.Refused) as caught:
        gate.check_approval(ws, ws.head(), tree, options)
    return [
        f"{one.code} {one.message}" for one in caught.value.findings if isinstance(one, Finding)
    ]


def test_a_question_says_what_of_its_answer_was_found_and_where(ws: Workspace) -> None:
    asked = GoldenQuestion("a", "Where did Alex move?", ("rome", "Paris"), (ENTRY, "vault:x"))
    found = ask.ask_questions(ws, (asked,), Asking(NOW))[0]
    assert dict(found.ranks)["rome"] == dict(found.ranks)[ENTRY] > 0
    assert found.missing == ("Paris", "vault:x")
    assert not found.passed
    assert found.rank == 0


def test_all_of_an_answer_is_there_with_its_last_part(ws: Workspace) -> None:
    found = ask.ask_questions(ws, (HOME.replace(expect=("Rome", "chess")),), Asking(NOW))[0]
    assert found.passed
    assert found.rank == max(rank for _, rank in found.ranks)


@pytest.mark.parametrize(
    ("text", "words", "held"),
    [
        ("the port is 4711.", "4711", True),
        ("the port is 47110", "4711", False),
        ("port 14711", "4711", False),
        ("Port\n 4711", "port 4711", True),
        ("14711 and 4711", "4711", True),
        ("C++ and Go", "c++", True),
        ("她在罗马工作", "罗马", True),
        ("Ｒｏｍｅ", "rome", True),
        ("~~lives in Berlin~~ (until 2026-02-03; now: Rome)", "Berlin", False),
        ("~~lives in Berlin~~ (until 2026-02-03; now: Rome)", "Rome", True),
        ("about ~~ 5", "5", True),
        ("anything", " ", False),
    ],
)
def test_words_of_an_answer(text: str, words: str, held: bool) -> None:
    assert ask.holds_words(ask.fold_text(text), words) is held


def test_an_entity_that_was_merged_is_found_by_its_old_id(ws: Workspace) -> None:
    text = trees.read_text(ws.head(), ALEX)
    merged = text.replace("label: Alex\n", "label: Alex\naliases: [person--lex, Lexi]\n")
    commit_files(ws, {ALEX: merged, LEX: None})
    asked = GoldenQuestion("a", "Who plays chess?", (), ("entity:person--lex",))
    assert ask.ask_questions(ws, (asked,), Asking(NOW))[0].passed


def test_what_changes_no_answer_passes(ws: Workspace) -> None:
    keep_questions(ws, HOME, CHESS)
    text = trees.read_text(ws.head(), ALEX) + "- likes figs\n"
    report = gate.check_approval(ws, ws.head(), candidate(ws, alex=text), OPTIONS)
    assert [one.question.id for one in report.compared] == ["home", "chess"]
    assert report.worse == ()
    assert report.overruled == ()


def test_a_question_that_gets_worse_holds_the_approval_and_shows_both_sides(ws: Workspace) -> None:
    keep_questions(ws, HOME, CHESS)
    tree = candidate(ws, alex=without(ws, ALEX, "- plays chess\n"))
    (said,) = refused(ws, tree)
    assert said.startswith('question chess "What does Alex play?": chess, before in result ')
    assert f"({ALEX}#L" in said
    assert "): - plays chess — after: not in the first 5, of which the first is " in said


def test_a_question_may_be_overruled_by_name_and_that_is_recorded(ws: Workspace) -> None:
    keep_questions(ws, HOME, CHESS)
    tree = candidate(ws, alex=without(ws, ALEX, "- plays chess\n"))
    report = gate.check_approval(ws, ws.head(), tree, OPTIONS.replace(despite=("chess", "home")))
    assert report.overruled == (("Despite", "chess"),)
    assert len(refused(ws, tree, OPTIONS.replace(despite=("home",)))) == 1


def test_a_name_that_no_question_has_overrules_nothing(ws: Workspace) -> None:
    with pytest.raises(errors.Usage):
        gate.check_approval(ws, ws.head(), ws.head(), OPTIONS.replace(despite=("nothing",)))


def test_what_was_not_answered_before_holds_nothing(ws: Workspace) -> None:
    keep_questions(ws, CHESS.replace(expect=("checkers",)))
    tree = candidate(ws, alex=without(ws, ALEX, "- plays chess\n"))
    assert gate.check_approval(ws, ws.head(), tree, OPTIONS).worse == ()


def test_a_part_that_is_lost_is_worse_where_another_was_missing_already(ws: Workspace) -> None:
    keep_questions(ws, CHESS.replace(expect=("chess", "checkers")))
    assert refused(ws, candidate(ws, alex=without(ws, ALEX, "- plays chess\n")))


def test_a_fact_that_is_struck_through_is_no_answer(ws: Workspace) -> None:
    keep_questions(ws, CHESS)
    text = trees.read_text(ws.head(), ALEX).replace(
        "- plays chess", "- ~~plays chess~~ (until 2026-02-04; now: plays go)"
    )
    (said,) = refused(ws, candidate(ws, alex=text))
    assert said.endswith("— after: - ~~plays chess~~ (until 2026-02-04; now: plays go)")


def test_what_the_log_of_reflections_says_is_no_answer(ws: Workspace) -> None:
    keep_questions(ws, CHESS)
    log = "# Reflection Log\n\n## r-001 | 2026-02-02 | approved | 1 of 1\nAlex does play chess\n"
    commit_files(ws, {"memory/meta/reflection-log.md": log})
    assert refused(ws, candidate(ws, alex=without(ws, ALEX, "- plays chess\n")))


def test_an_archived_memory_is_no_answer(ws: Workspace) -> None:
    keep_questions(ws, HOME)
    entry = '{"entries": {"%s": {"base_relevance": 0, "current_score": 0, "status": "archived"}}}\n'
    tree = Overlay(ws.head(), {paths.SCORES: (entry % ENTRY).encode()})
    assert refused(ws, tree)


def test_a_candidate_does_not_bring_its_own_questions(ws: Workspace) -> None:
    keep_questions(ws, HOME, CHESS)
    with pytest.raises(errors.Refused, match="no golden questions"):
        gate.check_approval(ws, ws.head(), candidate(ws, questions=""), OPTIONS)


def test_questions_that_cannot_be_read_hold_every_approval(ws: Workspace) -> None:
    commit_files(ws, {paths.QUESTIONS: "- [\n"})
    with pytest.raises(errors.Failed, match="cannot be read"):
        gate.check_approval(ws, ws.head(), ws.head(), OPTIONS)


def test_asking_about_a_tree_changes_no_file_ref_or_index(ws: Workspace) -> None:
    keep_questions(ws, HOME)
    before = (ws.repo.run("for-each-ref"), Path(ws.repo.git_dir, "index").read_bytes())
    gate.check_approval(ws, ws.head(), candidate(ws, day=""), OPTIONS.replace(despite=("home",)))
    assert (ws.repo.run("for-each-ref"), Path(ws.repo.git_dir, "index").read_bytes()) == before
    assert ws.repo.run("status", "--porcelain") == ""


def test_revisions_and_edits_on_edits_are_compared_alike(ws: Workspace) -> None:
    text = without(ws, ALEX, "- plays chess\n")
    tree = Overlay(candidate(ws, alex=text), {LEX: None})
    commit_files(ws, {ALEX: text, LEX: None})
    asked = (HOME, CHESS, GoldenQuestion("tea", "Who likes tea?", ("tea",)))
    by_tree = gate.compare(ws, "HEAD~1", tree, asked, OPTIONS)
    by_name = gate.compare(ws, "HEAD~1", "HEAD", asked, OPTIONS)
    assert [one.lost for one in by_tree.compared] == [(), ("chess",), ("tea",)]
    assert by_tree == by_name


CORE = "## Persona\n- Ada prefers short answers\n- port is 4711\n- likes tea\n- keeps bees\n"
NOTE = "memory/graph/entities/person--ada.md"


def measure(after: dict[str, str], before: dict[str, str]) -> tuple[loss.Loss, ...]:
    trees_of = [
        DictTree({path: text.encode() for path, text in files.items()}) for files in (before, after)
    ]
    return loss.measure_losses(*trees_of)


@pytest.mark.parametrize(
    ("after", "gone"),
    [
        pytest.param(CORE, (), id="same"),
        pytest.param(
            "", ("Ada prefers short answers", "port is 4711", "likes tea", "keeps bees"), id="all"
        ),
        pytest.param(CORE.replace("likes tea", "likes wine"), ("likes tea",), id="another word"),
        pytest.param(CORE.replace("4711", "5000"), ("port is 4711",), id="another number"),
        pytest.param(CORE.replace("short answers", "short answers to all"), (), id="more words"),
        pytest.param(CORE.replace("## Persona", "## Identity"), (), id="another block"),
    ],
)
def test_what_core_memory_loses(after: str, gone: tuple[str, ...]) -> None:
    found = measure({paths.CORE: after}, {paths.CORE: CORE})
    assert [one.gone for one in found] == ([gone] if gone else [])


def test_what_moves_into_the_graph_is_not_lost() -> None:
    moved = "# Ada\n\n## Facts\n- likes tea (source: MEMORY.md)\n"
    after = {paths.CORE: CORE.replace("- likes tea\n", ""), NOTE: moved}
    assert measure(after, {paths.CORE: CORE}) == ()


def test_a_fact_with_another_in_its_place_is_not_lost_and_one_without_is() -> None:
    before = {NOTE: "# Ada\n\n## Facts\n- lives in Rome\n- plays chess\n", "memory/x.md": "x\n"}
    other = "memory/graph/entities/person--bo.md"
    before[other] = "# Bo\n\n## Facts\n- swims\n- sings\n"
    struck = "- ~~lives in Rome~~ (until 2026-02-03; now: Paris)\n- ~~plays chess~~ (until x)\n"
    found = measure({**before, NOTE: f"# Ada\n\n## Facts\n{struck}"}, before)
    assert found == (loss.Loss(loss.FACTS, 4, ("plays chess",)),)
    assert found[0].share == 0.25


@pytest.mark.parametrize(
    ("before", "gone", "much"),
    [(10, 2, False), (10, 3, True), (5, 2, False), (2, 2, True), (100, 3, False)],
)
def test_few_lines_of_many_are_no_loss_to_ask_about(before: int, gone: int, much: bool) -> None:
    assert loss.Loss("x", before, ("y",) * gone).exceeds(0.2) is much


def test_a_large_loss_is_accepted_by_name_and_recorded(ws: Workspace) -> None:
    said = "".join(f"- fact {one} of core\n" for one in range(5))
    commit_files(ws, {paths.CORE: f"# MEMORY\n\n## Persona\n{said}"})
    tree = candidate(ws, core="# MEMORY\n\n## Persona\n- fact 1 of core\n")
    (told,) = refused(ws, tree)
    assert told.startswith("loss 4 of 5 bullets of core memory would go (80%), more than 20%")
    report = gate.check_approval(ws, ws.head(), tree, OPTIONS.replace(accept_loss=True))
    assert report.overruled == (("Accepts-Loss", "4 of 5 bullets of core memory"),)
    wide = ws.replace(config=ws.config.replace(reflection_max_loss=0.9))
    assert gate.check_approval(wide, ws.head(), tree, OPTIONS).losses == ()


def test_questions_are_added_and_removed_by_commits(ws: Workspace) -> None:
    person = ws.replace(named="manual")
    done = golden.add_question(person, CHESS, NOW)
    assert done.message.startswith("[CREATE] memory/meta/questions.yaml — chess: What does")
    golden.add_question(ws, HOME, NOW)
    assert golden.list_questions(ws).questions == (CHESS, HOME)
    assert [one.passed for one in golden.run_questions(ws, ("home",), (), Asking(NOW))] == [True]
    golden.remove_question(person, "chess", NOW)
    assert golden.list_questions(ws).questions == (HOME,)


def test_a_bot_takes_no_question_out(ws: Workspace) -> None:
    keep_questions(ws, CHESS)
    with pytest.raises(errors.Refused):
        golden.remove_question(ws, "chess", NOW)


@pytest.mark.parametrize(
    ("one", "error"),
    [
        (CHESS.replace(expect=()), errors.Usage),
        (CHESS.replace(memories=("episode:2020-01-01:10:00:00",)), errors.NotFound),
        (HOME, errors.Failed),
    ],
)
def test_a_question_that_checks_nothing_is_not_written(
    ws: Workspace, one: GoldenQuestion, error: type[errors.MoltError]
) -> None:
    keep_questions(ws, HOME)
    with pytest.raises(error):
        golden.add_question(ws, one, NOW)


def test_what_is_not_there_is_not_run_or_removed(ws: Workspace) -> None:
    keep_questions(ws, HOME)
    with pytest.raises(errors.NotFound):
        golden.run_questions(ws, ("other",), (), Asking(NOW))
    with pytest.raises(errors.NotFound):
        golden.remove_question(ws, "other", NOW)


@pytest.mark.parametrize("name", ["reflections/r-001.md", "reflection-log.md", "audit-archive.md"])
def test_what_was_proposed_is_found_by_no_search(ws: Workspace, name: str) -> None:
    said = "---\nstatus: rejected\n---\n# Reflection Summary\n\n- Alex keeps seven zebras\n"
    commit_files(ws, {f"memory/meta/{name}": said})
    found = search.search(ws, "who keeps seven zebras?").results
    assert not [one for one in found if one.path.startswith("memory/meta/")]
