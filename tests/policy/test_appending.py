"""A log that is plainly appended to is judged by its end, and as if all of it were read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt import policy, trees
from molt.formats import episodes
from molt.policy import Context, growth, texts
from molt.policy.engine import Submission, judge_commit
from molt.policy.rules import epi

DAY = "memory/episodes/2026-02-02.md"
TITLE = "# 2026-02-02 — Episode Log\n"
PARTS = (
    "\n## 10:00 | fact | confidence:high\nwords\n",
    "\n## 10:01 | fact | confidence:high\nat 10:02 sharp\n",
    "\n## 10:02 | fact | confidence:high | tags:[a]\n",
    "\n## 10:00:07 | decision | confidence:low\n# 2026-02-03 said\n",
    "##  10:03 | fact | confidence:high\nwords",
    "\n## 10:04 | rumour | confidence:high\nwords\n",
    "\n## 10:05 | fact\nwords\n",
    "\n## no time\nwords\n",
    "\n```\n## 10:06 | fact | confidence:high\n",
    "<!--\n",
    "-->\n",
    "\nloose text\n",
    "<<<<<<< ours\n",
    "\r\n## 10:07 | fact | confidence:high\r\nwords\r\n",
    "\n",
)


def judge(before: str, after: str, monkeypatch: pytest.MonkeyPatch | None = None) -> object:
    if monkeypatch:
        monkeypatch.setattr(growth, "appends_plainly", lambda *_: False)
    base = trees.DictTree({DAY: before.encode()} if before else {})
    message = "[APPEND] x — y\n\nActor: bot:main\nApproval: auto\nTrigger: t"
    rules = tuple(one for one in epi.RULES if one.code != "EPI001")
    context = Context(actor="bot:main")
    new = trees.DictTree({DAY: after.encode()})
    return judge_commit(rules, Submission(base, new, message), context)


@given(st.lists(st.sampled_from(PARTS), max_size=4), st.lists(st.sampled_from(PARTS), max_size=3))
@settings(max_examples=300, deadline=None)
def test_the_end_of_a_log_is_judged_like_all_of_it(before: list[str], added: list[str]) -> None:
    old = TITLE + "".join(before)
    quick = judge(old, old + "".join(added))
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert quick == judge(old, old + "".join(added), monkeypatch)


def test_a_plain_entry_needs_no_look_at_the_rest_of_the_day(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the day was read again")

    monkeypatch.setattr("molt.formats.episodes.parse", refuse)
    assert judge(TITLE + PARTS[0], TITLE + PARTS[0] + PARTS[2]) == ()


@pytest.mark.parametrize(
    ("there", "added", "plain"),
    [
        ("14:30", "14:31", True),
        ("14:30:05", "14:30:06", True),
        ("14:30", "14:30:01", True),
        ("14:30", "14:30:00", False),
        ("14:30:00", "14:30", False),
        ("14:30:05", "14:30:05", False),
    ],
)
def test_only_a_time_that_an_entry_has_is_taken(there: str, added: str, plain: bool) -> None:
    entry = "\n## {} | fact | confidence:high | tags:[a]\nwords of 14:30 and 14:31\n"
    log = TITLE + entry.format("09:00") + entry.format(there)

    assert episodes.is_well_formed(entry.format(added), log.encode()) is plain
    assert bool(judge(log, log + entry.format(added))) is not plain


def test_what_a_log_gains_is_numbered_by_its_own_lines_whatever_was_read_before() -> None:
    first, second = b"# a\n\none\n", b"# a\n\none\ntwo\nthree\n"
    third = second + b"four\n"
    other = b"x\n" * 9

    seen = [
        list(texts.list_added(*pair))
        for pair in ((first, second), (second, third), (other, other + b"y\n"), (second, third))
    ]

    assert seen == [[(4, "two"), (5, "three")], [(6, "four")], [(10, "y")], [(6, "four")]]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param("", "<<<<<<< ours\n", True, id="a marker is new"),
        pytest.param("<<<<<<< ours\n", "<<<<<<< ours\nx\n", False, id="it was there"),
        pytest.param("a\n", "a\nb <<<<<<< \n>>>>>>> x\n", True, id="it follows"),
        pytest.param("a", "a\n<<<<<<< x\n", True, id="the last line was open"),
    ],
)
def test_a_marker_of_a_conflict_counts_where_it_is_new(before: str, after: str, said: bool) -> None:
    day = "memory/episodes/2026-02-02.md"
    base, new = (trees.DictTree({day: text.encode()}) for text in (before, after))
    found = policy.evaluate(base, new, None, policy.Context(actor="manual"))
    assert any("marker of a conflict" in one.message for one in found) == said


def test_a_heading_of_another_day_counts_where_it_is_new() -> None:
    day, title = "memory/episodes/2026-02-02.md", "# 2026-02-01 — Episode Log\n"
    base = trees.DictTree({day: title.encode()})
    told = []
    for after in (title + "\n" + title, title + "words\n", title + "words\n# 2026-01-01\n"):
        new = trees.DictTree({day: after.encode()})
        found = policy.evaluate(base, new, None, policy.Context(actor="manual"))
        told.append([one.line for one in found if one.code == "EPI003"])
    assert told == [[], [], [3]]


@pytest.mark.parametrize(
    ("path", "before"),
    [
        pytest.param("memory/2026-01-02.md", "# A day\n\n- rain", id="note"),
        pytest.param(DAY, TITLE + PARTS[0].rstrip("\n"), id="entry"),
    ],
)
@pytest.mark.parametrize("actor", ["bot:main", "manual"])
def test_what_is_appended_to_a_line_without_an_end_is_told_so(path, before, actor) -> None:
    """`echo … >>` onto such a file: to append a correction is no way out of that."""
    line = before.count("\n") + 1
    message = f"[APPEND] {path} — y\n\nActor: {actor}\nApproval: —\nTrigger: t"
    rules = tuple(one for one in epi.RULES if one.code == "EPI001")
    context = Context(actor=actor)

    def judge_after(after: str) -> list[tuple[int, str, str]]:
        base, new = (trees.DictTree({path: text.encode()}) for text in (before, after))
        found = judge_commit(rules, Submission(base, new, message), context)
        return [(one.line or 0, one.message, one.hint) for one in found]

    ((place, said, hint),) = judge_after(before + "- hail\n")
    assert (place, said) == (
        line,
        f"line {line} ended without a line break, and what was appended runs on in it",
    )
    assert hint.startswith(f"put a line break into line {line}, before what was appended")
    assert judge_after(before + "\n- hail\n") == []
    ((_, said, _),) = judge_after(before.replace("rain", "sun").replace("words", "deeds"))
    assert "is changed; episodes are only appended to" in said
