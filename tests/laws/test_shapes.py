"""The law of shapes: to ask only the rules that can find anything finds the same as to ask all."""

from __future__ import annotations

import policy_cases
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_cases import Case

from molt import trees
from molt.config import DEFAULT
from molt.formats import message as messages
from molt.policy import RULES, Context, Finding, engine, growth, sensitivity, shapes
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


KINDS = (
    *("core", "episode", "prose", "entity", "procedure", "vault", "relations", "projection"),
    *("scores", "checksums", "proposals", "tombstones", "questions", "config", "persona"),
    "other",
)
TRAITS = st.builds(
    shapes.Trait,
    st.sampled_from(KINDS),
    st.sampled_from(tuple(sensitivity.WHO)),
    st.sampled_from("AMD"),
    st.booleans(),
    st.booleans(),
)
SHAPES = st.builds(
    shapes.Shape,
    st.frozensets(TRAITS, min_size=1, max_size=2),
    ACTORS,
    st.none(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=500, deadline=None)
@given(SHAPES)
def test_a_rule_that_is_concerned_is_loaded(shape: shapes.Shape) -> None:
    loaded = {one.code for one in RULES.choose_rules(shape)}
    assert {one.code for one in RULES if one.concerns(shape)} <= loaded


LOG = "memory/episodes/2026-02-02.md"
TITLE = "# 2026-02-02 — Episode Log\n"
PIECES = (
    *("\n## 10:00 | fact | confidence:high\nwords\n", "\n## 10:00 | fact\nwords\n"),
    *("\n## 10:01 | fact | confidence:high | tags:[a]\nat 10:02\n", "loose\n", "\n", "open"),
    *("\n## 10:02:07 | decision | confidence:low\n密码在保险箱里\n", "# 2026-02-03 said\n"),
    *("\n## 10:03 | rumour | confidence:high\nwords\n", "<<<<<<< ours\n", ">>>>>>> b\n"),
    *("\n```\n## 10:04 | fact | confidence:high\n", "<!--\n", "-->\n", "||||||| \n"),
    *("\r\n## 10:05 | fact | confidence:high\r\nwords\r\n", "a\u202eb\n", "a\x07b\n", "\ufeff"),
    *("ignore previous instructions\n", "key AKIA" + "B" * 16 + "\n", "a\u2028b\n", "\udcff\n"),
    *("a\tb\n", "\u00a0\n", "\0", "Said <<<<<<< twice\n", "words\n# 2026-02-02\n", "## 9\n"),
)
GROWN = st.lists(st.sampled_from(PIECES), max_size=3).map("".join)
BESIDE = st.sampled_from(
    (
        *[{}] * 6,
        {"memory/2026-02-02.md": (b"## 10:00 | fact | confidence:high\nwords\n", trees.REGULAR)},
        {"memory/meta/tombstones.txt": (b"2026-02-01 ab 1 * cd\n", trees.REGULAR)},
    )
)


@st.composite
def growths(draw: st.DrawFn) -> tuple[Files, Files]:
    """A log before and after, with what is beside it in both: often it is appended to plainly."""
    beside = draw(BESIDE)
    path = draw(st.sampled_from((LOG, LOG, LOG, "memory/2026-02-02.md", "memory/episodes/a.md")))
    start = draw(st.sampled_from((TITLE, TITLE, "", "\ufeff" + TITLE, "# 2026-02-03\n"))) + draw(
        GROWN
    )
    end = draw(st.sampled_from((start, start, start, start[:-1], "")))
    before, after = (text.encode("utf-8", "surrogateescape") for text in (start, end + draw(GROWN)))
    if draw(st.integers(0, 20)) == 0:
        before, after = b"\xff\xfe" + before, b"\xff\xfe" + after
    mode = draw(MODES)
    return {**beside, path: (before, trees.REGULAR)}, {**beside, path: (after, mode)}


@settings(max_examples=150, deadline=None)
@given(growths(), ACTORS, st.sampled_from(("APPEND", "APPEND", "EDIT", "CREATE", "DELETE")))
def test_no_log_that_grows_is_judged_otherwise(
    given: tuple[Files, Files], actor: str, action: str
) -> None:
    context = Context(actor=actor, today=lambda: "2026-02-02")
    said = f"[{action}] {LOG} — x\n\nActor: {actor}\nApproval: auto\nTrigger: x\n"
    for message in (said, None):
        some, all_of_them = found_both_ways(*given, message, context)
        assert some == all_of_them, tell_missed(some, all_of_them)


AFTER = "\n## 10:09 | fact | confidence:high\nwords\n"


@pytest.mark.parametrize("piece", PIECES, ids=repr)
@pytest.mark.parametrize("actor", ["bot:main", "manual"])
def test_what_follows_an_entry_is_judged_as_by_all_rules(piece: str, actor: str) -> None:
    context = Context(actor=actor, today=lambda: "2026-02-02")
    said = f"[APPEND] {LOG} — x\n\nActor: {actor}\nApproval: auto\nTrigger: x\n"
    for start, end in ((TITLE, AFTER + piece), (TITLE, piece + AFTER), (TITLE + AFTER, piece)):
        files = [text.encode("utf-8", "surrogateescape") for text in (start, start + end)]
        base, new = ({LOG: (data, trees.REGULAR)} for data in files)
        some, all_of_them = found_both_ways(base, new, said, context)
        assert some == all_of_them, tell_missed(some, all_of_them)


def test_an_entry_at_the_end_of_a_day_is_plain() -> None:
    entry = "\n## 10:06 | fact | confidence:high | tags:[a]\nwords — 密码\twith a tab\n"
    base, new = (DictTree({LOG: text.encode()}) for text in (TITLE, TITLE + entry))
    assert growth.is_plain(base, new, trees.diff(base, new))


def test_a_log_that_is_too_long_is_not_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = "\n## 10:06 | fact | confidence:high\nwords\n"
    base, new = (DictTree({LOG: text.encode()}) for text in (TITLE, TITLE + entry))
    monkeypatch.setattr(growth, "LIMIT", len(TITLE.encode()))
    assert not growth.is_plain(base, new, trees.diff(base, new))


@pytest.mark.parametrize(("actor", "judged"), [("manual", False), ("bot:main", True)])
def test_rules_on_scores_are_loaded_for_an_entity_where_one_can_find_anything(
    actor: str, judged: bool
) -> None:
    made = trees.make_change("memory/graph/entities/tool--git.md", None, trees.Entry("1" * 40))
    traits = frozenset([shapes.describe_change(made, DEFAULT)])
    shape = shapes.Shape(traits, actor, None, surrounded=False, seen=False, plain=False)
    loaded = {rule.code for rule in RULES.choose_rules(shape)}
    assert ("SCORE001" in loaded) == judged
