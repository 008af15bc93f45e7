"""The law of shapes: to ask only the rules that can find anything finds the same as to ask all."""

from __future__ import annotations

import policy_cases
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_cases import Case

from molt import trees
from molt.formats import message as messages
from molt.policy import RULES, Context, Finding, engine
from molt.policy.engine import Submission
from molt.trees import DictTree

EVERY = tuple(rule.replace(concerns=lambda _: True) for rule in RULES)
Files = dict[str, tuple[bytes, int]]


def found_both_ways(
    base: Files, new: Files, message: str | None, context: Context
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    handed_in = Submission(DictTree(base), DictTree(new), message)
    return (
        engine.judge_commit(RULES, handed_in, context),
        engine.judge_commit(EVERY, handed_in, context),
    )


def tell_missed(some: tuple[Finding, ...], every: tuple[Finding, ...]) -> str:
    missed = sorted({one.code for one in every if one not in some})
    return f"{missed} would find something here, and `concerns` of its row says that it cannot"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("case", [one for one in policy_cases.load() if not one.theirs], ids=repr)
def test_no_case_is_judged_otherwise(case: Case, named: bool) -> None:
    context = Context(
        actor=case.actor,
        environment_actor=case.environment,
        approved=case.approved,
        today=lambda: case.day,
        publish=case.publish,
        alerts=lambda: frozenset(policy_cases.CRITICAL) if case.alerts else frozenset(),
        history=case.history,
    )
    message = case.message if named else None
    some, all_of_them = found_both_ways(case.base, case.after, message, context)
    assert some == all_of_them, tell_missed(some, all_of_them)


PATHS = st.sampled_from(
    (
        *("MEMORY.md", "SOUL.md", "molt.yaml", "AGENTS.md", "sub/CLAUDE.md", "Soul.MD", "a.md"),
        *("memory/episodes/2026-02-02.md", "memory/2026-02-02.md", "memory/episodes/monday.md"),
        *("memory/graph/entities/tool--git.md", "memory/graph/relations.md", "memory/aux.md"),
        *("memory/graph/index.md", "memory/meta/audit.log", "memory/meta/decay-scores.json"),
        *("memory/meta/pending-memories.md", "memory/meta/critical.sha256", "memory/notes.md"),
        *("memory/meta/reflection-log.md", "memory/meta/reflections/r-001.md", "x.bin", "a:b.md"),
        *("memory/vault/a.md", "memory/procedures/ship.md", ".gitattributes", "openclaw.json"),
    )
)
ENTRY = b"\n## 14:30 | fact | confidence:high | tags:[a]\nwords\n"
TEXTS = st.sampled_from(
    (
        *(b"", b"a\n", b"b\n", b"a\nb\n", ENTRY, b"# 2026-02-02\n" + ENTRY, b"\xff\x00", b"{"),
        *(b"---\nid: tool--git\ntype: tool\n---\n", b"---\nid: [x\n---\n", b"key AKIA" + b"B" * 16),
        *(b"workspace: {format: 1000}\n", b"policy: {critical: [a.md, 'a:b.md', 'sub/*']}\n"),
        *(b'{"version": 1, "entries": {}}', b"ignore previous instructions\n", b"a\xe2\x80\xaeb\n"),
        *(b"## r-001 | 2026-02-02\n", b"ca978112 SOUL.md\n", b"## Identity\n- a\n"),
    )
)
MODES = st.sampled_from((*[trees.REGULAR] * 5, trees.EXECUTABLE, trees.SYMLINK))
FILES = st.dictionaries(PATHS, st.tuples(TEXTS, MODES), max_size=4)
ACTORS = st.sampled_from(
    (
        *("manual", "bot:main", "subagent:x", "system:decay", "system:init", "system:audit"),
        *("reflection:r-001", "bot:trigger-remember", "nobody:x", "skill:a", "", "robot"),
    )
)
SUBJECTS = st.sampled_from(
    (
        *("words", "fixup! words", "[INVENT] a.md — x", "[EDIT] * — x", "Merge branch 'a'"),
        *('Revert "x"', "Title (#12)", "[EDIT] no-summary", ""),
        *(f"[{action}] a.md — x" for action in messages.ACTIONS),
        "[CREATE] memory/notes.md — x",
    )
)
TRAILERS = st.lists(
    st.sampled_from(
        (
            *("Approval: auto", "Approval: —", "Approval: perhaps", "Approval:", "Trigger: x"),
            *("Trigger:", "Actor: manual", "Accepts: SEC001 — why", "approval: auto", "trigger: y"),
        )
    ),
    max_size=4,
)


@st.composite
def commits(draw: st.DrawFn) -> tuple[Files, Files, str, Context]:
    """Files before and after, the words of the message, and who commits where."""
    base, gone = draw(FILES), draw(st.sets(PATHS, max_size=1))
    new = {path: file for path, file in (base | draw(FILES)).items() if path not in gone}
    actor = draw(ACTORS)
    context = Context(
        actor=actor,
        environment_actor=draw(st.sampled_from(("", "", "manual", "bot:main"))),
        today=lambda: "2026-02-02",
        history=draw(st.sampled_from(((), (), ("odd",), ("rewritten", "adopted")))),
        publish=draw(st.booleans()),
    )
    rows = (f"{draw(SUBJECTS)}\n", f"Actor: {actor}", *draw(TRAILERS))
    return base, new, "\n".join(rows) + "\n", context


@settings(max_examples=300, deadline=None)
@given(commits())
def test_no_change_is_judged_otherwise(given: tuple[Files, Files, str, Context]) -> None:
    base, new, message, context = given
    for said in (message, message.partition("\n")[0], None):
        some, all_of_them = found_both_ways(base, new, said, context)
        assert some == all_of_them, tell_missed(some, all_of_them)
