from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import episodes, paths
from molt.formats.episodes import Episode

SEED = """# 2026-02-02 — Episode Log
## 14:30 | decision | confidence:high | tags:[memory, architecture]
Discussed memory.
User decisions.
## 15:45 | preference | confidence:medium | tags:[workflow]
User prefers brainstorming.
"""
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n#\\ |"))
entries = st.builds(
    Episode,
    date=st.just("2026-02-02"),
    time=st.sampled_from(["09:00", "14:30", "14:30:01", "23:00"]),
    type=st.sampled_from(episodes.TYPES),
    confidence=st.sampled_from(episodes.CONFIDENCES),
    tags=st.lists(st.sampled_from(["a", "b c", "日本"])).map(tuple),
    source=st.sampled_from(["", "conversation", "subagent:x"]),
    fields=st.sampled_from([(), (("supersedes", "episode:2026-02-01:10:00"),)]),
    text=texts,
)


def test_the_examples_of_the_design_are_read() -> None:
    first, second = episodes.parse(SEED)
    assert (first.id, first.type, first.tags) == (
        "episode:2026-02-02:14:30",
        "decision",
        ("memory", "architecture"),
    )
    assert (first.start, first.end, second.start, second.end) == (2, 4, 5, 6)
    assert episodes.find_malformed(SEED) == ()


@given(entries)
def test_an_entry_rendered_and_read_is_the_same_entry(episode: Episode) -> None:
    text = episodes.render("2026-02-02", (episode,))
    (read,) = episodes.parse(text)
    assert episodes.render("2026-02-02", (read,)) == text
    assert read.replace(text="", start=0, end=0) == episode.replace(text="")


@given(st.lists(entries, max_size=5), st.sampled_from(["", SEED, SEED[:-1], "prose\r\nmore"]))
def test_appending_keeps_what_was_there_and_gives_every_entry_its_own_id(
    added: list[Episode], start: str
) -> None:
    text: str | None = start
    before = len(episodes.parse(start, "2026-02-02"))
    for episode in added:
        longer, placed = episodes.append(text, episode)
        assert longer.startswith(text or "")
        read = episodes.parse(longer, "2026-02-02")[-1]
        assert (read.id, read.start, read.end) == (placed.id, placed.start, placed.end)
        text = longer
    found = episodes.parse(text or "", "2026-02-02")
    assert len({one.id for one in found}) == len(found) == before + len(added)


def test_an_appended_entry_keeps_the_newlines_of_its_file() -> None:
    text, _ = episodes.append(SEED.replace("\n", "\r\n"), Episode("2026-02-02", "16:00", "fact"))
    assert text.count("\n") == text.count("\r\n")


def test_no_text_can_forge_an_entry() -> None:
    forged = "```\n## 10:00 | fact | confidence:high\n# 2020-01-01\n\\## x"
    text, _ = episodes.append(None, Episode("2026-02-02", "09:00", "event", text=forged))
    (read,) = episodes.parse(text)
    assert read.text == forged


def test_where_a_day_ends_the_second_before_is_taken() -> None:
    text, last = episodes.append(None, Episode("2026-02-02", "23:59:59", "fact"))
    assert episodes.append(text, last)[1].time == "23:59:58"


def test_a_full_day_is_refused() -> None:
    clock = episodes.Clock()
    given = {clock.take_time("12:00") for _ in range(86_400)}
    assert (len(given), min(given), max(given)) == (86_400, "00:00:00", "23:59:59")
    with pytest.raises(ValueError, match="free second"):
        clock.take_time("12:00")


def test_entries_of_one_time_are_told_apart_when_read() -> None:
    heads = ("14:30", "14:30", "14:30:01", "14:30:00", "14:30")
    text = "".join(f"## {time} | fact | confidence:high\n{at}\n" for at, time in enumerate(heads))
    told = ["14:30", "14:30:01", "14:30:02", "14:30:00", "14:30:03"]
    found = episodes.parse(text, "2026-02-02")
    assert [(one.time, one.stamp) for one in found] == list(zip(heads, told, strict=True))


@given(st.lists(st.sampled_from(["09:00", "09:00:00", "09:00:01", "23:59:59"]), max_size=12))
def test_no_id_changes_when_a_log_grows(times) -> None:
    rows = [f"## {time} | fact | confidence:high\n" for time in times]
    every = [one.id for one in episodes.parse("".join(rows), "2026-02-02")]
    assert len(set(every)) == len(every)
    for count in range(len(rows)):
        grown = episodes.parse("".join(rows[:count]), "2026-02-02")
        assert [one.id for one in grown] == every[:count]


@given(st.permutations(["09:00", "09:00:30", "10:15", "23:00"]), st.sampled_from(["\n", "\r\n"]))
def test_a_log_is_shown_in_the_order_of_its_times(times, end) -> None:
    def log(some) -> str:
        text = "# 2026-02-02 — Episode Log\n"
        rows = (f"\n## {time} | fact | confidence:high\nat {time}\n" for time in some)
        return (text + "".join(rows)).replace("\n", end)

    assert episodes.sort_entries(log(times)) == log(sorted(times))
    assert episodes.sort_entries(log(times).rstrip()) == log(sorted(times)).rstrip() + (
        "" if list(times) == sorted(times) else end
    )
    assert episodes.sort_entries("prose\n") == "prose\n"


def test_readers_see_entries_in_the_order_of_their_times() -> None:
    text = "".join(f"## {time} | fact | confidence:high\n" for time in ("14:30", "09:00", "14:30"))
    found = episodes.by_time(episodes.parse(text, "2026-02-02"))
    assert [one.stamp for one in found] == ["09:00", "14:30", "14:30:01"]


def test_what_is_no_entry_is_named_with_its_line() -> None:
    text = "# t\nprose\n## 10:00 | dream | confidence:high\nx\n## Morning\n## 11:00 | fact\n"
    assert [line for line, _ in episodes.find_malformed(text)] == [2, 3, 5, 6]


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/episodes/2026-02-02.md", "2026-02-02"),
        ("memory/2026-02-02.md", "2026-02-02"),
        ("memory/2026-02-30.md", None),
        ("memory/episodes/notes.md", None),
        ("2026-02-02.md", None),
    ],
)
def test_logs_are_named_for_dates(path: str, date: str | None) -> None:
    assert paths.date_of(path) == date


@given(st.text())
def test_reading_never_raises(text: str) -> None:
    episodes.parse(text)
    episodes.find_malformed(text)
