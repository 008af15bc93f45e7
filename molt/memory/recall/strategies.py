"""What each type of question brings beside what a search finds, read from the same index."""

from __future__ import annotations

from molt.formats import bullets, entity, ids, procedure
from molt.formats import paths as layout
from molt.index.content import words
from molt.index.search import dates, entities, passages, rank, successors
from molt.memory.recall import beside, questions
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.index.search.filters import Filters
    from molt.memory.recall.questions import Question

# Half: of the score of the best one, or of the weight of what was asked.
_GOOD = 0.5
_STANDING = "Standing instructions and preferences"
# Of these there are few on a topic, and they must not take the place of the answer.
_KEPT = 0.2
# Memories of each kind: one takes some fifty tokens of a block of 1,500, and no kind may take all.
_EPISODES, _NEWEST = 8, 3
# Days with a log, of which the newest memories are what is going on.
_DAYS = 14
_ON_DAYS = 12
_PROCEDURES, _LOOKED_AT = 3, 500
# An entity has few near neighbours, and the nearest of those are many.
_HOPS = {1: 12, 2: 8}
_BRIEF = {1: 320, 2: 160}
# A question names one or two.
_ENTITIES = 3


class ShownMemory(Value):
    """A memory to show: what to say before it, and how many of its characters at most."""

    one: Candidate
    note: str = ""
    most: int = 1600


class Group(Value):
    """Memories under a title; a `late` one comes after what the search has found. One that is
    `named` is what the question asks for by a name or a day, and not what is like it. It takes no
    more than its `share` of the block, as long as others have something to say.
    """

    title: str
    items: tuple[ShownMemory, ...]
    late: bool = False
    named: bool = False
    share: float = 0.65


class Brought(Value):
    """What a question brings, and as what it was understood in the end. `ranked` are the numbers
    of the chunks that the search has found, `near` what stands beside the best of them. `days` are
    the first and the last day (or prefixes of them) of each time that it asks about.
    """

    type: str
    entities: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    ranked: frozenset[int] = frozenset()
    near: tuple[Candidate, ...] = ()
    days: tuple[tuple[str, str], ...] = ()


class Ask(Value):
    """A question with what may answer it: `found` is the ranking of the search."""

    text: str
    question: Question
    db: Db
    found: Sequence[Candidate]
    filters: Filters
    today: Callable[[], str]
    hops: int
    similarity: float


def bring_groups(ask: Ask) -> Brought:
    """What a question's type brings; a question about no known entity is an ordinary one."""
    named = entities.find_mentioned(ask.db, ask.text)
    kind = ask.question.type
    if kind == questions.ENTITY:
        named = _resolve_entities(ask) or named
        kind = questions.ENTITY if named else questions.SEARCH
    spans = dates.spans(ask.text, ask.today)
    if kind == questions.SEARCH and spans:
        kind = questions.WHEN
    days = _list_ranges(ask, spans) if kind == questions.WHEN else ()
    groups: tuple[Group, ...] = ()
    if kind == questions.ENTITY:
        groups = _bring_entities(ask, named)
    elif kind == questions.WHEN:
        groups = _bring_episodes(ask, days)
    elif kind == questions.PROCEDURE:
        groups = _bring_procedures(ask)
    elif kind == questions.LATEST:
        groups = _bring_latest(ask)
    rules = Group(_STANDING, _make_items(beside.find_standing(ask.db, ask.found)), share=_KEPT)
    near = tuple(beside.read_neighbours(ask.db, ask.found, ask.filters))
    ranked = frozenset(one.chunk_id for one in ask.found)
    every = tuple(_mark_group(ask.db, group) for group in (rules, *groups) if group.items)
    return Brought(kind, named, every, ranked, near, days)


def _mark_group(db: Db, group: Group) -> Group:
    """A group in which what was superseded names its successor, and comes last."""
    links = successors.find_successors(db, (item.one.memory_id for item in group.items))
    if not links:
        return group
    marked = (
        item.replace(one=item.one.replace(corrected=links.get(item.one.memory_id, "")))
        for item in group.items
    )
    return group.replace(items=tuple(sorted(marked, key=lambda item: bool(item.one.corrected))))


def _list_ranges(ask: Ask, spans: Sequence[dates.Span]) -> tuple[tuple[str, str], ...]:
    dated = (dates.date_span(one, ask.today) for one in spans)
    return tuple(one for one in map(passages.range_of, dated) if one)


def list_empty(brought: Brought, seen: Iterable[Candidate]) -> tuple[str, ...]:
    """The times that a question asks about of which nothing that is seen has been written."""
    written = {one.date for one in seen}
    return tuple(
        first if first == last else f"{first} to {last}"
        for first, last in brought.days
        if not any(first <= day and day[: len(last)] <= last for day in written)
    )


def _select_relevant(found: Iterable[Candidate]) -> list[Candidate]:
    """The episodes of a ranking that are of what was asked: as good as half of the best, or with
    a word of it and of its topic; one word alone may be of anything.
    """
    some = [one for one in found if one.store == "episodic"]
    best = max((one.score for one in some), default=0.0)
    return [
        one
        for one in some
        if (one.score >= _GOOD * best and (one.vector > rank.CHANCE or one.share >= _GOOD))
        or (one.bm25 > 0 and one.vector >= rank.TOPIC)
    ]


def _time_key(one: Candidate) -> tuple[str, str, int]:
    return one.date, one.memory_id, one.start


def _make_items(some: Iterable[Candidate]) -> tuple[ShownMemory, ...]:
    unique = {one.chunk_id: one for one in some}
    return tuple(ShownMemory(one, most=700) for one in unique.values())


def _bring_episodes(ask: Ask, ranges: Sequence[tuple[str, str]]) -> tuple[Group, ...]:
    """The episodes that match, and those of the days that are named, in the order of time."""
    read = (
        one for span in ranges for one in passages.read_days(ask.db, *span, ask.filters, _ON_DAYS)
    )
    on_days = {one.chunk_id: one for one in read}
    matching = [one for one in ask.found if one.chunk_id in on_days]
    days = _drop_repeats([*matching, *on_days.values()])[:_ON_DAYS]
    good = _select_relevant(ask.found)[:_EPISODES]
    return (
        Group(
            "In the order of time",
            _make_items(sorted(_drop_repeats([*days, *good]), key=_time_key)),
            named=bool(days),
        ),
    )


def _drop_repeats(some: Iterable[Candidate]) -> list[Candidate]:
    return list({one.chunk_id: one for one in some}.values())


def _bring_latest(ask: Ask) -> tuple[Group, ...]:
    """What is going on by core memory, the episodes that match, newest first, and the newest."""
    core = passages.read_files(ask.db, [layout.CORE], ask.filters)
    block = ids.core(bullets.BLOCKS[1])
    active = [one for one in core if one.memory_id.partition("#")[0] == block]
    recent = passages.read_days(ask.db, *passages.ANY, ask.filters, _DAYS)
    terms = [term.lower() for term in words.split_terms(ask.text)]
    matching = [one for one in recent if _says_any(one.text, terms)]
    good = sorted(
        _drop_repeats([*_select_relevant(ask.found), *matching]), key=_time_key, reverse=True
    )
    newest = sorted(recent, key=_time_key, reverse=True)[:_NEWEST]
    return (
        Group(bullets.BLOCKS[1], _make_items(active)),
        Group("Newest first", _make_items(good[:_EPISODES])),
        Group("The newest of all", _make_items(newest), late=True),
    )


def _says_any(text: str, terms: Sequence[str]) -> bool:
    low = words.fold_text(text).lower()
    return any(term in low for term in terms)


def _bring_procedures(ask: Ask) -> tuple[Group, ...]:
    """The procedures whose title or trigger has the words of the question, best first."""
    every = passages.read_folder(ask.db, layout.PROCEDURES, ask.filters, _LOOKED_AT)
    wanted = [term.lower() for term in words.split_terms(ask.text)]
    fits: dict[str, float] = {}
    for one in every:
        fit = _measure_fit(wanted, _read_trigger(one.text))
        fits[one.path] = max(fits.get(one.path, 0.0), fit)
    place = {one.path: -at for at, one in enumerate(reversed(ask.found))}
    paths = [path for path, fit in fits.items() if fit or path in place]
    # Equal fits stand as the search has ranked them.
    paths.sort(key=lambda path: (-fits[path], place.get(path, 0)))
    chosen = [one for path in paths[:_PROCEDURES] for one in every if one.path == path]
    told = any(fits.values())
    return (Group("How it is done", tuple(map(ShownMemory, chosen)), named=told),)


def _read_trigger(text: str) -> set[str]:
    """The words of the title and of the section that says when a procedure is for."""
    rows = text.lower().split("\n")
    found = bullets.section(text, procedure.PROCEDURE_SECTIONS[0])
    told = rows[found.start : found.end] if found else []
    return set(words.split_terms(" ".join((rows[0].lstrip("# "), *told))))


def _measure_fit(wanted: Sequence[str], told: Iterable[str]) -> float:
    """The share of the wanted words that are told, in whatever form of theirs."""
    every = tuple(told)
    return sum(any(_is_same_word(word, other) for other in every) for word in wanted) / (
        len(wanted) or 1
    )


def _is_same_word(one: str, other: str) -> bool:
    """Whether two words are one: `deploy`, `deploys`, `deploying`."""
    short, long = sorted((one, other), key=len)
    return one == other or (
        len(short) > 3 and long.startswith(short) and len(long) < 2 * len(short)
    )


def _bring_entities(ask: Ask, stems: Sequence[str]) -> tuple[Group, ...]:
    """The files of some entities, and what is around them as far as is asked."""
    own = passages.read_files(ask.db, [_make_path(stem) for stem in stems], ask.filters)
    known, around, front = set(stems), [], list(stems)
    for distance in range(1, ask.hops + 1):
        steps = list(_find_steps(ask.db, front, known))[: _HOPS[distance]]
        known.update(stem for stem, _ in steps)
        front = [stem for stem, _ in steps]
        around.append(_make_briefs(ask, steps, _BRIEF[distance]))
    titles = ("Related", "Further away")
    return (
        Group("Entity", tuple(map(ShownMemory, own)), named=True),
        *(Group(title, items, named=True) for title, items in zip(titles, around, strict=False)),
    )


def _make_path(stem: str) -> str:
    return f"{layout.ENTITIES}{stem}.md"


def _find_steps(
    db: Db, front: Sequence[str], known: set[str]
) -> Iterator[tuple[str, entities.EdgeRow]]:
    """The entities that are one step further, each with the first relation that leads there."""
    seen = set(known)
    for edge in entities.edges_of(db, front):
        for stem in (edge.target, edge.source):
            if stem not in seen:
                seen.add(stem)
                yield stem, edge


def _make_briefs(
    ask: Ask, steps: Sequence[tuple[str, entities.EdgeRow]], most: int
) -> tuple[ShownMemory, ...]:
    """The first words of some entities, each with the relation that led there."""
    ends = {end for _, edge in steps for end in (edge.source, edge.target)}
    labels = {stem: one.label for stem, one in entities.load_entities(ask.db, sorted(ends)).items()}
    first: dict[str, Candidate] = {}
    for one in passages.read_files(ask.db, [_make_path(stem) for stem, _ in steps], ask.filters):
        # What a neighbour is related to is a hop further.
        text = one.text.partition(f"\n## {entity.ENTITY_SECTIONS[-1]}")[0]
        first.setdefault(one.path, one.replace(text=text))
    found = ((first.get(_make_path(stem)), edge) for stem, edge in steps)
    return tuple(ShownMemory(one, _describe_edge(edge, labels), most) for one, edge in found if one)


def _describe_edge(edge: entities.EdgeRow, labels: dict[str, str]) -> str:
    """A relation in words: `Ada develops Molt (since: 2026-01-15)`."""
    ends = (labels.get(edge.source, edge.source), labels.get(edge.target, edge.target))
    note = f" ({edge.note})" if edge.note else ""
    return f"{ends[0]} {edge.word} {ends[1]}{note}"


def _resolve_entities(ask: Ask) -> tuple[str, ...]:
    """The entities that a question is about: by name, by a name within what it is about, by one
    that is much alike, or by all its words that tell something.
    """
    about = ask.question.about
    exact = entities.find_by_name(ask.db, about) or entities.find_mentioned(ask.db, about)
    if exact:
        return exact[:_ENTITIES]
    every = entities.list_names(ask.db)
    return _find_alike(ask, every) or _match_parts(about, every)


def _find_alike(ask: Ask, every: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The one entity with a name much like what is asked about.

    Comparing names takes long, so only those that share the beginning of a word are.
    """
    from molt.memory.graph import graph as graphs
    from molt.memory.graph import resolve

    starts = {word[:2] for word in ids.slug(ask.question.about).split("-")}
    near = {stem for name, stem in every if any(part[:2] in starts for part in name.split("-"))}
    some = entities.load_entities(ask.db, sorted(near)[:_LOOKED_AT])
    known = graphs.make_graph(
        (stem, entity.Entity(stem, one.type, one.label, one.aliases)) for stem, one in some.items()
    )
    found = resolve.resolve_entity(known, ask.question.about, similarity=ask.similarity)
    return (found,) if found else ()


def _match_parts(about: str, every: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The entities whose names hold all words that tell one from others: `the memory project` is
    `Moltbot Memory`. Those of a type that is named come alone.
    """
    from molt.memory.graph import resolve

    said = set(ids.slug(about).split("-"))
    telling = said - resolve.GENERIC - words.STOP - set(entity.ENTITY_TYPES)
    if not telling:
        return ()
    held: dict[str, set[str]] = {}
    for name, stem in every:
        held.setdefault(stem, set()).update(name.split("-"))
    found = [stem for stem, parts in held.items() if telling <= parts]
    typed = [stem for stem in found if stem.partition("--")[0] in said]
    return tuple((typed or found)[:_ENTITIES])
