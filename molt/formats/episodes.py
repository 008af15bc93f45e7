"""Episodes: one file a day, entries appended and never changed."""

from __future__ import annotations

import itertools

from molt import values
from molt.formats import ids, lines, sections, times
from molt.values import Value

TYPES = ("decision", "fact", "preference", "task", "event", "emotion", "correction")
CONFIDENCES = ("high", "medium", "low")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Episode(Value):
    """One entry. `fields` are the further `key:value` ones; `start` and `end` are its lines in
    the file, from 1, inclusive (0 for one that is in no file yet). `told` is the second that tells
    it from an earlier entry of its time; empty where there is none. `named` is the id of what is
    in no log, such as a turn of a conversation.
    """

    date: str
    time: str
    type: str
    confidence: str = "medium"
    tags: tuple[str, ...] = ()
    source: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    text: str = ""
    start: int = 0
    end: int = 0
    told: str = ""
    named: str = ""

    @property
    def stamp(self) -> str:
        """The time in its id: its own, but for a second entry of one time."""
        return self.told or self.time

    @property
    def id(self) -> str:
        """Its memory id."""
        return self.named or ids.episode(self.date, self.stamp)


def _time_of(line: str) -> str:
    """The time of an entry's heading line; empty if it heads no entry."""
    if not line.startswith("##"):
        return ""
    found = sections.parse_heading(line)
    if found is None or found[0] != 2:
        return ""
    time = found[1].partition("|")[0].strip()
    return time if times.is_time(time) else ""


def is_head(row: str) -> bool:
    """Whether a line, without its end, is the heading of an entry."""
    return bool(_time_of(row))


def blank_row(row: str, *, day: bool) -> str:
    """An empty line in the place of one; of the head of an entry in the log of a `day` the time is
    left, which tells what is behind it apart, and keeps its id.
    """
    end = row[len(row.rstrip("\r\n")) :]
    head = day and is_head(lines.strip_newline(row))
    return f"## {row[2:].partition('|')[0].strip()}{end}" if head else end


@values.keep_last
def parse(text: str, date: str = "") -> tuple[Episode, ...]:
    """The entries of a log, in order; what is no entry is left out.

    `date` is that of the file's name; without it the title's date is used. Where several have one
    time, the later ones are told apart by the next seconds that no earlier entry has: so no two
    share an id, and no id changes when the log grows.
    """
    rows = lines.bare_lines(text)
    date = date or _title_date(rows)
    starts = [number for number, row in enumerate(rows) if _time_of(row)]
    ends = [*starts[1:], len(rows)]
    found = [_parse_entry(rows, date, *span) for span in zip(starts, ends, strict=False)]
    if len({entry.time for entry in found}) < len(found):
        found = _told_apart(found)
    return tuple(found)


def _told_apart(entries: list[Episode]) -> list[Episode]:
    known: set[str] = set()
    clock = Clock()
    found = []
    for entry in entries:
        if entry.time in known and not clock.full:
            entry = entry.replace(told=clock.take_time(entry.time))
        clock.take(entry.stamp)
        known.add(entry.stamp)
        found.append(entry)
    return found


def by_time(entries: Iterable[Episode]) -> tuple[Episode, ...]:
    """Entries in the order in which they happened: those of another clone stand behind in a log."""
    return tuple(sorted(entries, key=lambda entry: (entry.date, seconds(entry.stamp))))


def sort_entries(text: str) -> str:
    """The log with its entries in the order in which they happened; as it is where they are."""
    entries = parse(text)
    ordered = by_time(entries)
    if ordered == entries:
        return text
    rows, end = lines.split_lines(text), lines.detect_newline(text)
    stops = {one.start: other.start - 1 for one, other in itertools.pairwise(entries)}
    found = ("".join(rows[one.start - 1 : stops.get(one.start)]).rstrip() for one in ordered)
    head = "".join(rows[: entries[0].start - 1])
    return head + "".join(f"{end * bool(at)}{block}{end}" for at, block in enumerate(found))


def find_entry_start(text: str, until: int) -> int:
    """Where the last entry begins whose heading line ends before a place; 0 for none."""
    while (at := text.rfind("\n##", 0, until)) >= 0:
        end = text.find("\n", at + 1)
        if 0 <= end < until and _time_of(lines.strip_newline(text[at + 1 : end])):
            return at + 1
        until = at
    return 0


def _title_date(rows: list[str]) -> str:
    for row in rows:
        if row.startswith("# ") and times.is_date(row[2:12]):
            return row[2:12]
    return ""


def _parse_entry(rows: list[str], date: str, start: int, end: int) -> Episode:
    while end > start + 1 and not rows[end - 1].strip():
        end -= 1
    first = start + 1
    while first < end and not rows[first].strip():
        first += 1
    parts = [part.strip() for part in rows[start].lstrip("#").split("|")]
    type_, confidence, source = "", "medium", ""
    tags: tuple[str, ...] = ()
    fields: list[tuple[str, str]] = []
    for number, part in enumerate(parts[1:]):
        # Chinese keyboards have another colon.
        plain = part if ":" in part else part.replace("\uff1a", ":", 1)
        key, colon, value = plain.partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            type_ = part if number == 0 else type_
        elif key == "confidence":
            confidence = value
        elif key == "tags":
            tags = _parse_tags(value)
        elif key == "source":
            source = value
        else:
            fields.append((key, value))
    words = "\n".join(_unescape_heading(row) for row in rows[first:end])
    place = (start + 1, end)
    return Episode(date, parts[0], type_, confidence, tags, source, tuple(fields), words, *place)


def _parse_tags(value: str) -> tuple[str, ...]:
    inner = value.removeprefix("[").removesuffix("]")
    return tuple(tag for tag in (part.strip() for part in inner.split(",")) if tag)


@values.keep_last
def find_malformed(text: str) -> tuple[tuple[int, str], ...]:
    """What in a log is no well-formed entry: (line, why) for each, in order."""
    rows = lines.bare_lines(text)
    hidden = sections.find_fences(rows)
    found: list[tuple[int, str]] = []
    within = False
    for number, row in enumerate(rows, 1):
        if _time_of(row):
            within = True
            found += [(number, why) for why in _find_faults(row)]
        elif row.startswith("## ") and not hidden[number - 1]:
            found.append((number, "a heading that starts no entry: ## HH:MM | TYPE | …"))
            within = True
        elif row.strip() and not within and not row.startswith("# ") and not hidden[number - 1]:
            found.append((number, "text before the first entry"))
            within = True
    return tuple(found)


def is_well_formed(added: str, before: bytes) -> bool:
    """Whether a text, in which nothing hides headings, is one well-formed entry after the other,
    of times that are surely of none `before` nor of each other. False where that is not plain.
    """
    told: set[str] = set()
    for row in added.split("\n"):
        if row.startswith("## "):
            time = _full_time(_time_of(row))
            if not time or time in told or _is_taken(time, before) or _find_faults(row):
                return False
            told.add(time)
        elif not told and row.strip():
            return False
    return True


def _full_time(time: str) -> str:
    """A time with its seconds; empty for none."""
    return f"{time}:00" if len(time) == 5 else time


def _is_taken(time: str, log: bytes) -> bool:
    """Whether an entry of a log, whose last line has its end, is of a time."""
    minute = time[:5].encode()
    at = log.find(minute)
    while at >= 0:
        start, end = log.rfind(b"\n", 0, at) + 1, log.find(b"\n", at)
        if log.startswith(b"##", start):
            row = log[start:end].decode("utf-8", "replace")
            if _full_time(_time_of(row)) == time:
                return True
        at = log.find(minute, end)
    return False


def _find_faults(row: str) -> tuple[str, ...]:
    """What is wrong with the heading of an entry; it is the same for one of another time."""
    return _tell_faults(row.partition("|")[2])


@values.keep_last
def _tell_faults(said: str) -> tuple[str, ...]:
    row = f"|{said}"
    entry = _parse_entry([row], "", 0, 1)
    faults: list[str] = []
    if entry.type not in TYPES:
        faults.append(f"unknown type {entry.type!r}; one of {', '.join(TYPES)}")
    if "confidence:" not in row:
        faults.append(f"no confidence; one of {', '.join(CONFIDENCES)}")
    elif entry.confidence not in CONFIDENCES:
        faults.append(f"unknown confidence {entry.confidence!r}; one of {', '.join(CONFIDENCES)}")
    return tuple(faults)


def _is_heading(row: str) -> bool:
    return row.startswith(("# ", "## ", "#\t", "##\t")) or row in ("#", "##")


def _escape_heading(row: str) -> str:
    return f"\\{row}" if _is_heading(row.lstrip("\\")) else row


def _unescape_heading(row: str) -> str:
    return row[1:] if row.startswith("\\") and _is_heading(row.lstrip("\\")) else row


def _inline_text(text: str) -> str:
    return lines.one_line(text.replace("|", "/"))


def render_entry(episode: Episode) -> str:
    """An entry in the canonical form, with LF and a final newline.

    Raises ValueError where time, type or confidence are none. A line of the text that would
    head an entry is escaped, so that no text can forge one.
    """
    if not times.is_time(episode.time):
        raise ValueError(f"not a time: {episode.time!r}")
    if episode.type not in TYPES:
        raise ValueError(f"unknown type {episode.type!r}; one of {', '.join(TYPES)}")
    if episode.confidence not in CONFIDENCES:
        raise ValueError(f"unknown confidence {episode.confidence!r}")
    tags = [
        _inline_text(tag.translate(dict.fromkeys(map(ord, "[],"), " "))) for tag in episode.tags
    ]
    parts = [episode.time, episode.type, f"confidence:{episode.confidence}"]
    parts.append(f"tags:[{', '.join(tag for tag in tags if tag)}]")
    if episode.source:
        parts.append(f"source:{_inline_text(episode.source)}")
    parts += [f"{_inline_text(key)}:{_inline_text(value)}" for key, value in episode.fields]
    rows = [f"## {' | '.join(parts)}"]
    body = "\n".join(row.rstrip() for row in episode.text.replace("\r", "").split("\n"))
    rows += [_escape_heading(row) for row in body.lstrip("\n").split("\n")]
    return "\n".join(rows).rstrip("\n") + "\n"


def render_title(date: str) -> str:
    """The first line of a log."""
    return f"# {date} — Episode Log"


def render(date: str, episodes: tuple[Episode, ...]) -> str:
    """A whole log in the canonical form."""
    return "\n".join((f"{render_title(date)}\n", *(render_entry(episode) for episode in episodes)))


def append(text: str | None, episode: Episode) -> tuple[str, Episode]:
    """The log with an entry added, and the entry as added; the text before is its prefix.

    None or an empty text starts a log. An entry whose minute is taken gets the next free
    second. Raises ValueError as `render_entry` does.
    """
    if not text:
        text = f"{render_title(episode.date)}\n"
    clock = Clock(entry.stamp for entry in parse(text, episode.date))
    if episode.time in clock:
        episode = episode.replace(time=clock.take_time(episode.time))
    end = lines.detect_newline(text)
    before = text if text.endswith("\n") else f"{text}{end}"
    gap = "" if lines.strip_newline(lines.split_lines(before)[-1]).strip() == "" else end
    addition = gap + render_entry(episode).replace("\n", end)
    start = before.count("\n") + bool(gap) + 1
    rows = render_entry(episode).count("\n")
    return before + addition, episode.replace(start=start, end=start + rows - 1)


def find_same(text: str, date: str, words: str) -> Episode | None:
    """The entry of a log that says the same, but for case, spaces and marks at its ends; None if
    there is none.
    """
    # Most logs do not have the words at all, and to take one apart takes longer than to look.
    wanted = _fold_words(words)
    if not wanted or wanted not in _fold_words(text):
        return None
    found = (one for one in parse(text, date) if _fold_words(one.text) == wanted)
    return next(found, None)


def _fold_words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!。！,，;；")


def seconds(time: str) -> int:
    """The second of the day that a time `HH:MM` or `HH:MM:SS` begins with."""
    parts = [int(part) for part in time.split(":")]
    return parts[0] * 3600 + parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)


class Clock:
    """The seconds of one day that are taken. Finding a free one takes no longer when many beside
    it are taken: each points on, in both directions.
    """

    def __init__(self, times: Iterable[str] = ()) -> None:
        self._later: dict[int, int] = {}
        self._earlier: dict[int, int] = {}
        for time in times:
            self.take(time)

    def __contains__(self, time: str) -> bool:
        return seconds(time) in self._later

    @property
    def full(self) -> bool:
        """Whether no second is left."""
        return len(self._later) == times.DAY

    def take(self, time: str) -> None:
        """Note that a time is taken, of `HH:MM` its first second."""
        second = seconds(time)
        self._later.setdefault(second, second + 1)
        self._earlier.setdefault(second, second - 1)

    def take_time(self, time: str) -> str:
        """The first second from a time on that is free, which is taken then; where the rest of the
        day is taken, the last one before. Raises ValueError where all of it is.
        """
        if self.full:
            raise ValueError("the day has no free second left")
        free = _follow(self._later, seconds(time))
        if free == times.DAY:
            free = _follow(self._earlier, seconds(time))
        found = f"{free // 3600:02}:{free // 60 % 60:02}:{free % 60:02}"
        self.take(found)
        return found


def _follow(links: dict[int, int], second: int) -> int:
    """Where the links from a second end; they are made to lead there at once."""
    passed = []
    while second in links:
        passed.append(second)
        second = links[second]
    for one in passed:
        links[one] = second
    return second
