"""Whether the evidence of an operation exists and says what the operation says."""

from __future__ import annotations

import re

from molt.formats import bullets, facts, ids, origin
from molt.formats.reflections import plan
from molt.memory.reflect.evidence import claims, related
from molt.memory.reflect.evidence.remarks import Remarks
from molt.memory.reflect.evidence.witness import Witness
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.evidence.witness import TellableClaim
    from molt.memory.reflect.material.material import ReflectionMaterial

Dropped = tuple["Operation", str]
_UNTOLD = ("archive", "reinforce", "pin", "accept-proposal")
"""What says nothing of the memories that it is about."""


class Checked(Value):
    """The operations that their evidence supports, and what was dropped, with the reason: whole
    operations, or the unsupported parts of those that are kept.
    """

    kept: tuple[Operation, ...]
    dropped: tuple[Dropped, ...] = ()


class Unproved(Exception):
    """Why the evidence does not support an operation."""


def check_operations(
    material: ReflectionMaterial, operations: Iterable[Operation], *, plain: bool = False
) -> Checked:
    """Those of some operations that the memories which they name bear out: every id is there and
    not forgotten, most words and every number, date and name is in them, or follows from their
    own date. Reasons that rules gave are `plain`: they tell of nothing. No model is asked.
    """
    check = _Check(material, plain)
    kept: list[Operation] = []
    for one in operations:
        try:
            kept.append(check.judge(one))
        except Unproved as error:
            check.dropped.append((one, str(error)))
    return Checked(tuple(kept), tuple((one, _spell(why, one)) for one, why in check.dropped))


_QUOTED = re.compile(r"(?<=')[a-z]{3,}(?=')")


def _spell(why: str, one: Operation) -> str:
    """Why something is dropped, with words as the operation spells them: they are compared by their
    stems, which nobody writes.
    """
    said = " ".join(plan.list_texts(one)).replace("-", " ").replace(":", " ")
    return _QUOTED.sub(lambda found: claims.spell(found.group(), said), why)


class _Check:
    """Judges operations one after the other: an entity that one makes is known to the next."""

    def __init__(self, material: ReflectionMaterial, plain: bool) -> None:
        self.material = material
        self.plain = plain
        self.witness = Witness(material)
        self.remarks = Remarks(self.witness)
        self.dropped: list[Dropped] = []
        self._judges: dict[str, Callable[[Operation], Operation]] = {
            "upsert-entity": self._judge_entity,
            "add-fact": self._judge_fact,
            "supersede-fact": self._judge_supersession,
            "add-relation": self._judge_relation,
            "upsert-procedure": self._judge_procedure,
            "accept-proposal": self._judge_proposal,
            "rewrite-core": self._judge_core,
            "archive": self._judge_archive,
            "reinforce": self._judge_reinforce,
            "contradiction": self._judge_contradiction,
            "question": self._judge_question,
            "insight": self._judge_insight,
        }

    def judge(self, one: Operation) -> Operation:
        """The part of an operation that its evidence supports. Raises Unproved if there is none."""
        one = self._hold_evidence(one)
        self._keep_scope(one)
        judge = self._judges.get(one.op)
        one = judge(one) if judge else one
        return one if self.plain else self._clean_reason(one)

    def _hold_evidence(self, one: Operation) -> Operation:
        """The operation with the evidence that exists. Raises Unproved if some does not."""
        if one.op in ("rewrite-core", "reinforce", "accept-proposal"):
            return one.replace(evidence=tuple(filter(self.witness.knows, one.evidence)))
        named = plan.list_evidence(one)
        self._require(named, optional=one.op in plan.WITHOUT_EVIDENCE)
        return one

    def _keep_scope(self, one: Operation) -> None:
        """Raises Unproved if something meant for only some people would be told to others."""
        if one.op in ("rewrite-core", *_UNTOLD):
            return
        found = self.witness.find_scopes(plan.list_evidence(one))
        ends = [one.text(name) for name in ("entity", "from", "into") if one.text(name)]
        if found - {self.witness.scope_of(name) for name in ends}:
            raise Unproved(f"its evidence is for {', '.join(sorted(found))} alone")

    def _require(self, named: Iterable[str], *, optional: bool = False) -> None:
        named = tuple(named)
        missing = [memory for memory in named if not self.witness.knows(memory)]
        if missing:
            raise Unproved("; ".join(map(self.witness.tell_missing, missing[:3])))
        if not named and not optional:
            raise Unproved("it names no memory as its evidence")

    def _prove(self, text: str, evidence: Iterable[str], *, about: str = "") -> None:
        wrong = self.witness.find_lie(text, tuple(evidence), about=about)
        if wrong:
            raise Unproved(wrong)

    def _is_proved(self, one: Operation, field: str, text: str, *, about: str = "") -> bool:
        """Whether the evidence supports a part of an operation; if not, the part is noted as
        dropped.
        """
        wrong = self.witness.find_lie(text, one.evidence, about=about)
        if wrong:
            self._note_part(one, field, text, wrong)
        return not wrong

    def _note_part(self, one: Operation, field: str, text: str, wrong: str) -> None:
        listed = plan.KINDS[one.op].fields[field]["type"] == "array"
        part = {**_pick_entity(one), field: [text] if listed else text}
        self.dropped.append((one.replace(args=part), wrong))

    def _tell(self, one: Operation, field: str, text: str, about: str = "") -> TellableClaim:
        """What is told of a claim, which is noted as dropped where that is a quotation. Raises
        Unproved where the evidence has nothing like it.
        """
        told = self.witness.find_words(text, one.evidence, about=about)
        if not told.text:
            raise Unproved(told.wrong)
        if told.wrong and not _is_quoted(text, told.text):
            self._note_part(one, field, text, f"quoted instead: {told.wrong}")
        return told

    def _judge_entity(self, one: Operation) -> Operation:
        name = one.text("entity")
        known = self.witness.find_entity(name)
        if not known:
            self._prove_name(name, one.evidence)
            self.witness.learn_entity(name)
        args: dict[str, Any] = {"entity": name}
        if tags := self.witness.choose_tags(one.texts("tags"), one.evidence):
            args["tags"] = tags
        every = one.texts("aliases")
        if kept := [text for text in every if self._is_proved(one, "aliases", text, about=name)]:
            args["aliases"] = kept
        if told := tuple(dict.fromkeys(self._list_told(one, name))):
            args["facts"] = list(told)
        summary = one.text("summary")
        if summary and self._is_proved(one, "summary", summary, about=name):
            args["summary"] = summary
        if known and not args.keys() - {"entity", "tags"} and one.args.keys() - args.keys():
            raise Unproved("nothing of it is in its evidence")
        return one.replace(args=args)

    def _list_told(self, one: Operation, name: str) -> Iterator[str]:
        """The facts of an entity as they are told, each with the memory that is quoted."""
        for text in one.texts("facts"):
            try:
                told = self._tell(one, "facts", text, name)
            except Unproved as error:
                self._note_part(one, "facts", text, str(error))
                continue
            yield f"{told.text} (source: {told.memory})" if told.memory else text

    def _prove_name(self, name: str, evidence: tuple[str, ...]) -> None:
        """Raises Unproved if the evidence does not name a new entity."""
        wrong = self.witness.find_misnomer(name, evidence)
        if wrong:
            raise Unproved(wrong)

    def _judge_fact(self, one: Operation) -> Operation:
        name = one.text("entity")
        if not self.witness.find_entity(name):
            self._prove_name(name, one.evidence)
            self.witness.learn_entity(name)
        told = self._tell(one, "fact", one.text("fact"), name)
        for field in ("since", "until"):
            if one.text(field):
                self._prove(one.text(field), one.evidence)
        return _put_told(one, "fact", told)

    def _judge_supersession(self, one: Operation) -> Operation:
        name = one.text("entity")
        if not self.witness.has_fact(name, one.text("fact")):
            raise Unproved(f"{name} has no fact {one.text('fact')[:80]!r} that holds")
        if one.text("by"):
            one = _put_told(one, "by", self._tell(one, "by", one.text("by"), name))
        if one.text("since"):
            self._prove(one.text("since"), one.evidence)
        return one

    def _judge_relation(self, one: Operation) -> Operation:
        ends = (one.text("from"), one.text("to"))
        for name in ends:
            if not self.witness.find_entity(name):
                raise Unproved(f"no entity {name!r}, and no operation before it makes one")
        word = one.text("relation")
        told = related.judge_relation(self.witness, ids.slug(word), ends, one.evidence)
        if not told.word:
            raise Unproved(told.wrong)
        if told.wrong:
            self.dropped.append((one, f"{told.word} instead: {told.wrong}"))
            return one.replace(args={**one.args, "relation": told.word})
        return one

    def _judge_procedure(self, one: Operation) -> Operation:
        title = one.text("title")
        wrong = self.witness.find_mistitled(title, one.evidence)
        if wrong:
            raise Unproved(wrong)
        steps = dict.fromkeys(self._tell_step(one, "steps", text) for text in one.texts("steps"))
        args = {"title": title, "steps": list(steps)}
        if trigger := one.text("trigger"):
            args["trigger"] = self._tell_step(one, "trigger", trigger)
        if tags := self.witness.choose_tags(one.texts("tags"), one.evidence):
            args["tags"] = tags
        return one.replace(args=args)

    def _tell_step(self, one: Operation, field: str, text: str) -> str:
        """A step of a procedure as its evidence tells it."""
        try:
            return self._tell(one, field, text).text
        except Unproved as error:
            raise Unproved(f"{error}, for {text[:60]!r}") from None

    def _judge_proposal(self, one: Operation) -> Operation:
        name = one.text("proposal")
        every = {form: each.id for each in self.material.proposals
                 for form in (each.id, str(each.number), f"#{each.number}")}  # fmt: skip
        if name not in every:
            raise Unproved(f"no proposal {name!r} is pending")
        return one.replace(args={**one.args, "proposal": every[name]})

    def _judge_core(self, one: Operation) -> Operation:
        """The changes that their evidence supports, one by one."""
        known = {each.id: each.text for each in bullets.core_bullets(self.material.core)}
        texts = {" ".join(text.split()): memory for memory, text in known.items()}
        args: dict[str, Any] = {"add": [], "replace": [], "drop": []}
        for field, kept in args.items():
            for row in one.rows(field):
                try:
                    kept.append(self._judge_row(one, field, row, (known, texts)))
                except Unproved as error:
                    self.dropped.append((one.replace(args={field: [row]}), str(error)))
        args = {field: rows for field, rows in args.items() if rows}
        if not args:
            raise Unproved("none of its changes is borne out")
        return one.replace(args=args)

    def _judge_row(
        self,
        one: Operation,
        field: str,
        row: dict[str, Any],
        core: tuple[dict[str, str], dict[str, str]],
    ) -> dict[str, Any]:
        """One change of core memory as its evidence supports it; `core` are the texts of bullets by
        id, and the ids by text. Raises Unproved if there is none.
        """
        known, texts = core
        bullet = row.get("bullet", "")
        if bullet:
            said = " ".join(bullet.removeprefix("- ").split())
            bullet = said if said in known else texts.get(said, "")
            if not bullet:
                raise Unproved(f"MEMORY.md has no bullet {said[:80]!r}")
        if "text" not in row:
            return row
        evidence = tuple(map(ids.complete_id, row.get("evidence", ()))) or one.evidence
        evidence = (*evidence, bullet) if bullet else evidence
        self._require(evidence)
        own = self.witness.find_scopes(evidence) - {self.material.config.scope_core}
        if own:
            raise Unproved(f"its evidence is for {', '.join(sorted(own))} alone")
        told = self.witness.find_words(row["text"], evidence)
        if not told.text:
            raise Unproved(told.wrong)
        if told.wrong:
            if not _is_quoted(row["text"], told.text):
                part = one.replace(args={field: [row]})
                self.dropped.append((part, f"quoted instead: {told.wrong}"))
            evidence = (told.memory,)
            row = {**row, "text": told.text, "evidence": [told.memory]}
        kind = self.witness.find_outside(evidence)
        return {**row, "text": origin.mark_text(row["text"], kind)} if kind else row

    def _judge_archive(self, one: Operation) -> Operation:
        memory = ids.complete_id(one.text("memory"))
        known = self.material.memories.get(memory)
        if known and known.pinned:
            raise Unproved(f"{memory} is pinned: it never fades")
        return one

    def _judge_reinforce(self, one: Operation) -> Operation:
        kept = [memory for memory in one.texts("memories") if self.witness.knows(memory)]
        if not kept:
            self._require(one.texts("memories"))
        return one.replace(args={"memories": kept})

    def _judge_contradiction(self, one: Operation) -> Operation:
        for field in ("first", "second"):
            text = one.text(field)
            if not self.witness.knows(text):
                self._prove(text, one.evidence, about=one.text("about"))
        return one

    def _judge_question(self, one: Operation) -> Operation:
        evidence = plan.list_evidence(one)
        wrong = "" if self.plain else self.remarks.find_presumption(one.text("text"), evidence)
        if wrong:
            raise Unproved(wrong)
        return one

    def _judge_insight(self, one: Operation) -> Operation:
        thread = one.text("thread")
        wrong = self.remarks.find_strange_theme(thread, one.evidence) if thread else ""
        if wrong:
            self.dropped.append((one, f"proposed without its thread: {wrong}"))
            one = one.replace(args={"text": one.text("text")})
        return _put_told(one, "text", self._tell(one, "text", one.text("text")))

    def _clean_reason(self, one: Operation) -> Operation:
        """The operation with its reason, or with a plain one where that tells what no memory
        says.
        """
        wrong = self.remarks.find_invention(one) if one.reason else ""
        if not wrong:
            return one
        one = one.replace(reason=self.remarks.make_plain(one))
        self.dropped.append((one, f"proposed with a plain reason: {wrong}"))
        return one


def _is_quoted(text: str, told: str) -> bool:
    """Whether a claim was the quotation already that is told instead of it."""
    one, other = (" ".join(facts.strip_asides(each).split()) for each in (text, told))
    return one.rstrip(".!") == other.rstrip(".!")


def _put_told(one: Operation, field: str, told: TellableClaim) -> Operation:
    """An operation that tells a claim as it can be told."""
    evidence = (told.memory,) if told.memory else one.evidence
    return one.replace(args={**one.args, field: told.text}, evidence=evidence)


def _pick_entity(one: Operation) -> dict[str, Any]:
    return {"entity": one.args["entity"]} if "entity" in one.args else {}
