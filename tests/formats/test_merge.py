"""What two clones wrote becomes one file: nothing is lost, and no id names two memories."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import bullets as listed
from molt.formats import entity, episodes
from molt.formats.merge import PATTERNS, merge
from molt.formats.merge.days import rename_episodes
from molt.formats.merge.result import MergeResult
from molt.formats.meta import checksums, proposals, scores
from molt.formats.meta.proposals import Proposal

DAY = "memory/episodes/2026-02-02.md"
NOTE = "memory/2026-02-02.md"
CORE = "MEMORY.md"
DOCKER = "memory/graph/entities/tool--docker.md"
SCORES = "memory/meta/decay-scores.json"
PENDING = "memory/meta/pending-memories.md"
SUMS = "memory/meta/critical.sha256"
LOG = "memory/meta/reflection-log.md"
TITLE = "# 2026-02-02 — Episode Log\n"


def entry(time: str, text: str) -> str:
    return f"\n## {time} | fact | confidence:high | tags:[]\n{text}\n"


def texts_of(log: str) -> list[str]:
    return [one.text for one in episodes.parse(log, "2026-02-02")]


def ids_of(log: str) -> list[str]:
    return [one.id for one in episodes.parse(log, "2026-02-02")]


# Few times, so that many entries meet in one second; the words say which side wrote them.
times = st.sampled_from(["10:00", "10:00:00", "10:00:01", "10:00:02", "23:59:59"])


def logs(side: str) -> st.SearchStrategy[list[tuple[str, str]]]:
    words = st.sampled_from([f"{side} one", f"{side} two\nin two lines", f"{side} ```\n\n# x"])
    return st.lists(st.tuples(times, words), max_size=5)


def grown(base: str, added: list[tuple[str, str]]) -> str:
    """A log to which molt has appended entries."""
    for time, text in added:
        one = episodes.Episode("2026-02-02", time, "fact", text=text)
        base, _ = episodes.append(base or None, one)
    return base


@given(logs("base"), logs("ours"), logs("theirs"), logs("more"))
def test_a_day_holds_every_entry_of_both_sides_and_no_id_twice(old, mine, yours, more) -> None:
    base = grown("", old)
    ours, theirs = grown(base, mine), grown(base, yours)
    made = merge(DAY, base or None, ours, theirs)
    assert not made.conflicts
    assert made.text.startswith(ours)
    assert sorted(texts_of(made.text)) == sorted(
        texts_of(ours) + texts_of(theirs)[len(texts_of(base)) :]
    )
    written = [one.time for one in episodes.parse(made.text)]
    assert len(set(written)) == len(written)
    assert ids_of(made.text)[: len(ids_of(ours))] == ids_of(ours)
    # An append to one side is one to the merged file: a rebase replays it so.
    after = grown(theirs, more)
    again = merge(DAY, theirs, made.text, after)
    assert again.text.startswith(made.text)
    assert len(texts_of(again.text)) == len(texts_of(made.text)) + len(more)


@given(logs("base"), logs("ours"), logs("theirs"))
def test_merging_a_day_is_the_same_both_ways_but_for_the_order(old, mine, yours) -> None:
    base = grown("", old)
    ours, theirs = grown(base, mine), grown(base, yours)
    one, other = merge(DAY, base, ours, theirs), merge(DAY, base, theirs, ours)
    assert sorted(texts_of(one.text)) == sorted(texts_of(other.text))
    assert sorted(ids_of(one.text)) == sorted(ids_of(other.text))
    assert len(one.moved) == len(other.moved)


@given(logs("base"), logs("ours"), logs("theirs"))
def test_what_is_merged_already_changes_nothing(old, mine, yours) -> None:
    base = grown("", old)
    ours, theirs = grown(base, mine), grown(base, yours)
    done = merge(DAY, base, ours, theirs).text
    assert merge(DAY, base, done, done) == MergeResult(done)
    assert merge(DAY, ours, done, ours) == MergeResult(done)
    assert merge(DAY, theirs, theirs, done) == MergeResult(done)


def test_an_entry_that_gets_another_second_is_followed_by_what_names_it() -> None:
    ours = TITLE + entry("10:00:01", "ours") + entry("10:00:02", "of episode:2026-02-02:10:00:01")
    said = "of episode:2026-02-02:10:00:01, episode:2026-02-02:10:00 and episode:2026-02-02:10:00:1"
    theirs = TITLE + entry("10:00:01", "theirs") + entry("10:00:05", said)
    made = merge(DAY, TITLE, ours, theirs)
    assert made.moved == (("episode:2026-02-02:10:00:01", "episode:2026-02-02:10:00:03"),)
    assert said.replace("10:00:01,", "10:00:03,") in made.text
    assert made.text.count("of episode:2026-02-02:10:00:01\n") == 1


def test_ids_that_follow_one_another_are_renamed_at_once() -> None:
    moved = {"episode:2026-02-02:10:00": "episode:2026-02-02:10:01"}
    moved |= {"episode:2026-02-02:10:01": "episode:2026-02-02:10:02"}
    text = "(source: episode:2026-02-02:10:00) episode:2026-02-02:10:01: episode:2026-02-02:10:00"
    told = "(source: episode:2026-02-02:10:01) episode:2026-02-02:10:02: episode:2026-02-02:10:01"
    assert rename_episodes(text, moved) == told


def test_a_replayed_commit_names_an_entry_that_was_told_apart_before() -> None:
    base = TITLE + entry("10:00:01", "mine")
    ours = TITLE + entry("10:00:01", "theirs") + entry("10:00:02", "mine")
    later = base + entry("10:00:09", "corrects episode:2026-02-02:10:00:01")
    made = merge(DAY, base, ours, later)
    assert made.text == ours + entry("10:00:09", "corrects episode:2026-02-02:10:00:02")


def test_one_entry_that_both_sides_have_stays_one() -> None:
    both = TITLE + entry("10:00:01", "picked")
    made = merge(DAY, TITLE, both + entry("10:00:02", "a"), both + entry("10:00:03", "b"))
    assert texts_of(made.text) == ["picked", "a", "b"]


def test_a_single_commit_that_is_picked_brings_its_entry_only() -> None:
    base = TITLE + entry("10:00:01", "not picked")
    ours = TITLE + entry("10:00:05", "ours")
    made = merge(DAY, base, ours, base + entry("10:00:02", "picked"))
    assert made == MergeResult(ours + entry("10:00:02", "picked"))


def test_text_that_goes_on_in_an_entry_stays_with_it() -> None:
    base = TITLE + entry("09:00", "begun")
    ours = base + "and ended\n" + entry("10:00:01", "ours")
    theirs = base + entry("10:00:02", "theirs")
    for made in (merge(DAY, base, ours, theirs), merge(DAY, base, theirs, ours)):
        assert not made.conflicts
        assert texts_of(made.text)[0] == "begun\nand ended"
        assert sorted(texts_of(made.text)[1:]) == ["ours", "theirs"]


def test_two_people_who_go_on_in_one_entry_decide_themselves() -> None:
    base = TITLE + entry("09:00", "begun")
    made = merge(DAY, base, base + "one way\n", base + "another\n" + entry("10:00", "b"), mark=9)
    assert made.conflicts
    assert "<<<<<<<<< ours\none way\n=========\nanother\n" in made.text
    assert "b\n" in made.text


def test_prose_of_both_sides_stands_one_below_the_other() -> None:
    base = "# Monday\n\n## Morning\n- coffee"
    made = merge(NOTE, base, base + "\n- ours\n", base + "\n- theirs\n\n## Evening\ntea\n")
    whole = f"{base}\n- ours\n- theirs\n\n## Evening\ntea\n"
    assert made == MergeResult(whole)


def test_a_section_put_above_the_last_one_stays_there() -> None:
    base = "# Monday\n\n## Morning\ncoffee\n\n## Stats\n1\n"
    ours = base.replace("## Stats", "## Noon\nours\n\n## Stats")
    theirs = base.replace("## Stats\n1", "## Stats\n2")
    assert merge(NOTE, base, ours, theirs).text == ours.replace("\n1\n", "\n2\n")
    both = merge(NOTE, base, base.replace("\n1\n", "\n3\n"), theirs)
    assert both.conflicts
    assert "<<<<<<< ours\n3\n=======\n2\n>>>>>>> theirs\n" in both.text


def test_what_one_side_took_out_stays_out_and_the_other_side_s_entries_come_in() -> None:
    base = TITLE + entry("09:00", "secret") + entry("10:00", "kept")
    forgot = TITLE + entry("10:00", "kept")
    grew = base + entry("11:00", "new")
    for made in (merge(DAY, base, forgot, grew), merge(DAY, base, grew, forgot)):
        assert not made.conflicts
        assert texts_of(made.text) == ["kept", "new"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_stay_those_of_ours(end) -> None:
    ours = (TITLE + entry("10:00:01", "ours")).replace("\n", end)
    theirs = (TITLE + entry("10:00:01", "theirs")).replace("\n", "\r\n" if end == "\n" else "\n")
    made = merge(DAY, None, ours, theirs)
    assert made.text.count("\n") == made.text.count(end)
    assert texts_of(made.text) == ["ours", "theirs"]


@pytest.mark.slow
def test_a_day_that_is_full_is_merged_all_the_same() -> None:
    clock = [f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}" for n in range(86_400)]
    base = "".join(f"## {time} | fact | confidence:high\n" for time in clock[:-1])
    ours, theirs = base + entry("23:59:59", "ours"), base + entry("23:59:59", "theirs")
    made = merge(DAY, base, ours, theirs)
    assert (made.moved, made.conflicts) == ((), ())
    assert made.text.endswith("theirs\n")


def test_both_decisions_about_a_reflection_are_kept_and_one_that_both_have_once() -> None:
    base = "# Reflection Log\n"
    first = "\n## r-001 | 2026-02-01 | approved | 1 of 1\n- **By**: manual\n"
    ours = base + first + "\n## r-002 | 2026-02-02 | approved | 1 of 1\n"
    theirs = base + first + "\n## r-002 | 2026-02-02 | rejected | 0 of 1\n"
    assert merge(LOG, base, ours, theirs).text == ours + theirs[len(base + first) :]


HEAD = "# MEMORY.md — Core Memory\n"
BLOCKS = ("Identity", "Active Context", "Persona", "Critical Facts")
words = st.sampled_from(["tea", "coffee", "tea with\n  milk", "water", "- odd", "~~tea~~"])
bullets = st.lists(words, max_size=6)


def core(blocks: list[list[str]]) -> str:
    rows = [HEAD]
    for title, items in zip(BLOCKS, blocks, strict=True):
        rows.append(f"\n## {title}\n<!-- budget -->\n" + "".join(f"- {one}\n" for one in items))
    return "".join(rows)


def said(text: str, title: str) -> list[str]:
    return [" ".join(one.text.split()) for one in listed.bullets(text, title)]


def number(items: list[str]) -> set[tuple[str, int]]:
    """Each item and which of several like it it is."""
    return {(item, items[:at].count(item)) for at, item in enumerate(items)}


@given(*[st.tuples(bullets, bullets, bullets, bullets).map(list)] * 3)
def test_blocks_are_united(old, mine, yours) -> None:
    base, ours, theirs = map(core, (old, mine, yours))
    made, other = merge(CORE, base, ours, theirs), merge(CORE, base, theirs, ours)
    assert not made.conflicts
    for title in BLOCKS:
        before, one, two = (number(said(text, title)) for text in (base, ours, theirs))
        # What either side has is there, unless the other side took it out; and nothing else.
        kept = sorted(item for item, _ in (one & two) | ((one | two) - before))
        assert sorted(said(made.text, title)) == sorted(said(other.text, title)) == kept


def test_a_bullet_that_both_have_changed_is_kept_twice_and_in_its_place() -> None:
    base = core([["a", "tea", "z"], [], [], []])
    made = merge(CORE, base, base.replace("- tea", "- tea, hot"), base.replace("- tea", "- no tea"))
    assert said(made.text, "Identity") == ["a", "tea, hot", "no tea", "z"]


def test_a_block_that_one_side_made_comes_where_it_stood() -> None:
    base = "# M\n\n## Identity\n- a\n\n## Critical Facts\n- z\n"
    theirs = base.replace("## Critical", "## Persona\n- p\n\n## Critical")
    ours = base.replace("- z\n", "- z\n- y\n")
    assert merge(CORE, base, ours, theirs).text == theirs.replace("- z\n", "- z\n- y\n")
    assert merge(CORE, base, theirs, ours).text == theirs.replace("- z\n", "- z\n- y\n")


def test_a_block_that_one_side_took_out_stays_out_unless_the_other_changed_it() -> None:
    base = "# M\n\n## Identity\n- a\n\n## Notes\n- n\n"
    without = "# M\n\n## Identity\n- a\n"
    changed = base.replace("- n\n", "- n\n- new\n")
    assert (
        merge(CORE, base, without, base.replace("- a", "- b")).text == "# M\n\n## Identity\n- b\n"
    )
    assert merge(CORE, base, without.replace("- a", "- b"), changed).text == changed.replace(
        "- a", "- b"
    )


TWICE = "# M\n\n## Day\n- a\n\n## Notes\n- n\n\n## Day\n- b\n"


def test_sections_of_one_title_are_told_apart_by_their_order() -> None:
    ours, theirs = TWICE.replace("- a", "- a\n- first"), f"{TWICE}- second\n"
    both = ours.replace("- b", "- b\n- second")
    assert merge(CORE, TWICE, ours, theirs).text == both
    assert not merge(CORE, TWICE, f"{TWICE}- c\n", f"{TWICE}- d\n").conflicts


def test_a_side_that_makes_another_section_of_a_title_is_merged_by_line() -> None:
    ours = TWICE.replace("## Notes", "## Day\n- mine\n\n## Notes")
    made = merge(CORE, TWICE, ours, f"{TWICE}- c\n")
    assert (made.conflicts, made.text) == ((), f"{ours}- c\n")


def test_prose_that_both_add_to_core_memory_is_kept_and_what_both_change_is_left_to_a_person():
    base = "# M\n\nI am an agent.\n"
    made = merge(CORE, base, base + "\nOurs.\n", base + "\nTheirs.\n")
    assert (made.conflicts, made.text) == ((), base + "\nOurs.\n\nTheirs.\n")
    other = merge(CORE, base, base.replace("an", "our"), base.replace("an", "their"))
    assert other.conflicts
    assert "I am our agent" in other.text
    assert "I am their agent" in other.text


FRONT = """---
id: tool--docker
type: tool
label: Docker
aliases: [moby]
tags: [a, b]
created: 2026-01-02
updated: 2026-01-02
---
# Docker

## Summary

## Facts
- f

## Timeline

## Open Questions

## Relations
- uses [[tool--linux]]
"""


def test_front_matter_is_merged_key_by_key() -> None:
    ours = FRONT.replace("[a, b]", "[b, c]").replace("updated: 2026-01-02", "updated: 2026-01-09")
    theirs = FRONT.replace("[a, b]", "[a, b, d]").replace(
        "updated: 2026-01-02", "updated: 2026-01-05"
    )
    ours, theirs = (
        ours.replace("label", "pinned: true\nlabel"),
        theirs.replace("[moby]", "[moby, d]"),
    )
    made = entity.parse_entity(merge(DOCKER, FRONT, ours, theirs).text, "tool--docker")
    assert (made.tags, made.aliases, made.pinned) == (("b", "c", "d"), ("moby", "d"), True)
    assert (made.created, made.updated) == ("2026-01-02", "2026-01-09")


def test_two_labels_are_left_to_a_person() -> None:
    made = merge(
        DOCKER, FRONT, FRONT.replace("l: Docker", "l: A"), FRONT.replace("l: Docker", "l: B")
    )
    assert made.conflicts == ("both sides changed `label`",)
    assert "<<<<<<< ours\nlabel: A\n=======\nlabel: B\n>>>>>>> theirs\n" in made.text


def test_one_entity_that_both_sides_made_has_both_names_and_all_facts() -> None:
    other = FRONT.replace("Docker", "Docker Engine").replace("- f\n", "- g\n")
    other = other.replace("created: 2026-01-02", "created: 2026-01-01")
    result = merge(DOCKER, None, FRONT, other)
    made = entity.parse_entity(result.text, "tool--docker")
    assert not result.conflicts
    assert (made.label, made.aliases) == ("Docker", ("moby", "Docker Engine"))
    assert (made.facts, made.created, made.updated) == (("f", "g"), "2026-01-01", "2026-01-02")
    assert result.text.count("# Docker\n") == 1


def test_two_summaries_are_left_to_a_person_and_the_facts_are_not() -> None:
    ours = FRONT.replace("## Summary\n", "## Summary\nA box.\n").replace("- f\n", "- f\n- g\n")
    theirs = FRONT.replace("## Summary\n", "## Summary\nA ship.\n").replace("- f\n", "- f\n- h\n")
    made = merge(DOCKER, FRONT, ours, theirs)
    assert made.conflicts == ("both sides changed the same lines in `summary`",)
    assert said(made.text, "Facts") == ["f", "g", "h"]


def test_steps_are_no_list_to_be_united() -> None:
    base = "---\nid: a\n---\n# A\n\n## Steps\n1. go\n\n## Notes\n- n\n"
    ours = base.replace("1. go\n", "1. go\n2. left\n").replace("- n\n", "- n\n- ours\n")
    theirs = base.replace("1. go\n", "1. go\n2. right\n").replace("- n\n", "- n\n- theirs\n")
    made = merge("memory/procedures/a.md", base, ours, theirs)
    assert made.conflicts == ("both sides changed the same lines in `steps`",)
    assert said(made.text, "Notes") == ["n", "ours", "theirs"]


@pytest.mark.parametrize(
    "front",
    [
        pytest.param("---\nid: a\nid: b\n---\n", id="a key twice"),
        pytest.param("---\n- a\n---\n", id="no mapping"),
        pytest.param("", id="none"),
    ],
)
def test_what_is_no_plain_note_is_merged_by_line(front) -> None:
    base = f"{front}# A\n\n## X\none\n\n## X\ntwo\n"
    ours, theirs = base.replace("one", "1"), base.replace("two", "2")
    assert merge(DOCKER, base, ours, theirs) == MergeResult(ours.replace("two", "2"))
    both = merge(DOCKER, base, ours, base.replace("one", "I"))
    assert both.conflicts
    assert "<<<<<<< ours\n1\n=======\nI\n>>>>>>> theirs\n" in both.text


def scored(**fields: object) -> str:
    kept = {"access_count": 1, "created": "2026-01-01T00:00:00Z", **fields}
    return scores.render_scores({"version": 1, "entries": {"entity:x": kept}})


def score(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text)["entries"]["entity:x"]
    return found


def test_uses_add_up_over_the_base_and_the_latest_time_wins() -> None:
    base = scored(access_count=3, last_accessed="2026-01-03T00:00:00Z")
    ours = scored(access_count=5, last_accessed="2026-01-05T00:00:00Z")
    theirs = scored(access_count=10, last_accessed="2026-01-04T00:00:00Z", pinned=True)
    made = score(merge(SCORES, base, ours, theirs).text)
    assert (made["access_count"], made["last_accessed"]) == (12, "2026-01-05T00:00:00Z")
    assert made["pinned"] is True


def test_a_memory_that_both_sides_used_first_was_written_once() -> None:
    made = merge(SCORES, None, scored(access_count=4), scored(access_count=6))
    assert score(made.text)["access_count"] == 9


def test_what_one_side_forgot_stays_forgotten_however_often_the_other_used_it() -> None:
    base = scored(status="active", current_score=0.8)
    forgot = scored(status="archived", current_score=0.0)
    used = scored(status="active", current_score=0.8, access_count=9)
    for made in (merge(SCORES, base, forgot, used), merge(SCORES, base, used, forgot)):
        found = score(made.text)
        assert (found["status"], found["current_score"]) == ("archived", 0.0)
        assert found["access_count"] == 9


counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), max_size=6)


def fold(old: dict[str, int], uses: dict[str, int], day: str) -> str:
    """Scores to which a clone has added uses; being written is one."""
    entries = {
        name: {"access_count": count, "last_accessed": "2026-01-01"} for name, count in old.items()
    }
    for name, count in uses.items():
        entries[name] = {"access_count": old.get(name, 1) + count, "last_accessed": day}
    return scores.render_scores({"version": 1, "entries": entries})


@given(counts, counts, counts)
def test_no_use_is_lost_and_the_order_of_sides_does_not_matter(old, mine, yours) -> None:
    base, ours, theirs = (
        fold(old, {}, ""),
        fold(old, mine, "2026-01-02"),
        fold(old, yours, "2026-01-03"),
    )
    made = merge(SCORES, base, ours, theirs)
    assert made == merge(SCORES, base, theirs, ours)
    found = json.loads(made.text)["entries"]
    assert found.keys() == {*old, *mine, *yours}
    for name, one in found.items():
        assert one["access_count"] == old.get(name, 1) + mine.get(name, 0) + yours.get(name, 0)


def test_a_side_that_cannot_be_read_loses_to_the_one_that_can() -> None:
    good, other = scored(access_count=5), scored(access_count=2)
    marked = good.replace("{\n", "<<<<<<< ours\n{\n", 1)
    assert score(merge(SCORES, other, marked, good).text)["access_count"] == 5
    assert merge(SCORES, other, marked, marked + " ").conflicts
    for bad in ('"access_count": 1e999', '"access_count": NaN', '"access_count": -2'):
        odd = good.replace('"access_count": 5', bad)
        assert score(merge(SCORES, other, odd, scored(access_count=4)).text)["access_count"] == 3


def proposal(agent: str, text: str, **more: object) -> Proposal:
    return Proposal(agent, text, "2026-02-02T10:00:00Z", "x", confidence="high").replace(**more)


def pending(*every: Proposal) -> str:
    text = ""
    for one in every:
        text = proposals.append_proposal(text or None, one)
    return text


def test_proposals_keep_their_ids_and_get_numbers_that_are_free() -> None:
    base = pending(proposal("x", "seed"))
    ours = proposals.append_proposal(base, proposal("a", "ours"))
    theirs = proposals.append_proposal(base, proposal("b", "one"))
    flag = f"{proposals.CONFLICT} with #2"
    theirs = proposals.append_proposal(theirs, proposal("b", "two", flag=flag))
    made = merge(PENDING, base, ours, theirs)
    found = proposals.parse_proposals(made.text)
    assert made.text.startswith(ours)
    assert not proposals.malformed_proposals(made.text)
    assert [(one.number, one.content) for one in found] == [
        *((1, "seed"), (2, "ours"), (3, "one"), (4, "two"))
    ]
    assert found[3].flag == f"{proposals.CONFLICT} with #3"
    before = {one.content: one.id for one in proposals.parse_proposals(theirs)}
    assert {one.content: one.id for one in found if one.content in before} == before


def test_a_proposal_that_one_side_decided_is_as_that_left_it() -> None:
    base = pending(proposal("x", "one"), proposal("x", "two"), proposal("x", "three"))
    first, second, _ = proposals.parse_proposals(base)
    ours = proposals.remove_proposal(base, first.id)
    theirs = base.replace("- **Status**: pending", "- **Status**: deferred", 2).replace(
        "- **Status**: deferred", "- **Status**: pending", 1
    )
    theirs = proposals.append_proposal(theirs, proposal("y", "new"))
    for made in (merge(PENDING, base, ours, theirs), merge(PENDING, base, theirs, ours)):
        found = {one.content: one.status for one in proposals.parse_proposals(made.text)}
        assert found == {"two": "deferred", "three": "pending", "new": "pending"}
        assert not made.conflicts
    other = base.replace("pending", "deferred")
    assert merge(PENDING, base, ours, other).text.count("## Proposal #") == 3
    odd = base.replace(
        f"- **Id**: {second.id}\n- **From**: x", f"- **Id**: {second.id}\n- **From**: z"
    )
    assert merge(PENDING, base, odd, other).conflicts


def test_acknowledgements_are_united_file_by_file() -> None:
    one, two, three = ("1" * 64, "2" * 64, "3" * 64)
    base = checksums.render_checksums({"a": one, "b": one, "gone": one})
    ours = checksums.render_checksums({"a": two, "b": one, "both": two})
    theirs = checksums.render_checksums({"a": one, "b": three, "both": three, "gone": one})
    made = merge(SUMS, base, ours, theirs)
    assert checksums.parse_checksums(made.text) == {"a": two, "b": three, "both": two}
    assert not made.conflicts


@given(st.sampled_from([DAY, NOTE, CORE, DOCKER, SCORES, PENDING, SUMS, LOG]), *[st.text()] * 3)
def test_no_text_breaks_a_merge_and_equal_sides_need_none(path, base, ours, theirs) -> None:
    merge(path, base, ours, theirs)
    merge(path, None, ours, theirs)
    assert merge(path, base, ours, ours).text == ours
    assert merge(path, base, ours, base).text == ours
    assert merge(path, base, base, theirs).text == theirs


def test_every_pattern_is_that_of_a_format() -> None:
    assert len(set(PATTERNS)) == len(PATTERNS) == 10
