"""One operation for people: its claim, the words that support it, and the reason."""

from __future__ import annotations

import re

from molt.formats import bullets, facts, ids
from molt.formats import lines as textlines
from molt.formats.reflections import plan
from molt.memory.graph import graph, resolve
from molt.memory.reflect.unfit import UnfitWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.plan import Operation
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.summary.phrases import SummaryPhrases

_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|(?<=!)\[|&(?=#?\w+;)")
"""What a page does not show as it is: elements, images, and characters written by name."""
_RUN = re.compile("`+")
_QUOTE, _SHORT, _NAMED = 300, 80, 4
"""Characters of a quote, of a memory in a list, and the further sources that are named."""
_VARIANTS = ("by", "thread", "trigger", "into", "details")
"""Fields with which a phrase has another form."""
_ASIDES = ("aliases", "since", "until", "tags", "store")
"""Fields that are shown behind the claim."""


def flatten_text(text: str) -> str:
    """Return a text on one line that a page shows as it is: no HTML that hides what follows, no
    image that a viewer loads, no code span that is left open.
    """
    line = _ACTIVE.sub(r"\\\g<0>", textlines.one_line(text).strip())
    runs = _RUN.findall(line)
    return line.replace("`", r"\`") if any(runs.count(one) % 2 for one in runs) else line


def clip_text(text: str, most: int) -> str:
    """Return the beginning of a text, up to the end of a word."""
    if len(text) <= most:
        return text
    cut = text.rfind(" ", most // 2, most)
    return f"{text[: cut if cut > 0 else most]}…"


def _fold(text: str) -> str:
    return " ".join(text.casefold().split()).strip(' .。!！?？"“”')


class ItemWriter:
    """Writes the operations of one reflection."""

    def __init__(self, material: ReflectionMaterial, phrases: SummaryPhrases) -> None:
        self._material = material
        self._phrases = phrases
        self._graph = graph.load(material.tree)
        self._unfit = UnfitWords(material.tree)
        self._core = {one.id: one for one in bullets.core_bullets(material.core)}
        # What one operation makes is not new to the next.
        self._introduced: set[str] = set()

    def list_rows(self, one: Operation) -> list[str]:
        """Return the rows of an operation: number and claim, quotes, reason. Only the first row is
        at the margin.
        """
        shown, others = self._list_quotes(one)
        claim = " — ".join((self.write_claim(one), *(name for text, name in shown if not text)))
        if one.wording == plan.MODEL:
            claim += f" — *{self._phrases.fill('model')}*"
        steps = [f"  {at}. {flatten_text(step)}" for at, step in enumerate(one.texts("steps"), 1)]
        rows = [f"- **{one.n}.** {claim}", *steps]
        quotes = [f"  > “{text}” — {name}" for text, name in shown if text]
        rows += "\n  >\n".join(quotes).split("\n") if quotes else []
        if others:
            rows.append(f"  - {self._phrases.fill('more', names=', '.join(others))}")
        if one.reason:
            rows.append(f"  - {self._phrases.fill('why', text=flatten_text(one.reason))}")
        return rows

    def write_claim(self, one: Operation) -> str:
        """Return what an operation claims or does, on one line."""
        if one.op == "rewrite-core":
            return self._phrases.fill("separator").join(self._list_changes(one))
        fields = {name: self._show_field(name, value) for name, value in one.args.items()}
        known = (fields.get(name, "") for name in ("summary", "facts"))
        fields["details"] = self._phrases.fill("separator").join(filter(None, known))
        named = (self._fill(name, fields) for name in _ASIDES if fields.get(name))
        asides = self._phrases.fill("comma").join(named)
        claim = self._fill(one.op, fields)
        return claim + (self._phrases.fill("asides", asides=asides) if asides else "")

    def _fill(self, name: str, fields: dict[str, str]) -> str:
        """Return a phrase in the form that the fields ask for."""
        forms = (f"{name}.{field}" for field in _VARIANTS if fields.get(field))
        return self._phrases.fill(next(filter(self._phrases.__contains__, forms), name), **fields)

    def _show_field(self, name: str, value: object) -> str:
        """Return a field of an operation: names for entities, their words for memories."""
        if isinstance(value, list | tuple):
            shown = (self._show_field(name, one) for one in value)
            return self._phrases.fill("separator").join(shown)
        text = str(value)
        if name in ("entity", "from", "to"):
            return self._head(text)
        if name in ("into", "other"):
            return self._name_entity(text)
        if name in ("memory", "memories", "proposal", "first", "second"):
            # A contradiction may be between statements that are in no memory.
            known = name not in ("first", "second") or self._read_memory(text)
            most = _SHORT if name == "memories" else _QUOTE
            memory = ids.complete_id(text)
            return self._show_memory(memory, most) if known else f"“{flatten_text(text)}”"
        return facts.strip_asides(flatten_text(text))

    def _list_changes(self, one: Operation) -> Iterator[str]:
        """Yield the changes of core memory, each in a phrase."""
        for name in ("add", "replace", "drop"):
            for row in one.rows(name):
                fields = {key: self._show_field(key, value) for key, value in row.items()}
                known = self._core.get(str(row.get("bullet", "")))
                old = known.text if known else str(row.get("bullet", ""))
                block = fields.get("block") or (known.block if known else "MEMORY.md")
                yield self._fill(name, {**fields, "block": block, "old": self._quote_text(old)})

    def _list_quotes(self, one: Operation) -> tuple[list[tuple[str, str]], list[str]]:
        """Return the quotes of an operation with their sources, the text empty if the claim repeats
        it, and the sources that are not quoted.
        """
        rows = [row for name in ("add", "replace", "drop") for row in one.rows(name)]
        texts = (
            *(str(row.get("bullet")) for row in rows),
            *map(one.text, ("memory", "into", "other", "first", "second")),
        )
        own = {ids.complete_id(text) for text in (*texts, *one.texts("memories")) if text}
        named = [memory for memory in map(ids.complete_id, one.evidence) if memory not in own]
        quotes = [(ids.complete_id(quote.id), quote.text) for quote in one.quotes]
        quotes = quotes or [(memory, self._read_memory(memory)) for memory in named[:1]]
        quotes = [quote for quote in quotes if quote[1]]
        claims = {} if one.wording == plan.MODEL else {_fold(text) for text in plan.list_texts(one)}
        shown = [
            ("" if _fold(text) in claims else self._quote_text(text), self._name_source(memory))
            for memory, text in quotes
        ]
        rest = [memory for memory in named if memory not in dict(quotes)]
        others = [self._name_source(memory) for memory in rest[:_NAMED]]
        return shown, [*others, *([f"+{len(rest) - _NAMED}"] if len(rest) > _NAMED else [])]

    def _quote_text(self, text: str, most: int = _QUOTE) -> str:
        """Return a quote, cut; nothing of it if it may not be repeated."""
        bare = facts.strip_asides(flatten_text(text))
        return "…" if self._unfit.find_fault(text) else clip_text(bare, most)

    def _show_memory(self, memory: str, most: int) -> str:
        """Return a memory by its source and its words, and its score if it has faded."""
        known = self._material.memories.get(memory)
        faded = known is not None and known.standing.status == "archived"
        return self._phrases.fill(
            "score" if faded else "memory",
            name=self._name_source(memory),
            text=self._quote_text(self._read_memory(memory), most),
            score=f"{known.standing.score:.2f}" if known else "",
        )

    def _name_source(self, memory: str) -> str:
        """Return the id of a memory, or the session of a turn, and whether it is from outside."""
        known = self._material.memories.get(memory)
        turn = next((one for one in self._material.heard.turns if one.id == memory), None)
        name = flatten_text(memory)
        if turn is not None:
            fields = {"day": turn.date, "session": flatten_text(turn.session)}
            name = self._phrases.fill("turn_source", **fields)
        if known is None or not known.outside:
            return name
        kind = self._phrases.fill(f"outside.{known.outside}")
        return self._phrases.fill("outside", name=name, kind=kind)

    def _read_memory(self, memory: str) -> str:
        """Return the words of a memory; empty if there is none."""
        memory = ids.complete_id(memory)
        kind, _, key = memory.partition(":")
        pieces = (self._material.notebook.find(memory), self._material.memories.get(memory))
        proposed = (one.content for one in self._material.proposals if one.id == memory)
        if pieces[1] is not None and kind == "entity":
            entity = self._material.entities[key]
            return entity.summary or "; ".join(entity.facts[:2])
        if pieces[1] is not None and kind == "procedure":
            return " / ".join(self._material.procedures[key].steps)
        return next((one.text for one in pieces if one), next(proposed, ""))

    def _name_entity(self, name: str) -> str:
        """Return the label of an entity, known or new."""
        bare = name.removeprefix("entity:")
        known = self._material.entities.get(resolve.resolve_entity(self._graph, bare) or "")
        label = bare.partition(":")[2] or bare.partition("--")[2].replace("-", " ") or bare
        return flatten_text(known.label if known else label)

    def _head(self, name: str) -> str:
        """Return the label of an entity in bold, with its type if it is new."""
        bare, label = name.removeprefix("entity:"), self._name_entity(name)
        known = resolve.resolve_entity(self._graph, bare) or ids.slug(label) in self._introduced
        self._introduced.add(ids.slug(label))
        kind = f"kind.{bare.partition(':' if ':' in bare else '--')[0].lower()}"
        kind = self._phrases.fill(kind if kind in self._phrases else "kind.concept")
        return self._phrases.fill("head.known" if known else "head.new", kind=kind, name=label)
