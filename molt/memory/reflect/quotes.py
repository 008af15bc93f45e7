"""The check of a plan, by quotation: each claim names its evidence, and the quote is in it.

Numbers, dates and names of a claim are those of its evidence (`claims`). Nothing is put in other
words, cut, or replaced: what is no part of its quote is marked as in the model's words, and the
person who approves has the quote beside it.
"""

from __future__ import annotations

from molt.formats import bullets, facts, ids, origin
from molt.formats.prose import named_days
from molt.formats.reflections import plan
from molt.formats.reflections.plan import EvidenceQuote
from molt.memory.graph import graph, resolve
from molt.memory.reflect import sources
from molt.memory.reflect.claims import ClaimCheck, EvidenceGround, fold_text
from molt.memory.reflect.sources import EvidenceSources
from molt.policy import injection
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from molt.formats.bullets import Bullet
    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material.material import ReflectionMaterial

Dropped = tuple["Operation", str]
_WORDED = ("episode:", "core:")
"""Memories of one text, which a question repeats."""
_UNTOLD = ("archive", "reinforce", "pin", "accept-proposal")
"""What says nothing of the memories that it is about."""
_RULES, _FREE = ("Persona", "Critical Facts"), ("Identity", "Active Context")
"""The blocks of core memory whose bullets only a person's word takes away, for they are rules of
conduct or must never be forgotten; and those without such."""
_NAMED = ("person", "place", "organization", "tool")
"""Types of entities whose names are names, and no words for something."""


class Checked(Value):
    """The operations that their evidence supports, with their quotes and wording, and what was left
    out, with the reason: whole operations, or parts of those that are kept.
    """

    kept: tuple[Operation, ...]
    dropped: tuple[Dropped, ...] = ()


class Unproved(Exception):
    """Why the evidence does not support an operation."""


def check_operations(
    material: ReflectionMaterial, operations: Iterable[Operation], *, plain: bool = False
) -> Checked:
    """Return those of some operations that stand on the memories which they name. Reasons that
    rules gave are `plain`: they claim nothing. No model is asked.
    """
    check = _Check(material, plain)
    kept: list[Operation] = []
    for one in operations:
        try:
            kept.append(check.judge(one))
        except Unproved as error:
            check.drop(one, str(error))
    bare = [one for one in kept if check.is_bare(one, kept)]
    check.dropped += [(one, "an entity without a fact says nothing") for one in bare]
    return Checked(tuple(one for one in kept if one not in bare), tuple(check.dropped))


class _Check:
    """Judges operations one after the other: an entity that one makes is known to the next."""

    def __init__(self, material: ReflectionMaterial, plain: bool) -> None:
        self.material = material
        self.plain = plain
        self.sources = EvidenceSources(material)
        self.dropped: list[Dropped] = []
        self._graph = graph.load(material.tree)
        self._made: dict[str, str] = {}
        self._grounds: dict[tuple[str, ...], EvidenceGround] = {}
        selves = self.sources.list_selves()
        self._claims = ClaimCheck(self.sources.list_names(), selves, self._everything)
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
        """Return an operation with its quotes. Raises Unproved where it does not stand on them."""
        one = self._hold_evidence(one)
        self._keep_scope(one)
        judge = self._judges.get(one.op)
        one = judge(one) if judge else one
        self._refuse_orders(one)
        return self._clean_reason(self._quote(one))

    def drop(self, one: Operation, why: str) -> None:
        """Note what is left out, without its words where these are for some people alone: the
        record of a reflection is for everybody.
        """
        if some := self._find_told(one):
            one, why = one.replace(args={}), f"its evidence is for {', '.join(sorted(some))} alone"
        self.dropped.append((one, why))

    def _find_told(self, one: Operation) -> frozenset[str]:
        if some := self.sources.find_scopes(plan.list_evidence(one)):
            return some
        if not self.sources.scoped:
            return some
        find = self._claims.find_invention
        every = self._ground((*self.sources.open, *self.sources.scoped))
        texts = (text for text in plan.list_texts(one) if find(text, self._everything))
        told = any(not find(text, every) for text in texts)
        return self.sources.find_scopes(self.sources.scoped if told else ())

    def is_bare(self, one: Operation, others: Sequence[Operation]) -> bool:
        """Return whether an operation makes an entity of which neither it nor another says
        anything.
        """
        if one.op != "upsert-entity" or one.texts("facts") or one.text("summary"):
            return False
        name = self._fold_name(one.text("entity"))
        said = [other.text(key) for other in others if other is not one
                for key in ("entity", "from", "to") if other.text(key)]  # fmt: skip
        said += [str(row.get("into", "")) for other in others for row in other.rows("drop")]
        return not self.find_entity(one.text("entity")) and name not in map(self._fold_name, said)

    def _hold_evidence(self, one: Operation) -> Operation:
        """Return the operation with whole ids. Raises Unproved where a memory is not there, or a
        quote not in it.
        """
        found = [ids.complete_id(memory) for memory in one.evidence]
        held: list[EvidenceQuote] = []
        for quote in one.quotes:
            memory = ids.complete_id(quote.id) if quote.id else self._find_quoted(quote.text)
            found.append(memory)
            held.append(EvidenceQuote(memory, quote.text))
        one = one.replace(evidence=tuple(dict.fromkeys(found)), quotes=tuple(held))
        if one.op == "reinforce":
            return one.replace(evidence=tuple(filter(self.sources.read, one.evidence)))
        named = plan.list_evidence(one)
        if missing := [memory for memory in named if self.sources.read(memory) is None]:
            told = map(self.sources.tell_missing, missing[:3])
            raise Unproved("; ".join(told) if one.op != "accept-proposal" else next(told))
        if not named and one.op not in plan.WITHOUT_EVIDENCE:
            raise Unproved("it names no memory as its evidence")
        for quote in held:
            known = self.sources.read(quote.id)
            if known and not sources.has_quote(f"{known.text}\n{known.filed}", quote.text):
                raise Unproved(f"{quote.id} does not say {quote.text[:80]!r}")
        return one

    def _find_quoted(self, quote: str) -> str:
        """Return the one memory that has a quote. Raises Unproved for none, or several."""
        found = [one.id for one in self.sources.everything if sources.has_quote(one.text, quote)]
        # A note or block has what its bullets have.
        found = [one for one in found if "#" in one or one.startswith("episode:")] or found
        if len(found) != 1:
            many = f"{len(found)} memories say" if found else "no memory says"
            raise Unproved(f"{many} {quote[:80]!r}")
        return found[0]

    def _keep_scope(self, one: Operation) -> None:
        """Raises Unproved if something meant for only some people would be told to others."""
        if one.op in _UNTOLD:
            return
        found = self.sources.find_scopes(plan.list_evidence(one))
        if one.op == "rewrite-core":
            allowed = {self.material.config.scope_core} - {""}
        else:
            ends = [one.text(name) for name in ("entity", "from", "into") if one.text(name)]
            every = (ids.entity(self.find_entity(name)) for name in ends)
            allowed = {"".join(self.sources.find_scopes([memory])) for memory in every}
            # What is about a scoped entity stays in its file.
            if len(allowed) > 1:
                allowed = set()
        if found - allowed:
            raise Unproved(f"its evidence is for {', '.join(sorted(found))} alone")

    def _refuse_orders(self, one: Operation) -> None:
        """Raises Unproved where what came from outside gives the agent an order."""
        if not self.sources.find_outside(one.evidence):
            return
        if any(map(injection.is_instruction, plan.list_texts(one))):
            raise Unproved("it is an instruction from outside")

    def _ground(self, evidence: tuple[str, ...]) -> EvidenceGround:
        if evidence not in self._grounds:
            every = tuple(filter(None, map(self.sources.read, evidence)))
            self._grounds[evidence] = EvidenceGround(every, self.material.day)
        return self._grounds[evidence]

    def find_entity(self, name: str) -> str:
        """Return the known entity that a name means; empty for none."""
        return resolve.resolve_entity(self._graph, name.removeprefix("entity:")) or ""

    def _list_forms(self, name: str) -> tuple[str, ...]:
        """Return what an entity is called, and the parts of these names."""
        entity = self.material.entities.get(self.find_entity(name))
        forms = (entity.label, *entity.aliases) if entity else (sources.split_label(name)[1],)
        parts = (part for form in forms for part in form.replace("-", " ").split() if len(part) > 1)
        return tuple(dict.fromkeys((*forms, *parts)))

    def _prove(self, text: str, one: Operation, *, about: str = "", loose: bool = False) -> None:
        """Raises Unproved where a claim has what its evidence does not have."""
        if wrong := self._find_wrong(text, one, about=about, loose=loose):
            raise Unproved(wrong)

    def _find_wrong(
        self, text: str, one: Operation, *, about: str = "", loose: bool = False
    ) -> str:
        evidence = plan.list_evidence(one)
        ground = self._ground(evidence) if evidence else self._everything
        bare = facts.strip_asides(text)
        cited = text[len(bare) :].strip(" ()")
        if bare != text and self._cites(cited):
            text = bare
        own = self._list_forms(about) if about else ()
        return self._claims.find_invention(text, ground, own, loose=loose)

    def _cites(self, aside: str) -> bool:
        """Whether an aside names memories that there are, or what molt itself writes there."""
        key, colon, said = aside.partition(":")
        named = [ids.complete_id(part.strip()) for part in said.split(",")]
        return bool(colon) and (key.strip() != "source" or all(map(self.sources.read, named)))

    @property
    def _everything(self) -> EvidenceGround:
        return self._ground(self.sources.open)

    def _keep_proved(self, one: Operation, field: str, about: str) -> list[str]:
        """Return the texts of a list that their evidence has; the others are noted as left out."""
        kept: list[str] = []
        for text in one.texts(field):
            if wrong := self._find_wrong(text, one, about=about):
                self._note_part(one, field, [text], wrong)
            else:
                kept.append(text)
        return kept

    def _note_part(self, one: Operation, field: str, value: object, wrong: str) -> None:
        kept = {name: one.args[name] for name in ("entity",) if name in one.args}
        self.drop(one.replace(args={**kept, field: value}), wrong)

    def _prove_name(self, name: str, one: Operation) -> None:
        """Raises Unproved where evidence does not speak of a new entity."""
        kind, label = sources.split_label(name)
        if self.find_entity(name) or fold_text(label) in self._made:
            return
        if wrong := self._find_misnomer(kind, label, self._ground(plan.list_evidence(one))):
            raise Unproved(wrong)
        if not self._is_called(label):
            self._prove(label.replace("-", " ").capitalize() if label.islower() else label, one)
        self._made[fold_text(label)] = name

    def _find_misnomer(self, kind: str, label: str, ground: EvidenceGround) -> str:
        """Return why evidence does not speak of an entity; empty where it names it."""
        if fold_text(label) in self._claims.selves:
            return ""
        parts = [part for part in label.replace("-", " ").split() if any(map(str.isalnum, part))]
        known = [p for p in parts if ground.has_word(p) or fold_text(p) in ground.text]
        most = 0 if kind in _NAMED else len(parts) // 2
        # A part of a name is enough where another memory has the full name.
        most = len(parts) - 1 if self._is_called(label) else most
        if parts and len(parts) - len(known) <= most:
            return ""
        strange = next((part for part in parts if part not in known), label)
        return f"the evidence does not name {strange!r}"

    def _is_called(self, label: str) -> bool:
        """Return whether a memory has a name of several words as it is."""
        return " " in label and fold_text(label) in self._everything.text

    def _fold_name(self, name: str) -> str:
        return self.find_entity(name) or fold_text(sources.split_label(name)[1].replace("-", " "))

    def _judge_entity(self, one: Operation) -> Operation:
        name = one.text("entity")
        self._prove_name(name, one)
        ground = self._ground(plan.list_evidence(one))
        args: dict[str, Any] = {"entity": name}
        if tags := [tag for tag in one.texts("tags") if self._has_tag(tag, ground)]:
            args["tags"] = tags
        aliases = [text for text in one.texts("aliases") if fold_text(text) in ground.text]
        for text in one.texts("aliases"):
            if text not in aliases:
                self._note_part(one, "aliases", [text], f"the evidence does not say {text!r}")
        args |= {"aliases": aliases} if aliases else {}
        if told := self._keep_proved(one, "facts", name):
            args["facts"] = list(dict.fromkeys(told))
        if summary := one.text("summary"):
            # What is said of a thing as a whole may stand in its own file.
            own = (ids.entity(self.find_entity(name)),) if self.find_entity(name) else ()
            held = one.replace(evidence=tuple(dict.fromkeys((*one.evidence, *own))))
            if wrong := self._find_wrong(summary, held, about=name, loose=True):
                self._note_part(one, "summary", summary, wrong)
            else:
                args["summary"] = summary
        if not args.keys() - {"entity", "tags"} and one.args.keys() - args.keys():
            raise Unproved("nothing of it is in its evidence")
        return one.replace(args=args)

    def _has_tag(self, tag: str, ground: EvidenceGround) -> bool:
        """Whether a tag is in use, or its words are in the evidence."""
        used = (known for entity in self.material.entities.values() for known in entity.tags)
        words = tag.replace("-", " ").split()
        return tag in frozenset(used) or all(map(ground.has_word, words))

    def _judge_fact(self, one: Operation) -> Operation:
        name = one.text("entity")
        self._prove_name(name, one)
        self._prove(one.text("fact"), one, about=name)
        return self._keep_days(one)

    def _keep_days(self, one: Operation) -> Operation:
        """Return an operation without the days that its evidence does not have."""
        days = self._ground(plan.list_evidence(one)).days
        args = dict(one.args)
        for field in ("since", "until"):
            said = one.text(field)
            if said and not all(map(days.bears, named_days.read_dates(said))):
                del args[field]
                self._note_part(one, field, said, f"the evidence does not say {said!r}")
        return one.replace(args=args)

    def _judge_supersession(self, one: Operation) -> Operation:
        name, fact = one.text("entity"), one.text("fact")
        entity = self.material.entities.get(self.find_entity(name))
        every = {_fold_fact(known): known for known in entity.facts} if entity else {}
        if _fold_fact(fact) not in every:
            raise Unproved(f"{name} has no fact {fact[:80]!r} that holds")
        if one.text("by"):
            self._prove(one.text("by"), one, about=name)
        return self._keep_days(one)

    def _judge_relation(self, one: Operation) -> Operation:
        ground = self._ground(plan.list_evidence(one))
        for end in ("from", "to"):
            name = one.text(end)
            stem = self.find_entity(name)
            if not stem and ":" not in name and "--" not in name:
                raise Unproved(f"no entity {name!r}; a new one is TYPE:LABEL")
            if not stem:
                self._prove_name(name, one)
            elif stem not in ground.text:
                entity = self.material.entities[stem]
                forms = (entity.label, *entity.aliases)
                wrong = [self._find_misnomer(entity.type, form, ground) for form in forms]
                if all(wrong):
                    raise Unproved(wrong[0])
        return one

    def _judge_procedure(self, one: Operation) -> Operation:
        known = f"procedure:{ids.slug(one.text('title'))}"
        more = (known,) if self.sources.read(known) else ()
        held = one.replace(evidence=tuple(dict.fromkeys((*one.evidence, *more))))
        for text in (one.text("title"), one.text("trigger"), *one.texts("steps")):
            if wrong := self._find_wrong(text, held, loose=True) if text else "":
                raise Unproved(f"{wrong}, for {text[:60]!r}")
        ground = self._ground(plan.list_evidence(one))
        tags = [tag for tag in one.texts("tags") if self._has_tag(tag, ground)]
        args = {name: value for name, value in one.args.items() if name != "tags"}
        return one.replace(args=args | ({"tags": tags} if tags else {}))

    def _judge_proposal(self, one: Operation) -> Operation:
        name = one.text("proposal")
        every = {form: each.id for each in self.material.proposals
                 for form in (each.id, str(each.number), f"#{each.number}")}  # fmt: skip
        if name not in every:
            raise Unproved(f"no proposal {name!r} is pending")
        return one.replace(args={**one.args, "proposal": every[name]})

    def _judge_core(self, one: Operation) -> Operation:
        """Return a change of one bullet of core memory with the id of the bullet."""
        known = {each.id: each for each in bullets.core_bullets(self.material.core)}
        texts = {" ".join(each.text.split()): memory for memory, each in known.items()}
        field, row = next(((name, row) for name in ("add", "replace", "drop")
                           for row in one.rows(name)), ("", {}))  # fmt: skip
        if not field:
            raise Unproved("it changes nothing")
        row, evidence = dict(row), one.evidence
        if "bullet" in row:
            said = " ".join(row["bullet"].removeprefix("- ").split())
            row["bullet"] = said if said in known else texts.get(said, "")
            if not row["bullet"]:
                raise Unproved(f"MEMORY.md has no bullet {said[:80]!r}")
            evidence = tuple(dict.fromkeys((*one.evidence, row["bullet"])))
        if field == "drop":
            self._keep_rules(known[row["bullet"]], one)
        else:
            if not plan.list_evidence(one):
                raise Unproved("it names no memory as its evidence")
            self._prove(row["text"], one.replace(evidence=evidence))
            kind = self.sources.find_outside(one.evidence)
            row["text"] = origin.mark_text(row["text"], kind) if kind else row["text"]
        return one.replace(args={field: [row]})

    def _keep_rules(self, bullet: Bullet, one: Operation) -> None:
        """Raises Unproved where a rule of conduct would leave core memory without a word."""
        said = [memory for memory in one.evidence if not memory.startswith("core:")]
        if self.plain or said or bullet.block in _FREE:
            return
        if bullet.block in _RULES or sources.is_rule(bullet.text):
            wrong = f"{bullet.block} needs somebody's word for it"
            raise Unproved(f"rules of conduct do not leave core memory by themselves: {wrong}")

    def _judge_archive(self, one: Operation) -> Operation:
        memory = ids.complete_id(one.text("memory"))
        for bullet in bullets.core_bullets(self.material.core):
            if bullet.id == memory:
                self._keep_rules(bullet, one)
        known = self.material.memories.get(memory)
        if known and known.pinned:
            raise Unproved(f"{memory} is pinned: it never fades")
        return one

    def _judge_reinforce(self, one: Operation) -> Operation:
        kept = [memory for memory in one.texts("memories") if self.sources.read(memory)]
        if not kept:
            raise Unproved(self.sources.tell_missing(", ".join(one.texts("memories")[:3])))
        return one.replace(args={"memories": kept})

    def _judge_contradiction(self, one: Operation) -> Operation:
        for field in ("first", "second"):
            text = one.text(field)
            known = self.sources.read(text)
            if known is None:
                self._prove(text, one, about=one.text("about"))
            elif text.startswith(_WORDED) and len(known.text) <= sources.LONGEST:
                # The words, not the id: the question is read, and kept with its answer, for years.
                said = {**one.args, field: " ".join(known.text.split())}
                one = one.replace(args=said, evidence=tuple(dict.fromkeys((*one.evidence, text))))
        return one

    def _judge_question(self, one: Operation) -> Operation:
        self._prove(one.text("text"), one, about=one.text("about"), loose=True)
        return one

    def _judge_insight(self, one: Operation) -> Operation:
        if len(plan.list_evidence(one)) < 2:
            raise Unproved("an insight needs two memories")
        self._prove(one.text("text"), one, loose=True)
        thread = one.text("thread")
        known = not thread or thread in self.material.evolution.threads
        if not known and (wrong := self._find_wrong(thread, one, loose=True)):
            self._note_part(one, "thread", thread, wrong)
            return one.replace(args={"text": one.text("text")})
        return one

    def _clean_reason(self, one: Operation) -> Operation:
        """Return the operation, without a reason that tells what no memory says."""
        if self.plain or not one.reason:
            return one
        about = one.text("entity")
        if not (wrong := self._find_wrong(one.reason, one, about=about, loose=True)):
            return one
        self.dropped.append((one.replace(reason=""), f"proposed without its reason: {wrong}"))
        return one.replace(reason="")

    def _quote(self, one: Operation) -> Operation:
        """Return an operation with a quote of each memory that it names, and its wording."""
        if one.op in _UNTOLD:
            return one.replace(quotes=(), wording="")
        claims = plan.list_claims(one)
        told = " ".join(claims) or plan.describe_operation(one)
        given = {quote.id: quote.text for quote in one.quotes}
        found: list[EvidenceQuote] = []
        for memory in one.evidence:
            known = self.sources.read(memory)
            text = sources.choose_quote(known, given.get(memory, ""), told) if known else ""
            found += [EvidenceQuote(memory, text)] if text else []
        said = all(any(sources.is_part(claim, quote.text) for quote in found) for claim in claims)
        wording = (plan.VERBATIM if said else plan.MODEL) if claims else ""
        if one.op in ("add-relation", "merge-entities") and not self.plain:
            wording = plan.MODEL
        return one.replace(quotes=tuple(found), wording=wording)


def _fold_fact(text: str) -> str:
    return facts.strip_asides(" ".join(text.split())).casefold()
