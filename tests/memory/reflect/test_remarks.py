"""Reasons, questions and threads of a plan: what nobody said is not told beside the claims."""

from __future__ import annotations

import pytest
from materials import IDS, make_material

from molt.formats.reflections.plan import Operation
from molt.memory.reflect.evidence import evidence
from molt.memory.reflect.evidence.evidence import Checked

PKCE, LISBON, COFFEE, SHANGHAI = IDS


def judge(op: str, of: tuple[str, ...], reason: str = "", **args: object) -> Checked:
    return evidence.check_operations(make_material(), [Operation(op, args, of, reason)])


def argue(reason: str, memory: str = COFFEE, fact: str = "loves dark roast coffee") -> Checked:
    return judge("add-fact", (memory,), reason, entity="person--alex", fact=fact)


@pytest.mark.parametrize(
    "reason",
    [
        "It was said outright.",
        "A stable preference that will come up again.",
        "Coffee is mentioned in 1 episode.",
        "It comes up in most sessions, whenever coffee is spoken of.",
        "Coffee is named in person--alex, too.",
        "用户明确说过的偏好，以后还会提到。",
    ],
)
def test_a_reason_that_only_argues_stays(reason: str) -> None:
    found = argue(reason)
    assert found.kept[0].reason == reason
    assert not found.dropped


@pytest.mark.parametrize(
    "reason",
    [
        "He drinks 14 cups of it.",
        "He has loved coffee since 2019-04-12.",
        "He loves it most at 06:30.",
        "Bob told him so.",
        "The doctor forbade him everything else.",
        "He never drinks tea because he sells coffee.",
        "医生要求他戒酒。",
        "他去年为此花了300万元。",
    ],
)
def test_a_reason_that_tells_what_nobody_said_becomes_a_plain_one(reason: str) -> None:
    found = argue(reason)
    assert found.kept[0].args["fact"] == "loves dark roast coffee"
    assert found.kept[0].reason == "said on 2026-02-02"
    ((one, why),) = found.dropped
    assert why.startswith("proposed with a plain reason: ")
    assert reason not in str(one)


def test_a_reason_does_not_turn_what_was_said() -> None:
    assert argue("He drinks milk in his coffee.").kept[0].reason == "said on 2026-02-02"


def test_a_plain_reason_says_who_said_it() -> None:
    day = "# 2026-02-03\n\n## 09:00 | fact | high | source: import\nAnn: I love tea.\n"
    material = make_material({"memory/episodes/2026-02-03.md": day})
    args = {"entity": "person:Ann", "fact": "loves tea"}
    one = Operation("add-fact", args, ("episode:2026-02-03:09:00",), "She is a spy.")
    (kept,) = evidence.check_operations(material, [one]).kept
    assert kept.reason == "said by Ann on 2026-02-03"


def test_rules_give_reasons_that_count_what_is_not_cited() -> None:
    one = Operation("pin", {"memory": COFFEE}, (COFFEE,), "named in 3 episodes")
    found = evidence.check_operations(make_material(), [one], plain=True)
    assert found.kept == (one,)


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("pin", {"memory": COFFEE}),
        ("archive", {"memory": COFFEE}),
        ("reinforce", {"memories": [COFFEE]}),
        ("contradiction", {"first": COFFEE, "second": LISBON}),
        ("question", {"text": "Should I pin the choice of PKCE?"}),
        ("insight", {"text": "loves dark roast coffee"}),
    ],
)
def test_every_kind_has_its_reason_judged(op: str, args: dict[str, object]) -> None:
    found = judge(op, (COFFEE,), "A burglar stole 20 mg of it in Vienna.", **args)
    assert "burglar" not in found.kept[0].reason
    assert "Vienna" not in found.kept[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "Should I pin the choice of PKCE?",
        "Is the flat in Berlin given up?",
        "Where do the kids of Alex go to school?",
        "How old are the two kids?",
        "Is PKCE meant for the web app as well?",
        "What did Dana say of PKCE?",
        "王小明是同事吗？",
    ],
)
def test_what_can_be_asked_is_asked(text: str) -> None:
    assert judge("question", (), text=text).kept


@pytest.mark.parametrize(
    "text",
    [
        "Are you still seeing Bob Dylan?",
        "Did the rent rise to 1,700 euros?",
        "What happened on 2022-08-03?",
        "How did the divorce go?",
        "Is Dana still in the army?",
        "Did Alex get divorced?",
        "Why does Dana not review the mobile app?",
        "Why did Dana move to Lisbon?",
        "王小明为什么离婚？",
    ],
)
def test_a_question_that_takes_for_granted_what_nobody_said_is_not_asked(text: str) -> None:
    found = judge("question", (), text=text)
    assert not found.kept
    assert "memory" in found.dropped[0][1]


@pytest.mark.parametrize(
    "thread", ["How Bob decides", "The 37 cups", "Why coffee never helped", "The coffee lawsuit"]
)
def test_a_thread_that_nobody_spoke_of_is_dropped_alone(thread: str) -> None:
    found = judge("insight", (COFFEE,), text="loves dark roast coffee", thread=thread)
    assert found.kept[0].args == {"text": "loves dark roast coffee"}
    assert found.dropped[0][1].startswith("proposed without its thread: ")


def test_a_thread_of_the_evidence_goes_on() -> None:
    found = judge("insight", (COFFEE,), text="loves dark roast coffee", thread="Coffee habits")
    assert found.kept[0].text("thread") == "Coffee habits"
    assert not found.dropped


def test_a_summary_that_is_left_out_is_told_as_one_sentence() -> None:
    found = judge(
        "upsert-entity",
        (COFFEE,),
        entity="person--alex",
        facts=["loves dark roast coffee"],
        summary="Alex is a retired nurse.",
    )
    assert [one.args.get("summary") for one, _ in found.dropped] == ["Alex is a retired nurse."]


def test_why_something_is_left_out_is_told_in_words_and_not_in_stems() -> None:
    (one,) = argue("He admires the lighthouses of the coast.").dropped
    assert one[1] == "proposed with a plain reason: the evidence does not say 'admires'"
    found = judge("add-fact", (COFFEE,), entity="person--alex", fact="manages a bakery")
    assert found.dropped[0][1] == "of its words the evidence lacks 'bakery', 'manages'"


def test_a_claim_that_is_a_quotation_already_is_not_told_to_be_left_out() -> None:
    said = "John: since we last spoke, I had the chance to go to a gaming convention - it was fun!"
    turn = said.replace("John: since", "John: Cool, James! Btw, since")
    day = f"# 2026-02-03\n\n## 09:00 | fact | high | source: user-explicit\n{turn}\n"
    material = make_material({"memory/episodes/2026-02-03.md": day})
    args = {"entity": "event:gaming convention", "facts": [said]}
    found = evidence.check_operations(
        material, [Operation("upsert-entity", args, ("episode:2026-02-03:09:00",))]
    )
    assert found.kept[0].texts("facts")[0].startswith(said)
    assert found.dropped == ()
