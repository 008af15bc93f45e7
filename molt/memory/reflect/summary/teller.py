"""Operations told to people: what would change, why, and from which words it comes."""

from __future__ import annotations

import re

from molt.formats import facts, ids
from molt.formats import lines as textlines
from molt.formats.prose import notes
from molt.memory.graph import graph, resolve
from molt.memory.reflect.summary.reasons import translate_reason
from molt.memory.reflect.unfit import UnfitWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.summary.phrases import Speech

_SHOWN = re.compile(r"<|(?<=!)\[|&(?=#?\w+;)")
"""What a page does not show as it stands: elements, images, and signs written as their names."""
_QUOTE = 140
"""Characters of the words that an operation comes from: enough to recall the moment."""
_NAMED = 4
"""Memories from outside that are named; the record has all of them."""
_KNOWN = 24
"""Characters by which words are found again in what they come from."""


class Teller:
    """Tells operations in the words of one material, in one language; of memories from outside
    that are of the class `told`, that has been said of all.
    """

    def __init__(self, material: ReflectionMaterial, speech: Speech, told: str = "") -> None:
        self._material = material
        self._told_outside = told
        self._speech = speech
        self._graph = graph.load(material.tree)
        self._unfit = UnfitWords(material.tree)
        # What one operation makes is not new to the next.
        self._introduced: set[str] = set()
        self._told: dict[str, Callable[[Operation], str]] = {
            "upsert-entity": self._tell_entity,
            "add-fact": self._tell_fact,
            "supersede-fact": self._tell_supersession,
            "upsert-procedure": self._tell_procedure,
            "accept-proposal": self._tell_proposal,
            "add-relation": self._tell_relation,
            "merge-entities": self._tell_merge,
            "archive": self._tell_archive,
            "reinforce": self._tell_reinforce,
            "pin": self._tell_pin,
            "contradiction": self._tell_contradiction,
        }

    def tell_item(self, one: Operation) -> list[str]:
        """The rows of an operation in a list: what, why, and from where."""
        tell = self._told.get(one.op)
        said = tell(one) if tell else _flatten(one.text("text"))
        rows = [f"- **#{one.n}** {said}"]
        if one.reason:
            reason = translate_reason(_flatten(one.reason), self._speech.language)
            rows.append(f"  - {self._speech.say('why', text=reason)}")
        return rows + [f"  - {row}" for row in (*self.tell_evidence(one), *self.tell_outside(one))]

    def tell_outside(self, one: Operation) -> list[str]:
        """Which of the memories that an operation comes from are nobody's word here, and from where
        they are: nothing where there is none, or where it was told of all.
        """
        known = self._material.memories
        every = (known.get(ids.complete_id(memory)) for memory in one.evidence)
        found = [each for each in every if each and each.outside not in ("", self._told_outside)]
        names = [f"{self.name_memory(each.id)} ({self._speech.say(each.outside)})"
                 for each in found[:_NAMED]]  # fmt: skip
        if len(found) > _NAMED:
            names.append(self._speech.say("more", count=len(found) - _NAMED))
        between = "；" if self._speech.language == "zh" else "; "
        return [self._speech.say("outside", names=between.join(names))] if names else []

    def tell_evidence(self, one: Operation) -> list[str]:
        """The words that an operation comes from: of several memories the first."""
        found = [memory for memory in one.evidence if self._quote(memory)]
        if not found:
            return []
        first = ids.complete_id(found[0])
        text = self._quote(first)
        # A note may hold what is neither told again nor kept in a record.
        text = "…" if self._unfit.find_fault(text) else _clip(_turn_to(text, one.text("text")))
        if first.startswith("episode:"):
            when = first.removeprefix("episode:").replace(":", " ", 1)[:16]
            said = self._speech.say("from", when=when, text=text)
        elif first.startswith(notes.PREFIX):
            said = self._speech.say("from", when=self._name_note(first), text=text)
        elif first.startswith(f"{ids.TURN}:"):
            said = self._speech.say("from", when=self.name_memory(first), text=text)
        else:
            said = self._speech.say("from_note", name=self.name_memory(first), text=text)
        if len(found) > 1:
            said += f" ({self._speech.say('more', count=len(found) - 1)})"
        return [said]

    def _name_note(self, memory: str) -> str:
        """The note of a piece, as people call it: its name, and the title above the piece."""
        piece = self._material.notebook.find(memory)
        name = memory.removeprefix(notes.PREFIX).rpartition("#")[0]
        title = piece.titles[-1] if piece and len(piece.titles) > 1 else ""
        return f"{name} ({_clip(_flatten(title), 40)})" if title else name

    def _quote(self, memory: str) -> str:
        memory = ids.complete_id(memory)
        known = self._material.memories.get(memory)
        if known is None:
            piece = self._material.notebook.find(memory)
            return _flatten(piece.text) if piece else ""
        if known.id.startswith("entity:"):
            one = self._material.entities.get(known.id.removeprefix("entity:"))
            known_facts = (
                "; ".join(facts.strip_asides(said) for said in one.facts[:2]) if one else ""
            )
            return _flatten((one.summary or known_facts) if one else "")
        if known.id.startswith("procedure:"):
            made = self._material.procedures.get(known.id.removeprefix("procedure:"))
            return _flatten(" / ".join(made.steps)) if made else ""
        return facts.strip_asides(_flatten(known.text))

    def name_memory(self, memory: str) -> str:
        """A memory as people call it."""
        memory = ids.complete_id(memory)
        kind, _, key = memory.partition(":")
        if kind == "entity":
            return self.name_entity(key)
        if kind == "episode":
            return key.replace(":", " ", 1)[:16]
        if memory.startswith(notes.PREFIX):
            return self._name_note(memory)
        if kind == ids.TURN:
            found = next((one for one in self._material.heard.turns if one.id == memory), None)
            session = _flatten(found.session) if found else key
            return self._speech.say("said_in", day=found.date if found else "", session=session)
        return self._speech.say("core") if kind == "core" else key

    def name_entity(self, name: str) -> str:
        """The label of an entity, known or new."""
        stem = resolve.resolve_entity(self._graph, name.removeprefix("entity:")) or ""
        known = self._material.entities.get(stem)
        if known is not None:
            return _flatten(known.label)
        bare = name.removeprefix("entity:")
        if ":" in bare:
            return _flatten(bare.partition(":")[2])
        label = bare.partition("--")[2]
        return label.replace("-", " ") if label else _flatten(bare)

    def _head(self, name: str) -> str:
        """An entity with its type where it is new."""
        stem = resolve.resolve_entity(self._graph, name.removeprefix("entity:"))
        label = self.name_entity(name)
        if stem or label.casefold() in self._introduced:
            return self._speech.say("known", name=label)
        self._introduced.add(label.casefold())
        bare = name.removeprefix("entity:")
        kind = bare.partition(":")[0] if ":" in bare else bare.partition("--")[0]
        return self._speech.say("new", kind=self._speech.name_kind(kind.lower()), name=label)

    def _join(self, head: str, *said: str) -> str:
        """A head and what is said of it."""
        colon, between = ("：", "；") if self._speech.language == "zh" else (": ", "; ")
        rest = between.join(facts.strip_asides(_flatten(one)) for one in said if one)
        return f"{head}{colon}{rest}" if rest else head

    def _tell_entity(self, one: Operation) -> str:
        names = ", ".join(one.texts("aliases"))
        also = self._speech.say("also", names=names) if names else ""
        said = (one.text("summary"), *one.texts("facts"), also)
        return self._join(self._head(one.text("entity")), *said)

    def _tell_fact(self, one: Operation) -> str:
        days = [
            self._speech.say(name, day=one.text(name))
            for name in ("since", "until")
            if one.text(name)
        ]
        span = f" ({', '.join(days)})" if days else ""
        return self._join(self._head(one.text("entity")), f"{_flatten(one.text('fact'))}{span}")

    def _tell_supersession(self, one: Operation) -> str:
        said = [self._speech.say("no_longer", old=_flatten(one.text("fact")))]
        if one.text("by"):
            said.append(self._speech.say("now", new=_flatten(one.text("by"))))
        return self._join(self._head(one.text("entity")), *said)

    def _tell_procedure(self, one: Operation) -> str:
        steps = " ".join(f"{at}) {_flatten(step)}" for at, step in enumerate(one.texts("steps"), 1))
        when = self._speech.say("when", text=one.text("trigger")) if one.text("trigger") else ""
        head = self._speech.say("procedure", name=_flatten(one.text("title")))
        return self._join(head, when, self._speech.say("steps", steps=steps))

    def _tell_proposal(self, one: Operation) -> str:
        wanted = one.text("proposal")
        known = next((each for each in self._material.proposals if each.id == wanted), None)
        agent, text = (known.agent, known.content) if known else (wanted, "")
        return self._speech.say("proposal_kept", agent=agent, text=_flatten(text))

    def _tell_relation(self, one: Operation) -> str:
        ends = [self.name_entity(one.text(name)) for name in ("from", "to")]
        return f"{ends[0]} → {_flatten(one.text('relation'))} → {ends[1]}"

    def _tell_merge(self, one: Operation) -> str:
        into, other = (self.name_memory(one.text(name)) for name in ("into", "other"))
        return self._speech.say("merge", into=into, other=other)

    def _tell_archive(self, one: Operation) -> str:
        memory = ids.complete_id(one.text("memory"))
        known = self._material.memories.get(memory)
        score = f"{known.standing.score:.2f}" if known else "0"
        text = _clip(self._quote(memory))
        return self._speech.say("archive", name=self.name_memory(memory), text=text, score=score)

    def _tell_reinforce(self, one: Operation) -> str:
        names = [self._name_with_words(memory) for memory in one.texts("memories")]
        between = "；" if self._speech.language == "zh" else "; "
        return self._speech.say("reinforce", names=between.join(names))

    def _name_with_words(self, memory: str) -> str:
        text = _clip(self._quote(memory), 60)
        name = self.name_memory(memory)
        return f"{name} “{text}”" if text else name

    def _tell_pin(self, one: Operation) -> str:
        memory = one.text("memory")
        text = _clip(self._quote(memory))
        return self._speech.say("pin", name=self.name_memory(memory), text=text)

    def _tell_contradiction(self, one: Operation) -> str:
        first, second = (self._say_side(one.text(name)) for name in ("first", "second"))
        return self._speech.say("either", first=first, second=second)

    def _say_side(self, text: str) -> str:
        return _clip(self._quote(text)) or _flatten(text)


def _flatten(text: str) -> str:
    """A text on one line that a page shows as it is: no element of HTML that could hide what
    follows, no image that a viewer would load, and no sign that is written as its name (`&lt;`).
    """
    return _SHOWN.sub(r"\\\g<0>", textlines.one_line(text).strip())


def _turn_to(text: str, said: str) -> str:
    """A text from the words on that are told of it, where a quote would end before them."""
    at = text.find(said[:_KNOWN]) if said else 0
    return f"…{text[at:]}" if at > _QUOTE - 2 * _KNOWN else text


def _clip(text: str, most: int = _QUOTE) -> str:
    """The beginning of a text, up to the end of a word."""
    if len(text) <= most:
        return text
    head = text[:most]
    cut = head.rfind(" ", most // 2)
    return f"{head[:cut] if cut > 0 else head}…"
