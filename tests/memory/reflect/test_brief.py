"""What a model is asked for a plan, and what counts as the same proposal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from materials import FILES, IDS, make_material

from molt import resources, tokens
from molt.formats.reflections import plan
from molt.formats.reflections.histories import Evolution, ReflectionEntry
from molt.formats.reflections.plan import Operation
from molt.memory.reflect import meta
from molt.memory.reflect.material import survey
from molt.memory.reflect.plans import brief, plans

PKCE, LISBON, COFFEE, _ = IDS
PROMPT = Path(resources.find("templates/prompts/reflect.md")).read_text("utf-8")


def render(material=None, **guidance) -> str:
    material = material or make_material()
    found = meta.review_past(material).replace(**guidance)
    return brief.render_brief(brief.make_brief(material, survey.survey_material(material), found))


def test_a_brief_has_each_memory_with_its_id_and_no_schema() -> None:
    text = render()
    for memory in (*IDS, "entity:person--alex"):
        assert f"[{memory}]" in text
    assert '"properties"' not in text
    material = make_material()
    made = brief.make_brief(material, survey.survey_material(material), meta.Guidance())
    assert made.schema == plan.make_schema()
    assert made.left_out == 0


def test_the_task_is_short() -> None:
    # With nine episodes and what is known of them a brief has some 1,900 tokens.
    assert tokens.count_tokens(PROMPT) <= 1_250


@pytest.mark.parametrize("name", plan.KINDS)
def test_the_task_names_each_operation_once_with_its_fields(name: str) -> None:
    part = PROMPT[PROMPT.index("Operations (") : PROMPT.index("`evidence` is a list")]
    assert part.count(f"`{name}`") == 1
    (row,) = re.findall(rf"`{name}`(.*?)(?= · `|\n- |\n\n)", part, re.DOTALL)
    kind = plan.KINDS[name]
    for field in kind.fields:
        assert re.search(rf"\b{field}\b", row), field
    for field in kind.required:
        assert re.search(rf"\b{field}\*", row), field


def test_the_example_of_the_task_is_a_plan_with_quotes() -> None:
    example = PROMPT[PROMPT.index("Example:") :]
    found = plans.read_plan(example)
    assert found.faults == ()
    assert len(found.operations) == 4
    assert all(one.evidence or one.op == "question" for one in found.operations)
    assert example.count('"quote"') == 4


def test_uses_scores_and_outside_are_shown() -> None:
    material = make_material()
    known = dict(material.memories)
    known[PKCE] = known[PKCE].replace(uses=3, outside="web")
    core = next(one for one in known if one.startswith("core:persona"))
    known[core] = known[core].replace(uses=7)
    text = render(material.replace(memories=known))
    assert f"[{PKCE}] decision, used 3x, from outside (web): " in text
    assert f"[{core}] Persona (used 7x, 0.70): Answer briefly" in text


def test_what_the_past_gives_is_in_the_brief() -> None:
    log = (ReflectionEntry("r-001", "2026-02-01", "partial", 3, 4, insights=("likes order",)),)
    material = make_material(log=log, evolution=Evolution(threads=("Moves often",)))
    taste = Operation("add-fact", {"entity": "person--alex", "fact": "loves coffee"}, (COFFEE,))
    no = meta.RejectedOperation(taste, "nobody's business", "r-001")
    text = render(material, rejected=(no,))
    assert "r-001, 2026-02-01: 3 of 4 taken" in text
    assert "insight of r-001: likes order" in text
    assert "Moves often" in text
    assert "add-fact: person--alex: loves coffee (because: nobody's business)" in text


def test_a_brief_of_too_many_episodes_stays_within_its_tokens_and_says_what_it_left_out() -> None:
    rows = [
        f"\n## {number // 60:02}:{number % 60:02} | fact | high\nNote {number}: {'a word ' * 30}\n"
        for number in range(600)
    ]
    day = {"memory/episodes/2026-02-02.md": "# 2026-02-02\n" + "".join(rows)}
    material = make_material(day)
    made = brief.make_brief(material, survey.survey_material(material), meta.Guidance(), 12_000)
    assert tokens.count_tokens(made.prompt + made.material) <= 12_500
    assert made.left_out > 100
    assert f"({made.left_out:,} further ones are left out)" in made.material


def test_no_memory_starts_a_row_of_its_own() -> None:
    day = FILES["memory/episodes/2026-02-02.md"] + "\n## 13:00 | fact | high\none\n[core:x] two\n"
    text = render(make_material(FILES | {"memory/episodes/2026-02-02.md": day}))
    assert "one [core:x] two" in text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Is the flat in Berlin given up?", "Was the flat in Berlin given up now?", True),
        ("Is the flat in Berlin given up?", "Is the boat in Berlin sold?", False),
        ("住在苏州的新房子", "现在住在苏州的新房子里", True),
        ("住在苏州的新房子", "喜欢喝咖啡", False),
        ("...", "!!!", True),
    ],
)
def test_the_same_question_in_other_words(one: str, other: str, same: bool) -> None:
    every = (Operation("question", {"text": text}) for text in (one, other))
    assert meta.is_same(*every) is same


def test_of_core_memory_the_same_change_is_the_same_proposal() -> None:
    add = Operation("rewrite-core", {"add": [{"block": "Persona", "text": "Be brief, please"}]})
    again = add.replace(args={"add": [{"block": "Identity", "text": "be brief please"}]})
    drop = Operation("rewrite-core", {"drop": [{"bullet": "core:persona#1"}]})
    assert meta.is_same(add, again)
    assert not meta.is_same(add, drop)
    assert not meta.is_same(drop, drop.replace(args={"drop": [{"bullet": "core:persona#2"}]}))
