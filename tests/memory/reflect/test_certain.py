"""What is proposed without a model: few operations, each certain and with its evidence."""

from __future__ import annotations

import pytest
from materials import make_material

from molt import trees
from molt.formats import bullets, episodes, ids
from molt.formats.episodes import Episode
from molt.formats.meta.proposals import Proposal
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.formats.reflections.record import ReflectionRecord
from molt.memory.decay.formula import Standing
from molt.memory.reflect.certain import consolidate as certain
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.reflect.meta import Guidance, RejectedOperation
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp

CORE = "# MEMORY.md\n\n## Identity\n\n## Active Context\n\n## Persona\n\n## Critical Facts\n"
DAY = "2026-02-02"
USER, AGENT = "user-explicit", "conversation"
Said = tuple[str, str, str]
"""The type, the source and the text of an entry."""


def log(date: str, *said: Said, **more: object) -> dict[str, str]:
    every = [
        Episode(date, f"09:{at:02}", kind, source=source, text=text)
        for at, (kind, source, text) in enumerate(said)
    ]
    every = [one.replace(**more) for one in every]
    return {f"memory/episodes/{date}.md": episodes.render(date, tuple(every))}


def read(*said: Said, core: str = CORE, **files: str) -> ReflectionMaterial:
    notes = {f"memory/graph/entities/{stem}.md": text for stem, text in files.items()}
    made = make_material({**log(DAY, *said), "MEMORY.md": core, **notes})
    if "person--alex" not in files:
        kept = {stem: one for stem, one in made.entities.items() if stem != "person--alex"}
        known = {one: memory for one, memory in made.memories.items() if "--alex" not in one}
        made = made.replace(entities=kept, memories=known)
    return made


def propose(*said: Said, **files: str) -> tuple[Operation, ...]:
    return certain.consolidate(read(*said, **files))


def fade(made: ReflectionMaterial, *named: str, status: str = "archived") -> ReflectionMaterial:
    """The material with faded memories, none of which is new."""
    low = Standing(0.01, status)
    known = {
        key: one.replace(standing=low) if key in named else one
        for key, one in made.memories.items()
    }
    return made.replace(memories=known, fresh=())


def list_rows(made: tuple[Operation, ...], name: str) -> list[dict[str, object]]:
    return [row for one in made for row in one.rows(name)]


@pytest.mark.parametrize(
    ("said", "block"),
    [
        (("decision", USER, "We go with Postgres for the billing service"), "Active Context"),
        (("preference", USER, "Answer in short sentences without emojis"), "Persona"),
        (("preference", USER, "请用中文回答，不要用表情符号"), "Persona"),
    ],
)
def test_what_a_person_asked_to_keep_is_quoted(said: Said, block: str) -> None:
    (one,) = propose(said)
    memory = f"episode:{DAY}:09:00"
    assert one.rows("add") == ({"block": block, "text": said[2], "evidence": [memory]},)
    assert [(quote.id, quote.text) for quote in one.quotes] == [(memory, said[2])]


@pytest.mark.parametrize(
    "said",
    [
        ("decision", AGENT, "We go with Postgres for the billing service"),
        ("fact", USER, "The billing service runs on the second server"),
        ("decision", USER, "Shall we go with Postgres for the billing service?"),
        ("decision", USER, "Yesterday we chose Postgres for the billing service"),
    ],
    ids=["not asked", "a fact", "a question", "a relative day"],
)
def test_nothing_else_is_quoted_into_core(said: Said) -> None:
    assert propose(said) == ()


def test_what_core_says_already_is_not_quoted_again() -> None:
    said = ("decision", USER, "We go with Postgres for the billing service")
    assert propose(said, core=f"{CORE}- We go with Postgres for the billing service now\n") == ()


def test_what_is_used_is_quoted_too() -> None:
    made = read(("decision", AGENT, "We go with Postgres for the billing service"))
    memory = f"episode:{DAY}:09:00"
    often = {memory: made.memories[memory].replace(uses=2)}
    (one,) = certain.consolidate(made.replace(memories={**made.memories, **often}, fresh=()))
    assert one.reason == "it is used again and again"


MARLENE = """---
id: person--marlene
type: person
label: Marlene
created: 2026-01-01
updated: 2026-01-01
---
# Marlene

## Facts
- lives in Bergen
"""


def test_what_is_said_of_a_known_thing_becomes_its_fact() -> None:
    said = "Marlene prefers calls in the morning"
    (one,) = propose(("preference", USER, said), **{"person--marlene": MARLENE})
    assert (one.op, one.args) == ("add-fact", {"entity": "person--marlene", "fact": said})


def test_what_has_faded_is_archived_but_not_what_a_person_asked_to_keep() -> None:
    said = [("fact", AGENT, "The ferry was late"), ("fact", USER, "The boat is blue")]
    made = fade(read(*said), f"episode:{DAY}:09:00", f"episode:{DAY}:09:01")
    assert [one.args for one in certain.consolidate(made)] == [{"memory": f"episode:{DAY}:09:00"}]


def test_what_a_person_agreed_to_archive_is_not_proposed_again() -> None:
    memory = f"episode:{DAY}:09:00"
    made = fade(read(("fact", AGENT, "The ferry was late")), memory)
    (one,) = certain.consolidate(made)
    item = plan.to_item(one.replace(n=1)).replace(decision="approved")
    decided = made.replace(records=(ReflectionRecord("r-001", "approved", items=(item,)),))
    assert certain.consolidate(decided) == ()


def test_a_copy_of_the_day_is_archived() -> None:
    said = [("event", AGENT, "Met Marlene for lunch"), ("event", AGENT, "met Marlene for lunch!")]
    (one,) = propose(*said)
    assert (one.op, one.args) == ("archive", {"memory": f"episode:{DAY}:09:01"})
    assert propose(said[0], ("event", AGENT, "Met Marlene for dinner")) == ()
    assert propose(said[0], ("event", USER, "Met Marlene for lunch")) == ()


def make_entity(stem: str, label: str, created: str = "2026-01-01") -> str:
    kind = stem.partition("--")[0]
    return (
        f"---\nid: {stem}\ntype: {kind}\nlabel: {label}\ncreated: {created}\n"
        f"updated: {created}\n---\n# {label}\n\n## Facts\n- is used here\n"
    )


def test_two_spellings_of_one_name_are_merged() -> None:
    (one,) = propose(
        **{
            "tool--post-gres": make_entity("tool--post-gres", "Post Gres", "2026-01-05"),
            "tool--postgres": make_entity("tool--postgres", "Postgres"),
            "tool--python-2": make_entity("tool--python-2", "Python 2"),
            "tool--python-3": make_entity("tool--python-3", "Python 3"),
        }
    )
    assert (one.op, one.args) == (
        "merge-entities",
        {"into": "tool--postgres", "other": "tool--post-gres"},
    )


def test_a_name_without_a_type_is_merged_into_the_one_with_it() -> None:
    ada = {"concept--ada-lee": make_entity("concept--ada-lee", "Ada Lee")}
    (one,) = propose(**ada, **{"person--ada-lee": make_entity("person--ada-lee", "Ada Lee")})
    assert one.args == {"into": "person--ada-lee", "other": "concept--ada-lee"}
    places = {
        f"{kind}--ada-lee": make_entity(f"{kind}--ada-lee", "Ada Lee") for kind in ("place", "tool")
    }
    assert propose(**ada, **places) == ()


def test_two_values_of_one_attribute_are_asked_about() -> None:
    (one,) = propose(
        ("event", AGENT, "Liv has her recital on 5 March"),
        ("event", AGENT, "Liv's recital is moved to 6 March"),
    )
    assert one.op == "contradiction"
    assert one.evidence == (f"episode:{DAY}:09:00", f"episode:{DAY}:09:01")
    assert [quote.text for quote in one.quotes] == [one.text("first"), one.text("second")]


def test_what_has_happened_twice_is_no_contradiction() -> None:
    said = "Liv visited the museum on {} January"
    assert propose(("event", AGENT, said.format(5)), ("event", AGENT, said.format(6))) == ()


def test_a_fact_is_compared_with_what_is_said_now() -> None:
    (one,) = propose(("fact", AGENT, "Marlene lives in Oslo"), **{"person--marlene": MARLENE})
    assert (one.text("first"), one.text("about")) == ("lives in Bergen", "Marlene")


def ask(first: str, second: str, evidence: tuple[str, ...]) -> ReflectionRecord:
    asked = Operation(
        "contradiction", {"first": first, "second": second}, evidence, "two values", n=1
    )
    return ReflectionRecord(
        "r-001", "approved", "0" * 40, "h", DAY, DAY, "manual", items=(plan.to_item(asked),)
    )


def answer(made: ReflectionMaterial, record: ReflectionRecord, said: str) -> tuple[Operation, ...]:
    """What follows from an answer to the question of a record."""
    asked = plan.describe_operation(plan.from_item(record.items[0]) or Operation("question", {}))
    fields = (("answers", "r-001#1"),)
    entry = Episode("2026-02-03", "08:00", "correction", fields=fields, text=f"{asked} {said}")
    return certain.consolidate(made.replace(records=(record,), fresh=(entry,)))


def test_an_answer_settles_by_the_value_that_it_names() -> None:
    made = read(**{"person--marlene": MARLENE})
    record = ask("lives in Bergen", "Marlene lives in Oslo", ("entity:person--marlene",))
    (one,) = answer(made, record, "Oslo, since January")
    assert (one.op, one.text("fact"), one.text("by")) == (
        "supersede-fact",
        "lives in Bergen",
        "Marlene lives in Oslo",
    )
    assert answer(made, record, "I have to ask her") == ()


def test_an_answer_puts_a_bullet_and_an_entry_right() -> None:
    core = CORE.replace("## Persona", "- The deadline is 5 May\n\n## Persona")
    made = read(("fact", AGENT, "The deadline is 9 May"), core=core)
    bullet = ids.bullet("Active Context", "The deadline is 5 May")
    both = (bullet, f"episode:{DAY}:09:00")
    record = ask("The deadline is 5 May", "The deadline is 9 May", both)
    (one,) = answer(made, record, "9 May")
    assert one.rows("replace")[0]["text"] == "The deadline is 9 May"
    (other,) = answer(made, record, "the 5th, of course: 5 May")
    assert other.args == {"memory": f"episode:{DAY}:09:00"}


def make_proposal(name: str, text: str, confidence: str = "high") -> Proposal:
    return Proposal("scout", text, confidence=confidence, id=name)


def test_what_a_sub_agent_is_sure_of_is_accepted() -> None:
    waiting = (
        make_proposal("proposal:a", "The crane driver is called Nils"),
        make_proposal("proposal:b", "The harbour opens at six", "medium"),
        make_proposal("proposal:c", "The tank holds 40 litres"),
        make_proposal("proposal:d", "The tank holds 60 litres"),
    )
    made = certain.consolidate(read().replace(proposals=waiting))
    assert [one.args for one in made] == [{"proposal": "proposal:a"}]


def test_steps_that_were_remembered_as_a_procedure_are_kept() -> None:
    text = "Release checklist\n1. Run the tests\n2. Tag the commit\n3. Push"
    files = log(DAY, ("fact", AGENT, text), tags=("procedure",))
    made = make_material({**files, "MEMORY.md": CORE}, entities={})
    (one,) = certain.consolidate(made)
    assert one.args == {
        "title": "Release checklist",
        "steps": ["Run the tests", "Tag the commit", "Push"],
    }
    assert propose(("fact", AGENT, text)) == ()


def recur(*said: str) -> tuple[Operation, ...]:
    """What is proposed where each text is of a day of its own."""
    files: dict[str, str] = {}
    for at, text in enumerate(said):
        files |= log(f"2026-02-0{at + 1}", ("fact", AGENT, text))
    made = make_material({"memory/episodes/2026-02-02.md": "# 2026-02-02\n", **files})
    return tuple(
        one
        for one in certain.consolidate(made.replace(entities={}, day="2026-02-09"))
        if one.op == "upsert-entity"
    )


NORDQUAY = "Nordquay is our largest customer in the harbour business"


def test_a_name_that_recurs_becomes_an_entity_with_a_fact() -> None:
    (one,) = recur("Prepared slides for Nordquay", NORDQUAY, "Wrote to Nordquay about the crane")
    assert one.args == {"entity": "concept:Nordquay", "facts": [NORDQUAY]}
    assert one.evidence == ("episode:2026-02-02:09:00",)


@pytest.mark.parametrize(
    "said",
    [
        ("Prepared slides for Nordquay", NORDQUAY, "Wrote a letter about the crane"),
        ("Slides for Nordquay", "A call with Nordquay", "Wrote to Nordquay about the crane"),
        ("The Crane works", "Crane is the tool that the harbour uses daily", "The crane, a crane"),
    ],
    ids=["twice", "no fact", "a plain word"],
)
def test_no_other_name_does(said: tuple[str, ...]) -> None:
    assert recur(*said) == ()


def test_in_chinese_only_marked_names_count() -> None:
    said = (
        "今天读了《海边的灯塔》",
        "《海边的灯塔》是李娜写的一本关于渔民的小说",
        "又想起《海边的灯塔》",
    )
    (one,) = recur(*said)
    assert one.text("entity") == "concept:海边的灯塔"
    plain = [text.replace("《", "").replace("》", "") for text in said]
    assert recur(*plain) == ()


RULES = ("Ask before you push to main", "Answer in French", "Never phone the customer")


def make_full(*titles: str, rules: tuple[str, ...] = RULES) -> str:
    """A MEMORY.md over its cap: rules of conduct, and readings below titles."""
    rows = ["# MEMORY.md", "", "## Working rules", *(f"- {one}" for one in rules)]
    for title in titles:
        rows += ["", f"## {title}"]
        rows += [
            f"- valve {at} at 06:00 on 2026-01-{at % 28 + 1:02}: {at}.5 bar" for at in range(48)
        ]
    return "\n".join(rows) + "\n"


STATIONS = tuple(
    f"Measurements of pumping station {at} (2026-01-01 to 2026-01-28)" for at in range(4)
)


@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        ("推送之前先问我", "用中文回答", "不要给客户打电话"),
        tuple(f"{one} (since 2026-01-0{at + 1})" for at, one in enumerate(RULES)),
    ],
    ids=["english", "chinese", "dated"],
)
def test_readings_leave_a_full_core_and_rules_of_conduct_never_do(rules: tuple[str, ...]) -> None:
    made = read(core=make_full(*STATIONS, rules=rules))
    gone = 0
    for _ in range(3):
        found = certain.consolidate(made)
        assert 0 < len(found) <= certain.MOST
        assert all(len(one.rows("drop")) == 1 for one in found)
        done = apply.apply_all(made.tree, found, ReflectionStamp("r-001", DAY))
        assert not done.dropped
        gone += len(done.applied)
        core = trees.read_text(done.tree, "MEMORY.md")
        assert all(f"- {one}\n" in core for one in rules)
        assert core.count("- valve") == 4 * 48 - gone
        kept = {one.id: made.memories[one.id] for one in bullets.core_bullets(core)}
        made = made.replace(core=core, memories=kept, tree=done.tree)


def test_no_entity_is_made_without_a_fact() -> None:
    made = read(core=make_full(*STATIONS))
    for one in certain.consolidate(made):
        tree = apply.apply_operation(made.tree, one, ReflectionStamp("r-001", DAY)).edits
        (note,) = ((data or b"").decode() for path, data in tree.items() if "/entities/" in path)
        assert "## Facts\n- valve" in note


def test_a_core_with_room_keeps_its_readings() -> None:
    core = make_full(STATIONS[0]).split("- valve 9")[0]
    assert certain.consolidate(read(core=core)) == ()


def test_a_bullet_that_has_faded_goes_to_what_it_names() -> None:
    said = "Marlene works at the north yard"
    core = CORE.replace("## Persona", f"- {said}\n- The quay is wet\n\n## Persona")
    made = read(core=core, **{"person--marlene": MARLENE})
    names = [one.id for one in bullets.core_bullets(core)]
    (one,) = certain.consolidate(fade(made, *names, status="dormant"))
    assert one.rows("drop") == ({"bullet": names[0], "into": "person--marlene"},)
    assert certain.consolidate(made.replace(fresh=())) == ()


def test_a_bullet_that_core_has_twice_is_dropped() -> None:
    said = "- The code of the gate is in the vault\n"
    core = f"{CORE}{said}\n## Notes\n{said}- 4 boats\n\n## More notes\n- 4 boats\n"
    made = read(core=core)
    (one,) = certain.consolidate(made)
    assert one.rows("drop") == ({"bullet": bullets.core_bullets(core)[1].id},)


def test_noise_is_not_proposed() -> None:
    assert (
        propose(
            ("fact", AGENT, "Fixed CI by letting the database choose a free port"),
            ("event", AGENT, "Marlene left Nordquay"),
            ("emotion", AGENT, "That sounds great, thanks!"),
            ("task", AGENT, "Look at the mail tomorrow"),
        )
        == ()
    )


def test_a_night_has_fewer_than_ten_and_what_was_rejected_takes_no_place() -> None:
    words = ("boats", "nets", "ropes", "masts", "sails", "oars", "buoys", "pumps", "cranes")
    said = [("decision", USER, f"We buy {word} from the yard in the north") for word in words]
    said += [("event", AGENT, f"Met the crew of the {word}") for word in words for _ in range(2)]
    made = read(*said)
    found = certain.consolidate(made)
    assert 0 < len(found) <= certain.MOST < 10
    refused = tuple(RejectedOperation(one, "no", "r-001") for one in found)
    again = certain.consolidate(made, Guidance(rejected=refused))
    assert all(one not in found for one in again)
