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
from molt.memory.reflect.summary.items import ItemWriter, clip_text, flatten_text
from molt.memory.reflect.summary.phrases import SummaryPhrases
from molt.memory.reflect.unfit import UnfitWords
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.quotes import Dropped
    from molt.trees import Edits

_SECTION = {
    "add-relation": "connections",
    "merge-entities": "connections",
    "archive": "archival",
    "reinforce": "archival",
    "pin": "archival",
    "contradiction": "contradictions",
    "rewrite-core": "core",
    "insight": "evolution",
    "question": "questions",
}
"""The section of an operation; all others are new knowledge."""
_MOST_LEFT, _LONGEST_LEFT = 20, 160
"""Rows of what was left out, and characters of each part of a row; the record has all of it."""
_SAMPLE = 20_000
"""Characters that tell the language of a workspace."""


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


def number_items(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return operations numbered from 1 in the order of a summary. Those that edit the graph keep
    their order, for one may need what another makes.
    """
    places = {name: at for at, name in enumerate(summaries.SECTIONS)} | {"connections": 0}
    every = sorted(
        operations, key=lambda one: (places[_find_section(one)], bool(one.text("thread")))
    )
    return tuple(one.replace(n=number) for number, one in enumerate(every, 1))


def find_language(material: ReflectionMaterial) -> str:
    """Return the language of the memories: `zh` if ideographs are more than a fifth of the letters
    (one is as much as several letters), else `en`.
    """
    notes = [one.text for one in material.notes.pieces[-200:]]
    recent = [*notes, *(one.text for one in material.fresh[-200:])]
    text = f"{' '.join(recent)[:_SAMPLE]} {material.core[: 2000 if recent else _SAMPLE]}"
    ideographs = 0 if text.isascii() else sum(signs.lies_in(signs.SIGNS[1:3], c) for c in text)
    return "zh" if ideographs * 5 > sum(map(str.isalpha, text)) else "en"


def make_summary(harvest: Harvest) -> Summary:
    """Return the summary for people, in the sections of a reflection that are not empty; what was
    left out has one of its own.
    """
    return _Writer(harvest).write_summary()


class _Writer:
    """Writes the summary of one harvest."""

    def __init__(self, harvest: Harvest) -> None:
        self.harvest = harvest
        self.material = harvest.material
        self.phrases = SummaryPhrases(find_language(harvest.material))
        self.items = ItemWriter(self.material, self.phrases)

    def write_summary(self) -> Summary:
        """Return all of it."""
        material, phrases, language = self.material, self.phrases, self.phrases.language
        bodies = [
            (title, self._write_section(name)) for name, title in summaries.TITLES[language].items()
        ]
        bodies.append((phrases.fill("left"), "\n".join(self._list_left())))
        budget = f"{self.harvest.tokens:,} / {material.config.reflection_budget:,}"
        cut = phrases.fill("cut", n=len(self.harvest.cut)) if self.harvest.cut else ""
        return Summary(
            date=material.day,
            sections=tuple(Part(title, body) for title, body in bodies if body),
            number=material.number,
            budget=budget + cut,
            processed=phrases.join_counts(
                "comma",
                read_episode=material.count_entries(),
                read_entity=len(material.entities),
                read_procedure=len(material.procedures),
            ),
            reviewed=phrases.count("reviewed", len(material.log), **_count_taken(material)),
            note="\n".join((summaries.REPLIES[language], *self._list_commands())),
            intro=self._write_intro(),
            title=summaries.HEADS[language],
            language=language,
        )

    def _write_intro(self) -> str:
        material, phrases, notes = self.material, self.phrases, self.material.notes
        read = {
            "episode": material.count_entries(),
            "turn": len(material.heard.turns),
            "note": len(notes.read),
        }
        days = sorted((*(one.date for one in material.fresh), *(one.date for one in notes.pieces)))
        rows = [
            phrases.fill(
                "intro" if days else "intro_none",
                proposals=phrases.count("proposal", len(self.harvest.operations)),
                read=phrases.join_counts("and", **{name: n for name, n in read.items() if n}),
                span=" – ".join(dict.fromkeys((days[0], days[-1]))) if days else "",
            )
        ]
        if notes.left:
            done, more = notes.total - notes.left, min(notes.left, notebook.NOTES)
            rows.append(phrases.fill("backlog", total=notes.total, done=done, next=more))
        marked = any(one.wording == plan.MODEL for one in self.harvest.operations)
        return " ".join(rows) + (f"\n\n{phrases.fill('legend')}" if marked else "")

    def _list_commands(self) -> Iterator[str]:
        """Yield how to decide, a command a row."""
        operations, name = self.harvest.operations, f"r-{self.material.number:03}"
        if not operations:
            return
        yield self.phrases.count("approve", len(operations), id=name)
        if len(operations) > 1:
            yield self.phrases.fill("except", id=name, some=operations[:3][-1].n)
        quoted = sum(one.wording != plan.MODEL for one in operations)
        if 0 < quoted < len(operations):
            yield self.phrases.fill("verbatim", id=name, n=quoted)
        yield self.phrases.fill("reject", id=name)

    def _write_section(self, name: str) -> str:
        """Return the body of a section; empty if there is nothing in it."""
        fill, open_questions = self.phrases.fill, self.harvest.guidance.open_questions
        own = [one for one in self.harvest.operations if _find_section(one) == name]
        if name == "evolution":
            return "\n\n".join(self._list_evolution(own))
        rows = [row for one in own for row in self.items.list_rows(one)]
        if name == "core" and rows:
            rows += self._list_core_diff()
        if any(one.op == "archive" for one in own):
            rows += ["", fill("archive_note")]
        asked = [one for one in open_questions if _find_section(one.operation) == name]
        for one in asked:
            text, day = self.items.write_claim(one.operation), one.asked or one.ref
            rows.append(f"- {fill('asked', text=text, day=day, ref=one.ref)}")
        if rows and name in ("contradictions", "questions"):
            rows += ["", fill("answer", ref=own[0].n if own else asked[0].ref)]
        return "\n".join(rows)

    def _list_core_diff(self) -> Iterator[str]:
        """Yield the change of MEMORY.md as a diff, with its size."""
        before = trees.read_text(self.material.tree, paths.CORE)
        after = trees.read_text(Overlay(self.material.tree, self.harvest.edits), paths.CORE)
        encoding, cap = self.material.config.core_encoding, self.material.config.core_cap
        sizes = [f"{tokens.count_tokens(text, encoding):,}" for text in (before, after)]
        yield from ("", self.phrases.fill("core_size", sizes=" → ".join(sizes), cap=f"{cap:,}"), "")
        words = UnfitWords(self.material.tree)
        for row in diff_blocks(before, after):
            yield f"{row[:1]} …" if words.find_fault(row[1:]) else row

    def _list_evolution(self, insights: list[Operation]) -> Iterator[str]:
        """Yield the parts of the section on evolution, each below its heading."""
        rows = [(one, "\n".join(self.items.list_rows(one))) for one in insights]
        bodies = {
            "understanding": "\n".join(row for one, row in rows if not one.text("thread")),
            "theme": "\n".join(row for one, row in rows if one.text("thread")),
            "milestone": write_milestone(self.harvest),
        }
        for name, body in bodies.items():
            if body:
                yield f"### {self.phrases.fill(name)}\n{body}"

    def _list_left(self) -> Iterator[str]:
        """Yield what is not proposed, with the reasons."""
        cut = [(one, self.phrases.fill("left_cut")) for one in self.harvest.cut]
        half = _MOST_LEFT // 2
        every = [*cut[:half], *self.harvest.dropped, *cut[half:]]
        for one, why in every[:_MOST_LEFT]:
            texts = (self.items.write_claim(one), flatten_text(why))
            yield f"- {' — '.join(clip_text(text, _LONGEST_LEFT) for text in texts)}"
        if len(every) > _MOST_LEFT:
            yield f"- {self.phrases.fill('left_more', n=len(every) - _MOST_LEFT)}"


def _find_section(one: Operation) -> str:
    return _SECTION.get(one.op, "knowledge")


def _count_taken(material: ReflectionMaterial) -> dict[str, int]:
    """Return how many proposals there were so far, and how many were approved."""
    return {
        "applied": sum(one.applied for one in material.log),
        "total": sum(one.total for one in material.log),
    }


def diff_blocks(before: str, after: str) -> list[str]:
    """Return a change of a file as a fenced diff without head and line numbers, in which each
    changed part has its `##` heading. Comments and empty lines are left out.
    """
    every = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=10_000)
    kept: list[str] = []
    heading, shown = "", ""
    for row in (row for row in every if not row.startswith(("---", "+++", "@@"))):
        if row[1:].startswith("## "):
            heading = row
        if row[:1] in "+-" and row[1:].strip() and not row[1:].startswith("<!--"):
            if heading not in (shown, row):
                kept += ["", heading] if kept else [heading]
            shown = heading
            kept.append(row)
    bare = (row.lstrip(" +-") for row in kept)
    longest = max((len(row) - len(row.lstrip("`")) for row in bare), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}diff", *kept, fence]


def write_milestone(harvest: Harvest) -> str:
    """Return what a milestone puts into evolution.md; empty if this reflection is none."""
    material = harvest.material
    if not harvest.guidance.milestone:
        return ""
    phrases = SummaryPhrases(find_language(material))
    what = phrases.fill(f"milestone.{material.number}")
    reviewed = phrases.count("reviewed", len(material.log), **_count_taken(material))
    threads = "; ".join(map(flatten_text, material.evolution.threads[:8]))
    fields = {"what": what, "reviewed": reviewed, "threads": threads}
    return phrases.fill("milestone_text", number=material.number, **fields)
