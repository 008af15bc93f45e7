from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import lines
from molt.formats.meta import checksums, proposals, scores, sorted_scores
from molt.formats.meta.proposals import Proposal

SEED = '{\n"version": 1,\n"entries": {\n"b": {\n"store": "episodic"\n},\n"d": {}\n}\n}\n'
PENDING = """# Pending Memory Proposals
<!-- Sub-agents append proposals here. Main agent reviews and commits. -->
---
## Proposal #1
- **From**: researcher
- **Timestamp**: 2026-02-03T10:00:00Z
- **Trigger**: auto-detect
- **Suggested store**: semantic
- **Content**: User prefers academic sources: always
- **Entities**: [preference--source-quality]
- **Confidence**: medium
- **Core-worthy**: no
- **Status**: pending
- **Mood**: calm
"""
names = st.sampled_from(["a", "b", "c", "d", "é:日"])
entries = st.dictionaries(st.sampled_from(["store", "n"]), st.integers() | st.text(max_size=5))


@given(st.lists(st.tuples(names, st.none() | entries), max_size=8))
def test_entries_are_set_and_removed_one_at_a_time(
    steps: list[tuple[str, dict[str, object]]],
) -> None:
    text = scores.render_scores(scores.parse_scores(""))
    model: dict[str, object] = {}
    for name, entry in steps:
        text = scores.edit_entries(text, {name: entry})
        model[name] = entry
    left = {name: entry for name, entry in model.items() if entry is not None}
    assert scores.parse_scores(text)["entries"] == left
    assert scores.render_scores(scores.parse_scores(text)) == text


values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
fields = st.dictionaries(st.sampled_from(["n", "a b", "ü", '"']), values, min_size=1, max_size=3)


@given(st.dictionaries(names | st.text(max_size=3), fields, min_size=1), st.integers(0, 60))
def test_entries_are_found_as_json_has_them(every: dict[str, dict[str, object]], odd: int) -> None:
    text = scores.render_scores({"version": 1, "entries": every})
    # A number that is written otherwise, as somebody's hand may have done.
    for written in (text, text.replace(": 1\n", f": {odd - 30}e1\n", 1)):
        wanted = {name: repr(one) for name, one in json.loads(written)["entries"].items()}
        found = scores.find_entries(written, every)
        assert {name: repr(one) for name, one in found.items()} == wanted


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ('"archived"', '"\\u0061rchived"'),
        ('"status"', '"st\\u0061tus"'),
        ('"vault:b"', '"vault:\\u0062"'),
        ('"vault:b": {\n      ', '"vault:b": {'),
        ('"vault:b": {\n      ', '"vault:b":\n    {'),
        ('    "vault:b"', '  "vault:b"'),
    ],
)
def test_however_an_entry_is_written_it_says_the_same(plain: str, written: str) -> None:
    gone = {"current_score": 0, "status": "archived"}
    text = scores.render_scores({"version": 1, "entries": {"vault:a": {}, "vault:b": gone}})
    assert plain in text
    text = text.replace(plain, written)
    assert scores.list_forgotten(text) == ["vault:b"]
    assert scores.find_entries(text, ["vault:a", "vault:b"]) == {"vault:a": {}, "vault:b": gone}
    part = sorted_scores.keep_kind(text, "vault")
    if part is not None:
        alone = sorted_scores.cut_entry(part, "vault:b")
        assert scores.find_entries(alone, ["vault:b"]) == {"vault:b": gone}


@pytest.mark.parametrize("value", ["01", "1.", ".5", "+1", "1_0", "٣", "Infinity2", '"a\tb"', "1,"])
def test_what_json_does_not_read_is_no_entry(value: str) -> None:
    text = scores.render_scores({"version": 1, "entries": {"a": {"n": 7}}})
    with pytest.raises(ValueError, match=r".+"):
        scores.find_entries(text.replace("7", value), ["a"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_entry_set_leaves_every_other_byte(end: str) -> None:
    text = SEED.replace("\n", end)
    changed = scores.edit_entries(text, {"c": {"n": 1}})
    assert json.loads(changed)["entries"]["c"] == {"n": 1}
    assert scores.edit_entries(changed, {"c": None}) == text
    assert changed.count("\n") == changed.count(end)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"entries": []}', '{"entries": {"a": 1}}', "[" * 9999]
)
def test_scores_that_are_none_are_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        scores.parse_scores(text)


def test_checksums_are_those_of_sha256sum() -> None:
    sums = {"SOUL.md": "a" * 64, "a b.md": "b" * 64}
    assert checksums.parse_checksums(checksums.render_checksums(sums)) == sums
    assert checksums.parse_checksums(f"{'A' * 64} *x\nnonsense\n") == {"x": "a" * 64}


def test_the_proposals_of_the_design_are_read() -> None:
    (one,) = proposals.parse_proposals(PENDING)
    assert (one.number, one.agent, one.store) == (1, "researcher", "semantic")
    assert one.entities == ("preference--source-quality",)
    assert one.fields == (("Mood", "calm"),)
    assert proposals.malformed_proposals(PENDING) == ()


def test_a_flagged_proposal_is_read() -> None:
    (one,) = proposals.parse_proposals("## Proposal #3 ⚠️ CONFLICT with #4\n- **From**: a\n")
    assert (one.number, one.flag) == (3, "⚠️ CONFLICT with #4")


@given(
    st.sampled_from([None, PENDING, PENDING[:-1], PENDING.replace("\n", "\r\n")]),
    st.text(min_size=1),
)
def test_appending_a_proposal_keeps_the_text_before(text: str | None, content: str) -> None:
    longer = proposals.append_proposal(text, Proposal("coder", content))
    assert longer.startswith(text or "")
    *_, last = proposals.parse_proposals(longer)
    assert last.content == lines.one_line(content).strip()
    assert last.id.startswith("p-")
    assert last.number == (2 if text else 1)
    assert proposals.append_proposal(longer, Proposal("coder", content)) != longer


def test_a_proposal_is_removed_with_its_rule() -> None:
    longer = proposals.append_proposal(PENDING, Proposal("coder", "x"))
    assert proposals.remove_proposal(longer, "#2") == PENDING


def test_what_is_no_proposal_is_named() -> None:
    text = "# Pending Memory Proposals\nhello\n## Other\n---\n## Proposal #1\n- **From**: a\n"
    assert [line for line, _ in proposals.malformed_proposals(text)][:2] == [2, 3]


@given(st.text())
def test_reading_never_raises(text: str) -> None:
    proposals.parse_proposals(text)
    proposals.malformed_proposals(text)
    checksums.parse_checksums(text)


@given(
    st.lists(st.text(), unique=True, max_size=8),
    st.lists(st.text(), unique=True, max_size=4),
    st.data(),
)
def test_many_entries_at_once_are_as_many_one_by_one(known, more, data) -> None:
    text = scores.render_scores({"version": 1, "entries": {name: {"n": 0} for name in known}})
    changed = data.draw(st.lists(st.sampled_from(known + more or [""]), unique=True))
    entries = {name: {"n": 1} for name in changed}
    every = {name: {"n": 0} for name in known} | entries
    done = scores.edit_entries(text, entries)
    assert done == scores.render_scores({"version": 1, "entries": every})
    left = {name: every[name] for name in every if name not in entries}
    assert scores.parse_scores(scores.edit_entries(done, dict.fromkeys(entries)))["entries"] == left


@pytest.mark.parametrize("name", ["a{b", 'a": {', "a\\b", "a\n    b", "}"])
def test_a_name_that_looks_like_structure_is_a_name(name: str) -> None:
    entries = {"a": {"n": 1}, name: {"n": 2}, "z": {"text": "{"}}
    text = scores.render_scores({"version": 1, "entries": entries})
    for other in (*entries, "new"):
        changed = json.loads(scores.edit_entries(text, {other: {"n": 3}}))["entries"]
        assert changed == {**entries, other: {"n": 3}}
