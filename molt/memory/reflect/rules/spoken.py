"""What was said, sentence by sentence: who said it, when, and in which memory it stands."""

from __future__ import annotations

import re

from molt.formats import origin as origins
from molt.index.content import speakers
from molt.memory.engines import rules as routing
from molt.memory.reflect.rules import cues
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from molt.formats.episodes import Episode
    from molt.memory.reflect.material.material import KnownMemory

LONGEST = 4_000
"""Characters of a memory that are looked at: two pages; nobody says more at once."""
_NAME = 40
"""Characters of the longest name of a speaker."""
_ROW = 160
"""Characters of a line that may be one of code; prose that mentions some is longer."""
_SLIPS = 3
"""Times that a name stands with its capital inside a sentence for each time without."""
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[a-z0-9]")
_CAPTIONS = ("[shares ", "[shared ", "[image", "[photo", "[sends ")


class Statement(Value):
    """One sentence: its words, the name of who said it (empty for the user, who has none), the id
    and the day of its memory, the type that the memory was given, and the class of where that came
    from (empty for the word of the user or of the agent).
    """

    text: str
    speaker: str
    memory: str
    date: str
    type: str = "fact"
    outside: str = ""

    @property
    def is_strange(self) -> bool:
        """Whether nobody here said it or brought it in: it is of a tool, a page or a sub-agent.
        What a person imports are often their own words; the summary says that it is an import.
        """
        return self.outside not in ("", "import")


def list_statements(episodes: tuple[Episode, ...]) -> tuple[Statement, ...]:
    """The sentences of episodes, in order, but for what an assistant said."""
    return tuple(one for episode in episodes for one in _split_episode(episode))


def _split_episode(episode: Episode) -> Iterator[Statement]:
    given = next((value.strip() for key, value in episode.fields if key == "speaker"), "")
    name, said = split_speaker(episode.text)
    if given and name.casefold() != given.casefold():
        led = episode.text[: len(given) + 1].casefold() == f"{given.casefold()}:"
        name, said = given, episode.text[len(given) + 1 :] if led else episode.text
    if speakers.turn_flags(name, "") & speakers.ASSISTANT:
        return
    speaker = "" if speakers.turn_flags(name, "") else name
    outside = origins.read_entry_class(episode)
    for text in split_text(said):
        yield Statement(text, speaker, episode.id, episode.date, episode.type, outside)


def list_sentences(one: KnownMemory) -> Iterator[Statement]:
    """The sentences of an episode of which only the text is known; none for another memory."""
    kind, _, rest = one.id.partition(":")
    name, said = split_speaker(one.text)
    if kind == "episode" and not is_assistant(one.text):
        speaker = "" if speakers.turn_flags(name, "") else name
        for text in split_text(said):
            yield Statement(text, speaker, one.id, rest[:10], outside=one.outside)


def is_assistant(text: str) -> bool:
    """Whether a text begins with the name of an assistant and a colon."""
    name, colon, _ = text[: _NAME + 2].partition(":")
    return bool(colon) and bool(speakers.turn_flags(name, "") & speakers.ASSISTANT)


def split_speaker(text: str) -> tuple[str, str]:
    """Who says a text that begins with a name and a colon, and what; the name is empty for a text
    that does not, also where the words before the colon are a label: `Decided: …`, `Root cause: …`.
    """
    name, colon, said = text[: _NAME + 2].partition(": ")
    words = name.split()
    plain = 0 < len(words) < 4 and all(word[0].isupper() and word[0].isalpha() for word in words)
    if not colon or not plain or not name.replace(" ", "").replace(".", "").isalnum():
        return "", text
    if any(cues.is_row_label(word.lower()) for word in words):
        return "", text
    return name, said + text[_NAME + 2 :]


def split_text(text: str) -> list[str]:
    """The sentences of a text, without what stands in square brackets for a picture."""
    plain = drop_captions(text[:LONGEST])
    rows = (row.strip() for row in drop_code(plain))
    return [one for row in rows if row for one in routing.split_sentences(" ".join(row.split()))]


_CODE = re.compile(
    r"^(?:\s{4}|\t|\s*(?:[@<#$>|{}\[\]\\]|//|--\s|(?:def|class|import|return|raise|except|elif|assert|"
    r"const|let|var|function|public|private|SELECT|INSERT|CREATE|ALTER|UPDATE|WHERE|FROM)\b(?!['’]).*[(:;{=*'\"]|"
    r"from [\w.]+ import ))|[;{}]\s*$|\w\(\)|\w\(\w+[,)]\S*$|\w = \S|==|=>|::|\['|</"
)


def drop_code(text: str) -> list[str]:
    """The lines of a text without those between fences, and those that look like code: a program
    names many things, and none that a person speaks of.
    """
    found: list[str] = []
    fenced = False
    for row in text.split("\n"):
        if row.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not (len(row) <= _ROW and _CODE.search(row)):
            found.append(row)
    return found


def drop_captions(text: str) -> str:
    """A text without the captions of pictures, which are no words of the speaker."""
    for mark in _CAPTIONS:
        at = text.find(mark)
        while at >= 0:
            end = text.find("]", at)
            text = text[:at] + (text[end + 1 :] if end >= 0 else "")
            at = text.find(mark)
    return text


class SpokenWords:
    """The words of all episodes: how often each stands in lower case, and the words of each."""

    def __init__(self, memories: Mapping[str, KnownMemory]) -> None:
        self.low: dict[str, int] = {}
        self.high: dict[str, int] = {}
        self.speakers: dict[str, int] = {}
        self.texts: list[tuple[str, str]] = []
        for one in memories.values():
            if one.id.startswith("episode:"):
                self._read(one)

    def _read(self, one: KnownMemory) -> None:
        name, said = split_speaker(one.text[:LONGEST])
        if name:
            self.speakers[name] = self.speakers.get(name, 0) + 1
        plain = drop_captions(said).replace("’", "'")
        flat = "".join(char if char.isalnum() or char in "'-" else " " for char in plain)
        words = flat.split()
        for word in words:
            if word[0].islower():
                bare = word.removesuffix("'s").strip("'-")
                self.low[bare] = self.low.get(bare, 0) + 1
        for word in _CAPITAL.findall(plain):
            bare = word.lower()
            self.high[bare] = self.high.get(bare, 0) + 1
        self.texts.append((one.id, f" {' '.join(words)} ".lower().replace("'s ", " ")))

    def is_plain(self, word: str) -> bool:
        """Whether a word in small letters is one that names nothing: it stands so more often than
        by a slip of who writes names in small letters.
        """
        return self.low.get(word, 0) * _SLIPS > self.high.get(word, 0)

    def list_naming(self, label: str) -> list[str]:
        """The ids of the episodes that hold a name as whole words."""
        flat = "".join(char if char.isalnum() or char in "'-" else " " for char in label.lower())
        wanted = f" {' '.join(flat.split())} "
        return [memory for memory, text in self.texts if wanted in text]

    def list_holding(self, label: str) -> list[str]:
        """The ids of the episodes that hold a name of a script without spaces."""
        wanted = label.lower().replace(" ", "")
        return [memory for memory, text in self.texts if wanted in text.replace(" ", "")]
