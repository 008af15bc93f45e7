"""What the memories of a material say, as evidence: their words, what they are filed under, the day
on which each was said, for whom it is, and the sentence of it that is nearest to a claim.
"""

from __future__ import annotations

import re
from functools import cached_property

from molt import trees
from molt.formats import bullets, episodes, frontmatter, ids, paths, scopes
from molt.formats.prose import notes
from molt.formats.reflections import plan, quotes
from molt.index.content import words
from molt.memory.engines import classify
from molt.memory.reflect.claims import EvidenceText, KnownName, fold_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.formats.episodes import Episode
    from molt.formats.reflections.plan import Operation
    from molt.formats.reflections.quotes import TurnQuote
    from molt.memory.reflect.material.material import ReflectionMaterial

_USER = frozenset(("user", "the user", "用户"))
"""How molt names the speaker of a memory that names none."""
LONGEST = 600
"""Characters of a quotation: of a longer sentence its beginning is shown."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n+")
_SURE = 0.55
"""The share of Persona among the blocks from which on a bullet is a rule of conduct."""
_JOIN = re.compile(r"(?:\.\.\.|…|\[\.\.\.\])+")
_MARKUP = re.compile(r"[*_`]+|(?<![^\s])(?:[-+>]|#{1,6}|\d{1,2}[.)])\s")
_POINTS = re.compile(r"[^\w\s%$€£¥#@+-]+")


class EvidenceSources:
    """Reads the memories of a material, each once."""

    def __init__(self, material: ReflectionMaterial) -> None:
        self.material = material
        self._read: dict[str, EvidenceText | None] = {}

    def read(self, memory: str) -> EvidenceText | None:
        """Return what a memory says; None where there is none that is not forgotten."""
        if memory not in self._read:
            self._read[memory] = self._find(memory)
        return self._read[memory]

    def _find(self, memory: str) -> EvidenceText | None:
        known = self.material.memories.get(memory)
        entry = self._entries.get(memory) if known else None
        if entry is not None:
            filed = " ".join((entry.type, *entry.tags, *map(" ".join, entry.fields)))
            return EvidenceText(memory, entry.text, f"{filed} {entry.date}", entry.date)
        piece = self.material.notebook.find(memory)
        if piece is not None:
            # A list says by its headings of what it is.
            return EvidenceText(
                memory, piece.text, "\n".join((piece.lead, *piece.titles)), piece.date
            )
        if memory in self._turns:
            return EvidenceText(memory, self._turns[memory].text, "", self._turns[memory].date)
        if known is not None:
            return EvidenceText(memory, known.text, _find_block(memory), self._find_day(memory))
        text = self._blocks.get(memory) or self._proposals.get(memory)
        return EvidenceText(memory, text) if text else None

    def _find_day(self, memory: str) -> str:
        """Return the day on which all of an entity was written, from which its dates without a
        year are counted; empty if it was written on several.
        """
        one = self.material.entities.get(memory.removeprefix("entity:"))
        return one.created if one and one.created == one.updated else ""

    @cached_property
    def _entries(self) -> dict[str, Episode]:
        """All episodes by id: a memory's text alone does not hold its tags and fields."""
        found = {one.id: one for one in self.material.fresh}
        for path in self.material.tree.entries():
            if paths.kind_of(path) == "episode":
                date = paths.date_of(path) or ""
                text = trees.read_text(self.material.tree, path)
                found.update((one.id, one) for one in episodes.parse(text, date))
        return found

    @cached_property
    def _turns(self) -> Mapping[str, TurnQuote]:
        """What was said in conversations, as earlier reflections quote it."""
        every = (quotes.read_quotes(one.fields) for one in self.material.records)
        return {name: one for found in every for name, one in found.items()}

    @cached_property
    def _blocks(self) -> dict[str, str]:
        """The texts of whole blocks of core memory, by their ids."""
        found: dict[str, str] = {}
        for one in bullets.core_bullets(self.material.core):
            block = ids.core(one.block)
            found[block] = f"{found.get(block, f'{one.block}: ')}{one.text}\n"
        return found

    @cached_property
    def _proposals(self) -> dict[str, str]:
        return {one.id: one.content for one in self.material.proposals}

    @cached_property
    def everything(self) -> tuple[EvidenceText, ...]:
        """Return all memories, and what waits for a review."""
        every = (*self.material.memories, *self._blocks, *self._proposals, *self._turns,
                 *(one.id for one in self.material.notes.pieces))  # fmt: skip
        return tuple(one for one in map(self.read, dict.fromkeys(every)) if one is not None)

    @cached_property
    def scoped(self) -> tuple[str, ...]:
        """Return the memories that are for some people alone."""
        return tuple(one.id for one in self.everything if self.find_scopes([one.id]))

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Return the memories without a scope, for claims without evidence."""
        some = frozenset(self.scoped)
        return tuple(one.id for one in self.everything if one.id not in some)

    def tell_missing(self, memory: str) -> str:
        """Return why there is no such memory."""
        if self.material.notebook.has_file(memory):
            return f"the note says this no longer, for it was edited since: {memory}"
        return f"there is no memory {memory}"

    def find_scopes(self, evidence: Iterable[str]) -> frozenset[str]:
        """Return for whom alone some memories are, of those that are not for everybody."""
        found: set[str] = set()
        for memory in evidence:
            entry, known = self._entries.get(memory), self.material.memories.get(memory)
            if entry is not None:
                found.add(scopes.read_scope(entry.fields))
            elif memory.startswith(notes.PREFIX):
                found.add(self.material.notebook.scope_of(memory))
            elif known is not None and not memory.startswith("core:"):
                found.add(scopes.read_note(known.text))
        return frozenset(found - {scopes.OPEN})

    def find_outside(self, evidence: Iterable[str]) -> str:
        """Return the class of outside that some memories are from, if that holds of each: a tool, a
        page or a sub-agent. What a person imports may be their own words.
        """
        found = [self.material.memories.get(memory) for memory in evidence]
        kinds = [one.outside if one else "" for one in found]
        return kinds[0] if kinds and "" not in kinds and "import" not in kinds else ""

    def list_names(self) -> Iterator[KnownName]:
        """Yield the labels and other names of all entities."""
        for stem, one in self.material.entities.items():
            for form in (one.label, *one.aliases):
                if len(form) > 1:
                    yield KnownName(form, stem)

    def list_selves(self) -> frozenset[str]:
        """Return what core memory calls its user, as names are compared: by the first bullet that
        says who that is, and what else an entity of that name is called.
        """
        first = next((one.text for one in bullets.core_bullets(self.material.core)
                      if one.block == bullets.BLOCKS[0]), "")  # fmt: skip
        key, colon, said = first.partition(":")
        name = (said if colon and len(key) < LONGEST else first).strip(" []*\n")
        found = {fold_text(name)} if len(name) < 40 and colon else set[str]()
        found |= {fold_text(one) for one in re.findall(r"(?<!^)\b[^\W\d_a-z]\w+", f" {name}")}
        for one in self.material.entities.values():
            forms = {fold_text(form) for form in (one.label, *one.aliases)}
            if one.type == "person" and not forms.isdisjoint(found):
                found |= forms | {part for form in forms for part in form.split()}
        return frozenset(one for one in found if len(one) > 1) | _USER


def _find_block(memory: str) -> str:
    """Return the block of a bullet of core memory, as words."""
    return (
        memory.partition(":")[2].partition("#")[0].replace("-", " ")
        if memory[:5] == "core:"
        else ""
    )


def split_sentences(text: str) -> list[str]:
    """Return the sentences of what a memory says, each on one line, without front matter, headings
    and comments.
    """
    body = frontmatter.split_front_matter(text)[1] if text.startswith("---") else text
    shown, *rest = body.split("<!--")
    body = " ".join((shown, *(part.partition("-->")[2] for part in rest)))
    joined = "\n".join(row for row in body.split("\n") if not row.startswith("#"))
    # A line that begins with a small letter goes on with the one before.
    joined = re.sub(r"(?<=[^\s.!?。！？:])\n(?![\s]*(?:[-*+>|#]|\d+[.)]))(?=\S)", " ", joined)
    found = (" ".join(_MARKUP.sub(" ", one).split()) for one in _SENTENCE.split(joined))
    return [one for one in found if one]


def has_quote(text: str, quote: str) -> bool:
    """Return whether a text has a quotation: its parts in order, where dots leave something
    out; white space, case, width, marks and points folded.
    """
    said = _fold_quote(text)
    parts = [part for part in map(_fold_quote, _JOIN.split(quote)) if part]
    at = 0
    for part in parts:
        at = said.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return bool(parts)


def widen_quote(text: str, quote: str) -> str:
    """Return the whole sentence of a text that a quotation is from, or the quotation itself where
    it goes over several.
    """
    wanted = _fold_quote(quote)
    for one in split_sentences(text):
        if wanted in _fold_quote(one) and len(one) <= LONGEST:
            return one
    return " ".join(quote.split())[:LONGEST]


def is_part(claim: str, quote: str) -> bool:
    """Return whether a claim is a part of a quotation, as whole words."""
    wanted, said = _fold_quote(claim), _fold_quote(quote)
    if not wanted:
        return False
    if wanted.isascii():
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said) is not None
    return wanted in said


def is_verbatim(one: Operation) -> bool:
    """Return whether all that an operation claims is a part of its quotes, whatever its record says
    of that: a branch is anybody's to edit.
    """
    told = [quote.text for quote in one.quotes]
    claims = plan.list_claims(one)
    return plan.is_quoted(one) and all(any(is_part(it, said) for said in told) for it in claims)


def is_rule(text: str) -> bool:
    """Return whether the shipped model takes a bullet of core memory for a rule of conduct."""
    found = classify.classify_text(text)
    return found.block == "Persona" and found.block_confidence > _SURE


def _fold_quote(text: str) -> str:
    plain = _POINTS.sub(" ", fold_text(_MARKUP.sub(" ", text)))
    return " ".join(plain.split())


def find_nearest(text: str, claim: str) -> str:
    """Return the sentence of a text that shares most with a claim; the first where none does."""
    every = split_sentences(text)
    wanted = frozenset(words.split_terms(fold_text(claim)))
    if not every:
        return ""

    def weigh(one: str) -> float:
        terms = frozenset(words.split_terms(fold_text(one)))
        return len(wanted & terms) / (len(terms) + 4) ** 0.5 if terms else 0.0

    best = max(every, key=weigh)
    return best if len(best) <= LONGEST else f"{best[: LONGEST - 1]}…"


def choose_quote(known: EvidenceText, given: str, claims: str) -> str:
    """Return the sentence that a given quote is from, else the one that is nearest to a claim."""
    if given:
        return widen_quote(known.text, given)
    return find_nearest(known.text, claims)


def split_label(name: str) -> tuple[str, str]:
    """Return the type and the label of a name as a plan writes it."""
    bare = name.removeprefix("entity:").strip()
    kind, mark, label = bare.partition(":")
    if not mark:
        kind, mark, label = bare.partition("--")
    return (kind.strip().lower(), label.strip()) if mark else ("", bare)
