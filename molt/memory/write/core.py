"""Core memory edited by block and bullet, under its cap; what has to go for it first, and where."""

from __future__ import annotations

from molt import errors, tokens, trees
from molt.formats import bullets, facts, ids, paths
from molt.formats import core as core_text
from molt.formats import entity as entity_notes
from molt.formats import message as messages
from molt.formats import origin as origins
from molt.memory.decay import formula
from molt.memory.decay import scores as decay_scores
from molt.memory.held import quarantine, withheld
from molt.repo.write.plan import Change
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from molt.config import Config
    from molt.formats.bullets import Bullet
    from molt.memory.decay.scores import Scores
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

FULL = 0.8
"""The share of the cap from which on a write warns."""
# Bullets that an error names: as many as a person compares at once.
_SHOWN = 5
# Bullets among which one is to be chosen: those that it may be, in a screen of rows.
_LISTED = 20


class Item(Value):
    """A bullet of core memory: its id, its words, its tokens, and how it stands now."""

    id: str
    text: str
    tokens: int
    score: float
    status: str
    pinned: bool


class CoreBlock(Value):
    """A block: its title, its tokens, how many its comment allows (0 for nothing said), and its
    bullets.
    """

    title: str
    tokens: int
    budget: int
    items: tuple[Item, ...]


class CoreState(Value):
    """Core memory as it is on disk; `warning` is empty while there is room."""

    tokens: int
    cap: int
    blocks: tuple[CoreBlock, ...]
    warning: str


class CoreEdit(Value):
    """What an edit did: the ids of bullets that are new, of those that are gone, of those that
    were moved away to make room, with the entities that hold them now; and what is to be said.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    warning: str = ""


class Fitted(Value):
    """A core memory under its cap: the edits that make it, and the bullets that were moved, each
    with the entity that holds it now.
    """

    edits: Edits
    moved: tuple[tuple[str, str], ...] = ()


class Room(Value):
    """What making room is decided by: the settings, how memories stand, the day, and whether
    bullets may be moved at all.
    """

    config: Config
    scores: Scores
    date: str
    make: bool = False


def read_core(ws: Workspace, now: float) -> CoreState:
    """Core memory as it is on disk at the second `now`: blocks, budgets, bullets, and their
    standing; without bullets that are held back.
    """
    tree = ws.files()
    text = trees.read_strict(tree, paths.CORE)
    scores = decay_scores.load_scores(ws.repo, tree, now, formula.read_fading(ws.config))
    shown = withheld.veil_tree(tree, quarantine.freshen_held(ws.repo))
    every = bullets.core_bullets(trees.read_text(shown, paths.CORE))
    blocks = tuple(
        CoreBlock(
            block.title,
            _count(block.text, ws.config),
            block.budget,
            tuple(_describe(one, scores, ws.config) for one in every if one.block == block.title),
        )
        for block in core_text.parse_blocks(text)
    )
    before = trees.read_text(ws.head(), paths.CORE)
    warning = tell_fullness(before, text, ws.config)
    return CoreState(_count(text, ws.config), ws.config.core_cap, blocks, warning)


def select_blocks(found: CoreState, name: str) -> tuple[CoreBlock, ...]:
    """All blocks, or the one that a name means. Raises NotFound."""
    wanted = ids.slug(name.removeprefix("core:"))
    chosen = tuple(one for one in found.blocks if not name or ids.slug(one.title) == wanted)
    if name and not chosen:
        known = ", ".join(one.title for one in found.blocks)
        raise errors.NotFound(f"no block {name!r} in MEMORY.md", f"it has {known or 'none'}")
    return chosen


def _describe(one: Bullet, scores: Scores, config: Config) -> Item:
    origin = origins.read_bullet(one.id)
    standing = scores.of(one.id, origin)
    pinned = origin.pinned or scores.is_pinned(one.id)
    count = _count(f"- {one.text}\n", config)
    return Item(one.id, one.text, count, round(standing.score, 4), standing.status, pinned)


def _count(text: str, config: Config) -> int:
    return tokens.count_tokens(text, config.core_encoding)


def tell_fullness(before: str, after: str, config: Config) -> str:
    """What to say of a core memory that holds four fifths of its cap or more, with the block that
    grew most against another version of it, or that is furthest over its budget; empty while
    there is room.
    """
    # A token has at least one byte, so a small file need not be counted.
    size = len(after.encode())
    if size < config.core_cap * FULL:
        return ""
    # One word of a megabyte takes half a second to count, and so does each block that has it.
    if size > config.core_cap * tokens.LONGEST:
        return f"MEMORY.md holds {size:,} bytes, far over the cap of {config.core_cap:,} tokens"
    count = _count(after, config)
    if count < config.core_cap * FULL:
        return ""
    known = {one.title: _count(one.text, config) for one in core_text.parse_blocks(before)}
    found = [(one, _count(one.text, config)) for one in core_text.parse_blocks(after)]
    grown = [(many - known.get(one.title, 0), one, many) for one, many in found]
    if not any(more > 0 for more, *_ in grown):
        grown = [(many - one.budget, one, many) for one, many in found]
    said = f"MEMORY.md holds {count:,} of {config.core_cap:,} tokens"
    said += f" ({core_text.render_share(count, config.core_cap)})"
    if not grown:
        return said
    _, block, many = max(grown, key=lambda one: one[0])
    allowed = f" of its {block.budget:,}" if block.budget else ""
    return f"{said}; {block.title} grew to {many:,}{allowed}"


def fit_core(tree: Tree, text: str, room: Room, kept: Iterable[str] = ()) -> Fitted:
    """The edits that make `text` the core memory of a tree. Where it is over the cap, the bullets
    that are least relevant now go to the semantic store, if room may be made; never those `kept`,
    nor what is pinned.

    Raises Refused, with what it would take, where it does not fit.
    """
    cap = room.config.core_cap
    over = _count(text, room.config) - cap
    adopted = not room.make and _count(trees.read_text(tree, paths.CORE), room.config) > cap
    if over <= 0 or adopted:
        # One that was adopted over its cap is for the policy to judge.
        return Fitted({paths.CORE: text.encode()})
    gone = choose_bullets(text, room, kept, over)
    small = core_text.drop_bullets(text, gone)
    fits = _count(small, room.config) <= cap
    if not room.make or not fits:
        raise errors.Refused(
            f"MEMORY.md would hold {cap + over:,} tokens, {over:,} over its cap of {cap:,}",
            _tell_way(gone) if fits else _tell_nothing(gone),
        )
    edits: Edits = {paths.CORE: small.encode()}
    moved = []
    for one in gone:
        moved.append((one.id, _move_bullet(tree, edits, one, room.date)))
    return Fitted(edits, tuple(moved))


def choose_bullets(text: str, room: Room, kept: Iterable[str], over: int) -> tuple[Bullet, ...]:
    """The bullets that go first until a text is smaller by so many tokens: the least relevant
    ones, of those that are as relevant the first in the file; all that may go where they are not
    enough.
    """
    held = frozenset(kept)
    free: list[tuple[float, int, Bullet]] = []
    for one in bullets.core_bullets(text):
        origin = origins.read_bullet(one.id)
        if one.id in held or origin.pinned or room.scores.is_pinned(one.id):
            continue
        free.append((room.scores.of(one.id, origin).score, one.start, one))
    found: list[Bullet] = []
    for _, _, one in sorted(free, key=lambda each: each[:2]):
        found.append(one)
        over -= _count(f"- {one.text}\n", room.config)
        if over <= 0:
            # What stands beside a line may take other tokens without it.
            left = core_text.drop_bullets(text, tuple(found))
            over = _count(left, room.config) - room.config.core_cap
            if over <= 0:
                break
    return tuple(found)


def _tell_way(gone: Sequence[Bullet]) -> str:
    shown = "; ".join(f"{one.id} {' '.join(one.text.split())[:60]!r}" for one in gone[:_SHOWN])
    more = f" and {len(gone) - _SHOWN:,} more" if len(gone) > _SHOWN else ""
    return f"`--make-room` moves the least relevant to the graph: {shown}{more}"


def _tell_nothing(gone: Sequence[Bullet]) -> str:
    few = f"the {len(gone):,} bullets that may go are" if gone else "no bullet may go: that is"
    return f"{few} not enough; what is pinned stays until a person shortens or unpins it"


def _move_bullet(tree: Tree, edits: Edits, one: Bullet, date: str) -> str:
    """Put a bullet into the entity that it names, or that of its block; gives the entity's id."""
    over = Overlay(tree, edits)
    stem = _find_subject(over, one.text) or f"concept--{ids.slug(one.block)}"
    path = f"{paths.ENTITIES}{stem}.md"
    fact = f"{' '.join(one.text.split())} (source: {one.id})"
    before = trees.read_strict(over, path)
    if before:
        text = facts.add_fact(before, fact, date)
    else:
        fresh = entity_notes.Entity(stem, "concept", one.block, created=date, updated=date)
        text = entity_notes.render_entity(fresh.replace(facts=(fact,)))
    edits[path] = text.encode()
    return ids.entity(stem)


def _find_subject(tree: Tree, text: str) -> str:
    """The entity whose name a text says, the longest of several; empty for none."""
    from molt.memory.graph import graph

    said = f"-{ids.slug(text)}-"
    named = (
        (len(slug), node.id)
        for node in graph.load(tree).nodes.values()
        for slug in map(ids.slug, node.names)
        if len(slug) > 2 and f"-{slug}-" in said
    )
    return max(named, default=(0, ""))[1]


class CoreRequest(Value):
    """What is asked of core memory: what to say of it, and a function from its text to the new
    one, with the ids of bullets that are new and of those that are gone.
    """

    summary: str
    edit: Callable[[str], tuple[str, tuple[str, ...], tuple[str, ...]]]


def add_bullet(block: str, line: str) -> CoreRequest:
    """A bullet at the end of a block. Raises Usage for an empty one."""
    said = _check(line)

    def edit(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        title = _require_block(text, block)
        return bullets.add_bullet(text, title, said), (ids.bullet(title, said),), ()

    return CoreRequest(f"{block}: {said[:50]}", edit)


def remove_bullet(ref: str) -> CoreRequest:
    """The bullet of an id, or the one that has a text, taken out."""

    def edit(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        one = _require_bullet(text, ref)
        return core_text.drop_bullets(text, (one,)), (), (one.id,)

    return CoreRequest(f"without {ref[:50]}", edit)


def set_block(ref: str, words: Sequence[str]) -> CoreRequest:
    """The bullets of a block, or the one bullet of an id, replaced by others."""
    said = tuple(map(_check, words))

    def edit(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        title = core_text.find_title(text, ref) if "#" not in ref else ""
        if not title:
            one = _require_bullet(text, ref)
            if len(said) != 1:
                raise errors.Usage(f"{one.id} is one bullet", "give it one text")
            fresh = core_text.replace_bullet(text, one, said[0])
            return fresh, (ids.bullet(one.block, said[0]),), (one.id,)
        before = tuple(one.id for one in bullets.bullets(text, title))
        after = tuple(ids.bullet(title, one) for one in said)
        gone = tuple(one for one in before if one not in after)
        return bullets.set_block(text, title, said), after, gone

    return CoreRequest(f"{ref[:50]} set", edit)


def _check(line: str) -> str:
    said = " ".join(line.split())
    if not said:
        raise errors.Usage("a bullet has words", 'molt core add BLOCK "what to keep"')
    return said


def _require_block(text: str, block: str) -> str:
    title = core_text.find_title(text, block)
    if not title:
        raise errors.Usage(
            f"no block {block!r}", f"one of {', '.join(core_text.list_titles(text))}"
        )
    return title


def _require_bullet(text: str, ref: str) -> Bullet:
    found = core_text.find_bullets(text, ref)
    if len(found) == 1:
        return found[0]
    if core_text.find_title(text, ref):
        hint = "`molt core remove ID` takes out one of its bullets, `molt core set` replaces them"
        raise errors.NotFound(f"{ref!r} is a block, and no bullet", hint)
    if not found:
        titles = ", ".join(core_text.list_titles(text))
        hint = f"`molt core show` lists bullets and their ids; the blocks are {titles}"
        raise errors.NotFound(f"no bullet {ref!r} in MEMORY.md", hint)
    shown = "\n".join(f"{one.id}  {' '.join(one.text.split())[:60]}" for one in found[:_LISTED])
    more = f"\nand {len(found) - _LISTED:,} more" if len(found) > _LISTED else ""
    raise errors.NeedsAnswer(
        f"{len(found):,} bullets have {ref!r}", f"which one, by its id:\n{shown}{more}"
    )


class CoreOptions(Value):
    """How an edit of core memory is made: with room, by moving what is least relevant; or only
    shown.
    """

    make_room: bool = False
    dry_run: bool = False


def edit_core(
    ws: Workspace, asked: CoreRequest, now: datetime, options: CoreOptions
) -> Written[CoreEdit]:
    """Commit what is asked. Raises what the request, `fit_core` and `Workspace.commit` raise."""
    second = now.timestamp()

    def make_change(tree: Tree) -> Change[CoreEdit]:
        before = trees.read_strict(tree, paths.CORE)
        text, added, removed = asked.edit(before)
        scores = decay_scores.load_scores(ws.repo, tree, second, formula.read_fading(ws.config))
        room = Room(ws.config, scores, now.strftime("%Y-%m-%d"), options.make_room)
        fitted = fit_core(tree, text, room, added)
        after = (fitted.edits[paths.CORE] or b"").decode()
        made = CoreEdit(added, removed, fitted.moved, tell_fullness(before, after, ws.config))
        return Change(fitted.edits, _render(ws, asked.summary, made, fresh=not before), made)

    return ws.commit(make_change, dry_run=options.dry_run, now=second)


def _render(ws: Workspace, summary: str, made: CoreEdit, *, fresh: bool) -> str:
    named = (*made.added, *made.removed, *(one for pair in made.moved for one in pair))
    rows = [f"moved: {old} to {new}" for old, new in made.moved]
    by = messages.Provenance(
        ws.actor, "auto", "molt core", [("Memory-Id", one) for one in dict.fromkeys(named)]
    )
    action = "CREATE" if fresh else "EDIT"
    return messages.render(action, paths.CORE, summary, by, body="\n".join(rows))
