"""What a reflection reads: everything that happened since the last one, and what is known."""

from __future__ import annotations

from functools import cached_property

from molt import trees
from molt.formats import bullets, episodes, frontmatter, ids, paths, procedure
from molt.formats import entity as entity_notes
from molt.formats import origin as origins
from molt.formats.meta import proposals
from molt.formats.reflections import histories, plan
from molt.memory.decay import formula
from molt.memory.decay import scores as decay_scores
from molt.memory.held import quarantine, withheld
from molt.memory.reflect.material import notebook
from molt.memory.reflect.material.notebook import Notebook, NoteWindow
from molt.memory.reflect.material.records import read_records
from molt.memory.visible import forgotten
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.config import Config
    from molt.formats.entity import Entity
    from molt.formats.episodes import Episode
    from molt.formats.meta.proposals import Proposal
    from molt.formats.procedure import Procedure
    from molt.formats.reflections.histories import Evolution, ReflectionEntry
    from molt.formats.reflections.quotes import TurnQuote
    from molt.formats.reflections.record import ReflectionRecord
    from molt.memory.decay.formula import Standing
    from molt.memory.talks.ended import ReadSession
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


class KnownMemory(Value):
    """A memory that there is: its id, its words, and how it stands now; `outside` is the class of
    where it came from (`import`, `tool`, …), empty for the word of the user or of the agent;
    `uses` is how often it was used since it was written.
    """

    id: str
    text: str
    standing: Standing
    pinned: bool = False
    outside: str = ""
    uses: int = 0


class HeardTurns(Value):
    """What a person said in conversations that have ended; how far each of these was read; how many
    still wait for a later reflection; and what could not be read.
    """

    turns: tuple[TurnQuote, ...] = ()
    read: tuple[ReadSession, ...] = ()
    left: int = 0
    notes: tuple[str, ...] = ()


class ReflectionMaterial(Value):
    """All that a reflection is made of. `base` is the commit that is read and `tree` its files;
    `fresh` are the episodes that no reflection has processed, by time; `memories` are all
    memories that are not forgotten, by id; `records` the reflections that were decided, by number;
    `day` is today (`YYYY-MM-DD`) and `now` its second; `notes` is what this reflection reads of the
    notes in prose, and `notebook` has all of these; `heard` is what was said in conversations.
    """

    base: str
    tree: Tree
    config: Config
    day: str
    now: float
    core: str
    fresh: tuple[Episode, ...]
    entities: Mapping[str, Entity]
    procedures: Mapping[str, Procedure]
    memories: Mapping[str, KnownMemory]
    proposals: tuple[Proposal, ...]
    log: tuple[ReflectionEntry, ...]
    evolution: Evolution
    records: tuple[ReflectionRecord, ...]
    relations: frozenset[str]
    notes: NoteWindow
    notebook: Notebook
    heard: HeardTurns = HeardTurns()

    def count_entries(self) -> int:
        """How many of the new episodes are entries of logs, and no turns of conversations."""
        return len(self.fresh) - len(self.heard.turns)

    def list_archived(self) -> frozenset[str]:
        """Return the memories whose archival an earlier reflection proposed and a person approved:
        they are done, and need no second yes.
        """
        items = (item for one in self.records for item in one.items)
        done = (plan.from_item(one) for one in items if one.decision == "approved")
        return frozenset(
            ids.complete_id(one.text("memory")) for one in done if one and one.op == "archive"
        )

    @property
    def number(self) -> int:
        """The number of this reflection, from 1: one more than the highest there is."""
        every = (*(one.id for one in self.records), *(one.id for one in self.log))
        return max((int(one.removeprefix("r-")) for one in every), default=0) + 1


class _Reader:
    """Reads the parts of the material from one tree."""

    def __init__(self, ws: Workspace, base: str, now: float) -> None:
        self.ws = ws
        self.tree = ws.repo.tree(base)
        self.scores = decay_scores.load_scores(
            ws.repo, self.tree, now, formula.read_fading(ws.config)
        )
        self.gone = forgotten.list_forgotten(self.tree, ws.repo.cache)
        # What is held back is nobody's evidence.
        self.shown = withheld.veil_tree(self.tree, quarantine.freshen_held(ws.repo))
        self.fresh: list[Episode] = []

    @cached_property
    def records(self) -> tuple[ReflectionRecord, ...]:
        """The records of the tree, by number."""
        return read_records(self.tree)

    def list_memories(self) -> Iterator[KnownMemory]:
        """Every memory that is not forgotten, but for those of the vault."""
        for path in sorted(self.shown.entries()):
            kind = paths.kind_of(path)
            if kind == "episode":
                yield from self._list_entries(path)
            elif kind == "core":
                for one in bullets.core_bullets(trees.read_text(self.shown, path)):
                    told = origins.read_bullet(one.id)
                    yield from self._know(one.id, one.text, told, origins.find_mark(one.text))
            elif kind == "vault":
                # What it says is nobody's evidence: it would be quoted where everybody reads.
                continue
            elif kind in paths.FILE_KINDS:
                folder = paths.STORE_OF_KIND[kind].folder
                memory = f"{kind}:{path.removeprefix(folder).removesuffix('.md')}"
                text = trees.read_text(self.shown, path)
                front = frontmatter.metadata(text)
                told = origins.read_note(front, pinned=path.startswith(paths.VAULT))
                yield from self._know(memory, text, told, origins.read_class(front))

    def _list_entries(self, path: str) -> Iterator[KnownMemory]:
        for one in episodes.parse(trees.read_text(self.shown, path), paths.date_of(path) or ""):
            outside = origins.read_entry_class(one)
            yield from self._know(one.id, one.text, origins.read_entry(one), outside)

    def _know(
        self, memory: str, text: str, told: origins.Origin, outside: str
    ) -> Iterator[KnownMemory]:
        if memory in self.gone or not text.strip():
            return
        pinned = told.pinned or self.scores.is_pinned(memory)
        uses = self.scores.count_uses(memory)
        yield KnownMemory(memory, text, self.scores.of(memory, told), pinned, outside, uses)


def read_material(
    ws: Workspace,
    day: str,
    now: float,
    *,
    skipped: Iterable[str] | None = None,
    notes: bool = True,
) -> ReflectionMaterial:
    """What a reflection reads of HEAD, on a day at the second `now`; the notes that are `skipped`
    count as read. Without these it reads as much as a model is told at once, and
    without `notes` none.
    """
    base = ws.repo.tip() or ""
    reader = _Reader(ws, base, now)
    tree = reader.tree
    known = {one.id: one for one in reader.list_memories()}
    return ReflectionMaterial(
        base=base,
        tree=tree,
        config=ws.config,
        day=day,
        now=now,
        core=trees.read_text(tree, paths.CORE),
        fresh=_list_fresh(ws, tree, reader.records, known),
        entities=_read_entities(known),
        procedures=_read_procedures(known),
        memories=known,
        proposals=proposals.list_pending(trees.read_text(tree, paths.PROPOSALS)),
        log=histories.parse_log(trees.read_text(tree, histories.LOG)),
        evolution=histories.parse_evolution(trees.read_text(tree, histories.EVOLUTION)),
        records=reader.records,
        relations=entity_notes.parse_relation_words(trees.read_text(tree, paths.RELATIONS)),
        notes=notebook.read_window(
            ws.repo,
            tree,
            reader.records,
            skipped=skipped or (),
            line=notebook.TOLD if skipped is None else 0,
        )
        if notes
        else NoteWindow(),
        notebook=Notebook(tree),
    )


def _list_fresh(
    ws: Workspace,
    tree: Tree,
    records: tuple[ReflectionRecord, ...],
    known: Mapping[str, KnownMemory],
) -> tuple[Episode, ...]:
    """The episodes that the last reflection has not read: those that its base did not have, also
    where another clone had written them before it.
    """
    before = _find_base(ws, records)
    every: list[Episode] = []
    for path in sorted(tree.entries()):
        if paths.kind_of(path) != "episode":
            continue
        if before is not None and before.entry(path) == tree.entry(path):
            continue
        date = paths.date_of(path) or ""
        old = trees.read_text(before, path) if before is not None else ""
        read = {one.id for one in episodes.parse(old, date)}
        found = episodes.parse(trees.read_text(tree, path), date)
        every += [one for one in found if one.id not in read and one.id in known]
    return tuple(sorted(every, key=lambda one: (one.date, one.stamp)))


def _find_base(ws: Workspace, records: tuple[ReflectionRecord, ...]) -> Tree | None:
    """The tree that the newest reflection has read; None where this clone does not have it."""
    for one in reversed(records):
        base = one.known_base
        if len(base) >= 40 and ws.repo.stamp(base):
            return ws.repo.tree(base)
    return None


def _read_entities(known: Mapping[str, KnownMemory]) -> dict[str, Entity]:
    stems = [one.removeprefix("entity:") for one in known if one.startswith("entity:")]
    return {stem: entity_notes.parse_entity(known[ids.entity(stem)].text, stem) for stem in stems}


def _read_procedures(known: Mapping[str, KnownMemory]) -> dict[str, Procedure]:
    stems = [one.removeprefix("procedure:") for one in known if one.startswith("procedure:")]
    return {
        stem: procedure.parse_procedure(known[ids.procedure(stem)].text, stem) for stem in stems
    }
