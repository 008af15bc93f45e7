from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from molt.formats import frontmatter
from molt.formats.reflections import histories, parts, plan
from molt.formats.reflections import record as reflections_record
from molt.formats.reflections import summary as reflection_records
from molt.formats.reflections.histories import Digest, Evolution, Insight, ReflectionEntry
from molt.formats.reflections.parts import Part
from molt.formats.reflections.record import Decision, ReflectionItem, ReflectionRecord
from molt.formats.reflections.summary import Summary

PENDING = """# Reflection Summary — 2026-02-02
## 🧠 New Knowledge Extracted
- Ada would rather mend a plan than replace it
- New entity: concept--bernoulli-numbers (connected to project--note-g)
## 🔗 New Connections
- person--ada → prefers → concept--small-steps (NEW)
## 📦 Proposed Archival (decay score < 0.05)
- Episode 2025-12-15: a talk about paper sizes (score: 0.03)
## ⚠️ Contradictions Detected
- None this cycle
## ✏️ Core Memory Changes
```diff

## Active Context
- Currently working on: [drafts of note G]
+ Currently working on: [note G — drafts are done]
```
## 🌱 Philosophical Evolution
### What I've Learned About Learning
This goes on from Reflection #3.

### Emergent Theme
Ada chooses "both" over "either".
## ❓ Questions for You
- Should the printer's address go to the vault?
---
**Reflection #**: 5
**Token budget used**: 5,200 / 8,000
**Memories processed**: 23 episodes, 8 entities, 3 procedures
**Reflections reviewed**: 4 past reflections
**Next scheduled reflection**: 2026-02-03 03:00
> Reply with `approve`, `approve with changes`, or `reject` to apply this reflection.
"""
SAMPLE = ReflectionRecord(
    id="r-005",
    base="0f3e" * 10,
    created="2026-02-02T03:00:00Z",
    items=(
        ReflectionItem(
            1, "add-fact", "記憶: é", ("episode:2026-02-01:10:00",), 'said "so"', ("a.md",)
        ),
        ReflectionItem(
            2, "archive", "paper sizes", more=(("text", "two\nlines\x85\ud800"), ("deep", [{}]))
        ),
    ),
    fields=(("engine", "rules"), ("odd key: #", {"a": [1, None]})),
    summary=reflection_records.parse_summary(PENDING),
)
LOG = """# Reflection Log

## r-001 | 2026-01-05 | rejected | 0 of 2
- **By**: manual
- **Rejected**: 1 (too early)
- **Rejected**: 2
- **Mood**: calm
"""
EVOLUTION = """# Evolution

Free words.

## Threads
- Does Ada like lists?

## Insights
- 2026-01-05 (r-001): One step at a time
- an old one: undated

## Milestones

## Other
1. kept
"""
ARCHIVE = """# Audit Digest — January 2026
## Summary
- 142 total mutations across 18 files
## Notable Events
- 2026-01-15: Begun
"""
FILES = (PENDING, reflections_record.render_record(SAMPLE), LOG, EVOLUTION, ARCHIVE)
rough = st.text(st.sampled_from('ab é日\n\r\t\x85\u2028#-*`~:|>.<![]"\\{}()0 ') | st.characters())
word = st.text(st.sampled_from("abé日x"), min_size=1, max_size=6)
phrase = st.lists(word, min_size=1, max_size=4).map(" ".join)
phrases = st.lists(phrase, max_size=3).map(tuple)
date = st.dates().map(str)
number = st.integers(0, 10**6)
name = number.map(lambda n: f"r-{n:03d}")
key = st.sampled_from(["Mood", "Größe", "心"])
pairs = st.lists(st.tuples(key, phrase), max_size=2).map(tuple)
prose = st.lists(
    phrase
    | st.sampled_from(["- a", "### b", "", "> c", "```diff\n## d\n- e\n```", "    f", "---"]),
    max_size=5,
).map(lambda rows: "\n".join(rows).strip())
section = st.builds(
    Part, st.sampled_from([*reflection_records.SECTIONS.values(), "Other (new)"]), prose
)
summaries = st.builds(
    Summary, date=date, sections=st.lists(section, max_size=4).map(tuple), number=number,
    budget=phrase, processed=phrase, reviewed=phrase, following=phrase, fields=pairs, note=phrase,
    intro=phrase, title=phrase,
)  # fmt: skip
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(word, inner, max_size=2),
    max_leaves=4,
)
mores = st.dictionaries(word, jsons, max_size=2).map(lambda found: tuple(found.items()))
items = st.builds(ReflectionItem, number, phrase, phrase, phrases, phrase, phrases, phrase, mores)
records = st.builds(
    ReflectionRecord, id=name, status=st.sampled_from(reflections_record.STATUSES),
    base=phrase, plan_hash=phrase,
    created=date, decided=date, by=phrase, reason=phrase,
    items=st.lists(items, max_size=3).map(tuple), fields=mores, summary=summaries,
)  # fmt: skip
entries = st.builds(
    ReflectionEntry, name, date, phrase, number, number, phrase, phrase, phrases, phrases, pairs
)
insights = st.builds(Insight, phrase) | st.builds(Insight, phrase, date, name | st.just(""))
others = st.lists(st.builds(Part, st.sampled_from(["Other", "Äther"]), prose), max_size=2).map(
    tuple
)
evolutions = st.builds(
    Evolution, phrases, st.lists(insights, max_size=3).map(tuple), phrases, others, phrase, phrase
)
months = st.dates().map(lambda day: str(day)[:7])
digests = st.builds(Digest, months, phrases, phrases)


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that one text has in place of the other's, between what both begin and end with."""
    old, new = before.splitlines(True), after.splitlines(True)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


@given(summaries)
def test_a_summary_is_what_was_written(summary: Summary) -> None:
    text = reflection_records.render_summary(summary)
    assert reflection_records.parse_summary(text) == summary
    assert text.endswith("\n")


@given(records)
@example(ReflectionRecord("r-000", fields=(("a", -(10**38)),)))
def test_a_record_is_what_was_written_and_yaml_to_others(record: ReflectionRecord) -> None:
    text = reflections_record.render_record(record)
    assert reflections_record.parse_record(text) == record
    data = yaml.safe_load(frontmatter.split_front_matter(text)[0] or "")
    assert [one["n"] for one in data["items"]] == [one.n for one in record.items]
    assert [one["summary"] for one in data["items"]] == [one.summary for one in record.items]


@given(st.lists(entries, max_size=3))
def test_a_log_is_what_was_written(found: list[ReflectionEntry]) -> None:
    assert histories.parse_log(histories.render_log(found)) == tuple(found)


@given(evolutions)
def test_an_evolution_is_what_was_written(evolution: Evolution) -> None:
    assert histories.parse_evolution(histories.render_evolution(evolution)) == evolution


@given(st.lists(digests, max_size=3, unique_by=lambda one: one.month))
def test_an_archive_is_what_was_written(found: list[Digest]) -> None:
    text = ""
    for one in found:
        text = histories.append_digest(text, one)
    assert histories.parse_archive(text) == tuple(found)


def test_the_shape_of_the_design_is_read() -> None:
    found = reflection_records.parse_summary(PENDING)
    assert (found.date, found.number, found.budget) == ("2026-02-02", 5, "5,200 / 8,000")
    assert found.following == "2026-02-03 03:00"
    assert found.note == reflection_records.REPLY
    assert all(found.section(name) for name in reflection_records.SECTIONS)
    assert len(found.sections) == 7
    assert found.section("contradictions detected") == "- None this cycle"
    assert found.section("core").startswith("```diff\n\n## Active Context\n- Curr")
    assert found.section("core").endswith("done]\n```")
    assert "\n\n### Emergent Theme\n" in found.section("evolution")
    assert reflection_records.parse_summary(PENDING.replace("\n", "\r\n")) == found
    assert reflection_records.parse_summary(reflection_records.render_summary(found)) == found


def test_a_record_keeps_what_a_line_cannot_hold() -> None:
    assert reflections_record.parse_record(reflections_record.render_record(SAMPLE)) == SAMPLE


@example("", "", "#")
@given(rough, rough, rough)
def test_no_text_breaks_out_of_its_place(title: str, body: str, said: str) -> None:
    text = reflection_records.render_summary(
        Summary(said, (Part(title, body), Part("Last", "x")), 7, said, note=said, intro=body)
    )
    found = reflection_records.parse_summary(text)
    assert (len(found.sections), found.number, found.section("last")) == (2, 7, "x")
    assert reflection_records.render_summary(found) == text
    item = ReflectionItem(1, said, said, (said,), said, more=((title, said),))
    record = ReflectionRecord(
        "r-001", by=said, reason=said, items=(item,), fields=((f"x{title}", body),)
    )
    again = reflections_record.parse_record(reflections_record.render_record(record))
    assert (again.items[0].n, again.by) == (1, parts.to_one_line(said))
    assert dict(again.items[0].more).get(title, said) == said
    entry = ReflectionEntry("r-001", said, title, by=said, insights=(said, said))
    assert histories.listed_ids(histories.render_log((entry, ReflectionEntry("r-002")))) == {
        "r-001",
        "r-002",
    }


@given(rough)
def test_reading_never_raises(text: str) -> None:
    for one in (text, f"---\n{text}\n---\n{text}", f"---\nitems:\n  - {text}\n---\n"):
        reflection_records.parse_summary(one)
        reflections_record.parse_record(one)
        histories.parse_log(f"## r-001 | {one}")
        histories.parse_evolution(one)
        histories.parse_archive(f"# Audit Digest — {one}")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_a_decision_changes_only_its_lines(end: str, last: str) -> None:
    text = (FILES[1].rstrip("\n") + last).replace("\n", end)
    decision = Decision("partial", "2026-02-03T08:00:00Z", "manual", "no\nneed")
    done = reflections_record.set_decision(text, decision)
    both = zip(text.split("\n"), done.split("\n"), strict=True)
    touched = [new.split(":")[0] for old, new in both if old != new]
    assert touched == ["status", "decided", "by", "reason"]
    assert done.count("\n") == done.count(end) == text.count("\n")
    found = reflections_record.parse_record(done)
    assert (found.status, found.by, found.reason) == ("partial", "manual", "no need")
    assert (found.items, found.fields) == (SAMPLE.items, SAMPLE.fields)
    assert found.summary == SAMPLE.summary
    assert reflections_record.set_decision(done, decision.replace(reason="no need")) == done


def test_items_of_another_form_are_read_and_stay() -> None:
    head = "---\n# by hand\nid: r-007\nmine: 1\nitems:\n"
    text = f"{head}- n: 1\n  op: pin\n- {{n: 2, op: pin, x: y}}\n---\n"
    assert [one.op for one in reflections_record.parse_record(text).items] == ["pin", "pin"]
    done = reflections_record.set_decision(text, Decision("approved", "", ""))
    found = reflections_record.parse_record(done)
    assert found.items[1].more == (("x", "y"),)
    assert found.fields == (("mine", 1),)
    assert done.startswith(f"{head}- n: 1\n")


def test_items_are_read_below_front_matter_that_is_broken() -> None:
    text = '---\nid: [r\nitems:\n  - {"n": 3, "op": "pin"}\n---\n# x\n'
    assert reflections_record.parse_record(text).items == (ReflectionItem(3, "pin"),)


@given(entries, st.sampled_from([None, LOG, LOG[:-1], LOG.replace("\n", "\r\n"), "free words"]))
def test_a_log_is_only_appended_to(entry: ReflectionEntry, text: str | None) -> None:
    entry = entry.replace(id="r-123")
    longer = histories.append_entry(text, entry)
    assert longer.startswith(text or histories.LOG_TITLE)
    assert histories.parse_log(longer)[-1] == entry
    assert histories.append_entry(longer, entry.replace(by="other")) == longer
    assert ("\r\n" in longer) == ("\r\n" in (text or ""))
    assert longer.count("\n") == longer.count("\r\n") or "\r" not in longer


def test_a_log_is_read_with_what_is_unknown() -> None:
    (one,) = histories.parse_log(LOG + "  and still\n\n## Other\n- **By**: nobody\n")
    assert (one.by, one.rejected) == ("manual", ("1 (too early)", "2"))
    assert one.fields == (("Mood", "calm and still"),)
    assert (one.status, one.applied, one.total) == ("rejected", 0, 2)
    assert histories.listed_ids(LOG) == {"r-001"}
    assert histories.render_log([one.replace(fields=(("Mood", "calm"),))]) == LOG


@given(
    st.sampled_from(
        [None, EVOLUTION, EVOLUTION[:-1], EVOLUTION.replace("\n", "\r\n"), "words", "```\nopen"]
    ),
    insights,
    rough,
)
def test_an_addition_to_the_evolution_is_one_line(
    text: str | None, insight: Insight, thread: str
) -> None:
    start = text or histories.render_evolution(Evolution())
    done = histories.add_insight(text, insight)
    old, new = changed(start, done)
    assert [one for one in old if one.strip("\r\n") not in ("words", "open")] == []
    assert len(new) <= 4
    assert histories.add_insight(done, insight) == done
    if text != "```\nopen":
        assert histories.parse_evolution(done).insights[-1] == insight
    more = histories.add_thread(done, thread)
    assert histories.add_thread(more, thread) == more
    assert histories.add_milestone(more, thread) == histories.add_milestone(
        histories.add_milestone(more, thread), thread
    )
    assert done.count("\n") == done.count("\r\n") or "\r" not in done


def test_an_evolution_is_read_with_what_is_unknown() -> None:
    found = histories.parse_evolution(EVOLUTION)
    assert found.insights == (
        Insight("One step at a time", "2026-01-05", "r-001"),
        Insight("an old one: undated"),
    )
    assert (found.intro, found.more) == ("Free words.", (Part("Other", "1. kept"),))
    assert histories.render_evolution(found) == EVOLUTION


@pytest.mark.parametrize("text", [ARCHIVE, ARCHIVE[:-1], ARCHIVE.replace("\n", "\r\n")])
def test_a_month_is_archived_once(text: str) -> None:
    digest = Digest("2026-02", ("3 total mutations across 2 files",), ("2026-02-03: é\nb",))
    longer = histories.append_digest(text, digest)
    assert longer.startswith(text)
    first, second = histories.parse_archive(longer)
    assert (first.month, first.events) == ("2026-01", ("2026-01-15: Begun",))
    assert second == digest.replace(events=("2026-02-03: é b",))
    assert histories.append_digest(longer, digest) == longer


def test_what_cannot_be_written_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="not the id"):
        reflections_record.render_record(ReflectionRecord("../x"))
    with pytest.raises(ValueError, match="not the id"):
        histories.append_entry(None, ReflectionEntry("r-1"))
    with pytest.raises(ValueError, match="unknown status"):
        reflections_record.set_decision(FILES[1], Decision("maybe", "", ""))
    with pytest.raises(ValueError, match="needs a name"):
        reflection_records.render_summary(SAMPLE.summary.replace(fields=((" *: ", "x"),)))
    with pytest.raises(ValueError, match="not a month"):
        histories.render_digest(Digest("2026-13"))
    assert reflections_record.record_path("r-1000") == "memory/meta/reflections/r-1000.md"


def test_an_item_is_one_line_of_json() -> None:
    row = reflections_record.render_item(SAMPLE.items[1])
    assert row.isprintable()
    assert json.loads(row)["text"] == "two\nlines\x85\ud800"


def test_the_documented_examples_are_canonical() -> None:
    text = (Path(__file__).parents[2] / "docs/formats.md").read_text("utf-8")
    shown = dict(re.findall(r"^`([^`\n]+)`\n\n```markdown\n(.*?)^```", text, re.S | re.M))
    record = shown[reflections_record.record_path("r-005")]
    assert reflections_record.render_record(reflections_record.parse_record(record)) == record
    log, arc = shown[histories.LOG], shown[histories.EVOLUTION]
    assert histories.render_log(histories.parse_log(log)) == log
    assert histories.render_evolution(histories.parse_evolution(arc)) == arc
    (digest,) = histories.parse_archive(shown[histories.ARCHIVE])
    assert histories.render_digest(digest) == shown[histories.ARCHIVE]
    (pending,) = re.findall(r"^````markdown\n(.*?)^````", text, re.S | re.M)
    assert reflection_records.render_summary(reflection_records.parse_summary(pending)) == pending


def test_a_record_of_ours_is_read_without_yaml() -> None:
    fields = (("dropped", [["a: b", "why"]]), ("tokens", 3), ("more", {"a": ["[1]"]}))
    item = ReflectionItem(1, "question", "Why?")
    text = reflections_record.render_record(
        ReflectionRecord(id="r-001", items=(item,), fields=fields)
    )
    assert reflections_record.parse_record(text).fields == fields
    code = (
        "import sys; from molt.formats.reflections import record;"
        "record.parse_record(sys.stdin.read()); sys.exit('yaml' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], input=text, text=True, check=True)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=9))
def test_any_value_of_a_plan_fits_or_does_not(value: object) -> None:
    schema = plan.item_schema("insight")
    assert plan.find_misfit(value, schema, "item")
    said = plan.find_misfit({"text": value}, schema, "item")
    assert bool(said) is not (isinstance(value, str) and 0 < len(value) <= plan.TEXT)
