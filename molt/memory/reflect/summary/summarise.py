"""Phase 5 of a reflection: what it would change and why, for people."""

from __future__ import annotations

from difflib import unified_diff

from molt import tokens, trees
from molt.formats import paths
from molt.formats.reflections import plan
from molt.formats.reflections import summary as summaries
from molt.formats.reflections.parts import Part
from molt.formats.reflections.summary import Summary
from molt.index.content import signs
from molt.memory.reflect.material import notebook
from molt.memory.reflect.meta import Guidance
from molt.memory.reflect.summary.phrases import MILESTONES_ZH, Speech
from molt.memory.reflect.summary.reasons import translate_reason
from molt.memory.reflect.summary.teller import Teller
from molt.memory.reflect.unfit import UnfitWords
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.evidence.evidence import Dropped
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.trees import Edits

_SECTION_OF = {
    "upsert-entity": "knowledge",
    "add-fact": "knowledge",
    "supersede-fact": "knowledge",
    "upsert-procedure": "knowledge",
    "accept-proposal": "knowledge",
    "add-relation": "connections",
    "merge-entities": "connections",
    "archive": "archival",
    "reinforce": "archival",
    "pin": "archival",
    "contradiction": "contradictions",
    "question": "questions",
}
_MOST_LEFT, _LONGEST_LEFT = 12, 160
"""Of what was left out so much is told; the record has all of it."""
_SAMPLE = 20_000
"""Characters by which the language of a workspace is told."""
_PAST = 10
"""Past reflections of which the summary tells how they went."""


class Harvest(Value):
    """What came of a reflection: its operations, what was dropped and cut, the edits of all of
    them together, and the tokens that they take.
    """

    material: ReflectionMaterial
    guidance: Guidance
    operations: tuple[Operation, ...]
    dropped: tuple[Dropped, ...]
    cut: tuple[Operation, ...]
    edits: Edits
    tokens: int


def find_language(material: ReflectionMaterial) -> str:
    """The language of the memories: `zh` where signs are more than a fifth of the letters (a sign
    says as much as several letters), else `en`.
    """
    told = [one.text for one in material.notes.pieces[-200:]]
    told += [one.text for one in material.fresh[-200:]]
    recent = " ".join(told)[:_SAMPLE]
    text = f"{recent} {material.core[:2000]}" if recent else material.core[:_SAMPLE]
    if text.isascii():
        return "en"
    ideographs = sum(signs.lies_in(signs.SIGNS[1:3], char) for char in text)
    return "zh" if ideographs * 5 > sum(map(str.isalpha, text)) else "en"


def _find_outside(harvest: Harvest) -> str:
    """The class of what is from outside, where all episodes on which several operations rest are of
    it; else empty.
    """
    known = harvest.material.memories
    every = (each for one in harvest.operations for each in plan.list_evidence(one))
    named = (each for each in every if each.startswith("episode:"))
    kinds = {known[each].outside if each in known else "" for each in named}
    return kinds.pop() if len(kinds) == 1 and len(harvest.operations) > 1 else ""


def make_summary(harvest: Harvest) -> Summary:
    """The summary for people, in the seven sections of a reflection; what was left out has one of
    its own.
    """
    speech = Speech(find_language(harvest.material))
    return _Writer(harvest, speech).write_summary()


class _Writer:
    """Writes the summary of one harvest in one language."""

    def __init__(self, harvest: Harvest, speech: Speech) -> None:
        self.harvest = harvest
        self.material = harvest.material
        self.speech = speech
        self.outside = _find_outside(harvest)
        self.teller = Teller(self.material, speech, self.outside)

    def write_summary(self) -> Summary:
        """All of it."""
        material, language = self.material, self.speech.language
        none = f"- {self.speech.say('none')}"
        sections = [
            Part(title, "\n".join(self._list_section(name)) or none)
            for name, title in summaries.TITLES[language].items()
        ]
        left = self._list_left()
        if left:
            sections.append(Part(self.speech.say("left_out"), "\n".join(left)))
        reviewed = len(material.log)
        return Summary(
            date=material.day,
            sections=tuple(sections),
            number=material.number,
            budget=self._tell_budget(),
            processed=self._count_processed(),
            reviewed=self.speech.say("reviewed_one" if reviewed == 1 else "reviewed", n=reviewed),
            note=f"{summaries.REPLIES[language]}\n{self.speech.say('shell')}",
            intro=self._tell_intro(),
            title=summaries.HEADS[language],
            language=language,
        )

    def _tell_intro(self) -> str:
        fresh, notes = self.material.fresh, self.material.notes
        count = self.speech.count(len(self.harvest.operations), "proposal")
        read = []
        said, entries = len(self.material.heard.turns), self.material.count_entries()
        if entries or not (notes.read or said):
            read.append(self.speech.count(entries, "episode"))
        if said:
            read.append(self.speech.count(said, "turn"))
        if notes.read:
            read.append(self.speech.count(len(notes.read), "daily_note"))
        days = sorted((*(one.date for one in fresh), *(one.date for one in notes.pieces)))
        if not days:
            intro = self.speech.say("intro_none", count=count)
            return " ".join(filter(None, (intro, self._tell_outside())))
        span = days[0] if days[0] == days[-1] else f"{days[0]} – {days[-1]}"
        what = self.speech.say("and").join(read)
        intro = self.speech.say("intro", count=count, episodes=what, span=span)
        return " ".join(filter(None, (intro, self._tell_backlog(), self._tell_outside())))

    def _tell_outside(self) -> str:
        """That all episodes are from outside, which then no proposal says; empty where some are
        not.
        """
        kind = self.outside and self.speech.say(self.outside)
        return self.speech.say("outside_all", kind=kind) if kind else ""

    def _tell_backlog(self) -> str:
        """How many notes there are that no reflection has read yet; empty where there is none."""
        notes = self.material.notes
        if not notes.left:
            return ""
        done, following = notes.total - notes.left, min(notes.left, notebook.NOTES)
        return self.speech.say("backlog", total=notes.total, done=done, next=following)

    def _list_section(self, name: str) -> list[str]:
        if name == "core":
            return list(self._list_core())
        if name == "evolution":
            return list(self._list_evolution())
        found = [one for one in self.harvest.operations if _SECTION_OF.get(one.op) == name]
        rows = [
            row for one in found for row in (*self.teller.tell_item(one), *self._tell_moves(one))
        ]
        if name == "archival" and any(one.op == "archive" for one in found):
            rows += ["", self.speech.say("archive_note")]
        if name in ("questions", "contradictions"):
            carried = list(self._list_carried(name))
            rows += carried
            rows += ["", self.speech.say("answer")] if rows else []
        return rows

    def _tell_moves(self, one: Operation) -> Iterator[str]:
        """That an entity is made for bullets which leave core memory: that is another operation."""
        for core in self.harvest.operations:
            rows = core.rows("drop") if core.op == "rewrite-core" else ()
            moved = sum(row.get("into") == one.text("entity") for row in rows)
            if one.op == "upsert-entity" and moved:
                count = self.speech.count(moved, "line")
                yield f"  - {self.speech.say('takes_in', n=core.n, count=count)}"

    def _list_carried(self, name: str) -> Iterator[str]:
        """What was asked before and not answered, in its section."""
        for one in self.harvest.guidance.open_questions:
            if _SECTION_OF[one.operation.op] == name:
                told = self.teller.tell_item(one.operation.replace(reason="", evidence=()))[0]
                text = told.partition("** ")[2]
                when = one.asked or one.ref.partition("#")[0]
                yield f"- {self.speech.say('asked', text=text, when=when, ref=one.ref)}"

    def _list_core(self) -> Iterator[str]:
        """The change of MEMORY.md as a diff, with its headings, and its size."""
        found = next((one for one in self.harvest.operations if one.op == "rewrite-core"), None)
        before = trees.read_text(self.material.tree, paths.CORE)
        after = trees.read_text(Overlay(self.material.tree, self.harvest.edits), paths.CORE)
        if found is None or before == after:
            return
        encoding = self.material.config.core_encoding
        sizes = [f"{tokens.count_tokens(text, encoding):,}" for text in (before, after)]
        cap = f"{self.material.config.core_cap:,}"
        size = self.speech.say("core_size", before=sizes[0], after=sizes[1], cap=cap)
        yield f"- **#{found.n}** {size}"
        if found.reason:
            reason = translate_reason(" ".join(found.reason.split()), self.speech.language)
            yield f"  - {self.speech.say('why', text=reason)}"
        for row in self.teller.tell_outside(found):
            yield f"  - {row}"
        yield ""
        words = UnfitWords(self.material.tree)
        for row in diff_blocks(before, after):
            yield f"{row[:1]} …" if words.find_fault(row[1:]) else row

    def _list_evolution(self) -> Iterator[str]:
        insights = [one for one in self.harvest.operations if one.op == "insight"]
        parts = (
            ("learning", list(self._list_learned())),
            (
                "understanding",
                self._tell_insights([one for one in insights if not one.text("thread")]),
            ),
            ("theme", self._tell_insights([one for one in insights if one.text("thread")])),
            (
                "milestone",
                [tell_milestone(self.harvest)] if self.harvest.guidance.milestone else [],
            ),
        )
        first = True
        for name, rows in parts:
            if rows:
                yield from ([] if first else [""])
                yield f"### {self.speech.say(name)}"
                yield from rows
                first = False

    def _tell_insights(self, insights: list[Operation]) -> list[str]:
        rows: list[str] = []
        for one in insights:
            thread = one.text("thread")
            told = self.teller.tell_item(one)
            if thread:
                said = self.speech.say("goes_on", text=told[0], thread=" ".join(thread.split()))
                told = [said, *told[1:]]
            rows += told
        return rows

    def _list_learned(self) -> Iterator[str]:
        """How past reflections went, in which a person's taste shows."""
        past = self.material.log[-_PAST:]
        total = sum(one.total for one in past)
        if not total:
            return
        applied = sum(one.applied for one in past)
        name = self.speech.say("reflections", count=len(past))
        if len(past) == 1 and self.speech.language == "en":
            name = self.speech.say("reflection")
        yield self.speech.say("taken", total=total, count=name, applied=applied)
        reasons = dict.fromkeys(one.reason for one in self.harvest.guidance.rejected[-20:])
        said = [f"“{' '.join(one.split())}”" for one in reasons if one]
        if said:
            yield self.speech.say("declined", reasons=", ".join(said[-4:]))

    def _list_left(self) -> list[str]:
        """What was thought of and is not proposed, with the reasons."""
        over = self.speech.say("over_budget")
        cut = [(one, over) for one in self.harvest.cut]
        # Of both something is told.
        half = _MOST_LEFT // 2
        every = [*cut[:half], *self.harvest.dropped, *cut[half:]]
        rows = [self.speech.say("left_intro")] if every else []
        for one, why in every[:_MOST_LEFT]:
            told = self.teller.tell_item(one)[0].partition("** ")[2]
            if one.op == "rewrite-core":
                told = self._tell_rows(one)
            reason = translate_reason(" ".join(why.split()), self.speech.language)
            rows.append(f"- {_shorten(told)} — {_shorten(reason)}")
        if len(every) > _MOST_LEFT:
            rows.append(f"- {self.speech.say('left_more', count=len(every) - _MOST_LEFT)}")
        return rows

    def _tell_rows(self, one: Operation) -> str:
        """The changes of core memory in a few words."""
        said = [row["text"] for name in ("add", "replace") for row in one.rows(name)]
        said += [row["bullet"] for row in one.rows("drop")]
        return f"MEMORY.md: {'; '.join(' '.join(text.split()) for text in said)}"

    def _tell_budget(self) -> str:
        spent, limit = f"{self.harvest.tokens:,}", f"{self.material.config.reflection_budget:,}"
        if self.harvest.cut:
            return self.speech.say("cut", spent=spent, limit=limit, count=len(self.harvest.cut))
        return f"{spent} / {limit}"

    def _count_processed(self) -> str:
        words = {
            "episodes": self._say_count(self.material.count_entries(), "n_episode", "n_episodes"),
            "entities": self._say_count(len(self.material.entities), "n_entity", "n_entities"),
            "procedures": self._say_count(
                len(self.material.procedures), "n_procedure", "n_procedures"
            ),
        }
        return self.speech.say("processed", **words)

    def _say_count(self, number: int, one: str, several: str) -> str:
        return self.speech.say(one if number == 1 else several, n=f"{number:,}")


def _shorten(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= _LONGEST_LEFT else f"{said[:_LONGEST_LEFT]}…"


def diff_blocks(before: str, after: str) -> list[str]:
    """A change as a fenced diff, without the file's head and line numbers, in which each changed
    part has the `##` heading that it stands below. What is a comment or empty is left out.
    """
    every = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=10_000)
    rows = [row for row in every if not row.startswith(("---", "+++", "@@"))]
    kept: list[str] = []
    heading, told = "", ""
    for row in rows:
        if row[1:].startswith("## "):
            heading = row
        if row[:1] in "+-" and row[1:].strip() and not row[1:].startswith("<!--"):
            if heading != told and row != heading:
                kept += ["", heading] if kept else [heading]
                told = heading
            elif row == heading:
                told = heading
            kept.append(row)
    bare = (row.lstrip(" +-") for row in kept)
    longest = max((len(row) - len(row.lstrip("`")) for row in bare), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}diff", *kept, fence]


def tell_milestone(harvest: Harvest) -> str:
    """What a milestone puts into evolution.md: empty where this reflection is none."""
    material = harvest.material
    if not harvest.guidance.milestone:
        return ""
    speech = Speech(find_language(material))
    what = harvest.guidance.milestone
    if speech.language == "zh":
        what = MILESTONES_ZH.get(material.number, what)
    threads = "; ".join(" ".join(one.split()) for one in material.evolution.threads[:8])
    return speech.say(
        "milestone_text",
        number=material.number,
        what=what,
        count=len(material.log),
        applied=sum(one.applied for one in material.log),
        total=sum(one.total for one in material.log),
        threads=speech.say("milestone_threads", threads=threads) if threads else "",
    )
