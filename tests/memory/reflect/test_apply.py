"""What an operation does to files; that what is there already is not done again."""

from __future__ import annotations

import pytest

from molt import trees
from molt.formats import paths
from molt.formats.meta import proposals
from molt.formats.meta.proposals import Proposal
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import Outdated, ReflectionStamp
from molt.trees import DictTree, Overlay, Tree

STAMP = ReflectionStamp("r-001", "2026-02-02")
DAY = "memory/episodes/2026-02-01.md"
ALEX = "memory/graph/entities/person--alex.md"
EVIDENCE = ("episode:2026-02-01:10:00:00",)
CORE = "# MEMORY.md\n\n## Identity\n- Alex writes Python\n\n## Active Context\n- On the spike\n"
NOTE = """---
id: person--alex
type: person
label: Alex
created: 2026-01-01
updated: 2026-01-01
---
# Alex

## Facts
- lives in Berlin
"""


def operation(op: str, **args: object) -> Operation:
    return Operation(op, args, EVIDENCE, "seen twice", n=1)


def tree() -> DictTree:
    return DictTree({"MEMORY.md": CORE.encode(), ALEX: NOTE.encode()})


def run(one: Operation, base: Tree | None = None) -> Tree:
    base = base or tree()
    return Overlay(base, apply.apply_operation(base, one, STAMP).edits)


OPERATIONS = (
    operation("upsert-entity", entity="tool:Git", summary="keeps files", facts=["is distributed"]),
    operation("upsert-entity", entity="person:Alex", aliases=["Lex"], facts=["likes tea"]),
    operation("add-fact", entity="person--alex", fact="plays chess", since="2026-01-05"),
    operation("supersede-fact", entity="Alex", fact="lives in Berlin", by="lives in Rome"),
    operation("upsert-procedure", title="Release", steps=["test", "tag", "push"]),
    operation(
        "rewrite-core",
        add=[{"block": "Persona", "text": "Be brief", "evidence": list(EVIDENCE)}],
        drop=[{"bullet": "On the spike", "into": "person--alex"}],
        replace=[{"bullet": "Alex writes Python", "text": "Alex writes Rust"}],
    ),
)


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.op)
def test_an_operation_that_was_applied_changes_nothing_more(one) -> None:
    done = run(one)
    assert apply.apply_operation(tree(), one, STAMP).edits
    if one.op == "supersede-fact":
        with pytest.raises(Outdated):
            apply.apply_operation(done, one, STAMP)
    else:
        assert apply.apply_operation(done, one, STAMP).edits == {}


def test_a_fact_names_what_it_is_from() -> None:
    text = trees.read_text(run(operation("add-fact", entity="Alex", fact="plays chess")), ALEX)
    assert "- plays chess (source: episode:2026-02-01:10:00:00)\n" in text
    assert "updated: 2026-02-02" in text


def test_core_memory_is_rewritten_as_a_whole() -> None:
    done = run(OPERATIONS[-1])
    core = trees.read_text(done, "MEMORY.md")
    assert "- Alex writes Rust\n" in core
    assert "On the spike" not in core
    assert "## Persona\n- Be brief (source: episode:2026-02-01:10:00:00)\n" in core
    assert "- On the spike (source: core:active-context#" in trees.read_text(done, ALEX)


def test_a_commit_tells_what_was_carried_out_of_an_operation() -> None:
    there, gone = "core:active-context#1", "core:active-context#2"
    rows = [
        {"bullet": "On the spike"},
        {"bullet": gone},
        {"bullet": "Alex writes Python", "into": there},
    ]
    one = operation("rewrite-core", drop=rows).replace(evidence=(*EVIDENCE, gone, there))
    made = apply.apply_operation(tree(), one, STAMP)
    text = apply.make_change(made, one, STAMP, "partial").message
    assert text.startswith("[EDIT] MEMORY.md — core memory: 1 taken out\n")
    assert gone not in text


@pytest.mark.parametrize(
    "one",
    [
        operation("add-relation", **{"from": "Alex", "relation": "uses", "to": "Emacs"}),
        operation("merge-entities", into="person--alex", other="person--bob"),
        operation("upsert-entity", entity="Git"),
        operation("upsert-entity", entity="dragon:Smaug"),
        operation("rewrite-core", replace=[{"bullet": "gone", "text": "new"}]),
        operation("rewrite-core", add=[{"block": "Persona", "text": "word " * 3200}]),
    ],
    ids=lambda one: one.op,
)
def test_what_no_longer_applies_says_why(one) -> None:
    with pytest.raises(Outdated) as caught:
        apply.apply_operation(tree(), one, STAMP)
    assert caught.value.message


def test_a_relation_leads_from_one_entity_to_the_other() -> None:
    base = run(OPERATIONS[0])
    edge = operation("add-relation", **{"from": "Alex", "relation": "uses", "to": "tool--git"})
    text = trees.read_text(run(edge, base), ALEX)
    assert "- uses [[tool--git]] (confidence: medium, since: 2026-02-02)" in text


def test_an_entity_that_is_another_one_becomes_part_of_it() -> None:
    base = run(operation("upsert-entity", entity="person:Alexander", facts=["born in 1990"]))
    done = run(operation("merge-entities", into="person--alex", other="person--alexander"), base)
    assert done.entry("memory/graph/entities/person--alexander.md") is None
    assert "born in 1990" in trees.read_text(done, ALEX)


def test_what_does_not_apply_is_dropped_and_the_rest_is_done() -> None:
    lost = operation("supersede-fact", entity="Alex", fact="lives on Mars")
    found = apply.apply_all(tree(), [OPERATIONS[0], lost, OPERATIONS[2]], STAMP)
    assert [one.op for one, _ in found.applied] == ["upsert-entity", "add-fact"]
    assert [(one.op, "lives on Mars" in why) for one, why in found.dropped] == [
        ("supersede-fact", True)
    ]


def test_a_record_keeps_an_operation_as_it_is() -> None:
    for one in OPERATIONS:
        assert plan.from_item(plan.to_item(one)) == one
    assert plan.hash_plan(OPERATIONS) != plan.hash_plan(OPERATIONS[1:])


def test_the_schema_names_every_kind() -> None:
    each = plan.make_schema()["properties"]["operations"]["items"]["oneOf"]
    assert [one["properties"]["op"]["const"] for one in each] == list(plan.KINDS)


def test_a_proposal_that_waits_is_kept_and_taken_off_the_list() -> None:
    waiting = proposals.append_proposal(
        None,
        Proposal("scout", "Alex plays the cello", "2026-02-01T09:30:00Z", store="episodic"),
    )
    base = DictTree({"MEMORY.md": CORE.encode(), paths.PROPOSALS: waiting.encode()})
    (one,) = proposals.list_pending(waiting)
    accept = Operation("accept-proposal", {"proposal": one.id}, (one.id,), n=1)
    done = run(accept, base)
    text = trees.read_text(done, DAY)
    assert "Alex plays the cello" in text
    assert "source:subagent:scout" in text
    assert proposals.list_pending(trees.read_text(done, paths.PROPOSALS)) == ()
    with pytest.raises(Outdated, match="no proposal"):
        apply.apply_operation(done, accept, STAMP)
